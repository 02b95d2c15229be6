"""Many genomes at a time: the same results as one by one, in any order."""

from __future__ import annotations

import asyncio
import threading
from contextlib import aclosing

import pytest

from genint import interpret_genome, interpret_many_async
from genint.errors import FormatError, InputError, UnavailableError, UsageError
from genint.knowledge import load_confidence
from genint.pipeline.gene_calling import Payload
from genint.report import build_result, render_json
from tests.compute import compute_works
from tests.servers.dask_cluster import DaskCluster


def as_json(summary) -> str:
    return render_json(build_result(summary, load_confidence()))


@pytest.fixture(scope="module")
def phages(examples, tmp_path_factory):
    """phiX174, twice with a base changed."""
    folder = tmp_path_factory.mktemp("phages")
    plain = (examples / "phiX174.gbk").read_text()
    files = []
    for number in range(2):
        files.append(folder / f"phage{number}.gbk")
        files[-1].write_text(plain.replace("gagttttatc", f"gagttttat{'acgt'[number]}"))
    return files


@pytest.fixture(scope="module")
def one_by_one(phages, pressed):
    return [as_json(interpret_genome(file, cache_folder=pressed)) for file in phages]


async def all_of(found) -> list[str]:
    """Results as JSON, in the order of the sources."""
    async with aclosing(found):
        ended = sorted([one async for one in found])
    assert [one.number for one in ended] == list(range(len(ended)))
    return [as_json(one.summary) for one in ended]


@pytest.mark.parametrize("concurrency", [1, 2])
async def test_results_are_those_of_one_genome_at_a_time(phages, one_by_one, pressed, concurrency):
    found = interpret_many_async(phages, concurrency=concurrency, cache_folder=pressed)
    assert await all_of(found) == one_by_one


async def test_a_worker_of_a_cluster_that_dies_midway_changes_no_result(
    phages, one_by_one, pressed, tmp_path
):
    cluster = DaskCluster(tmp_path, 2, {})
    try:
        found = interpret_many_async(phages * 2, cluster=cluster.address, cache_folder=pressed)
        ended = []
        async with aclosing(found):
            async for one in found:
                ended.append(one)
                if len(ended) == 1:
                    cluster.workers[0].kill()
        assert [as_json(one.summary) for one in sorted(ended)] == one_by_one * 2
    finally:
        cluster.stop()


async def test_workers_that_join_a_cluster_get_genomes_too(phages, pressed, tmp_path, monkeypatch):
    monkeypatch.setattr("genint.pipeline.many.COUNT_S", 0.05)
    cluster = DaskCluster(tmp_path, 0, {})
    asked, ended, most = 0, 0, 0

    def sources():
        nonlocal asked, most
        for number in range(6):
            asked += 1
            most = max(most, asked - ended)
            if asked == 2:  # all that there is room for while nobody works
                cluster.add_worker()
                cluster.add_worker()
            yield phages[number % 2]

    try:
        found = interpret_many_async(sources(), cluster=cluster.address, cache_folder=pressed)
        async with aclosing(found):
            async for one in found:
                assert one.summary is not None
                ended += 1
    finally:
        cluster.stop()
    assert (ended, most) == (6, 4)


async def test_a_file_that_cannot_be_read_ends_no_other(phages, one_by_one, pressed, tmp_path):
    torn = Payload(b"LOCUS torn\n", "torn.gbk")
    sources = [tmp_path / "absent.gbk", torn, phages[0]]
    found = interpret_many_async(sources, concurrency=2, cache_folder=pressed)
    async with aclosing(found):
        absent, refused, read = sorted([one async for one in found])
    assert isinstance(absent.problem, InputError)
    assert isinstance(refused.problem, FormatError)
    assert (absent.summary, refused.summary) == (None, None)
    assert as_json(read.summary) == one_by_one[0]


async def test_no_more_genomes_are_asked_for_than_there_is_room_for(phages, pressed):
    asked = []

    def sources():
        for number in range(50):
            asked.append(number)
            yield phages[number % len(phages)]

    found = interpret_many_async(sources(), concurrency=2, cache_folder=pressed)
    async with aclosing(found):
        async for _ in found:
            break
    assert len(asked) <= 3


async def test_a_source_that_waits_for_results_gets_them(phages, pressed):
    taken = threading.Event()

    def sources():
        yield phages[0]
        assert taken.wait(60)
        yield phages[1]

    found = interpret_many_async(sources(), concurrency=2, cache_folder=pressed)
    async with aclosing(found):
        async for one in found:
            assert one.summary is not None
            taken.set()


async def test_closing_early_stops_the_processes(phages, pressed):
    found = interpret_many_async(phages * 5, concurrency=2, cache_folder=pressed)
    async with aclosing(found):
        await anext(found)
        children = compute_works.children()
        assert children
    for pid in children:
        await asyncio.to_thread(compute_works.until, lambda pid=pid: not compute_works.lives(pid))


@pytest.mark.parametrize("concurrency", [0, 5])
async def test_an_impossible_number_of_processes_is_refused(phages, concurrency):
    with pytest.raises(UsageError, match="concurrency must be 1 to 4"):
        await all_of(interpret_many_async(phages, concurrency=concurrency))


async def test_a_cluster_that_is_not_there_is_told(phages, monkeypatch):
    monkeypatch.setattr("genint.compute.cluster._ANSWER_S", 0.5)
    with pytest.raises(UnavailableError, match="no Dask scheduler answers"):
        await all_of(interpret_many_async(phages, cluster="tcp://127.0.0.1:9"))
