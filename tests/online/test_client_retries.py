"""What is asked again, after which wait, and what is said when nothing helps."""

from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest
from aiohttp import web

from genint.online.protocol import Host
from tests.servers.jumping_time import in_jumping_time
from tests.servers.polite_asking import GO, INFO, LONG_S, SEARCH, client_of, lost
from tests.servers.strange_server import head, raw_server, strange_server

ANSWER = b'{"release": "109.0"}'
JSON = {"Content_Type": "application/json"}


async def nothing_more(reader):
    """Wait until the client is gone."""
    await reader.read()


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504])
@in_jumping_time
async def test_servers_that_are_busy_are_asked_up_to_four_times(status):
    async def busy(_number, _request):
        return web.Response(status=status, text="<html>busy", content_type="text/html")

    async with strange_server(busy) as server, client_of(server) as client:
        run = client.run(LONG_S)
        problem = await lost(run)
    assert problem.reason == f"{status} after 4 attempts"
    assert (problem.was_sent, problem.status) == (True, status)
    assert (run.requests(Host.INTERPRO), run.retries(Host.INTERPRO)) == (4, 3)
    assert len(server.requests) == 4


@in_jumping_time
async def test_the_file_of_go_terms_is_asked_for_twice():
    async def busy(_number, _request):
        return web.Response(status=503)

    async with strange_server(busy) as server, client_of(server) as client:
        assert (await lost(client.run(LONG_S), GO)).reason == "503 after 2 attempts"
    assert len(server.requests) == 2


@pytest.mark.parametrize("chance", [0.0, 0.25, 1.0])
@in_jumping_time
async def test_waits_double_and_chance_may_shorten_them_to_nothing(chance):
    async def busy(_number, _request):
        return web.Response(status=503)

    async with strange_server(busy) as server, client_of(server, chance=lambda: chance) as client:
        await lost(client.run(LONG_S))
    waits = [later - earlier for earlier, later in pairwise(server.times_s)]
    pace_s = 1.1 / 3
    assert waits == pytest.approx([max(wait * chance, pace_s) for wait in (1, 2, 4)], abs=0.01)


@in_jumping_time
async def test_an_answer_to_a_later_attempt_is_an_answer():
    async def at_last(number, _request):
        return web.json_response({}, status=200 if number == 4 else 500)

    async with strange_server(at_last) as server, client_of(server) as client:
        run = client.run(LONG_S)
        assert (await run.send(INFO)).status == 200
    assert (run.requests(Host.INTERPRO), run.retries(Host.INTERPRO)) == (4, 3)


@in_jumping_time
async def test_a_refusal_after_trouble_ends_the_call():
    async def then_refused(number, _request):
        return web.json_response({"detail": "no"}, status=503 if number < 3 else 422)

    async with strange_server(then_refused) as server, client_of(server) as client:
        problem = await lost(client.run(LONG_S))
    assert (problem.reason, problem.status, problem.message) == ("refused with 422", 422, "no")
    assert len(server.requests) == 3


@pytest.mark.parametrize("kind", ["text/html", "text/html; charset=utf-8", "application/json"])
@in_jumping_time
async def test_a_web_page_in_place_of_json_is_asked_again(kind):
    async def page(_number, _request):
        headers = {"Content-Type": kind}
        return web.Response(body=b"\n<!DOCTYPE html><html>Sorry", headers=headers)

    async with strange_server(page) as server, client_of(server) as client:
        problem = await lost(client.run(LONG_S))
    assert problem.reason == "a web page instead of data after 4 attempts"


@pytest.mark.parametrize("kind", ["text/html", "text/plain"])
@in_jumping_time
async def test_a_web_page_in_place_of_text_is_asked_again(kind):
    async def page(_number, _request):
        return web.Response(body=b"<html>Sorry", headers={"Content-Type": kind})

    async with strange_server(page) as server, client_of(server) as client:
        problem = await lost(client.run(LONG_S), GO)
    assert problem.reason == "a web page instead of data after 2 attempts"


@in_jumping_time
async def test_a_silent_server_is_given_up_when_the_time_of_a_call_is_spent():
    async def silent(_number, reader, _writer):
        await nothing_more(reader)

    async with raw_server(silent) as address, client_of(address) as client:
        began_s = asyncio.get_running_loop().time()
        run = client.run(LONG_S)
        problem = await lost(run)
        took_s = asyncio.get_running_loop().time() - began_s
    assert problem.reason == "no answer within 60 s"
    assert run.requests(Host.INTERPRO) == 2  # 45 s of silence, then the 15 s that were left
    assert 60 <= took_s < 63


@in_jumping_time
async def test_an_answer_that_drips_is_given_up_when_the_time_of_a_call_is_spent():
    async def drip(_number, _reader, writer):
        writer.write(head(Transfer_Encoding="chunked", **JSON))
        while True:
            writer.write(b"1\r\n \r\n")
            await writer.drain()
            await asyncio.sleep(10)

    async with raw_server(drip) as address, client_of(address) as client:
        began_s = asyncio.get_running_loop().time()
        run = client.run(LONG_S)
        problem = await lost(run, SEARCH)
        took_s = asyncio.get_running_loop().time() - began_s
    assert problem.reason == "no answer within 90 s"
    assert run.requests(Host.UNIPROT) == 1
    assert took_s == pytest.approx(90, abs=1)


@in_jumping_time
async def test_waiting_for_a_turn_is_not_counted_as_time_with_the_server():
    async def slow(_number, _request):
        await asyncio.sleep(20)
        return web.json_response({})

    async with strange_server(slow) as server, client_of(server) as client:
        run = client.run(LONG_S)
        await asyncio.gather(*(run.send(INFO) for _ in range(40)))  # 200 s for the last one
    assert len(server.requests) == 40


@in_jumping_time
async def test_an_error_page_that_never_ends_does_not_hold_a_call_up():
    async def endless(number, reader, writer):
        if number == 1:
            writer.write(head("503 Busy", Content_Length="1000", Content_Type="text/html") + b"<")
            await nothing_more(reader)
        writer.write(head(Content_Length="2", **JSON) + b"{}")

    async with raw_server(endless) as address, client_of(address) as client:
        began_s = asyncio.get_running_loop().time()
        await client.run(LONG_S).send(INFO)
        assert asyncio.get_running_loop().time() - began_s < 2
