"""Large answers: whole for who reads them, cheap for us where somebody does not."""

from __future__ import annotations

import asyncio
from io import BytesIO
from pathlib import Path

import pytest
from aiofiles.threadpool import wrap
from aiohttp import web

from genint.service.results import PIECE_BYTES, send

SIZES = [0, 1, PIECE_BYTES, PIECE_BYTES + 1, 3 * PIECE_BYTES + 7]
_MANY = 40 << 20


def rss_bytes() -> int:
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) * 1024


@pytest.fixture
async def serve(aiohttp_client):
    """A client of an application that sends what it is given."""

    async def start(content, **around: bytes):
        async def handle(request: web.Request) -> web.StreamResponse:
            made = wrap(content()) if callable(content) else content
            return await send(request, made, headers={"Content-Type": "text/plain"}, **around)

        app = web.Application()
        app.router.add_get("/", handle)
        return await aiohttp_client(app)

    return start


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", [bytes, BytesIO])
async def test_a_body_arrives_whole_and_says_its_length(serve, size, kind):
    content = bytes(range(256)) * (size // 256) + b"x" * (size % 256)
    made = content if kind is bytes else lambda: BytesIO(content)
    client = await serve(made, before=b"<", after=b">")
    answer = await client.get("/", headers={"Accept-Encoding": "identity"})
    assert await answer.read() == b"<" + content + b">"
    assert answer.content_length == size + 2
    head = await client.head("/")
    assert head.content_length == size + 2
    assert await head.read() == b""


@pytest.mark.parametrize("method", ["GET", "HEAD"])
async def test_a_file_is_closed_when_it_was_sent(serve, method):
    files = []

    def opened() -> BytesIO:
        files.append(BytesIO(b"x" * 1_000_000))
        return files[-1]

    client = await serve(opened)
    await (await client.request(method, "/")).read()
    async with asyncio.timeout(5):
        while not files[0].closed:  # the reader has the last byte before the sender is done
            await asyncio.sleep(0)


async def test_clients_that_read_nothing_do_not_get_copies_of_the_whole(serve):
    content = b"x" * _MANY
    client = await serve(content)
    before = rss_bytes()
    opened = [
        await asyncio.open_connection(client.server.host, client.server.port, limit=1024)
        for _ in range(20)
    ]
    for _, writer in opened:
        writer.write(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    async with asyncio.timeout(20):
        for reader, _ in opened:
            assert (await reader.readline()).startswith(b"HTTP/1.1 200")
        answer = await client.get("/")
        assert len(await answer.read()) == _MANY
    # 20 copies would be 800 MB; the client of this test holds one body itself.
    assert rss_bytes() - before < 5 * _MANY
    for _, writer in opened:
        writer.close()
