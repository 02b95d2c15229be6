"""A file of the user's proteins -> proteins that genes are compared with.

FASTA of proteins, or GenBank records, of which the proteins of the coding genes are taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from genint.errors import FormatError
from genint.formats.compression import decompressed
from genint.formats.fasta import FastaRecord, record_id, split_records, unique_names
from genint.formats.reader import decoded, detect, read_genome_bytes, refuse_binary
from genint.formats.warnings import WarningLog
from genint.model.evidence import ReferenceEntry, ReferenceProtein, residues_digest
from genint.model.genome import Contig, FileFormat, Gene

_MAX_CHARACTERS = 4_000
"""Of a header in which anything is looked for; names of products have some hundred."""
_UNIPROT_ID = re.compile(r"(?:sp|tr)\|([A-Z0-9]{6,10}(?:-\d+)?)\|\S+", re.IGNORECASE)
_UNIREF_ID = re.compile(r"UniRef\d+_(\S+)")
_UNIPROT_FIELD = re.compile(r"(?:^|\s)(OS|OX|GN|PE|SV)=")
_UNIREF_FIELD = re.compile(r"\s(n|Tax|TaxID|RepID)=")
_BRACKETED_FIELD = re.compile(
    r"\[(gene|locus_tag|protein|protein_id|db_xref|EC_number|organism|product)=((?:[^\[\]]|\[[^\[\]]*\])*)\]"
)
_ORGANISM = re.compile(r"\s*\[((?:[^\[\]]|\[[^\[\]]*\])+)\]$")
_FLAG = re.compile(r"^(?:MULTISPECIES|UNVERIFIED(?:_\w+)?|RecName: Full|SubName: Full)\s*[:=]\s*")
_EC = re.compile(r"\b\d+\.(?:\d+|-)\.(?:\d+|-)\.(?:n?\d+|-)(?![\d.])")
_COG = re.compile(r"\bCOG\d{4}\b|^[A-Z]$")
_COLUMNS = "~~~"
_MOST_COLUMNS = 4
MAX_BYTES: Final = 1_000_000_000
"""Of the text: all of Swiss-Prot is a third of it."""
MAX_PROTEINS: Final = 1_000_000
_CURE = "give proteins as FASTA, or GenBank records with their CDS features"
_NO_RESIDUE = re.compile(r"[^A-Za-z*\s]")
_NUCLEOTIDES = str.maketrans("", "", "ACGTUN")
_NUCLEOTIDE_SHARE = 0.9
"""Proteins hold a quarter to a third of these letters."""
_ANY_NUCLEOTIDES = str.maketrans("", "", "ACGTUNRYSWKMBDHV")
_PLAIN_SHARE = 0.7
"""Of a file of nothing but nucleotide codes: no set of proteins does without E, F, I, L, P, Q."""
_LONGEST_TEXT = 300
"""Characters; longer names are whole comments."""
_JUDGED_AA = 50
"""A peptide shorter than that may hold no other letters by chance."""
_EC_QUALIFIER = re.compile(r"\d+\.(?:\d+|-)\.(?:\d+|-)\.(?:n?\d+|-)")
_GO = re.compile(r"\bGO:\d{7}\b")
_COG_XREF = re.compile(r"^COG:(COG\d{4}|[A-Z])$")
_PFAM = re.compile(r"\bPF\d{5}\b")
_GO_QUALIFIERS = ("GO_function", "GO_process", "GO_component", "db_xref")


class ReferenceHeader(NamedTuple):
    """What a header states; empty where it does not."""

    accession: str
    name: str = ""
    symbol: str = ""
    organism: str = ""
    ec: tuple[str, ...] = ()
    cog: str = ""
    existence: int | None = None


class _Protein(NamedTuple):
    """A record of a FASTA file."""

    header: ReferenceHeader
    residues: str
    line: int


def read_proteins(content: bytes, filename: str) -> tuple[ReferenceProtein, ...]:
    """The proteins of a file, known by its content; plain, gzip, bgzip or bzip2.

    Records without residues are left out, and so are repetitions of one protein under one
    accession and name. Another protein, or another name of it, under a used accession gets a
    number behind it. Texts lose control and direction characters and end after 300 characters.

    Args:
        content: The bytes as given, compressed or not.
        filename: For errors; folders in it are dropped.

    Raises:
        FormatError: nucleotides, letters that are no residues, another format, no protein
            at all, or more than the limits; says where and what to do.

    Cost: FASTA 20 us a protein; GenBank as for :func:`genint.formats.reader.read_genome`.
    """
    source = _source(filename)
    raw = decompressed(content, source=source, max_bytes=MAX_BYTES)
    text, found = _detected(raw, source, is_whole=True)
    if found is not FileFormat.FASTA:
        genome = read_genome_bytes(raw, source, max_bytes=MAX_BYTES)
        proteins = [_of_gene(gene, contig) for contig in genome.contigs for gene in contig.genes]
        listed = [protein for protein in proteins if protein.residues]
    else:
        records = list(_records(text, source))
        _refuse_nucleotides(records, source)
        listed = [_reference(one.header, one.residues) for one in records if one.residues]
    if not listed:
        none = "no record has residues" if found is FileFormat.FASTA else "no gene has a protein"
        raise _error(source, None, none)
    return _named_apart(listed)


def first_look_at_proteins(head: bytes, *, filename: str, is_whole: bool) -> None:
    """Refuse what is no file of proteins, as far as its beginning tells.

    Args:
        head: The text's first bytes, unpacked.
        filename: For errors; folders in it are dropped.
        is_whole: That is the whole text.

    Raises:
        FormatError: as :func:`read_proteins`, of the part that is there.
    """
    source = _source(filename)
    text, found = _detected(head, source, is_whole=is_whole)
    if found is FileFormat.FASTA:
        lines = text if is_whole else text[: text.rfind("\n") + 1]
        _refuse_nucleotides(list(_records(lines, source)) if lines else [], source)


def _source(filename: str) -> str:
    return filename.replace("\\", "/").rsplit("/", 1)[-1] or "proteins"


def _detected(raw: bytes, source: str, *, is_whole: bool) -> tuple[str, FileFormat]:
    """The text, and what it is."""
    try:
        refuse_binary(raw, source=source)
        text = decoded(raw, source=source, log=WarningLog(), is_whole=is_whole)
        return text, detect(text, source=source)
    except FormatError as other:
        reason = other.reason.replace(", which genint does not read", "")
        raise _error(source, other.line, reason) from None


def read_header(header: str) -> ReferenceHeader:
    """What a header states of its protein.

    Args:
        header: Without ``>``.

    Returns:
        Its accession, empty where the header is, and whatever else it states.

    Cost: some 5 us.
    """
    words = header[:_MAX_CHARACTERS].strip().split(None, 1)
    if not words:
        return ReferenceHeader("")
    rest = " ".join(words[1].split()) if len(words) > 1 else ""
    uniprot = _UNIPROT_ID.fullmatch(words[0])
    if uniprot or (_UNIPROT_FIELD.search(rest) and "OS=" in rest):
        return _of_uniprot(uniprot[1] if uniprot else words[0], rest)
    uniref = _UNIREF_ID.fullmatch(words[0])
    if uniref:
        return _of_uniref(words[0], rest)
    accession = record_id(words[0]).strip("|")
    if rest.count(_COLUMNS) > 1:
        return _of_columns(accession, rest)
    fields = dict(reversed(_BRACKETED_FIELD.findall(rest)))
    if "protein" in fields or "product" in fields or "protein_id" in fields:
        return _of_fields(accession, rest, fields)
    return _of_ncbi(accession, rest)


def _of_uniprot(accession: str, rest: str) -> ReferenceHeader:
    name, *pieces = _UNIPROT_FIELD.split(rest)
    fields = dict(zip(pieces[::2], pieces[1::2], strict=True))
    level = fields.get("PE", "").strip()
    return ReferenceHeader(
        accession,
        name=name.strip(),
        symbol=fields.get("GN", "").strip(),
        organism=fields.get("OS", "").strip(),
        existence=int(level) if level in set("12345") else None,
    )


def _of_uniref(accession: str, rest: str) -> ReferenceHeader:
    name, *pieces = _UNIREF_FIELD.split(f" {rest}")
    fields = dict(zip(pieces[::2], pieces[1::2], strict=True))
    name = name.strip().removeprefix("Cluster: ")
    return ReferenceHeader(accession, name=name, organism=fields.get("Tax", "").strip())


def _of_columns(accession: str, rest: str) -> ReferenceHeader:
    columns = [column.strip() for column in rest.split(_COLUMNS)] + [""] * _MOST_COLUMNS
    ec, symbol, name, cog = columns[:_MOST_COLUMNS]
    return ReferenceHeader(
        accession,
        name=name,
        symbol=symbol,
        ec=tuple(dict.fromkeys(_EC.findall(ec))),
        cog=_cog(cog),
    )


def _of_fields(accession: str, rest: str, fields: dict[str, str]) -> ReferenceHeader:
    return ReferenceHeader(
        fields.get("protein_id") or accession,
        name=_bare(fields.get("protein") or fields.get("product", "")),
        symbol=fields.get("gene", ""),
        organism=fields.get("organism", ""),
        ec=tuple(dict.fromkeys(_EC.findall(fields.get("EC_number", "")))),
        cog=_cog(" ".join(value for name, value in _BRACKETED_FIELD.findall(rest) if "x" in name)),
    )


def _of_ncbi(accession: str, rest: str) -> ReferenceHeader:
    organism = _ORGANISM.search(rest)
    if organism is None:
        return ReferenceHeader(accession, name=_bare(rest))
    name = _bare(rest[: organism.start()])
    return ReferenceHeader(accession, name=name, organism=organism[1].removeprefix("organism="))


def _bare(name: str) -> str:
    """A name without the flags of RefSeq in front."""
    return _FLAG.sub("", name.strip())


def _cog(text: str) -> str:
    found = _COG.search(text)
    return found[0] if found else ""


def _error(source: str, line: int | None, reason: str, cure: str = _CURE) -> FormatError:
    return FormatError(source=source, line=line, reason=reason, cure=cure)


def _records(text: str, source: str) -> Iterator[_Protein]:
    records = split_records(text, source=source, what="protein")
    if len(records) > MAX_PROTEINS:
        reason = f"holds {len(records):,} proteins"
        raise _error(source, None, reason, f"give at most {MAX_PROTEINS:,}")
    for number, record in enumerate(records, start=1):
        header = read_header(record.header)
        if not header.accession:
            header = header._replace(accession=f"protein_{number}")
        _refuse_letters(record, header.accession, source)
        yield _Protein(header, _residues(record.section), record.line)


def _refuse_letters(record: FastaRecord, name: str, source: str) -> None:
    """Stop at the first character that is no residue."""
    odd = _NO_RESIDUE.search(record.section)
    if odd is None:
        return
    letter = odd[0]
    what, cure = f"character {letter!r}", "only letters of amino acids are allowed in a protein"
    if letter in "-.~":
        what, cure = f"gap {letter!r}", "this is an alignment: give the proteins without gaps"
    elif letter.isdigit():
        what, cure = f"digit {letter!r}", "remove the numbers from the sequence"
    line = record.line + 1 + record.section.count("\n", 0, odd.start())
    raise _error(source, line, f"{what} in the sequence of {name[:80]}", cure)


def _residues(written: str) -> str:
    """Upper case, without blanks and final stop; a stop inside is an unknown residue."""
    residues = "".join(written.split()).upper().rstrip("*").replace("*", "X")
    return residues if residues.isascii() else ""


def are_nucleotides(sequences: Sequence[str]) -> bool:
    """Whether sequences in upper case are, or one of them is, no protein."""
    return any(map(_is_nucleotides, sequences)) or _are_together("".join(sequences))


def _is_nucleotides(residues: str) -> bool:
    others = len(residues.translate(_NUCLEOTIDES))
    return len(residues) >= _JUDGED_AA and others <= (1 - _NUCLEOTIDE_SHARE) * len(residues)


def _are_together(letters: str) -> bool:
    """Whether sequences are nucleotides, each of which may be too short to tell."""
    if not letters or letters.translate(_ANY_NUCLEOTIDES):
        return False
    return len(letters.translate(_NUCLEOTIDES)) <= (1 - _PLAIN_SHARE) * len(letters)


def _refuse_nucleotides(records: list[_Protein], source: str) -> None:
    for record in records:
        if _is_nucleotides(record.residues):
            reason = f"{record.header.accession[:80]} is nucleotides, not a protein"
            raise _error(source, record.line, reason)
    if _are_together("".join(record.residues for record in records)):
        raise _error(source, records[0].line, "these are nucleotides, not proteins")


def _shown(text: str) -> str:
    """A text on one line, without what hides or reorders it, and no longer than a name."""
    line = " ".join(text.split())
    if not line.isprintable():
        line = "".join(character for character in line if character.isprintable())
    return line if len(line) <= _LONGEST_TEXT else f"{line[: _LONGEST_TEXT - 1].rstrip()}…"


def _reference(
    header: ReferenceHeader, residues: str, *, go: Iterable[str] = (), pfam: Iterable[str] = ()
) -> ReferenceProtein:
    entry = ReferenceEntry(
        accession=_shown(header.accession),
        name=_shown(header.name),
        symbol=_shown(header.symbol),
        organism=_shown(header.organism),
        ec=header.ec,
        go=tuple(dict.fromkeys(go)),
        cog=header.cog,
        pfam=tuple(dict.fromkeys(pfam)),
        existence=header.existence,
        length_aa=len(residues),
        digest=residues_digest(residues),
    )
    return ReferenceProtein(entry, residues)


def _of_gene(gene: Gene, contig: Contig) -> ReferenceProtein:
    """What a record states of a gene; a pseudogene has no protein."""
    residues = "" if gene.pseudo else _residues(gene.protein)
    stated = [value for name in _GO_QUALIFIERS for value in gene.values(name)]
    cogs = (_COG_XREF.match(value) for value in gene.values("db_xref"))
    families = (*gene.values("db_xref"), *gene.values("inference"))
    header = ReferenceHeader(
        gene.protein_id or gene.locus_tag or gene.id,
        name=gene.product or "",
        symbol=gene.symbol or "",
        organism=contig.organism or "",
        ec=tuple(
            ec for ec in dict.fromkeys(gene.values("EC_number")) if _EC_QUALIFIER.fullmatch(ec)
        ),
        cog=next((match[1] for match in cogs if match), ""),
    )
    go, pfam = _GO.findall(" ".join(stated)), _PFAM.findall(" ".join(families))
    return _reference(header, residues, go=go, pfam=pfam)


def _named_apart(proteins: list[ReferenceProtein]) -> tuple[ReferenceProtein, ...]:
    """Each protein and each name of it under an accession of its own, repetitions once."""
    once: dict[tuple[str, str, str], ReferenceProtein] = {}
    for one in proteins:
        once.setdefault((one.entry.accession, one.entry.name, one.residues), one)
    kept = list(once.values())
    names = unique_names([one.entry.accession for one in kept])
    return tuple(
        one._replace(entry=one.entry._replace(accession=name))
        for one, name in zip(kept, names, strict=True)
    )
