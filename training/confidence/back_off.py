"""From where on statements on a gene hold as often as is promised, on genes that were left out.

Names are stated where their level is at least MODERATE, which the fit itself promises. Then the
border of classes is found among the genes without such a name, that of roles among those without
either, and that of roles by neighbours among the genes without evidence.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from genint.interpret.back_off import Candidate, candidates
from genint.interpret.claims import UNINFORMATIVE, ScoringModel
from genint.interpret.gene_context import NeighbourContext
from genint.interpret.scoring import Scored
from genint.knowledge.confidence import BackOff, Setting
from genint.model.interpretation import StatementKind
from genint.model.vocabulary import Category
from training.confidence.examples import judged, judged_by_words
from training.confidence.panel import Truth

PROMISE: Final = 0.9
"""Share of the statements of each kind that is to hold."""
_Z: Final = 1.28
"""Of the interval whose lower end has to keep the promise where a border is sought: 90 of 100
shares are higher than that end."""
_CONTEXT: Final = (0.0, 0.25, 0.5, 1.0)
"""Factors on what neighbours say that are tried."""
_GRID: Final = tuple(step / 100 for step in range(5, 100))
_NEVER: Final = 2.0
"""Above every probability."""


class Offer(NamedTuple):
    """A statement that may be made of a held-out gene.

    Attributes:
        candidate: The statement.
        holds: Whether it is true; None where the record says nothing that it can be judged by.
    """

    candidate: Candidate
    holds: bool | None


Offers = Mapping[float, tuple[Offer, ...]]
"""What may be stated of a gene, the most precise first, by factor on what neighbours say."""


def offers(scored: Scored, near: NeighbourContext, truth: Truth, model: ScoringModel) -> Offers:
    """What may be stated of a gene, judged by its record."""
    found: dict[float, tuple[Offer, ...]] = {}
    for factor in _CONTEXT if near.evidence is not None and scored.hypotheses else _CONTEXT[:1]:
        some = candidates(scored, near, model, factor)
        found[factor] = tuple(Offer(one, _holds(one, truth, model)) for one in some)
    return {factor: found.get(factor, found[_CONTEXT[0]]) for factor in _CONTEXT}


def _holds(candidate: Candidate, truth: Truth, model: ScoringModel) -> bool | None:
    if candidate.category is not None:
        known = _categories(truth, model)
        return candidate.category in known if known else None
    is_name = candidate.kind is StatementKind.NAME
    said = (judged if is_name else judged_by_words)(truth, candidate.text, model.products)
    return None if said is None else said.true


def _categories(truth: Truth, model: ScoringModel) -> frozenset[Category]:
    """Functional categories of what a record says of a gene."""
    found = []
    for name in truth.names:
        product, role = model.products.find(name), model.roles.role_of(name)
        found += [product.category] if product else []
        found += [role.category] if role and not product else []
    return frozenset(found) - UNINFORMATIVE


def limits_of(told: Iterable[tuple[Setting, Offers]]) -> Mapping[Setting, BackOff]:
    """Where each kind of statement begins, by setting, found on all that was told."""
    by_setting: dict[Setting, list[Offers]] = {}
    for setting, some in told:
        by_setting.setdefault(setting, []).append(some)
    return {setting: _limits(some) for setting, some in by_setting.items()}


def _limits(genes: Sequence[Offers]) -> BackOff:
    least = {StatementKind.NAME: 0.5}
    least[StatementKind.CLASS], _ = _border(genes, StatementKind.CLASS, least, _CONTEXT[0])
    tried = [(factor, *_border(genes, StatementKind.ROLE, least, factor)) for factor in _CONTEXT]
    factor, border, _ = max(tried, key=lambda one: one[2])
    least[StatementKind.ROLE] = border
    by_neighbours = StatementKind.ROLE_BY_NEIGHBOURS
    least[by_neighbours], _ = _border(genes, by_neighbours, least, factor)
    held = dict(_held(genes, least, factor))
    return BackOff(least, held, factor)


def _border(
    genes: Sequence[Offers],
    kind: StatementKind,
    least: Mapping[StatementKind, float],
    factor: float,
) -> tuple[float, int]:
    """The lowest border from which surely enough of a kind hold, and how many are then stated."""
    for border in _GRID:
        stated = [
            one
            for of_gene in genes
            if (one := first_of(of_gene[factor], {**least, kind: border})) is not None
            and one.candidate.kind is kind
            and one.holds is not None
        ]
        if not stated:
            break
        if _surely(sum(bool(one.holds) for one in stated), len(stated)) >= PROMISE:
            return border, len(stated)
    return _NEVER, 0


def _surely(right: int, judged: int) -> float:
    """The share that is surely reached: the lower end of Wilson's interval (1927)."""
    share, square = right / judged, _Z**2
    spread = _Z * math.sqrt(share * (1 - share) / judged + square / (4 * judged**2))
    return (share + square / (2 * judged) - spread) / (1 + square / judged)


def first_of(some: Iterable[Offer], least: Mapping[StatementKind, float]) -> Offer | None:
    """The first statement that reaches where its kind begins."""
    return next(
        (one for one in some if one.candidate.probability >= least.get(one.candidate.kind, _NEVER)),
        None,
    )


def _held(
    genes: Iterable[Offers], least: Mapping[StatementKind, float], factor: float
) -> Iterator[tuple[StatementKind, tuple[int, int]]]:
    right, told = Counter[StatementKind](), Counter[StatementKind]()
    for of_gene in genes:
        one = first_of(of_gene[factor], least)
        if one is not None and one.holds is not None:
            told[one.candidate.kind] += 1
            right[one.candidate.kind] += one.holds
    for kind in StatementKind:
        yield kind, (right[kind], told[kind])


class Stated(NamedTuple):
    """What was stated of the held-out genes of a setting.

    Attributes:
        genes: Whose record says something.
        held: Of each kind, statements that held, and how many were judged.
    """

    genes: int
    held: Mapping[StatementKind, tuple[int, int]]


def kept(
    limits: Mapping[Setting, BackOff], held_out: Mapping[Setting, Stated]
) -> Mapping[Setting, BackOff]:
    """The borders, with what was measured without each group instead of with all of them.

    Kinds of statements that did not keep the promise there are not made.
    """
    return {setting: _kept(own, held_out[setting].held) for setting, own in limits.items()}


def _kept(own: BackOff, held: Mapping[StatementKind, tuple[int, int]]) -> BackOff:
    broken = {
        kind
        for kind, (right, judged) in held.items()
        if kind is not StatementKind.NAME and (not judged or right < PROMISE * judged)
    }
    least = {kind: _NEVER if kind in broken else border for kind, border in own.least.items()}
    return BackOff(least, held, own.context)


def measured(
    told: Iterable[tuple[Setting, str, Offers]],
    limits: Mapping[str, Mapping[Setting, BackOff]],
) -> Mapping[Setting, Stated]:
    """Statements on genes, by setting, with borders that were found without their group.

    Args:
        told: Setting, group and offers of each gene.
        limits: By group that was left out.
    """
    sums: dict[Setting, Counter[tuple[StatementKind, bool]]] = {}
    genes: Counter[Setting] = Counter()
    for setting, group, some in told:
        own = limits[group][setting]
        counts = sums.setdefault(setting, Counter())
        one = first_of(some[own.context], own.least)
        genes[setting] += 1
        if one is not None and one.holds is not None:
            counts[one.candidate.kind, one.holds] += 1
    return {
        setting: Stated(
            genes[setting],
            {
                kind: (counts[kind, True], counts[kind, True] + counts[kind, False])
                for kind in StatementKind
            },
        )
        for setting, counts in sums.items()
    }
