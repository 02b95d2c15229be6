"""Fit the ranking, and tell how it ranks genomes that it was not fitted on."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from genint.knowledge.confidence import logistic
from genint.knowledge.dark_ranking import DarkRanking
from training.dark_ranking.material import DarkGene

Floats = NDArray[np.float64]
VERSION = "1"
TARGET_FROM = 0.5
"""From here a gene is likelier unknown than known."""
SHORTEST_AA = (60, 70, 80)
"""Of these the one with the least loss on genomes that were left out. With 30 the loss is the same,
and frames of 16 to 50 residues come first, of which many are no genes and little can be learned."""
RIDGE = 1.0
"""Draws all weights but the start to 0: few genes have a domain of unknown function."""
FIRST = 10
"""Genes at the top of a list, which a reader takes for the research targets."""
_HALF_GENES = 20
"""A genome of so many dark genes counts for half of what a very large one does."""
_ROUNDS = 50
_DIGITS = 3


class Ranked(NamedTuple):
    """How a ranking that was fitted without a group of genomes ranks one of them.

    Attributes:
        dark: Dark genes of the genome.
        known: Of them, those whose record names a function.
        first_known: Of the first ten, those whose record names a function.
        targets: Of the first ten, those that are called research targets.
        targets_known: Of these, those whose record names a function.
        order: How often an unknown gene ranks above a known one, 0..1; None without both.
        loss: Mean negative log-likelihood.
    """

    genome: str
    dark: int
    known: int
    first_known: int
    targets: int
    targets_known: int
    order: float | None
    loss: float


def fit(genes: Sequence[DarkGene], *, basis: str = "") -> DarkRanking:
    """The model of some genes; how short genes count is chosen by genomes left out.

    The same genes give the same model, on every machine.
    """
    chosen = min(SHORTEST_AA, key=lambda aa: (_held_out_loss(genes, aa), aa))
    return replace(_fit(genes, chosen), basis=basis)


def left_out(genes: Sequence[DarkGene], shown: Sequence[DarkGene]) -> Iterator[Ranked]:
    """How each genome of ``shown`` is ranked by a model of ``genes`` without its group."""
    for name in dict.fromkeys(one.genome for one in shown):
        own = [one for one in shown if one.genome == name]
        rest = [one for one in genes if one.group != own[0].group]
        yield ranked(fit(rest), own)


def ranked(model: DarkRanking, genes: Sequence[DarkGene]) -> Ranked:
    """How a model ranks the dark genes of one genome."""
    order = sorted(genes, key=lambda one: (-_priority(model, one), one.gene))
    first = order[:FIRST]
    targets = [one for one in first if _priority(model, one) >= model.target_from]
    return Ranked(
        genes[0].genome,
        len(genes),
        sum(not one.unknown for one in genes),
        sum(not one.unknown for one in first),
        len(targets),
        sum(not one.unknown for one in targets),
        _order(model, genes),
        _loss(model, genes),
    )


def _held_out_loss(genes: Sequence[DarkGene], shortest_aa: int) -> float:
    """Mean over genomes, rounded so that machines agree."""
    losses = []
    for name in dict.fromkeys(one.genome for one in genes):
        own = [one for one in genes if one.genome == name]
        rest = [one for one in genes if one.group != own[0].group]
        if rest:
            losses.append(_loss(_fit(rest, shortest_aa), own))
    return round(sum(losses) / len(losses), 4) if losses else 0.0


def _fit(genes: Sequence[DarkGene], shortest_aa: int) -> DarkRanking:
    """Logistic regression with a ridge, by Newton's method.

    Source: le Cessie & van Houwelingen 1992 (doi:10.2307/2347628).
    """
    matrix = np.array([_row(one, shortest_aa) for one in genes])
    unknown = np.array([one.unknown for one in genes], dtype=np.float64)
    number = Counter(one.genome for one in genes)
    shares = np.array([1 / (number[one.genome] + _HALF_GENES) for one in genes]) * 2 * _HALF_GENES
    ridge = np.diag([0.0, *[RIDGE] * (matrix.shape[1] - 1)])
    weights = np.zeros(matrix.shape[1])
    for _ in range(_ROUNDS):
        told = 1.0 / (1.0 + np.exp(-(matrix @ weights)))
        slope = matrix.T @ (shares * (unknown - told)) - ridge @ weights
        curve = (matrix.T * (shares * told * (1.0 - told))) @ matrix + ridge
        weights = weights + np.linalg.solve(curve, slope)
    start, per_log_length, of_virion, conserved = (_rounded(one) for one in weights)
    return DarkRanking(
        VERSION, start, per_log_length, of_virion, conserved, shortest_aa, TARGET_FROM
    )


def _row(one: DarkGene, shortest_aa: int) -> tuple[float, ...]:
    traits = one.traits
    length = math.log(max(traits.length_aa, shortest_aa))
    return (1.0, length, traits.of_virion, float(traits.conserved))


def _rounded(value: float) -> float:
    """Three digits: more would say more than the genes do, and differ between machines."""
    return float(f"{value:.{_DIGITS}g}")


def _priority(model: DarkRanking, one: DarkGene) -> float:
    return logistic(model.log_odds(one.traits))


def _loss(model: DarkRanking, genes: Sequence[DarkGene]) -> float:
    told = [_priority(model, one) for one in genes]
    sums = (-math.log(p if one.unknown else 1 - p) for p, one in zip(told, genes, strict=True))
    return sum(sums) / len(genes)


def _order(model: DarkRanking, genes: Sequence[DarkGene]) -> float | None:
    """The area under the curve of the receiver's operating characteristic."""
    unknown = [model.log_odds(one.traits) for one in genes if one.unknown]
    known = [model.log_odds(one.traits) for one in genes if not one.unknown]
    if not unknown or not known:
        return None
    pairs = ((a > b) + 0.5 * (a == b) for a in unknown for b in known)
    return sum(pairs) / (len(unknown) * len(known))
