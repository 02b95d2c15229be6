"""Parts of clusters, what stands near them, and the names of both: on proteins made up here."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from genint.knowledge import load_products
from training.families.corpus import sequence_hash
from training.families.corrections import Corrections, FamilyCorrection
from training.families.corrections import parse as parse_corrections
from training.families.labels import Words, labels_of
from training.families.naming import Label
from training.families.splitting import telling, with_parts
from training.families.store import Store
from training.families.trial import MOST_OF_ONE_NAME, trial
from training.families.values import (
    Cluster,
    Corpus,
    Lineage,
    Naming,
    Origin,
    TrainingProtein,
)

RESIDUES = "ACDEFGHIKLMNPQRSTVWY"


def made_up(seed: int, length: int = 220) -> str:
    return "M" + "".join(random.Random(seed).choices(RESIDUES, k=length - 1))


def mutated(residues: str, seed: int, share: float) -> str:
    chance = random.Random(seed)
    return "".join(
        chance.choice(RESIDUES) if chance.random() < share else residue for residue in residues
    )


def proteins(ancestor: str, product: str, number: int, seed: int) -> list[TrainingProtein]:
    """Near relatives of one name, each of a record of its own."""
    return [
        protein(mutated(ancestor, seed + at, 0.15), product, f"R{seed + at}")
        for at in range(number)
    ]


def protein(residues: str, product: str, record: str) -> TrainingProtein:
    said = Naming(record, product, "", Origin.SUBMITTER, Lineage.BACTERIA)
    return TrainingProtein(sequence_hash(residues), residues, (said,))


ANCESTOR = made_up(1)
KINASES = proteins(mutated(ANCESTOR, 2, 0.4), "glycerol kinase", 4, 100)
XYLULOKINASES = proteins(mutated(ANCESTOR, 3, 0.4), "xylulokinase", 4, 200)
OTHERS = proteins(made_up(9), "DNA ligase", 4, 300)


def corpus_of(*groups: Sequence[TrainingProtein]) -> Corpus:
    return Corpus({one.hash: one for group in groups for one in sorted(group, key=_hash)})


def _hash(one: TrainingProtein) -> str:
    return one.hash


def hashes(group: Sequence[TrainingProtein]) -> tuple[str, ...]:
    return tuple(sorted(one.hash for one in group))


PARALOGUES = Cluster("GF00000001", hashes([*KINASES, *XYLULOKINASES]))
LIGASES = Cluster("GF00000002", hashes(OTHERS))
CORPUS = corpus_of(KINASES, XYLULOKINASES, OTHERS)


@pytest.fixture(scope="module")
def groups(mmseqs: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Cluster, ...]:
    return with_parts((PARALOGUES, LIGASES), CORPUS, tmp_path_factory.mktemp("work"), 1)


def named(
    groups: Sequence[Cluster], work: Path, corrections: Corrections | None = None
) -> dict[str, Label]:
    words = Words(load_products(), corrections or Corrections())
    return labels_of(groups, CORPUS, words, Store(work / "results.sqlite"), 1)


def test_a_cluster_is_split_where_its_proteins_are_closer_to_some_than_to_others(
    groups: tuple[Cluster, ...],
) -> None:
    parts = {group.members for group in groups if group.whole == PARALOGUES.id}
    assert parts == {hashes(KINASES), hashes(XYLULOKINASES)}


def test_what_is_close_throughout_stays_whole_and_ids_are_of_one_group_each(
    groups: tuple[Cluster, ...],
) -> None:
    assert not [group for group in groups if group.whole == LIGASES.id]
    assert {PARALOGUES.id, LIGASES.id} < {group.id for group in groups}
    assert len({group.id for group in groups}) == len(groups) == 4


def test_parts_of_other_functions_are_families_and_their_cluster_has_no_name_of_one(
    groups: tuple[Cluster, ...], tmp_path: Path
) -> None:
    labels = named(groups, tmp_path)
    left = telling(groups, labels, load_products())
    names = {labels[group.id].name for group in left if group.whole}
    assert names == {"glycerol kinase", "xylulokinase"}
    whole = labels.get(PARALOGUES.id)
    assert whole is None or whole.name not in names


def test_a_part_that_says_what_its_cluster_says_is_no_family_of_its_own(tmp_path: Path) -> None:
    some = Cluster("GF00000003", hashes(OTHERS[:2]), whole=LIGASES.id)
    labels = named((LIGASES, some), tmp_path)
    assert set(labels) == {LIGASES.id, some.id}
    assert telling((LIGASES, some), labels, load_products()) == (LIGASES,)


@pytest.mark.parametrize(
    ("part", "cluster", "kept"),
    [
        ("aldehyde dehydrogenase", "dehydrogenase", True),
        ("dehydrogenase", "dehydrogenase", False),
        ("ABC transporter permease", "ABC transporter", False),
    ],
)
def test_a_class_within_a_single_wide_word_is_a_family(part: str, cluster: str, kept: bool) -> None:
    whole = Cluster("GF00000001", ("a", "b", "c", "d"))
    some = Cluster("GF00000002", ("a", "b", "c"), whole=whole.id)
    labels = {whole.id: class_label(cluster), some.id: class_label(part)}
    left = telling((whole, some), labels, load_products())
    assert (some in left) is kept


def class_label(name: str) -> Label:
    """Of a family that a class names."""
    term = load_products().find(name)
    return Label(
        name=name,
        product=term.id if term else None,
        symbol=None,
        vague=True,
        consensus=1.0,
        informative=1.0,
        members=4,
        named_members=4,
        agreeing=("a", "b"),
        records=4,
        origins=((Origin.SWISSPROT, 4),),
        dissenters=(),
    )


def test_names_are_remembered_and_made_anew_when_a_correction_is_new(tmp_path: Path) -> None:
    first = named((LIGASES,), tmp_path)
    assert named((LIGASES,), tmp_path) == first
    reason = "a test"
    entry = {"pattern": "DNA ligase", "replacement": "holin", "reason": reason}
    corrected = named((LIGASES,), tmp_path, parse_corrections({"name": [entry]}))
    assert corrected[LIGASES.id].name == "holin"


def test_what_is_said_of_one_family_names_only_this_one_anew(
    groups: tuple[Cluster, ...], tmp_path: Path
) -> None:
    before = named(groups, tmp_path)
    known = remembered(tmp_path)
    entry = {"id": LIGASES.id, "name": "holin", "reason": "a test"}
    after = named(groups, tmp_path, parse_corrections({"family": [entry]}))
    changed = {id_ for id_, label in after.items() if label != before[id_]}
    assert (changed, after[LIGASES.id].name) == ({LIGASES.id}, "holin")
    assert len(after) > 1
    assert remembered(tmp_path) == known + 1


def test_another_decision_on_the_same_family_is_remembered_apart(
    groups: tuple[Cluster, ...], tmp_path: Path
) -> None:
    name, other = (
        Corrections(families={LIGASES.id: FamilyCorrection(LIGASES.id, text, "read")})
        for text in ("ATP-dependent DNA ligase", "NAD-dependent DNA ligase")
    )
    dropped = Corrections(
        families={LIGASES.id: FamilyCorrection(LIGASES.id, None, "read", is_dropped=True)}
    )
    assert named(groups, tmp_path, name)[LIGASES.id].name == "ATP-dependent DNA ligase"
    assert named(groups, tmp_path, other)[LIGASES.id].name == "DNA ligase (NAD+)"
    assert LIGASES.id not in named(groups, tmp_path, dropped)


def remembered(work: Path) -> int:
    """How many results are kept."""
    with closing(sqlite3.connect(work / "results.sqlite")) as connection:
        (number,) = connection.execute("SELECT count(*) FROM results").fetchone()
    return int(number)


def test_one_name_of_a_bacterial_protein_names_no_family_unless_a_curator_gave_it(
    tmp_path: Path,
) -> None:
    silent = [
        protein(one.residues, "hypothetical protein", f"S{at}") for at, one in enumerate(OTHERS[1:])
    ]
    alone = corpus_of(OTHERS[:1], silent)
    group = Cluster("GF00000004", tuple(sorted(alone.proteins)))
    words, store = Words(load_products(), Corrections()), Store(tmp_path / "results.sqlite")
    assert not labels_of([group], alone, words, store, 1)
    said = OTHERS[0].namings[0]._replace(origin=Origin.SWISSPROT)
    curated = TrainingProtein(OTHERS[0].hash, OTHERS[0].residues, (said,))
    found = labels_of([group], corpus_of([curated], silent), words, store, 1)
    assert found[group.id].name == "DNA ligase"


def test_neighbours_are_named_proteins_outside_the_group_few_of_one_name(
    groups: tuple[Cluster, ...], tmp_path: Path
) -> None:
    store = Store(tmp_path / "results.sqlite")
    tried = trial(CORPUS, groups, {group.id for group in groups}, store, 1)
    for group in groups:
        assert not set(tried.near(group.id)) & set(group.members)
        assert len(tried.near(group.id)) <= 2 * MOST_OF_ONE_NAME
    kinases = next(group for group in groups if group.members == hashes(KINASES))
    assert tried.near(kinases.id)
    assert set(tried.near(kinases.id)) <= set(hashes(XYLULOKINASES))
    assert set(tried.residues) >= set(tried.near(kinases.id))
    # What is found for one group does not depend on the others that are searched for with it.
    alone = trial(CORPUS, groups, {kinases.id}, Store(tmp_path / "other.sqlite"), 1)
    assert alone.near(kinases.id) == tried.near(kinases.id)
    assert list(alone.neighbours) == [kinases.id]
    assert trial(CORPUS, groups, {kinases.id}, store, 1).neighbours == alone.neighbours


def test_automatic_names_alone_make_a_family_only_of_a_large_cluster_that_agrees(
    tmp_path: Path,
) -> None:
    many = [automatic(one) for one in proteins(made_up(11), "DNA ligase", 10, 500)]
    corpus, few = corpus_of(many), many[:9]
    large = Cluster("GF00000005", hashes(many))
    small = Cluster("GF00000006", hashes(few))
    part = Cluster("GF00000007", hashes(many), whole="GF0000000F")
    words, store = Words(load_products(), Corrections()), Store(tmp_path / "results.sqlite")
    labels = labels_of([large, small, part], corpus, words, store, 1)
    assert len(labels) == 3
    assert telling([large, small, part], labels, load_products()) == (large,)


def automatic(one: TrainingProtein) -> TrainingProtein:
    said = one.namings[0]._replace(origin=Origin.AUTOMATIC)
    return TrainingProtein(one.hash, one.residues, (said,))


def test_a_part_whose_names_agree_stays_beside_a_cluster_whose_names_do_not():
    whole = Cluster("GF00000001", ("a", "b", "c", "d"))
    some = Cluster("GF00000002", ("a", "b", "c"), whole=whole.id)
    sure = replace(class_label("tail tube protein"), vague=False)
    unsure = replace(sure, consensus=0.5)
    assert telling((whole, some), {whole.id: unsure, some.id: sure}, load_products()) == (
        whole,
        some,
    )
    assert telling((whole, some), {whole.id: sure, some.id: sure}, load_products()) == (whole,)
    assert telling((whole, some), {whole.id: unsure, some.id: unsure}, load_products()) == (whole,)
