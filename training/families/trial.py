"""What profiles are tried on: named proteins near their family, and decoys."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import NamedTuple

from genint.knowledge.product_names import NameKind, classify_product
from genint.knowledge.products import name_key
from training.families import mmseqs
from training.families.store import Store, content_key
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
SEARCH_OPTIONS = ("-s", "5.7", "-e", "1", "--max-seqs", "500")
MOST_NEIGHBOURS = 25
"""Of a family: the nearest named proteins outside it decide its threshold."""
MOST_OF_ONE_NAME = 3
"""Neighbours with one name: the next has to say something else."""

_WORD_AA = 3


class Trial(NamedTuple):
    """What profiles are tried on; the same in a blind build.

    Attributes:
        neighbours: Hashes of the named proteins near each group, nearest first, by its id.
        residues: Of all of these, by hash.
        decoys: Residues of proteins that do not exist.
    """

    neighbours: Mapping[str, tuple[str, ...]]
    residues: Mapping[str, str]
    decoys: tuple[str, ...]

    def near(self, group: str) -> tuple[str, ...]:
        """The neighbours of a group; none where nothing named is like it."""
        return self.neighbours.get(group, ())


def trial(
    corpus: Corpus,
    groups: Sequence[Cluster],
    wanted: Container[str],
    store: Store,
    threads: int = 2,
) -> Trial:
    """What to try profiles on, from the whole corpus.

    Args:
        corpus: Nothing of it masked.
        groups: Clusters and their parts, with all of their members.
        wanted: Ids of those that have a name, and so a profile to try.
        store: Where what MMseqs2 finds is remembered.
        threads: Processors.

    Raises:
        InputError: MMseqs2 fails.

    Cost: some 4 minutes on two cores for 16,000 groups.
    """
    tried = tried_proteins(corpus, groups)
    of_profiles = [group for group in groups if group.id in wanted]
    near = _neighbours(corpus, of_profiles, tried, store, threads)
    wanted = sorted({key for some in near.values() for key in some})
    return Trial(near, {key: corpus.proteins[key].residues for key in wanted}, decoys(corpus))


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


def tried_proteins(corpus: Corpus, groups: Iterable[Cluster]) -> tuple[str, ...]:
    """The named proteins that profiles may be tried on, sorted: a few of each close group.

    Chosen from the whole corpus, so that they are the same in a blind build. Proteins
    like no other count if a person named them: what one automatic name says of one
    lone protein is no witness against a family.
    """
    named = {key for key, protein in corpus.proteins.items() if _is_named(protein)}
    listed = list(groups)
    split = {group.whole for group in listed}
    chosen: set[str] = set()
    grouped: set[str] = set()
    for group in listed:
        if group.id in split:
            continue
        grouped.update(group.members)
        ranked = sorted(
            named.intersection(group.members),
            key=lambda key: (-weight(corpus.proteins[key]), key),
        )
        chosen.update(ranked[: NAMED_PER_CLUSTER if len(ranked) >= MANY_NAMED else 1])
    lone = {key for key in named - grouped if weight(corpus.proteins[key]) >= TRUSTED_WEIGHT}
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


def _neighbours(
    corpus: Corpus,
    groups: Sequence[Cluster],
    tried: Sequence[str],
    store: Store,
    threads: int,
) -> dict[str, tuple[str, ...]]:
    """Named proteins near each group, by its id; remembered by what they were found among."""
    queries = {group.id: _middle(group, corpus) for group in groups}
    basis = content_key("near", mmseqs.VERSION, *SEARCH_OPTIONS, *tried)
    keys = {query: content_key(basis, query) for query in queries.values()}
    known = store.known(list(keys.values()))
    missing = {
        query: corpus.proteins[query].residues for query, key in keys.items() if key not in known
    }
    if missing:
        targets = {key: corpus.proteins[key].residues for key in tried}
        found = mmseqs.searched(missing, targets, store.folder, SEARCH_OPTIONS, threads)
        near = {query: [target for target, _ in found.get(query, ())] for query in missing}
        store.save({keys[query]: json.dumps(hits).encode() for query, hits in near.items()})
    texts = store.load(keys.values())
    return {
        group.id: _nearest(json.loads(texts[keys[queries[group.id]]]), group, corpus)
        for group in groups
    }


def _middle(group: Cluster, corpus: Corpus) -> str:
    """The member that stands for a group: of median length."""
    ordered = sorted(group.members, key=lambda key: (len(corpus.proteins[key].residues), key))
    return ordered[len(ordered) // 2]


def _nearest(near: Iterable[str], group: Cluster, corpus: Corpus) -> tuple[str, ...]:
    """The nearest outside the group, few of one name."""
    own = frozenset(group.members)
    names: Counter[str] = Counter()
    chosen: list[str] = []
    for key in near:
        if key in own:
            continue
        name = min(name_key(naming.product) for naming in corpus.proteins[key].namings)
        if names[name] < MOST_OF_ONE_NAME:
            names[name] += 1
            chosen.append(key)
        if len(chosen) == MOST_NEIGHBOURS:
            break
    return tuple(chosen)
