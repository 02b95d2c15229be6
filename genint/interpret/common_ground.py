"""Common ground of two names: whether they may be of one protein or of relatives, or of neither.

Names of one function share a word, a symbol or an enzyme number, if not in these words then in
others that the vocabulary lists for them; and so do most names of relatives. Two names with
nothing in common are of unrelated proteins, or two wordings that no reference brings together:
only where the references know the file's name does that tell something.
"""

from __future__ import annotations

from genint.interpret.claims import (
    UNINFORMATIVE,
    Claim,
    agree,
    category_of,
    has_symbol_of,
    relation,
    share_words,
)
from genint.knowledge.name_comparison import Verdict, compare_names
from genint.knowledge.name_parsing import functions_of
from genint.knowledge.products import Relation
from genint.model.vocabulary import EvidenceType, Specificity

_LEVELS_OF_KIND = 3
"""Numbers of an enzyme number that say what kind of reaction it is; the fourth is the substrate."""


def speaks_for(claim: Claim, stated: Claim) -> bool:
    """Whether an observation has common ground with the file's name, or is open to it.

    Args:
        claim: From beyond the file.
        stated: The file's.
    """
    if agree(claim, stated) or relation(claim, stated) is not Relation.UNRELATED:
        return True
    if has_symbol_of(claim, stated) or {*claim.evidence.aliases} & {*stated.evidence.aliases}:
        return True
    if claim.evidence.type is EvidenceType.DOMAIN and claim.specificity is Specificity.DOMAIN:
        return share_words(claim, stated)
    ours, theirs = claim.evidence.claim, stated.evidence.subject
    worded = (
        compare_names(ours, theirs, claim.products),
        compare_names(theirs, ours, claim.products),
    )
    if any(verdict.right or verdict is Verdict.VAGUER for verdict in worded):
        return True
    return not kinds_of_reactions(claim).isdisjoint(kinds_of_reactions(stated)) or share_words(
        claim, stated
    )


def kinds_of_reactions(claim: Claim) -> frozenset[str]:
    """Enzyme numbers without what distinguishes substrates: 2.1.3 of 2.1.3.3."""
    numbers = claim.evidence.ec or (claim.product.ec if claim.product else ())
    return frozenset(
        number.rpartition(".")[0] for number in numbers if number.count(".") == _LEVELS_OF_KIND
    )


def enzyme_words(claim: Claim) -> frozenset[str]:
    """Words for enzymes in a name."""
    words = (word for one in functions_of(claim.evidence.subject) for word in one.words)
    return frozenset(word for word in words if word.endswith("ase"))


def is_known_apart(lead: Claim, stated: Claim) -> bool:
    """Whether references know the file's name, so that another one is no mere wording of it.

    They do where the vocabulary lists it as one function, where enough annotated proteins have
    it, or where both names, even of classes, are of functional categories, and these differ.
    """
    if stated.is_known:
        return True
    ours, theirs = category_of(lead), category_of(stated)
    if ours is None or theirs is None or {ours, theirs} & UNINFORMATIVE:
        return False
    return ours is not theirs
