"""Reports of stored results, made in a worker process."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from genint.errors import FormatError, InputError, NotFound
from genint.report import FORMATS
from genint.worker.rendering import open_renderer
from tests.worker.job_desk import until


@pytest.fixture
async def done(desk, supervising, examples):
    """A job about phiX174 that is COMPLETED."""
    job_id = await desk.submit(examples / "phiX174.gbk")
    async with supervising():
        return await desk.completed(job_id)


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
    storage.files.result_path(done.id, 1).unlink()
    with pytest.raises(NotFound, match="no longer exists"):
        async with renderer.rendered(done, "md"):
            pytest.fail("there is nothing to render")
    assert desk.leftovers() == []


async def test_a_damaged_result_is_an_error_of_ours(desk, done, renderer, storage):
    storage.files.result_path(done.id, 1).write_bytes(b"damaged")
    with pytest.raises(FormatError, match="damaged"):
        async with renderer.rendered(done, "md"):
            pytest.fail("there is nothing to render")
    assert desk.leftovers() == []


async def test_genbank_is_written_into_the_upload(desk, done, renderer, storage):
    async with renderer.rendered(done, "gbk") as (made, _):
        assert made.read_text().startswith("LOCUS")
    storage.files.remove_upload(done.upload)
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
