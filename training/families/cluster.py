"""Cluster the corpus, once and whole; a blind build masks members afterwards.

So a blind build's families are those of the shipped build less what is hidden, with
the same ids: it rebuilds only the families it touches, and its figures speak of the
build that ships.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from training.families import mmseqs
from training.families.corpus import ReadCorpus
from training.families.corrections import ID_DIGITS
from training.families.values import Cluster, Corpus

OPTIONS = ("--min-seq-id", "0.3", "-c", "0.7", "-s", "5")
"""30 % identity over 70 % of both: what kept one name per cluster best."""
THINNING_OPTIONS = ("--min-seq-id", "0.95", "-c", "0.9")


def thin(read: ReadCorpus, work: Path, threads: int = 2) -> Corpus:
    """Of a pool's proteins, keep one of each cluster at 95 % identity.

    A protein that a record outside the pools has as well always stays.

    Raises:
        InputError: MMseqs2 fails.
    """
    proteins = read.corpus.proteins
    pooled = {key: proteins[key].residues for key in read.pooled}
    kept = cached_clusters(pooled, work, THINNING_OPTIONS, threads).keys()
    return Corpus(
        {key: protein for key, protein in proteins.items() if key not in pooled or key in kept}
    )


def cluster(corpus: Corpus, work: Path, threads: int = 2) -> tuple[Cluster, ...]:
    """Clusters of two members and more, by id.

    Raises:
        InputError: MMseqs2 fails.
    """
    residues = {key: protein.residues for key, protein in corpus.proteins.items()}
    groups = cached_clusters(residues, work, OPTIONS, threads)
    return named(group for group in groups.items() if len(group[1]) > 1)


def named(
    groups: Iterable[tuple[str, tuple[str, ...]]], taken: frozenset[str] = frozenset()
) -> tuple[Cluster, ...]:
    """Give each (representative, members) an id of its own, which is not taken yet."""
    own_ids: dict[str, Cluster] = {}
    for representative, members in sorted(groups):
        # Of 10,000 clusters, two share their first digits in one build of a hundred.
        starts = range(0, len(representative) - ID_DIGITS + 1, ID_DIGITS)
        ids = ("GF" + representative[at : at + ID_DIGITS].upper() for at in starts)
        own = next(name for name in ids if name not in own_ids and name not in taken)
        own_ids[own] = Cluster(own, tuple(sorted(members)))
    return tuple(own_ids[name] for name in sorted(own_ids))


def masked(clusters: Iterable[Cluster], corpus: Corpus) -> tuple[Cluster, ...]:
    """The clusters without the members that the corpus has no more."""
    left = (
        replace(group, members=tuple(key for key in group.members if key in corpus.proteins))
        for group in clusters
    )
    return tuple(group for group in left if len(group.members) > 1)


def cached_clusters(
    residues: Mapping[str, str], work: Path, options: tuple[str, ...], threads: int
) -> dict[str, tuple[str, ...]]:
    """Clusters, remembered in the work folder by what they were made of."""
    digest = hashlib.sha256("\n".join((mmseqs.VERSION, *options, *sorted(residues))).encode())
    file = work / f"clusters-{digest.hexdigest()[:32]}.tsv"
    if not file.is_file():
        groups = mmseqs.clustered(residues, work, options, threads)
        text = "".join(f"{name}\t{' '.join(groups[name])}\n" for name in groups)
        unfinished = file.with_suffix(".part")
        unfinished.write_text(text, encoding="ascii")
        unfinished.replace(file)
    lines = (line.split("\t") for line in file.read_text(encoding="ascii").splitlines())
    return {name: tuple(members.split()) for name, members in lines}
