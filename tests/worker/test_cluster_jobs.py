"""Jobs of the service that a Dask cluster computes."""

from __future__ import annotations

import gzip

import pytest

from genint.model import JobStatus
from genint.pipeline.library import open_cluster_at
from genint.storage.files import result_name
from tests.servers.dask_cluster import DaskCluster


@pytest.fixture
def cluster(tmp_path):
    (tmp_path / "cluster").mkdir()
    started = DaskCluster(tmp_path / "cluster", 1, {})
    yield started
    started.stop()


async def test_results_are_those_of_worker_processes_also_where_a_worker_is_lost(
    desk, supervising, examples, cluster
):
    here = await desk.submit(examples / "phiX174.gbk")
    async with supervising():
        await desk.completed(here)
    there, later = [await desk.submit(examples / "phiX174.gbk") for _ in range(2)]
    async with open_cluster_at(cluster.address) as opened, supervising(backend=opened):
        await desk.completed(there)
        cluster.workers[0].kill()
        cluster.add_worker()
        await desk.completed(later)
    results = [
        gzip.decompress(desk.storage.files.objects.path(result_name(job, 1)).read_bytes())
        for job in (here, there, later)
    ]
    assert results[0] == results[1] == results[2]
    assert desk.leftovers() == []


async def test_jobs_wait_for_a_cluster_that_is_away(desk, supervising, examples, cluster, tmp_path):
    async with open_cluster_at(cluster.address) as opened, supervising(backend=opened):
        cluster.scheduler.kill()
        job = await desk.submit(examples / "phiX174.gbk")
        await desk.reach(job, JobStatus.RUNNING)
        (tmp_path / "second").mkdir()
        second = DaskCluster(tmp_path / "second", 1, {}, port=cluster.port)
        try:
            completed = await desk.completed(job)
        finally:
            second.stop()
    assert (completed.strikes, completed.error_message) == (0, None)
