"""Build the profiles of all families, on several processes, remembering each."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from typing import NamedTuple, TypeVar

import pyhmmer
from pyhmmer.plan7 import HMM

from genint.knowledge import profile_pack
from training.families.alignment import RECIPE, build_profile, from_bytes, to_bytes
from training.families.store import Store, content_key
from training.families.values import Cluster, Corpus

STEPS_PER_BIT = 6
"""How finely the packs keep probabilities.

Measured on 150 families of which a quarter of the members was held out: every one of
the 324 was found again from 3 to 12 steps; scores moved by 0.8 % on average at 6
(1.0 % at 5, 0.6 % at 12), and of 675 scores above 25 bits 2 fell below it, as many as
rose above. 12 steps take a third more room.
"""

_CHUNK = 40
"""Families per task: seconds of work, so that what is interrupted loses little."""
_UNSET = (0.0, 0.0)

Task = TypeVar("Task")
Result = TypeVar("Result")


class Family(NamedTuple):
    """A family to be built.

    Attributes:
        id: Of its cluster.
        key: Content key of its profile.
        members: Residues, in the order of the cluster.
    """

    id: str
    key: str
    members: tuple[str, ...]


def families(clusters: Iterable[Cluster], corpus: Corpus) -> tuple[Family, ...]:
    """The clusters with what their profiles are made of."""
    return tuple(
        Family(
            group.id,
            content_key(RECIPE, pyhmmer.__version__, *group.members),
            tuple(corpus.proteins[key].residues for key in group.members),
        )
        for group in clusters
    )


def build_missing(wanted: Sequence[Family], store: Store, processes: int) -> int:
    """Build the profiles that the store has not; returns how many.

    Cost: some 5 minutes for 5,500 families on two cores.
    """
    known = store.known([family.key for family in wanted])
    missing = [family for family in wanted if family.key not in known]
    for built in in_processes(_built, chunks(missing), processes):
        store.save(built)
    return len(missing)


def _built(some: tuple[Family, ...]) -> dict[str, bytes]:
    return {family.key: to_bytes(build_profile(family.members)) for family in some}


def load_profiles(
    wanted: Sequence[Family], store: Store, thresholds: Mapping[str, float] | None = None
) -> Iterator[HMM]:
    """Profiles as they were built, by family id, with their thresholds in bits."""
    for some in chunks(wanted):
        found = store.load(family.key for family in some)
        for family in some:
            profile = from_bytes(found[family.key], family.id)
            bits = thresholds[family.id] if thresholds is not None else 0.0
            profile.cutoffs.gathering = (bits, bits)
            yield profile


def as_shipped(profiles: Iterable[HMM], steps_per_bit: int) -> list[HMM]:
    """Profiles as the engine will see them, after the pack.

    All that is measured of a profile, its threshold above all, is measured on this one:
    so what the pack loses is allowed for. Only the E-value parameters stay those of
    the profile as built, which HMMER fits while it builds: thresholds are in bits and
    do not depend on them, but how much E-values shift was not measured.
    """
    return list(profile_pack.decode(profile_pack.encode(profiles, steps_per_bit)))


def chunks(families: Iterable[Family]) -> Iterator[tuple[Family, ...]]:
    """The families, some at a time."""
    rest = iter(families)
    while some := tuple(islice(rest, _CHUNK)):
        yield some


def in_processes(
    work: Callable[[Task], Result], tasks: Iterable[Task], processes: int
) -> Iterator[Result]:
    """Results in the order of the tasks.

    New processes, not forks: what one library leaves in memory is no other's business.
    """
    waiting = list(tasks)
    if processes == 1 or len(waiting) < 2:
        yield from map(work, waiting)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        yield from pool.map(work, waiting)
