"""Jobs whose files are on an object store."""

from __future__ import annotations

import asyncio

from genint.model import JobStatus
from genint.storage import StorageAddress, open_storage
from genint.worker.rendering import open_renderer
from tests.servers.stalling_proxy import StallingProxy
from tests.worker.job_desk import Desk


async def test_a_job_waits_for_a_store_that_is_away_and_completes_when_it_is_back(
    bucket_url, object_server, tmp_path, monkeypatch, supervising, examples
):
    async with StallingProxy(object_server.port) as proxy:
        monkeypatch.setenv("AWS_ENDPOINT_URL", proxy.instead_of(object_server.url))
        address = StorageAddress(tmp_path / "here", tmp_path / "db", store=bucket_url)
        async with open_storage(address) as storage:
            desk = Desk(storage)
            job_id = await desk.submit(examples / "phiX174.gbk")
            await proxy.shut()
            async with supervising(storage):
                await desk.reach(job_id, JobStatus.RUNNING)
                await asyncio.sleep(0.5)  # some tries
                assert (await desk.job(job_id)).status is JobStatus.RUNNING
                await proxy.reopen()
                done = await desk.completed(job_id)
            assert (done.attempt, done.strikes) == (1, 0)
            async with open_renderer(storage) as renderer:
                for name in ("gbk", "md"):
                    async with renderer.rendered(done, name) as (made, _):
                        assert made.stat().st_size > 0
            assert desk.leftovers() == []
            assert list((tmp_path / "here" / "uploads").iterdir()) == []
