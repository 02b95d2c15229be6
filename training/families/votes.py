"""What the names of a cluster's members claim, and how much each of them weighs."""

from __future__ import annotations

import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from genint.knowledge.product_names import NameKind, classify_product
from genint.knowledge.products import ProductVocabulary, name_key
from training.families.corrections import Corrections
from training.families.values import Naming, Origin, TrainingProtein
from training.families.wording import bare_name, endings, hedged, names_class, plain_text, stems


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
    """

    claim: Claim
    wording: str
    hedged: bool
    wider: tuple[tuple[Claim, str], ...]

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
            reading = read_name(text, vocabulary) if text else None
            if reading is not None:
                yield naming, reading


@lru_cache(maxsize=65_536)
def read_name(text: str, vocabulary: ProductVocabulary) -> Reading | None:
    """What a product text says; None if that is nothing. Remembered."""
    text = plain_text(text)
    name = bare_name(text)
    product = vocabulary.find(text) or (vocabulary.find(name) if name else None)
    if product is not None:
        first, *others = vocabulary.lineage(product.id)
        wider = tuple((Claim(other.id, ""), other.name) for other in others)
        return Reading(Claim(first.id, ""), first.name, hedged(text), wider)
    if name is None or classify_product(name) is NameKind.SYMBOL or not name_key(name):
        return None
    claim = Claim("", name_key(name))
    kinds: dict[Claim, str] = {}
    for other, wording in _wider(name, vocabulary):
        kinds.setdefault(other, wording)
    kinds.pop(claim, None)
    return Reading(claim, name, hedged(text), tuple(kinds.items()))


def _wider(name: str, vocabulary: ProductVocabulary) -> Iterator[tuple[Claim, str]]:
    """What a name outside the vocabulary is a kind of, by its wording."""
    stem_names = stems(name)
    for wording in (*stem_names, *endings(name)):
        product = vocabulary.find(wording)
        if product is not None:
            for each in vocabulary.lineage(product.id):
                yield Claim(each.id, ""), each.name
        elif classify_product(wording) not in (NameKind.PLACEHOLDER, NameKind.SYMBOL) and (
            wording in stem_names or names_class(wording)
        ):
            yield Claim("", name_key(wording)), wording


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
