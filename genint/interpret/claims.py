"""Claims: pieces of evidence made comparable, and how two of them relate.

Two claims agree (one function), fit (a domain that such proteins have), contradict one another,
or none of these. :class:`ScoringModel` holds the knowledge that decides it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from genint.interpret.memory import CLAIMS_KEPT, PAIRS_KEPT, remembered
from genint.knowledge.confidence import DEFAULT_SETTING, Calibration, ConfidenceParameters, Setting
from genint.knowledge.dark_ranking import EVEN_RANKING, DarkRanking
from genint.knowledge.distinctions import distinction, other_symbol
from genint.knowledge.gene_order import GeneOrder
from genint.knowledge.name_comparison import Verdict, compare_names
from genint.knowledge.name_lengths import NameLengths, key_of
from genint.knowledge.name_parsing import load_name_table, words_and_kinds
from genint.knowledge.product_names import alike, inhibition_target, opposed, set_apart, words_of
from genint.knowledge.products import NO_PRODUCTS, Product, ProductVocabulary, Relation
from genint.knowledge.roles import Role, RoleTable
from genint.model.evidence import Evidence
from genint.model.vocabulary import Category, EvidenceType, GenomeKind, Specificity

_CLAUSE_END = re.compile(r"[;,]\s")
_TOUCHES = " binding"
"""End of GO terms that name a binding partner, not a function: an integrase and a polymerase
both bind DNA."""
_AGAINST = re.compile(r"\banti-?([a-z]+)", re.IGNORECASE)
_OF = re.compile(r"\s(?:of|for)\s", re.IGNORECASE)
"""What an anti- or an inhibitor acts on comes behind it."""
_PAIR = re.compile(r"\b\w+[-/]anti-?[a-z]+\b", re.IGNORECASE)
"""A system of both (toxin-antitoxin), of which either may be a part."""
FAMILY_OF = re.compile(r"\S+ (?:super|sub)?family\b")
"""A protein of the KefB/KefC family is neither, as far as this says."""
_SYMBOL = re.compile(r"\b[A-Z][a-z]{2}[A-Z]\d?\b")
"""Bacterial gene symbol in the form of its protein (RecA)."""
_GENE = re.compile(r"[a-z]{3}[A-Z]\d?")
"""The same in the form of the gene (recA)."""
_MOVED_ENZYMES = (
    ("3.6.3.", "7."),
    ("1.6.5.3", "7.1.1.2"),
    ("1.6.5.3", "1.6.5.11"),
    ("1.6.5.11", "7.1.1.2"),
    ("1.9.3.1", "7.1.1.9"),
    ("1.10.2.2", "7.1.1.8"),
    ("1.11.1.6", "1.11.1.21"),
    ("2.3.1.128", "2.3.1.266"),
    ("6.4.1.2", "2.1.3.15"),
    ("2.7.1.69", "2.7.1.19"),
    ("2.7.1.69", "2.7.1.20"),
    ("4.2.1.70", "5.4.99."),
    ("5.99.1.", "5.6.2."),
)
"""EC numbers, by their beginning, that the nomenclature committee of IUBMB transferred as a class:
translocases, PTS enzymes, pseudouridine synthases, topoisomerases; or gave anew to a part of one:
catalase-peroxidases, the carboxyltransferase of acetyl-CoA carboxylase."""
_OF_MANY = frozenset({"carrier", "solute"})
"""Words that bear out no name although comparisons of names count them."""
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


@dataclass(frozen=True, slots=True, eq=False)
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


@dataclass(frozen=True, slots=True, eq=False)
class Claim:
    """One piece of evidence, made comparable.

    Claims are compared many times while one gene is interpreted, alone, with its neighbours and
    for the audit: :func:`read_claim` gives the same claim for the same evidence, and comparisons
    of the latest claims are remembered.

    Attributes:
        words: Informative words of the whole name.
        aliases: The same of its other names: gene symbol, family names, GO terms.
        clauses: The same of each part of a name that lists several things.
        product: The term of the vocabulary that the name is.
        products: The vocabulary.
        inhibits: What a protein of this name inhibits (an inhibitor its enzyme), as claims.
        is_known: Its name is one function that the vocabulary lists, or one that enough annotated
            proteins have.
    """

    evidence: Evidence
    words: frozenset[str]
    aliases: tuple[frozenset[str], ...]
    clauses: tuple[frozenset[str], ...]
    role: Role | None
    product: Product | None
    products: ProductVocabulary = field(repr=False)
    inhibits: tuple[Claim, ...] = ()
    is_known: bool = False

    @property
    def specificity(self) -> Specificity:
        """How much is claimed."""
        return self.evidence.specificity

    @property
    def specific_role(self) -> str | None:
        """Role narrow enough that two names of it agree."""
        return None if self.role is None or self.role.broad else self.role.id


@remembered(CLAIMS_KEPT)
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
        is_known=_is_known(evidence, product, model),
    )


def _is_known(evidence: Evidence, product: Product | None, model: ScoringModel) -> bool:
    if product is not None:
        return not product.vague
    if evidence.specificity is Specificity.CATEGORY:
        return False
    return key_of(evidence.subject, None) in model.name_lengths


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


@remembered(PAIRS_KEPT)
def agree(first: Claim, second: Claim) -> bool:
    """Whether two claims name one function.

    The vocabulary decides where it knows both names: a term agrees with itself and with the
    terms that it is a kind of, never with its opposites or with what it inhibits. Then shared
    identifiers decide (Pfam family, EC number), then roles, then words. Names of GO terms that
    come with a family count as its other names. Anti-X, inhibitor of X and decoy of X are one.
    A name of the file never agrees with one that differs in a distinguishing part, nor with one
    that it has nothing in common with, whatever EC number, symbol or GO terms stand beside it.
    """
    if apart(first, second) is not None:
        return False
    related = relation(first, second)
    if related in _SAME_LINEAGE or _block_alike(first, second):
        return True
    if related is Relation.UNRELATED and _inhibit_one_thing(first, second):
        return True
    if related is Relation.OPPOSITE or _is_inhibitor_of(first, second):
        return False
    return not _exclude_by_words(first, second) and _agree_by_names(first, second)


def _agree_by_names(first: Claim, second: Claim) -> bool:
    """Whether identifiers, roles or words make two claims one function."""
    if share_identifier(first, second) or _is_file_worded_alike(first, second):
        return True
    return _other_enzyme(first, second) is None and _alike_by_role_or_words(first, second)


def _is_file_worded_alike(first: Claim, second: Claim) -> bool:
    """Whether evidence of the whole protein says in other words what the file's name does."""
    pair = _file_and_evidence(first, second)
    if pair is None or pair[1].evidence.type is EvidenceType.DOMAIN:
        return False
    stated, found = pair
    if opposed(first.words, second.words):
        return False
    return compare_names(stated.evidence.subject, found.evidence.claim, found.products).right


@remembered(PAIRS_KEPT)
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


@remembered(PAIRS_KEPT)
def apart(first: Claim, second: Claim) -> str | None:
    """Why a name of the file and one of evidence are two functions, however alike they are.

    They differ in a distinguishing part (cofactor, class, type), in the end of one gene symbol,
    or in their EC numbers. The vocabulary lists relatives as one term where annotators do not
    keep them apart; the file did. Domains are no names of the whole protein.

    Returns:
        None where nothing tells them apart, or where not exactly one is of the file.
    """
    if _file_and_evidence(first, second) is None:
        return None
    if Specificity.DOMAIN in (first.specificity, second.specificity):
        return None
    if EvidenceType.DOMAIN in (first.evidence.type, second.evidence.type):
        return None
    one, other = first.evidence, second.evidence
    why = distinction(one.subject, other.subject)
    # Families are grouped under the symbol of one relative: only that in the name is of this one.
    symbols = [
        (item.subject, *(item.aliases if item.type is EvidenceType.ANNOTATION else ()))
        for item in (one, other)
    ]
    if why is None and other_symbol(*symbols):
        why = "symbols of two genes that differ in their last letter or number"
    if why is None and relation(first, second) is not Relation.SAME:
        why = _other_enzyme(first, second)
    return why


def _alike_by_role_or_words(first: Claim, second: Claim) -> bool:
    """By their roles where both have a specific one, else by their words."""
    if first.specific_role and second.specific_role:
        return _plays(first.role, second) or _plays(second.role, first)
    if set_apart(first.words, second.words) or are_two_terms(first, second):
        return False
    return _names_agree(first, second)


@remembered(PAIRS_KEPT)
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


def _block_alike(first: Claim, second: Claim) -> bool:
    """Whether both are called anti-X, of whatever it may be.

    An antitoxin of the YafQ-DinJ toxin-antitoxin system is an antitoxin: the rest says of which.
    """
    ours, theirs = (_called_anti(one.evidence.subject) for one in (first, second))
    return bool(ours) and ours == theirs


@remembered(CLAIMS_KEPT)
def _called_anti(name: str) -> frozenset[str]:
    """What a name says by itself that the protein is against: anti-sigma, of no other protein."""
    own = _OF.split(_PAIR.sub(" ", name))[0]
    return frozenset(match[0].lower() for match in _AGAINST.finditer(own))


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


@remembered(PAIRS_KEPT)
def share_identifier(first: Claim, second: Claim) -> bool:
    """Whether both have one Pfam family, the gene's very symbol, or one complete EC number.

    A number that many proteins share (2.7.1.69, of all PTS enzymes) identifies none.
    """
    one, other = first.evidence, second.evidence
    if one.pfam is not None and one.pfam == other.pfam:
        return True
    enzymes = {*_enzymes(first)} & {*_enzymes(second)} - load_name_table().shared_ec
    return bool(enzymes) or _share_symbol(first, second)


def _file_and_evidence(first: Claim, second: Claim) -> tuple[Claim, Claim] | None:
    """The name of the file and the evidence, in this order; None where not exactly one is its."""
    match [one.evidence.type is EvidenceType.ANNOTATION for one in (first, second)]:
        case [True, False]:
            return first, second
        case [False, True]:
            return second, first
    return None


def _exclude_by_words(first: Claim, second: Claim) -> bool:
    """Whether a name of the file has nothing in common with one of evidence.

    Then the file's EC number, gene symbol or GO terms are those of something else than its name,
    or the other way round. A class (putative oxidoreductase) excludes nothing, nor does a name that
    no reference knows (FtsZ stabilizer) one that bears the gene's symbol (ZapC).
    """
    pair = _file_and_evidence(first, second)
    if pair is None:
        return False
    stated, found = pair
    vague = stated.product is not None and stated.product.vague
    if vague or stated.specificity is Specificity.CATEGORY:
        return False
    if not stated.is_known and has_symbol_of(first, second):
        return False
    if any(not stated.words.isdisjoint(alias) for alias in found.aliases):
        return False
    return first.words.isdisjoint(second.words) and not share_words(first, second)


@remembered(PAIRS_KEPT)
def agree_by_identifier_only(first: Claim, second: Claim) -> bool:
    """Whether a name of the file agrees with evidence by EC number, gene symbol or Pfam alone.

    Both may be wordings of one function, or the product is not that of the identifiers. Words that
    many functions share (reductase, subunit) bear out no name but that of a class.
    """
    pair = _file_and_evidence(first, second)
    if pair is None or not agree(first, second):
        return False
    stated, found = pair
    if not share_identifier(stated, found) and not has_symbol_of(stated, found):
        return False
    if agree(_without_identifiers(stated), _without_identifiers(found)):
        return False
    if are_two_terms(stated, found):
        return True  # glutamyl-tRNA synthetase, with the EC number of glutaminyl-tRNA synthetase
    return _own_words(stated).isdisjoint(_own_words(found))


@remembered(PAIRS_KEPT)
def agree_by_class_only(first: Claim, second: Claim) -> bool:
    """Whether a name of the file and a Pfam family have no more in common than their class.

    An alpha-ketoglutarate transporter and sugar (and other) transporters.
    """
    pair = _file_and_evidence(first, second)
    if pair is None or not agree(first, second):
        return False
    stated, found = pair
    if found.evidence.type is not EvidenceType.DOMAIN:
        return False
    if found.specificity in _SAYS_LESS or relation(stated, found) is not Relation.UNRELATED:
        return False
    one, other, known = stated.evidence.subject, found.evidence.claim, found.products
    worded = (compare_names(one, other, known), compare_names(other, one, known))
    if any(verdict.right or verdict is Verdict.VAGUER for verdict in worded):
        return False
    return _own_words(stated).isdisjoint(_own_words(found))


def _without_identifiers(claim: Claim) -> Claim:
    """A claim by its name alone."""
    bare = replace(claim.evidence, aliases=(), go=(), ec=(), pfam=None)
    product = claim.product and replace(claim.product, ec=())
    return replace(claim, evidence=bare, aliases=(), product=product)


@remembered(CLAIMS_KEPT)
def _own_words(claim: Claim) -> frozenset[str]:
    """Words of a claim's names that not many functions share, as stems, and symbols."""
    table = load_name_table()
    common = table.class_words | table.light | table.modules | table.empty | _OF_MANY
    names = (claim.evidence.subject, *(one for one in claim.evidence.aliases if " " in one))
    return words_and_kinds((*names, *(claim.product.names if claim.product else ()))) - common


@remembered(PAIRS_KEPT)
def share_words(first: Claim, second: Claim) -> bool:
    """Whether a word that says something, or a symbol, is common to any of their names.

    Names that the vocabulary lists for what either is count too.
    """
    ours, theirs = (
        words_and_kinds((one.evidence.subject, *(one.product.names if one.product else ())))
        for one in (first, second)
    )
    return not ours.isdisjoint(theirs)


def _share_symbol(first: Claim, second: Claim) -> bool:
    """Whether the file's gene has the very symbol of the evidence, that of a family's members."""
    if _file_and_evidence(first, second) is None:
        return False
    one, other = (
        {alias for alias in claim.evidence.aliases if _GENE.fullmatch(alias)}
        for claim in (first, second)
    )
    return bool(one & other)


def _enzymes(claim: Claim) -> tuple[str, ...]:
    """Complete EC numbers of a claim: its own, else those of the term that it is."""
    return _full(claim.evidence.ec) or _full(claim.product.ec if claim.product else ())


def _full(ec_numbers: Iterable[str]) -> tuple[str, ...]:
    """EC numbers down to the fourth level: 2.7.-.- is no identifier."""
    return tuple(ec for ec in ec_numbers if "-" not in ec)


@remembered(PAIRS_KEPT)
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
    opposites = one_blocks_other(first, second)
    if opposites and not agree(first, second):
        return "one names what the other blocks, lacks or opposes"
    return _other_enzyme(first, second) or _other_module(first, second)


@remembered(PAIRS_KEPT)
def one_blocks_other(first: Claim, second: Claim) -> bool:
    """Whether one is named after what the other blocks, lacks or opposes."""
    both_inhibit = bool(first.inhibits) and bool(second.inhibits)
    opposites = opposed(first.words, second.words) and not both_inhibit
    return opposites or _is_inhibitor_of(first, second)


def may_be_relatives(first: Claim, second: Claim) -> bool:
    """Whether two functions that exclude one another may be those of related proteins.

    Other enzymes of a family, or terms that the vocabulary tells never to take for one another;
    but not a thing and what blocks it, nor proteins of two modules of a phage.
    """
    return relation(first, second) is Relation.OPPOSITE or _other_enzyme(first, second) is not None


@remembered(PAIRS_KEPT)
def _other_enzyme(first: Claim, second: Claim) -> str | None:
    ours, theirs = _enzymes(first), _enzymes(second)
    if not ours or not theirs or set(ours) & set(theirs) or _is_renumbered(first, second):
        return None
    return f"different EC numbers ({', '.join(ours)} and {', '.join(theirs)})"


def _is_renumbered(first: Claim, second: Claim) -> bool:
    """Whether EC numbers of the file and of evidence differ, and yet are of one enzyme.

    Files keep numbers that were transferred since. So a name that has the same words or the
    gene's own symbol is that of the same enzyme, and so are numbers of a class that was moved.
    """
    kinds = {one.evidence.type for one in (first, second)}
    if EvidenceType.ANNOTATION not in kinds:
        return False
    if any(
        one.startswith(old) and other.startswith(new)
        for old, new in _MOVED_ENZYMES
        for ours, theirs in ((first, second), (second, first))
        for one in _enzymes(ours)
        for other in _enzymes(theirs)
    ):
        return True
    return has_symbol_of(first, second) or _is_worded_alike(first, second)


@remembered(PAIRS_KEPT)
def has_symbol_of(first: Claim, second: Claim) -> bool:
    """Whether one is called after the very gene symbol of the other; a family is no gene."""
    return any(
        _bears(other.evidence.subject, alias)
        for one, other in ((first, second), (second, first))
        for alias in one.evidence.aliases
        if _GENE.fullmatch(alias)
    )


def _bears(name: str, symbol: str) -> bool:
    """Whether a name has a gene symbol, in whatever case, that is not a family's."""
    if symbol.casefold() not in name.casefold():
        return False  # so it is with most, and each symbol is a pattern to compile
    pattern = rf"\b{re.escape(symbol)}\b"
    return re.search(pattern, FAMILY_OF.sub(" ", name), re.IGNORECASE) is not None


@remembered(PAIRS_KEPT)
def _is_worded_alike(first: Claim, second: Claim) -> bool:
    """Whether both names say the same, either way round, by words and not by a vocabulary."""
    one, other = first.evidence.subject, second.evidence.subject
    if distinction(one, other) is not None:
        return False
    both = (compare_names(one, other, NO_PRODUCTS), compare_names(other, one, NO_PRODUCTS))
    if Verdict.SAME_WORDS in both or all(verdict.right for verdict in both):
        return True
    # The file says more of the same: ..., 4Fe-4S protein. A class of enzymes says too little.
    says_more = Verdict.VAGUER in both and any(verdict.right for verdict in both)
    return (
        says_more
        and bool(_own_words(first) & _own_words(second))
        and _are_of_one_class(first, second)
    )


def _are_of_one_class(first: Claim, second: Claim) -> bool:
    """Whether EC numbers begin alike: most numbers are given anew within their class."""
    ours, theirs = ({ec.partition(".")[0] for ec in _enzymes(one)} for one in (first, second))
    return not ours.isdisjoint(theirs)


def _other_module(first: Claim, second: Claim) -> str | None:
    if first.role is None or second.role is None:
        return None
    modules = {first.role.category, second.role.category}
    if len(modules) > 1 and modules <= _PHAGE_MODULES:
        names = " and ".join(sorted(module.value for module in modules))
        return f"different functional modules ({names})"
    return None
