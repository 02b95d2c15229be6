"""Promises that hold for every way of computing."""

from __future__ import annotations

import asyncio

import pytest

from genint.compute import ProcessBackend, ThreadBackend, open_backend, run_with_retry
from genint.errors import FormatError, UsageError, WorkCancelled, WorkerDied
from tests.compute import compute_works as works


async def test_the_value_of_the_work_comes_back(backend):
    assert await backend.run(works.echo, ("capsid", 3)) == ("capsid", 3)


async def test_large_arguments_and_results_come_through(backend):
    genome = "ACGT" * 2_500_000
    assert await backend.run(works.echo, genome) == genome


async def test_an_error_of_the_work_comes_back_as_itself(backend):
    with pytest.raises(FormatError, match="torn") as caught:
        await backend.run(works.refuse, 7)
    error = caught.value
    assert (error.source, error.line, error.reason, error.cure) == (
        "a.gbk",
        7,
        "it is torn",
        "mend it",
    )


async def test_a_stray_stop_iteration_reaches_whoever_awaits(backend):
    with pytest.raises(RuntimeError, match="StopIteration"):
        await asyncio.wait_for(backend.run(works.stop_iterating), 20)


async def test_work_goes_on_after_an_error(backend):
    with pytest.raises(FormatError):
        await backend.run(works.refuse, 1)
    assert await backend.run(works.echo, 1) == 1


async def test_the_event_loop_stays_free_while_work_runs(backend, tmp_path):
    begun, answer = tmp_path / "begun", tmp_path / "answer"
    task = asyncio.create_task(backend.run(works.announce_and_await, begun, answer))
    await asyncio.to_thread(works.until, begun.exists)
    works.announce(answer, "from the loop")
    assert await task == "from the loop"


async def test_work_that_waits_is_done_in_the_order_it_came(backend, tmp_path):
    place = tmp_path / "order"
    await asyncio.gather(*(backend.run(works.note, place, index) for index in range(20)))
    assert place.read_text().split() == [str(index) for index in range(20)]


async def test_cancelled_work_that_has_not_begun_never_begins(backend, tmp_path):
    begun, answer, place = tmp_path / "begun", tmp_path / "answer", tmp_path / "order"
    running = asyncio.create_task(backend.run(works.announce_and_await, begun, answer))
    await asyncio.to_thread(works.until, begun.exists)
    waiting = [asyncio.create_task(backend.run(works.note, place, at)) for at in range(3)]
    await asyncio.sleep(0)
    waiting[1].cancel()
    works.announce(answer)
    await asyncio.gather(running, *waiting, return_exceptions=True)
    assert waiting[1].cancelled()
    assert place.read_text().split() == ["0", "2"]


async def test_a_closed_backend_refuses_work(backend):
    await backend.close()
    with pytest.raises(WorkCancelled, match="closed"):
        await backend.run(works.pid)


async def test_closing_again_does_nothing(backend):
    await backend.run(works.pid)
    await backend.close()
    await backend.close()


async def test_work_that_waits_when_the_backend_closes_is_refused(backend, tmp_path):
    begun, ended, place = tmp_path / "begun", tmp_path / "ended", tmp_path / "order"
    running = asyncio.create_task(backend.run(works.poll_until_cancelled, begun, ended))
    await asyncio.to_thread(works.until, begun.exists)
    waiting = asyncio.create_task(backend.run(works.note, place, 1))
    await asyncio.sleep(0)
    await backend.close()
    await asyncio.wait([running, waiting])
    assert isinstance(waiting.exception(), WorkCancelled)
    assert not place.exists()


@pytest.mark.parametrize("workers", [1, 2])
def test_one_event_loop_after_the_other_can_compute(workers):
    async def compute() -> object:
        async with open_backend(workers=workers) as opened:
            return await asyncio.gather(*(opened.run(works.echo, at) for at in range(4)))

    assert [asyncio.run(compute()) for _ in range(2)] == [[0, 1, 2, 3]] * 2


@pytest.mark.parametrize("workers", [-1, 0, 5])
async def test_a_number_of_workers_out_of_range_is_a_usage_error(workers):
    with pytest.raises(UsageError, match=f"1 to 4, not {workers}"):
        async with open_backend(workers=workers):
            pass


async def test_one_worker_is_a_thread_and_more_are_processes():
    async with open_backend(workers=1) as one, open_backend(workers=2) as two:
        assert isinstance(one, ThreadBackend)
        assert isinstance(two, ProcessBackend)


@pytest.mark.parametrize("deaths", [1, 2])
async def test_work_whose_worker_died_is_tried_again(processes, tmp_path, deaths):
    tries = tmp_path / "tries"
    assert await run_with_retry(processes, works.kill_self, tries, deaths) == deaths + 1


async def test_work_that_kills_three_workers_is_given_up(processes, tmp_path):
    tries = tmp_path / "tries"
    with pytest.raises(WorkerDied):
        await run_with_retry(processes, works.kill_self, tries, 99)
    assert len(tries.read_text().split()) == 3


async def test_an_error_of_the_work_is_not_tried_again(backend, tmp_path):
    tries = tmp_path / "tries"
    with pytest.raises(ValueError, match="wrong again"):
        await run_with_retry(backend, works.fail_and_count, tries)
    assert len(tries.read_text().split()) == 1
