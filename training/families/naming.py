"""The name of a family: what a curator would put on it, given its members' names.

Every name votes (:mod:`training.families.votes`) for the function that it states and
for whatever that is a kind of. Wins the most telling claim with enough support:

* A name that says more supports fully. A vague name of the same class ("tail protein"
  of a "tail tube protein") is half support. Any other name is dissent, also one that
  names a function and stops there: it does not share the further step.
* So paralogues of different substrates end up as their common class ("ABC transporter
  permease"), and where nothing has a majority there is no name: no name is better
  than a wrong one.
* A doubt ("putative") stays only where nearly every name has it: most submitters
  write it by habit, and how sure a transfer is, is for its evidence to say.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from genint.knowledge.name_words import set_apart, words_of
from genint.knowledge.product_names import NameKind, classify_product, clean_product
from genint.knowledge.products import Product, ProductVocabulary, Relation
from genint.model.vocabulary import Category
from training.families.corrections import Corrections
from training.families.values import Origin, TrainingProtein
from training.families.votes import Claim, Reading, Vote, cast, read_name, readings

MIN_CONSENSUS = 0.6
"""Share of the weight of informative names that has to stand behind a family's name."""
MIN_MEMBERS = 2
MIN_RECORDS = 2
HEDGED_SHARE = 0.9
"""From this share of hedged names on, a family's name is hedged."""
_WIDER_SHARE = 0.5
"""What a name that says less counts towards one that says more."""
_MAX_DISSENTERS = 8


@dataclass(frozen=True, slots=True)
class Label:
    """What a family is called, and what that rests on.

    Attributes:
        name: As reports say it.
        product: Id in the vocabulary; None for a name that it lacks.
        symbol: Gene symbol that the agreeing members share; None where they don't.
        vague: The name is of a class and leaves the function open.
        consensus: Share of the informative weight behind the name, 0..1.
        informative: Share of the members with an informative name, 0..1.
        members: Distinct proteins.
        named_members: Those with an informative name.
        agreeing: Hashes of the members whose name is this or a narrower one, sorted.
        records: Records that the members are from.
        origins: Agreeing members by who named them, most trusted first.
        dissenters: Other names, weightiest first, for a person to read.
    """

    name: str
    product: str | None
    symbol: str | None
    vague: bool
    consensus: float
    informative: float
    members: int
    named_members: int
    agreeing: tuple[str, ...]
    records: int
    origins: tuple[tuple[Origin, int], ...]
    dissenters: tuple[str, ...]


def label(
    family_id: str,
    members: Sequence[TrainingProtein],
    vocabulary: ProductVocabulary,
    corrections: Corrections,
) -> Label | None:
    """The name of a cluster; None where it earns none and makes no family."""
    if len(members) < MIN_MEMBERS or len(_records(members)) < MIN_RECORDS:
        return None
    votes = cast(members, vocabulary, corrections)
    decided = corrections.family(family_id)
    if decided is not None:
        if decided.name is None:
            return None
        reading = read_name(decided.name, vocabulary)
        if reading is None:
            raise ValueError(f"correction of {decided}: {decided.name!r} names no function")
        chosen = _Candidate.weighed(reading.claim, votes, _vague(reading.wider, vocabulary))
    else:
        chosen = choose(votes, vocabulary)
    if chosen is None:
        return None
    return _describe(chosen, members, votes, vocabulary)


def _records(members: Iterable[TrainingProtein]) -> frozenset[str]:
    return frozenset(record for member in members for record in member.records)


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A claim with the weight for and against it.

    Attributes:
        claim: What is claimed.
        support: Weight of names that say this or more.
        wider: Weight of names that only say the class.
        dissent: Weight of all other names.
    """

    claim: Claim
    support: float
    wider: float
    dissent: float

    @classmethod
    def weighed(cls, claim: Claim, votes: Iterable[Vote], vague: frozenset[Claim]) -> _Candidate:
        """``vague``: the classes that the claim is of."""
        support = wider = dissent = 0.0
        for vote in votes:
            if vote.reading.claims(claim):
                support += vote.weight
            elif vote.reading.claim in vague:
                wider += vote.weight
            else:
                dissent += vote.weight
        return cls(claim, support, wider, dissent)

    @property
    def consensus(self) -> float:
        """Share of all weight behind the claim, 0..1."""
        total = self.support + self.wider + self.dissent
        return (self.support + _WIDER_SHARE * self.wider) / total if total else 0.0


def choose(votes: Sequence[Vote], vocabulary: ProductVocabulary) -> _Candidate | None:
    """The most telling claim with enough support; None if there is none.

    Of several that are no kinds of one another, the one with more behind it.
    """
    above = _above(votes, vocabulary)
    accepted = {
        claim: candidate
        for claim in above
        if (
            candidate := _Candidate.weighed(claim, votes, _vague(above[claim], vocabulary))
        ).consensus
        >= MIN_CONSENSUS
    }
    too_wide = {wider for claim in accepted for wider, _ in above[claim]}
    telling = [candidate for claim, candidate in accepted.items() if claim not in too_wide]
    return min(
        telling,
        key=lambda c: (-round(c.consensus, 9), -round(c.support, 9), not c.claim.product, c.claim),
        default=None,
    )


def _above(
    votes: Iterable[Vote], vocabulary: ProductVocabulary
) -> dict[Claim, tuple[tuple[Claim, str], ...]]:
    """All claims that anybody makes, directly or by being narrower, and what is above each."""
    said = sorted({vote.reading for vote in votes})
    above = {reading.claim: reading.wider for reading in said}
    for reading in said:
        for claim, wording in reading.wider:
            if claim not in above:
                implied = read_name(wording, vocabulary)
                above[claim] = implied.wider if implied is not None else ()
    return above


def _vague(wider: Iterable[tuple[Claim, str]], vocabulary: ProductVocabulary) -> frozenset[Claim]:
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


def _describe(
    chosen: _Candidate,
    members: Sequence[TrainingProtein],
    votes: Sequence[Vote],
    vocabulary: ProductVocabulary,
) -> Label:
    """The label of a family whose name is decided."""
    behind = [vote for vote in votes if vote.reading.claims(chosen.claim)]
    agreeing = {vote.member for vote in behind}
    named = {vote.member for vote in votes}
    product = vocabulary.products[chosen.claim.product] if chosen.claim.product else None
    name = product.name if product else _wording(chosen.claim, behind)
    by_origin = Counter(origin for origin, _ in {(vote.origin, vote.member) for vote in behind})
    return Label(
        name=f"putative {name}" if _is_hedged(behind) else name,
        product=product.id if product else None,
        symbol=_symbol(product, [member for member in members if member.hash in agreeing]),
        vague=product.vague if product else classify_product(name) is NameKind.BROAD,
        consensus=chosen.consensus,
        informative=len(named) / len(members),
        members=len(members),
        named_members=len(named),
        agreeing=tuple(sorted(agreeing)),
        records=len(_records(members)),
        origins=tuple((origin, by_origin[origin]) for origin in Origin if by_origin[origin]),
        dissenters=_dissenters(chosen.claim, votes),
    )


def _wording(claim: Claim, behind: Iterable[Vote]) -> str:
    """The best of the wordings of a claim outside the vocabulary.

    The one with most weight among those who say just this, not more; then by style.
    """
    said: Counter[str] = Counter()
    implied: Counter[str] = Counter()
    for vote in behind:
        if vote.reading.claim == claim:
            said[vote.reading.wording] += vote.weight
        else:
            implied[dict(vote.reading.wider)[claim]] += vote.weight
    wordings = said or implied
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
_WORD_IN_CAPITALS = re.compile(r"[A-Z][a-z]{3,}(?:/[a-z]+)*")


def _as_product(wording: str) -> str:
    """As a product is written: "Plasmid Stability" is a "plasmid stability protein"."""
    words = wording.split(" ")
    words = [clean_product(word) if _WORD_IN_CAPITALS.fullmatch(word) else word for word in words]
    name = re.sub(r"\s+(?:super)?family$", "", " ".join(words))
    return f"{name} protein" if _PROCESS.search(name) else name


def _is_hedged(behind: Iterable[Vote]) -> bool:
    votes = list(behind)
    doubted = sum(vote.weight for vote in votes if vote.reading.hedged)
    return doubted >= HEDGED_SHARE * sum(vote.weight for vote in votes)


_SYMBOL = re.compile(r"[a-z]{3}(?:[A-Z]\d?|\d)?")
"""recA, terL, hflC1: bacterial style. Numbers and letters of one phage mean nothing elsewhere."""


def _symbol(product: Product | None, agreeing: Sequence[TrainingProtein]) -> str | None:
    """The gene symbol that most of the agreeing members with one have; else the vocabulary's.

    A symbol of a single member is no symbol of a family.
    """
    counts = Counter(
        symbol
        for member in agreeing
        for symbol in {n.symbol for n in member.namings if _SYMBOL.fullmatch(n.symbol)}
    )
    if counts:
        best = min(counts, key=lambda symbol: (-counts[symbol], symbol))
        if counts[best] >= MIN_MEMBERS and counts[best] >= MIN_CONSENSUS * counts.total():
            return best
    return product.symbols[0] if product is not None and product.symbols else None


def _dissenters(claim: Claim, votes: Iterable[Vote]) -> tuple[str, ...]:
    others: Counter[str] = Counter()
    for vote in votes:
        if not vote.reading.claims(claim):
            others[vote.reading.wording] += vote.weight
    ranked = sorted(others, key=lambda wording: (-round(others[wording], 9), wording))
    return tuple(ranked[:_MAX_DISSENTERS])


_VIRION = frozenset({Category.PACKAGING, Category.HEAD, Category.CONNECTOR, Category.TAIL})
_CELL = frozenset(
    {
        Category.REPLICATION,
        Category.NUCLEOTIDES,
        Category.TRANSCRIPTION,
        Category.TRANSLATION,
        Category.METABOLISM,
    }
)


def disagrees(
    label: Label,
    protein: TrainingProtein,
    vocabulary: ProductVocabulary,
    corrections: Corrections,
) -> bool:
    """Whether a protein is clearly something else than a family's name says.

    Every informative name of it has to say so. False wherever that is unsure: other
    words may be of the same function.
    """
    said = {reading for _, reading in readings(protein, vocabulary, corrections)}
    return bool(said) and all(_contradicts(label, reading, vocabulary) for reading in said)


def _contradicts(label: Label, reading: Reading, vocabulary: ProductVocabulary) -> bool:
    if label.product is not None and reading.claim.product:
        return _products_contradict(
            vocabulary.products[label.product],
            vocabulary.products[reading.claim.product],
            vocabulary,
        )
    own = read_name(label.name, vocabulary)
    if own is None or reading.claims(own.claim) or own.claims(reading.claim):
        return False
    if {claim for claim, _ in own.wider} & {claim for claim, _ in reading.wider}:
        return False
    ours, theirs = words_of(label.name), words_of(reading.wording)
    if set_apart(ours, theirs):
        return True
    return bool(ours and theirs) and ours.isdisjoint(theirs)


def _products_contradict(own: Product, other: Product, vocabulary: ProductVocabulary) -> bool:
    relation = vocabulary.related(own.id, other.id)
    if relation is Relation.OPPOSITE:
        return True
    if relation in (Relation.SAME, Relation.NARROWER, Relation.BROADER):
        return False
    if own.vague or other.vague:
        return (own.category in _VIRION and other.category in _CELL) or (
            own.category in _CELL and other.category in _VIRION
        )
    if relation is Relation.SIBLING:
        return True
    # One category, nothing in common: often two views of one thing (lysozyme and endolysin).
    return own.category is not other.category
