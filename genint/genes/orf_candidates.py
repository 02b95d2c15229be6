"""Open reading frames that the base caller drops, and that may be genes all the same."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from genint.genes.calls import ID_STEP
from genint.genes.orf_features import Described, Which, describe
from genint.genes.prodigal import finder_confidence
from genint.genes.rescue import Row, kind_of, log_odds, model_of, terms, threshold_of
from genint.genes.start_codons import Integers, Reals, Starts
from genint.genes.topology import Placed
from genint.knowledge.confidence import logit
from genint.knowledge.rescue import RescueParameters
from genint.model.rescue import RescueKind, RescueTerm

_PER_GAP = ID_STEP - 1
"""Numbers between two base calls."""


class Proposal(NamedTuple):
    """A frame worth a look, with its place among the base calls.

    Attributes:
        frame: Position, strand, scores.
        host: Index of the base call that it shares most bases with; -1: none.
        host_overlap: Share of the frame's bases inside that call, 0..1.
        kind: How it lies to the calls.
        terms: Addends of the log-odds that it is a gene, from its bases alone.
        threshold: Probability from which it is one.
        gap: Index of the last base call that starts at or before it; -1: none.
        rank: 1 to 9 within the gap, the most probable first.
    """

    frame: Placed
    host: int
    host_overlap: float
    kind: RescueKind
    terms: tuple[RescueTerm, ...]
    threshold: float
    gap: int
    rank: int


class ContigContext(NamedTuple):
    """What frames lie on.

    Attributes:
        bases: The contig.
        code: NCBI genetic code.
        circle: It has no ends.
        bacterium: It is of a bacterium, not a phage, plasmid or fragment.
    """

    bases: str
    code: int
    circle: bool
    bacterium: bool


def propose(
    ground: ContigContext,
    calls: Sequence[Placed],
    starts: Starts,
    parameters: RescueParameters,
    *,
    nested: bool,
) -> tuple[Proposal, ...]:
    """Frames with a stop codon of their own that may be genes.

    Args:
        ground: The contig.
        calls: Base calls, by position.
        starts: Scored starts of all frames, those of the calls among them.
        parameters: What is fitted.
        nested: Frames inside genes too, and all that are worth the search of their protein;
            otherwise only frames beside genes that need no search to be likely.

    Returns:
        At most nine for every gap between the starts of two base calls, by position:
        the most probable ones, each with its most probable start.

    Cost: that of :func:`~genint.genes.orf_features.describe`, and 0.1 ms a frame returned.
    """
    if len(starts) == 0:
        return ()
    described = describe(ground.bases, ground.code, calls, starts, circle=ground.circle)
    odds = log_odds(described, parameters, bacterium=ground.bacterium)
    least = np.array([_least(which, parameters, nested=nested) for which in Which])
    rows = best_starts(described, odds, len(ground.bases), parameters)
    rows = rows[odds[rows] >= least[described.model[rows]]]
    lefts = [call.interval.start for call in calls]
    gaps: dict[int, list[int]] = defaultdict(list)
    # Those that need no search come first in every gap: their ids are the same with it.
    likely = np.array([_least(which, parameters, nested=False) for which in Which])
    order = np.lexsort((-odds[rows], odds[rows] < likely[described.model[rows]]))
    for row in rows[order]:
        gaps[bisect_right(lefts, int(described.frames.start[row])) - 1].append(int(row))
    proposals = [
        _proposal(Row(described, row), parameters, ground, gap, rank)
        for gap, found in gaps.items()
        for rank, row in enumerate(found[:_PER_GAP], 1)
    ]
    return tuple(sorted(proposals, key=lambda p: (p.frame.interval, p.frame.strand)))


def _least(which: Which, parameters: RescueParameters, *, nested: bool) -> float:
    """Log-odds from which a frame of a model is worth a search."""
    if nested:
        return logit(parameters.least)
    return math.inf if which is Which.NESTED else logit(model_of(which, parameters).threshold)


def best_starts(
    described: Described, odds: Reals, contig_bp: int, parameters: RescueParameters
) -> Integers:
    """The row with the start of each stop codon that stands for its frame.

    The start from which it is most probable that there is a gene is not the likeliest start:
    a late one avoids overlaps, but cuts the gene short. So among the starts from which a frame
    beside genes is likely enough, and among those from which it scores like a gene of the
    finder, the one with the finder's best score is taken.
    """
    stops = described.frames.stops(contig_bp)
    squeezed = described.model == Which.SQUEEZED
    asked = logit(parameters.beside.threshold) - parameters.homology["none"]
    likely = (described.model == Which.BESIDE) & (odds >= asked)
    better = np.where(squeezed | likely, described.frames.total, odds)
    order = np.lexsort((-described.frames.length_bp, -better, ~likely, ~squeezed, stops))
    _, first = np.unique(stops[order], return_index=True)
    return np.sort(order[first])


def _proposal(
    seen: Row, parameters: RescueParameters, ground: ContigContext, gap: int, rank: int
) -> Proposal:
    described, row = seen
    frames = described.frames
    confidence = finder_confidence(float(frames.total[row]))
    return Proposal(
        frame=Placed(frames.interval(row), frames.strand_of(row), frames.scores(row, confidence)),
        host=int(described.host[row]),
        host_overlap=float(described.host_share[row]),
        kind=kind_of(described, row),
        terms=terms(seen, parameters, bacterium=ground.bacterium),
        threshold=threshold_of(seen, parameters),
        gap=gap,
        rank=rank,
    )
