"""What the owner of a job is told when it fails, and what is cleaned up."""

from __future__ import annotations

import asyncio
import errno
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from genint.errors import FormatError, InputError, UnavailableError, UsageError, WorkerDied
from genint.worker.attempt import Failed, Struck, outcome_of, to_the_end, took_too_long


def test_a_fault_of_the_file_is_told_word_for_word():
    fault = FormatError(source="a.gbk", line=7, reason="it is torn", cure="mend it")
    assert outcome_of(fault) == Failed("a.gbk, line 7: it is torn (mend it)")
    assert outcome_of(InputError("it is empty")) == Failed("it is empty")
    assert outcome_of(UnavailableError("not built yet")) == Failed("not built yet")


@pytest.mark.parametrize(
    "problem",
    [
        ValueError("ACGTACGT"),
        KeyError("/data/uploads/x"),
        UsageError("work cannot be sent"),
        MemoryError("ACGT"),
        OSError(errno.EIO, "broken", "/data/uploads/x"),
        OSError(errno.ENOSPC, "full", "/data/uploads/x"),
    ],
)
def test_a_fault_of_the_service_tells_neither_paths_nor_values(problem):
    ending = outcome_of(problem)
    assert isinstance(ending, Failed)
    assert not {"ACGT", "/data", "cannot be sent"} & set(ending.message.split())
    assert str(problem) not in ending.message


def test_a_full_disk_is_told_as_such():
    ending = outcome_of(OSError(errno.ENOSPC, "No space left on device"))
    assert isinstance(ending, Failed)
    assert "full" in ending.message


@pytest.mark.parametrize("problem", [MemoryError(), OSError(errno.ENOMEM, "Cannot allocate")])
def test_too_little_memory_is_told_as_such(problem):
    ending = outcome_of(problem)
    assert isinstance(ending, Failed)
    assert "memory" in ending.message


def test_a_dead_worker_is_a_strike():
    assert isinstance(outcome_of(WorkerDied("killed")), Struck)


@pytest.mark.parametrize(
    ("limit_s", "words"), [(3600, "60 minutes"), (90, "2 minutes"), (0.5, "0.5 seconds")]
)
def test_a_time_limit_is_told_in_fitting_units(limit_s, words):
    assert took_too_long(limit_s).message.endswith(words)


async def test_what_is_cancelled_before_its_thread_starts_still_happens_and_is_awaited():
    loop = asyncio.get_running_loop()
    may_go = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        loop.set_default_executor(pool)
        busy = loop.run_in_executor(None, may_go.wait)
        done: list[str] = []
        removing = asyncio.create_task(to_the_end(done.append, "removed"))
        for _ in range(5):
            await asyncio.sleep(0)  # until it waits for its turn behind the other
        removing.cancel()
        loop.call_soon(may_go.set)
        with pytest.raises(asyncio.CancelledError):
            await removing
        assert done == ["removed"]
        await busy
