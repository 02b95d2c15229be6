"""What is measured of frames that the gene finder leaves out, for the models of rescue.

The columns are those of ``genint/knowledge/data/rescue.toml``: numbers that are cut off
where they stop meaning anything, so that none of them outweighs all others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from genint.genes.codons import (
    CodedText,
    Codons,
    Spans,
    background_stop_chance,
    stop_chances,
    usage,
    usage_log_odds,
)
from genint.genes.prodigal import Integers, Reals, Starts
from genint.genes.topology import PlacedFrame

FAR_BP = 10_000
"""Distance that is reported where there is no neighbour."""


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """Contigs one behind the other, so far apart that no frame of one is near a gene of another.

    A frame on a circle may run over the origin, and genes are there three times, a turn apart.

    Attributes:
        origin: Where the first base of each contig lies; the first contig's is 0.
        contig_bp: Lengths of the contigs.
        circle: Which of them have no ends.
        apart_bp: Frames and genes that are so far from one another are of two contigs.
    """

    origin: Integers
    contig_bp: Integers
    circle: NDArray[np.bool_]
    apart_bp: int

    @classmethod
    def of(cls, contigs: Sequence[tuple[int, bool]]) -> Line:
        """Lengths of contigs, and which are circles."""
        lengths = np.array([length for length, _ in contigs], dtype=np.int64)
        apart_bp = 4 * int(lengths.max()) + FAR_BP
        room = 3 * lengths + apart_bp
        circle = np.array([is_circle for _, is_circle in contigs], dtype=np.bool_)
        return cls(np.cumsum(room) - room, lengths, circle, apart_bp)

    @property
    def first(self) -> Integers:
        """The first base of each contig where frames may lie, a turn before that of a circle."""
        return self.origin - np.where(self.circle, self.contig_bp, 0)

    @property
    def end(self) -> Integers:
        """Behind the last base where frames may lie."""
        return self.origin + self.contig_bp * np.where(self.circle, 2, 1)

    def stops(self, spans: Spans) -> Integers:
        """A number for each stop codon: what frames of one gene share, and no other."""
        forward = spans.strand > 0
        at = np.where(forward, spans.end, spans.start) % self.contig_bp[spans.contig]
        return np.asarray(2 * (self.origin[spans.contig] + at) + forward, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Calls:
    """Genes of contigs on a line as columns; of a circle each is there three times.

    Attributes:
        start: First base, ascending.
        end: Behind the last base.
        strand: 1 or -1.
        number: Which call it is.
        longest_bp: Length of the longest.
    """

    start: Integers
    end: Integers
    strand: Integers
    number: Integers
    longest_bp: int

    @classmethod
    def of(cls, genes: Spans, line: Line) -> Calls:
        """Columns of calls."""
        number = np.arange(len(genes.start))
        turning = number[line.circle[genes.contig]]
        turns = np.zeros(len(number) + 2 * len(turning), dtype=np.int64)
        turns[len(number) :] = np.repeat([-1, 1], len(turning))
        number = np.concatenate([number, turning, turning])
        contig = genes.contig[number]
        shift = line.origin[contig] + turns * line.contig_bp[contig]
        start, end, strand = genes.start[number] + shift, genes.end[number] + shift, genes.strand
        order = np.lexsort((number, strand[number], end, start))
        longest_bp = int((genes.end - genes.start).max(initial=0))
        number = number[order]
        return cls(start[order], end[order], strand[number], number, longest_bp)


class Overlaps(NamedTuple):
    """What frames share with calls.

    Attributes:
        host: Number of the call that shares most bases; -1: none.
        host_share: Of the frame's bases, 0..1.
        same_share: Covered by calls on its strand (by two: counted twice), 0 and more.
        opposite_share: Covered by calls on the other strand.
        nats: How improbable it is that no stop codon lies in it, natural logarithm: under
            the chances of each gene that it overlaps, and outside genes that of the contig.
    """

    host: Integers
    host_share: Reals
    same_share: Reals
    opposite_share: Reals
    nats: Reals


def overlaps(frames: Starts, calls: Calls, chances: Reals, background: Reals | float) -> Overlaps:
    """Hold frames against calls.

    Args:
        frames: Any frames on the line.
        calls: On the same.
        chances: For each call the six of :func:`~genint.genes.codons.stop_chances`.
        background: Chance of a stop codon where there is no gene, for each frame or all.

    Cost: some 10 operations on whole columns for each call that a frame may overlap.
    """
    length = frames.length_bp
    host = np.full(len(frames), -1, dtype=np.int64)
    most, same, opposite = (np.zeros(len(frames), dtype=np.int64) for _ in range(3))
    nats = np.zeros(len(frames))
    for call in _near(frames, calls):
        there = np.maximum(call, 0)
        start, end, strand = calls.start[there], calls.end[there], calls.strand[there]
        shared = np.minimum(frames.end, end) - np.maximum(frames.start, start)
        shared = np.where(call >= 0, np.maximum(shared, 0), 0)
        is_same = strand == frames.strand
        same += np.where(is_same, shared, 0)
        opposite += np.where(is_same, 0, shared)
        shift = np.where(strand > 0, frames.start - start, end - frames.end) % 3
        chance = chances[calls.number[there], np.where(is_same, 0, 3) + shift]
        nats -= np.log1p(-np.minimum(chance, 0.99)) * shared / 3
        better = shared > most
        host[better], most[better] = calls.number[there][better], shared[better]
    outside = length - np.minimum(length, same + opposite)
    nats -= np.log1p(-np.minimum(background, 0.99)) * outside / 3
    return Overlaps(host, most / length, same / length, opposite / length, nats)


def _near(frames: Starts, calls: Calls) -> list[Integers]:
    """Rows of calls that each frame may overlap: first all first ones, ...; -1: no more."""
    low = np.searchsorted(calls.start, frames.start - calls.longest_bp, side="left")
    high = np.searchsorted(calls.start, frames.end, side="left")
    widest = int((high - low).max(initial=0))
    return [np.where(low + step < high, low + step, -1) for step in range(widest)]


class Gaps(NamedTuple):
    """Stretches that no call covers.

    Attributes:
        new_share: Of the frame's bases, those that no call covers, 0..1.
        gap_bp: Length of the gap that most of these lie in; 0 where there are none.
        fill: Share of that gap that the frame covers, 0..1.
    """

    new_share: Reals
    gap_bp: Integers
    fill: Reals


def gaps(frames: Starts, calls: Calls, line: Line) -> Gaps:
    """How much of what is free each frame takes. Cost: O(frames + calls)."""
    left, right = _free(calls, line)
    if len(left) == 0:
        nothing = np.zeros(len(frames), dtype=np.int64)
        return Gaps(nothing / 1.0, nothing, nothing / 1.0)
    new = _running_overlap(frames.end, left, right) - _running_overlap(frames.start, left, right)
    first = np.minimum(np.searchsorted(right, frames.start, side="right"), len(left) - 1)
    best = np.zeros(len(frames), dtype=np.int64)
    gap = np.zeros(len(frames), dtype=np.int64)
    for step in range(3):  # the first gaps that a frame touches; longer ones touch few
        at = np.minimum(first + step, len(left) - 1)
        shared = np.minimum(frames.end, right[at]) - np.maximum(frames.start, left[at])
        better = shared > best
        best = np.where(better, shared, best)
        gap = np.where(better, right[at] - left[at], gap)
    return Gaps(new / frames.length_bp, gap, np.minimum(best / np.maximum(gap, 1), 1.0))


def covered_shares(calls: Calls, line: Line) -> Reals:
    """Share of each contig that calls cover, 0..1."""
    left, right = _free(calls, line)
    if len(left) == 0:
        return np.ones(len(line.contig_bp))
    before = _running_overlap(line.origin, left, right)
    free_bp = _running_overlap(line.origin + line.contig_bp, left, right) - before
    return np.asarray(1.0 - free_bp / np.maximum(line.contig_bp, 1), dtype=np.float64)


def _free(calls: Calls, line: Line) -> tuple[Integers, Integers]:
    """Both ends of all stretches of contigs that no call covers."""
    # What lies between two contigs is no more free than a gene.
    start = np.concatenate([calls.start, line.end[:-1]])
    end = np.concatenate([calls.end, line.first[1:]])
    order = np.argsort(start, kind="stable")
    left = np.concatenate([line.first[:1], np.maximum.accumulate(end[order])])
    right = np.concatenate([start[order], line.end[-1:]])
    left, right = (np.clip(one, line.first[0], line.end[-1]) for one in (left, right))
    kept = left < right
    return left[kept], right[kept]


def _running_overlap(position: Integers, left: Integers, right: Integers) -> Integers:
    """Free bases in front of each position."""
    before = np.concatenate([[0], np.cumsum(right - left)])
    at = np.searchsorted(left, position, side="right") - 1
    inside = np.minimum(position, right[np.maximum(at, 0)]) - left[np.maximum(at, 0)]
    found = np.where(at >= 0, before[np.maximum(at, 0)] + np.maximum(inside, 0), 0)
    return np.asarray(found, dtype=np.int64)


class Distances(NamedTuple):
    """How far the nearest calls of the same strand are, as read.

    Attributes:
        up_bp: From the stop codon of the nearest gene to the frame's start: negative where
            they overlap (-4: ATGA, -1: TAATG).
        down_bp: From the frame's stop codon to the start of the nearest gene.
    """

    up_bp: Integers
    down_bp: Integers


def distances(frames: Starts, calls: Calls, line: Line) -> Distances:
    """Distances of frames to their neighbours in the operon. Cost: O(frames log calls)."""
    up = np.full(len(frames), FAR_BP, dtype=np.int64)
    down = up.copy()
    for sign in (1, -1):
        mine, theirs = frames.strand == sign, calls.strand == sign
        if not theirs.any():
            continue
        five = np.where(sign > 0, frames.start, frames.end)[mine]
        three = np.where(sign > 0, frames.end, frames.start)[mine]
        stops = np.sort(np.where(sign > 0, calls.end, calls.start)[theirs])
        starts = np.sort(np.where(sign > 0, calls.start, calls.end)[theirs])
        up[mine] = _on_one_contig(sign * (five - _nearest(stops, five)), line)
        down[mine] = _on_one_contig(sign * (_nearest(starts, three) - three), line)
    return Distances(np.clip(up, -FAR_BP, FAR_BP), np.clip(down, -FAR_BP, FAR_BP))


def _on_one_contig(distance: Integers, line: Line) -> Integers:
    """A distance; far where the nearest gene is of another contig."""
    return np.where(np.abs(distance) < line.apart_bp, distance, FAR_BP)


def _nearest(places: Integers, position: Integers) -> Integers:
    """The place nearest to each position."""
    at = np.searchsorted(places, position)
    before = places[np.maximum(at - 1, 0)]
    behind = places[np.minimum(at, len(places) - 1)]
    return np.where(np.abs(position - before) <= np.abs(behind - position), before, behind)


def between(distance: Integers, low_bp: int, high_bp: int) -> NDArray[np.bool_]:
    """Where a distance lies between two, both included."""
    return (distance >= low_bp) & (distance <= high_bp)


NESTED_SHARE = 0.70
"""Share of a frame inside one call from which it counts as nested in it."""
_TOTAL_BELOW_START = 12
"""By so much the total score of nested genes lies below that of their start: the codons are
the host's. 5 and 20 were tried too, and fitted held-out genomes less well."""
_DENSE = 0.9
"""Share of a contig inside genes above which gaps count no less."""
_AT_HOME = 0.7
"""Share of a contig inside genes from which the finder's scores are taken at their word: the
annotated phages measured have 0.76 and more, reversed ones 0.28 to 0.68."""
_SHORT_BP = 90
"""Prodigal's own least length of a gene."""
_FILTERED_BP = 75
_FILTERED_SCORE = 2.0
_COUPLED_BP = (-4, -1)
"""Stop and start codon that share bases: ATGA, TAATG."""
_NEAR_BP = (-30, 20)
"""Between the stop of one gene and the start of the next in an operon: most lie so near."""


class FrameClass(IntEnum):
    """The model that a frame is judged by."""

    OUTSIDE = 0
    """It overlaps genes less, or lies between them."""
    NESTED = 1
    """Mostly inside one gene."""
    FILTERED = 2
    """It scores like a gene of the finder, which refuses overlaps above 60 bases on a strand and
    genes below 90 bases; phages break both."""


class ContigFrames(NamedTuple):
    """A contig with what the finder saw on it.

    Attributes:
        bases: The contig.
        code: NCBI genetic code.
        circle: It has no ends.
        bacterium: It is of a bacterium, not a phage, plasmid or fragment.
        calls: Genes that the finder called, by position, of whole codons.
        starts: Scored starts of all frames, those of the calls among them.
    """

    bases: str
    code: int
    circle: bool
    bacterium: bool
    calls: Sequence[PlacedFrame]
    starts: Starts


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredFrames:
    """Frames with what was measured of them.

    Attributes:
        frames: Frames with a stop codon of their own, several starts for each.
        contig: Number of the contig that each lies on.
        stop: A number for its stop codon: what frames of one gene share, and no other.
        host: Number of the contig's call that it shares most bases with; -1: none.
        host_share: Share of its bases inside that call, 0..1.
        model: FrameClass of the models a frame is for: of ``FrameClass``.
        columns: By name, one number a frame.
    """

    frames: Starts
    contig: Integers
    stop: Integers
    host: Integers
    host_share: Reals
    model: Integers
    columns: dict[str, Reals]

    def take(self, rows: Integers) -> MeasuredFrames:
        """Some of the rows."""
        return MeasuredFrames(
            self.frames.take(rows),
            self.contig[rows],
            self.stop[rows],
            self.host[rows],
            self.host_share[rows],
            self.model[rows],
            {name: column[rows] for name, column in self.columns.items()},
        )


def joined_starts(contigs: Sequence[ContigFrames]) -> tuple[Starts, Integers]:
    """The starts of all contigs, and the number of the contig of each."""
    number = np.repeat(np.arange(len(contigs)), [len(one.starts) for one in contigs])
    return Starts.joined([one.starts for one in contigs]), number


def line_of(contigs: Sequence[ContigFrames]) -> Line:
    """Contigs on a line."""
    return Line.of([(len(one.bases), one.circle) for one in contigs])


def measure_frames(contigs: Sequence[ContigFrames]) -> MeasuredFrames:
    """Measure all frames of contigs that end in a stop codon which no call has.

    What is measured of a contig does not depend on the others.

    Args:
        contigs: One or more.

    Cost: 15 ms for lambda (2,600 starts), 3 s for E. coli; 0.4 ms for each of many of 5 kb.
    """
    line = line_of(contigs)
    genes = Spans.of(one.calls for one in contigs)
    codons = Codons.of([CodedText(one.bases, one.circle, one.code) for one in contigs])
    starts, contig = joined_starts(contigs)
    spans = Spans(starts.start, starts.end, starts.strand, contig)
    stop = line.stops(spans)
    rows = np.flatnonzero(~np.isin(stop, line.stops(genes)) & codons.end_in_stop(*spans))
    starts, spans = starts.take(rows), Spans(*(column[rows] for column in spans))
    columns = Calls.of(genes, line)
    placed = starts.moved(starts.start + line.origin[spans.contig])
    background = background_stop_chance(codons)[spans.contig]
    over = overlaps(placed, columns, stop_chances(codons, genes), background)
    free_bases = gaps(placed, columns, line)
    near = distances(placed, columns, line)
    coding_like = usage_log_odds(codons, usage(codons, genes), spans)
    density = covered_shares(columns, line)[spans.contig]
    measured = {
        **_scores(starts, over),
        "usage": np.clip(coding_like, -15, 15) / 10,
        "new": free_bases.new_share,
        "fill": free_bases.fill,
        "gap": np.log(np.maximum(free_bases.gap_bp, 30) / 100),
        "density": np.minimum(density, _DENSE),
        "same": over.same_share,
        "opposite": over.opposite_share,
        **_coupling(near, free_bases.gap_bp),
    }
    calls_before = np.searchsorted(genes.contig, spans.contig)
    host = np.where(over.host >= 0, over.host - calls_before, -1)
    model = _models(starts, over, density)
    return MeasuredFrames(starts, spans.contig, stop[rows], host, over.host_share, model, measured)


def _scores(starts: Starts, over: Overlaps) -> dict[str, Reals]:
    """What the finder's scores and the length of each frame say."""
    length_bp = starts.length_bp
    return {
        "site": np.clip(starts.site, -12, 14) / 10,
        "upstream": np.clip(starts.upstream, -6, 3) / 5,
        "codon": np.clip(starts.kind, -12, 5) / 5,
        "start": np.clip(starts.score, -15, 20) / 10,
        "coding": np.clip(starts.coding, -25, 15) / 10,
        "coding_density": np.clip(100 * starts.coding / length_bp, -15, 15) / 10,
        "weaker": _weaker(starts, over.opposite_share),
        "length": np.log(length_bp / 100),
        "not_short": (length_bp >= _SHORT_BP).astype(np.float64),
        "stop_free": np.clip(over.nats, 0, 8) / 3,
    }


def _models(starts: Starts, over: Overlaps, density: Reals) -> Integers:
    model = np.where(over.host_share >= NESTED_SHARE, FrameClass.NESTED, FrameClass.OUTSIDE)
    filtered = (
        (over.host >= 0)
        & (over.host_share < NESTED_SHARE)
        & (over.opposite_share == 0)
        & (starts.length_bp >= _FILTERED_BP)
        & (starts.total >= 0)
        & (starts.score >= _FILTERED_SCORE)
        & (density >= _AT_HOME)
    )
    return np.where(filtered, FrameClass.FILTERED, model)


def _weaker(starts: Starts, opposite_share: Reals) -> Reals:
    """The lesser of start and total score, each from where frames begin to be genes.

    Inside a gene a strong start on codons that no gene would use counts as little as
    gene-like codons behind a start that no ribosome finds: the weaker of both decides. On
    the strand opposite to a gene both mirror that gene: 0.
    """
    both = np.clip(np.minimum(starts.score, starts.total + _TOTAL_BELOW_START), -10, 20) / 10
    return np.where(opposite_share == 0, both, 0.0)


def _coupling(near: Distances, gap_bp: Integers) -> dict[str, Reals]:
    """Neighbours in the operon: touching (ATGA, TAATG), close, on both sides."""
    reach = np.maximum(60, gap_bp)
    columns = {
        "up_coupled": np.isin(near.up_bp, _COUPLED_BP),
        "up_near": between(near.up_bp, *_NEAR_BP),
        "down_coupled": np.isin(near.down_bp, _COUPLED_BP),
        "down_near": between(near.down_bp, *_NEAR_BP),
        "flanked": (near.up_bp <= reach) & (near.down_bp <= reach),
    }
    return {name: column.astype(np.float64) for name, column in columns.items()}
