"""What every profile is tried on: proteins that have names, and decoys."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from genint.knowledge.product_names import NameKind, classify_product
from training.families.values import Cluster, Corpus, Origin, TrainingProtein

NAMED_PER_CLUSTER = 2
"""Named proteins of a cluster that profiles are tried on: its others score alike."""
MANY_NAMED = 4
"""Of a cluster with fewer named proteins, one is tried."""
DECOYS = 400
"""Most repetitive proteins, reversed. Of 5,000 reversed proteins, 6 reached one of
4,070 families; all by repeats, of collagen or coiled coils."""
SHORTEST_DECOY_AA = 100
TRUSTED_WEIGHT = Origin.SUBMITTER.weight
"""From this weight on a name has been looked at by a person."""

_WORD_AA = 3


class Trial(NamedTuple):
    """What every profile is tried on; the same in a blind build.

    Attributes:
        proteins: Hashes of the named proteins.
        residues: Theirs.
        decoys: Residues of proteins that do not exist.
    """

    proteins: tuple[str, ...]
    residues: tuple[str, ...]
    decoys: tuple[str, ...]


def trial(corpus: Corpus, clusters: Iterable[Cluster]) -> Trial:
    """What to try profiles on, from the whole corpus."""
    tried = tried_proteins(corpus, clusters)
    return Trial(tried, tuple(corpus.proteins[key].residues for key in tried), decoys(corpus))


def decoys(corpus: Corpus) -> tuple[str, ...]:
    """The most repetitive proteins, reversed: composition and repeats without homology."""
    long = [
        protein
        for protein in corpus.proteins.values()
        if len(protein.residues) >= SHORTEST_DECOY_AA
    ]
    long.sort(key=lambda protein: (_variety(protein.residues), protein.hash))
    return tuple(protein.residues[::-1] for protein in long[:DECOYS])


def _variety(residues: str) -> float:
    """Different words as a share of what so long a protein could have, 0..1."""
    words = len(residues) - _WORD_AA + 1
    return len({residues[at : at + _WORD_AA] for at in range(words)}) / words


def tried_proteins(corpus: Corpus, clusters: Iterable[Cluster]) -> tuple[str, ...]:
    """The named proteins that all profiles are tried on, sorted: a few of each cluster.

    Chosen from the whole corpus, so that they are the same in a blind build. Proteins
    like no other count if a person named them: what one automatic name says of one
    lone protein is no witness against a family.
    """
    named = {key for key, protein in corpus.proteins.items() if _is_named(protein)}
    chosen: set[str] = set()
    clustered: set[str] = set()
    for group in clusters:
        clustered.update(group.members)
        ranked = sorted(
            named.intersection(group.members),
            key=lambda key: (-weight(corpus.proteins[key]), key),
        )
        chosen.update(ranked[: NAMED_PER_CLUSTER if len(ranked) >= MANY_NAMED else 1])
    lone = {key for key in named - clustered if weight(corpus.proteins[key]) >= TRUSTED_WEIGHT}
    return tuple(sorted(chosen | lone))


def _is_named(protein: TrainingProtein) -> bool:
    return any(
        naming.origin.weight
        and classify_product(naming.product) in (NameKind.NAME, NameKind.HEDGED)
        for naming in protein.namings
    )


def weight(protein: TrainingProtein) -> int:
    """Weight of the most trusted of a protein's names."""
    return max(naming.origin.weight for naming in protein.namings)
