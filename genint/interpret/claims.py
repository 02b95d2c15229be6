"""What the interpreter is handed: the knowledge and parameters it judges by."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from genint.knowledge.confidence import DEFAULT_SETTING, Calibration, ConfidenceParameters, Setting
from genint.knowledge.gene_order import GeneOrder
from genint.knowledge.product_names import alike, blocked_by, opposed, set_apart, words_of
from genint.knowledge.products import Product, ProductVocabulary, Relation
from genint.knowledge.roles import Role, RoleTable
from genint.model.evidence import Evidence
from genint.model.vocabulary import Category, EvidenceType, Specificity


@dataclass(frozen=True, slots=True)
class ScoringModel:
    """Everything besides evidence that decides an interpretation.

    Attributes:
        parameters: The confidence model.
        roles: What product names stand for.
        products: The vocabulary.
        setting: Mode and kind of genome, which confidence is calibrated for.
        gene_order: What neighbours tell; None to do without.
    """

    parameters: ConfidenceParameters
    roles: RoleTable
    products: ProductVocabulary
    setting: Setting = DEFAULT_SETTING
    gene_order: GeneOrder | None = None

    @property
    def calibration(self) -> Calibration:
        """Log-odds of this mode and kind of genome."""
        return self.parameters.calibration(self.setting)


_CLAUSE_END = re.compile(r"[;,]\s")
_TOUCHES = " binding"
"""End of GO terms that tell what a protein touches, not what it does: an integrase and a
polymerase both bind DNA."""
_AGAINST = re.compile(r"\banti-?([a-z]+)", re.IGNORECASE)
_SYMBOL = re.compile(r"\b[A-Z][a-z]{2}[A-Z]\d?\b")
"""Gene symbol of a bacterium as proteins have it."""
_UNTELLING = frozenset({Category.OTHER, Category.UNKNOWN})
_SAME_LINE = frozenset({Relation.SAME, Relation.NARROWER, Relation.BROADER})
_PHAGE_MODULES = frozenset(
    {
        Category.PACKAGING,
        Category.HEAD,
        Category.TAIL,
        Category.LYSIS,
        Category.INTEGRATION,
        Category.TRANSLATION,
    }
)
"""Categories that exclude one another: a tail fiber does not integrate DNA."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One piece of evidence, made comparable.

    Attributes:
        words: Telling words of the whole name.
        aliases: The same of its other names: gene symbol, family names, GO terms.
        clauses: The same of each part of a name that lists several things.
        product: The term of the vocabulary that the name is.
        products: The vocabulary.
        blocked: What a protein of this name blocks (an inhibitor its enzyme), as claims.
    """

    evidence: Evidence
    words: frozenset[str]
    aliases: tuple[frozenset[str], ...]
    clauses: tuple[frozenset[str], ...]
    role: Role | None
    product: Product | None
    products: ProductVocabulary = field(repr=False, compare=False)
    blocked: tuple[Claim, ...] = ()

    @property
    def specificity(self) -> Specificity:
        """How much is claimed."""
        return self.evidence.specificity

    @property
    def specific_role(self) -> str | None:
        """Role narrow enough that two names of it agree."""
        return None if self.role is None or self.role.broad else self.role.id


def read_claim(evidence: Evidence, judgement: ScoringModel) -> Claim:
    """Make evidence comparable: its words, those of its GO terms, its role and term."""
    product = judgement.products.products.get(evidence.product) if evidence.product else None
    return Claim(
        evidence=evidence,
        words=words_of(evidence.subject),
        aliases=tuple(
            words_of(name)
            for name in (*evidence.aliases, *_go_names(evidence))
            if name and not name.endswith(_TOUCHES)
        ),
        clauses=tuple(words_of(clause) for clause in _CLAUSE_END.split(evidence.subject)),
        role=_role(evidence.subject, product, judgement),
        product=product,
        products=judgement.products,
        blocked=_blocked(evidence, product, judgement),
    )


def _blocked(
    evidence: Evidence, product: Product | None, judgement: ScoringModel
) -> tuple[Claim, ...]:
    """What the protein blocks, by its name and by that of the term which this is.

    One that does something else too is more than a blocker.
    """
    if any(blocked_by(clause) is None for clause in _CLAUSE_END.split(evidence.subject)):
        return ()
    names = (evidence.subject, product.name if product else "")
    # The symbol of an antiterminator NusB is its own; that of an inhibitor of RecA is not.
    bare = [_SYMBOL.sub("", name) if _AGAINST.search(name) else name for name in names]
    targets = dict.fromkeys(
        target
        for name in bare
        if (target := blocked_by(name)) and not _names_both_sides(evidence.subject)
    )
    found = ((target, judgement.products.find(target)) for target in targets)
    return tuple(
        read_claim(_named(evidence, target, known.id if known else None), judgement)
        for target, known in found
    )


def _names_both_sides(name: str) -> bool:
    """Whether a name speaks of a thing and of what is against it.

    The toxin of a toxin-antitoxin system, a holin/antiholin, a factor of termination and
    antitermination.
    """
    against = [side.lower() for side in _AGAINST.findall(name)]
    rest = _AGAINST.sub(" ", name).lower()
    return any(re.search(rf"\b{side}", rest) for side in against)


def _named(evidence: Evidence, name: str, product: str | None) -> Evidence:
    """The same under another name, without what only the first one brings."""
    return replace(evidence, subject=name, product=product, aliases=(), go=(), ec=(), pfam=None)


def _go_names(evidence: Evidence) -> Iterable[str]:
    """Names of the terms of a family, which say what its members do.

    Those of one protein are many and of all sorts (response to heat, cytosol): what it does
    is told by its name.
    """
    return () if evidence.similar is not None else (term.name for term in evidence.go)


def _role(name: str, product: Product | None, judgement: ScoringModel) -> Role | None:
    """The role that the vocabulary gives to a term; of other names the one that they tell."""
    if product is not None and product.role is not None:
        return next(role for role in judgement.roles.roles if role.id == product.role)
    return judgement.roles.role_of(name)


def category_of(claim: Claim) -> Category | None:
    """Functional category of what is claimed; None where it has none that tells something."""
    product, role = claim.product, claim.role
    if product is not None and product.category not in _UNTELLING:
        return product.category
    return role.category if role is not None and role.category not in _UNTELLING else None


def relation(first: Claim, second: Claim) -> Relation:
    """How the terms of two claims stand to each other; UNRELATED where one has none."""
    if first.product is None or second.product is None:
        return Relation.UNRELATED
    return first.products.related(first.product.id, second.product.id)


def agree(first: Claim, second: Claim) -> bool:
    """Whether two claims speak of one function.

    The vocabulary decides where it knows both names: one term agrees with itself and
    with those that it is a kind of, and never with its opposites, nor with what it
    blocks. Then shared
    identifiers decide (Pfam family, EC number), then roles, then words. Names of GO
    terms that come with a family count as its other names.
    """
    related = relation(first, second)
    if related in _SAME_LINE:
        return True
    if related is Relation.OPPOSITE or _is_blocked(first, second):
        return False
    if _shared_identifier(first, second):
        return True
    return _other_enzyme(first, second) is None and _told_alike(first, second)


def _told_alike(first: Claim, second: Claim) -> bool:
    """By their roles where both have one of their own, else by their words."""
    if first.specific_role and second.specific_role:
        return _plays(first.role, second) or _plays(second.role, first)
    if set_apart(first.words, second.words) or are_two_terms(first, second):
        return False
    return _names_agree(first, second)


def fits(first: Claim, second: Claim) -> bool:
    """Whether one is a Pfam family that members of the other, an own family, have.

    Or that the other's similar protein has. That the protein has what these have speaks for
    its being one of them, and so far for the name; the name itself is not confirmed by it.
    """
    expected = (
        second.evidence.pfam in first.evidence.expected_pfam
        or first.evidence.pfam in second.evidence.expected_pfam
    )
    return expected and contradiction(first, second) is None


def _is_blocked(first: Claim, second: Claim) -> bool:
    """Whether one is named as what blocks the other: its inhibitor, an anti- of it."""
    if bool(first.blocked) == bool(second.blocked):
        return False
    blocker, other = (first, second) if first.blocked else (second, first)
    # By its own name alone: an alias of a domain (a GO term of transcription) is no target.
    named = replace(other, aliases=())
    return any(agree(target, named) for target in blocker.blocked)


def _plays(role: Role | None, claim: Claim) -> bool:
    """Whether a claim's name fits a role too (a primase/helicase is a helicase)."""
    return role is not None and role.plays(claim.evidence.subject.lower())


def _names_agree(first: Claim, second: Claim) -> bool:
    """Whole names, then their clauses, then other names, which no opposite overrules."""
    if alike(first.words, second.words):
        return True
    if any(alike(one, other) for one in first.clauses for other in second.clauses):
        return True
    if opposed(first.words, second.words):
        return False
    return any(alike(alias, second.words) for alias in first.aliases) or any(
        alike(first.words, alias) for alias in second.aliases
    )


def are_two_terms(first: Claim, second: Claim) -> bool:
    """Whether the vocabulary knows both names as functions of their own.

    Words in common (ribose and galactose phosphate isomerase) make them no one thing.
    """
    one, other = first.product, second.product
    return one is not None and other is not None and not one.vague and not other.vague


def _shared_identifier(first: Claim, second: Claim) -> bool:
    one, other = first.evidence, second.evidence
    if one.pfam is not None and one.pfam == other.pfam:
        return True
    return bool(set(_enzymes(first)) & set(_enzymes(second)))


def _enzymes(claim: Claim) -> tuple[str, ...]:
    """Complete EC numbers of a claim: its own, else those of the term that it is."""
    return _full(claim.evidence.ec) or _full(claim.product.ec if claim.product else ())


def _full(ec_numbers: Iterable[str]) -> tuple[str, ...]:
    """EC numbers down to the fourth level: 2.7.-.- is no identifier."""
    return tuple(ec for ec in ec_numbers if "-" not in ec)


def contradiction(first: Claim, second: Claim) -> str | None:
    """Why two claims cannot both hold, in plain words; None where they can.

    Different words alone are no contradiction: a protein may be a synthase and
    contain an ATP-binding domain. Two parts of one protein never contradict.
    """
    if first.evidence.type is second.evidence.type is EvidenceType.DOMAIN:
        return None
    if first.specificity is second.specificity is Specificity.DOMAIN:
        return None
    if relation(first, second) is Relation.OPPOSITE:
        return "one is what the other must not be taken for"
    opposites = opposed(first.words, second.words) or _is_blocked(first, second)
    if opposites and not agree(first, second):
        return "one names what the other blocks, lacks or opposes"
    return _other_enzyme(first, second) or _other_module(first, second)


def _other_enzyme(first: Claim, second: Claim) -> str | None:
    ours, theirs = _enzymes(first), _enzymes(second)
    if not ours or not theirs or set(ours) & set(theirs):
        return None
    return f"different EC numbers ({', '.join(ours)} and {', '.join(theirs)})"


def _other_module(first: Claim, second: Claim) -> str | None:
    if first.role is None or second.role is None:
        return None
    modules = {first.role.category, second.role.category}
    if len(modules) > 1 and modules <= _PHAGE_MODULES:
        names = " and ".join(sorted(module.value for module in modules))
        return f"different functional modules ({names})"
    return None
