"""Searching by protein ids: which are asked for, and what is settled by that."""

from __future__ import annotations

from dataclasses import replace

import pytest

from genint.model import AnswerState
from tests.online.asking_uniprot import Asker, made
from tests.online_services import Ids, Known, rewritten, status, world_of
from tests.online_services.samples import TAXON, residues_of

HIT, NOT_IN = AnswerState.HIT, AnswerState.NOT_IN_DATABASE


@pytest.fixture
def ask(services, tmp_path):
    return Asker(services, tmp_path)


def _of_another_sequence(proteins):
    """Proteins with the same ids whose sequences nobody knows."""
    return [
        replace(one, residues=residues_of(50_000 + at, 70), known=Known.UNKNOWN)
        for at, one in enumerate(proteins)
    ]


def _states(found, proteins):
    return [found.answers[one.md5].state for one in proteins]


async def test_one_id_of_each_protein_comes_before_the_second_ones(ask, services):
    known = made(148, refseq=True, cds=True)
    services.world = world_of(known)
    asked = _of_another_sequence(known)
    found = await ask(asked, 99)
    assert set(_states(found, asked)) == {HIT}
    assert ask.sent <= 7


async def test_what_the_calls_were_too_few_for_is_not_kept_as_unknown(ask, services):
    known = [
        replace(one, ids=Ids(cds=one.ids.cds)) for one in made(148, refseq=True, cds=True)
    ]  # found by the ids that come second
    services.world = world_of(known)
    asked = _of_another_sequence(made(148, refseq=True, cds=True))
    first = await ask(asked, 99)
    assert NOT_IN in _states(first, asked)
    assert first.use.problem == ""
    for one in asked[::49]:
        assert _states(await ask([one], 99), [one]) == [HIT]
    again = await ask(asked, 99)
    assert again.use.from_cache < len(asked)


def _famous(number, refseq):
    return [
        replace(one, ids=Ids(refseq=refseq), taxon_id=9_000 + at)
        for at, one in enumerate(made(number, first=1_000))
    ]


async def test_entries_beyond_the_first_page_are_found(ask, services):
    (own,) = made(1, refseq=True)
    services.world = world_of([*_famous(520, "WP_000000001.1"), own])
    common = replace(made(1, first=9_000)[0], ids=Ids(refseq="WP_000000001.1"))
    asked = _of_another_sequence([common, own])
    found = await ask(asked)
    assert _states(found, asked) == [HIT, HIT]


async def test_a_search_without_end_settles_nothing(ask, services):
    (own,) = made(1, refseq=True)
    services.world = world_of([*_famous(2_100, "WP_000000001.1"), own])
    common = replace(made(1, first=9_000)[0], ids=Ids(refseq="WP_000000001.1"))
    asked = _of_another_sequence([common, own])
    found = await ask(asked)
    assert _states(found, asked) == [HIT, NOT_IN]
    assert ask.sent <= 7
    assert _states(await ask([asked[1]]), [asked[1]]) == [HIT]


@pytest.mark.parametrize("number", [2, 160])
async def test_an_entry_that_cannot_be_read_settles_nothing(ask, services, number):
    known = made(number, refseq=True)
    services.world = world_of(known)
    asked = _of_another_sequence(known)
    services.misbehave("uniprot/uniprotkb/search", rewritten(_spoilt))
    services.misbehave("uniprot/idmapping/uniprotkb/results", rewritten(_spoilt))
    await ask(asked)
    services.recover()
    found = await ask(asked)
    assert set(_states(found, asked)) == {HIT}


def _spoilt(value):
    """The last record of a page is none."""
    if value.get("results"):
        value["results"][-1] = {"primaryAccession": 7}
    return value


async def test_a_lost_search_is_lost_to_all_proteins_with_the_id(ask, services):
    (known,) = made(1, refseq=True)
    services.world = world_of([known])
    asked = _of_another_sequence([known, known])
    services.misbehave("uniprot/uniprotkb/search", status(500))
    await ask(asked, TAXON + 1)
    services.recover()
    assert _states(await ask(asked, TAXON + 1), asked) == [HIT, HIT]


async def test_every_page_of_a_mapping_job_is_asked_for_once(ask, services):
    proteins = made(1_100, refseq=True)
    services.world = world_of(proteins)
    found = await ask(proteins)
    assert set(_states(found, proteins)) == {HIT}
    assert services.record.count("uniprot/idmapping/uniprotkb/results") == 3
    assert services.record.count("uniprot/uniparc") == 0


async def test_what_a_page_says_stands_although_the_next_one_is_lost(ask, services):
    proteins = made(1_100, refseq=True)
    services.world = world_of(proteins)
    services.misbehave("uniprot/idmapping/uniprotkb/results", status(500), after=1)
    services.misbehave("uniprot/uniparc", status(500))
    found = await ask(proteins)
    states = _states(found, proteins)
    assert states.count(HIT) == 500
    assert set(states[500:]) == {AnswerState.ERROR, AnswerState.NOT_ASKED}
    assert _states(await ask(proteins[:500]), proteins[:500]) == [HIT] * 500
