"""Which claim about a family's function wins, and how much stands behind it.

* A name that says more supports fully. A vague name of the same class ("tail protein"
  of a "tail tube protein") is half support. Any other name is dissent, also one that
  names a function and stops there: it does not share the further step.
* So paralogues of different substrates end up as their common class ("ABC transporter
  permease"), and where nothing has a majority there is no name: no name is better
  than a wrong one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from genint.knowledge.own_families import LEAST_CONSENSUS
from genint.knowledge.product_names import NameKind, classify_product
from genint.knowledge.products import ProductKind, ProductVocabulary
from training.families.votes import Claim, Vote, is_class, read_name
from training.families.wording import last_symbol

SYMBOL_SHARE = 0.5
"""Of all names, by weight and by protein: so many have to state a function that only a gene symbol
tells from the others of its class. Names of the class alone speak for none of them."""
SYMBOL_PROTEINS = 2
SYMBOL_PROTEIN_SHARE = 1 / 3
"""Of the named proteins, whatever their names weigh."""
BOLD_CONSENSUS = 0.8
"""What a name needs that says more than another one which has more support."""
LEAST_OF_PHAGES = 0.5
"""What a name needs in a family of phages where otherwise only a class has support. Their genomes
keep no paralogues side by side, so names that differ are mostly one function in other words."""
STATED_SHARE = 1 / 3
"""Of the weight of all names, what has to state such a function itself."""
HALF_SUPPORT = 0.5
"""What a vague name counts towards a telling one of its class."""


class _Side(Enum):
    FOR = "says this or more"
    HALF = "only says the class"
    AGAINST = "says something else"


class Tally(NamedTuple):
    """Votes for, half for and against a claim."""

    support: float = 0.0
    half: float = 0.0
    dissent: float = 0.0

    def plus(self, side: _Side, weight: float) -> Tally:
        """With one more vote."""
        if side is _Side.FOR:
            return self._replace(support=self.support + weight)
        if side is _Side.HALF:
            return self._replace(half=self.half + weight)
        return self._replace(dissent=self.dissent + weight)

    @property
    def total(self) -> float:
        """Of all votes."""
        return self.support + self.half + self.dissent

    @property
    def share(self) -> float:
        """Behind the claim, 0..1."""
        return (self.support + HALF_SUPPORT * self.half) / self.total if self.total else 0.0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A claim with the weight for and against it.

    Attributes:
        claim: What is claimed.
        by_weight: Weight of names for and against it.
        by_protein: Proteins for and against it, of those that people named.
    """

    claim: Claim
    by_weight: Tally
    by_protein: Tally

    @classmethod
    def weighed(cls, claim: Claim, votes: Iterable[Vote], vague: frozenset[Claim]) -> Candidate:
        """``vague``: the classes that the claim is of."""
        by_weight, by_protein = Tally(), Tally()
        of_member: defaultdict[str, list[Vote]] = defaultdict(list)
        for vote in votes:
            of_member[vote.member].append(vote)
        for all_of_one in of_member.values():
            counted = _without_other_words(claim, all_of_one)
            people = sum(vote.weight / vote.origin.weight for vote in counted if vote.by_people)
            for vote in counted:
                side = _side(vote, claim, vague)
                by_weight = by_weight.plus(side, vote.weight)
                if vote.by_people:
                    share = vote.weight / vote.origin.weight / people
                    by_protein = by_protein.plus(side, share * vote.of_copies)
        return cls(claim, by_weight, by_protein)

    @property
    def consensus(self) -> float:
        """Share of names behind the claim, 0..1: the smaller of both ways to count.

        By weight, a good database outvotes an automatic annotation. But two proteins that
        people named differently are one to one, whoever of them works for a database.
        """
        return min(self.by_weight.share, self.by_protein.share if self.by_protein.total else 1.0)


def _side(vote: Vote, claim: Claim, vague: frozenset[Claim]) -> _Side:
    if vote.reading.claims(claim):
        return _Side.FOR
    return _Side.HALF if vote.reading.claim in vague else _Side.AGAINST


def _without_other_words(claim: Claim, of_one: Sequence[Vote]) -> list[Vote]:
    """Votes of one protein, without names that are but other words for the claim.

    What is said of one and the same protein is about one function: where an origin
    makes the claim, names by this and by less trusted origins are no dissent.
    """
    trusted = max((vote.origin.weight for vote in of_one if vote.reading.claims(claim)), default=0)
    return [vote for vote in of_one if vote.reading.claims(claim) or vote.origin.weight > trusted]


def choose(
    votes: Sequence[Vote], vocabulary: ProductVocabulary, *, of_phages: bool = False
) -> Candidate | None:
    """The most telling claim with enough support; None if there is none.

    Of several that are no kinds of one another, the one with more behind it; one that says the
    function in words comes before one that only has a symbol.

    Args:
        votes: Of the members.
        vocabulary: Of product names.
        of_phages: Names that only say less are half support, and half of the names are enough for
            a function, where more only name a class.
    """
    above = _above(votes, vocabulary)
    by_symbol = _by_symbol(votes)
    weighed = (_weighed(claim, votes, above, vocabulary, of_phages=of_phages) for claim in above)
    candidates = [
        one for one in weighed if one.claim not in by_symbol or _is_earned_by_symbol(one, votes)
    ]
    order = [
        _telling(
            [one for one in candidates if one.consensus >= least], above, by_symbol, vocabulary
        )
        for least in (LEAST_CONSENSUS, LEAST_OF_PHAGES)
    ]
    chosen, bolder = (next(iter(found), None) for found in order)
    if not of_phages or not (chosen is None or _is_vague(chosen, vocabulary)):
        return chosen
    if bolder is None or _is_vague(bolder, vocabulary):
        return chosen
    wider = frozenset(claim for claim, _ in above[bolder.claim])
    opposed = _is_opposed(bolder, votes, vocabulary)
    return bolder if not opposed and _is_clear(order[1], votes, wider) else chosen


def _is_vague(candidate: Candidate, vocabulary: ProductVocabulary) -> bool:
    product = vocabulary.products.get(candidate.claim.product)
    return product is not None and product.vague


def _is_opposed(candidate: Candidate, votes: Iterable[Vote], vocabulary: ProductVocabulary) -> bool:
    """Whether a name states an opposite of a function, or a kind of one: Cro of a repressor."""
    product = vocabulary.products.get(candidate.claim.product)
    return product is not None and any(
        vote.reading.claims(Claim(opposite, "")) for vote in votes for opposite in product.opposites
    )


def _is_clear(telling: Sequence[Candidate], votes: Iterable[Vote], wider: frozenset[Claim]) -> bool:
    """Whether enough names state the first of some claims, more proteins than say another one.

    It has to be a term of the vocabulary: other wordings are mostly those of one record.

    Args:
        telling: Claims, best first.
        votes: Of the members.
        wider: What is said of a protein by names that only say less than the first.
    """
    first, others = telling[0], telling[1:]
    if not first.claim.product or any(
        round(first.consensus - one.consensus, 9) <= 0 for one in others
    ):
        return False
    sides: defaultdict[str, set[_Side]] = defaultdict(set)
    for vote in votes:
        sides[vote.member].add(_side(vote, first.claim, wider))
    behind = sum(_Side.FOR in said for said in sides.values())
    against = sum(said == {_Side.AGAINST} for said in sides.values())
    stated = first.by_weight.support >= STATED_SHARE * first.by_weight.total
    return stated and behind > against


def _telling(
    accepted: Sequence[Candidate],
    above: Mapping[Claim, tuple[tuple[Claim, str], ...]],
    by_symbol: frozenset[Claim],
    vocabulary: ProductVocabulary,
) -> list[Candidate]:
    """The most telling ones of some claims with enough support, best first."""
    by_claim = {one.claim: one for one in accepted}
    sure = [one for one in accepted if not _too_bold(one, by_claim, above[one.claim], vocabulary)]
    too_wide = {wider for one in sure for wider, _ in above[one.claim]}
    return sorted(
        (one for one in sure if one.claim not in too_wide),
        key=lambda one: (
            one.claim in by_symbol,
            -round(one.consensus, 9),
            -round(one.by_weight.support, 9),
            not one.claim.product,
            one.claim,
        ),
    )


def _by_symbol(votes: Iterable[Vote]) -> frozenset[Claim]:
    """The claims that only a gene symbol tells from others of their class."""
    return frozenset(
        claim
        for vote in votes
        if vote.reading.within is not None
        for claim, wording in (
            (vote.reading.claim, vote.reading.wording),
            *vote.reading.wider,
        )
        if not claim.product and last_symbol(wording) is not None
    )


def _is_earned_by_symbol(candidate: Candidate, votes: Iterable[Vote]) -> bool:
    """Whether enough names state the function itself."""
    agreeing = {vote.member for vote in votes if vote.reading.claims(candidate.claim)}
    enough = max(SYMBOL_PROTEINS, SYMBOL_PROTEIN_SHARE * len({vote.member for vote in votes}))
    return len(agreeing) >= enough and all(
        tally.support >= SYMBOL_SHARE * tally.total
        for tally in (candidate.by_weight, candidate.by_protein)
    )


def _weighed(
    claim: Claim,
    votes: Sequence[Vote],
    above: Mapping[Claim, tuple[tuple[Claim, str], ...]],
    vocabulary: ProductVocabulary,
    *,
    of_phages: bool,
) -> Candidate:
    """A claim with what is for and against it.

    Of a family of regulators, names of one of them by its symbol are half support, as names of
    regulators are: they leave it open which family that is. In phages every wider name is half
    support of a term: "exonuclease" of the relatives of DexA.
    """
    vague = vague_of(above[claim], vocabulary)
    if of_phages and claim.product:
        vague |= {wider for wider, _ in above[claim]}
    if claim.product and is_class(vocabulary.products[claim.product]):
        vague |= {vote.reading.claim for vote in votes if vote.reading.within in vague}
    return Candidate.weighed(claim, votes, vague)


def _too_bold(
    candidate: Candidate,
    accepted: Mapping[Claim, Candidate],
    wider: Iterable[tuple[Claim, str]],
    vocabulary: ProductVocabulary,
) -> bool:
    """Whether a name that says the function already is the better one.

    "Dimethylamine methyltransferase MtbB1" where some members are MtbB2.
    """
    pairs = list(wider)
    functions = {claim for claim, _ in pairs} - vague_of(pairs, vocabulary)
    return candidate.consensus < BOLD_CONSENSUS and any(
        claim in accepted and accepted[claim].consensus > candidate.consensus for claim in functions
    )


_OF_MANY_PARALOGUES = re.compile(
    r"(?:transporter|permease|symporter|antiporter|exporter|importer|porin"
    r"|substrate-binding protein|regulator|repressor|activator)$"
)
"""Classes whose members differ in what they carry or answer to."""


def modest(
    chosen: Candidate | None, votes: Sequence[Vote], vocabulary: ProductVocabulary
) -> Candidate | None:
    """One protein's name is not its relatives' where those have substrates of their own.

    A family that only one member names "xylose repressor" is one of repressors.
    """
    if chosen is None:
        return None
    product = vocabulary.products.get(chosen.claim.product)
    if product is not None and (product.vague or product.kind is ProductKind.PHAGE):
        return chosen
    behind = [vote for vote in votes if vote.reading.claims(chosen.claim)]
    if len({vote.member for vote in behind}) > 1:
        return chosen
    above = _above(votes, vocabulary)
    for wider, wording in above[chosen.claim]:
        is_vague = wider in vague_of([(wider, wording)], vocabulary)
        if is_vague and _OF_MANY_PARALOGUES.search(wording):
            return Candidate.weighed(wider, votes, vague_of(above[wider], vocabulary))
    return chosen


def _above(
    votes: Iterable[Vote], vocabulary: ProductVocabulary
) -> dict[Claim, tuple[tuple[Claim, str], ...]]:
    """All claims that anybody makes, directly or by being narrower, and what is above each."""
    said = sorted({vote.reading for vote in votes}, key=lambda reading: reading[:4])
    above = {reading.claim: reading.wider for reading in said}
    for reading in said:
        for claim, wording in reading.wider:
            if claim not in above:
                implied = read_name(wording, vocabulary)
                above[claim] = implied.wider if implied is not None else ()
    return above


def vague_of(wider: Iterable[tuple[Claim, str]], vocabulary: ProductVocabulary) -> frozenset[Claim]:
    """Those of the wider claims that leave the function open."""
    return frozenset(
        claim
        for claim, wording in wider
        if (
            vocabulary.products[claim.product].vague
            if claim.product
            else classify_product(wording) is NameKind.BROAD
        )
    )
