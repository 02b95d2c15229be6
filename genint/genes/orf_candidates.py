"""Genes that the finder leaves out: how probable they are from their bases alone.

Two kinds are proposed: open reading frames that it drops, and starts inside its calls, in their
own frame, which give shorter products with the same stop codon.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from genint.genes.codons import Spans
from genint.genes.orf_features import (
    ContigFrames,
    FrameClass,
    MeasuredFrames,
    joined_starts,
    line_of,
    measure_frames,
)
from genint.genes.prodigal import Integers, Reals, Starts, finder_confidence
from genint.genes.topology import PlacedFrame
from genint.knowledge.confidence import logistic, logit
from genint.knowledge.rescue import FrameModel, RescueParameters
from genint.model.rescue import RescueKind, RescueTerm, StartPlace

PER_GAP = 9
"""Numbers between two base calls."""
_LIMIT = 0.999
"""No frame is surer than that: the models were fitted on some hundred genes."""
_PLACES = 3
_LEAST_SHOWN = 0.01
LEAST_REPORTED = 0.05
"""Probability from which a start inside a gene is reported."""
_STRONG_SCORE = 16.0
_STRONG_SHARE = 0.5
"""Start score, and share of the gene, from which a shorter product may be a gene of its own: of
four such starts in 14 phages two are annotated (phiX174 A*, T7 4B), of 10,480 others three."""
_LEAST_BP = 60
_LATE = (0.33, 0.6)
"""Share of a gene that the scaffolding proteins have which lie in the ends of protease genes."""
_DUAL_CODONS = 8
"""Starts so near to one another are dual starts, as of holins: one ribosome may take either."""
_APART_CODONS = 30
"""A good start nearer than that to a gene's own is rather the true start of the gene."""
_MOST_OF_ONE_GENE = 2


class Proposal(NamedTuple):
    """A frame that may be a gene, with its place among the base calls.

    Attributes:
        frame: Position, strand, scores.
        host: Index of the base call that it shares most bases with; -1: none.
        host_overlap: Share of the frame's bases inside that call, 0..1.
        kind: Its position relative to the calls.
        terms: Addends of the log-odds that it is a gene, from its bases alone.
        threshold: Probability from which it is one.
        gap: Index of the last base call that starts at or before it; -1: none.
        rank: 1 to 9 within the gap, the most probable first.
    """

    frame: PlacedFrame
    host: int
    host_overlap: float
    kind: RescueKind
    terms: tuple[RescueTerm, ...]
    threshold: float
    gap: int
    rank: int


class InternalStart(NamedTuple):
    """A start inside a call that should be reported.

    Attributes:
        frame: Position, strand, scores.
        host: Number of the call.
        share: Length as a share of the call's, 0..1.
        terms: Addends of the log-odds that this product is made.
        threshold: Probability from which it is a gene of its own.
        place: Where in the call it lies.
        is_strong: Its start and its length are such that it may be a gene of its own.
    """

    frame: PlacedFrame
    host: int
    share: float
    terms: tuple[RescueTerm, ...]
    threshold: float
    place: StartPlace
    is_strong: bool


@dataclass(frozen=True, slots=True, eq=False)
class InternalStarts:
    """Starts inside calls, with what is measured of them.

    Attributes:
        starts: Their frames.
        contig: Number of the contig of each.
        call: Number of the contig's call that it lies in.
        call_bp: Length of that call.
        share: Length as a share of the call's.
        columns: By name, one number a start.
    """

    starts: Starts
    contig: Integers
    call: Integers
    call_bp: Integers
    share: Reals
    columns: dict[str, Reals]


def propose(
    contigs: Sequence[ContigFrames], parameters: RescueParameters, *, nested: bool
) -> list[tuple[Proposal, ...]]:
    """Frames with a stop codon of their own that may be genes.

    Args:
        contigs: With what the finder saw on them.
        parameters: What is fitted.
        nested: Frames inside genes too, and all that justify the search of their protein;
            otherwise only frames beside genes that need no search to be likely.

    Returns:
        For each contig at most nine for every gap between the starts of two base calls, by
        position: the most probable ones, each with its most probable start.

    Cost: that of :func:`~genint.genes.orf_features.measure_frames`, and 0.1 ms a frame returned.
    """
    if not any(len(one.starts) for one in contigs):
        return [()] * len(contigs)
    measured = measure_frames(contigs)
    bacterium = np.array([one.bacterium for one in contigs], dtype=np.bool_)
    odds = log_odds(measured, parameters, bacterium=bacterium[measured.contig])
    least = np.array([_least(frame_class, parameters, nested=nested) for frame_class in FrameClass])
    rows = best_starts(measured, odds, parameters)
    rows = rows[odds[rows] >= least[measured.model[rows]]]
    lefts = [[call.interval.start for call in one.calls] for one in contigs]
    gaps: dict[tuple[int, int], list[int]] = defaultdict(list)
    # Those that need no search come first in every gap: their ids are the same with it.
    likely = np.array([_least(frame_class, parameters, nested=False) for frame_class in FrameClass])
    order = np.lexsort((-odds[rows], odds[rows] < likely[measured.model[rows]]))
    for row in rows[order].tolist():
        contig = int(measured.contig[row])
        gap = bisect_right(lefts[contig], int(measured.frames.start[row])) - 1
        gaps[contig, gap].append(row)
    found: list[list[Proposal]] = [[] for _ in contigs]
    for (contig, gap), those in gaps.items():
        for rank, row in enumerate(those[:PER_GAP], 1):
            frame = FrameRow(measured, row)
            addends = terms(frame, parameters, bacterium=contigs[contig].bacterium)
            found[contig].append(_proposal(frame, parameters, addends, gap, rank))
    return [tuple(sorted(one, key=lambda p: (p.frame.interval, p.frame.strand))) for one in found]


def internal_starts(
    contigs: Sequence[ContigFrames], parameters: RescueParameters
) -> list[tuple[InternalStart, ...]]:
    """Promising starts inside calls of each contig, by position; at most three for each call.

    Those that are likely enough to be reported, and those at places where the function of the
    gene may make them likely.

    Args:
        contigs: With what the finder saw on them.
        parameters: What is fitted.

    Cost: O(starts log calls).
    """
    result: list[list[InternalStart]] = [[] for _ in contigs]
    measured = measure_internal_starts(contigs)
    model = parameters.internal
    odds = _summed(model, measured.columns, len(measured.starts))
    places = _places(measured)
    told = odds >= logit(LEAST_REPORTED)
    told[list(places)] = True
    rows = np.flatnonzero(told)
    reported: dict[tuple[int, int], int] = defaultdict(int)
    for row in rows[np.argsort(-odds[rows], kind="stable")].tolist():
        place = places.get(row, StartPlace.ELSEWHERE)
        contig = int(measured.contig[row])
        host = contig, int(measured.call[row])
        reported[host] += place is not StartPlace.LATE
        if reported[host] <= _MOST_OF_ONE_GENE:
            result[contig].append(_internal_start(measured, row, model, place))
    return [
        tuple(sorted(those, key=lambda one: (one.frame.interval, one.frame.strand)))
        for those in result
    ]


def probability(addends: Iterable[RescueTerm]) -> float:
    """Probability of a sum of addends, at most 0.999."""
    return min(_LIMIT, logistic(sum(one.log_odds for one in addends)))


def best_starts(measured: MeasuredFrames, odds: Reals, parameters: RescueParameters) -> Integers:
    """The row with the start of each stop codon that represents its frame.

    The start from which it is most probable that there is a gene is not the likeliest start:
    a late one avoids overlaps, but cuts the gene short. So among the starts from which a frame
    beside genes is likely enough, and among those from which it scores like a gene of the
    finder, the one with the finder's best score is taken.
    """
    filtered = measured.model == FrameClass.FILTERED
    # likely enough even if no family recognises its protein
    least = logit(parameters.outside.threshold) - parameters.homology["none"]
    likely = (measured.model == FrameClass.OUTSIDE) & (odds >= least)
    better = np.where(filtered | likely, measured.frames.total, odds)
    order = np.lexsort((-measured.frames.length_bp, -better, ~likely, ~filtered, measured.stop))
    _, first = np.unique(measured.stop[order], return_index=True)
    return np.sort(order[first])


def _least(frame_class: FrameClass, parameters: RescueParameters, *, nested: bool) -> float:
    """Log-odds from which a frame of a model is searched."""
    if nested:
        return logit(parameters.least)
    if frame_class is FrameClass.NESTED:
        return math.inf
    return logit(model_of(frame_class, parameters).threshold)


def _proposal(
    frame: FrameRow,
    parameters: RescueParameters,
    addends: tuple[RescueTerm, ...],
    gap: int,
    rank: int,
) -> Proposal:
    measured, row = frame
    host, kind = int(measured.host[row]), RescueKind.NESTED
    if frame.frame_class is not FrameClass.NESTED:
        kind = RescueKind.OVERLAPPING if host >= 0 else RescueKind.INTERGENIC
    return Proposal(
        frame=_placed(measured.frames, row),
        host=host,
        host_overlap=float(measured.host_share[row]),
        kind=kind,
        terms=addends,
        threshold=model_of(frame.frame_class, parameters).threshold,
        gap=gap,
        rank=rank,
    )


def _placed(frames: Starts, row: int) -> PlacedFrame:
    confidence = finder_confidence(float(frames.total[row]))
    return PlacedFrame(frames.interval(row), frames.strand_of(row), frames.scores(row, confidence))


class FrameRow(NamedTuple):
    """One of the measured frames: what the words of an addend are made of."""

    measured: MeasuredFrames
    row: int

    @property
    def frame_class(self) -> FrameClass:
        """The model that it is judged by."""
        return FrameClass(int(self.measured.model[self.row]))

    def column(self, name: str) -> float:
        """One measured number."""
        return float(self.measured.columns[name][self.row])


def log_odds(
    measured: MeasuredFrames, parameters: RescueParameters, *, bacterium: NDArray[np.bool_] | bool
) -> Reals:
    """What the models say of each frame, before its protein was searched.

    Args:
        measured: The frames.
        parameters: What is fitted.
        bacterium: Whether each lies in a bacterium.

    Returns:
        Natural log-odds that it is a gene.

    Cost: O(frames) per column.
    """
    summed = np.zeros(len(measured.frames))
    for frame_class in FrameClass:
        mine = measured.model == frame_class
        model = model_of(frame_class, parameters)
        summed[mine] = _summed(model, measured.columns, len(mine))[mine]
    return np.asarray(summed + np.where(bacterium, parameters.in_bacteria, 0.0), dtype=np.float64)


def terms(
    frame: FrameRow, parameters: RescueParameters, *, bacterium: bool
) -> tuple[RescueTerm, ...]:
    """The log-odds of one frame as addends with their reasons, the prior first."""
    model = model_of(frame.frame_class, parameters)
    addends = [RescueTerm(_PRIORS[frame.frame_class], round(model.prior, _PLACES))]
    if bacterium and parameters.in_bacteria:
        reason = "in a bacterium fewer such frames are genes"
        addends.append(RescueTerm(reason, round(parameters.in_bacteria, _PLACES)))
    for words, names in _GROUPS:
        value = sum(
            model.columns[name].weight * (frame.column(name) - model.columns[name].mean)
            for name in names
            if name in model.columns
        )
        if value:
            addends.append(RescueTerm(words(frame), round(value, _PLACES)))
    return tuple(addends)


def model_of(frame_class: FrameClass, parameters: RescueParameters) -> FrameModel:
    """The parameters of one model."""
    return {
        FrameClass.OUTSIDE: parameters.outside,
        FrameClass.NESTED: parameters.nested,
        FrameClass.FILTERED: parameters.filtered,
    }[frame_class]


def _summed(model: FrameModel, columns: Mapping[str, Reals], rows: int) -> Reals:
    total = np.full(rows, model.prior)
    for name, column in model.columns.items():
        total += column.weight * (columns[name] - column.mean)
    return total


def _site_words(starts: Starts, row: int) -> str:
    motif = starts.motif[row]
    site = f" behind the ribosome binding site {motif}" if motif else " without a binding site"
    return f"start {starts.codon[row]}{site}"


def _start_words(frame: FrameRow) -> str:
    frames, row = frame.measured.frames, frame.row
    scores = f"start score {frames.score[row]:.1f}, total {frames.total[row]:.1f}"
    return f"{_site_words(frames, row)}, {scores}"


def _codon_words(frame: FrameRow) -> str:
    coding = frame.measured.frames.coding[frame.row]
    usage = 10 * frame.column("usage")
    return (
        f"codons: coding score {coding:.1f}, {usage:+.1f} nats by the usage of this contig's genes"
    )


def _length_words(frame: FrameRow) -> str:
    length_bp = int(frame.measured.frames.length_bp[frame.row])
    chance = float(np.exp(-3 * frame.column("stop_free")))
    share = f"{chance:.0%}" if chance >= _LEAST_SHOWN else "fewer than 1%"
    return f"{length_bp} bp without a stop codon, as {share} of such stretches are by chance"


def _position_words(frame: FrameRow) -> str:
    share = float(frame.measured.host_share[frame.row])
    fill = frame.column("fill")
    strand = " on the other strand" if frame.column("opposite") > frame.column("same") else ""
    if fill > 0:
        inside = f", {share:.0%} of it inside a gene{strand}" if share else ""
        return f"it fills {fill:.0%} of a gap between genes{inside}"
    return f"{share:.0%} of it lie inside another gene{strand}"


def _operon_words(frame: FrameRow) -> str:
    if frame.column("up_coupled"):
        return "its start overlaps the stop codon of the gene before it, as in operons"
    if frame.column("up_near") or frame.column("down_near"):
        return "it lies close to its neighbours on the strand, as in operons"
    return "it lies apart from its neighbours on the strand"


_GROUPS: Final[tuple[tuple[Callable[[FrameRow], str], tuple[str, ...]], ...]] = (
    (_start_words, ("site", "upstream", "codon", "weaker")),
    (_codon_words, ("coding", "coding_density", "usage")),
    (_length_words, ("length", "not_short", "stop_free")),
    (_position_words, ("new", "fill", "gap", "same", "opposite", "density")),
    (_operon_words, ("up_coupled", "up_near", "down_coupled", "down_near", "flanked")),
)
"""Columns that are reported together: they measure one thing in several numbers."""
_PRIORS: Final = {
    FrameClass.OUTSIDE: "a frame beside or between genes that is like those which are genes",
    FrameClass.NESTED: "a frame mostly inside a gene that is like those which are genes",
    FrameClass.FILTERED: "a frame that scores like a gene and is left out for its overlap or"
    " length alone",
}


def measure_internal_starts(contigs: Sequence[ContigFrames]) -> InternalStarts:
    """All starts inside calls and in their frame. Cost: O(starts log calls)."""
    line = line_of(contigs)
    genes = Spans.of(one.calls for one in contigs)
    starts, contig = joined_starts(contigs)
    key = line.stops(Spans(starts.start, starts.end, starts.strand, contig))
    stops, lengths = line.stops(genes), genes.end - genes.start
    order = np.argsort(stops)
    if len(stops) == 0:
        starts, key, contig = starts.take(contig[:0]), key[:0], contig[:0]
    at = np.minimum(np.searchsorted(stops[order], key), max(len(stops) - 1, 0))
    call = order[at]
    shorter = (stops[call] == key) & (starts.length_bp < lengths[call])
    rows = np.flatnonzero(shorter & (starts.length_bp >= _LEAST_BP))
    found, call, contig = starts.take(rows), call[rows], contig[rows]
    share = found.length_bp / lengths[call]
    lost_bp = lengths[call] - found.length_bp
    apart = lost_bp >= 3 * _APART_CODONS
    strong = (found.score >= _STRONG_SCORE) & (share >= _STRONG_SHARE) & apart
    columns = {
        "score": np.clip(found.score, -10, 20) / 10,
        "strong": strong.astype(np.float64),
    }
    own = call - np.searchsorted(genes.contig, contig)
    return InternalStarts(found, contig, own, lengths[call], share, columns)


def _places(found: InternalStarts) -> dict[int, StartPlace]:
    """Rows that lie where the function of a gene may make a start likely."""
    dual = found.call_bp - found.starts.length_bp <= 3 * _DUAL_CODONS
    late = (found.share >= _LATE[0]) & (found.share <= _LATE[1]) & (found.starts.codon == "ATG")
    places = dict.fromkeys(np.flatnonzero(dual).tolist(), StartPlace.DUAL)
    rows = np.flatnonzero(late & ~dual)
    taken: set[tuple[int, int]] = set()
    for row in rows[np.argsort(-found.starts.score[rows], kind="stable")].tolist():
        host = int(found.contig[row]), int(found.call[row])
        if host not in taken:
            taken.add(host)
            places[row] = StartPlace.LATE
    return places


def _internal_start(
    found: InternalStarts, row: int, model: FrameModel, place: StartPlace
) -> InternalStart:
    return InternalStart(
        frame=_placed(found.starts, row),
        host=int(found.call[row]),
        share=float(found.share[row]),
        terms=_internal_terms(found, row, model),
        threshold=model.threshold,
        place=place,
        is_strong=bool(found.columns["strong"][row]),
    )


def _internal_terms(found: InternalStarts, row: int, model: FrameModel) -> tuple[RescueTerm, ...]:
    words = (
        f"{_site_words(found.starts, row)}, start score {found.starts.score[row]:.1f}; its product"
        f" has {float(found.share[row]):.0%} of the gene's length"
    )
    value = sum(
        one.weight * (float(found.columns[name][row]) - one.mean)
        for name, one in model.columns.items()
    )
    return (
        RescueTerm("a start inside a gene, in its frame", round(model.prior, _PLACES)),
        RescueTerm(words, round(value, _PLACES)),
    )
