"""A location as written -> a location on the contig.

Rules, in the order in which they are applied:

* A part on another record is left out.
* On a circle every part is turned into ``0 <= start < L``; first > last, and a
  last base past the end, run over the origin. A part longer than the circle is cut.
* On a line a part is cut at the ends of the sequence (and the cut end marked as
  partial); first > last is exchanged; a part wholly outside is left out.
* On a circle the parts of a spliced gene that go on behind the origin are unrolled
  (start moved up by L), and two parts that touch at the origin become one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from genint.formats.annotation import RawPart
from genint.formats.codes import ReadCode
from genint.model.interval import Interval, Location, Part, Strand


class Doubt(NamedTuple):
    """Something mended, and how; becomes a warning."""

    code: ReadCode
    text: str


class Placed(NamedTuple):
    """Where a feature lies; ``location`` is None where no base of it is here."""

    location: Location | None
    doubts: tuple[Doubt, ...]
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


def place(parts: Sequence[RawPart], shape: Shape, *, trans_spliced: bool = False) -> Placed:
    """Put the parts of a feature onto its contig.

    Args:
        parts: In the order of transcription, at least one.
        shape: Length, topology and names of the contig; a part that names one of
            these is not remote.
        trans_spliced: Parts come from separate transcripts: nothing is unrolled.

    Cost: O(parts).
    """
    doubts: list[Doubt] = []
    local = [part for part in parts if part.record is None or part.record in shape.own_names]
    remote = len(local) < len(parts)
    if remote:
        other = next(p.record for p in parts if p.record and p.record not in shape.own_names)
        doubts.append(Doubt(ReadCode.REMOTE_LOCATION, f"part of it lies on {other}"))
    put = _on_circle if shape.circular else _on_line
    pieces = [piece for part in local if (piece := put(part, shape.length_bp, doubts))]
    if not pieces:
        doubts.append(Doubt(ReadCode.LOCATION_OUTSIDE, "no base of it lies on this sequence"))
        return Placed(None, tuple(doubts), remote)
    if shape.circular and not trans_spliced and len({piece.strand for piece in pieces}) == 1:
        pieces = _unrolled(pieces, shape.length_bp)
    return Placed(_location(pieces, trans_spliced), tuple(dict.fromkeys(doubts)), remote)


def _on_line(part: RawPart, length_bp: int, doubts: list[Doubt]) -> _Piece | None:
    first, last = part.first, part.last
    low_open, high_open = part.low_open, part.high_open
    if last < first:
        first, last = last, first
        low_open, high_open = high_open, low_open
        mended = f"{first} and {last} were exchanged on a linear record"
        doubts.append(Doubt(ReadCode.LOCATION_REVERSED, mended))
    if last < 1 or first > length_bp:
        outside = f"{first}..{last} lies outside the sequence"
        doubts.append(Doubt(ReadCode.LOCATION_CLIPPED, outside))
        return None
    if first < 1 or last > length_bp:
        doubts.append(
            Doubt(ReadCode.LOCATION_CLIPPED, f"{first}..{last} was cut at the end of the sequence")
        )
    interval = Interval(max(first, 1) - 1, min(last, length_bp))
    strand = Strand.REVERSE if part.reverse else Strand.FORWARD
    return _Piece(interval, strand, low_open or first < 1, high_open or last > length_bp)


def _on_circle(part: RawPart, length_bp: int, doubts: list[Doubt]) -> _Piece | None:
    start = (part.first - 1) % length_bp
    covered_bp = part.last - part.first + 1
    if part.last < part.first:
        covered_bp = (part.last - part.first) % length_bp + 1
    low_open, high_open = part.low_open, part.high_open
    if covered_bp > length_bp:
        doubts.append(
            Doubt(ReadCode.LOCATION_CLIPPED, f"{part.first}..{part.last} is longer than the circle")
        )
        covered_bp, high_open = length_bp, True
    interval = Interval(start, start + covered_bp)
    strand = Strand.REVERSE if part.reverse else Strand.FORWARD
    return _Piece(interval, strand, low_open, high_open)


def _unrolled(pieces: list[_Piece], length_bp: int) -> list[_Piece]:
    """Parts of one strand with those behind the origin moved up, touching ones merged."""
    reverse = pieces[0].strand is Strand.REVERSE
    walk = pieces[::-1] if reverse else pieces
    limit = walk[0].interval.start + length_bp
    offset_bp = 0
    laid: list[_Piece] = []
    for piece in walk:
        interval = piece.interval
        if laid:
            before = laid[-1].interval
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
                last = laid.pop()
                merged = Interval(before.start, interval.end)
                laid.append(_Piece(merged, piece.strand, last.low_open, piece.high_open))
                continue
        laid.append(piece._replace(interval=interval))
    return laid[::-1] if reverse else laid


def _location(pieces: list[_Piece], trans_spliced: bool) -> Location:
    head, tail = pieces[0], pieces[-1]
    return Location(
        parts=tuple(Part(piece.interval, piece.strand) for piece in pieces),
        partial_5=head.low_open if head.strand is Strand.FORWARD else head.high_open,
        partial_3=tail.high_open if tail.strand is Strand.FORWARD else tail.low_open,
        trans_spliced=trans_spliced,
    )
