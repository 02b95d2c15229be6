"""The most precise statement on a gene that holds as often as is promised.

A name that the evidence supports too little may still be of a sure class, and where that is
open too, all that the evidence and the neighbours suggest may be of one role. So along name,
class and role the first is stated of which at least nine in ten held for genes that were left
out of the fit (``back_off`` in ``confidence.toml``), instead of nothing.

Source: selective prediction with a fixed precision, El-Yaniv & Wiener 2010 (J. Mach. Learn. Res.
11, 1605); the borders are found on held-out genomes, as split-conformal ones are (Vovk, Gammerman &
Shafer 2005, doi:10.1007/b106715).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from genint.interpret.claims import ScoringModel, category_among, read_claim
from genint.interpret.gene_context import NeighbourContext
from genint.interpret.scoring import (
    NeighbourEvidence,
    Scored,
    is_foreign,
    uncapped_log_odds,
)
from genint.knowledge.confidence import BackOff, logistic, logit
from genint.knowledge.products import Product
from genint.model.interpretation import GeneContext, Hypothesis, Statement, StatementKind
from genint.model.vocabulary import Category, ConfidenceLevel, EvidenceType, Specificity

_WHOLE = frozenset({Specificity.PROTEIN, Specificity.FAMILY})
_SUREST = 0.999
"""Probability that several hypotheses together come to at most."""


class Candidate(NamedTuple):
    """Something that may be stated of a gene.

    Attributes:
        kind: How much it says.
        text: As reports say it.
        probability: By which it is compared with others of its kind, 0..1: not calibrated.
        category: Of a role.
    """

    kind: StatementKind
    text: str
    probability: float
    category: Category | None = None


def statement(scored: Scored, around: NeighbourContext, model: ScoringModel) -> Statement | None:
    """The most precise statement that keeps the promise; None where none does.

    Args:
        scored: The hypotheses of a gene, best first.
        around: What its neighbours suggest.
        model: Its parameters say where each kind of statement begins.
    """
    limits = model.parameters.back_off_of(model.setting)
    if limits is None:
        return None
    found = stated(candidates(scored, around, model, limits.context), limits)
    if found is None:
        return None
    right, judged = limits.held[found.kind]
    return Statement(found.text, found.kind, right, judged)


def stated(some: Iterable[Candidate], limits: BackOff) -> Candidate | None:
    """The first candidate, from the most precise on, that reaches where its kind begins."""
    return next((one for one in some if one.probability >= limits.least[one.kind]), None)


def candidates(
    scored: Scored, around: NeighbourContext, model: ScoringModel, context: float
) -> tuple[Candidate, ...]:
    """What may be stated of a gene, the most precise first.

    Args:
        scored: Its hypotheses, best first.
        around: What its neighbours suggest.
        model: Vocabulary and roles.
        context: Factor on the log-odds of the neighbours for its role.
    """
    sober = tuple(one for one in scored.hypotheses if not is_foreign(one))
    if not sober:
        return tuple(_of_neighbours(around.context))
    return (
        *_name(scored.hypotheses[0], model),
        *_classes(sober, model),
        *_roles(sober, around.evidence, model, context),
    )


def _name(best: Hypothesis, model: ScoringModel) -> Iterator[Candidate]:
    """The leading name, where the evidence supports it: its level is fitted to hold as often."""
    product = _product(best, model)
    is_class = product is not None and product.vague
    if best.specificity in _WHOLE and not is_class and not is_foreign(best):
        supported = ConfidenceLevel.of(best.score).is_supported
        yield Candidate(StatementKind.NAME, best.claim, 1.0 if supported else 0.0)


def _classes(hypotheses: Sequence[Hypothesis], model: ScoringModel) -> Iterator[Candidate]:
    """Classes of what the hypotheses name, narrow ones first."""
    wrong: defaultdict[str, float] = defaultdict(lambda: 1.0)
    for hypothesis in hypotheses:
        product = _product(hypothesis, model)
        if product is None or hypothesis.specificity is Specificity.DOMAIN:
            continue
        doubt = 1.0 - logistic(uncapped_log_odds(hypothesis))
        for wider in model.products.lineage(product.id):
            if wider.vague or wider.id != product.id:
                wrong[wider.id] *= doubt
    found = [(model.products.products[id_], 1.0 - doubt) for id_, doubt in wrong.items()]
    found.sort(key=lambda one: (-len(model.products.lineage(one[0].id)), -one[1], one[0].id))
    for class_, probability in found:
        yield Candidate(StatementKind.CLASS, class_.name, probability)


def _roles(
    hypotheses: Sequence[Hypothesis],
    near: NeighbourEvidence | None,
    model: ScoringModel,
    context: float,
) -> Iterator[Candidate]:
    """Functional categories, the likeliest first."""
    wrong: defaultdict[Category, float] = defaultdict(lambda: 1.0)
    for hypothesis in hypotheses:
        category = _category(hypothesis, model)
        if category is not None:
            wrong[category] *= 1.0 - logistic(_without_context(hypothesis))
    odds = {
        category: logit(min(_SUREST, 1.0 - doubt))
        + (context * near.log_odds.get(category, 0.0) if near is not None else 0.0)
        for category, doubt in wrong.items()
    }
    # Categories exclude one another: what speaks for one speaks against the others.
    total = 1.0 + sum(math.exp(value) for value in odds.values())
    for category in sorted(odds, key=lambda one: (-odds[one], one.value)):
        share = math.exp(odds[category]) / total
        yield Candidate(StatementKind.ROLE, category.value, share, category)


def _of_neighbours(context: GeneContext | None) -> Iterator[Candidate]:
    if context is not None:
        text = context.category.value
        yield Candidate(
            StatementKind.ROLE_BY_NEIGHBOURS, text, context.probability, context.category
        )


def _category(hypothesis: Hypothesis, model: ScoringModel) -> Category | None:
    """Category of a hypothesis, whether of the whole or of a part."""
    claims = [
        read_claim(item, model)
        for item in hypothesis.evidence
        if item.type is not EvidenceType.GENE_CONTEXT
    ]
    return category_among(claims) if claims else None


def _without_context(hypothesis: Hypothesis) -> float:
    """Log-odds without what the neighbours add: they count once, for the role."""
    terms = [
        term.log_odds
        for term in hypothesis.terms
        if term.reason.startswith("neighbours")
        or (term.evidence is not None and term.evidence.type is EvidenceType.GENE_CONTEXT)
    ]
    return uncapped_log_odds(hypothesis) - sum(terms)


def _product(hypothesis: Hypothesis, model: ScoringModel) -> Product | None:
    id_ = hypothesis.evidence[0].product
    return model.products.products.get(id_) if id_ else None
