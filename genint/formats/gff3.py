"""GFF3 with its bases -> GenBank text with the same features, for the one reader of records.

Two formats say the same things: a row with an ID is a feature, rows that share it are its parts,
attributes are qualifiers. Written as GenBank, such a file is read, judged and annotated as any
other, and every line of that text knows which line of the file it comes from.

Specification: Sequence Ontology, GFF3 1.26. Dialects: NCBI, Prokka, Bakta, Pharokka, genint.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Final, NamedTuple
from urllib.parse import unquote

from genint.errors import FormatError
from genint.formats.fasta import FastaRecord, record_id, split_records, stated_topology
from genint.formats.genbank.writer import feature_lines
from genint.formats.warnings import ReadCode, WarningLog
from genint.model.genome import Qualifier, Topology

FASTA_LINE: Final = re.compile(r"^(?:##FASTA\b.*\n|(?=>))", re.MULTILINE)
_COLUMNS: Final = 9
_GTF: Final = re.compile(r'\w+ "[^"]*"')
_SKIPPED: Final = frozenset(
    {"polypeptide", "start_codon", "stop_codon", "five_prime_UTR", "three_prime_UTR", "intron"}
)
"""Types that only say again what others say."""
_KEYS: Final = MappingProxyType(
    {
        "region": "source",
        "pseudogene": "gene",
        "pseudogenic_CDS": "CDS",
        "pseudogenic_tRNA": "tRNA",
        "pseudogenic_rRNA": "rRNA",
        "antisense_RNA": "ncRNA",
        "direct_repeat": "repeat_region",
        "CRISPR": "repeat_region",
        "sequence_feature": "misc_feature",
    }
    | {
        name: name
        for name in (
            *("CDS", "gene", "tRNA", "rRNA", "tmRNA", "ncRNA", "snRNA", "snoRNA", "mRNA", "exon"),
            *("repeat_region", "mobile_genetic_element", "misc_feature", "regulatory"),
        )
    }
)
"""INSDC's feature keys of types of the Sequence Ontology; of all others ``misc_feature``."""
_QUALIFIERS: Final = MappingProxyType(
    {
        "Note": "note",
        "note": "note",
        "Dbxref": "db_xref",
        "dbxref": "db_xref",
        "db_xref": "db_xref",
        "Ontology_term": "db_xref",
        "eC_number": "EC_number",
        "ec_number": "EC_number",
    }
    | {
        name: name
        for name in (
            *("EC_number", "allele", "anticodon", "bound_moiety", "exception", "experiment"),
            *("function", "gene", "gene_synonym", "inference", "locus_tag", "mobile_element_type"),
            *("ncRNA_class", "number", "old_locus_tag", "operon", "organism", "product"),
            *("protein_id", "pseudogene", "regulatory_class", "ribosomal_slippage", "rpt_family"),
            *("rpt_type", "rpt_unit_seq", "standard_name", "trans_splicing", "transl_except"),
            *("transl_table", "translation"),
        )
    }
)
_FLAGS: Final = frozenset({"ribosomal_slippage", "trans_splicing"})
_STRUCTURE: Final = frozenset(
    {
        *("ID", "Parent", "Name", "Alias", "Target", "Gap", "Derives_from", "Is_circular"),
        *("partial", "start_range", "end_range", "pseudo", "gbkey", "gene_biotype", "is_ordered"),
        *("mol_type", "codon_start", "genome", "strain"),
    }
)
"""Attributes that are no remark about the feature."""
_OURS: Final = re.compile(r"genint_|(?:confidence|confidence_score|evidence_eco)$")
"""Attributes that genint writes, which are no evidence when it reads them again."""
ADDED: Final = "genint_added"
"""Attribute that lists others of its row that genint wrote, such as ``product``."""
_TAXON: Final = re.compile(r"taxon:[1-9]\d*")
_LINE_BASES: Final = 60


class GenBankText(NamedTuple):
    """What a GFF3 file says, as GenBank.

    Attributes:
        text: Of all records.
        lines: For each of its lines the line of the file that it comes from, 1-based.
    """

    text: str
    lines: tuple[int, ...]

    def line_of(self, number: int | None) -> int | None:
        """Line of the file for a line of the text."""
        return None if number is None else self.lines[min(number, len(self.lines)) - 1]


class _Row(NamedTuple):
    """One line of the table."""

    line: int
    record: str
    kind: str
    start: int
    end: int
    strand: str
    phase: str
    attributes: Mapping[str, tuple[str, ...]]

    def first(self, name: str) -> str:
        """First value of an attribute; empty where there is none."""
        return next(iter(self.attributes.get(name, ())), "")


def as_genbank(text: str, *, source: str, log: WarningLog) -> GenBankText:
    """Write a GFF3 text that holds its bases as GenBank.

    Args:
        text: Whole, with its ``##FASTA`` part.
        source: File name for errors.
        log: Gets a warning on features of records that have no bases here.

    Raises:
        FormatError: a line is no row of nine columns, lies beyond its record, or is GTF; there are
            no bases, or those of other records.

    Cost: O(length), about 5 MB/s.
    """
    cut = _fasta_part(text, source)
    above = "\n" * text.count("\n", 0, cut.end())  # lines keep their numbers
    records = split_records(above + text[cut.end() :], source=source)
    rows = list(_rows(text[: cut.start()], source))
    named = {record_id(record.header): record for record in records}
    _note_strangers(rows, named, source, log)
    by_record: dict[str, list[_Row]] = {name: [] for name in named}
    for row in rows:
        if row.record in by_record:
            by_record[row.record].append(row)
    written: list[tuple[int, str]] = []
    for name, record in named.items():
        written.extend(_record(name, record, by_record[name], source))
    lines = [(line, part) for line, piece in written for part in piece.split("\n")]
    return GenBankText("".join(f"{part}\n" for _, part in lines), tuple(line for line, _ in lines))


def _rows(table: str, source: str) -> Iterator[_Row]:
    for number, line in enumerate(table.split("\n"), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        columns = line.rstrip().split("\t")
        if len(columns) != _COLUMNS:
            raise FormatError(
                source=source,
                line=number,
                reason=f"a row has {len(columns)} columns, in GFF3 there are {_COLUMNS}, with tabs",
                cure="mend the row, or start a remark with #",
            )
        record, _, kind, start, end, _, strand, phase, attributes = columns
        if _GTF.match(attributes):
            raise FormatError(
                source=source,
                line=number,
                reason="these are attributes of GTF, not of GFF3 (name=value)",
                cure="convert the file to GFF3",
            )
        if not (start.isdecimal() and end.isdecimal() and 1 <= int(start) <= int(end)):
            raise FormatError(
                source=source,
                line=number,
                reason=f"{start[:20]} to {end[:20]} is no place: first and last base, from 1",
                cure="mend columns 4 and 5",
            )
        if strand not in {"+", "-", ".", "?"}:
            raise FormatError(
                source=source,
                line=number,
                reason=f"column 7 is {strand[:20]!r}, no strand",
                cure="write + or - (or . where there is none)",
            )
        place = int(start), int(end)
        yield _Row(number, unquote(record), kind, *place, strand, phase, _attributes(attributes))


def _attributes(text: str) -> dict[str, tuple[str, ...]]:
    """Values by name, unescaped; several of a name are separated by commas or written twice."""
    found: dict[str, tuple[str, ...]] = {}
    for pair in text.split(";"):
        name, equals, values = pair.strip().partition("=")
        if equals:
            some = tuple(unquote(value) for value in values.split(",") if value)
            found[unquote(name)] = (*found.get(unquote(name), ()), *some)
    # A comma in a product is often left as it is; only these lists are lists.
    return {
        name: values if name in _LISTS else (",".join(values),) for name, values in found.items()
    }


_LISTS: Final = frozenset(
    {"Parent", "Alias", "Note", "Dbxref", "dbxref", "Ontology_term", "start_range", "end_range"}
)


def _note_strangers(
    rows: Sequence[_Row], named: Mapping[str, FastaRecord], source: str, log: WarningLog
) -> None:
    """Warn of features of records without bases; refuse a file where all are."""
    strangers = [row for row in rows if row.record not in named]
    if not strangers:
        return
    first = strangers[0]
    if len(strangers) == len(rows):
        raise FormatError(
            source=source,
            line=first.line,
            reason=f"features lie on {first.record[:40]}, bases are of {next(iter(named))[:40]}",
            cure="give the bases that the features were found on, under the same names",
        )
    log.add(
        ReadCode.RECORD_WITHOUT_SEQUENCE,
        f"{len(strangers)} features lie on records without bases (the first: {first.record}) and "
        "were left out.",
        line=first.line,
    )


def _record(
    name: str, record: FastaRecord, rows: Sequence[_Row], source: str
) -> Iterator[tuple[int, str]]:
    """Lines of a record, each with the line of the file that it is of."""
    sequence = [line.strip() for line in record.section.split("\n")]
    length_bp = sum(map(len, sequence))
    shape = _topology(record, rows)
    stated = f" {shape.value}" if shape else ""
    yield record.line, f"LOCUS       {name} {length_bp} bp    DNA{stated}"
    description = record.header.partition(" ")[2].strip()
    yield record.line, f"DEFINITION  {description or '.'}"
    yield record.line, f"ACCESSION   {name}"
    yield record.line, "FEATURES             Location/Qualifiers"
    is_circular = shape is Topology.CIRCULAR
    parents = {row.first("ID"): row for row in rows if row.kind in {"gene", "pseudogene", "mRNA"}}
    for parts in _features(rows):
        beyond = max(parts, key=lambda part: part.end)
        if beyond.start > length_bp or (beyond.end > length_bp and not is_circular):
            raise FormatError(
                source=source,
                line=beyond.line,
                reason=f"ends at {beyond.end}, but {name[:40]} has {length_bp} bases",
                cure="give the bases that the features were found on",
            )
        location = _location(parts, length_bp, is_circular=is_circular)
        key, qualifiers = _described(parts, parents)
        for line in feature_lines(key, location, qualifiers):
            yield parts[0].line, line
    yield record.line, "ORIGIN"
    for number, line in enumerate(sequence, start=1):
        if line:
            yield record.line + number, f" {line}"
    yield record.line, "//"


def _topology(record: FastaRecord, rows: Sequence[_Row]) -> Topology | None:
    for row in rows:
        if row.first("Is_circular").lower() in {"true", "1"}:
            return Topology.CIRCULAR
    return stated_topology(record.header)


def _features(rows: Sequence[_Row]) -> Iterator[tuple[_Row, ...]]:
    """Rows that are parts of one feature, in the order of first rows."""
    found: dict[tuple[str, str], list[_Row]] = {}
    for number, row in enumerate(rows):
        if row.kind in _SKIPPED:
            continue
        name = row.first("ID") or (f"of {row.first('Parent')}" if row.kind == "CDS" else "")
        found.setdefault((row.kind, name if name not in {"", "of "} else f" {number}"), []).append(
            row
        )
    yield from map(tuple, found.values())


def _location(parts: Sequence[_Row], length_bp: int, *, is_circular: bool) -> str:
    """INSDC's notation, parts in forward order."""
    ordered = _in_order(parts, length_bp, is_circular=is_circular)
    texts = [text for part in ordered for text in _spans(part, length_bp)]
    joined = texts[0] if len(texts) == 1 else f"join({','.join(texts)})"
    return f"complement({joined})" if parts[0].strand == "-" else joined


def _in_order(parts: Sequence[_Row], length_bp: int, *, is_circular: bool) -> Sequence[_Row]:
    """Along the forward strand; over the origin of a circle from the widest gap on."""
    ordered = sorted(parts, key=lambda part: part.start)
    over_origin = is_circular and ordered[0].start == 1 and ordered[-1].end == length_bp
    if len(ordered) == 1 or not over_origin:
        return ordered
    gaps = [two.start - one.end for one, two in pairwise(ordered)]
    first = gaps.index(max(gaps)) + 1
    return [*ordered[first:], *ordered[:first]]


def _spans(part: _Row, length_bp: int) -> Iterator[str]:
    before = "<" if "." in part.attributes.get("start_range", ()) else ""
    behind = ">" if "." in part.attributes.get("end_range", ()) else ""
    if part.end <= length_bp:
        yield f"{before}{part.start}..{behind}{part.end}"
    else:  # a row that goes on behind the end of a circle
        yield f"{before}{part.start}..{length_bp}"
        yield f"1..{behind}{part.end - length_bp}"


def _described(
    parts: Sequence[_Row], parents: Mapping[str, _Row]
) -> tuple[str, tuple[Qualifier, ...]]:
    """Key and qualifiers of a feature."""
    row = parts[0]
    key = _KEYS.get(row.kind, "misc_feature")
    told = [Qualifier(*pair) for pair in _told(row, key, parents)]
    if key == "CDS":
        first = min(parts, key=lambda part: part.start if row.strand != "-" else -part.end)
        if first.phase in {"1", "2"}:
            told.append(Qualifier("codon_start", str(int(first.phase) + 1)))
    if row.kind.startswith("pseudogen") or row.first("pseudo").lower() in {"true", "1"}:
        told.append(Qualifier("pseudo", None))
    if key == "misc_feature" and row.kind not in _KEYS:
        told.append(Qualifier("note", row.kind))
    return key, tuple(dict.fromkeys(told))


def _told(row: _Row, key: str, parents: Mapping[str, _Row]) -> Iterator[tuple[str, str | None]]:
    """What attributes say, as qualifiers."""
    if key == "source":
        taxa = (*row.attributes.get("Dbxref", ()), *row.attributes.get("dbxref", ()))
        yield from (("db_xref", one) for one in taxa if _TAXON.fullmatch(one))
        return
    over = _ancestors(row, parents)
    tag = next((one.first("locus_tag") for one in (row, *over) if one.first("locus_tag")), "")
    if not tag and key in {"CDS", "gene"}:
        tag = row.first("ID").removeprefix("cds-").removeprefix("gene-")
    symbol = next((one.first("gene") for one in (row, *over) if one.first("gene")), "")
    added = frozenset(row.attributes.get(ADDED, ()))
    product = "" if "product" in added else row.first("product") or _name_as_product(row, key)
    main = (("locus_tag", tag), ("gene", symbol), ("product", product))
    yield from (pair for pair in main if pair[1])
    for name, values in row.attributes.items():
        if _OURS.match(name) or name in _STRUCTURE or name in added:
            continue
        if _QUALIFIERS.get(name) not in dict(main):
            yield from _as_qualifiers(name, values)


def _as_qualifiers(name: str, values: Sequence[str]) -> Iterator[tuple[str, str | None]]:
    """An attribute as the qualifier of its name, else as a remark."""
    qualifier = _QUALIFIERS.get(name)
    if qualifier in _FLAGS:
        yield qualifier, None
    elif qualifier is not None:
        yield from ((qualifier, value) for value in values)
    else:
        yield from (("note", f"{name}: {value}") for value in values if value)


def _ancestors(row: _Row, parents: Mapping[str, _Row]) -> tuple[_Row, ...]:
    """The gene over a feature, or the transcript and its gene."""
    found: list[_Row] = []
    for name in row.attributes.get("Parent", ()):
        above = parents.get(name)
        if above is not None:
            found.append(above)
            found += [parents[one] for one in above.attributes.get("Parent", ()) if one in parents]
    return tuple(found)


def _name_as_product(row: _Row, key: str) -> str:
    """The Name of a product, where it is one: words, not the id of something."""
    name = row.first("Name")
    ids = {row.first(other) for other in ("ID", "locus_tag", "gene", "protein_id")}
    is_words = " " in name or key in {"tRNA", "rRNA", "tmRNA", "ncRNA"}
    return name if is_words and name not in ids else ""


def refuse_without_bases(text: str, *, source: str) -> None:
    """Stop at a whole GFF3 text that has no ``##FASTA`` part, with a FormatError."""
    _fasta_part(text, source)


def _fasta_part(text: str, source: str) -> re.Match[str]:
    """The line above the bases."""
    if found := FASTA_LINE.search(text):
        return found
    raise FormatError(
        source=source,
        line=None,
        reason="the GFF3 file holds no bases (no ##FASTA part)",
        cure="give them beside it: genint interpret genome.fasta --genes genes.gff3",
    )


_CODING: Final = re.compile(r"^[^#\t\n][^\t\n]*\t[^\t\n]*\tCDS\t", re.MULTILINE)


def beside_bases(table: str, bases: str) -> str:
    """A GFF3 text with the bases of a FASTA text behind it, in place of its own."""
    cut = FASTA_LINE.search(table)
    own = table if cut is None else table[: cut.start()]
    return f"{own.rstrip(chr(10))}\n##FASTA\n{bases}"


def has_coding_genes(table: str) -> bool:
    """Whether a GFF3 text has a row of kind CDS."""
    return _CODING.search(table) is not None
