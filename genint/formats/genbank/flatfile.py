"""GenBank flat file -> its records, cut into header, feature table and sequence.

Only the frame of the format is read here: which lines belong to what. The
feature table is read in :mod:`features`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from genint.errors import FormatError
from genint.formats.warnings import ReadCode, WarningLog
from genint.model.genome import Qualifier, Topology


class RawPart(NamedTuple):
    """One stretch of a location as the file writes it.

    Attributes:
        first: 1-based first base as written (0 or negative in broken files).
        last: 1-based last base, inclusive; smaller than ``first`` over an origin.
        reverse: Read from the reverse strand.
        low_open: The end at ``first`` is marked ``<`` or ``>``.
        high_open: The end at ``last`` is marked ``<`` or ``>``.
        record: Accession of another record that the stretch lies on, else None.
    """

    first: int
    last: int
    reverse: bool = False
    low_open: bool = False
    high_open: bool = False
    record: str | None = None


class RawLocation(NamedTuple):
    """Parts in the order of transcription; () where the text cannot be understood.

    ``doubt`` says what was guessed (``order``, ``one-of``, positions in a range).
    """

    parts: tuple[RawPart, ...]
    doubt: str | None = None


class RawFeature(NamedTuple):
    """One entry of a feature table.

    Attributes:
        key: Such as CDS, gene, tRNA.
        location: Where, as written.
        qualifiers: In file order, quotes and line breaks resolved.
        line: 1-based line of the file that the entry starts on.
    """

    key: str
    location: RawLocation
    qualifiers: tuple[Qualifier, ...]
    line: int

    def value(self, name: str) -> str | None:
        """First non-empty value of a qualifier, stripped; None where there is none."""
        for qualifier in self.qualifiers:
            if qualifier.name == name and qualifier.value and qualifier.value.strip():
                return qualifier.value.strip()
        return None

    def has(self, *names: str) -> bool:
        """Whether one of the qualifiers is there, with or without a value."""
        return any(qualifier.name in names for qualifier in self.qualifiers)


class RecordHeader(NamedTuple):
    """The lines above the feature table.

    Attributes:
        name: Name in the LOCUS line; empty where it has none.
        stated_bp: Length in the LOCUS line, None where it cannot be read.
        unit: ``bp``, ``aa`` (protein) or ``rc`` (records of a master).
        molecule_type: Such as DNA or ss-DNA.
        topology: None where the LOCUS line does not say.
        keywords: First-column keywords of the record (WGS, CONTIG, ...).
    """

    name: str
    stated_bp: int | None
    unit: str
    molecule_type: str | None
    topology: Topology | None
    definition: str
    accession: str
    version: str
    organism: str | None
    lineage: tuple[str, ...]
    keywords: frozenset[str]


KEYS_READ = frozenset(
    {
        "CDS",
        "gene",
        "source",
        "tRNA",
        "rRNA",
        "tmRNA",
        "ncRNA",
        "misc_RNA",
        "antisense_RNA",
        "snRNA",
        "snoRNA",
        "scRNA",
    }
)
"""Feature keys that are read; all others are dropped."""


def clean_value(name: str, value: str) -> str:
    """A qualifier's value on one line.

    Lines of a wrapped value are joined by a blank (residues of a translation by
    nothing); runs of blanks become one, as line breaks leave no other trace.
    """
    if name == "translation":
        return "".join(value.split())
    if "\n" in value or "  " in value or value != value.strip():
        return " ".join(value.split())
    return value


MAX_ANNOTATION_LINE = 1_000_000
"""Characters; a longer line above the sequence is no annotation."""

# patterns start with a plain \n, which is found much faster than ^ in MULTILINE
_LOCUS_WORD = re.compile(r"LOCUS\b")
_LOCUS_LINE = re.compile(r"\nLOCUS\b")
_TERMINATOR = re.compile(r"\n//[ \t]*(?=\n|\Z)")
_TABLE_LINE = re.compile(r"\nFEATURES\b.*\n?")
_AFTER_TABLE = re.compile(r"\n(?=\S)")
_ORIGIN_LINE = re.compile(r"\nORIGIN\b.*\n?")
FEATURE_START = re.compile(r"^ {1,20}(?=[^\s/])", re.MULTILINE)
"""The key of a feature; qualifiers are further right or start with a slash."""

_KEYWORD = re.compile(r"^([A-Z]+) ?", re.MULTILINE)
_UNITS = frozenset({"bp", "aa", "rc"})
_LENGTH = re.compile(r"\d{1,15}", re.ASCII)
_MAX_LOCUS_LINE = 2000
_DATE_OR_DIVISION = re.compile(r"\d{1,2}-[A-Za-z]{3}-\d{4}|[A-Z]{3}")
_CONTINUATION_COLUMN = 12


class RecordText(NamedTuple):
    """The text of one record in its three pieces; lines are 1-based.

    Attributes:
        line: Of the LOCUS line.
        header: From LOCUS to the feature table.
        table: The feature table without its FEATURES line.
        sequence: Behind the ORIGIN line; None where there is no such line.
        terminated: Whether ``//`` closes the record.
    """

    line: int
    header: str
    table: str
    table_line: int
    sequence: str | None
    sequence_line: int
    terminated: bool


def split_records(text: str, *, source: str, log: WarningLog) -> Iterator[RecordText]:
    """Cut at LOCUS lines and ``//``; a warning on all that is passed over.

    Raises:
        FormatError: an annotation line is longer than :data:`MAX_ANNOTATION_LINE`.

    Cost: O(length).
    """
    starts = [found.start() + 1 for found in _LOCUS_LINE.finditer(text)]
    first = len(text) - len(text.lstrip())
    if first not in starts[:1] and _LOCUS_WORD.match(text, first):
        starts.insert(0, first)  # nothing, or blanks of its own line, in front of it
    _note_stray_text(text[: starts[0]], 1, log)
    line = text.count("\n", 0, starts[0]) + 1
    for start, stop in zip(starts, [*starts[1:], len(text)], strict=True):
        block = text[start:stop]
        end = _TERMINATOR.search(block)
        if end:
            _note_stray_text(block[end.end() :], line + block.count("\n", 0, end.end()), log)
        yield _cut(block[: end.start()] if end else block, line, bool(end), source)
        line += block.count("\n")


def _note_stray_text(text: str, line: int, log: WarningLog) -> None:
    if text.strip():
        line += text.count("\n", 0, len(text) - len(text.lstrip()))
        log.add(
            ReadCode.TEXT_OUTSIDE_RECORDS,
            f"Text outside the records was passed over: {text.strip()[:40]!r}.",
            line=line,
        )


def _cut(block: str, line: int, terminated: bool, source: str) -> RecordText:
    origin = _ORIGIN_LINE.search(block)
    upper = block[: origin.start() + 1] if origin else block
    _refuse_endless_line(upper, line, source)
    features = _TABLE_LINE.search(upper)
    header = upper[: features.start() + 1] if features else upper
    table = ""
    if features:
        after = _AFTER_TABLE.search(upper, features.end() - 1)
        end = after.start() + 1 if after else len(upper)
        table = upper[features.end() : end]
        header += upper[end:]
    return RecordText(
        line=line,
        header=header,
        table=table,
        table_line=line + block.count("\n", 0, features.end()) if features else line,
        sequence=block[origin.end() :] if origin else None,
        sequence_line=line + block.count("\n", 0, origin.end()) if origin else line,
        terminated=terminated,
    )


def feature_start_lines(record: RecordText) -> list[int]:
    """The line that each feature of a record starts on."""
    lines: list[int] = []
    line, seen = record.table_line, 0
    for found in FEATURE_START.finditer(record.table):
        line += record.table.count("\n", seen, found.start())
        seen = found.start()
        lines.append(line)
    return lines


def _refuse_endless_line(text: str, line: int, source: str) -> None:
    if len(text) <= MAX_ANNOTATION_LINE:
        return
    for offset, content in enumerate(text.split("\n")):
        if len(content) > MAX_ANNOTATION_LINE:
            raise FormatError(
                source=source,
                line=line + offset,
                reason="an annotation line is longer than 1 MB",
                cure="the file is damaged or is not GenBank; export it again",
            )


def read_header(record: RecordText) -> RecordHeader:
    """Name, length, topology, description and organism of a record. O(length)."""
    fields = _fields(record.header)
    locus = fields.get("LOCUS", [""])[0]
    name, stated_bp, unit, rest = _locus_words(locus)
    molecule, topology = _molecule_and_topology(rest)
    organism, lineage = _organism(fields.get("ORGANISM", []))
    return RecordHeader(
        name=name,
        stated_bp=stated_bp,
        unit=unit,
        molecule_type=molecule,
        topology=topology,
        definition=" ".join(" ".join(fields.get("DEFINITION", [])).split()).removesuffix("."),
        accession=_first_word(fields.get("ACCESSION", [])),
        version=_first_word(fields.get("VERSION", [])),
        organism=organism,
        lineage=lineage,
        keywords=frozenset(_KEYWORD.findall(record.header)),
    )


def _fields(header: str) -> dict[str, list[str]]:
    """Keyword -> its lines; only the first of repeated keywords is kept."""
    fields: dict[str, list[str]] = {}
    current: list[str] = []
    for line in header.split("\n"):
        keyword = line[:_CONTINUATION_COLUMN].strip()
        if keyword == "" or not line[:3].strip():
            current.append(line.strip())
            continue
        if line.startswith("LOCUS"):
            keyword, content = "LOCUS", line
        else:
            words = line.split(None, 1)
            keyword, content = words[0], words[1] if len(words) > 1 else ""
        current = [content.strip()]
        fields.setdefault(keyword, current)
    return fields


def _locus_words(locus: str) -> tuple[str, int | None, str, list[str]]:
    """Name, length, unit and the words behind; name and length may have grown together."""
    words = locus[:_MAX_LOCUS_LINE].split()[1:]
    at = next((at for at, word in enumerate(words) if word.lower() in _UNITS), 0)
    length = _LENGTH.fullmatch(words[at - 1]) if at > 1 else None
    if length:
        return " ".join(words[: at - 1]), int(length[0]), words[at].lower(), words[at + 1 :]
    if at:
        return " ".join(words[:at]), None, words[at].lower(), words[at + 1 :]
    return (words[0] if words else ""), None, "bp", words[1:]


def _molecule_and_topology(words: list[str]) -> tuple[str | None, Topology | None]:
    topology = None
    for word in words:
        if word.lower() in ("linear", "circular"):
            topology = Topology(word.lower())
            break
    molecule = words[0] if words else None
    if molecule and (
        molecule.lower() in ("linear", "circular")
        or (_DATE_OR_DIVISION.fullmatch(molecule) and not molecule.upper().endswith("NA"))
    ):
        molecule = None
    return molecule, topology


def _organism(lines: list[str]) -> tuple[str | None, tuple[str, ...]]:
    """Name and lineage; a name may be wrapped, the lineage starts at the first ``;``."""
    at = 1
    while at < len(lines) and ";" not in lines[at] and not lines[at].endswith("."):
        at += 1
    name = " ".join(" ".join(lines[:at]).split())
    taxa = " ".join(lines[at:]).strip().removesuffix(".").split(";")
    lineage = tuple(taxon.strip() for taxon in taxa if taxon.strip())
    return (name if name and name != "." else None), lineage


def _first_word(lines: list[str]) -> str:
    words = lines[0].split() if lines else []
    return words[0] if words else ""
