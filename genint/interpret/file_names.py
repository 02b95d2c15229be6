"""The name that the file gives a protein, and what it takes to replace it.

Relatives of another function (paralogues) match a family, a domain or a similar protein too. So
the file's own specific name is replaced at HIGH only by two independent sources outside the file,
each of which tells the function from those of relatives. Where none does, the file's name loses
nothing to the other one either: a paralogue would have that evidence as well. The same holds for
a name that is more specific than the file's: it may be that of a relative in the same class.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Final

from genint.interpret.claims import (
    FAMILY_OF,
    Claim,
    agree,
    apart,
    contradiction,
    has_symbol_of,
    relation,
    share_identifier,
)
from genint.interpret.common_ground import enzyme_words
from genint.interpret.memory import CLAIMS_KEPT, PAIRS_KEPT, remembered
from genint.knowledge.distinctions import adds_distinction, marks_of
from genint.knowledge.name_comparison import Verdict, by_words, compare_names
from genint.knowledge.name_parsing import functions_of, load_name_table
from genint.knowledge.product_names import NameKind, classify_product
from genint.knowledge.products import Relation
from genint.model.evidence import Evidence
from genint.model.vocabulary import EvidenceType, Specificity

STATED: Final = frozenset({"annotation", "annotation_experiment"})
"""Classes of names that the file gives outright, without a hedge."""
_HEDGED: Final = "annotation_hedged"
"""Class of names that the file gives with a hedge (putative)."""
_CLASSES: Final = STATED | {"annotation_broad", _HEDGED}
"""Classes of names among which those of the file's mere classes are: a hedge opens a class
(putative dehydratase) no further."""
ENOUGH_SOURCES: Final = 2
"""Independent sources that tell a function from its relatives', to replace the file's name."""
_FOR_A_HEDGED_NAME: Final = 1
"""The same where the file itself doubts its name."""
_MOST_AGREE: Final = 0.75
"""Share of a family's named members that have the name, from which it is the family's function.
Where 8 of 15 have it, the others are called after relatives."""
_ENOUGH_COMMON: Final = 0.5
"""Share of the specific words of the shorter of two names."""
_ALSO_NAMED: Final = " @ "
"""Joins names of one function in several settings, as SEED writes them."""
_CLAUSE: Final = re.compile(r"[;:,]\s")
_TELLING: Final = frozenset(
    {
        "family_well_agreed",
        "family_agreed",
        "family_two_names",
        "homology_near",
        "uniprot_experiment",
        "uniprot_curated",
        "uniprot_similarity",
    }
)
"""Classes of evidence whose name is that of this very function: families on whose name several
annotators agree, proteins at least 60 % identical over the whole length without one nearly as
similar of another name, and entries of UniProt for the same sequence that curators read. Domains
and neighbours never are: a paralogue has the same ones."""
_RIVALS: Final = frozenset({"family_rival", "homology_rival"})
"""Classes of evidence that another name fits nearly as well."""
_NEAR_BITS: Final = 0.6
"""Bits for each aligned residue from which a protein is as near as orthologues of a family's
members are; below, one name in four of S. pyogenes was another function's."""
_HEDGE: Final = re.compile(r"\buncharacteri[sz]ed\b", re.IGNORECASE)
"""Said of a family whose function in this protein is open."""
_LIKE: Final = re.compile(r"\b[A-Z][a-z]{2}[A-Z]\w*-like\b")
_GENE: Final = re.compile(r"[a-z]{3}[A-Z]")
"""The same as genes have them."""
_SYMBOL: Final = re.compile(r"\b([A-Z][a-z]{2})([A-Z])\b")
"""Gene symbols as proteins have them: NinB."""


def stated_claim(claims: Iterable[Claim]) -> Claim | None:
    """The file's own name, where it names one function of the whole protein without a hedge."""
    return next((claim for claim in claims if is_stated(claim)), None)


@remembered(CLAIMS_KEPT)
def is_stated(claim: Claim) -> bool:
    """Whether a claim is such a name of the file."""
    return is_outright(claim.evidence) and _names_one_function(claim)


def is_outright(item: Evidence) -> bool:
    """Whether the file says without a hedge what the protein is, perhaps with a guess behind it.

    Inhibitor of lysozyme; putative lipoprotein.
    """
    if item.type is not EvidenceType.ANNOTATION:
        return False
    if item.strength in STATED:
        return True
    first, *others = _CLAUSE.split(item.claim, maxsplit=1)
    return (
        item.strength == _HEDGED
        and bool(others)
        and classify_product(first) is NameKind.NAME
        and _says_more_than_a_class(first)
    )


@remembered(CLAIMS_KEPT)
def is_hedged_name(claim: Claim) -> bool:
    """Whether the file names one function with a hedge: putative tape measure protein."""
    item = claim.evidence
    hedged = item.type is EvidenceType.ANNOTATION and item.strength == _HEDGED
    return hedged and not is_outright(item) and _names_one_function(claim)


def sources_to_replace(lead: Claim, claims: Sequence[Claim], *, in_bacterium: bool) -> int:
    """How many sources must tell a function from its relatives', for HIGH beside the file's name.

    Args:
        lead: Words the function.
        claims: All of the gene.
        in_bacterium: Classes count, whose enzymes, transporters and regulators have many
            paralogues; a phage has one portal protein, and "capsid component" only says less.
    """
    if lead.evidence.type is EvidenceType.ANNOTATION or bears_symbol(lead, claims):
        return 0
    if in_bacterium and narrows_class(lead, claims):
        return ENOUGH_SOURCES
    hedged = next((claim for claim in claims if is_hedged_name(claim)), None)
    if hedged is None:
        return 0
    if same_function(lead, hedged):
        if in_bacterium and says_less(hedged, lead):
            return ENOUGH_SOURCES  # one kind of a semialdehyde dehydrogenase, of several it may be
        return _FOR_A_HEDGED_NAME if in_bacterium and _is_merely_like(hedged, lead) else 0
    return ENOUGH_SOURCES if apart(lead, hedged) else _FOR_A_HEDGED_NAME


def _is_merely_like(hedged: Claim, lead: Claim) -> bool:
    """Whether the file likens the protein to another: a bacterium may have both (GcvH-like)."""
    liked = _LIKE.search(hedged.evidence.subject)
    return liked is not None and liked[0] not in lead.evidence.subject


def bears_symbol(lead: Claim, claims: Iterable[Claim]) -> bool:
    """Whether a name has the very gene symbol that the file gives the gene, so replaces nothing."""
    return any(
        claim.evidence.type is EvidenceType.ANNOTATION
        and claim is not lead
        and has_symbol_of(lead, claim)
        and apart(lead, claim) is None
        for claim in claims
    )


def _names_one_function(claim: Claim) -> bool:
    item = claim.evidence
    if item.specificity is not Specificity.PROTEIN or _HEDGE.search(item.subject):
        return False
    if claim.product is not None and not claim.product.vague:
        return True
    # The vocabulary knows transcriptional activator ZraR as no more than an activator, and
    # 23S rRNA pseudouridine(2604) synthase as no more than a synthase of pseudouridine.
    if _SYMBOL.search(item.subject) is not None or marks_of(item.subject).residues:
        return True
    return claim.product is None and _says_more_than_a_class(item.subject)


def _says_more_than_a_class(name: str) -> bool:
    """Whether a name has a word that not many functions share, unlike DNA biosynthesis protein."""
    table = load_name_table()
    common = table.class_words | table.light | table.modules
    return any(one.symbols or one.words - common for one in functions_of(name))


def sources_that_tell(lead: Claim, claims: Sequence[Claim]) -> frozenset[str]:
    """Origins outside the file that tell the function of ``lead`` from those of its relatives.

    Args:
        lead: Words the function.
        claims: All of the gene.
    """
    told = (one for one in claims if _tells(one) and (one is lead or agree(lead, one)))
    rivals = {
        one.evidence.type
        for one in claims
        if one.evidence.strength in _RIVALS and not agree(lead, one)
    }
    return frozenset(one.evidence.origin for one in told if one.evidence.type not in rivals)


def is_class(claim: Claim) -> bool:
    """Whether a name leaves the function open."""
    vague = claim.product is not None and claim.product.vague
    return vague or claim.specificity is Specificity.CATEGORY


def _tells(claim: Claim) -> bool:
    """Whether evidence names one function of the whole protein, and this one only."""
    item = claim.evidence
    if item.specificity is not Specificity.PROTEIN or item.strength not in _TELLING:
        return False
    if is_class(claim):
        return False
    return item.type is not EvidenceType.FAMILY or (_is_near(item) and _mostly_agrees(item))


def _mostly_agrees(item: Evidence) -> bool:
    """Whether most of a family's own members have its name."""
    support = item.support
    return support is None or support.agreeing >= _MOST_AGREE * support.named_members


def _is_near(item: Evidence) -> bool:
    """Whether a protein is as near to a family as orthologues of its members."""
    measured = item.measured
    if measured.score_bits is None or measured.protein_from is None or measured.protein_to is None:
        return False
    return measured.score_bits >= _NEAR_BITS * (measured.protein_to - measured.protein_from + 1)


@remembered(PAIRS_KEPT)
def same_function(lead: Claim, stated: Claim) -> bool:
    """Whether both name one function, one perhaps more specifically than the other.

    Shared words are enough for grouping evidence, but too little for a verdict (DNA ligase,
    DNA-binding protein), so the comparison of names has to agree.
    """
    if contradiction(lead, stated) is not None or other_gene(lead, stated):
        return False
    if apart(lead, stated) is not None:
        return False
    worded = wording(lead, stated)
    if worded.right or worded is Verdict.VAGUER:
        return True
    return worded is Verdict.UNINFORMATIVE and agree(lead, stated)


@remembered(PAIRS_KEPT)
def other_gene(lead: Claim, stated: Claim) -> bool:
    """Whether both names have marks of one series that are not the same.

    NinB and NinC; synthases of pseudouridine 2604 and 2605. A name may have several marks of a
    series ("specificity subunit of ClpX-ClpP"): one in common is enough.
    """
    ours, theirs = _symbols(lead), _symbols(stated)
    if any(ours[stem].isdisjoint(theirs[stem]) for stem in ours.keys() & theirs.keys()):
        return True
    here, there = (marks_of(one.evidence.subject).residues for one in (lead, stated))
    return bool(here and there) and here.isdisjoint(there)


def _symbols(claim: Claim) -> Mapping[str, frozenset[str]]:
    """Last letters of gene symbols by their stem; the gene's own decides (not its partner's)."""
    found: dict[str, frozenset[str]] = {}
    for stem, letter in _SYMBOL.findall(claim.evidence.subject):
        found[stem] = found.get(stem, frozenset()) | {letter}
    for alias in claim.evidence.aliases:
        if _GENE.fullmatch(alias) and alias[:3].capitalize() in found:
            found[alias[:3].capitalize()] = frozenset(alias[3])
    return found


@remembered(PAIRS_KEPT)
def rewords(lead: Claim, stated: Claim, *, in_bacterium: bool) -> bool:
    """Whether a name says in other words what the file's does, no less and no more.

    One function of several that the file names is less (shikimate dehydrogenase of
    quinate/shikimate dehydrogenase); a narrower one may be that of a relative, and so may one
    that has a class, a cofactor or a gene symbol more, or that only a vocabulary brings together
    with the file's, as it does where annotators do not keep relatives apart. A phage has few.
    """
    if not wording(lead, stated).right or narrows(lead, stated):
        return False
    if in_bacterium and not _is_worded_like(lead, stated):
        return False
    told = (
        compare_names(one.text, lead.evidence.claim, lead.products)
        for name in _settings(stated.evidence.subject)
        for one in functions_of(name)
    )
    return all(verdict.right or verdict is Verdict.UNINFORMATIVE for verdict in told)


def _settings(name: str) -> list[str]:
    """Names that ``@`` joins, without those that only say more of another one.

    SSU ribosomal protein S18p @ SSU ribosomal protein S18p, zinc-independent.
    """
    each = name.split(_ALSO_NAMED)
    return [
        one for one in each if not any(one != other and one.startswith(other) for other in each)
    ]


def names_other_symbol(lead: Claim, stated: Claim) -> bool:
    """Whether a name has a gene symbol, and the file gives the gene another one.

    That may be an older symbol of the gene, or that of a relative. Symbols with y- stand for
    genes whose function was unknown, and a family is not the gene that it is called after.
    """
    symbols = _own_symbols(lead.evidence.subject)
    own = _own_symbols(stated.evidence.subject)
    own |= {alias.lower() for alias in stated.evidence.aliases if _GENE.fullmatch(alias)}
    known, known_too = ({one for one in each if one[0] != "y"} for each in (symbols, own))
    return bool(known and known_too) and symbols.isdisjoint(own)


def _own_symbols(name: str) -> set[str]:
    return {"".join(found).lower() for found in _SYMBOL.findall(FAMILY_OF.sub(" ", name))}


def _is_worded_like(lead: Claim, stated: Claim) -> bool:
    """Whether words, gene symbols or numbers bear out that two names are one function."""
    if adds_distinction(lead.evidence.subject, stated.evidence.subject):
        return False
    if names_other_symbol(lead, stated):
        return False
    symbols = {"".join(found).lower() for found in _SYMBOL.findall(lead.evidence.subject)}
    if symbols & {alias.lower() for alias in stated.evidence.aliases}:
        return True
    verdicts = {
        by_words(true, given)
        for true in functions_of(stated.evidence.subject)
        for given in functions_of(lead.evidence.claim)
    }
    return not verdicts <= {Verdict.WRONG, Verdict.OPPOSITE}


@remembered(PAIRS_KEPT)
def is_of_relative(claim: Claim, stated: Claim) -> bool:
    """Whether evidence of the whole protein names another function than the file.

    It may share words or a class with the file's name (transcription regulator of nitric oxide
    reductase, response regulator ZraR): relatives do, and their evidence supports no name.
    """
    item = claim.evidence
    if item.type is EvidenceType.DOMAIN or item.specificity is not Specificity.PROTEIN:
        return False
    if other_gene(claim, stated):
        return True
    if relation(claim, stated) is not Relation.UNRELATED or share_identifier(claim, stated):
        return False
    if {*item.aliases} & {*stated.evidence.aliases} or has_symbol_of(claim, stated):
        return False
    if names_other_symbol(claim, stated) and not _tells(claim):
        return True
    return not _act_on_one_thing(claim, stated) and _are_worded_apart(claim, stated)


def _are_worded_apart(claim: Claim, stated: Claim) -> bool:
    """Whether a name is wrong for the file's, and for each part of it."""
    stated_names = (stated.evidence.subject, *_CLAUSE.split(stated.evidence.subject))
    return all(
        compare_names(name, claim.evidence.claim, claim.products)
        in (Verdict.WRONG, Verdict.OPPOSITE)
        for name in stated_names
    )


def _act_on_one_thing(claim: Claim, stated: Claim) -> bool:
    """Whether half of the words that say on what a protein acts, or where, are common.

    Ferric uptake regulation protein and ferric iron uptake transcriptional regulator; not the
    transporters of phenylalanine and asparagine, whose common words are those of their class. Of
    enzymes the kind is common too.
    """
    ours, theirs = _specific_words(claim), _specific_words(stated)
    enzymes = enzyme_words(claim), enzyme_words(stated)
    if all(enzymes) and not _have_one_kind(*enzymes):
        return False
    return len(ours & theirs) >= _ENOUGH_COMMON * max(1, min(len(ours), len(theirs)))


def _have_one_kind(ours: frozenset[str], theirs: frozenset[str]) -> bool:
    """Whether words for enzymes are of one kind: endotransglycosylase and transglycosylase."""
    return any(one.endswith(other) or other.endswith(one) for one, other in product(ours, theirs))


def _specific_words(claim: Claim) -> frozenset[str]:
    table = load_name_table()
    words = (word for one in functions_of(claim.evidence.subject) for word in one.words)
    common = table.class_words | table.light | table.empty
    return frozenset(word for word in words if word not in common and word.isalpha())


def narrows(lead: Claim, stated: Claim) -> bool:
    """Whether a name is more specific than the file's, which may be the class of both."""
    related = relation(lead, stated)
    if related is Relation.SAME:
        return False
    return related is Relation.NARROWER or says_less(stated, lead)


def narrows_class(lead: Claim, claims: Iterable[Claim]) -> bool:
    """Whether a name of the whole protein stands for no more than a class in the file."""
    return any(
        claim.evidence.type is EvidenceType.ANNOTATION
        and claim.evidence.strength in _CLASSES
        and claim is not lead
        and not is_stated(claim)
        and not is_hedged_name(claim)
        and wording(lead, claim) is not Verdict.SAME_WORDS
        for claim in claims
    )


def says_less(stated: Claim, lead: Claim) -> bool:
    """Whether the file's name is a less specific one of the same function."""
    worded = compare_names(lead.evidence.claim, stated.evidence.subject, lead.products)
    return worded is Verdict.VAGUER


def is_wider_than_file(claim: Claim, lead: Claim) -> bool:
    """Whether evidence of the whole protein says less of the function that the file names.

    It is no rival of the file's name: nucleobase cation symporter family, of xanthine permease.
    """
    if not is_stated(lead) or claim.evidence.type is EvidenceType.ANNOTATION:
        return False
    if claim.specificity is Specificity.DOMAIN or apart(claim, lead) is not None:
        return False
    return contradiction(claim, lead) is None and wording(claim, lead) is Verdict.VAGUER


def wording(lead: Claim, stated: Claim) -> Verdict:
    """How the two names compare."""
    return compare_names(stated.evidence.subject, lead.evidence.claim, lead.products)
