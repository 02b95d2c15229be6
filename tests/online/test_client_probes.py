"""A server that is down is looked at now and then, on behalf of nobody."""

from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest
from aiohttp import web
from jumping_time import in_jumping_time
from polite_asking import GO, INFO, LONG_S, SEARCH, client_of, fated, lost, outcome
from strange_server import closed_address, head, raw_server, strange_server


def now_s():
    return asyncio.get_running_loop().time()


@pytest.mark.parametrize("status", [503, None])
@in_jumping_time
async def test_jobs_are_not_slowed_by_a_server_that_is_down_for_hours(status):
    async with fated(status) as (_fate, server, client):
        first = client.run(LONG_S)
        for _ in range(3):
            await lost(first)
        asked = len(server.requests)
        for _ in range(360):  # a job every ten seconds, for an hour
            await asyncio.sleep(10)
            began_s = now_s()
            run = client.run(60)
            assert not (await lost(run)).was_sent
            assert now_s() - began_s < 1
        # 60 s, 2, 4, 8 and then every 15 min: one request to look, on behalf of nobody.
        assert 6 <= len(server.requests) - asked <= 7
        looks = [request for request in server.requests[asked:]]
    assert {(look.method, look.path, look.query) for look in looks} == {("GET", "/ip/api/info", "")}
    waits = [later.at_s - earlier.at_s for earlier, later in pairwise(looks)]
    assert waits[:3] == pytest.approx([120, 240, 480], abs=200)
    assert waits[3:] == pytest.approx([900] * len(waits[3:]), abs=60)


@in_jumping_time
async def test_jobs_are_not_slowed_by_a_server_that_refuses_connections_for_hours():
    async with client_of(await closed_address()) as client:
        await lost(client.run(LONG_S))
        for _ in range(360):
            await asyncio.sleep(10)
            began_s = now_s()
            problem = await lost(client.run(60))
            assert now_s() - began_s < 1
            assert problem.reason == "no connection after 2 attempts, not queried again"


@in_jumping_time
async def test_a_server_that_is_back_is_asked_again_after_one_look():
    async with fated(503) as (fate, server, client):
        old = client.run(LONG_S)
        for _ in range(3):
            await lost(old)
        fate.status = 200
        await asyncio.sleep(59)
        assert not (await lost(client.run(LONG_S))).was_sent  # too early to look
        assert len(server.requests) == 12
        await asyncio.sleep(2)
        assert not (await lost(client.run(LONG_S))).was_sent  # has it looked at
        await asyncio.sleep(1)
        assert len(server.requests) == 13
        assert (await client.run(LONG_S).send(INFO)).status == 200
        assert not (await lost(old)).was_sent  # down once is down for the run
    assert len(server.requests) == 14


@in_jumping_time
async def test_many_jobs_at_the_same_time_have_it_looked_at_once():
    async with fated(503) as (_fate, server, client):
        for _ in range(3):
            await lost(client.run(LONG_S))
        await asyncio.sleep(61)
        await asyncio.gather(*(outcome(client.run(LONG_S)) for _ in range(50)))
        await asyncio.sleep(1)
    assert len(server.requests) == 13


@in_jumping_time
async def test_a_server_that_answers_nothing_but_looks_is_left_alone_longer_each_time():
    """Its first page is up, its searches are not."""

    async def only_info(_number, request):
        is_look = request.path.endswith("/search") and "accession:P19926" in request.query_string
        return web.json_response({}, status=200 if is_look else 503)

    async with strange_server(only_info) as server, client_of(server) as client:
        for _ in range(2 * 60):
            await outcome(client.run(60), SEARCH)
            await asyncio.sleep(60)
    # In two hours it seems to be back ten times, and each time three calls are lost again.
    assert len(server.requests) < 12 * 13


@in_jumping_time
async def test_looking_at_uniprot_costs_it_nothing_and_says_nothing_of_a_job():
    async with fated(503) as (_fate, server, client):
        for _ in range(3):
            await lost(client.run(LONG_S), SEARCH)
        await asyncio.sleep(61)
        await lost(client.run(LONG_S), SEARCH)
        await asyncio.sleep(1)
        look = server.requests[-1]
    assert look.path == "/up/uniprotkb/search"
    assert look.query == "query=accession:P19926&size=0&format=json"


@in_jumping_time
async def test_looking_for_the_file_of_go_terms_does_not_read_it():
    sent = []

    async def speak(number, _reader, writer):
        if number <= 6:
            writer.write(head("503 Busy", Content_Length="0"))
            return
        writer.write(head(Content_Type="text/plain", Content_Length="60000000"))
        for _ in range(600):
            writer.write(b"x" * 100_000)
            await writer.drain()
            sent.append(100_000)

    async with raw_server(speak) as address, client_of(address) as client:
        for _ in range(3):
            await lost(client.run(LONG_S), GO)
        await asyncio.sleep(61)
        await lost(client.run(LONG_S), GO)
        await asyncio.sleep(1)
    assert sum(sent) < 10_000_000


@in_jumping_time
async def test_closing_the_client_ends_a_look_that_is_under_way():
    async with fated(503) as (fate, server, client):
        for _ in range(3):
            await lost(client.run(LONG_S))
        fate.status = None
        await asyncio.sleep(61)
        await lost(client.run(LONG_S))
        await asyncio.sleep(1)
        assert server.under_way == 1
        closes_s = now_s()
    assert now_s() - closes_s < 1
    assert {task for task in asyncio.all_tasks()} == {asyncio.current_task()}
