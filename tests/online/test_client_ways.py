"""How servers are reached: by name, through a proxy, and with nobody's passwords."""

from __future__ import annotations

import asyncio

import pytest
from aiohttp import web

from genint.errors import UsageError
from genint.online.client import ThreadedResolver, open_client, proxy_for
from genint.online.protocol import ServiceAddresses
from tests.servers.polite_asking import AGENT, INFO, LONG_S, client_of, lost
from tests.servers.strange_server import head, raw_server, strange_server

NAMES = ("http_proxy", "https_proxy", "no_proxy", "all_proxy")


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch):
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def at_once():
    """Chance that lets nobody wait."""
    return 0.0


async def answer(_number, _request):
    return web.json_response({})


async def test_a_server_is_found_by_its_name():
    async with strange_server(answer) as server:
        address = server.address.replace("127.0.0.1", "localhost")
        async with client_of(address) as client:
            assert (await client.run(LONG_S).send(INFO)).status == 200


async def test_a_name_that_nobody_has_is_not_found():
    async with client_of("https://nobody.invalid", chance=at_once) as client:
        problem = await lost(client.run(LONG_S))
    assert problem.reason == "its name was not found after 2 attempts"


@pytest.mark.parametrize("name", ["", "a" * 300 + ".example", "a..b.example"])
async def test_a_name_that_cannot_be_one_is_no_crash(name):
    try:
        found = await ThreadedResolver().resolve(name, 80)
    except OSError:
        return
    assert found == [] or name == ""


async def test_the_resolver_may_be_called_off():
    complaints = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _loop, context: complaints.append(context))
    look_up = asyncio.create_task(ThreadedResolver().resolve("localhost", 80))
    await asyncio.sleep(0)
    look_up.cancel()
    with pytest.raises(asyncio.CancelledError):
        await look_up
    await asyncio.sleep(0.1)  # for the thread to find nobody waiting
    assert complaints == []


@pytest.mark.parametrize("name", ["http_proxy", "HTTP_PROXY"])
async def test_a_proxy_of_the_environment_is_used(monkeypatch, name):
    async with strange_server(answer) as proxy:
        monkeypatch.setenv(name, proxy.address.replace("http://", "http://user:secret@"))
        async with client_of("http://rest.uniprot.invalid") as client:
            assert (await client.run(LONG_S).send(INFO)).status == 200
    (request,) = proxy.requests
    assert request.headers["Host"] == "rest.uniprot.invalid"
    assert request.headers["User-Agent"] == AGENT
    assert request.headers["Proxy-Authorization"].startswith("Basic ")


async def test_a_proxy_that_refuses_a_tunnel_is_named(monkeypatch):
    async def refuse(_number, _reader, writer):
        writer.write(head("403 Forbidden", Content_Length="0"))

    async with raw_server(refuse) as proxy:
        monkeypatch.setenv("https_proxy", proxy)
        async with client_of("https://rest.uniprot.invalid", chance=at_once) as client:
            problem = await lost(client.run(LONG_S))
    assert problem.reason == "refused by the proxy (403) after 2 attempts"


async def test_a_proxy_that_is_away_is_named(monkeypatch):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    async with client_of("http://rest.uniprot.invalid", chance=at_once) as client:
        problem = await lost(client.run(LONG_S))
    assert problem.reason == "no connection to the proxy after 2 attempts"


def test_hosts_without_proxy_are_asked_directly(monkeypatch):
    monkeypatch.setenv("https_proxy", "proxy.example:3128")
    assert str(proxy_for("https://rest.uniprot.org")) == "http://proxy.example:3128"
    assert proxy_for("http://rest.uniprot.org") is None
    monkeypatch.setenv("no_proxy", "uniprot.org,127.0.0.1:8080")
    assert proxy_for("https://rest.uniprot.org") is None
    assert proxy_for("https://127.0.0.1:8080/x") is None
    assert proxy_for("https://www.ebi.ac.uk/interpro") is not None


@pytest.mark.parametrize(
    "proxy", ["socks5://me:secret@127.0.0.1:1080", "http://", "http://[", "http://host:99999"]
)
async def test_what_is_no_http_proxy_is_named_at_once(monkeypatch, proxy):
    monkeypatch.setenv("https_proxy", proxy)
    with pytest.raises(UsageError, match=r"^https_proxy: must be http://host:port$"):
        async with client_of("https://rest.uniprot.org"):
            pass


async def test_passwords_that_the_user_keeps_for_others_are_not_sent(monkeypatch, tmp_path):
    kept = tmp_path / "netrc"
    kept.write_text("default login me password secret\n")
    monkeypatch.setenv("NETRC", str(kept))
    async with strange_server(answer) as server:
        servers = ServiceAddresses(server.address, server.address, server.address)
        async with open_client(servers, AGENT) as client:
            await client.run(LONG_S).send(INFO)
    assert "Authorization" not in server.requests[0].headers
