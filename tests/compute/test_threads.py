from __future__ import annotations

import asyncio
import os
import threading

import pytest

from genint.compute import ThreadBackend
from genint.errors import WorkCancelled
from genint.sources import ProfileDatabase, search_chunk
from tests.compute import compute_works as works


@pytest.fixture
async def thread():
    backend = ThreadBackend()
    yield backend
    await backend.close()


async def test_work_runs_in_this_process_beside_the_event_loop(thread):
    assert await thread.run(works.pid) == os.getpid()
    assert await thread.run(works.thread_name) != threading.current_thread().name


async def test_cancelling_returns_at_once_and_the_work_stops_when_it_asks(thread, tmp_path):
    begun, ended = tmp_path / "begun", tmp_path / "ended"
    task = asyncio.create_task(thread.run(works.poll_until_cancelled, begun, ended))
    await asyncio.to_thread(works.until, begun.exists)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.to_thread(works.until, ended.exists)


async def test_the_next_work_begins_when_the_cancelled_one_has_stopped(thread, tmp_path):
    begun, answer, after = tmp_path / "begun", tmp_path / "answer", tmp_path / "after"
    deaf = asyncio.create_task(thread.run(works.announce_and_await, begun, answer))
    await asyncio.to_thread(works.until, begun.exists)
    deaf.cancel()
    following = asyncio.create_task(thread.run(works.note, after, 1))
    await asyncio.wait([deaf, following], return_when=asyncio.FIRST_COMPLETED)
    assert deaf.cancelled()
    assert not following.done()
    assert not after.exists()
    works.announce(answer)
    await following
    assert after.exists()


async def test_closing_stops_running_work_and_waits_for_it(tmp_path):
    begun, ended = tmp_path / "begun", tmp_path / "ended"
    backend = ThreadBackend()
    task = asyncio.create_task(backend.run(works.poll_until_cancelled, begun, ended))
    await asyncio.to_thread(works.until, begun.exists)
    await backend.close()
    assert ended.exists()
    await task


async def test_closing_does_not_wait_for_ever_for_work_that_never_asks(tmp_path):
    begun, answer = tmp_path / "begun", tmp_path / "answer"
    backend = ThreadBackend(closing_s=0.05)
    task = asyncio.create_task(backend.run(works.announce_and_await, begun, answer))
    await asyncio.to_thread(works.until, begun.exists)
    await asyncio.wait_for(backend.close(), 5)
    assert not task.done()
    works.announce(answer, "late")
    assert await task == "late"


async def test_the_profile_search_of_a_cancelled_run_stops(thread):
    def search(*, is_cancelled):
        try:
            return search_chunk(
                [("gpE", "MK" * 2000)], ProfileDatabase.shipped(), is_cancelled=is_cancelled
            )
        except WorkCancelled:
            stopped.set()
            raise

    stopped = threading.Event()
    task = asyncio.create_task(thread.run(search))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task])
    assert await asyncio.to_thread(stopped.wait, 30)
