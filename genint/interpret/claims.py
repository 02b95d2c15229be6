"""Claims: pieces of evidence made comparable, and how two of them relate.

Two claims agree (one function), fit (a domain that such proteins have), contradict one another,
or none of these. :class:`ScoringModel` holds the knowledge that decides it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from genint.knowledge.confidence import DEFAULT_SETTING, Calibration, ConfidenceParameters, Setting
from genint.knowledge.dark_ranking import EVEN_RANKING, DarkRanking
from genint.knowledge.gene_order import GeneOrder
from genint.knowledge.name_lengths import NameLengths
from genint.knowledge.product_names import alike, inhibition_target, opposed, set_apart, words_of
from genint.knowledge.products import Product, ProductVocabulary, Relation
from genint.knowledge.roles import Role, RoleTable
from genint.model.evidence import Evidence
from genint.model.vocabulary import Category, EvidenceType, GenomeKind, Specificity

_CLAUSE_END = re.compile(r"[;,]\s")
_TOUCHES = " binding"
"""End of GO terms that name a binding partner, not a function: an integrase and a polymerase
both bind DNA."""
_AGAINST = re.compile(r"\banti-?([a-z]+)", re.IGNORECASE)
_SYMBOL = re.compile(r"\b[A-Z][a-z]{2}[A-Z]\d?\b")
"""Bacterial gene symbol in the form of its protein (RecA)."""
UNINFORMATIVE = frozenset({Category.OTHER, Category.UNKNOWN})
"""Categories that name no function."""
_SAME_LINEAGE = frozenset({Relation.SAME, Relation.NARROWER, Relation.BROADER})
_SAYS_LESS = frozenset({Specificity.DOMAIN, Specificity.CATEGORY})
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
class ScoringModel:
    """Everything besides evidence that decides an interpretation.

    Attributes:
        parameters: The confidence model.
        roles: Functions that product names denote.
        products: The vocabulary.
        setting: Mode and kind of genome, which confidence is calibrated for.
        gene_order: Model of the order of genes; None to do without.
        kinds: By contig, what it is taken for where that is not the kind of ``setting``.
        name_lengths: How long proteins of a name are; empty to do without.
        dark_ranking: How likely a dark gene is unknown to science.
    """

    parameters: ConfidenceParameters
    roles: RoleTable
    products: ProductVocabulary
    setting: Setting = DEFAULT_SETTING
    gene_order: GeneOrder | None = None
    kinds: Mapping[str, GenomeKind] = field(default_factory=dict)
    name_lengths: NameLengths = field(default_factory=dict)
    dark_ranking: DarkRanking = EVEN_RANKING

    def for_contig(self, contig_id: str) -> ScoringModel:
        """The same, calibrated for what a contig is taken for."""
        kind = self.kinds.get(contig_id, self.setting.kind)
        if kind is self.setting.kind:
            return self
        return replace(self, setting=self.setting._replace(kind=kind))

    @property
    def calibration(self) -> Calibration:
        """Log-odds of this mode and kind of genome."""
        return self.parameters.calibration(self.setting)


@dataclass(frozen=True, slots=True)
class Claim:
    """One piece of evidence, made comparable.

    Attributes:
        words: Informative words of the whole name.
        aliases: The same of its other names: gene symbol, family names, GO terms.
        clauses: The same of each part of a name that lists several things.
        product: The term of the vocabulary that the name is.
        products: The vocabulary.
        inhibits: What a protein of this name inhibits (an inhibitor its enzyme), as claims.
    """

    evidence: Evidence
    words: frozenset[str]
    aliases: tuple[frozenset[str], ...]
    clauses: tuple[frozenset[str], ...]
    role: Role | None
    product: Product | None
    products: ProductVocabulary = field(repr=False, compare=False)
    inhibits: tuple[Claim, ...] = ()

    @property
    def specificity(self) -> Specificity:
        """How much is claimed."""
        return self.evidence.specificity

    @property
    def specific_role(self) -> str | None:
        """Role narrow enough that two names of it agree."""
        return None if self.role is None or self.role.broad else self.role.id


def read_claim(evidence: Evidence, model: ScoringModel) -> Claim:
    """Make evidence comparable: its words, those of its GO terms, its role and term."""
    product = model.products.products.get(evidence.product) if evidence.product else None
    return Claim(
        evidence=evidence,
        words=words_of(evidence.subject),
        aliases=tuple(
            words_of(name)
            for name in (*evidence.aliases, *_go_names(evidence))
            if name and not name.endswith(_TOUCHES)
        ),
        clauses=tuple(words_of(clause) for clause in _CLAUSE_END.split(evidence.subject)),
        role=_role(evidence.subject, product, model),
        product=product,
        products=model.products,
        inhibits=_inhibited_claims(evidence, product, model),
    )


def _inhibited_claims(
    evidence: Evidence, product: Product | None, model: ScoringModel
) -> tuple[Claim, ...]:
    """What the protein inhibits, by its name and by the name of its term in the vocabulary.

    A protein that has another function too is more than an inhibitor.
    """
    if any(inhibition_target(clause) is None for clause in _CLAUSE_END.split(evidence.subject)):
        return ()
    names = (evidence.subject, product.name if product else "")
    # The symbol of an antiterminator NusB is its own; that of an inhibitor of RecA is not.
    bare = [_SYMBOL.sub("", name) if _AGAINST.search(name) else name for name in names]
    targets = dict.fromkeys(
        target
        for name in bare
        if (target := inhibition_target(name)) and not _names_both_sides(evidence.subject)
    )
    found = ((target, model.products.find(target)) for target in targets)
    return tuple(
        read_claim(_named(evidence, target, known.id if known else None), model)
        for target, known in found
    )


def _names_both_sides(name: str) -> bool:
    """Whether a name contains both a thing and its counterpart.

    The toxin of a toxin-antitoxin system, a holin/antiholin, a factor of termination and
    antitermination.
    """
    against = [side.lower() for side in _AGAINST.findall(name)]
    rest = _AGAINST.sub(" ", name).lower()
    return any(re.search(rf"\b{side}", rest) for side in against)


def _named(evidence: Evidence, name: str, product: str | None) -> Evidence:
    """The same evidence under another name, without identifiers of the first one."""
    return replace(evidence, subject=name, product=product, aliases=(), go=(), ec=(), pfam=None)


def _go_names(evidence: Evidence) -> Iterable[str]:
    """Names of the GO terms of a family, which hold for all of its members.

    Those of one protein are too many and too varied (response to heat, cytosol).
    """
    return () if evidence.similar is not None else (term.name for term in evidence.go)


def _role(name: str, product: Product | None, model: ScoringModel) -> Role | None:
    """The role that the vocabulary gives to a term; of other names the one that matches them."""
    if product is not None and product.role is not None:
        return next(role for role in model.roles.roles if role.id == product.role)
    return model.roles.role_of(name)


def category_of(claim: Claim) -> Category | None:
    """Functional category of what is claimed; None where it has no informative one."""
    product, role = claim.product, claim.role
    if product is not None and product.category not in UNINFORMATIVE:
        return product.category
    return role.category if role is not None and role.category not in UNINFORMATIVE else None


def category_among(claims: Iterable[Claim]) -> Category | None:
    """Category of a hypothesis: of its leading name.

    The file's own words are often in no vocabulary. Where they lead, the category is that of the
    first name of the whole protein that has one.
    """
    lead, *others = claims
    category = category_of(lead)
    if category is not None or lead.evidence.type is not EvidenceType.ANNOTATION:
        return category
    whole = (one for one in others if one.specificity in (Specificity.PROTEIN, Specificity.FAMILY))
    return next((known for one in whole if (known := category_of(one)) is not None), None)


def relation(first: Claim, second: Claim) -> Relation:
    """How the terms of two claims are related; UNRELATED where one has none."""
    if first.product is None or second.product is None:
        return Relation.UNRELATED
    return first.products.related(first.product.id, second.product.id)


def agree(first: Claim, second: Claim) -> bool:
    """Whether two claims name one function.

    The vocabulary decides where it knows both names: a term agrees with itself and with the
    terms that it is a kind of, never with its opposites or with what it inhibits. Then shared
    identifiers decide (Pfam family, EC number), then roles, then words. Names of GO terms that
    come with a family count as its other names. Anti-X, inhibitor of X and decoy of X are one.
    """
    related = relation(first, second)
    if related in _SAME_LINEAGE:
        return True
    if related is Relation.UNRELATED and _inhibit_one_thing(first, second):
        return True
    if related is Relation.OPPOSITE or _is_inhibitor_of(first, second):
        return False
    if _shared_identifier(first, second):
        return True
    return _other_enzyme(first, second) is None and _alike_by_role_or_words(first, second)


def says_as_much(lead: Claim, claim: Claim) -> bool:
    """Whether a claim that agrees with another is no wider: the same name, or a narrower one.

    Classes and parts are so only where the other is called the same.
    """
    related = relation(claim, lead)
    if related is Relation.SAME or (lead.words and lead.words <= claim.words):
        return True
    vague = claim.product is not None and claim.product.vague
    if vague or claim.specificity in _SAYS_LESS:
        return False
    return related is not Relation.BROADER


def _alike_by_role_or_words(first: Claim, second: Claim) -> bool:
    """By their roles where both have a specific one, else by their words."""
    if first.specific_role and second.specific_role:
        return _plays(first.role, second) or _plays(second.role, first)
    if set_apart(first.words, second.words) or are_two_terms(first, second):
        return False
    return _names_agree(first, second)


def fits(first: Claim, second: Claim) -> bool:
    """Whether one is a Pfam family that is expected of proteins of the other's name.

    That is, members of the family, or the similar protein, have it. It makes the protein more
    likely to be one of them, but does not confirm the name itself.
    """
    expected = (
        second.evidence.pfam in first.evidence.expected_pfam
        or first.evidence.pfam in second.evidence.expected_pfam
    )
    return expected and contradiction(first, second) is None


def _is_inhibitor_of(first: Claim, second: Claim) -> bool:
    """Whether one is named as an inhibitor of the other, or as an anti- of it."""
    if bool(first.inhibits) == bool(second.inhibits):
        return False
    inhibitor, other = (first, second) if first.inhibits else (second, first)
    # By its own name alone: an alias of a domain (a GO term of transcription) is no target.
    named = replace(other, aliases=())
    return any(agree(target, named) for target in inhibitor.inhibits)


def _inhibit_one_thing(first: Claim, second: Claim) -> bool:
    """Whether both are named as inhibitors of the same thing, in whatever way (anti-, decoy of)."""
    return any(alike(one.words, other.words) for one in first.inhibits for other in second.inhibits)


def _plays(role: Role | None, claim: Claim) -> bool:
    """Whether a claim's name fits a role too (a primase/helicase is a helicase)."""
    return role is not None and role.plays(claim.evidence.subject.lower())


def _names_agree(first: Claim, second: Claim) -> bool:
    """Whole names, then their clauses, then other names where no opposite forbids it."""
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
    """Whether the vocabulary lists both names as separate functions.

    Shared words (ribose and galactose phosphate isomerase) do not make them one.
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
        return "the vocabulary lists the two as mutually exclusive"
    both_inhibit = bool(first.inhibits) and bool(second.inhibits)
    opposites = _is_inhibitor_of(first, second) or (
        opposed(first.words, second.words) and not both_inhibit
    )
    if opposites and not agree(first, second):
        return "one names what the other blocks, lacks or opposes"
    return _other_enzyme(first, second) or _other_module(first, second)


def may_be_relatives(first: Claim, second: Claim) -> bool:
    """Whether two functions that exclude one another may be those of related proteins.

    Other enzymes of a family, or terms that the vocabulary tells never to take for one another;
    but not a thing and what blocks it, nor proteins of two modules of a phage.
    """
    return relation(first, second) is Relation.OPPOSITE or _other_enzyme(first, second) is not None


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
