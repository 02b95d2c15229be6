"""Starts inside genes, in their own frame: shorter products with the same stop codon."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from genint.genes.prodigal import finder_confidence
from genint.genes.start_codons import Integers, Reals, Starts
from genint.genes.topology import Placed
from genint.knowledge.confidence import logit
from genint.knowledge.rescue import FrameModel, RescueParameters
from genint.model.rescue import RescueTerm, StartPlace

LEAST_TOLD = 0.05
"""Probability from which a start inside a gene is told of."""
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
_PLACES = 3


@dataclass(frozen=True, slots=True, eq=False)
class Inside:
    """Starts inside calls, with what is measured of them.

    Attributes:
        starts: Their frames.
        call: Number of the call that each lies in.
        share: Length as a share of the call's.
        columns: By name, one number a start.
    """

    starts: Starts
    call: Integers
    share: Reals
    columns: dict[str, Reals]


class InternalStart(NamedTuple):
    """A start inside a call that is worth a word.

    Attributes:
        frame: Position, strand, scores.
        host: Number of the call.
        share: Length as a share of the call's, 0..1.
        terms: Addends of the log-odds that this product is made.
        threshold: Probability from which it is a gene of its own.
        place: Where in the call it lies.
        is_strong: Its start and its length are such that it may be a gene of its own.
    """

    frame: Placed
    host: int
    share: float
    terms: tuple[RescueTerm, ...]
    threshold: float
    place: StartPlace
    is_strong: bool


def inside(calls: Sequence[Placed], starts: Starts, contig_bp: int) -> Inside:
    """All starts inside calls and in their frame. Cost: O(starts log calls)."""
    stops = np.array(
        [2 * end + (strand > 0) for end, strand in (call.stop(contig_bp) for call in calls)],
        dtype=np.int64,
    )
    lengths = np.array([len(call.interval) for call in calls], dtype=np.int64)
    order = np.argsort(stops)
    key = starts.stops(contig_bp)
    at = np.minimum(np.searchsorted(stops[order], key), max(len(stops) - 1, 0))
    if len(stops) == 0:
        return Inside(starts.take(np.zeros(0, dtype=np.int64)), at[:0], at[:0] / 1.0, {})
    call = order[at]
    shorter = (stops[call] == key) & (starts.length_bp < lengths[call])
    rows = np.flatnonzero(shorter & (starts.length_bp >= _LEAST_BP))
    found, call = starts.take(rows), call[rows]
    share = found.length_bp / lengths[call]
    lost_bp = lengths[call] - found.length_bp
    apart = lost_bp >= 3 * _APART_CODONS
    strong = (found.score >= _STRONG_SCORE) & (share >= _STRONG_SHARE) & apart
    columns = {
        "score": np.clip(found.score, -10, 20) / 10,
        "strong": strong.astype(np.float64),
    }
    return Inside(found, call, share, columns)


def internal_starts(
    calls: Sequence[Placed], starts: Starts, contig_bp: int, parameters: RescueParameters
) -> tuple[InternalStart, ...]:
    """Starts inside calls that are worth a look, by position; at most three for each call.

    Those that are likely enough to be told, and those at places where the function of the
    gene may make them likely.

    Args:
        calls: Base calls.
        starts: Scored starts of all frames.
        contig_bp: Length of the contig.
        parameters: What is fitted.

    Cost: O(starts log calls).
    """
    found = inside(calls, starts, contig_bp)
    if len(found.starts) == 0:
        return ()
    model = parameters.internal
    odds = np.full(len(found.starts), model.prior)
    for name, one in model.columns.items():
        odds += one.weight * (found.columns[name] - one.mean)
    places = _places(found, calls)
    told: dict[int, int] = {}
    result = []
    for row in np.argsort(-odds, kind="stable").tolist():
        place = places.get(row, StartPlace.ELSEWHERE)
        if place is StartPlace.ELSEWHERE and odds[row] < logit(LEAST_TOLD):
            continue
        host = int(found.call[row])
        told[host] = told.get(host, 0) + (place is not StartPlace.LATE)
        if told[host] <= _MOST_OF_ONE_GENE:
            result.append(_start(found, row, model, place))
    return tuple(sorted(result, key=lambda one: (one.frame.interval, one.frame.strand)))


def _places(found: Inside, calls: Sequence[Placed]) -> dict[int, StartPlace]:
    """Rows that lie where the function of a gene may make a start likely."""
    lengths = np.array([len(call.interval) for call in calls], dtype=np.int64)[found.call]
    dual = lengths - found.starts.length_bp <= 3 * _DUAL_CODONS
    late = (found.share >= _LATE[0]) & (found.share <= _LATE[1]) & (found.starts.codon == "ATG")
    places = dict.fromkeys(np.flatnonzero(dual).tolist(), StartPlace.DUAL)
    rows = np.flatnonzero(late & ~dual)
    taken: set[int] = set()
    for row in rows[np.argsort(-found.starts.score[rows], kind="stable")].tolist():
        host = int(found.call[row])
        if host not in taken:
            taken.add(host)
            places[row] = StartPlace.LATE
    return places


def _start(found: Inside, row: int, model: FrameModel, place: StartPlace) -> InternalStart:
    frames = found.starts
    scores = frames.scores(row, finder_confidence(float(frames.total[row])))
    return InternalStart(
        frame=Placed(frames.interval(row), frames.strand_of(row), scores),
        host=int(found.call[row]),
        share=float(found.share[row]),
        terms=_terms(found, row, model),
        threshold=model.threshold,
        place=place,
        is_strong=bool(found.columns["strong"][row]),
    )


def _terms(found: Inside, row: int, model: FrameModel) -> tuple[RescueTerm, ...]:
    frames = found.starts
    motif = frames.motif[row]
    site = f" behind the ribosome binding site {motif}" if motif else " without a binding site"
    words = (
        f"start {frames.codon[row]}{site}, start score {frames.score[row]:.1f}; its product has"
        f" {float(found.share[row]):.0%} of the gene's length"
    )
    value = sum(
        one.weight * (float(found.columns[name][row]) - one.mean)
        for name, one in model.columns.items()
    )
    return (
        RescueTerm("a start inside a gene, in its frame", round(model.prior, _PLACES)),
        RescueTerm(words, round(value, _PLACES)),
    )
