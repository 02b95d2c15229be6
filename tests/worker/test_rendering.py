"""Reports of stored results, made in a worker process."""

from __future__ import annotations

import asyncio
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from genint.errors import FormatError, InputError, NotFound
from genint.pipeline.resources import Folders
from genint.report import FORMATS
from genint.storage import open_storage
from genint.storage.files import result_name
from genint.worker.rendering import open_renderer
from tests.worker.conftest import address, supervised
from tests.worker.job_desk import Desk, until


@pytest.fixture(scope="module")
def done_before(searched, examples, tmp_path_factory):
    """A data folder, and the id of its one job: about phiX174, COMPLETED."""
    folder = tmp_path_factory.mktemp("done") / "data"

    async def make():
        async with open_storage(address(folder)) as storage:
            desk = Desk(storage)
            job_id = await desk.submit(examples / "phiX174.gbk")
            async with supervised(storage, folders=Folders(searched, cache_limit_bytes=10**9)):
                await desk.completed(job_id)
            return job_id

    with ThreadPoolExecutor(1) as thread:  # the loop of the test is not disturbed
        return folder, thread.submit(asyncio.run, make()).result()


@pytest.fixture
async def storage(done_before, tmp_path):
    """A copy of it."""
    shutil.copytree(done_before[0], tmp_path / "data")
    async with open_storage(address(tmp_path / "data")) as opened:
        yield opened


@pytest.fixture
async def done(done_before, desk):
    """The job."""
    return await desk.job(done_before[1])


@pytest.fixture
async def renderer(storage):
    async with open_renderer(storage) as opened:
        yield opened


async def test_every_format_is_there_for_the_time_of_the_block(desk, done, renderer):
    for name in FORMATS:
        async with renderer.rendered(done, name) as (made, attempt):
            assert made.stat().st_size > 0
            assert attempt == 1
        assert not made.exists()

    async def is_tidy() -> bool:
        return desk.leftovers() == []

    await until(is_tidy)  # the worker tidies up after the job's last commit


async def test_a_job_without_a_result_has_none_to_render(done, renderer):
    with pytest.raises(NotFound):
        async with renderer.rendered(replace(done, report_attempt=None), "md"):
            pytest.fail("there is nothing to render")


async def test_a_result_that_is_gone_is_not_found(desk, done, renderer, storage):
    storage.files.objects.path(result_name(done.id, 1)).unlink()
    with pytest.raises(NotFound, match="no longer exists"):
        async with renderer.rendered(done, "md"):
            pytest.fail("there is nothing to render")
    assert desk.leftovers() == []


async def test_a_damaged_result_is_an_error_of_ours(desk, done, renderer, storage):
    storage.files.objects.path(result_name(done.id, 1)).write_bytes(b"damaged")
    with pytest.raises(FormatError, match="damaged"):
        async with renderer.rendered(done, "md"):
            pytest.fail("there is nothing to render")
    assert desk.leftovers() == []


async def test_genbank_is_written_into_the_upload(desk, done, renderer, storage):
    async with renderer.rendered(done, "gbk") as (made, _):
        assert made.read_text().startswith("LOCUS")
    await storage.files.remove_upload(done.upload)
    with pytest.raises(InputError, match="upload"):
        async with renderer.rendered(done, "gbk"):
            pytest.fail("there is nothing to write into")
    assert desk.leftovers() == []


async def test_cancelling_leaves_nothing_behind(desk, done, renderer):
    async def use() -> None:
        async with renderer.rendered(done, "html"):
            pytest.fail("it was cancelled before")

    task = asyncio.create_task(use())
    async with asyncio.timeout(10):
        while not desk.leftovers():
            await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert desk.leftovers() == []
    async with renderer.rendered(done, "md") as (made, _):
        assert made.exists()
