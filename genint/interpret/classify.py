"""COG, Pfam, GO and category of a gene, each with its grounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from genint.interpret.claims import ScoringModel
from genint.knowledge.roles import Role
from genint.model.evidence import Evidence, GoTerm
from genint.model.interpretation import NOT_CLASSIFIED, Classification, GeneContext, Hypothesis
from genint.model.vocabulary import (
    COG_CATEGORIES,
    COG_NAMES,
    Category,
    CogSource,
    EvidenceSource,
    Specificity,
)

_UNTELLING_COG = frozenset("RS")
_UNTELLING_CATEGORIES = frozenset({Category.OTHER, Category.UNKNOWN})


class _Played(NamedTuple):
    """A role and the name that plays it."""

    role: Role
    name: str


def classify(
    hypotheses: Sequence[Hypothesis], unknown_pfam: Sequence[str], judgement: ScoringModel
) -> Classification:
    """Classify by the leading hypothesis; rivals only fill what it leaves open.

    Args:
        hypotheses: Best first; a gene without any is for :func:`classify_dark`.
        unknown_pfam: Families of unknown function that were found, best first.
        judgement: Parameters and roles.
    """
    if not hypotheses:
        return NOT_CLASSIFIED
    leading, everything = hypotheses[0].evidence, _unopposed(hypotheses, judgement)
    own = _played(hypotheses[0].subject, judgement)
    played = own or _role(leading, judgement)
    cog, source = _cog(leading, everything, played)
    families = [item.pfam for item in (*leading, *everything) if item.pfam] + list(unknown_pfam)
    return Classification(
        cog_category=cog,
        cog_name=COG_NAMES.get(cog) if cog else None,
        cog_source=source,
        pfam_id=families[0] if families else None,
        go_terms=_go(leading, played),
        category=_of_product(leading, judgement)
        or _category(own, played, cog, [ec for item in leading for ec in item.ec]),
    )


def classify_dark(unknown: Sequence[Evidence], context: GeneContext | None) -> Classification:
    """What can be said of a gene that no name can be given: its family, letter, category.

    Args:
        unknown: Hits of families of unknown function, best first.
        context: What its neighbours say, where that is worth telling.
    """
    if not unknown and context is None:
        return NOT_CLASSIFIED
    letter = next((item.cog for item in unknown if item.cog), None)
    category = context.category if context is not None else Category.UNKNOWN
    return Classification(
        cog_category=letter,
        cog_name=COG_NAMES.get(letter) if letter else None,
        cog_source=CogSource.PFAM if letter else None,
        pfam_id=next((item.pfam for item in unknown if item.pfam), None),
        category=category,
    )


def _of_product(leading: Sequence[Evidence], judgement: ScoringModel) -> Category | None:
    """Category of the term that the leading name is; None where it is none or tells nothing."""
    product = judgement.products.products.get(leading[0].product or "")
    if product is None or product.category in _UNTELLING_CATEGORIES:
        return None
    return product.category


def _unopposed(hypotheses: Sequence[Hypothesis], judgement: ScoringModel) -> tuple[Evidence, ...]:
    """Sound evidence of rivals that carry no conflict: they describe the same protein."""
    parameters = judgement.parameters
    return tuple(
        item
        for hypothesis in hypotheses[1:]
        if not any(term.reason.startswith("contradicted") for term in hypothesis.terms)
        for item in hypothesis.evidence
        if parameters.reliability[item.strength] >= parameters.least_reliability_for_agreement
    )


def _played(name: str, judgement: ScoringModel) -> _Played | None:
    role = judgement.roles.role_of(name)
    return None if role is None else _Played(role, name)


def _role(evidence: Sequence[Evidence], judgement: ScoringModel) -> _Played | None:
    """Role of the most specific name that has one; narrow roles before broad ones."""
    roles = [found for item in evidence if (found := _played(item.subject, judgement))]
    narrow = [found for found in roles if not found.role.broad]
    return next(iter(narrow or roles), None)


def _cog(
    leading: Sequence[Evidence], others: Sequence[Evidence], played: _Played | None
) -> tuple[str | None, CogSource | None]:
    """The file's own letter, then of the own family, the similar protein, Pfam, the role."""
    by_role = played.role.cog_of(played.name) if played else None
    grounds = (
        (CogSource.ANNOTATION, [i.cog for i in leading if i.source is EvidenceSource.GENBANK]),
        (
            CogSource.GENINT_FAMILY,
            [i.cog for i in leading if i.source is EvidenceSource.GENINT_FAMILY],
        ),
        (CogSource.HOMOLOGY, [i.cog for i in leading if i.similar is not None]),
        (CogSource.PFAM, [i.cog for i in leading if i.pfam]),
        (CogSource.PRODUCT_ROLE, [by_role]),
        (CogSource.PFAM, [i.cog for i in others if i.pfam]),
    )
    found = ((letter, source) for source, letters in grounds for letter in letters if letter)
    return next(found, (None, None))


def _go(leading: Sequence[Evidence], played: _Played | None) -> tuple[GoTerm, ...]:
    """Terms of the leading hypothesis's evidence and role, each once, by id.

    A domain is a part of its protein: what its name says of the whole is left to the
    terms that Pfam's curators gave to the family.
    """
    parts = {item.subject for item in leading if item.specificity is Specificity.DOMAIN}
    whole = {item.subject for item in leading} - parts
    by_role = played.role.go_of(played.name) if played and played.name in whole else ()
    terms: dict[str, GoTerm] = {}
    for term in (*by_role, *(t for item in leading for t in item.go)):
        known = terms.get(term.id)
        if known is None or _completeness(term) > _completeness(known):
            terms[term.id] = term
    return tuple(terms[key] for key in sorted(terms))


def _completeness(term: GoTerm) -> tuple[bool, bool]:
    return bool(term.name), term.aspect is not None


def _category(
    own: _Played | None, played: _Played | None, cog: str | None, ec_numbers: Sequence[str]
) -> Category:
    """The role of the name itself, then COG, then the role of its support, then EC."""
    if own is not None:
        return own.role.category
    if cog is not None and cog not in _UNTELLING_COG:
        return COG_CATEGORIES[cog[0]]
    if played is not None:
        return played.role.category
    for ec in ec_numbers:
        # Enzymes of information processing play roles; what is left is metabolism
        # but for the peptidases.
        return Category.PROTEIN_FATE if ec.startswith("3.4.") else Category.METABOLISM
    return COG_CATEGORIES[cog[0]] if cog else Category.OTHER
