"""The steps of a build, from the data folder to families with thresholds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from genint.knowledge.products import ProductVocabulary
from training.families import cluster, inputs, mmseqs, thresholds
from training.families.corpus import read_corpus
from training.families.corrections import Corrections
from training.families.exclusion import unknown_proteins, unknown_records
from training.families.labels import Words, labels_of
from training.families.naming import Label
from training.families.profiles import STEPS_PER_BIT, Family, build_missing, families
from training.families.report import Log
from training.families.rivals import PairsRead, Rivals, numbers_of
from training.families.splitting import telling, with_parts
from training.families.store import Store
from training.families.tables import pack_of
from training.families.thresholds import Threshold
from training.families.trial import Trial, trial
from training.families.values import Cluster, Corpus, Exclusion

STORE = "results.sqlite"


@dataclass(frozen=True, slots=True)
class Work:
    """Where and with what a build works.

    Attributes:
        data: Folder of the inputs.
        folder: Where intermediate results are remembered.
        inputs: What the corpus is read from.
        vocabulary: Of product names.
        corrections: Of wrong names.
        rivals_read: Pairs of names of two functions, of proteins and families.
        processes: How many processors to use.
        steps_per_bit: How finely the packs keep probabilities.
    """

    data: Path
    folder: Path
    inputs: tuple[inputs.Input, ...]
    vocabulary: ProductVocabulary
    corrections: Corrections
    rivals_read: PairsRead = frozenset()
    processes: int = 2
    steps_per_bit: int = STEPS_PER_BIT

    @property
    def pfam(self) -> Path | None:
        """Profiles of Pfam, if they are among the inputs."""
        paths = (self.data / one.path for one in self.inputs if one.reader is inputs.Reader.PFAM)
        return next(paths, None)

    @property
    def store(self) -> Store:
        """Where costly results are remembered."""
        return Store(self.folder / STORE)


class Material(NamedTuple):
    """What families are made of.

    Attributes:
        corpus: What the build may know.
        clusters: Of the whole corpus and their parts, less what is masked.
        whole: The corpus with what is masked.
        groups: The clusters and parts with what is masked.
    """

    corpus: Corpus
    clusters: tuple[Cluster, ...]
    whole: Corpus
    groups: tuple[Cluster, ...]


@dataclass(frozen=True, slots=True)
class BuiltFamily:
    """A family that ships.

    Attributes:
        cluster: Its id and members.
        label: Its name and what that rests on.
        threshold: The score from which on a protein belongs to it.
        profile: What its profile is found by in the store.
    """

    cluster: Cluster
    label: Label
    threshold: Threshold
    profile: Family


def gather(work: Work, exclusion: Exclusion, log: Log) -> Material:
    """Read, thin, cluster, mask.

    Raises:
        InputError: an input or MMseqs2 is not what the build is made for.
    """
    with log.step("inputs"):
        mmseqs.require_version()
        inputs.check(work.data, work.inputs)
        read = read_corpus(work.data, work.inputs)
    log.count("proteins read", len(read.corpus.proteins))
    for reason, number in sorted(read.dropped.items()):
        log.count(f"dropped: {reason}", number)
    with log.step("thin"):
        whole = cluster.thin(read, work.folder, work.processes)
    log.count("dropped: near copy in a pool", len(read.corpus.proteins) - len(whole.proteins))
    with log.step("cluster"):
        clusters = cluster.cluster(whole, work.folder, work.processes)
    log.count("clusters of two and more", len(clusters))
    with log.step("split"):
        groups = with_parts(clusters, whole, work.folder, work.processes)
    corpus = whole.without(exclusion)
    left = cluster.masked(groups, corpus)
    log.count("proteins", len(corpus.proteins))
    log.count("masked proteins", len(whole.proteins) - len(corpus.proteins))
    log.names("unknown excluded records", unknown_records(exclusion, read.corpus))
    log.names("unknown excluded proteins", unknown_proteins(exclusion, read.corpus))
    log.count("clusters and parts left", len(left))
    return Material(corpus, left, whole, groups)


def make(work: Work, material: Material, log: Log) -> tuple[BuiltFamily, ...]:
    """Name, build, search, set thresholds, drop what does not find its own; by id."""
    corpus = material.corpus
    with log.step("name"):
        named = labels_of(
            material.clusters,
            corpus,
            Words(work.vocabulary, work.corrections.of_build(material.groups)),
            work.store,
            work.processes,
        )
        groups = {group.id: group for group in telling(material.clusters, named, work.vocabulary)}
        labels = {name: named[name] for name in groups}
    log.count("clusters and parts with a name of their own", len(labels))
    wanted = families(groups.values(), corpus)
    with log.step("neighbours"):
        tried = trial(material.whole, material.groups, labels, work.store, work.processes)
    with log.step("profiles"):
        log.count("profiles built", build_missing(wanted, work.store, work.processes))
    with log.step("search"):
        searched = thresholds.search_missing(
            wanted, tried, work.store, work.steps_per_bit, work.processes
        )
    log.count("tried proteins", len(tried.residues))
    log.count("profiles searched with", searched)
    with log.step("thresholds"):
        limits = _thresholds(work, material, tried, wanted, labels)
    log.names("families that lose half of their members", _lost(limits, groups))
    return tuple(
        BuiltFamily(
            groups[family.id],
            labels[family.id],
            limits[family.id],
            family,
        )
        for family in wanted
        if limits[family.id].holds
    )


def _thresholds(
    work: Work,
    material: Material,
    tried: Trial,
    wanted: tuple[Family, ...],
    labels: Mapping[str, Label],
) -> dict[str, Threshold]:
    keys = thresholds.score_keys(wanted, tried, work.steps_per_bit)
    members = {group.id: group.members for group in material.clusters if group.id in labels}
    scores = thresholds.load_scores(wanted, members, tried, keys, work.store)
    limits: dict[str, Threshold] = {}
    for family in wanted:
        own = [material.corpus.proteins[key] for key in members[family.id]]
        label = labels[family.id]
        rivals = Rivals(
            label, work.vocabulary, work.corrections, numbers_of(label, own), work.rivals_read
        )
        limits[family.id] = thresholds.threshold(
            scores[family.id],
            members[family.id],
            material.corpus,
            thresholds.Judge(rivals, rivals.differs),
            thresholds.floor(family.members, pack_of(own)),
        )
    return limits


def _lost(limits: Mapping[str, Threshold], groups: Mapping[str, Cluster]) -> Iterable[str]:
    return [name for name in groups if not limits[name].holds]
