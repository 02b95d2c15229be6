"""Short ways to ask through the polite client in tests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from aiohttp import web
from strange_server import StrangeServer, strange_server

from genint.http_errors import RequestFailed
from genint.online.client import PoliteClient, RunClient, open_client, user_agent
from genint.online.protocol import Host, Request, Response, ServiceAddresses
from genint.online.rate_limit import USUAL_POLICY, Policy

AGENT = user_agent("1.2.3", "lab@example.org")
INFO = Request(Host.INTERPRO, "/info")
SEARCH = Request(Host.UNIPROT, "/uniprotkb/search")
GO = Request(Host.INTERPRO_GO, "/interpro2go", expects="text")
LONG_S = 10_000.0


def longest_waits() -> float:
    """Chance that never shortens a wait."""
    return 1.0


@asynccontextmanager
async def client_of(
    server: StrangeServer | str, policy: Policy = USUAL_POLICY, chance=longest_waits
) -> AsyncIterator[PoliteClient]:
    """A client whose three services are all at a server."""
    servers = (
        ServiceAddresses(server, server, server) if isinstance(server, str) else server.servers()
    )
    async with open_client(servers, AGENT, policy=policy, chance=chance) as client:
        yield client


async def lost(run: RunClient, call: Request = INFO) -> RequestFailed:
    """How a call was lost; it has to be."""
    with pytest.raises(RequestFailed) as caught:
        await run.send(call)
    return caught.value


async def outcome(run: RunClient, call: Request = INFO) -> Response | RequestFailed:
    try:
        return await run.send(call)
    except RequestFailed as problem:
        return problem


class Fate:
    """What a server answers from now on; None: nothing, ever."""

    def __init__(self, status: int | None) -> None:
        self.status = status

    async def answer(self, _number, _request):
        if self.status is None:
            await asyncio.sleep(LONG_S)
        return web.json_response({}, status=self.status)


@asynccontextmanager
async def fated(status):
    """What decides over a server, the server, and a client that asks it."""
    fate = Fate(status)
    async with strange_server(fate.answer) as server, client_of(server) as client:
        yield fate, server, client
