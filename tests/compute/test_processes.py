from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
import threading

import pytest

from genint.compute import ProcessBackend, open_backend
from genint.errors import GenintError, UsageError, WorkCancelled, WorkerDied
from tests.compute import compute_works as works

from .conftest import is_running


def pid_in(place) -> int:
    works.until(place.exists)
    return int(place.read_text())


def exists(pid: int) -> bool:
    """Whether a process is in the table of processes, be it as a zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_one_work_after_the_other_needs_one_process(processes):
    pids = {await processes.run(works.pid) for _ in range(5)}
    assert len(pids) == 1
    assert os.getpid() not in pids


async def test_two_works_run_at_the_same_time(processes, tmp_path):
    left, right = tmp_path / "left", tmp_path / "right"
    first, second = await asyncio.gather(
        processes.run(works.meet, left, right), processes.run(works.meet, right, left)
    )
    assert first != second


async def test_a_killed_process_costs_only_its_own_work(processes, tmp_path):
    doomed_place, place, answer = tmp_path / "doomed", tmp_path / "place", tmp_path / "answer"
    doomed = asyncio.create_task(processes.run(works.idle_for_ever, doomed_place))
    other = asyncio.create_task(processes.run(works.announce_and_await, place, answer))
    queued = [asyncio.create_task(processes.run(works.echo, at)) for at in range(5)]
    doomed_pid, other_pid = [await asyncio.to_thread(pid_in, one) for one in (doomed_place, place)]
    os.kill(doomed_pid, signal.SIGKILL)
    with pytest.raises(WorkerDied, match="SIGKILL"):
        await doomed
    assert await asyncio.gather(*queued) == [0, 1, 2, 3, 4]
    assert not other.done()
    works.announce(answer, "unharmed")
    assert await other == "unharmed"
    assert exists(other_pid)
    assert not exists(doomed_pid)


async def test_a_process_that_is_killed_while_idle_costs_no_work(processes):
    killed = await processes.run(works.pid)
    os.kill(killed, signal.SIGKILL)
    await asyncio.to_thread(works.until, lambda: not is_running(killed))
    assert await processes.run(works.pid) != killed
    assert not exists(killed)


@pytest.mark.parametrize(
    "work", [works.idle_for_ever, works.hash_for_ever, works.hold_the_lock_for_ever]
)
async def test_cancelling_ends_the_process_and_the_next_work_runs(work, tmp_path):
    async with asyncio.timeout(20), open_backend(workers=2) as backend:
        task = asyncio.create_task(backend.run(work, tmp_path / "busy"))
        busy = await asyncio.to_thread(pid_in, tmp_path / "busy")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.to_thread(works.until, lambda: not exists(busy), within_s=3)
        assert await backend.run(works.pid) != busy


async def test_work_cancelled_while_its_process_starts_leaves_none_behind(tmp_path):
    backend = ProcessBackend(1)
    for _ in range(5):
        task = asyncio.create_task(backend.run(works.note, tmp_path / "done", 1))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
    assert await backend.run(works.echo, 1) == 1
    last = await backend.run(works.pid)
    await backend.close()
    assert not exists(last)
    assert executor_threads() == []


def executor_threads() -> list[threading.Thread]:
    """Threads that still serve a worker process; the event loop's own may stay."""
    others = (threading.main_thread(), threading.current_thread())
    return [
        each
        for each in threading.enumerate()
        if each not in others and not each.name.startswith("asyncio")
    ]


async def test_closing_ends_idle_and_busy_processes_and_collects_them(tmp_path):
    backend = ProcessBackend(2)
    left, right = tmp_path / "left", tmp_path / "right"
    pids = await asyncio.gather(
        backend.run(works.meet, left, right), backend.run(works.meet, right, left)
    )
    busy = asyncio.create_task(backend.run(works.idle_for_ever, tmp_path / "busy"))
    assert await asyncio.to_thread(pid_in, tmp_path / "busy") in pids
    await backend.close()
    assert [pid for pid in pids if exists(pid)] == []
    with pytest.raises(WorkCancelled):
        await busy


async def test_an_error_in_the_block_leaves_no_process():
    started = []

    async def own() -> None:
        async with open_backend(workers=2) as backend:
            started.append(await backend.run(works.pid))
            raise LookupError("the owner failed")

    with pytest.raises(LookupError):
        await own()
    assert not exists(started[0])


async def test_cancelling_the_owner_leaves_no_process(tmp_path):
    async def own() -> None:
        async with open_backend(workers=2) as backend:
            await backend.run(works.hash_for_ever, tmp_path / "busy")

    task = asyncio.create_task(own())
    busy = await asyncio.to_thread(pid_in, tmp_path / "busy")
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not exists(busy)


async def test_work_that_cannot_be_sent_is_refused_and_the_process_lives(processes):
    before = await processes.run(works.pid)
    with pytest.raises(UsageError, match="cannot be sent to a worker"):
        await processes.run(lambda: 1)
    with pytest.raises(UsageError, match="echo cannot be sent"):
        await processes.run(works.echo, threading.Lock())
    assert await processes.run(works.pid) == before


async def test_a_result_that_cannot_be_sent_is_refused_and_the_process_lives(processes):
    before = await processes.run(works.pid)
    with pytest.raises(UsageError, match="result cannot be sent"):
        await processes.run(works.make_lambda)
    assert await processes.run(works.pid) == before


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts what a process wrote")
async def test_a_process_that_is_killed_while_it_sends_its_answer_is_a_died_worker(processes):
    async with asyncio.timeout(20):
        with pytest.raises(WorkerDied, match="SIGKILL"):
            await processes.run(works.die_while_the_answer_is_sent)
        assert await processes.run(works.echo, 1) == 1


async def test_cancelling_while_large_arguments_are_sent_ends_the_process(processes):
    async with asyncio.timeout(20):
        before = await processes.run(works.pid)
        task = asyncio.create_task(processes.run(works.echo, bytes(50_000_000)))
        await asyncio.wait([task], timeout=0.01)
        task.cancel()
        await asyncio.wait([task])
        await processes.close()
    assert not exists(before)


async def test_an_exit_of_the_work_does_not_end_its_caller(processes):
    with pytest.raises(GenintError, match="SystemExit: 3"):
        await processes.run(sys.exit, 3)


async def test_an_error_that_cannot_be_rebuilt_comes_back_as_its_text(processes):
    with pytest.raises(GenintError, match="Stubborn: stubborn: by nature"):
        await processes.run(works.raise_stubborn)


async def test_an_error_tells_where_in_the_worker_it_arose(processes):
    with pytest.raises(ValueError, match="wrong again") as caught:
        await processes.run(works.fail_and_count, works.Path(os.devnull))
    assert "in fail_and_count" in caught.value.__notes__[0]


async def test_a_work_that_exits_is_a_died_worker_with_its_status(processes):
    with pytest.raises(WorkerDied, match="ended with status 5"):
        await processes.run(os._exit, 5)


async def test_a_worker_does_not_hear_the_interrupt_of_the_keyboard(processes, tmp_path):
    place, answer = tmp_path / "place", tmp_path / "answer"
    task = asyncio.create_task(processes.run(works.announce_and_await, place, answer))
    os.kill(await asyncio.to_thread(pid_in, place), signal.SIGINT)
    works.announce(answer, "still here")
    assert await task == "still here"


async def test_a_worker_cannot_have_workers_and_says_so(processes):
    with pytest.raises(UsageError, match="workers=1"):
        await processes.run(works.open_workers_in_a_worker)


async def test_what_has_ended_leaves_no_file_open_until_the_garbage_collector_comes(tmp_path):
    await run_and_close(tmp_path / "first")  # what the whole program opens once
    gc.collect()
    before = open_files()
    gc.disable()
    try:
        for round_ in range(3):
            await run_and_close(tmp_path / str(round_))
        assert open_files() == before
    finally:
        gc.enable()


async def run_and_close(place) -> None:
    """Work that ends, work that is killed, and the end of the backend."""
    backend = ProcessBackend(2)
    assert await backend.run(works.echo, 1) == 1
    doomed = asyncio.create_task(backend.run(works.idle_for_ever, place))
    os.kill(await asyncio.to_thread(pid_in, place), signal.SIGKILL)
    with pytest.raises(WorkerDied):
        await doomed
    await backend.close()


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the address space")
async def test_work_that_needs_too_much_memory_fails_alone_and_its_process_is_replaced():
    backend = ProcessBackend(1, memory_bytes=500_000_000)
    try:
        first = await backend.run(works.pid)
        assert await backend.run(works.fill_memory, 100_000_000) == 100_000_000
        assert await backend.run(works.pid) == first
        with pytest.raises(MemoryError):
            await backend.run(works.fill_memory, 600_000_000)
        assert await backend.run(works.pid) != first
        assert await backend.run(works.fill_memory, 100_000_000) == 100_000_000
    finally:
        await backend.close()
