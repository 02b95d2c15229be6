"""Classification of a gene: COG letter with its source, Pfam family, GO terms and category."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from genint.interpret.claims import UNINFORMATIVE, ScoringModel
from genint.interpret.phage_context import is_of_phages
from genint.knowledge.function_words import category_by_words
from genint.knowledge.products import Product
from genint.knowledge.roles import Role
from genint.model.evidence import Evidence, GoTerm
from genint.model.interpretation import NOT_CLASSIFIED, Classification, GeneContext, Hypothesis
from genint.model.vocabulary import (
    COG_CATEGORIES,
    COG_NAMES,
    Category,
    CogSource,
    EvidenceSource,
    EvidenceType,
    Specificity,
    cog_fits,
)

_UNINFORMATIVE_COG = frozenset("RS")
_IN_BACTERIA: Final = {
    Category.LYSIS: Category.ENVELOPE,
    Category.LYSOGENY: Category.TRANSCRIPTION,
}
"""What proteins like those of a phage's lysis and lysogeny do in bacteria."""
_VIRION: Final = frozenset({Category.HEAD, Category.CONNECTOR, Category.TAIL})
"""Parts of phage particles that hold enzymes, which bacteria have relatives of: they pierce
capsules and walls."""
_S24: Final = "PF00717"
"""Pfam's family of the peptidases of LexA and of phage repressors."""
_REGULATOR: Final = re.compile(r"regulator|repressor", re.IGNORECASE)


class _NamedRole(NamedTuple):
    """A role and the name that plays it."""

    role: Role
    name: str


class _LeadingName(NamedTuple):
    """What the leading name says that a COG letter must not contradict.

    Attributes:
        category: Its functional category; None where it states none.
        letter: That of its term, which practically every such protein has; None without one.
    """

    category: Category | None
    letter: str | None

    def allows(self, letter: str) -> bool:
        """Whether a letter may be shown beside the name.

        One domain is not the protein: the ATPase domain of a topoisomerase is that of sensor
        kinases too, whose letter would call it a protein of signalling.
        """
        return cog_fits(letter, self.category) if self.letter is None else letter == self.letter


def classify(
    hypotheses: Sequence[Hypothesis],
    unknown_pfam: Sequence[str],
    model: ScoringModel,
    *,
    in_phage: bool = True,
) -> Classification:
    """Classify by the leading hypothesis; rivals only fill what it leaves open.

    Args:
        hypotheses: Best first; a gene without any is for :func:`classify_dark`.
        unknown_pfam: Families of unknown function that were found, best first.
        model: Parameters and roles.
        in_phage: The gene is a phage's, or lies among genes of one.
    """
    if not hypotheses:
        return NOT_CLASSIFIED
    leading, everything = hypotheses[0].evidence, _unopposed(hypotheses, model)
    own = _role_of_name(hypotheses[0].subject, model)
    named_role = own or _role(leading, model)
    name = _LeadingName(_category_of_name(leading, own, model), _letter_of_term(leading, model))
    cog, source = _cog(leading, everything, named_role, name)
    families = [item.pfam for item in (*leading, *everything) if item.pfam] + list(unknown_pfam)
    enzymes = [number for item in leading for number in item.ec]
    category = _of_product(leading, model) or _category(own, named_role, cog, enzymes)
    if not in_phage:
        category = _outside_phages(category, cog, enzymes, _product(leading, model))
    elif _keeps_lysogeny(category, hypotheses, _product(leading, model)):
        category = Category.LYSOGENY
    if category in UNINFORMATIVE:
        category = _by_words(leading, model, in_phage=in_phage) or category
    return Classification(
        cog_category=cog,
        cog_name=COG_NAMES.get(cog) if cog else None,
        cog_source=source,
        pfam_id=families[0] if families else None,
        go_terms=_go(leading, named_role),
        category=category,
    )


def classify_dark(unknown: Sequence[Evidence], context: GeneContext | None) -> Classification:
    """Classify a gene without any hypothesis: its family, COG letter, category.

    Args:
        unknown: Hits of families of unknown function, best first.
        context: Category that its neighbours suggest, where it is likely enough to report.
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


def _of_product(leading: Sequence[Evidence], model: ScoringModel) -> Category | None:
    """Category of the term that the leading name is; None where it has no informative one."""
    product = _product(leading, model)
    if product is None or product.category in UNINFORMATIVE:
        return None
    return product.category


def _product(leading: Sequence[Evidence], model: ScoringModel) -> Product | None:
    """The term that the leading name is."""
    return model.products.products.get(leading[0].product or "")


def _by_words(
    leading: Sequence[Evidence], model: ScoringModel, *, in_phage: bool
) -> Category | None:
    """Category that the leading name speaks of, else that of the names that support it.

    Files word names in their own way; the families beside them are mostly terms of the
    vocabulary. A part of a protein says nothing of the whole.
    """
    whole = (
        item
        for item in leading
        if item.specificity is not Specificity.DOMAIN and item.type is not EvidenceType.GENE_CONTEXT
    )
    found = (
        _of_term(item, model, in_phage=in_phage)
        or category_by_words(item.subject, in_phage=in_phage)
        for item in whole
    )
    return next(filter(None, found), None)


def _of_term(item: Evidence, model: ScoringModel, *, in_phage: bool) -> Category | None:
    """Category of the term that evidence names, where that is one of cells or the gene a phage's.

    None too where it names no function.
    """
    product = model.products.products.get(item.product or "")
    if product is None or product.category in UNINFORMATIVE:
        return None
    if in_phage:
        return product.category
    known = _IN_BACTERIA.get(product.category, product.category)
    return None if known in _VIRION else known


def _outside_phages(
    category: Category, cog: str | None, enzymes: Sequence[str], product: Product | None
) -> Category:
    """The category of a gene that lies in no phage: cell walls are not cut to lyse the cell there.

    A name that only phage proteins have (tail tube protein) stays where it is.
    """
    if category in _IN_BACTERIA:
        return _IN_BACTERIA[category]
    if category not in _VIRION or product is None or is_of_phages(product):
        return category
    return _category(None, None, cog, enzymes)


def _keeps_lysogeny(
    category: Category, hypotheses: Sequence[Hypothesis], product: Product | None
) -> bool:
    """Whether a regulator of a phage, of which no more is said, is of the kind of lambda's CI.

    Those bind DNA, and cleave themselves as LexA does when the host is in danger: by peptidase S24.
    """
    if category is not Category.TRANSCRIPTION or (product is not None and not product.vague):
        return False
    if _REGULATOR.search(hypotheses[0].subject) is None:
        return False
    items = [item for hypothesis in hypotheses for item in hypothesis.evidence]
    return any(item.pfam == _S24 or _S24 in item.expected_pfam for item in items)


def _category_of_name(
    leading: Sequence[Evidence], own: _NamedRole | None, model: ScoringModel
) -> Category | None:
    """Category of the leading name: of its term, else of its role."""
    found = _of_product(leading, model) or (own.role.category if own else None)
    return None if found in UNINFORMATIVE else found


def _letter_of_term(leading: Sequence[Evidence], model: ScoringModel) -> str | None:
    product = model.products.products.get(leading[0].product or "")
    return product.cog if product else None


def _unopposed(hypotheses: Sequence[Hypothesis], model: ScoringModel) -> tuple[Evidence, ...]:
    """Sound evidence of rivals that carry no conflict: they describe the same protein."""
    parameters = model.parameters
    return tuple(
        item
        for hypothesis in hypotheses[1:]
        if not any(term.reason.startswith("contradicted") for term in hypothesis.terms)
        for item in hypothesis.evidence
        if parameters.reliability[item.strength] >= parameters.least_reliability_for_agreement
    )


def _role_of_name(name: str, model: ScoringModel) -> _NamedRole | None:
    role = model.roles.role_of(name)
    return None if role is None else _NamedRole(role, name)


def _role(evidence: Sequence[Evidence], model: ScoringModel) -> _NamedRole | None:
    """Role of the most specific name that has one; narrow roles before broad ones."""
    roles = [found for item in evidence if (found := _role_of_name(item.subject, model))]
    narrow = [found for found in roles if not found.role.broad]
    return next(iter(narrow or roles), None)


def _cog(
    leading: Sequence[Evidence],
    others: Sequence[Evidence],
    named_role: _NamedRole | None,
    name: _LeadingName,
) -> tuple[str | None, CogSource | None]:
    """The file's own letter, then of the own family, the similar protein, Pfam, the role.

    But for the file's, which is shown as it is, none is at odds with the leading name.
    """
    of_file = (item.cog for item in leading if item.source is EvidenceSource.GENBANK)
    if stated := next(filter(None, of_file), None):
        return stated, CogSource.ANNOTATION
    by_role = named_role.role.cog_of(named_role.name) if named_role else None
    candidates = (
        (
            CogSource.GENINT_FAMILY,
            [i.cog for i in leading if i.source is EvidenceSource.GENINT_FAMILY],
        ),
        (CogSource.HOMOLOGY, [i.cog for i in leading if i.similar is not None]),
        (CogSource.IMPORTED, [i.cog for i in leading if i.source.is_imported]),
        (CogSource.PFAM, [i.cog for i in leading if i.pfam]),
        (CogSource.PRODUCT_ROLE, [name.letter, by_role]),
        (CogSource.PFAM, [i.cog for i in others if i.pfam]),
    )
    found = (
        (letter, source)
        for source, letters in candidates
        for letter in letters
        if letter and name.allows(letter)
    )
    return next(found, (None, None))


def _go(leading: Sequence[Evidence], named_role: _NamedRole | None) -> tuple[GoTerm, ...]:
    """Terms of the leading hypothesis's evidence and role, each once, by id.

    A domain is a part of its protein: what its name says of the whole is left to the
    terms that Pfam's curators gave to the family.
    """
    parts = {item.subject for item in leading if item.specificity is Specificity.DOMAIN}
    whole = {item.subject for item in leading} - parts
    by_role = (
        named_role.role.go_of(named_role.name) if named_role and named_role.name in whole else ()
    )
    terms: dict[str, GoTerm] = {}
    for term in (*by_role, *(t for item in leading for t in item.go)):
        known = terms.get(term.id)
        if known is None or _completeness(term) > _completeness(known):
            terms[term.id] = term
    return tuple(terms[key] for key in sorted(terms))


def _completeness(term: GoTerm) -> tuple[bool, bool]:
    return bool(term.name), term.aspect is not None


def _repairs_metabolites(ec: str) -> bool:
    """Whether an enzyme cleans up after metabolism, which COG counts among the defences.

    Amidases of damaged metabolites (omega-amidase) and hydrolases of nucleotides (NudE).
    """
    return ec.startswith(("3.5.1.", "3.6.1."))


def _category(
    own: _NamedRole | None,
    named_role: _NamedRole | None,
    cog: str | None,
    ec_numbers: Sequence[str],
) -> Category:
    """The role of the name itself, then COG, then the role of its support, then EC."""
    if own is not None:
        return own.role.category
    if cog == "V" and any(map(_repairs_metabolites, ec_numbers)):
        return Category.METABOLISM
    if cog is not None and cog not in _UNINFORMATIVE_COG:
        return COG_CATEGORIES[cog[0]]
    if named_role is not None:
        return named_role.role.category
    for ec in ec_numbers:
        # Enzymes of information processing play roles; what is left is metabolism
        # but for the peptidases.
        return Category.PROTEIN_FATE if ec.startswith("3.4.") else Category.METABOLISM
    return COG_CATEGORIES[cog[0]] if cog else Category.OTHER
