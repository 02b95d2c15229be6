"""Time is up, a job is cancelled, a name is not found: nothing hangs and nothing is left."""

from __future__ import annotations

import asyncio
import gc
import socket
import subprocess
import sys
import threading
import time
import warnings

import pytest
from aiohttp import web
from jumping_time import in_jumping_time
from polite_asking import GO, INFO, LONG_S, SEARCH, client_of, lost, outcome
from strange_server import strange_server

from genint.http_errors import RequestFailed
from genint.online.protocol import Host


def now_s():
    return asyncio.get_running_loop().time()


def slow(latency_s):
    async def answer(_number, _request):
        await asyncio.sleep(latency_s)
        return web.json_response({})

    return answer


@in_jumping_time
async def test_when_the_time_of_a_run_is_over_calls_end_and_no_more_are_sent():
    async with strange_server(slow(25)) as server, client_of(server) as client:
        began_s = now_s()
        run = client.run(60)
        outcomes = await asyncio.gather(*(outcome(run) for _ in range(20)))
        assert now_s() - began_s == pytest.approx(60, abs=0.01)
        late = await lost(run)
        assert now_s() - began_s == pytest.approx(60, abs=0.01)
    answered = [reply for reply in outcomes if not isinstance(reply, RequestFailed)]
    problems = [problem for problem in outcomes if isinstance(problem, RequestFailed)]
    tried = [problem for problem in problems if problem.was_sent]
    assert (len(answered), len(tried), len(problems)) == (8, 4, 12)
    assert {problem.reason for problem in problems} == {"no answer within the time of 60 s"}
    assert (late.reason, late.was_sent) == ("the time of 60 s was over", False)
    assert len(server.requests) == run.requests(Host.INTERPRO) == 12


@in_jumping_time
async def test_a_run_whose_time_ends_between_two_attempts_says_what_it_saw():
    async def busy(_number, _request):
        return web.Response(status=503)

    async with strange_server(busy) as server, client_of(server) as client:
        problem = await lost(client.run(2))
    assert problem.reason == "503 after 2 attempts within the time of 2 s"
    assert (problem.was_sent, problem.status) == (True, 503)
    assert len(server.requests) == 2


@in_jumping_time
async def test_a_run_without_time_asks_nothing():
    async with strange_server(slow(0)) as server, client_of(server) as client:
        for budget_s in (0, -5):
            assert not (await lost(client.run(budget_s))).was_sent
    assert server.requests == []


@in_jumping_time
async def test_the_time_of_one_run_is_nothing_to_another():
    async with strange_server(slow(25)) as server, client_of(server) as client:
        short, long = client.run(10), client.run(60)
        first, second = await asyncio.gather(outcome(short), outcome(long))
    assert isinstance(first, RequestFailed)
    assert not isinstance(second, RequestFailed)


@pytest.mark.parametrize("budget_s", [5, LONG_S])
@in_jumping_time
async def test_requests_end_at_the_server_too(budget_s):
    async with strange_server(slow(LONG_S)) as server, client_of(server) as client:
        run = client.run(budget_s)
        calls = [asyncio.create_task(outcome(run)) for _ in range(10)]
        await asyncio.sleep(4.5)
        assert server.under_way == 4
        if budget_s == LONG_S:
            for call in calls:
                call.cancel()
        await asyncio.gather(*calls, return_exceptions=True)
        await asyncio.sleep(0.1)
        assert server.under_way == 0


@pytest.mark.parametrize("wait_s", [0.0, 0.1, 0.3])
async def test_a_cancelled_job_leaves_nothing_behind(wait_s):
    """Cancelled while it waits for a place, a turn, an answer, or another attempt."""

    async def some_fail(number, _request):
        if number % 2:
            return web.Response(status=503)
        await asyncio.sleep(LONG_S)
        return web.Response()

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        async with strange_server(some_fail) as server, client_of(server) as client:
            run = client.run(LONG_S)
            job = asyncio.gather(*(run.send(call) for call in [INFO, SEARCH, GO] * 10))
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(job, wait_s)
            # The places are free again: what is asked next is asked.
            problem = await asyncio.wait_for(outcome(client.run(0.2), INFO), 2)
            assert isinstance(problem, RequestFailed)
        assert asyncio.all_tasks() == {asyncio.current_task()}
        gc.collect()


@in_jumping_time
async def test_places_and_turns_are_given_back_by_whatever_ends_a_call():
    fails = True

    async def answer(_number, _request):
        if fails:
            await asyncio.sleep(LONG_S)
        return web.json_response({})

    async with strange_server(answer) as server, client_of(server) as client:
        for wait_s in (0.0, 0.1, 0.4, 1.0, 3.0):
            run = client.run(LONG_S)
            calls = [asyncio.create_task(run.send(INFO)) for _ in range(12)]
            await asyncio.sleep(wait_s)
            for call in calls:
                call.cancel()
            await asyncio.gather(*calls, return_exceptions=True)
            await asyncio.gather(*(outcome(client.run(2)) for _ in range(12)))
        fails = False
        before = server.most_under_way
        run = client.run(LONG_S)
        assert len(await asyncio.gather(*(run.send(INFO) for _ in range(20)))) == 20
    assert before == server.most_under_way == 4


def test_a_name_server_that_never_answers_costs_the_time_to_connect(monkeypatch):
    def hang(*_args, **_keywords):
        time.sleep(2.5)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", hang)

    async def ask():
        async with client_of("http://rest.uniprot.example/x") as client:
            return await lost(client.run(0.2), SEARCH)

    began_s = time.monotonic()
    problem = asyncio.run(ask())
    assert problem.reason == "no answer within the time of 0.2 s"
    assert time.monotonic() - began_s < 2
    for thread in threading.enumerate():
        if thread.name == "genint-resolver":
            thread.join()  # finds that nobody waits any more, and says nothing


HANGING = """
import asyncio, dataclasses, socket, time
from genint.http_errors import RequestFailed
from genint.online.client import open_client
from genint.online.protocol import Host, Request, ServiceAddresses
from genint.online.rate_limit import Policy

def hang(*_args, **_keywords):
    time.sleep(60)

socket.getaddrinfo = hang

async def main():
    limits = dataclasses.replace(Policy().uniprot, connect_s=0.3)
    base = "https://rest.uniprot.example"
    policy = dataclasses.replace(Policy(), uniprot=limits, interpro=limits, interpro_go=limits)
    async with open_client(ServiceAddresses(base, base, base), "genint", policy=policy) as client:
        run = client.run(60)
        for _ in range(2):
            try:
                await run.send(Request(Host.UNIPROT, "/x"))
            except RequestFailed as problem:
                print(problem.reason, problem.was_sent)

asyncio.run(main())
"""


def test_a_program_ends_while_a_name_is_still_looked_up():
    began_s = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", "-c", HANGING],
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    assert time.monotonic() - began_s < 10
    assert done.stdout.splitlines() == [
        "no connection after 2 attempts True",
        "no connection after 2 attempts, not queried again False",
    ]
    assert done.stderr == ""


@in_jumping_time
async def test_a_client_may_be_held_open_between_jobs():
    async with strange_server(slow(0.1)) as server, client_of(server) as client:
        for _ in range(8):
            run = client.run(60)
            for call in (INFO, SEARCH, GO):
                assert (await run.send(call)).status == 200
            await asyncio.sleep(900)
    assert len(server.requests) == 24
