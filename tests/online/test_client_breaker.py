"""A server that is down is left alone: by the run that found out, and by all others."""

from __future__ import annotations

import asyncio
import logging

import pytest

from genint.http_errors import RequestFailed
from genint.online.protocol import Host
from tests.servers.jumping_time import in_jumping_time
from tests.servers.polite_asking import GO, INFO, LONG_S, SEARCH, client_of, fated, lost, outcome
from tests.servers.strange_server import closed_address, head


def now_s():
    return asyncio.get_running_loop().time()


@in_jumping_time
async def test_after_three_lost_calls_in_a_row_a_server_is_not_asked_again():
    async with fated(503) as (_fate, server, client):
        run = client.run(LONG_S)
        problems = [await lost(run) for _ in range(5)]
    assert [problem.was_sent for problem in problems] == [True, True, True, False, False]
    assert {problem.reason for problem in problems[:3]} == {"503 after 4 attempts"}
    assert {problem.reason for problem in problems[3:]} == {
        "503 after 4 attempts, not queried again"
    }
    assert len(server.requests) == run.requests(Host.INTERPRO) == 12


@in_jumping_time
async def test_the_log_says_when_a_server_goes_down_and_comes_back(caplog):
    caplog.set_level(logging.INFO, "genint.online")
    async with fated(503) as (fate, _server, client):
        run = client.run(LONG_S)
        for _ in range(5):
            await lost(run)
        fate.status = 200
        await asyncio.sleep(3600)
        await outcome(client.run(LONG_S))  # sends a look after it
        await asyncio.sleep(60)
    told = [(one.event, one.server, one.reason) for one in caplog.records]
    assert told == [
        ("server_down", "interpro", "503 after 4 attempts"),
        ("server_up", "interpro", ""),
    ]


@in_jumping_time
async def test_an_answer_between_lost_calls_starts_the_count_anew():
    async with fated(503) as (fate, server, client):
        run = client.run(LONG_S)
        for _ in range(4):
            fate.status = 503
            await lost(run)
            await lost(run)
            fate.status = 200
            await run.send(INFO)
    assert len(server.requests) == 4 * (4 + 4 + 1)


@pytest.mark.parametrize("status", [400, 404, 410, 422])
@in_jumping_time
async def test_refused_questions_say_nothing_against_the_server(status):
    async with fated(status) as (_fate, server, client):
        run = client.run(LONG_S)
        problems = [await lost(run) for _ in range(10)]
    assert all(problem.was_sent for problem in problems)
    assert len(server.requests) == 10


@pytest.mark.parametrize("status", [302, 401, 403, 451, 520])
@in_jumping_time
async def test_who_is_not_welcome_does_not_go_on_asking(status):
    async with fated(status) as (_fate, server, client):
        run = client.run(LONG_S)
        problems = [await lost(run) for _ in range(10)]
    assert not problems[-1].was_sent
    assert problems[-1].reason == f"{problems[0].reason}, not queried again"
    assert len(server.requests) == 3


@in_jumping_time
async def test_two_refused_connections_in_a_row_are_enough():
    address = await closed_address()
    async with client_of(address) as client:
        began_s = now_s()
        run = client.run(LONG_S)
        first, second = await lost(run), await lost(run)
        assert now_s() - began_s < 2
    assert (first.reason, first.was_sent) == ("no connection after 2 attempts", True)
    assert (second.reason, second.was_sent) == (
        "no connection after 2 attempts, not queried again",
        False,
    )
    assert run.requests(Host.INTERPRO) == 2


@in_jumping_time
async def test_a_connection_between_refused_ones_starts_the_count_anew():
    address = await closed_address()
    port = int(address.rpartition(":")[2])

    async def busy(_reader, writer):
        writer.write(head("503 Busy", Content_Length="0", Connection="close"))
        writer.close()

    async with client_of(address) as client:
        call = asyncio.create_task(lost(client.run(LONG_S)))
        await asyncio.sleep(0.5)  # refused; the next attempt comes after 1 s
        listening = await asyncio.start_server(busy, "127.0.0.1", port)
        await asyncio.sleep(1)
        listening.close()
        problem = await call
    # The third was the first refused one in a row, and the fourth the second.
    assert problem.reason == "no connection after 4 attempts"


@in_jumping_time
async def test_the_other_servers_are_asked_as_ever():
    async with fated(503) as (fate, _server, client):
        run = client.run(LONG_S)
        for _ in range(4):
            await lost(run)
        fate.status = 200
        assert (await run.send(SEARCH)).status == 200
        assert (await run.send(GO)).status == 200


@in_jumping_time
async def test_all_who_wait_are_sent_home_at_once():
    async with fated(503) as (_fate, server, client):
        run, other = client.run(LONG_S), client.run(LONG_S)
        calls = [outcome(run) for _ in range(50)] + [outcome(other) for _ in range(50)]
        ends_s = []

        async def timed(call):
            problem = await call
            ends_s.append(now_s())
            return problem

        problems = await asyncio.gather(*(timed(call) for call in calls))
    assert all(isinstance(problem, RequestFailed) for problem in problems)
    assert all("503 after " in problem.reason for problem in problems)
    third_s = sorted(ends_s)[2]
    assert max(ends_s) - third_s < 0.1
    assert len(server.requests) <= 8 * 4
    sent = sum(problem.was_sent for problem in problems)
    assert 3 <= sent <= 10


@in_jumping_time
async def test_a_call_whose_retries_were_cut_short_says_what_it_saw():
    async with fated(503) as (fate, _server, client):
        run = client.run(LONG_S)
        await lost(run)
        await lost(run)
        slow = asyncio.create_task(outcome(run))
        await asyncio.sleep(0.9)
        fate.status = 403
        await lost(client.run(LONG_S))  # the third loss opens the breaker
        problem = await slow
    assert isinstance(problem, RequestFailed)
    assert problem.reason == "503 after 1 attempt, not queried again"
    assert (problem.was_sent, problem.status) == (True, 503)


@in_jumping_time
async def test_one_silent_minute_is_enough_for_all_runs_even_short_ones():
    """A run may end before the time of a call does; the server is no less silent."""
    async with fated(None) as (_fate, server, client):
        problem = await lost(client.run(60), SEARCH)
        assert problem.reason == "no answer within the time of 60 s"
        assert problem.was_sent
        began_s = now_s()
        assert not (await lost(client.run(60), SEARCH)).was_sent
        assert now_s() == began_s
        await asyncio.sleep(1)
    assert len(server.requests) == 2  # the other is a probe


@in_jumping_time
async def test_a_server_that_was_only_slow_with_one_request_is_back_at_once():
    async with fated(None) as (fate, _server, client):
        slow = asyncio.create_task(lost(client.run(60), SEARCH))
        await asyncio.sleep(59.9)
        fate.status = 200
        await slow
        await asyncio.sleep(1)
        assert (await client.run(60).send(SEARCH)).status == 200


@in_jumping_time
async def test_what_one_process_found_another_knows_until_the_first_finds_it_up():
    async with fated(503) as (fate, server, finder), client_of(server) as other:
        run = finder.run(LONG_S)
        for _ in range(3):
            await lost(run)
        found = finder.outages()
        assert [outage.reason for outage in found.values()] == ["503 after 4 attempts"]
        before = len(server.requests)
        other.learn(found)
        assert other.outages() == {}  # it is not the one who knows
        problem = await lost(other.run(LONG_S))
        assert (problem.reason, problem.was_sent) == (
            "503 after 4 attempts, not queried again",
            False,
        )
        fate.status = 200
        other.learn({})
        assert (await other.run(LONG_S).send(INFO)).status == 200
    assert len(server.requests) == before + 1


@in_jumping_time
async def test_who_cannot_connect_keeps_that_to_himself():
    async with client_of(await closed_address()) as client:
        await lost(client.run(LONG_S))
        assert not client.services_up()[Host.INTERPRO]
        assert client.outages() == {}


@in_jumping_time
async def test_runs_that_are_too_short_for_any_server_do_not_count():
    async with fated(None) as (fate, _server, client):
        for _ in range(5):
            assert (await lost(client.run(5), SEARCH)).was_sent
        fate.status = 200
        assert (await client.run(5).send(SEARCH)).status == 200
