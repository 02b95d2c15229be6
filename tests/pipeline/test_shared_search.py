"""Searches of several genomes made together find what each finds alone."""

from __future__ import annotations

import asyncio

import pytest

from genint.compute import ThreadBackend
from genint.errors import UnavailableError
from genint.model import Parameters
from genint.pipeline.gene_calling import Called
from genint.pipeline.resources import Folders, load_resources
from genint.pipeline.searches import (
    ProfileSearch,
    gather,
    gather_parts,
    plan_parts,
    plan_search,
    search,
)
from genint.pipeline.shared_search import SharedSearch, search_together
from genint.sources.profiles import ProfileDatabase
from tests.builders.made_families import FIBER, GYRASE, TERMINASE, made_up
from tests.pipeline.conftest import linked

OFFLINE = Parameters()
ONE = (("terL", TERMINASE.protein), ("gyrA", GYRASE.protein), ("none", made_up(77)))
OTHER = (("gyrA", FIBER.protein), ("large", TERMINASE.protein), ("empty", ""))


def called(genome, proteins):
    return Called(genome, None, tuple(proteins))


def alone(work, resources):
    plan = plan_search(work, resources, OFFLINE)
    return gather(work, plan, [answer for task in plan.tasks for answer in search(task)])


@pytest.fixture
def other_resources(family_build, tmp_path, pressed_once):
    """The same with results of their own."""
    cache = tmp_path / "other_cache"
    linked(pressed_once, cache)
    return load_resources(OFFLINE, Folders(cache=cache, families=family_build))


def test_each_genome_gets_the_hits_of_its_own_genes(genome, resources, other_resources):
    works = [called(genome, ONE), called(genome, OTHER)]
    plans, parts = zip(*(plan_parts(work, resources, OFFLINE) for work in works), strict=True)
    answers = search_together(parts)
    found = [
        gather_parts(work, plan, *of_run)
        for work, plan, of_run in zip(works, plans, answers, strict=True)
    ]
    expected = [alone(work, other_resources) for work in works]
    assert [(one.profiles, one.similar) for one in found] == [
        (one.profiles, one.similar) for one in expected
    ]
    assert {hit.gene_id for hit in found[0].profiles} == {"terL", "gyrA"}
    assert {hit.gene_id for hit in found[1].profiles} == {"gyrA", "large"}
    # All of it is known from now on.
    assert [plan_search(work, resources, OFFLINE).tasks for work in works] == [(), ()]


async def searched_by(together, work, resources):
    """A run that searches and ends."""
    try:
        plan, parts = plan_parts(work, resources, OFFLINE)
        return gather_parts(work, plan, *await together.search(parts))
    finally:
        await together.end()


@pytest.fixture
async def thread():
    backend = ThreadBackend()
    yield backend
    await backend.close()


async def test_nobody_searches_before_all_wait_and_who_ends_is_waited_for_no_longer(
    genome, resources, thread
):
    together = SharedSearch(thread, 3)
    first = asyncio.create_task(searched_by(together, called(genome, ONE), resources))
    second = asyncio.create_task(searched_by(together, called(genome, OTHER), resources))
    for _ in range(10):
        await asyncio.sleep(0)
    assert not first.done()
    assert not second.done()
    await together.end()  # the third, whose file could not be read
    assert {hit.gene_id for hit in (await first).profiles} == {"terL", "gyrA"}
    assert {hit.gene_id for hit in (await second).profiles} == {"gyrA", "large"}


async def test_an_error_of_the_search_reaches_every_run(genome, resources, thread, tmp_path):
    works = [called(genome, ONE), called(genome, OTHER)]
    together = SharedSearch(thread, 2)
    gone = ProfileDatabase(
        "Pfam-A.hmm", None, "none", 9, pressed=tmp_path / "gone", is_installed=True
    )
    tasks = [plan_search(work, resources, OFFLINE).tasks for work in works]
    broken = [[task._replace(searches=(ProfileSearch(gone),)) for task in some] for some in tasks]
    outcomes = await asyncio.gather(*map(together.search, broken), return_exceptions=True)
    assert [type(one) for one in outcomes] == [UnavailableError, UnavailableError]
