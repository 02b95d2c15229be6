"""Files that a thread opens for a caller who may leave meanwhile."""

from __future__ import annotations

import asyncio
import io
import threading

import pytest

from genint.storage.objects import opened_in_thread


async def test_what_is_opened_for_a_caller_who_left_is_closed():
    """Nothing else would close it: the thread cannot be stopped, and nobody has its result."""
    file, is_under_way, may_end, is_closed = io.BytesIO(), *(threading.Event() for _ in range(3))

    def make() -> io.BytesIO:
        is_under_way.set()
        may_end.wait(20)
        return file

    def close(made: io.BytesIO) -> None:
        made.close()
        is_closed.set()

    opening = asyncio.create_task(opened_in_thread(make, close))
    await asyncio.to_thread(is_under_way.wait, 20)
    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening
    may_end.set()
    assert await asyncio.to_thread(is_closed.wait, 20)
    assert file.closed


async def test_a_caller_who_waits_gets_it_open():
    assert not (await opened_in_thread(io.BytesIO, io.BytesIO.close)).closed


async def test_a_failure_reaches_the_caller():
    def fail() -> io.BytesIO:
        raise FileNotFoundError

    with pytest.raises(FileNotFoundError):
        await opened_in_thread(fail, io.BytesIO.close)
