"""Writing GenBank: features put into the lines of a record, qualifiers wrapped, locations.

Source: INSDC feature table definition, sections 3 and 4; GenBank release notes, 3.4.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import accumulate
from types import MappingProxyType
from typing import Final, NamedTuple

from genint.formats.genbank.features import is_ours
from genint.formats.genbank.flatfile import (
    FEATURE_START,
    RawPart,
    RecordText,
    clean_value,
    feature_start_lines,
    split_records,
)
from genint.formats.genbank.locations import parse_location
from genint.formats.warnings import WarningLog
from genint.model.genome import Qualifier

_QUALIFIER = re.compile(r"/([\w\-']+)(?:=(.*))?", re.DOTALL)
_BELOW_TABLE = re.compile(r"(?:BASE COUNT|CONTIG|ORIGIN)\b")
_BASE = re.compile(r"[A-Za-z]")


class QualifierText(NamedTuple):
    """A qualifier and its lines."""

    qualifier: Qualifier
    lines: range


class FeatureText(NamedTuple):
    """A feature and its lines.

    Attributes:
        location: As written, without blanks.
        qualifiers: First and last line of each that is closed; what follows a quote
            that is never closed cannot be distinguished.
        last: Its last line with content.
        end: Last line of its last closed qualifier (of its location where it has none):
            new ones go behind it.
    """

    location: str
    qualifiers: tuple[tuple[int, int], ...]
    last: int
    end: int


class RecordLines(NamedTuple):
    """Where the feature table of a record lies.

    Attributes:
        table: The line FEATURES; None where the record has none.
        below: The last line that a new feature table would go behind.
        starts: The line that each feature starts on.
    """

    table: int | None
    below: int
    starts: tuple[int, ...]


def edited(
    lines: Sequence[str], *, added: Mapping[int, Sequence[str]], removed: Collection[int] = ()
) -> str:
    """The text with lines added behind lines (0: in front of all) and others left out.

    Cost: O(lines).
    """
    out = list(added.get(0, ()))
    for number, line in enumerate(lines, start=1):
        if number not in removed:
            out.append(line)
        if number in added:
            out.extend(added[number])
    return "\n".join(out)


def feature_at(lines: Sequence[str], line: int) -> FeatureText:
    """The feature that starts on a line. O(its length)."""
    last = line
    for number in range(line + 1, len(lines) + 1):
        text = lines[number - 1]
        if FEATURE_START.match(text) or not text[:1].isspace():
            if text:
                break
            continue
        if text.strip():
            last = number
    content = [lines[number - 1].strip() for number in range(line, last + 1)]
    content[0] = "".join(content[0].split(None, 1)[1:])
    below = (at for at in range(1, len(content)) if content[at].startswith("/"))
    first = next(below, len(content))
    groups = tuple((line + start, line + stop) for start, stop in _groups(content, first))
    return FeatureText(
        location="".join("".join(content[:first]).split()),
        qualifiers=groups,
        last=last,
        end=groups[-1][1] if groups else line + first - 1,
    )


def _groups(content: Sequence[str], first: int) -> Iterator[tuple[int, int]]:
    """First and last line of each qualifier; ends at one whose quote stays open.

    Blank lines between two belong to neither.
    """
    start, last, quotes = first, first, 0
    for at in range(first, len(content)):
        quotes += content[at].count('"')
        last = at if content[at] else last
        following = content[at + 1] if at + 1 < len(content) else "/"
        if quotes % 2 == 0 and following.startswith("/"):
            yield start, last
            start = at + 1


def qualifiers_of(lines: Sequence[str], feature: FeatureText) -> tuple[QualifierText, ...]:
    """The qualifiers of a feature with their lines. O(length of the feature)."""
    return tuple(
        QualifierText(_read(lines[first - 1 : last]), range(first, last + 1))
        for first, last in feature.qualifiers
    )


def written_by_genint(lines: Sequence[str], feature: FeatureText) -> tuple[QualifierText, ...]:
    """What genint wrote into a feature on an earlier run. O(length of the feature)."""
    found = qualifiers_of(lines, feature)
    ours = is_ours([one.qualifier for one in found])
    return tuple(one for one, mine in zip(found, ours, strict=True) if mine)


def _read(lines: Sequence[str]) -> Qualifier:
    """A qualifier from its lines, its value on one; nameless where it breaks its format."""
    text = "\n".join(content for line in lines if (content := line.strip()))
    found = _QUALIFIER.fullmatch(text)
    if found is None:
        return Qualifier("", text)
    name, value = found[1], found[2]
    if value is not None and value.startswith('"'):
        inner = value.removeprefix('"').removesuffix('"')
        if '"' in inner.replace('""', ""):  # something follows the closing quote
            return Qualifier("", text)
        value = inner.replace('""', '"')
    return Qualifier(name, None if value is None else clean_value(name, value))


def record_lines(text: str, lines: Sequence[str]) -> tuple[RecordLines, ...]:
    """The feature tables of the records that have a sequence, in file order.

    These are the records that the reader makes contigs of.

    Args:
        text: Of the file.
        lines: The same, cut at its line ends.

    Cost: O(length).
    """
    return tuple(
        _record_lines(record, lines)
        for record in split_records(text, source="", log=WarningLog())
        if record.sequence and _BASE.search(record.sequence)
    )


def _record_lines(record: RecordText, lines: Sequence[str]) -> RecordLines:
    if record.table_line == record.line:  # there is no FEATURES line
        below = record.line
        while below < len(lines) and not _BELOW_TABLE.match(lines[below]):
            below += 1
        return RecordLines(None, below, ())
    starts = tuple(feature_start_lines(record))
    return RecordLines(record.table_line - 1, record.table_line - 1, starts)


class InsertionPoints:
    """Where new features go among those of a record: in the order of their first bases.

    Cost: O(lines of the table) to build, O(log features) a lookup.
    """

    def __init__(self, record: RecordLines, lines: Sequence[str]) -> None:
        features = [feature_at(lines, start) for start in record.starts]
        self._ends = [record.below, *(feature.last for feature in features)]
        # in a table out of order a feature goes in front of the first that starts behind it
        self._firsts = list(accumulate((_first_base(f.location) for f in features), max))

    def behind(self, first: int) -> int:
        """The line that a feature which begins with base ``first`` goes behind."""
        return self._ends[bisect_right(self._firsts, first)]


def _first_base(location: str) -> int:
    """Lowest base of a location; 0 where it cannot be read.

    So one over the origin comes with the first, and a table that lists it there is in order.
    """
    parts = [part for part in parse_location(location).parts if part.record is None]
    return min((part.first for part in parts), default=0)


LINE_COLUMNS: Final = 79
"""Longest line; the INSDC allows 80, flat files of NCBI use 79."""
FEATURE_COLUMN: Final = 21
"""Blanks in front of locations and qualifiers."""
UNKNOWN_CHARACTER: Final = "?"

_KEY_INDENT: Final = 5
_UNQUOTED: Final = frozenset({"anticodon", "codon_start", "transl_table", "rpt_type"})
_UNBROKEN: Final = frozenset({"locus_tag", "old_locus_tag"})
"""A name matters more than a column: readers put a blank where a line was broken."""
_REPLACED: Final = MappingProxyType(
    {
        **dict.fromkeys(map(ord, "\u2018\u2019\u201a\u2032"), "'"),
        **dict.fromkeys(map(ord, "\u201c\u201d\u201e\u2033"), '"'),
        **dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212"), "-"),
        ord("\u00d7"): "x",
        ord("\u00b5"): "u",
        ord("\u03bc"): "u",
        ord("\u00df"): "ss",
        ord("\u00f8"): "o",
        ord("\u00d8"): "O",
        ord("\u00e6"): "ae",
        ord("\u0142"): "l",
        ord("\u00b7"): "-",
    }
)


def ascii_text(text: str) -> str:
    """A text as the INSDC takes it: one line of printable ASCII.

    Accents go, Greek letters are named (``alpha``), typographic quotes and dashes become
    plain ones; whatever is left, control and direction characters among it, becomes ``?``.
    """
    line = " ".join(text.split())
    if line.isascii() and line.isprintable():
        return line
    plain = unicodedata.normalize("NFKD", line.translate(_REPLACED))
    return "".join(_ascii(character) for character in plain if not unicodedata.combining(character))


def one_word(text: str) -> str:
    """A text in ASCII with ``_`` for blanks: a name as accessions and locus tags are."""
    return "_".join(ascii_text(text).split())


def _ascii(character: str) -> str:
    if character.isascii():
        return character if character.isprintable() else UNKNOWN_CHARACTER
    name = unicodedata.name(character, "")
    return name.split()[-1].lower() if name.startswith("GREEK") else UNKNOWN_CHARACTER


def qualifier_lines(qualifier: Qualifier) -> tuple[str, ...]:
    """A qualifier of a feature, wrapped; at blanks where there are any.

    The value is written in ASCII; no value: a bare flag. Quotes become apostrophes: the
    INSDC doubles them, but common readers take a doubled quote at the end of a line for
    the end of the value. A locus tag is on one line, however long, and keeps its quotes.
    """
    name, value = qualifier
    if value is None:
        return _indented([f"/{name}"])
    if name in _UNQUOTED:
        return _indented([f"/{name}={ascii_text(value)}"])
    if name in _UNBROKEN:
        doubled = ascii_text(value).replace('"', '""')
        return _indented([f'/{name}="{doubled}"'])
    return _indented(wrapped(f'/{name}="{plain_value(value)}"', LINE_COLUMNS - FEATURE_COLUMN))


def plain_value(value: str) -> str:
    """A value as :func:`qualifier_lines` writes it where it may be wrapped."""
    return ascii_text(value).replace('"', "'")


def feature_lines(key: str, location: str, qualifiers: Sequence[Qualifier]) -> tuple[str, ...]:
    """A whole feature."""
    first, *others = _location_pieces(location)
    head = (" " * _KEY_INDENT + key).ljust(FEATURE_COLUMN) + first
    lines = [head, *_indented(others)]
    for qualifier in qualifiers:
        lines += qualifier_lines(qualifier)
    return tuple(lines)


def wrapped(text: str, columns: int) -> list[str]:
    """Text cut into lines of at most ``columns``; words longer than a line are cut.

    No line but the first begins with a slash: readers would take it for a new qualifier.
    """
    lines = []
    while len(text) > columns:
        end = text.rfind(" ", 1, columns + 1)
        while end > 0 and text[end + 1 : end + 2] == "/":
            end = text.rfind(" ", 1, end)
        if end < 0:
            end = columns
            while end > 1 and text[end:].lstrip().startswith("/"):
                end -= 1
        lines.append(text[:end].rstrip())
        text = text[end:].lstrip()
    return [*lines, text]


def location_text(
    parts: Sequence[RawPart],
    length_bp: int,
    *,
    partial_5: bool = False,
    partial_3: bool = False,
) -> str:
    """A location as the INSDC writes it.

    Args:
        parts: In the order of the forward strand, at least one; what runs over the origin
            (``last < first``) is cut there. Their open ends play no part.
        length_bp: Of the record.
        partial_5: The 5' end is cut off: ``<`` at the low or ``>`` at the high end.
        partial_3: The same of the 3' end.
    """
    pieces = [piece for part in parts for piece in _cut_at_origin(part, length_bp)]
    reverse = all(piece.reverse for piece in pieces)
    low_open, high_open = (partial_3, partial_5) if reverse else (partial_5, partial_3)
    texts = []
    for at, piece in enumerate(pieces):
        low = "<" if low_open and at == 0 else ""
        high = ">" if high_open and at == len(pieces) - 1 else ""
        text = f"{low}{piece.first}..{high}{piece.last}"
        texts.append(f"complement({text})" if piece.reverse and not reverse else text)
    joined = texts[0] if len(texts) == 1 else f"join({','.join(texts)})"
    return f"complement({joined})" if reverse else joined


def _cut_at_origin(part: RawPart, length_bp: int) -> tuple[RawPart, ...]:
    if part.first <= part.last:
        return (part,)
    return part._replace(last=length_bp), part._replace(first=1)


def _location_pieces(location: str) -> list[str]:
    """A location cut behind commas."""
    pieces = [""]
    for piece in location.replace(",", ",\n").split("\n"):
        if pieces[-1] and len(pieces[-1]) + len(piece) > LINE_COLUMNS - FEATURE_COLUMN:
            pieces.append("")
        pieces[-1] += piece
    return pieces


def _indented(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple(" " * FEATURE_COLUMN + line for line in lines)
