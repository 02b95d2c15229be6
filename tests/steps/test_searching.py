"""What is known is not searched again, and what is searched is what would be known."""

from __future__ import annotations

from dataclasses import replace

from made_families import FIBER, GYRASE, TERMINASE, made_up

from genint.model.interpretation import Parameters
from genint.pipeline.gene_calling import Called
from genint.pipeline.searches import (
    FamilySearch,
    ProfileSearch,
    gather,
    plan_search,
    prepare,
    search,
    searches_of,
)

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


def run(work, equipment):
    plan = plan_search(work, equipment, OFFLINE)
    answers = [answer for task in plan.tasks for answer in search(task, plan.kit)]
    return plan, gather(work, plan, answers)


def searched(plan):
    return [gene_id for task in plan.tasks for gene_id, _ in task.proteins]


def test_what_was_searched_is_known_the_next_time_and_the_same(genome, equipment):
    first, found = run(called(genome), equipment)
    again, remembered = run(called(genome), equipment)
    assert searched(first) == [gene_id for gene_id, _ in PROTEINS]
    assert again.tasks == ()
    assert remembered == found
    assert {hit.gene_id for hit in found.profiles} >= {"terL", "gyrA", "both", "fiber"}


def test_only_new_proteins_are_searched(genome, equipment):
    run(called(genome, PROTEINS[:3]), equipment)
    plan, found = run(called(genome), equipment)
    assert searched(plan) == ["none", "empty", "fiber"]
    assert found == run(called(genome), equipment)[1]


def test_genes_with_one_protein_are_searched_once_and_all_told(genome, equipment):
    twins = (*PROTEINS[:2], ("twin", TERMINASE.protein))
    plan, found = run(called(genome, twins), equipment)
    assert searched(plan) == ["terL", "gyrA"]
    of_twin = tuple(hit for hit in found.profiles if hit.gene_id == "twin")
    of_first = tuple(hit for hit in found.profiles if hit.gene_id == "terL")
    assert of_twin == tuple(hit._replace(gene_id="twin") for hit in of_first)
    assert of_twin


def test_a_run_that_was_broken_off_goes_on_where_it_stopped(genome, equipment):
    many = tuple((f"g{at}", made_up(at, 4_000)) for at in range(30))
    plan = plan_search(called(genome, many), equipment, OFFLINE)
    assert len(plan.tasks) > 2
    search(plan.tasks[0], plan.kit)
    left = plan_search(called(genome, many), equipment, OFFLINE)
    assert searched(left) == [gene_id for task in plan.tasks[1:] for gene_id, _ in task.proteins]


def test_without_a_cache_of_results_everything_is_searched_with_the_same_findings(
    genome, equipment
):
    _, found = run(called(genome), equipment)
    none = replace(equipment, folders=replace(equipment.folders, cache_limit_bytes=0))
    plan, without = run(called(genome), none)
    assert searched(plan) == [gene_id for gene_id, _ in PROTEINS]
    assert without == found


def test_where_nothing_can_be_kept_the_findings_are_the_same(genome, equipment, tmp_path):
    _, found = run(called(genome), equipment)
    blocked = tmp_path / "a file"
    blocked.write_text("not a folder")
    closed = replace(equipment, folders=replace(equipment.folders, cache=blocked))
    plan, without = run(called(genome), closed)
    assert searched(plan) == [gene_id for gene_id, _ in PROTEINS]
    assert without == found


def test_other_families_are_asked_anew(genome, equipment):
    run(called(genome), equipment)
    shipped = replace(equipment, folders=replace(equipment.folders, families=None))
    plan = plan_search(called(genome), shipped, OFFLINE)
    assert searched(plan) == [gene_id for gene_id, _ in PROTEINS]


def test_a_large_genome_is_another_question_for_families_but_not_for_pfam(equipment):
    small, large = (searches_of(length, equipment, OFFLINE)[0] for length in (48_502, 4_000_000))
    assert isinstance(small[0], ProfileSearch)
    assert small[0].source == large[0].source
    assert isinstance(small[1], FamilySearch)
    assert small[1].source != large[1].source


def test_pressed_profiles_are_the_same_question(equipment):
    for one in searches_of(48_502, equipment, OFFLINE)[0]:
        assert one.prepared(equipment.folders.cache).source == one.source


def test_answers_may_come_in_any_order(genome, equipment):
    work = called(genome)
    plan = plan_search(work, equipment, OFFLINE)
    answers = [answer for task in plan.tasks for answer in search(task, plan.kit)]
    assert gather(work, plan, answers) == gather(work, plan, reversed(answers))


def test_a_protein_without_hits_is_remembered_as_such(genome, equipment):
    run(called(genome, [("none", made_up(77))]), equipment)
    plan = plan_search(called(genome, [("other", made_up(77))]), equipment, OFFLINE)
    assert plan.tasks == ()


def test_preparing_presses_what_a_genome_needs(genome, equipment, tmp_path):
    elsewhere = replace(equipment, folders=replace(equipment.folders, cache=tmp_path / "new"))
    prepare(genome, elsewhere, OFFLINE)
    assert len(list((tmp_path / "new").glob("pressed-*"))) == 2
