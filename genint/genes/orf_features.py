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

from genint.genes.prodigal import Integers, Reals, Starts
from genint.genes.topology import PlacedFrame
from genint.model.interval import Strand
from genint.model.sequence import stop_codons

_CODONS = 64
_UNKNOWN = 64
"""Number of a codon with a letter other than A, C, G and T."""
_PSEUDOCOUNT = 5
"""Added to the count of each codon: a phage of 5 kb has 1,500 codons, one of 150 kb 45,000."""
_DIGITS = np.full(256, 4, dtype=np.int64)
_DIGITS[[ord(base) for base in "ACGT"]] = range(4)


@dataclass(frozen=True, slots=True, eq=False)
class Codons:
    """The codon at every base of a contig, on both strands.

    Attributes:
        contig_bp: Length of the contig.
        forward: Number of the codon that begins at each base, 0 to 63 in the order of A, C,
            G, T; 64 where it has another letter. On a circle the contig is there twice.
        reverse: The same of the other strand: the codon whose last base lies at that base.
        is_stop: By codon number, 65 of them.
    """

    contig_bp: int
    forward: Integers
    reverse: Integers
    is_stop: NDArray[np.bool_]

    @classmethod
    def of(cls, bases: str, code: int, *, circle: bool) -> Codons:
        """Codons of a contig under an NCBI genetic code. Cost: 20 ns a base."""
        text = bases + bases if circle else bases
        digits = _DIGITS[np.frombuffer(text.encode("ascii"), dtype=np.uint8)]
        turned = np.where(digits < 4, 3 - digits, 4)  # noqa: PLR2004 - the four bases
        is_stop = np.zeros(_CODONS + 1, dtype=np.bool_)
        for stop in stop_codons(code):
            is_stop[_number(stop)] = True
        return cls(len(bases), _numbers(digits), _numbers(turned[::-1])[::-1], is_stop)

    def frame(self, start: int, end: int, strand: int) -> Integers:
        """Codons of a frame as transcribed, the stop codon last."""
        if strand > 0:
            return self.forward[start : end - 2 : 3]
        return self.reverse[start : end - 2 : 3][::-1]

    def last(self, start: Integers, end: Integers, strand: Integers) -> Integers:
        """The last codon of each frame."""
        here = np.where(strand > 0, end - 3, start)
        return np.where(strand > 0, self.forward[here], self.reverse[here])


def _number(codon: str) -> int:
    first, second, third = ("ACGT".index(base) for base in codon)
    return 16 * first + 4 * second + third


def _numbers(digits: Integers) -> Integers:
    """Codon at every base but the last two."""
    if len(digits) < 3:  # noqa: PLR2004 - bases of a codon
        return np.zeros(0, dtype=np.int64)
    numbers = 16 * digits[:-2] + 4 * digits[1:-1] + digits[2:]
    known = (digits[:-2] < 4) & (digits[1:-1] < 4) & (digits[2:] < 4)  # noqa: PLR2004
    return np.where(known, numbers, _UNKNOWN)


def usage(codons: Codons, calls: Sequence[PlacedFrame]) -> Reals:
    """How much more often each codon is read by the genes of a contig than by their other frames.

    Args:
        codons: Of the contig.
        calls: Genes that were called on it.

    Returns:
        Natural logarithm of the ratio for each codon number; 0 for the unknown codon.

    Cost: some 50 us a call.
    """
    read = np.zeros(_CODONS + 1)
    not_read = np.zeros(_CODONS + 1)
    for call in calls:
        start, end = call.interval.start, call.interval.end
        own, other = (
            (codons.forward, codons.reverse)
            if call.strand is Strand.FORWARD
            else (codons.reverse, codons.forward)
        )
        read += np.bincount(own[start + 3 : end - 5 : 3], minlength=_CODONS + 1)
        for shift in (1, 2):
            not_read += np.bincount(own[start + shift : end - 2 : 3], minlength=_CODONS + 1)
        for shift in range(3):
            not_read += np.bincount(other[start + shift : end - 2 : 3], minlength=_CODONS + 1)
    ratio = np.zeros(_CODONS + 1)
    ratio[:_CODONS] = np.log(_shares(read[:_CODONS])) - np.log(_shares(not_read[:_CODONS]))
    return ratio


def _shares(counts: Reals) -> Reals:
    raised = counts + _PSEUDOCOUNT
    return np.asarray(raised / raised.sum(), dtype=np.float64)


def usage_log_odds(
    codons: Codons, ratio: Reals, start: Integers, end: Integers, strand: Integers
) -> Reals:
    """Sum of the ratios of :func:`usage` over the inner codons of each frame, in nats."""
    summed = np.zeros(len(start))
    for sign, numbers in ((1, codons.forward), (-1, codons.reverse)):
        mine = strand == sign
        running = _running(ratio[numbers])
        # Inner codons: neither the start nor the stop codon.
        first, behind = start[mine] + 3, end[mine] - 3
        summed[mine] = running[behind] - running[first]
    return summed


def _running(values: Reals) -> Reals:
    """At each base the sum of the values three, six, ... bases before it."""
    padded = np.zeros(-(-len(values) // 3) * 3 + 3)
    padded[3 : 3 + len(values)] = values
    rows = padded.reshape(-1, 3).cumsum(axis=0)
    return np.concatenate([rows.reshape(-1), rows[-1], rows[-1]])


def stop_chances(codons: Codons, call: PlacedFrame) -> Reals:
    """How likely a stop codon is in each other frame of a gene if its codons were in any order.

    The null for frames inside a gene: the gene keeps its codons, and with them most of
    what makes stops rare or common in the frames across, and loses their order.

    Args:
        codons: Of the contig.
        call: The gene.

    Returns:
        Chance per codon, 0..1, for six frames: on the gene's strand, shifted by 0 (its own:
        always 0), 1 and 2 bases, then on the other strand with its codons covering those
        that begin 0, 1 and 2 bases into the gene's codons.

    Cost: 40 us.
    """
    inner = codons.frame(call.interval.start, call.interval.end, call.strand.value)[:-1]
    inner = inner[inner < _UNKNOWN]
    chances = np.zeros(6)
    if len(inner) == 0:
        return chances
    count = np.bincount(inner, minlength=_CODONS).reshape(4, 4, 4) / len(inner)
    ends_1, ends_2 = count.sum(axis=0).reshape(-1), count.sum(axis=(0, 1))
    begins_1, begins_2 = count.sum(axis=(1, 2)), count.sum(axis=2).reshape(-1)
    stops = np.flatnonzero(codons.is_stop)
    turned = _turned(stops)
    for place, triplets in ((0, stops), (3, turned)):
        chances[place + 1] = (ends_1[triplets // 4] * begins_1[triplets % 4]).sum()
        chances[place + 2] = (ends_2[triplets // 16] * begins_2[triplets % 16]).sum()
    chances[3] = count.reshape(-1)[turned].sum()
    return chances


def _turned(number: Integers) -> Integers:
    """Number of each codon on the other strand."""
    return 63 - (16 * (number % 4) + 4 * (number // 4 % 4) + number // 16)


def background_stop_chance(codons: Codons) -> float:
    """How likely a stop codon is where there is no gene: the share of stops in all frames."""
    both = np.concatenate([codons.forward, codons.reverse])
    known = both[both < _UNKNOWN]
    return float(codons.is_stop[known].mean()) if len(known) else 0.0


FAR_BP = 10_000
"""Distance that is reported where there is no neighbour."""


@dataclass(frozen=True, slots=True, eq=False)
class Calls:
    """Genes of a contig as columns; on a circle each is there three times, a turn apart.

    Attributes:
        start: First base, ascending.
        end: Behind the last base.
        strand: 1 or -1.
        number: FrameClass call it is.
        longest_bp: Length of the longest.
    """

    start: Integers
    end: Integers
    strand: Integers
    number: Integers
    longest_bp: int

    @classmethod
    def of(cls, calls: Sequence[PlacedFrame], contig_bp: int, *, circle: bool) -> Calls:
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


def overlaps(
    frames: Starts, calls: Calls, chances: Reals, background_stop_chance: float
) -> Overlaps:
    """Hold frames against calls.

    Args:
        frames: Any frames of the contig.
        calls: Its calls.
        chances: For each call the six of :func:`~genint.genes.orf_features.stop_chances`.
        background_stop_chance: Of a stop codon, where there is no gene.

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
    nats -= np.log1p(-min(background_stop_chance, 0.99)) * outside / 3
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


class Distances(NamedTuple):
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
    return Distances(np.clip(up, -FAR_BP, FAR_BP), np.clip(down, -FAR_BP, FAR_BP))


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


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredFrames:
    """Frames with what was measured of them.

    Attributes:
        frames: Frames with a stop codon of their own, several starts for each.
        host: Number of the call that each shares most bases with; -1: none.
        host_share: Share of its bases inside that call, 0..1.
        model: FrameClass of the models a frame is for: of ``FrameClass``.
        columns: By name, one number a frame.
    """

    frames: Starts
    host: Integers
    host_share: Reals
    model: Integers
    columns: dict[str, Reals]

    def take(self, rows: Integers) -> MeasuredFrames:
        """Some of the rows."""
        return MeasuredFrames(
            self.frames.take(rows),
            self.host[rows],
            self.host_share[rows],
            self.model[rows],
            {name: column[rows] for name, column in self.columns.items()},
        )


def measure_frames(
    bases: str, code: int, calls: Sequence[PlacedFrame], starts: Starts, *, circle: bool
) -> MeasuredFrames:
    """Measure all frames of a contig that end in a stop codon which no call has.

    Args:
        bases: The contig.
        code: NCBI genetic code.
        calls: Base calls, by position.
        starts: Of all frames.
        circle: The contig has no ends.

    Cost: 15 ms for lambda (2,600 starts), 3 s for E. coli.
    """
    codons = Codons.of(bases, code, circle=circle)
    taken = np.array([call.stop(len(bases)) for call in calls], dtype=np.int64)
    free = ~np.isin(starts.stops(len(bases)), taken)
    starts = starts.take(free)
    starts = starts.take(codons.is_stop[codons.last(starts.start, starts.end, starts.strand)])
    columns = Calls.of(calls, len(bases), circle=circle)
    chances = np.array([stop_chances(codons, call) for call in calls]).reshape(-1, 6)
    over = overlaps(starts, columns, chances, background_stop_chance(codons))
    free_bases = gaps(starts, columns, len(bases), circle=circle)
    near = distances(starts, columns)
    ratio = usage(codons, calls)
    coding_like = usage_log_odds(codons, ratio, starts.start, starts.end, starts.strand)
    length_bp, density = starts.length_bp, covered_share(columns, len(bases))
    measured = {
        "site": np.clip(starts.site, -12, 14) / 10,
        "upstream": np.clip(starts.upstream, -6, 3) / 5,
        "codon": np.clip(starts.kind, -12, 5) / 5,
        "start": np.clip(starts.score, -15, 20) / 10,
        "coding": np.clip(starts.coding, -25, 15) / 10,
        "coding_density": np.clip(100 * starts.coding / length_bp, -15, 15) / 10,
        "weaker": _weaker(starts, over.opposite_share),
        "usage": np.clip(coding_like, -15, 15) / 10,
        "length": np.log(length_bp / 100),
        "not_short": (length_bp >= _SHORT_BP).astype(np.float64),
        "stop_free": np.clip(over.nats, 0, 8) / 3,
        "new": free_bases.new_share,
        "fill": free_bases.fill,
        "gap": np.log(np.maximum(free_bases.gap_bp, 30) / 100),
        "density": np.full(len(starts), min(density, _DENSE)),
        "same": over.same_share,
        "opposite": over.opposite_share,
        **_coupling(near, free_bases.gap_bp),
    }
    model = _models(starts, over, density)
    return MeasuredFrames(starts, over.host, over.host_share, model, measured)


def _models(starts: Starts, over: Overlaps, density: float) -> Integers:
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
