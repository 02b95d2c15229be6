"""Thresholds of our own: above whatever clearly is something else.

A family's threshold is the largest of a floor, one bit more than the best non-member
whose name says another function, and one bit more than the best decoy: a reversed
protein of repeats (collagen in tail fibres, coiled coils), which a family that goes by
its repeats takes for its own. All scores are kept in the work folder,
so a blind build searches only with the families it changed.
"""

from __future__ import annotations

import math
import statistics
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pyhmmer
from numpy.typing import NDArray
from pyhmmer.easel import Alphabet, DigitalSequenceBlock, TextSequence
from pyhmmer.plan7 import HMM

from genint.knowledge.own_families import FamilyPack
from genint.model.evidence import WHOLE_PROTEIN
from genint.native.subnormals import subnormals_as_zero
from training.families.profiles import Family, as_shipped, chunks, in_processes, load_profiles
from training.families.store import Store, content_key
from training.families.trial import TRUSTED_WEIGHT, Trial, weight
from training.families.values import Corpus, TrainingProtein

FLOOR_BITS = 25.0
"""No family hits below this: reversed proteins practically never reach it."""
BITS_PER_RESIDUE = 0.4
"""Least score for each residue of a usual member, of families without a phage protein.
Bacteria keep paralogues side by side: of the names of S. pyogenes (hidden, with its
relatives) and M. pneumoniae, 59 and 80 % were not wrong below 0.4 bits a residue, 76 and
97 % up to 0.6, 92 and 98 % above. Proteins of phages change faster, and there the score
says little of whether a name is right.
"""
MARGIN_BITS = 1.0
"""How far above the best dissenter the threshold lies."""
KEPT_BITS = 15.0
"""Scores below are not kept: no threshold can depend on them."""
MOST_TRIED = 30
"""Members of a family that its profile is tried on."""
MEMBERS_REACHING = 0.5
"""Share of its members that must reach a family's threshold."""
MEMBERS_KEPT = 0.8
"""Share of its members that have to score above a relative whose name shares its words: where fewer
do, the score does not tell the two apart, and the threshold is left to others."""

_COUNTS = struct.Struct("<II")
_SCORE = np.dtype([("protein", "<u4"), ("bits", "<f4")])


class Scores(NamedTuple):
    """What a profile scores, in bits: what a hit needs for sequence and best domain.

    Attributes:
        members: By hash; those that it finds at all.
        tried: Named proteins by hash, best first.
        decoy: Of the best decoy; 0 if it finds none.
    """

    members: Mapping[str, float]
    tried: tuple[tuple[str, float], ...]
    decoy: float = 0.0


@dataclass(frozen=True, slots=True)
class Threshold:
    """The score from which on a protein belongs to a family.

    Attributes:
        bits: For the sequence and for its best domain; a multiple of 0.1.
        reaching: Share of the members that reach it, 0..1.
        dissenter: Hash of the non-member that set it; None if something else did.
    """

    bits: float
    reaching: float
    dissenter: str | None

    @property
    def holds(self) -> bool:
        """Whether the family still finds its own."""
        return self.reaching >= MEMBERS_REACHING


class Judge(NamedTuple):
    """Tells whether a named protein is something else than the family.

    Attributes:
        disagrees: Whether it clearly is.
        differs: Whether it is a relative of another function for whoever looks closer than
            at the words of its name. It counts only where most members score above it.
    """

    disagrees: Callable[[TrainingProtein], bool]
    differs: Callable[[TrainingProtein], bool]


class _Search(NamedTuple):
    """One task: families, where their profiles are, and what to search with them."""

    families: tuple[Family, ...]
    keys: tuple[str, ...]
    store: Store
    near: tuple[tuple[str, ...], ...]
    decoys: tuple[str, ...]
    steps_per_bit: int


def search_missing(
    wanted: Sequence[Family], trial: Trial, store: Store, steps_per_bit: int, processes: int
) -> int:
    """Score members, neighbours and decoys with the profiles not searched yet; how many.

    Args:
        wanted: Their profiles are in the store.
        trial: What every profile is tried on.
        store: Where scores are kept.
        steps_per_bit: Of the pack that the profiles will go through.
        processes: How many to use.

    Cost: some 10 minutes on two cores for 15,000 profiles.
    """
    keys = score_keys(wanted, trial, steps_per_bit)
    known = store.known(list(keys.values()))
    missing = [family for family in wanted if keys[family.id] not in known]

    tasks = (
        _Search(
            some,
            tuple(keys[family.id] for family in some),
            store,
            tuple(tuple(trial.residues[key] for key in trial.near(family.id)) for family in some),
            trial.decoys,
            steps_per_bit,
        )
        for some in chunks(missing)
    )
    for found in in_processes(_searched, tasks, processes):
        store.save(found)
    return len(missing)


def score_keys(wanted: Sequence[Family], trial: Trial, steps_per_bit: int) -> dict[str, str]:
    """Content keys of the scores, by family id."""
    decoys = content_key(*trial.decoys)
    parts = ("scores 3", pyhmmer.__version__, MOST_TRIED, decoys, steps_per_bit)
    return {family.id: content_key(*parts, family.key, *trial.near(family.id)) for family in wanted}


def _searched(task: _Search) -> dict[str, bytes]:
    profiles = as_shipped(load_profiles(task.families, task.store), task.steps_per_bit)
    decoys = block(task.decoys)
    results: dict[str, bytes] = {}
    for family, key, near, profile in zip(
        task.families, task.keys, task.near, profiles, strict=True
    ):
        own = score(profile, block(tried_members(family.members)))
        others = score(profile, block(near))
        chance = score(profile, decoys)
        tables = (own.tobytes(), others.tobytes(), chance.tobytes())
        results[key] = b"".join((_COUNTS.pack(len(own), len(others)), *tables))
    return results


def tried_members(members: Sequence[str]) -> tuple[str, ...]:
    """Of a large family every so many member: they come sorted by hash, as if drawn by lot."""
    return tuple(members[:: -(-len(members) // MOST_TRIED)])


def block(residues: Iterable[str]) -> DigitalSequenceBlock:
    """Proteins as HMMER searches them, named by their place."""
    alphabet = Alphabet.amino()
    return DigitalSequenceBlock(
        alphabet,
        (
            TextSequence(name=str(at), sequence=sequence).digitize(alphabet)
            for at, sequence in enumerate(residues)
        ),
    )


def score(profile: HMM, proteins: DigitalSequenceBlock) -> NDArray[np.void]:
    """Places and bits of proteins with at least :data:`KEPT_BITS`, best first.

    The bits are the smaller of those of the sequence and of its best domain, as a
    threshold has to be reached by both.
    """
    with subnormals_as_zero():
        (hits,) = pyhmmer.hmmsearch([profile], proteins, cpus=1, T=KEPT_BITS, domT=KEPT_BITS)
    found = [
        (int(hit.name), min(hit.score, hit.best_domain.score))
        for hit in hits
        if hit.reported and hit.best_domain.score >= KEPT_BITS
    ]
    found.sort(key=lambda pair: (-pair[1], pair[0]))
    return np.array(found, dtype=_SCORE)


def load_scores(
    wanted: Sequence[Family],
    members: Mapping[str, tuple[str, ...]],
    trial: Trial,
    keys: Mapping[str, str],
    store: Store,
) -> dict[str, Scores]:
    """Scores of all families, by id.

    Args:
        wanted: All searched.
        members: Hashes of the members, by family id, in the order of the family.
        trial: What was searched.
        keys: Of :func:`score_keys`.
        store: Where scores are kept.
    """
    scores: dict[str, Scores] = {}
    for some in chunks(wanted):
        found = store.load(keys[family.id] for family in some)
        for family in some:
            content = found[keys[family.id]]
            n_own, n_others = _COUNTS.unpack_from(content)
            table = np.frombuffer(content, dtype=_SCORE, offset=_COUNTS.size)
            own, others = table[:n_own], table[n_own : n_own + n_others]
            chance = table[n_own + n_others :]["bits"]
            tried, near = tried_members(members[family.id]), trial.near(family.id)
            scores[family.id] = Scores(
                {tried[at]: float(bits) for at, bits in own.tolist()},
                tuple((near[at], float(bits)) for at, bits in others.tolist()),
                float(chance.max(initial=0.0)),
            )
    return scores


def threshold(
    scores: Scores,
    members: Sequence[str],
    corpus: Corpus,
    judge: Judge,
    floor_bits: float = FLOOR_BITS,
) -> Threshold:
    """The threshold of one family.

    Args:
        scores: Of its profile.
        members: Hashes of its members.
        corpus: What is known; a protein that it has not, does not count.
        judge: Tells what is something else.
        floor_bits: The least that it may be, see :func:`floor`.

    One name that only the automatic annotation of 2011 gives is no witness: such a
    dissenter needs a second. Nor is a protein so long that the family names but a region of it:
    that a histidinol dehydrogenase within a trifunctional protein has its name does not say that
    the region is something else.
    """
    own = frozenset(members)
    usual_aa = _usual_length(corpus.proteins[key].residues for key in members)
    longest_aa = usual_aa / WHOLE_PROTEIN
    weak: str | None = None
    dissenter: str | None = None
    bits = lowest = max(floor_bits, _above(scores.decoy))
    for key, scored in scores.tried:
        if _above(scored) <= lowest:
            break
        if key in own or key not in corpus.proteins:
            continue
        protein = corpus.proteins[key]
        if len(protein.residues) > longest_aa:
            continue
        if not judge.disagrees(protein) and not (
            judge.differs(protein) and _reaching(scores, members, _above(scored)) >= MEMBERS_KEPT
        ):
            continue
        if weak is None and weight(corpus.proteins[key]) < TRUSTED_WEIGHT:
            weak = key
            continue
        dissenter, bits = key, _above(scored)
        break
    return Threshold(bits, _reaching(scores, members, bits), dissenter)


def _reaching(scores: Scores, members: Sequence[str], bits: float) -> float:
    """Share of the members tried that score so much."""
    reached = sum(scored >= bits for scored in scores.members.values())
    return reached / len(tried_members(members))


def floor(members: Iterable[str], pack: FamilyPack) -> float:
    """The least threshold, in bits, that a family of these residues may have."""
    if pack is FamilyPack.PHAGE:
        return FLOOR_BITS
    return max(FLOOR_BITS, round(BITS_PER_RESIDUE * _usual_length(members), 1))


def _usual_length(residues: Iterable[str]) -> int:
    """The median length, in residues."""
    return statistics.median_low(map(len, residues))


def _above(scored: float) -> float:
    """The threshold above a score, in tenths of a bit."""
    return math.ceil(10 * (scored + MARGIN_BITS)) / 10
