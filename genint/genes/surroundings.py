"""How frames lie to the genes of a contig: overlaps, gaps that they fill, neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from genint.genes.layout import Placed
from genint.genes.starts import Integers, Reals, Starts

FAR_BP = 10_000
"""Distance that is told where there is no neighbour."""


@dataclass(frozen=True, slots=True, eq=False)
class Calls:
    """Genes of a contig as columns; on a circle each is there three times, a turn apart.

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
    def of(cls, calls: Sequence[Placed], contig_bp: int, *, circle: bool) -> Calls:
        """Columns of calls."""
        turns = (-contig_bp, 0, contig_bp) if circle else (0,)
        rows = sorted(
            (call.interval.start + turn, call.interval.end + turn, call.strand.value, number)
            for number, call in enumerate(calls)
            for turn in turns
        )
        start, end, strand, number = np.array(rows, dtype=np.int64).reshape(-1, 4).T
        longest_bp = max((len(call.interval) for call in calls), default=0)
        return cls(start, end, strand, number, longest_bp)


@dataclass(frozen=True, slots=True, eq=False)
class Overlaps:
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


def overlaps(frames: Starts, calls: Calls, chances: Reals, chance_outside: float) -> Overlaps:
    """Hold frames against calls.

    Args:
        frames: Any frames of the contig.
        calls: Its calls.
        chances: For each call the six of :func:`~genint.genes.codon_usage.stop_chances`.
        chance_outside: Of a stop codon, where there is no gene.

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
    nats -= np.log1p(-min(chance_outside, 0.99)) * outside / 3
    return Overlaps(host, most / length, same / length, opposite / length, nats)


def _near(frames: Starts, calls: Calls) -> list[Integers]:
    """Rows of calls that each frame may overlap: first all first ones, ...; -1: no more."""
    low = np.searchsorted(calls.start, frames.start - calls.longest_bp, side="left")
    high = np.searchsorted(calls.start, frames.end, side="left")
    widest = int((high - low).max(initial=0))
    return [np.where(low + step < high, low + step, -1) for step in range(widest)]


@dataclass(frozen=True, slots=True, eq=False)
class Gaps:
    """Stretches that no call covers.

    Attributes:
        new_share: Of the frame's bases, those that no call covers, 0..1.
        gap_bp: Length of the gap that most of these lie in; 0 where there are none.
        fill: Share of that gap that the frame covers, 0..1.
    """

    new_share: Reals
    gap_bp: Integers
    fill: Reals


def gaps(frames: Starts, calls: Calls, contig_bp: int, *, circle: bool) -> Gaps:
    """How much of what is free each frame takes. Cost: O(frames + calls)."""
    left, right = _free(calls, -contig_bp, 2 * contig_bp) if circle else _free(calls, 0, contig_bp)
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


def covered_share(calls: Calls, contig_bp: int) -> float:
    """Share of a contig that calls cover, 0..1."""
    left, right = _free(calls, 0, contig_bp)
    return 1.0 - float((right - left).sum()) / max(contig_bp, 1)


def _free(calls: Calls, first: int, end: int) -> tuple[Integers, Integers]:
    """Both ends of all stretches from ``first`` to ``end`` that no call covers."""
    if len(calls.start) == 0:
        return np.array([first]), np.array([end])
    reach = np.maximum.accumulate(calls.end)
    left = np.concatenate([[first], reach])
    right = np.concatenate([calls.start, [end]])
    left, right = np.clip(left, first, end), np.clip(right, first, end)
    kept = left < right
    return left[kept], right[kept]


def _running_overlap(position: Integers, left: Integers, right: Integers) -> Integers:
    """Free bases in front of each position."""
    before = np.concatenate([[0], np.cumsum(right - left)])
    at = np.searchsorted(left, position, side="right") - 1
    inside = np.minimum(position, right[np.maximum(at, 0)]) - left[np.maximum(at, 0)]
    found = np.where(at >= 0, before[np.maximum(at, 0)] + np.maximum(inside, 0), 0)
    return np.asarray(found, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Distances:
    """How far the nearest calls of the same strand are, as read.

    Attributes:
        up_bp: From the stop codon of the nearest gene to the frame's start: negative where
            they overlap (-4: ATGA, -1: TAATG).
        down_bp: From the frame's stop codon to the start of the nearest gene.
    """

    up_bp: Integers
    down_bp: Integers


def distances(frames: Starts, calls: Calls) -> Distances:
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
        up[mine] = sign * (five - _nearest(stops, five))
        down[mine] = sign * (_nearest(starts, three) - three)
    return Distances(_bounded(up), _bounded(down))


def _nearest(places: Integers, position: Integers) -> Integers:
    """The place nearest to each position."""
    at = np.searchsorted(places, position)
    before = places[np.maximum(at - 1, 0)]
    behind = places[np.minimum(at, len(places) - 1)]
    return np.where(np.abs(position - before) <= np.abs(behind - position), before, behind)


def _bounded(distance: Integers) -> Integers:
    return np.clip(distance, -FAR_BP, FAR_BP)


def between(distance: Integers, low_bp: int, high_bp: int) -> NDArray[np.bool_]:
    """Where a distance lies between two, both included."""
    return (distance >= low_bp) & (distance <= high_bp)
