"""What the client asks and what it takes for an answer."""

from __future__ import annotations

import pytest
from aiohttp import web

from genint.http_errors import RequestFailed
from genint.online.protocol import Host, Request
from tests.servers.polite_asking import AGENT, GO, INFO, LONG_S, SEARCH, client_of, lost
from tests.servers.strange_server import strange_server

MD5 = "A" * 32


async def json_answer(_number, _request):
    return web.json_response({"release": "109.0"}, headers={"X-UniProt-Release": "2026_03"})


async def test_an_answer_comes_with_status_headers_in_lower_case_and_body():
    async with strange_server(json_answer) as server, client_of(server) as client:
        run = client.run(LONG_S)
        reply = await run.send(INFO)
    assert reply.status == 200
    assert reply.headers["x-uniprot-release"] == "2026_03"
    assert reply.body == b'{"release": "109.0"}'
    assert (run.requests(Host.INTERPRO), run.retries(Host.INTERPRO)) == (1, 0)
    assert run.requests(Host.UNIPROT) == 0


async def test_each_service_is_asked_below_its_base_address():
    async with strange_server(json_answer) as server, client_of(server) as client:
        run = client.run(LONG_S)
        for call in (INFO, SEARCH, GO):
            await run.send(call)
    assert [request.path for request in server.requests] == [
        "/ip/api/info",
        "/up/uniprotkb/search",
        "/go/interpro2go",
    ]


async def test_requests_say_who_asks_and_take_gzip_and_carry_no_cookies():
    async def with_cookie(_number, _request):
        return web.json_response({}, headers={"Set-Cookie": "tracked=yes; Path=/"})

    async with (
        strange_server(with_cookie) as server,
        # Cookies of addresses without a name would not be kept in any case.
        client_of(server.address.replace("127.0.0.1", "localhost")) as client,
    ):
        run = client.run(LONG_S)
        await run.send(INFO)
        await run.send(INFO)
    assert len(server.requests) == 2
    for request in server.requests:
        assert request.headers["User-Agent"] == AGENT
        assert request.headers["Accept-Encoding"] == "gzip"
        assert request.headers["Accept"] == "application/json"
        assert "Cookie" not in request.headers


async def test_parameters_arrive_as_they_were_given():
    call = Request(
        Host.UNIPROT,
        "/uniparc/search",
        params=(("query", f"(checksum:{MD5} OR checksum:B&c=d)"), ("size", "50")),
    )
    seen = {}

    async def note(_number, request):
        seen.update(request.query)
        return web.json_response({})

    async with strange_server(note) as server, client_of(server) as client:
        await client.run(LONG_S).send(call)
    assert seen == {"query": f"(checksum:{MD5} OR checksum:B&c=d)", "size": "50"}


async def test_json_and_forms_are_posted():
    bodies = []

    async def note(_number, request):
        is_json = request.content_type == "application/json"
        bodies.append(await request.json() if is_json else dict(await request.post()))
        return web.json_response({})

    as_json = Request(Host.INTERPRO, "/matches", "POST", json={"md5": [MD5]})
    as_form = Request(
        Host.UNIPROT, "/idmapping/run", "POST", form=(("from", "CRC64"), ("ids", "A,B"))
    )
    async with strange_server(note) as server, client_of(server) as client:
        run = client.run(LONG_S)
        await run.send(as_json)
        await run.send(as_form)
    assert bodies == [{"md5": [MD5]}, {"from": "CRC64", "ids": "A,B"}]


@pytest.mark.parametrize("status", [204, 303, 404])
async def test_a_status_that_the_call_accepts_is_an_answer(status):
    async def answer(_number, _request):
        return web.Response(status=status, headers={"Location": "/elsewhere"})

    call = Request(Host.INTERPRO, "/info", accepts=frozenset({200, status}))
    async with strange_server(answer) as server, client_of(server) as client:
        reply = await client.run(LONG_S).send(call)
    assert (reply.status, reply.body) == (status, b"")
    assert reply.headers["location"] == "/elsewhere"
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_no_redirect_is_followed(status):
    async with strange_server(json_answer) as canary:

        async def elsewhere(_number, _request):
            return web.Response(status=status, headers={"Location": f"{canary.address}/x"})

        async with strange_server(elsewhere) as server, client_of(server) as client:
            problem = await lost(client.run(LONG_S))
    assert problem.reason == "redirected to another address"
    assert (problem.was_sent, problem.status) == (True, status)
    assert len(server.requests) == 1
    assert canary.requests == []


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"url": "http://x", "messages": ["Too many OR", "b"]}, "Too many OR"),
        ({"detail": "Sequence not found"}, "Sequence not found"),
        ({"detail": [{"loc": ["body"], "msg": "List too long"}]}, "List too long"),
        ({"jobStatus": "ERROR", "errors": [{"code": 40, "message": "bad ids"}]}, "bad ids"),
        ({"Error": "no such entry"}, "no such entry"),
        ({"messages": ["x" * 500]}, "x" * 200),
        ({"messages": ["a\u0000\n\u202eb"]}, "a b"),
        ({"messages": [{"a": 1}]}, ""),
        ([], ""),
        (7, ""),
    ],
)
async def test_a_refusal_is_not_repeated_and_keeps_the_servers_words_apart(body, message):
    async def refuse(_number, _request):
        return web.json_response(body, status=400)

    async with strange_server(refuse) as server, client_of(server) as client:
        problem = await lost(client.run(LONG_S))
    assert (problem.reason, problem.message) == ("refused with 400", message)
    assert (problem.was_sent, problem.status) == (True, 400)
    assert len(server.requests) == 1


async def test_a_refusal_without_json_has_no_words():
    async def refuse(_number, _request):
        return web.Response(text="<html>" + "x" * 100_000, status=404, content_type="text/html")

    async with strange_server(refuse) as server, client_of(server) as client:
        problem = await lost(client.run(LONG_S))
    assert (problem.reason, problem.message) == ("refused with 404", "")


@pytest.mark.parametrize(
    "status", [400, 401, 403, 404, 405, 409, 410, 413, 418, 422, 451, 501, 520]
)
async def test_statuses_that_will_not_pass_are_not_asked_again(status):
    async def refuse(_number, _request):
        return web.Response(status=status)

    async with strange_server(refuse) as server, client_of(server) as client:
        problem = await lost(client.run(LONG_S))
    assert str(status) in problem.reason
    assert len(server.requests) == 1


@pytest.mark.parametrize("kind", ["text/plain", "application/octet-stream", "image/png", ""])
async def test_json_of_another_kind_is_no_answer(kind):
    async def answer(_number, _request):
        return web.Response(body=b"{}", headers={"Content-Type": kind})

    async with strange_server(answer) as server, client_of(server) as client:
        problem = await lost(client.run(LONG_S))
    assert problem.reason == "an answer that is not JSON"
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "kind", ["application/json", "application/json;charset=UTF-8", "application/problem+json"]
)
async def test_all_sorts_of_json_are_answers(kind):
    async def answer(_number, _request):
        return web.Response(body=b"{}", headers={"Content-Type": kind})

    async with strange_server(answer) as server, client_of(server) as client:
        assert (await client.run(LONG_S).send(INFO)).body == b"{}"


@pytest.mark.parametrize("kind", ["text/plain", "application/octet-stream", ""])
async def test_text_may_be_of_any_kind_but_a_web_page(kind):
    async def answer(_number, _request):
        return web.Response(body=b"!date: 2026", headers={"Content-Type": kind})

    async with strange_server(answer) as server, client_of(server) as client:
        assert (await client.run(LONG_S).send(GO)).body == b"!date: 2026"


@pytest.mark.parametrize(
    "path",
    [
        "",
        "info",
        "/a/../b",
        "/a b",
        "/%2e%2e/x",
        "/a\r\nX: y",
        "/a@b",
        "//host/x",
        "/a\\b",
        "/a?b=c",
        "/a#b",
        "/é",
        "/..",
        "/a/",
    ],
)
async def test_a_path_that_no_identifier_makes_is_never_sent(path):
    async with strange_server(json_answer) as server, client_of(server) as client:
        run = client.run(LONG_S)
        problem = await lost(run, Request(Host.UNIPROT, path))
    assert (problem.reason, problem.was_sent) == ("an address that cannot be used", False)
    assert server.requests == []
    assert run.requests(Host.UNIPROT) == 0


async def test_a_link_to_the_next_page_is_followed():
    async with strange_server(json_answer) as server, client_of(server) as client:
        run = client.run(LONG_S)
        call = Request(Host.UNIPROT, "/idmapping/run", "POST", form=(("a", "b"),))
        link = f"{server.address}/up/uniprotkb/search?cursor=1mkycb2xwx&size=500"
        await run.follow(call, link)
        await run.follow(call, link.replace("http:", "https:"))
        await run.follow(call, "/up/uniprotkb/search?cursor=1mkycb2xwx&size=500")
    for request in server.requests:
        assert (request.method, request.path) == ("GET", "/up/uniprotkb/search")
        assert request.query == "cursor=1mkycb2xwx&size=500"
        assert request.body == b""


async def test_links_to_elsewhere_are_never_followed():
    async with (
        strange_server(json_answer) as canary,
        strange_server(json_answer) as server,
        client_of(server) as client,
    ):
        run = client.run(LONG_S)
        port = canary.address.rpartition(":")[2]
        home = server.address.removeprefix("http://")
        for link in (
            f"{canary.address}/up/uniprotkb/search",
            f"//127.0.0.1:{port}/up/uniprotkb/search",
            f"http://{home}@127.0.0.1:{port}/up/x",
            f"http://127.0.0.1:{port}\\@{home}/up/x",
            f"http://2130706433:{port}/up/x",
            f"http://[::ffff:127.0.0.1]:{port}/up/x",
            f"http://localhost:{port}/up/x",
            f"{server.address}/up/../go/x",
            f"{server.address}/up/%2e%2e/go/x",
            f"{server.address}/up/.%2E/go/x",
            f"{server.address}/upper/x",
            f"{server.address}/go/x",
            f"{server.address}/up/x\r\nHost: evil",
            f"{server.address}/up/x y",
            f"file://{home}/up/x",
            "ftp://x",
            "http://[",
            "../go/x",
            "",
            "/up/" + "x" * 9000,
        ):
            with pytest.raises(RequestFailed) as caught:
                await run.follow(SEARCH, link)
            assert caught.value.reason.startswith("a link "), link
            assert not caught.value.was_sent
            assert "127" not in caught.value.reason
    assert canary.requests == server.requests == []
    assert run.requests(Host.UNIPROT) == 0
