"""Text of an INSDC location -> parts in the order of transcription.

Grammar: the INSDC feature table definition, section 3.4. The reader is more
tolerant than the grammar: blanks, ``order``, ``one-of`` and positions given as a
range are read as their plainest meaning, with a warning.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from genint.formats.genbank.flatfile import RawLocation, RawPart
from genint.formats.warnings import ReadCode
from genint.model.interval import Interval, Location, Part, Strand

_OVER_ENDS: Final = (
    "it runs from the last base on to the first of a record that the file calls linear, and was "
    "read as one gene"
)


class Issue(NamedTuple):
    """Something mended, and how; becomes a warning."""

    code: ReadCode
    text: str


class PlacedLocation(NamedTuple):
    """Where a feature lies; ``location`` is None where no base of it is here."""

    location: Location | None
    issues: tuple[Issue, ...]
    remote: bool


class _Piece(NamedTuple):
    interval: Interval
    strand: Strand
    low_open: bool
    high_open: bool


class Shape(NamedTuple):
    """What placing needs to know of the contig."""

    length_bp: int
    circular: bool
    own_names: frozenset[str]


def place(parts: Sequence[RawPart], shape: Shape, *, trans_spliced: bool = False) -> PlacedLocation:
    """Put the parts of a feature onto its contig.

    Args:
        parts: In the order of transcription, at least one.
        shape: Length, topology and names of the contig; a part that names one of
            these is not remote.
        trans_spliced: Parts come from separate transcripts: nothing is unrolled.

    Cost: O(parts).
    """
    issues: list[Issue] = []
    local = [part for part in parts if part.record is None or part.record in shape.own_names]
    remote = len(local) < len(parts)
    if remote:
        other = next(p.record for p in parts if p.record and p.record not in shape.own_names)
        issues.append(Issue(ReadCode.REMOTE_LOCATION, f"part of it lies on {other}"))
    put = _on_circle if shape.circular else _on_line
    pieces = [piece for part in local if (piece := put(part, shape.length_bp, issues))]
    if not pieces:
        issues.append(Issue(ReadCode.LOCATION_OUTSIDE, "no base of it lies on this sequence"))
        return PlacedLocation(None, tuple(issues), remote)
    if not trans_spliced and len({piece.strand for piece in pieces}) == 1:
        if shape.circular or _joins_ends(pieces, shape.length_bp):
            pieces = _unrolled(pieces, shape.length_bp)
        if not shape.circular and any(p.interval.end > shape.length_bp for p in pieces):
            issues.append(Issue(ReadCode.OVER_LINEAR_ENDS, _OVER_ENDS))
    return PlacedLocation(_location(pieces, trans_spliced), tuple(dict.fromkeys(issues)), remote)


def _on_line(part: RawPart, length_bp: int, issues: list[Issue]) -> _Piece | None:
    first, last = part.first, part.last
    low_open, high_open = part.low_open, part.high_open
    if last < first:
        first, last = last, first
        low_open, high_open = high_open, low_open
        mended = f"{first} and {last} were exchanged on a linear record"
        issues.append(Issue(ReadCode.LOCATION_REVERSED, mended))
    if last < 1 or first > length_bp:
        outside = f"{first}..{last} lies outside the sequence"
        issues.append(Issue(ReadCode.LOCATION_CLIPPED, outside))
        return None
    if first < 1 or last > length_bp:
        issues.append(
            Issue(ReadCode.LOCATION_CLIPPED, f"{first}..{last} was cut at the end of the sequence")
        )
    interval = Interval(max(first, 1) - 1, min(last, length_bp))
    strand = Strand.REVERSE if part.reverse else Strand.FORWARD
    return _Piece(interval, strand, low_open or first < 1, high_open or last > length_bp)


def _on_circle(part: RawPart, length_bp: int, issues: list[Issue]) -> _Piece | None:
    start = (part.first - 1) % length_bp
    covered_bp = part.last - part.first + 1
    if part.last < part.first:
        covered_bp = (part.last - part.first) % length_bp + 1
    low_open, high_open = part.low_open, part.high_open
    if covered_bp > length_bp:
        issues.append(
            Issue(ReadCode.LOCATION_CLIPPED, f"{part.first}..{part.last} is longer than the circle")
        )
        covered_bp, high_open = length_bp, True
    interval = Interval(start, start + covered_bp)
    strand = Strand.REVERSE if part.reverse else Strand.FORWARD
    return _Piece(interval, strand, low_open, high_open)


def _joins_ends(pieces: Sequence[_Piece], length_bp: int) -> bool:
    """Whether parts of one strand lead from the last base of the contig on to its first."""
    reverse = pieces[0].strand is Strand.REVERSE
    walk = pieces[::-1] if reverse else pieces
    return any(
        before.interval.end == length_bp and after.interval.start == 0
        for before, after in pairwise(walk)
    )


def _unrolled(pieces: list[_Piece], length_bp: int) -> list[_Piece]:
    """Parts of one strand with those behind the origin moved up, touching ones merged."""
    reverse = pieces[0].strand is Strand.REVERSE
    walk = pieces[::-1] if reverse else pieces
    limit = walk[0].interval.start + length_bp
    offset_bp = 0
    joined: list[_Piece] = []
    for piece in walk:
        interval = piece.interval
        if joined:
            before = joined[-1].interval
            moved = interval.shifted(length_bp)
            # an intron over the origin is short; a jump over half the circle is disorder
            if (
                interval.start < before.start
                and moved.end <= limit
                and moved.start - before.end < length_bp // 2
            ):
                offset_bp = length_bp
            interval = interval.shifted(offset_bp) if offset_bp else interval
            if interval.start == before.end == length_bp:
                last = joined.pop()
                merged = Interval(before.start, interval.end)
                joined.append(_Piece(merged, piece.strand, last.low_open, piece.high_open))
                continue
        joined.append(piece._replace(interval=interval))
    return joined[::-1] if reverse else joined


def _location(pieces: list[_Piece], trans_spliced: bool) -> Location:
    head, tail = pieces[0], pieces[-1]
    return Location(
        parts=tuple(Part(piece.interval, piece.strand) for piece in pieces),
        partial_5=head.low_open if head.strand is Strand.FORWARD else head.high_open,
        partial_3=tail.high_open if tail.strand is Strand.FORWARD else tail.low_open,
        trans_spliced=trans_spliced,
    )


_TOKEN = re.compile(
    r"(?P<open>(?:join|order|bond|one-of|complement|group)?\()"
    r"|(?P<close>\))"
    r"|(?P<comma>,)"
    r"|(?P<record>[A-Za-z][\w.\-|]*):"
    r"|(?P<span>[<>]?-?\d+(?:\.\.|\^)[<>]?-?\d+)"
    r"|(?P<base>[<>]?-?\d+)"
)
_CHOICE = re.compile(r"(?:one-of)?\((-?\d+)(?:[.,^]-?\d+)*?(?:[.,^](-?\d+))?\)(?=\.\.)")
_CHOICE_END = re.compile(r"(?<=\.\.)(?:one-of)?\((-?\d+)(?:[.,^]-?\d+)*?(?:[.,^](-?\d+))?\)")
_ENDS = re.compile(r"([<>]?)(-?\d+)(?:(\.\.|\^)([<>]?)(-?\d+))?")
_MAX_DEPTH = 20
_MAX_DIGITS = 15
_MAX_TEXT = 100_000

_UNREADABLE = RawLocation(())


def parse_location(text: str) -> RawLocation:
    """Parts of a location text; no parts where it cannot be understood.

    Args:
        text: Such as ``complement(join(12..78,134..>202))``, blanks allowed.

    Returns:
        Parts 5' to 3' of the feature. Ends given as a choice or a range are
        taken at their outer bound.

    Cost: O(length).
    """
    text = "".join(text.split())
    if len(text) > _MAX_TEXT:
        return _UNREADABLE
    issues: list[str] = []
    # (1.5)..9 and one-of(1,5)..9: an inexact end; the outer bound keeps all bases
    plain = text
    if "(" in text:
        plain = _CHOICE_END.sub(lambda found: found[2] or found[1], _CHOICE.sub(r"\1", text))
    if plain != text:
        issues.append("an end given as several positions")
    parts = _Reader(plain, issues).read()
    return RawLocation(parts, "; ".join(dict.fromkeys(issues)) or None) if parts else _UNREADABLE


class _Reader:
    """One pass over the tokens with a stack of open brackets."""

    def __init__(self, text: str, issues: list[str]) -> None:
        self._text = text
        self._guesses = issues
        self._stack: list[tuple[str, list[RawPart]]] = [("", [])]
        self._record: str | None = None

    def read(self) -> tuple[RawPart, ...]:
        """All parts, or () where the text breaks the grammar."""
        at = 0
        while at < len(self._text):
            token = _TOKEN.match(self._text, at)
            if token is None or not self._take(str(token.lastgroup), token[0]):
                return ()
            at = token.end()
        if len(self._stack) != 1:
            return ()
        return tuple(self._stack[0][1])

    def _take(self, kind: str, token: str) -> bool:
        if kind == "open":
            self._stack.append((token[:-1], []))
            return len(self._stack) <= _MAX_DEPTH
        if kind == "close":
            return self._close()
        if kind == "record":
            self._record = token[:-1]
            return True
        if kind in ("span", "base"):
            return self._add_part(token)
        return kind == "comma"

    def _close(self) -> bool:
        if len(self._stack) == 1:
            return False
        operator, parts = self._stack.pop()
        if operator == "complement":
            parts = [part._replace(reverse=not part.reverse) for part in reversed(parts)]
        elif operator == "one-of":
            parts = parts[:1]
        if operator in ("order", "bond", "one-of", "group", ""):
            self._guesses.append(f"{operator}()" if operator else "brackets")
        self._stack[-1][1].extend(parts)
        return bool(parts)

    def _add_part(self, token: str) -> bool:
        ends = _ENDS.fullmatch(token)
        if ends is None or len(token) > 2 * _MAX_DIGITS:
            return False
        low_mark, low, joint, high_mark, high = ends.groups()
        part = RawPart(
            first=int(low),
            last=int(high or low),
            low_open=bool(low_mark) if joint else low_mark == "<",
            high_open=bool(high_mark) if joint else low_mark == ">",
            record=self._record,
        )
        self._stack[-1][1].append(part)
        self._record = None
        return True
