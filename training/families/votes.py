"""What the names of a cluster's members claim, and how much each of them weighs."""

from __future__ import annotations

import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from string import digits
from typing import NamedTuple

from genint.knowledge.product_names import NameKind, classify_product
from genint.knowledge.products import Product, ProductVocabulary, name_key
from training.families.corrections import Corrections
from training.families.values import Lineage, Naming, Origin, TrainingProtein
from training.families.wording import (
    bare_name,
    endings,
    family_symbols,
    hedged,
    last_symbol,
    names_class,
    plain_text,
    stems,
)


class Claim(NamedTuple):
    """One function as names state it: a product of the vocabulary, or else a key of wordings.

    Attributes:
        product: Id in the vocabulary; empty where it has none.
        key: Comparison key of the wording; empty for a product.
    """

    product: str
    key: str


class Reading(NamedTuple):
    """What one name says.

    Attributes:
        claim: The function that it states.
        wording: The name without doubts and comments.
        hedged: Whether it was given with a doubt.
        wider: Claims that hold as well because this one is a kind of them, each with
            a wording.
        within: The class that a gene symbol tells the protein apart in; None where the name
            has no symbol, or no class.
    """

    claim: Claim
    wording: str
    hedged: bool
    wider: tuple[tuple[Claim, str], ...]
    within: Claim | None = None

    def claims(self, claim: Claim) -> bool:
        """Whether the name says this, or something narrower."""
        return claim == self.claim or any(claim == other for other, _ in self.wider)


class Vote(NamedTuple):
    """What one member says through one origin.

    Attributes:
        member: Hash.
        origin: Who named it.
        reading: What the name says.
        weight: What the vote counts.
        of_copies: The share that one of so many near-identical members has.
    """

    member: str
    origin: Origin
    reading: Reading
    weight: float
    of_copies: float

    @property
    def by_people(self) -> bool:
        """Whether people named the protein."""
        return self.origin in _PEOPLE


_PEOPLE = frozenset({Origin.SWISSPROT, Origin.SUBMITTER})
_BY_GENE = _PEOPLE | {Origin.SEED}
"""Who names single genes. One rule of UniProt calls hundreds of ATPases FbpC."""


def readings(
    protein: TrainingProtein, vocabulary: ProductVocabulary, corrections: Corrections
) -> Iterator[tuple[Naming, Reading]]:
    """What each naming of a protein says; namings that say nothing are left out."""
    if corrections.distrusts(protein):
        return
    length_aa = len(protein.residues)
    for naming in protein.namings:
        if naming.origin.weight:
            text = corrections.product(naming, length_aa)
            with_symbol = naming.lineage is not Lineage.PHAGE and naming.origin in _BY_GENE
            reading = read_name(text, vocabulary, with_symbol=with_symbol) if text else None
            if reading is not None:
                yield naming, reading


@lru_cache(maxsize=65_536)
def read_name(
    text: str, vocabulary: ProductVocabulary, *, with_symbol: bool = True
) -> Reading | None:
    """What a product text says; None if that is nothing. Remembered.

    Args:
        text: As a record has it.
        vocabulary: Of product names.
        with_symbol: Whether a gene symbol behind a class says which of the class it is. Not where
            a rule named whole families, nor of a phage's protein: its DnaC is not its host's.
    """
    text = plain_text(text)
    name = bare_name(text)
    product = vocabulary.find(text) or (vocabulary.find(name) if name else None)
    if product is not None:
        (claim, wording), *wider = _lines(
            product, name or text, vocabulary, with_symbol=with_symbol
        )
        if claim.product or name is None:
            return Reading(claim, wording, hedged(text), tuple(wider))
        said = wording if _adds_nothing(name, wording) else name
        return Reading(claim, said, hedged(text), tuple(wider), Claim(product.id, ""))
    if name is None or classify_product(name) is NameKind.SYMBOL or not name_key(name):
        return None
    claim = Claim("", name_key(name))
    kinds: dict[Claim, str] = {}
    for other, wording in _wider(name, vocabulary, with_symbol=with_symbol):
        kinds.setdefault(other, wording)
    kinds.pop(claim, None)
    return Reading(claim, name, hedged(text), tuple(kinds.items()))


def _adds_nothing(name: str, wording: str) -> bool:
    """Whether a name has no word that the wording of the vocabulary lacks."""
    return set(name_key(name).split()) <= set(name_key(wording).split())


def _wider(
    name: str, vocabulary: ProductVocabulary, *, with_symbol: bool
) -> Iterator[tuple[Claim, str]]:
    """What a name outside the vocabulary is a kind of, by its wording."""
    stem_names = stems(name)
    for wording in (*stem_names, *endings(name)):
        product = vocabulary.find(wording)
        if product is not None:
            yield from _lines(product, name, vocabulary, with_symbol=with_symbol)
        elif classify_product(wording) not in (NameKind.PLACEHOLDER, NameKind.SYMBOL) and (
            wording in stem_names or names_class(wording)
        ):
            yield Claim("", name_key(wording)), wording


def _lines(
    product: Product, name: str, vocabulary: ProductVocabulary, *, with_symbol: bool
) -> Iterator[tuple[Claim, str]]:
    """What holds for a protein that a name says to be this product, most telling first.

    Where the product is a class that leaves the function open, and the name ends in a gene
    symbol, the symbol says which of the class it is: sensor histidine kinase KdpD. It says so of
    each wider class as well, as one protein is called by several of them.
    """
    lineage = vocabulary.lineage(product.id)
    symbol = last_symbol(name) if is_class(product) and with_symbol else None
    if symbol is not None and not _is_of_all(symbol, product, vocabulary):
        # SpxA1 and SpxA2 are both SpxA.
        for mark in dict.fromkeys((symbol, symbol.rstrip(digits))):
            for each in filter(is_class, lineage):
                wording = f"{each.name} {mark}"
                if vocabulary.find(wording) is each:
                    yield Claim("", name_key(wording)), wording
    for each in lineage:
        yield Claim(each.id, ""), each.name
    for wording in endings(product.name):
        if classify_product(wording) is NameKind.BROAD and vocabulary.find(wording) is None:
            yield Claim("", name_key(wording)), wording  # sugar kinase and gluconate kinase


def is_class(product: Product) -> bool:
    """Whether many proteins of different functions have a name."""
    return product.vague or " family " in product.name


def _is_of_all(symbol: str, product: Product, vocabulary: ProductVocabulary) -> bool:
    """Whether a symbol tells none of a class from the others."""
    own = {each.lower() for each in product.symbols}
    return (
        symbol.lower() in own
        or symbol in product.name
        or symbol in _symbols_of_families(vocabulary)
    )


@lru_cache(maxsize=4)
def _symbols_of_families(vocabulary: ProductVocabulary) -> frozenset[str]:
    """Symbols that whole families are called after: the regulator LysR is any of many."""
    return frozenset(
        symbol
        for product in vocabulary.products.values()
        for name in product.names
        for symbol in family_symbols(name)
    )


def cast(
    members: Iterable[TrainingProtein], vocabulary: ProductVocabulary, corrections: Corrections
) -> tuple[Vote, ...]:
    """Votes of all members.

    A member votes once per origin, however many records repeat it; different names of
    one origin share that vote by the records that use them. Members that differ in a
    few residues were mostly named once and copied: n of them weigh like sqrt(n), as
    names of relatives are neither independent nor worthless.
    """
    proteins = list(members)
    said = {
        protein.hash: _by_origin(readings(protein, vocabulary, corrections)) for protein in proteins
    }
    named = [protein for protein in proteins if said[protein.hash]]
    copies = _near_copies(named, said)
    votes = []
    for protein in named:
        for origin, claims in said[protein.hash].items():
            of_copies = copies[protein.hash, origin] ** -0.5
            total = sum(claims.values())
            votes += [
                Vote(
                    protein.hash,
                    origin,
                    reading,
                    origin.weight * of_copies * records / total,
                    of_copies,
                )
                for reading, records in claims.items()
            ]
    return _people_first(votes)


AUTOMATIC_SHARE = 0.5
"""Of the weight of all other names: more the automatic ones of one group never have together."""


def _people_first(votes: Sequence[Vote]) -> tuple[Vote, ...]:
    """The votes, automatic ones reduced where others are there: one rule wrote them all."""
    automatic = sum(vote.weight for vote in votes if vote.origin is Origin.AUTOMATIC)
    others = sum(vote.weight for vote in votes) - automatic
    if others <= 0 or automatic <= AUTOMATIC_SHARE * others:
        return tuple(votes)
    factor = AUTOMATIC_SHARE * others / automatic
    return tuple(
        vote._replace(weight=factor * vote.weight) if vote.origin is Origin.AUTOMATIC else vote
        for vote in votes
    )


def _by_origin(said: Iterable[tuple[Naming, Reading]]) -> dict[Origin, Counter[Reading]]:
    counts: defaultdict[Origin, Counter[Reading]] = defaultdict(Counter)
    for naming, reading in said:
        counts[naming.origin][reading] += 1
    return dict(counts)


_WORD_AA = 5
_COPY_SHARE = 0.5
"""Proteins that share half of their 5-residue words are about 87 % identical and more."""


def _near_copies(
    proteins: Iterable[TrainingProtein], said: Mapping[str, Mapping[Origin, object]]
) -> dict[tuple[str, Origin], int]:
    """How many near-identical members (with itself) each member has among an origin's."""
    groups: list[tuple[frozenset[str], list[str]]] = []
    with_word: defaultdict[str, list[int]] = defaultdict(list)
    for protein in sorted(proteins, key=lambda protein: (-len(protein.residues), protein.hash)):
        words = _words(protein.residues)
        drawn = sorted(words, key=_draw)[:_DRAWN_WORDS]
        near = sorted({at for word in drawn for at in with_word.get(word, ())})
        for at in near:
            of_first, group = groups[at]
            if len(words & of_first) >= _COPY_SHARE * max(len(words), len(of_first)):
                group.append(protein.hash)
                break
        else:
            for word in drawn:
                with_word[word].append(len(groups))
            groups.append((words, [protein.hash]))
    copies = {}
    for _, group in groups:
        naming = Counter(origin for member in group for origin in said[member])
        copies.update(
            {(member, origin): naming[origin] for member in group for origin in said[member]}
        )
    return copies


_DRAWN_WORDS = 20
"""Words of a protein that are compared first: two with half of them in common share one of
these all but surely, and most others need not be compared."""


def _draw(word: str) -> int:
    """A number as if drawn by lot, the same for a word each time."""
    return zlib.crc32(word.encode())


def _words(residues: str) -> frozenset[str]:
    return frozenset(residues[at : at + _WORD_AA] for at in range(len(residues) - _WORD_AA + 1))
