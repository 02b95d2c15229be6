"""Requests to UniProt are few, whatever route is open and whatever it finds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from genint.model import AnswerState
from genint.online.uniprot.lookups import calls_needed, entries_each, is_taxon_small, max_calls
from tests.online.asking_uniprot import Asker, made
from tests.online_services import Ids, World, by_rule, world_of
from tests.online_services.samples import TAXON

E_COLI = 4_300


@pytest.fixture
def ask(services, tmp_path):
    return Asker(services, tmp_path)


@pytest.mark.parametrize("number", [73, 111])
@pytest.mark.parametrize("taxon_id", [TAXON, None, 1])
@pytest.mark.parametrize("unknown", [0.0, 0.12, 1.0])
async def test_a_phage_takes_up_to_seven(ask, number, taxon_id, unknown):
    proteins = by_rule(made(number, refseq=True, cds=True), unknown)
    ask.services.world = world_of(proteins)
    for ids in (True, False):
        ask.forget()
        found = await Asker(ask.services, None)(proteins, taxon_id, ids=ids)
        assert found.use.problem == ""
        assert 2 <= ask.sent <= 7
        assert found.use.requests == ask.sent


@pytest.mark.parametrize("taxon_id", [TAXON, None])
@pytest.mark.parametrize("kind", ["refseq", "cds", "none"])
async def test_a_bacterium_that_is_known_takes_far_less_than_it_may(ask, taxon_id, kind):
    proteins = by_rule(made(400, refseq=kind == "refseq", cds=kind == "cds"))
    ask.services.world = world_of(proteins)
    found = await ask(proteins, taxon_id)
    assert found.use.problem == ""
    assert ask.sent <= 17 < max_calls(400) == 26
    ask.forget()
    again = await ask(proteins, taxon_id)
    assert ask.sent == 1
    assert again.answers == found.answers


async def test_e_coli_takes_up_to_114_where_all_that_could_save_some_is_in_vain(ask):
    proteins = made(E_COLI)
    ask.services.world = world_of(proteins)
    ask.services.behave(crc64_mapping="finds_nothing")
    found = await ask(proteins)
    assert {one.state for one in found.answers.values()} == {AnswerState.HIT}
    assert 108 <= ask.sent <= max_calls(E_COLI) == 114
    assert ask.services.record.most_in_flight("uniprot") <= 2


async def test_a_taxon_of_other_proteins_is_left_in_time(ask):
    proteins = made(400)
    others = made(1_100, first=1_000)
    own, world = {one.md5 for one in proteins}, world_of([*proteins, *others])
    elsewhere = tuple(
        {**one, "organism": {"scientificName": "x", "taxonId": 5}}
        if one["sequence"]["md5"] in own
        else one
        for one in world.entries
    )
    ask.services.world = World(elsewhere, world.uniparc)
    found = await ask(proteins, TAXON)
    assert {one.state for one in found.answers.values()} == {AnswerState.HIT}
    assert ask.sent <= max_calls(400)


async def test_entries_of_uniparc_are_one_each_where_proteins_are_many(ask):
    proteins = made(300)
    copies = [one for at in range(4) for one in _of_taxon(proteins, 100 + at)]
    ask.services.world = world_of(copies)
    ask.services.behave(crc64_mapping="refused")
    found = await ask(proteins)
    assert ask.sent <= max_calls(300)
    assert {len(one.entries) for one in found.answers.values()} <= {1, 2, 3, 4}
    assert {one.state for one in found.answers.values()} == {AnswerState.HIT}


def _of_taxon(proteins, taxon_id):
    return [replace(one, taxon_id=taxon_id, ids=Ids()) for one in proteins]


def test_what_answers_for_certain_is_always_allowed():
    for proteins in range(1, 10_001):
        assert max_calls(proteins) >= calls_needed(proteins)


def test_a_run_may_make_so_many_calls():
    assert [max_calls(number) for number in (1, 111, 150)] == [7, 7, 7]
    assert max_calls(4_300) == 114
    assert max_calls(5_000) == 131


def test_few_proteins_have_more_entries_each():
    assert entries_each([9] * 10, 1) == 5
    assert entries_each([9] * 100, 1) == 2
    assert entries_each([9] * 1_000, 5) == 1
    assert entries_each([1] * 1_000, 5) == 5
    assert entries_each([], 0) == 5
    assert entries_each([3], 0) == 1


def test_a_taxon_is_read_where_it_is_small_for_the_genome():
    assert is_taxon_small(1_000, 3)
    assert not is_taxon_small(1_001, 3)
    assert is_taxon_small(12_900, 4_300)
    assert not is_taxon_small(12_901, 4_300)
    assert not is_taxon_small(0, 73)
