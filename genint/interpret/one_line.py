"""Whether what was found and the product of a file speak of one function, and which says more."""

from __future__ import annotations

import re

from genint.interpret.claims import Claim, agree, contradiction
from genint.knowledge.name_judge import Verdict, judge
from genint.knowledge.name_words import words_of
from genint.model.vocabulary import Specificity

_SYMBOL = re.compile(r"\b([A-Z][a-z]{2})([A-Z])\b")
"""Gene symbols as proteins have them: NinB."""


def is_one_line(lead: Claim, stated: Claim) -> bool:
    """Whether both speak of one function, one perhaps more closely than the other.

    Words in common are enough for putting evidence together, but too little for a signature
    (DNA ligase, DNA-binding protein), so the judge of names has to hold with it.
    """
    if contradiction(lead, stated) is not None or _other_gene(lead, stated):
        return False
    worded = wording(lead, stated)
    if worded.right or worded is Verdict.VAGUER:
        return True
    return worded is Verdict.UNTELLING and agree(lead, stated)


def _other_gene(lead: Claim, stated: Claim) -> bool:
    """Whether both names end in symbols of one series that are not the same: NinB and NinC."""
    ours = dict(_SYMBOL.findall(lead.evidence.subject))
    theirs = dict(_SYMBOL.findall(stated.evidence.subject))
    return any(theirs.get(stem, letter) != letter for stem, letter in ours.items())


def wording(lead: Claim, stated: Claim) -> Verdict:
    """What the judge of names says of the two."""
    return judge(stated.evidence.subject, lead.evidence.claim, lead.products)


def is_class(claim: Claim) -> bool:
    """Whether a name leaves the function open."""
    vague = claim.product is not None and claim.product.vague
    return vague or claim.specificity is Specificity.CATEGORY


def own_words(stated: Claim, lead: Claim) -> frozenset[str]:
    """Words of the file's product besides those of its term and of what was found.

    IS3 of ``IS3 family transposase``: the term may be no more than a class.
    """
    names = list(stated.product.names) if stated.product else []
    if lead.product is not None:
        names += [*lead.product.names, *lead.product.symbols]
    known = lead.words.union(*lead.aliases, *map(words_of, names))
    return stated.words - known if stated.product or is_class(stated) else frozenset()


def is_kin_only(lead: Claim, stated: Claim) -> bool:
    """Whether the evidence names the family of what the file names outright."""
    if lead.specificity is not Specificity.FAMILY or stated.specificity is Specificity.FAMILY:
        return False
    return "family" in lead.evidence.claim.lower()
