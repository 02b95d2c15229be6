"""How a family's name is written, once it is decided what it says."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from genint.knowledge.own_families import LEAST_CONSENSUS
from genint.knowledge.product_names import clean_product
from genint.knowledge.products import Product, ProductKind
from training.families.values import Lineage, TrainingProtein
from training.families.votes import Claim, Vote

HEDGED_SHARE = 0.9
"""From this share of hedged names on, a family's name is hedged."""
SYMBOL_MEMBERS = 2
"""A symbol of a single member is no symbol of a family."""


def best_wording(claim: Claim, behind: Iterable[Vote]) -> str:
    """The best of the wordings of a claim outside the vocabulary.

    The one with most weight among those who say just this, not more; then by style.
    Empty if nobody says it.
    """
    said: defaultdict[str, float] = defaultdict(float)
    implied: defaultdict[str, float] = defaultdict(float)
    for vote in behind:
        if vote.reading.claim == claim:
            said[vote.reading.wording] += vote.weight
        else:
            implied[dict(vote.reading.wider)[claim]] += vote.weight
    wordings = said or implied
    if not wordings:
        return ""
    best = min(wordings, key=lambda wording: (-round(wordings[wording], 9), *_style(wording)))
    return _as_product(best)


def _style(wording: str) -> tuple[int, int, str]:
    """Sorts better wordings first: no shouting, short."""
    shouted = sum(word.isupper() and len(word) > 5 for word in wording.split())
    return shouted, len(wording), wording


_PROCESS = re.compile(
    r"(?:assembly|binding|biosynthesis|biogenesis|completion|conjugation|digestion|establishment"
    r"|formation|immunity|injection|maturation|measure|modification|morphogenesis|packaging|recombination"
    r"|regulation|repair|replication|resistance|secretion|segregation|stability|stabili[sz]ation"
    r"|synthesis|tail|transfer|transport|utili[sz]ation|collar|wedge|hub|spike|portal|capsid|head"
    r"|neck|baseplate|like)$"
)
"""A name that ends so is of a process or a place: a product is a protein."""
_FIRST_SPELT_OUT = re.compile(r"(?:[A-Z][a-z]{3,}|Ion)(?=[-:/(])|Gas(?= )")
"""Glucose-1-phosphate, Glutamyl-tRNA(Gln): a capital that only starts a sentence."""
_WORD_IN_CAPITALS = re.compile(r"[A-Z][a-z]{3,}(?:/[a-z]+)*")


def _lower_first(word: str) -> str:
    """In lower case, if it is a word and no name of a person or place."""
    return clean_product(word) if len(word) > 3 else word.lower()


def _as_product(wording: str) -> str:
    """As a product is written: "Plasmid Stability" is a "plasmid stability protein"."""
    words = wording.split(" ")
    words = [clean_product(word) if _WORD_IN_CAPITALS.fullmatch(word) else word for word in words]
    name = re.sub(r"\s+(?:super)?family$", "", " ".join(words))
    spelt_out = _FIRST_SPELT_OUT.match(name)
    if spelt_out:
        name = _lower_first(spelt_out[0]) + name[spelt_out.end() :]
    name = re.sub(r"(?<= )domain(?: protein)?$", "domain-containing protein", name)
    return f"{name} protein" if _PROCESS.search(name) else name


def mostly_hedged(behind: Iterable[Vote]) -> bool:
    """Whether nearly all who gave the name doubted it."""
    votes = list(behind)
    doubted = sum(vote.weight for vote in votes if vote.reading.hedged)
    return bool(votes) and doubted >= HEDGED_SHARE * sum(vote.weight for vote in votes)


_SYMBOL = re.compile(r"[a-z]{3}(?:[A-Z]\d?|\d)?")
"""recA, terL, hflC1: bacterial style. Numbers and letters of one phage mean nothing elsewhere."""


def family_symbol(product: Product | None, agreeing: Sequence[TrainingProtein]) -> str | None:
    """The gene symbol that most of the agreeing members with one have; else the vocabulary's.

    A symbol of a single member is no symbol of a family, and a phage's thioredoxin is not
    the trxA of its host.
    """
    counts = Counter(
        symbol
        for member in agreeing
        for symbol in {n.symbol for n in member.namings if _SYMBOL.fullmatch(n.symbol)}
    )
    if counts:
        best = min(counts, key=lambda symbol: (-counts[symbol], symbol))
        if counts[best] >= SYMBOL_MEMBERS and counts[best] >= LEAST_CONSENSUS * counts.total():
            return best
    if product is None or not product.symbols:
        return None
    in_phage = any(n.lineage is Lineage.PHAGE for member in agreeing for n in member.namings)
    return None if in_phage and product.kind is ProductKind.BACTERIA else product.symbols[0]
