"""Where lines can be added to a GenBank text without touching any other line.

Works on lines, not on records: whatever stands in the user's file stays as it stands. Line
numbers are 1-based, as in :class:`~genint.model.genome.Gene`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from genint.formats.additions import is_ours
from genint.formats.annotation import clean_value
from genint.formats.codes import WarningLog
from genint.formats.flatfile import FEATURE_START, RecordText, split_records
from genint.formats.locations import parse_location
from genint.model.genome import Qualifier

_QUALIFIER = re.compile(r"/([\w\-']+)(?:=(.*))?", re.DOTALL)
_BELOW_TABLE = re.compile(r"(?:BASE COUNT|CONTIG|ORIGIN)\b")
_BASE = re.compile(r"[A-Za-z]")


class QualifierText(NamedTuple):
    """A qualifier and the lines that it stands on."""

    qualifier: Qualifier
    lines: range


class FeatureText(NamedTuple):
    """A feature and the lines that it stands on.

    Attributes:
        location: As written, without blanks.
        qualifiers: First and last line of each that is closed; what stands behind a quote
            that is never closed cannot be told apart.
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


def written_by_genint(lines: Sequence[str], feature: FeatureText) -> tuple[QualifierText, ...]:
    """What genint wrote into a feature on an earlier run. O(length of the feature)."""
    found = [
        QualifierText(_read(lines[first - 1 : last]), range(first, last + 1))
        for first, last in feature.qualifiers
    ]
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
        if '"' in inner.replace('""', ""):  # something stands behind the closing quote
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
    starts, line, seen = [], record.table_line, 0
    for found in FEATURE_START.finditer(record.table):
        line += record.table.count("\n", seen, found.start())
        seen = found.start()
        starts.append(line)
    return RecordLines(record.table_line - 1, record.table_line - 1, tuple(starts))


class Places:
    """Where new features go among those of a record: in the order of their first bases.

    Cost: O(lines of the table) to build, O(log features) to ask.
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

    So one over the origin stands with the first, and a table that lists it there is in order.
    """
    parts = [part for part in parse_location(location).parts if part.record is None]
    return min((part.first for part in parts), default=0)
