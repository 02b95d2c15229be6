"""Parts of clusters: where one cluster holds several functions, its closer groups are families too.

A cluster at 30 % identity often holds paralogues. As a whole it is named after what they share;
a part whose proteins are 50 % identical may say more. Both are families: the profile of a part
has a threshold above its neighbours of another name, and what reaches no part is left to the
whole.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from genint.knowledge.foreign_names import foreign_word
from genint.knowledge.own_families import LEAST_CONSENSUS
from genint.knowledge.products import ProductVocabulary
from training.families.cluster import cached_clusters, named
from training.families.naming import Label
from training.families.values import Cluster, Corpus, Origin
from training.families.votes import read_name

OPTIONS = ("--min-seq-id", "0.5", "-c", "0.8", "-s", "5")


def with_parts(
    clusters: tuple[Cluster, ...], corpus: Corpus, work: Path, threads: int = 2
) -> tuple[Cluster, ...]:
    """The clusters and their parts of two members and more, by id.

    Args:
        clusters: Of the whole corpus.
        corpus: Nothing of it masked, so that a blind build has the same parts.
        work: Where what MMseqs2 finds is remembered.
        threads: Processors.

    Raises:
        InputError: MMseqs2 fails.
    """
    members = sorted(member for group in clusters for member in group.members)
    residues = {key: corpus.proteins[key].residues for key in members}
    close = cached_clusters(residues, work, OPTIONS, threads)
    within = {member: group for group in clusters for member in group.members}
    parts: list[tuple[str, tuple[str, ...]]] = []
    wholes: dict[str, str] = {}
    for representative, of_close in close.items():
        for whole, some in _by_cluster(of_close, within).items():
            if 1 < len(some) < len(within[some[0]].members):
                first = representative if representative in some else some[0]
                parts.append((first, some))
                wholes[first] = whole
    found = named(parts, taken=frozenset(group.id for group in clusters))
    groups = {group.id: group for group in clusters}
    first_of = {some: first for first, some in parts}
    for part in found:
        groups[part.id] = replace(part, whole=wholes[first_of[part.members]])
    return tuple(groups[name] for name in sorted(groups))


def _by_cluster(
    members: Iterable[str], within: Mapping[str, Cluster]
) -> Mapping[str, tuple[str, ...]]:
    """Members by the cluster that they are in: close proteins may be in two."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for member in members:
        found[within[member].id].append(member)
    return {whole: tuple(sorted(some)) for whole, some in found.items()}


def telling(
    groups: Iterable[Cluster], labels: Mapping[str, Label], vocabulary: ProductVocabulary
) -> tuple[Cluster, ...]:
    """The groups with a name that may ship, without parts that say no more than their cluster."""
    named = [group for group in groups if group.id in labels and _trusted(group, labels[group.id])]
    wholes = {group.id: labels[group.id] for group in named}
    return tuple(
        group
        for group in named
        if group.whole not in wholes
        or _says_more(labels[group.id], wholes[group.whole], vocabulary)
    )


PART_MEMBERS = 3
"""A part of two proteins is little beside the cluster that they are of."""
AUTOMATIC_MEMBERS = 10
AUTOMATIC_CONSENSUS = 0.9
"""What a cluster needs that only automatic names speak for; parts of clusters make none by them.
One rule named all of them: 61 close ATPases, each the iron importer's, are no witnesses."""


def _trusted(group: Cluster, label: Label) -> bool:
    """Whether somebody beside a program named a group or read its names.

    Or a program named all of a large one alike.
    """
    if group.whole and len(group.members) < PART_MEMBERS:
        return False
    if foreign_word(label.name):
        return False
    if label.is_read or any(origin is not Origin.AUTOMATIC for origin, _ in label.origins):
        return True
    many = len(label.agreeing) >= AUTOMATIC_MEMBERS and label.consensus >= AUTOMATIC_CONSENSUS
    return many and not group.whole


def _says_more(part: Label, whole: Label, vocabulary: ProductVocabulary) -> bool:
    """Whether a part has a function of its own: another one, a narrower one, or a surer one.

    A class says no more than another, but than a single wide word: aldehyde dehydrogenase in a
    cluster of dehydrogenases.
    """
    if whole.consensus < LEAST_CONSENSUS <= part.consensus and not part.vague:
        return True
    if part.product is not None and part.product == whole.product:
        return False
    ours, theirs = read_name(part.name, vocabulary), read_name(whole.name, vocabulary)
    if part.vague:
        wide = whole.vague and whole.product is None and " " not in whole.name
        return wide and ours is not None and theirs is not None and ours.claim != theirs.claim
    if ours is None or theirs is None:
        return ours is not None
    # What a reader called all members (FliA/WhiG family) takes nothing from a part of them (FliA).
    return ours.claim != theirs.claim if whole.is_read else not theirs.claims(ours.claim)
