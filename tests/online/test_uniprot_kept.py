"""A kept answer is never less than what asking anew would bring."""

from __future__ import annotations

from dataclasses import replace

import pytest

from genint.model import AnswerState
from genint.online.uniprot.lookups import Plan, plan_of
from tests.online.asking_uniprot import Asker, made, names
from tests.online_services import Ids, Known, outage_page, world_of
from tests.online_services.samples import TAXON


@pytest.fixture
def ask(services, tmp_path):
    return Asker(services, tmp_path)


def _with_a_reviewed_twin(services, proteins):
    """The first protein has an unreviewed entry of the taxon, and a reviewed one of another."""
    unreviewed = [replace(one, known=Known.UNREVIEWED, ids=Ids()) for one in proteins]
    reviewed = replace(unreviewed[0], known=Known.REVIEWED, taxon_id=562, product="Curated kinase")
    services.world = world_of([*unreviewed, reviewed])
    return unreviewed


async def test_what_a_large_run_learned_is_not_all_that_a_small_one_would(ask, services):
    proteins = _with_a_reviewed_twin(services, made(171))
    among_many = await ask(proteins, TAXON)
    assert names(among_many, proteins[:1]) == [["Made-up synthase 1"]]
    alone = await ask(proteins[:1], TAXON)
    assert names(alone, proteins[:1])[0][0] == "Curated kinase"
    assert alone.use.from_cache == 0


async def test_what_a_small_run_learned_serves_a_large_one(ask, services):
    proteins = _with_a_reviewed_twin(services, made(171))
    alone = await ask(proteins[:1], TAXON)
    among_many = await ask(proteins, TAXON)
    assert among_many.answers[proteins[0].md5] == alone.answers[proteins[0].md5]
    assert among_many.use.from_cache == 1
    ask.forget()
    again = await ask(proteins, TAXON)
    assert again.answers == among_many.answers
    assert ask.sent == 1


async def test_a_protein_of_a_phage_has_as_many_entries_alone_as_without_the_cache(ask, services):
    proteins = made(60)
    copies = [replace(one, taxon_id=100 + at) for one in proteins for at in range(4)]
    services.world = world_of(copies)
    together = await ask(proteins)
    assert {len(one.entries) for one in together.answers.values()} == {2}
    ask.forget()
    assert (await ask(proteins)).answers == together.answers
    assert ask.sent == 1
    alone = await ask(proteins[:1])
    assert len(alone.answers[proteins[0].md5].entries) == 4


async def test_of_answers_of_two_plans_the_newest_is_used_in_an_outage(ask, services):
    proteins = made(60)
    services.world = world_of(proteins)
    await ask(proteins[:1])
    services.release(uniprot="2026_04")
    await ask(proteins)
    services.misbehave("uniprot", outage_page())
    found = await ask(proteins)
    assert {(one.state, one.release) for one in found.answers.values()} == {
        (AnswerState.HIT, "2026_04")
    }


def test_a_plan_is_a_matter_of_the_number_of_proteins():
    assert [plan_of(number) for number in (1, 40, 41, 150, 151, 4_300)] == [
        *[Plan.FULL] * 2,
        *[Plan.FEW] * 2,
        *[Plan.MANY] * 2,
    ]


def test_a_plan_is_served_by_more_thorough_ones_alone():
    assert Plan.FULL.served_by == (Plan.FULL,)
    assert Plan.FEW.served_by == (Plan.FEW, Plan.FULL)
    assert Plan.MANY.served_by == (Plan.MANY, Plan.FEW, Plan.FULL)
