"""How many requests are under way, how fast they come, and when a server is left alone."""

from __future__ import annotations

import asyncio
import re
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise

import pytest
from aiohttp import web
from jumping_time import in_jumping_time
from polite_asking import GO, INFO, LONG_S, SEARCH, client_of, lost, outcome
from strange_server import strange_server

from genint.http_errors import RequestFailed
from genint.online.protocol import Host

LIMITS = [(SEARCH, 2, 5), (INFO, 4, 3), (GO, 1, 1)]


def slow(latency_s):
    async def answer(_number, _request):
        await asyncio.sleep(latency_s)
        return web.json_response({})

    return answer


def most_in_a_second(times_s):
    return max(sum(start <= time_s <= start + 1 for time_s in times_s) for start in times_s)


@pytest.mark.parametrize(("call", "parallel", "pace"), LIMITS)
@in_jumping_time
async def test_no_more_requests_than_allowed_are_under_way(call, parallel, pace):
    async with strange_server(slow(10)) as server, client_of(server) as client:
        run = client.run(LONG_S)
        await asyncio.gather(*(run.send(call) for _ in range(12)))
    assert server.most_under_way == parallel
    assert run.requests(call.host) == 12


@in_jumping_time
async def test_the_limits_are_of_the_server_and_not_of_the_run():
    async with strange_server(slow(10)) as server, client_of(server) as client:
        runs = [client.run(LONG_S) for _ in range(6)]
        await asyncio.gather(*(run.send(INFO) for run in runs for _ in range(2)))
    assert server.most_under_way == 4
    assert most_in_a_second(server.times_s) <= 3


@pytest.mark.parametrize(("call", "parallel", "pace"), LIMITS)
@in_jumping_time
async def test_no_second_sees_more_requests_than_the_pace_from_the_first_on(call, parallel, pace):
    async with strange_server(slow(0)) as server, client_of(server) as client:
        run = client.run(LONG_S)
        await asyncio.gather(*(run.send(call) for _ in range(5 * pace)))
        await asyncio.sleep(30)  # idle servers get no burst either
        await asyncio.gather(*(run.send(call) for _ in range(5 * pace)))
    assert most_in_a_second(server.times_s) <= pace
    first = server.times_s[: 5 * pace]
    assert first[-1] - first[0] < 1.15 * (5 * pace - 1) / pace


@in_jumping_time
async def test_the_three_servers_do_not_wait_for_each_other():
    async with strange_server(slow(4)) as server, client_of(server) as client:
        run = client.run(LONG_S)
        calls = [SEARCH] * 2 + [INFO] * 4 + [GO]
        began_s = asyncio.get_running_loop().time()
        await asyncio.gather(*(run.send(call) for call in calls))
        took_s = asyncio.get_running_loop().time() - began_s
    assert server.most_under_way == 7
    assert took_s < 4 + 4 / 3 + 0.5


@in_jumping_time
async def test_a_small_run_does_not_wait_for_all_calls_of_a_large_one():
    async with strange_server(slow(1)) as server, client_of(server) as client:
        large, small = client.run(LONG_S), client.run(LONG_S)
        async with asyncio.TaskGroup() as tasks:
            for _ in range(60):
                tasks.create_task(large.send(INFO))
            await asyncio.sleep(5)
            began_s = asyncio.get_running_loop().time()
            await small.send(INFO)
            assert asyncio.get_running_loop().time() - began_s < 5
            assert large.requests(Host.INTERPRO) < 40
    assert most_in_a_second(server.times_s) <= 3


@in_jumping_time
async def test_a_wait_for_another_attempt_takes_no_place():
    async def first_fails(number, _request):
        return web.json_response({}, status=503 if number == 1 else 200)

    async with strange_server(first_fails) as server, client_of(server) as client:
        run = client.run(LONG_S)
        failing = asyncio.create_task(run.send(GO))  # one place, and a wait of a second
        await asyncio.sleep(0.5)
        await run.send(GO)
        assert not failing.done()
        await failing
    assert len(server.requests) == 3


def asks_once(status, **headers):
    """An answer that asks to wait, and then is one."""

    async def answer(number, _request):
        if number == 1:
            return web.Response(status=status, headers=headers)
        return web.json_response({})

    return answer


def in_a_date(wait_s, server_is_ahead_s=0):
    now = datetime.now(UTC) + timedelta(seconds=server_is_ahead_s)
    later = format_datetime(now + timedelta(seconds=wait_s), usegmt=True)
    return {"Retry-After": later, "Date": format_datetime(now, usegmt=True)}


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(
    "headers", [{"Retry-After": "40"}, in_a_date(40), in_a_date(40, server_is_ahead_s=86_400)]
)
@in_jumping_time
async def test_retry_after_pauses_the_server_for_all_runs(status, headers):
    async with (
        strange_server(asks_once(status, **headers)) as server,
        client_of(server) as client,
        asyncio.TaskGroup() as tasks,
    ):
        tasks.create_task(client.run(LONG_S).send(INFO))
        await asyncio.sleep(1)
        for _ in range(3):
            tasks.create_task(client.run(LONG_S).send(INFO))
        await client.run(LONG_S).send(SEARCH)  # another server is asked meanwhile
    first, other, *later = server.times_s
    assert other - first < 2
    assert min(later) - first >= 40
    assert max(later) - first < 43
    assert len(later) == 4
    assert most_in_a_second(later) <= 3


@in_jumping_time
async def test_a_request_that_waits_for_its_turn_sees_a_pause_that_is_asked_for_meanwhile():
    async with (
        strange_server(asks_once(429, **{"Retry-After": "60"})) as server,
        client_of(server) as client,
    ):
        run = client.run(LONG_S)
        await asyncio.gather(*(run.send(INFO) for _ in range(4)))
    assert all(later - server.times_s[0] >= 60 for later in server.times_s[1:])


@in_jumping_time
async def test_waits_that_are_asked_for_count_as_attempts():
    async def always(_number, _request):
        return web.Response(status=429, headers={"Retry-After": "10"})

    async with strange_server(always) as server, client_of(server) as client:
        problem = await lost(client.run(LONG_S))
    assert problem.reason == "429 after 4 attempts"
    assert [round(b - a) for a, b in pairwise(server.times_s)] == [10, 10, 10]


@in_jumping_time
async def test_a_shorter_wait_does_not_end_a_longer_one():
    async def answer(number, _request):
        if number <= 2:
            await asyncio.sleep(number)
            return web.Response(status=429, headers={"Retry-After": "100" if number == 1 else "5"})
        return web.json_response({})

    async with strange_server(answer) as server, client_of(server) as client:
        run = client.run(LONG_S)
        await asyncio.gather(run.send(INFO), run.send(INFO))
    assert min(server.times_s[2:]) >= 101


@in_jumping_time
async def test_a_call_says_what_it_saw_itself():
    async def answer(number, _request):
        if number == 1:
            return web.Response(status=503)
        return web.Response(status=429, headers={"Retry-After": "300"})

    async with strange_server(answer) as server, client_of(server) as client:
        run = client.run(LONG_S)
        first, second = await asyncio.gather(lost(run), lost(run))
    assert first.reason == "503 after 1 attempt, not queried again"
    assert second.reason == "429 with a wait of 300 s"
    assert len(server.requests) == 2


@pytest.mark.parametrize("wait", ["121", "3600", "9" * 400])
@in_jumping_time
async def test_a_wait_beyond_two_minutes_is_not_waited_for(wait):
    async with (
        strange_server(asks_once(429, **{"Retry-After": wait})) as server,
        client_of(server) as client,
    ):
        began_s = asyncio.get_running_loop().time()
        run = client.run(LONG_S)
        first, second = await lost(run), await lost(run)
        other = await lost(client.run(LONG_S))
        assert asyncio.get_running_loop().time() - began_s < 1
    assert re.fullmatch(r"429 with a wait of [0-9,]+ s", first.reason)
    assert (first.was_sent, first.status) == (True, 429)
    assert second.reason == other.reason == f"{first.reason}, not queried again"
    assert not second.was_sent
    assert not other.was_sent
    assert len(server.requests) == 1


@in_jumping_time
async def test_a_run_that_gave_a_server_up_does_not_come_back_but_others_ask_it_after_the_wait():
    async with (
        strange_server(asks_once(429, **{"Retry-After": "130"})) as server,
        client_of(server) as client,
    ):
        run = client.run(LONG_S)
        await lost(run)
        await asyncio.sleep(131)
        assert not (await lost(run)).was_sent
        assert (await client.run(LONG_S).send(INFO)).status == 200
    assert len(server.requests) == 2


@in_jumping_time
async def test_no_server_is_left_alone_for_longer_than_a_quarter_of_an_hour_at_its_wish():
    async with (
        strange_server(asks_once(503, **{"Retry-After": "99999999"})) as server,
        client_of(server) as client,
    ):
        await lost(client.run(LONG_S))
        await asyncio.sleep(785)
        waiting = await outcome(client.run(100))
        assert isinstance(waiting, RequestFailed)
        assert (await client.run(LONG_S).send(INFO)).status == 200
    assert server.times_s[1] - server.times_s[0] == pytest.approx(900, abs=1)


@in_jumping_time
async def test_a_wait_beyond_the_time_of_the_run_ends_it_at_once():
    async with (
        strange_server(asks_once(429, **{"Retry-After": "50"})) as server,
        client_of(server) as client,
    ):
        began_s = asyncio.get_running_loop().time()
        problem = await lost(client.run(30))
        assert asyncio.get_running_loop().time() - began_s < 1
        assert problem.reason == "429 with a wait of 50 s"
        assert (await client.run(60).send(INFO)).status == 200


@pytest.mark.parametrize("value", ["", "soon", "-5", "1e3", "٣", "Mon, 99 Foo 2026", "0x10", "NaN"])
@in_jumping_time
async def test_a_retry_after_that_cannot_be_read_is_as_good_as_none(value):
    async with (
        strange_server(asks_once(503, **{"Retry-After": value})) as server,
        client_of(server) as client,
    ):
        assert (await client.run(LONG_S).send(INFO)).status == 200
    first, second = server.times_s
    assert second - first < 2
