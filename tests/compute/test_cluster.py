"""The same promises on the workers of a cluster."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Iterator, Mapping

import pytest

from genint.compute.cluster import Cluster, ClusterShare, open_cluster
from genint.errors import FormatError, UnavailableError, UsageError, WorkCancelled, WorkerDied
from tests.compute import compute_works as works
from tests.servers.dask_cluster import DaskCluster


def identity() -> Mapping[str, str]:
    """What workers have to agree with: the same everywhere."""
    return {"genint": "1"}


def other_identity() -> Mapping[str, str]:
    """Another one in each process."""
    return {"genint": "1", "process": str(os.getpid())}


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    started = DaskCluster(tmp_path_factory.mktemp("cluster"), 2, {})
    yield started
    started.stop()


@pytest.fixture
async def backend(cluster: DaskCluster) -> AsyncIterator[ClusterShare]:
    async with open_cluster(cluster.address, identity) as opened:
        while await opened.places() < 2:
            await opened.share().run(works.pid)
        yield opened.share()


async def test_work_runs_on_the_workers_at_the_same_time(backend, tmp_path):
    left, right = tmp_path / "left", tmp_path / "right"
    first, second = await asyncio.gather(
        backend.run(works.meet, left, right), backend.run(works.meet, right, left)
    )
    assert len({first, second, os.getpid()}) == 3


async def test_the_same_work_is_done_again_each_time(backend, tmp_path):
    place = tmp_path / "place"
    for index in range(3):
        await backend.run(works.note, place, index % 1)
    assert len(place.read_text().split()) == 3


async def test_errors_come_back_as_they_were_raised(backend):
    with pytest.raises(FormatError) as raised:
        await backend.run(works.refuse, 7)
    assert (raised.value.line, raised.value.cure) == (7, "mend it")


async def test_a_cancelled_call_stops_on_its_worker(backend, tmp_path):
    begun, ended = tmp_path / "begun", tmp_path / "ended"
    task = asyncio.create_task(backend.run(works.poll_until_cancelled, begun, ended))
    await asyncio.to_thread(works.until, begun.exists)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.to_thread(works.until, ended.exists)


async def test_closing_withdraws_the_calls_under_way(cluster, tmp_path):
    begun, ended = tmp_path / "begun", tmp_path / "ended"
    async with open_cluster(cluster.address, identity) as opened:
        backend, other = opened.share(), opened.share()
        task = asyncio.create_task(backend.run(works.poll_until_cancelled, begun, ended))
        await asyncio.to_thread(works.until, begun.exists)
        await backend.close()
        assert await other.run(works.echo, "unharmed") == "unharmed"
    with pytest.raises(WorkCancelled):
        await task
    await asyncio.to_thread(works.until, ended.exists)


async def test_a_lost_worker_costs_its_work_a_second_run(tmp_path):
    cluster = DaskCluster(tmp_path, 2, {})
    try:
        tries = tmp_path / "tries"
        async with open_cluster(cluster.address, identity) as opened:
            assert await opened.share().run(works.kill_self, tries, 1) == 2
    finally:
        cluster.stop()


async def test_work_that_kills_its_workers_is_given_up(tmp_path):
    environment = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"}
    cluster = DaskCluster(tmp_path, 1, environment)
    try:
        async with open_cluster(cluster.address, identity) as opened:
            with pytest.raises(WorkerDied, match="died"):
                await opened.share().run(works.kill_self, tmp_path / "tries", 9)
    finally:
        cluster.stop()


async def test_a_worker_that_would_give_other_results_is_refused(cluster, backend):
    with pytest.raises(UnavailableError, match=r"other results: it has process \d+ \(\d+ here\)"):
        async with open_cluster(cluster.address, other_identity):
            pass
    late = Cluster(cluster.address, other_identity)
    late._client = await backend._cluster.connected()  # it came after the others were looked at
    with pytest.raises(WorkCancelled, match="other results"):
        await late.share().run(works.pid)


@pytest.mark.parametrize("asked", [False, True], ids=["by Dask itself", "by whoever waits"])
async def test_a_cancellation_while_the_connection_closes_is_the_callers_or_nobodys(
    cluster, caplog, asked
):
    """Dask cancels tasks of its own when it closes, logs that as an error and lets it through."""
    opened = Cluster(cluster.address, identity)
    client = await opened.connected()

    async def close_and_cancel():
        del client.close
        await client.close()
        if asked:
            asyncio.current_task().cancel()
            await asyncio.sleep(0)
        try:
            raise asyncio.CancelledError
        except asyncio.CancelledError:
            logging.getLogger("distributed.client").exception("made")
            raise

    client.close = close_and_cancel
    task = asyncio.create_task(opened.close())
    await asyncio.wait([task])
    assert task.cancelled() is asked
    assert "made" not in caplog.text


async def test_without_a_scheduler_one_line_says_so(monkeypatch):
    monkeypatch.setattr("genint.compute.cluster._ANSWER_S", 0.5)
    with pytest.raises(
        UnavailableError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"
    ):
        async with open_cluster("tcp://127.0.0.1:9", identity):
            pass
    with pytest.raises(UsageError, match="no address"):
        async with open_cluster("somewhere", identity):
            pass


async def test_when_the_scheduler_goes_away_work_is_withdrawn_and_a_new_one_is_found(tmp_path):
    (tmp_path / "first").mkdir()
    (tmp_path / "second").mkdir()
    first = DaskCluster(tmp_path / "first", 1, {})
    second = None
    try:
        async with open_cluster(first.address, identity) as opened:
            place = tmp_path / "place"
            task = asyncio.create_task(opened.share().run(works.idle_for_ever, place))
            await asyncio.to_thread(works.until, place.exists)
            first.scheduler.kill()
            with pytest.raises(WorkCancelled, match="went away"):
                await asyncio.wait_for(task, 90)
            second = DaskCluster(tmp_path / "second", 1, {}, port=first.port)
            assert await opened.share().run(works.echo, "back") == "back"
    finally:
        first.stop()
        if second is not None:
            second.stop()
