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
from typing import Final

from genint.interpret.claims import Claim, agree, contradiction, relation
from genint.knowledge.name_comparison import Verdict, compare_names
from genint.knowledge.name_parsing import functions_of, load_name_table
from genint.knowledge.products import Relation
from genint.model.evidence import Evidence
from genint.model.vocabulary import EvidenceType, Specificity

STATED: Final = frozenset({"annotation", "annotation_experiment"})
"""Classes of names that the file gives outright, without a hedge."""
_OUTRIGHT: Final = STATED | {"annotation_broad"}
"""The same with classes."""
ENOUGH_SOURCES: Final = 2
"""Independent sources that tell a function from its relatives', to replace the file's name."""
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
_POSITION: Final = re.compile(r"\([a-z]*(\d{2,4})\)|\b[ACGU](\d{2,4})\b")
"""The residue that an enzyme of RNA works on: (2604), U2552."""
_SYMBOL: Final = re.compile(r"\b([A-Z][a-z]{2})([A-Z])\b")
"""Gene symbols as proteins have them: NinB."""


def stated_claim(claims: Iterable[Claim]) -> Claim | None:
    """The file's own name, where it names one function of the whole protein without a hedge."""
    return next((claim for claim in claims if is_stated(claim)), None)


def is_stated(claim: Claim) -> bool:
    """Whether a claim is such a name of the file."""
    item = claim.evidence
    if item.type is not EvidenceType.ANNOTATION or item.strength not in STATED:
        return False
    if item.specificity is not Specificity.PROTEIN or _HEDGE.search(item.subject):
        return False
    if claim.product is not None and not claim.product.vague:
        return True
    # The vocabulary knows transcriptional activator ZraR as no more than an activator, and
    # 23S rRNA pseudouridine(2604) synthase as no more than a synthase of pseudouridine.
    if _SYMBOL.search(item.subject) is not None or _POSITION.search(item.subject) is not None:
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


def is_borne_out(lead: Claim, claims: Sequence[Claim], everything: Sequence[Claim]) -> bool:
    """Whether two independent origins name a function, and one tells it from its relatives'.

    Args:
        lead: Words the function.
        claims: All that support it.
        everything: All of the gene.
    """
    naming = {one.evidence.origin for one in claims if one is lead or _names(one, lead)}
    told = sources_that_tell(lead, everything)
    return len(naming | told) >= ENOUGH_SOURCES and bool(told)


def _names(claim: Claim, lead: Claim) -> bool:
    """Whether another claim, even of a domain, is called after the very function."""
    if is_class(claim) or not agree(lead, claim):
        return False
    return compare_names(lead.evidence.subject, claim.evidence.subject, lead.products).right


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
    return item.type is not EvidenceType.FAMILY or _is_near(item)


def _is_near(item: Evidence) -> bool:
    """Whether a protein is as near to a family as orthologues of its members."""
    measured = item.measured
    if measured.score_bits is None or measured.protein_from is None or measured.protein_to is None:
        return False
    return measured.score_bits >= _NEAR_BITS * (measured.protein_to - measured.protein_from + 1)


def same_function(lead: Claim, stated: Claim) -> bool:
    """Whether both name one function, one perhaps more specifically than the other.

    Shared words are enough for grouping evidence, but too little for a verdict (DNA ligase,
    DNA-binding protein), so the comparison of names has to agree.
    """
    if contradiction(lead, stated) is not None or other_gene(lead, stated):
        return False
    worded = wording(lead, stated)
    if worded.right or worded is Verdict.VAGUER:
        return True
    return worded is Verdict.UNINFORMATIVE and agree(lead, stated)


def other_gene(lead: Claim, stated: Claim) -> bool:
    """Whether both names have marks of one series that are not the same.

    NinB and NinC; synthases of pseudouridine 2604 and 2605. A name may have several marks of a
    series ("specificity subunit of ClpX-ClpP"): one in common is enough.
    """
    ours, theirs = _symbols(lead), _symbols(stated)
    if any(ours[stem].isdisjoint(theirs[stem]) for stem in ours.keys() & theirs.keys()):
        return True
    here, there = _positions(lead), _positions(stated)
    return bool(here and there) and here.isdisjoint(there)


def _symbols(claim: Claim) -> Mapping[str, frozenset[str]]:
    """Last letters of gene symbols by their first three."""
    found: dict[str, frozenset[str]] = {}
    for stem, letter in _SYMBOL.findall(claim.evidence.subject):
        found[stem] = found.get(stem, frozenset()) | {letter}
    return found


def _positions(claim: Claim) -> frozenset[str]:
    """Numbers of residues that an enzyme of RNA works on."""
    found = _POSITION.finditer(claim.evidence.subject)
    return frozenset(match[1] or match[2] for match in found)


def rewords(lead: Claim, stated: Claim) -> bool:
    """Whether a name says in other words what the file's does, no less and no more.

    One function of several that the file names is less (shikimate dehydrogenase of
    quinate/shikimate dehydrogenase); a narrower one may be that of a relative.
    """
    if not wording(lead, stated).right or narrows(lead, stated):
        return False
    told = (
        compare_names(one.text, lead.evidence.claim, lead.products)
        for one in functions_of(stated.evidence.subject)
    )
    return all(verdict.right or verdict is Verdict.UNINFORMATIVE for verdict in told)


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
        and claim.evidence.strength in _OUTRIGHT
        and claim is not lead
        and not is_stated(claim)
        and wording(lead, claim) is not Verdict.SAME_WORDS
        for claim in claims
    )


def says_less(stated: Claim, lead: Claim) -> bool:
    """Whether the file's name is a less specific one of the same function."""
    worded = compare_names(lead.evidence.claim, stated.evidence.subject, lead.products)
    return worded is Verdict.VAGUER


def wording(lead: Claim, stated: Claim) -> Verdict:
    """How the two names compare."""
    return compare_names(stated.evidence.subject, lead.evidence.claim, lead.products)
