"""FASTA text -> contigs; bases and ids of records, which the GenBank reader uses too.

The id of a record is the first word of its header, unchanged, so that it stays
the name that the user's other files have; of NCBI's old ``gi|...|ref|NC_001416.1|``
style the accession is taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from genint.errors import FormatError
from genint.formats.genbank.flatfile import MAX_ANNOTATION_LINE
from genint.formats.warnings import ReadCode, WarningLog
from genint.model.genome import Contig, Topology
from genint.model.sequence import IUPAC_DNA

_BLANKS = b" \t\n\r\x0b\x0c"
_DIGITS = b"0123456789"
_GAPS = b"-"
_NUCLEOTIDES = (IUPAC_DNA + "UX").encode("ascii")
_TO_DNA = bytes.maketrans(
    (IUPAC_DNA.lower() + "uUxX").encode("ascii"), (IUPAC_DNA + "TTNN").encode("ascii")
)
_READABLE = frozenset(_NUCLEOTIDES + _NUCLEOTIDES.lower() + _BLANKS)
_NO_LETTERS = _BLANKS + _DIGITS + b"*-.~?" + bytes(range(128, 256))
_PLAIN = b"ACGTUNXacgtunx"
_PROTEIN_ONLY = b"EFIJLOPQZefijlopqz"
_PROTEIN_SHARE = 0.5
"""Proteins hold a quarter of A, C, G, T and N, genomes nearly nothing else; a record
of every IUPAC code in turn still has more than a quarter of them but no E, F, I ..."""
_ODD_SHARE = 0.35
_HEADER = re.compile(r"^>(.*)$", re.MULTILINE)
_COMMENT = re.compile(r"^;.*$", re.MULTILINE)
_NCBI_ID = re.compile(
    r"(?:gi\|\d+\|)?(?:ref|gb|emb|dbj|tpg|tpe|tpd)\|([^|\s]+)(?:\|\S*)?", re.IGNORECASE
)
_LOCAL_ID = re.compile(r"(?:lcl|gnl\|[^|\s]+)\|([^|\s]+)", re.IGNORECASE)
_STATED_SHAPE = re.compile(
    r"(?:^|[\s\[;,|_(])(?:topology|is_?circular|circular|suggest_?circular)\s*=\s*\"?(\w+)",
    re.IGNORECASE,
)
_SHAPE_WORD = re.compile(r"(?<![\w-])(non[\s-]?|not\s)?(circular|linear)(?![\w=-])", re.IGNORECASE)
_MAX_HINTS = 2000
"""Characters of a header in which hints are looked for."""
_ORGANISM = re.compile(r"\[organism=([^\]]+)\]", re.IGNORECASE)
_SHAPES = dict.fromkeys(("circular", "true", "yes", "y", "t", "1"), Topology.CIRCULAR) | (
    dict.fromkeys(("linear", "false", "no", "n", "f", "0"), Topology.LINEAR)
)


class FastaRecord(NamedTuple):
    """One record.

    Attributes:
        header: Without ``>`` and blanks around it.
        line: Of the header, 1-based.
        section: The lines below it.
    """

    header: str
    line: int
    section: str


class Section(NamedTuple):
    """Sequence lines of one record.

    Attributes:
        text: As in the file.
        first_line: Line of the file that it starts on.
        record: Name of the record, for errors.
        source: Name of the file, for errors.
    """

    text: str
    first_line: int
    record: str
    source: str


def read_fasta(text: str, *, source: str, log: WarningLog) -> tuple[Contig, ...]:
    r"""Every record of a FASTA text that has a sequence, in file order.

    Args:
        text: With ``\n`` line ends.
        source: File name for errors.
        log: Gets a warning on records without sequence, without name or with a used name.

    Raises:
        FormatError: proteins, a character that is no nucleotide, text in front of
            the first header, no sequence at all.

    Cost: O(length), about 200 MB/s.
    """
    records = split_records(text, source=source)
    refuse_proteins(records, source=source)
    filled: list[tuple[FastaRecord, str, str]] = []
    for number, record in enumerate(records, start=1):
        stem = _name(record, number, log)
        if bases := _bases(record, stem, source, log):
            filled.append((record, stem, bases))
    if not filled:
        raise FormatError(
            source=source,
            line=records[0].line,
            reason="no record holds a sequence",
            cure="put the bases below the header",
        )
    ids = name_records([stem for _, stem, _ in filled], [one.line for one, *_ in filled], log)
    return tuple(
        _contig(record, id, bases) for (record, _, bases), id in zip(filled, ids, strict=True)
    )


def split_records(text: str, *, source: str, what: str = "record") -> list[FastaRecord]:
    """Headers and sections; ``;`` lines (old comments) are blanked, line numbers kept.

    Args:
        text: Of the file.
        source: File name for errors.
        what: A record is called so in errors.

    Raises:
        FormatError: text in front of the first header, or a header of more than 1 MB.

    Cost: O(length).
    """
    if text.startswith(";") or "\n;" in text:
        text = _COMMENT.sub("", text)
    headers = list(_HEADER.finditer(text))
    first = headers[0].start() if headers else len(text)
    if text[:first].strip() or not headers:
        line = text.count("\n", 0, len(text) - len(text.lstrip())) + 1
        raise FormatError(
            source=source,
            line=line,
            reason="there is no > header above the sequence",
            cure="put a line such as >name above it",
        )
    records: list[FastaRecord] = []
    line, seen = 1, 0
    stops = [*(header.start() for header in headers[1:]), len(text)]
    for header, stop in zip(headers, stops, strict=True):
        line += text.count("\n", seen, header.start())
        seen = header.start()
        if header.end() - header.start() > MAX_ANNOTATION_LINE:
            raise FormatError(
                source=source,
                line=line,
                reason="a header is longer than 1 MB",
                cure=f"break the line behind the name of the {what}",
            )
        records.append(FastaRecord(header[1].strip(), line, text[header.end() + 1 : stop]))
    return records


def record_id(header: str) -> str:
    """Name of a record from its header without ``>``; empty where it has none."""
    words = header.split(None, 1)
    if not words:
        return ""
    ncbi = _NCBI_ID.match(words[0]) or _LOCAL_ID.fullmatch(words[0])
    return ncbi[1] if ncbi else words[0]


def stated_topology(header: str) -> Topology | None:
    """What a header says of the topology (``[topology=circular]``, ``circular=true``, a word).

    None where it says nothing or contradicts itself.
    """
    header = header[:_MAX_HINTS]
    stated = _STATED_SHAPE.search(header)
    if stated:
        return _SHAPES.get(stated[1].lower())
    words = header.split(None, 1)
    circular = {
        found[2].lower() == "circular" and not found[1]
        for found in _SHAPE_WORD.finditer(words[1] if len(words) > 1 else "")
    }
    if len(circular) != 1:
        return None
    return Topology.CIRCULAR if circular.pop() else Topology.LINEAR


def refuse_proteins(records: Iterable[FastaRecord], *, source: str) -> None:
    """Stop at the first record that :func:`looks_like_protein`, with a FormatError."""
    for record in records:
        if looks_like_protein(record.section):
            name = record_id(record.header) or f"the record in line {record.line}"
            raise FormatError(
                source=source,
                line=record.line,
                reason=f"{name[:80]} is a protein; this is protein FASTA",
                cure="give the nucleotide sequence of the genome",
            )


def looks_like_protein(section: str) -> bool:
    """Whether the letters of a record, all together, are those of a protein.

    Weakness: a peptide of only A, C, G, T and N residues reads as DNA.

    Cost: O(length).
    """
    raw = section.encode("latin-1", "replace")
    letters = raw.translate(None, _NO_LETTERS)
    if not letters:
        return False
    share = 1 - len(letters.translate(None, _PLAIN)) / len(letters)
    if len(letters.translate(None, _PROTEIN_ONLY)) < len(letters):
        return share < _PROTEIN_SHARE
    return share < _ODD_SHARE


def nucleotides(section: Section, *, log: WarningLog, numbered: bool) -> str:
    """The bases of one record.

    Args:
        section: Its sequence lines.
        log: Gets a warning where X was read as N and where gaps were taken out.
        numbered: Digits are position numbers (GenBank), not faults (FASTA).

    Returns:
        Upper-case IUPAC DNA: U is T, X is N, blanks and gaps (-) are gone.

    Raises:
        FormatError: a letter that is no nucleotide.

    Cost: O(length), about 500 MB/s.
    """
    raw = section.text.encode("latin-1", "replace")
    ignored = _BLANKS + _GAPS + (_DIGITS if numbered else b"")
    bases = raw.translate(_TO_DNA, ignored)
    if bases.translate(None, IUPAC_DNA.encode("ascii")):
        raise _bad_letter(section, raw, ignored)
    masked = raw.count(b"X") + raw.count(b"x")
    if masked:
        log.add(
            ReadCode.MASKED_BASES,
            f"{masked} bases of {section.record} are X (masked) and were read as N.",
            line=section.first_line,
        )
    gaps = raw.count(_GAPS)
    if gaps:
        log.add(
            ReadCode.GAPS_REMOVED,
            f"{gaps} gaps (-) were taken out of {section.record}; positions count bases only.",
            line=section.first_line,
        )
    return bases.decode("ascii")


def name_records(stems: Sequence[str], lines: Sequence[int], log: WarningLog) -> tuple[str, ...]:
    """Unique ids of records; a warning on each that could not keep its name.

    Args:
        stems: The names that they should have.
        lines: Where each record starts.
        log: Takes the warnings.
    """
    names = unique_names(stems)
    for stem, name, line in zip(stems, names, lines, strict=True):
        if name != stem:
            log.add(
                ReadCode.DUPLICATE_RECORD_ID,
                f"{stem} is the name of several records; this one is called {name}.",
                contig=name,
                line=line,
            )
    return names


def unique_names(stems: Sequence[str]) -> tuple[str, ...]:
    """Each stem as it is the first time, with ``_2``, ``_3`` ... when it comes again.

    A suffixed name never takes one that is among the stems itself, so that
    ``a, a, a_2`` gives ``a, a_3, a_2``.

    Cost: O(n).
    """
    reserved = set(stems)
    used: set[str] = set()
    next_number: dict[str, int] = {}
    names: list[str] = []
    for stem in stems:
        name = stem
        number = next_number.get(stem, 2)
        while name in used or (name != stem and name in reserved):
            name = f"{stem}_{number}"
            number += 1
        next_number[stem] = number
        used.add(name)
        names.append(name)
    return tuple(names)


def _name(record: FastaRecord, number: int, log: WarningLog) -> str:
    name = record_id(record.header)
    if not name:
        name = f"record_{number}"
        text = f"A record has no name and is called {name}."
        log.add(ReadCode.UNNAMED_RECORD, text, line=record.line)
    return name


def _bases(record: FastaRecord, name: str, source: str, log: WarningLog) -> str:
    section = Section(record.section, record.line + 1, name, source)
    bases = nucleotides(section, log=log, numbered=False)
    if not bases:
        text = f"{name} has no sequence and was left out."
        log.add(ReadCode.EMPTY_RECORD, text, line=record.line)
    return bases


def _contig(record: FastaRecord, id: str, bases: str) -> Contig:
    topology = stated_topology(record.header)
    organism = _ORGANISM.search(record.header[:_MAX_HINTS])
    return Contig(
        id=id,
        bases=bases,
        description=" ".join(record.header.split(None, 1)[1:]).strip(),
        topology=topology or Topology.LINEAR,
        topology_stated=topology is not None,
        organism=organism[1].strip() if organism else None,
    )


def _bad_letter(section: Section, raw: bytes, ignored: bytes) -> FormatError:
    """The error for the first letter that is no nucleotide."""
    fine = _READABLE | frozenset(ignored)
    at = next(at for at, byte in enumerate(raw) if byte not in fine)
    letter = section.text[at]
    if letter.isdigit():
        what, cure = f"digit {letter!r}", "remove the numbers from the sequence"
    elif letter in ".~":
        what, cure = f"gap {letter!r}", "this is an alignment: give the sequence without gaps"
    elif letter == "*":
        what, cure = "'*' (a stop in a protein)", "give the nucleotide sequence"
    else:
        what = f"character {letter!r}"
        cure = "only IUPAC nucleotide letters are allowed in a sequence"
    return FormatError(
        source=section.source,
        line=section.first_line + section.text.count("\n", 0, at),
        reason=f"{what} in the sequence of {section.record[:80]}",
        cure=cure,
    )
