"""How well neighbours tell the category of a gene in records that the model has never seen."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from genint.interpret.gene_context import Neighbourhood, neighbourhoods
from genint.knowledge.gene_order import GeneOrder
from genint.model.vocabulary import Category, GenomeKind
from training.gene_order.learning import RECIPES, Recipe, learn
from training.gene_order.material import Record, families_of_records, without

BINS = 10
FOLDS = 5
LOG_ODDS = (1.0, 2.0)
"""Borders of which is counted how many genes pass them."""
RIGHT_SHARE = 0.8
_LEAST_JUDGED = 20
"""Fewer genes are no measurement of a share."""


class Told(NamedTuple):
    """A gene whose record names its category, and what its neighbours say.

    Attributes:
        truth: Category by its record.
        said: By its neighbours; None where none of them is told.
        shares: How common each category is among named genes.
    """

    truth: Category
    said: Neighbourhood | None
    shares: Mapping[Category, float]

    @property
    def right(self) -> bool:
        """Whether the likeliest category is that of the record."""
        return self.said is not None and self.said.best is self.truth

    @property
    def log_odds(self) -> float:
        """Of the right category."""
        return 0.0 if self.said is None else self.said.log_odds.get(self.truth, 0.0)

    @property
    def loss(self) -> float:
        """Negative logarithm of the probability that the neighbours give the right category."""
        log_odds = self.said.log_odds if self.said is not None else {}
        total = sum(
            share * math.exp(log_odds.get(category, 0.0)) for category, share in self.shares.items()
        )
        return -math.log(self.shares[self.truth] * math.exp(self.log_odds) / total)

    def wrong_share(self, border: float) -> float:
        """How likely a wrong category, drawn by how common it is, has such log-odds."""
        if self.said is None:
            return 0.0
        others = {one: share for one, share in self.shares.items() if one is not self.truth}
        passing = sum(
            share for one, share in others.items() if self.said.log_odds.get(one, 0.0) >= border
        )
        return passing / sum(others.values())


class Bin(NamedTuple):
    """Genes whose best category has about the same probability."""

    probability: float
    right: int
    judged: int


class Figures(NamedTuple):
    """What was measured.

    Attributes:
        kind: Of the genomes.
        records: Which records judged.
        judged: Genes with a category.
        right: Of these, with the same as best by their neighbours.
        told: Of these, with any best category.
        loss, prior_loss: Mean log-loss, nats, with and without neighbours.
        calibration_error: Expected calibration error, 0..1.
        bins: Reliability, lowest probability first.
        surely_right_from: Least probability of which genes on were right in 80 %; None: never.
        passing: By border of log-odds, the share of right categories and that of random wrong
            ones that reach it.
    """

    kind: GenomeKind
    records: str
    judged: int
    right: int
    told: int
    loss: float
    prior_loss: float
    calibration_error: float
    bins: tuple[Bin, ...]
    surely_right_from: float | None
    passing: tuple[tuple[float, float, float], ...]


def measure(
    records: Sequence[Record], recipes: Mapping[GenomeKind, Recipe] = RECIPES
) -> Iterator[Figures]:
    """Figures of held-out groups of annotated genomes by kind, then of phages known by order.

    Cost: 30 s.
    """
    for kind, recipe in recipes.items():
        told = [
            one
            for group in sorted({r.group for r in records if r.of_panel and r.kind is kind})
            for one in _left_out(records, group, kind, recipe)
        ]
        if told:
            yield figures(kind, "annotated genomes", told)
    if GenomeKind.PHAGE in recipes:
        told = list(_in_folds(records, recipes[GenomeKind.PHAGE]))
        if told:
            yield figures(GenomeKind.PHAGE, "records known by order", told)


def _left_out(
    records: Sequence[Record], group: str, kind: GenomeKind, recipe: Recipe
) -> Iterable[Told]:
    model = learn(without(records, group), {kind: recipe})
    return told_of([record for record in records if record.group == group], model)


def _in_folds(records: Sequence[Record], recipe: Recipe) -> Iterator[Told]:
    """Near relatives are in one fold."""
    families = families_of_records(records)
    numbers = {family: at for at, family in enumerate(sorted(set(families)))}
    folds = [numbers[family] % FOLDS for family in families]
    for fold in range(FOLDS):
        known = [one for one, its in zip(records, folds, strict=True) if its != fold]
        model = learn(known, {GenomeKind.PHAGE: recipe})
        held = [one for one, its in zip(records, folds, strict=True) if its == fold]
        yield from told_of(
            [one for one in held if not one.of_panel and one.kind is GenomeKind.PHAGE], model
        )


def told_of(records: Iterable[Record], model: GeneOrder) -> Iterator[Told]:
    """What neighbours say of the genes of some records whose category the model knows."""
    for record in records:
        chain = model.chains.get(record.kind)
        if chain is None:
            continue
        shares = dict(zip(chain.categories, chain.shares, strict=True))
        said = neighbourhoods(record.genes, model, record.kind, circular=record.circular)
        for gene, one in zip(record.genes, said, strict=True):
            if gene.category in shares:
                yield Told(gene.category, one, shares)


def figures(kind: GenomeKind, records: str, told: Sequence[Told]) -> Figures:
    """Count some genes together."""
    bins = _bins(told)
    best = [one for one in told if one.said is not None and one.said.best is not None]
    error = sum(abs(one.right - one.probability * one.judged) for one in bins)
    return Figures(
        kind=kind,
        records=records,
        judged=len(told),
        right=sum(one.right for one in told),
        told=len(best),
        loss=sum(one.loss for one in told) / len(told),
        prior_loss=sum(-math.log(one.shares[one.truth]) for one in told) / len(told),
        calibration_error=error / max(1, len(best)),
        bins=bins,
        surely_right_from=_surely_right_from(told),
        passing=tuple(
            (
                border,
                sum(one.log_odds >= border for one in told) / len(told),
                sum(one.wrong_share(border) for one in told) / len(told),
            )
            for border in LOG_ODDS
        ),
    )


def _probability(one: Told) -> float | None:
    return one.said.probability if one.said is not None and one.said.best is not None else None


def _bins(told: Iterable[Told]) -> tuple[Bin, ...]:
    by_bin: dict[int, list[tuple[float, bool]]] = {}
    for one in told:
        probability = _probability(one)
        if probability is not None:
            number = min(int(probability * BINS), BINS - 1)
            by_bin.setdefault(number, []).append((probability, one.right))
    return tuple(
        Bin(
            sum(probability for probability, _ in rows) / len(rows),
            sum(right for _, right in rows),
            len(rows),
        )
        for _, rows in sorted(by_bin.items())
    )


def _surely_right_from(told: Iterable[Told]) -> float | None:
    """Lowest border, in steps of 0.05, above which and above all higher ones 80 % are right."""
    rows = [(p, one.right) for one in told if (p := _probability(one)) is not None]
    found = None
    for step in range(19, 3, -1):
        above = [right for probability, right in rows if probability >= step / 20]
        if len(above) < _LEAST_JUDGED:
            continue
        if sum(above) < RIGHT_SHARE * len(above):
            break
        found = step / 20
    return found
