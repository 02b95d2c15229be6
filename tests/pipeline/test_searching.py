"""What is known is not searched again, and what is searched is what would be known."""

from __future__ import annotations

from dataclasses import replace

from genint.model import GenomeKind, Parameters
from genint.pipeline.gene_calling import Called
from genint.pipeline.searches import (
    FamilySearch,
    ProfileSearch,
    gather,
    indexed,
    plan_search,
    prepare,
    search,
    searches_of,
)
from tests.builders.made_families import FIBER, GYRASE, TERMINASE, made_up

PROTEINS = (
    ("terL", TERMINASE.protein),
    ("gyrA", GYRASE.protein),
    ("both", TERMINASE.protein + GYRASE.protein),
    ("none", made_up(77)),
    ("empty", ""),
    ("fiber", FIBER.protein),
)
OFFLINE = Parameters()


def called(genome, proteins=PROTEINS):
    return Called(genome, None, tuple(proteins))


def run(work, resources):
    plan = plan_search(work, resources, OFFLINE)
    answers = [answer for task in plan.tasks for answer in search(task)]
    return plan, gather(work, plan, answers)


def searched(plan):
    return [gene_id for task in plan.tasks for gene_id, _ in task.proteins]


def test_what_was_searched_is_known_the_next_time_and_the_same(genome, resources):
    first, found = run(called(genome), resources)
    again, remembered = run(called(genome), resources)
    assert searched(first) == [gene_id for gene_id, _ in PROTEINS]
    assert again.tasks == ()
    assert remembered == found
    assert {hit.gene_id for hit in found.profiles} >= {"terL", "gyrA", "both", "fiber"}


def test_only_new_proteins_are_searched(genome, resources):
    run(called(genome, PROTEINS[:3]), resources)
    plan, found = run(called(genome), resources)
    assert searched(plan) == ["none", "empty", "fiber"]
    assert found == run(called(genome), resources)[1]


def test_genes_with_one_protein_are_searched_once_and_all_told(genome, resources):
    twins = (*PROTEINS[:2], ("twin", TERMINASE.protein))
    plan, found = run(called(genome, twins), resources)
    assert searched(plan) == ["terL", "gyrA"]
    of_twin = tuple(hit for hit in found.profiles if hit.gene_id == "twin")
    of_first = tuple(hit for hit in found.profiles if hit.gene_id == "terL")
    assert of_twin == tuple(hit._replace(gene_id="twin") for hit in of_first)
    assert of_twin


def test_a_run_that_was_broken_off_goes_on_where_it_stopped(genome, resources):
    many = tuple((f"g{at}", made_up(at, 4_000)) for at in range(30))
    plan = plan_search(called(genome, many), resources, OFFLINE)
    assert len(plan.tasks) > 2
    search(plan.tasks[0])
    left = plan_search(called(genome, many), resources, OFFLINE)
    assert searched(left) == [gene_id for task in plan.tasks[1:] for gene_id, _ in task.proteins]


def test_without_a_cache_of_results_everything_is_searched_with_the_same_findings(
    genome, resources
):
    _, found = run(called(genome), resources)
    none = replace(resources, folders=replace(resources.folders, cache_limit_bytes=0))
    plan, without = run(called(genome), none)
    assert searched(plan) == [gene_id for gene_id, _ in PROTEINS]
    assert without == found


def test_where_nothing_can_be_kept_the_findings_are_the_same(genome, resources, tmp_path):
    _, found = run(called(genome), resources)
    blocked = tmp_path / "a file"
    blocked.write_text("not a folder")
    closed = replace(resources, folders=replace(resources.folders, cache=blocked))
    plan, without = run(called(genome), closed)
    assert searched(plan) == [gene_id for gene_id, _ in PROTEINS]
    assert without == found


def test_other_families_are_asked_anew(genome, resources):
    run(called(genome), resources)
    shipped = replace(resources, folders=replace(resources.folders, families=None))
    plan = plan_search(called(genome), shipped, OFFLINE)
    assert searched(plan) == [gene_id for gene_id, _ in PROTEINS]


def test_a_large_genome_is_another_question_for_families_but_not_for_pfam(resources):
    small, large = (searches_of(kind, resources, OFFLINE)[0] for kind in GenomeKind)
    assert isinstance(small[0], ProfileSearch)
    assert small[0].source == large[0].source
    assert isinstance(small[1], FamilySearch)
    assert small[1].source != large[1].source


def test_indexed_profiles_are_the_same_question(resources):
    for one in searches_of(GenomeKind.PHAGE, resources, OFFLINE)[0]:
        ready = [indexed(pack, resources.folders.cache) for pack in one.packs]
        assert ready != list(one.packs)
        assert one.with_packs(ready).source == one.source


def test_answers_may_come_in_any_order(genome, resources):
    work = called(genome)
    plan = plan_search(work, resources, OFFLINE)
    answers = [answer for task in plan.tasks for answer in search(task)]
    assert gather(work, plan, answers) == gather(work, plan, reversed(answers))


def test_a_protein_without_hits_is_remembered_as_such(genome, resources):
    run(called(genome, [("none", made_up(77))]), resources)
    plan = plan_search(called(genome, [("other", made_up(77))]), resources, OFFLINE)
    assert plan.tasks == ()


def test_preparing_indexes_what_a_genome_needs(genome, resources, tmp_path):
    elsewhere = replace(resources, folders=replace(resources.folders, cache=tmp_path / "new"))
    prepare(genome, elsewhere, OFFLINE)
    assert len(list((tmp_path / "new").glob("pressed-*"))) == 3
