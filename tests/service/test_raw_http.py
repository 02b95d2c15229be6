"""Requests that no library would send, over a bare socket."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager

import pytest

from .conftest import person

_ANSWER_S = 10
_HANGS_UP_S = 1
BOUNDARY = b"frontier"


def part(content: bytes, filename: str = "a.fasta") -> bytes:
    head = f'Content-Disposition: form-data; name="file"; filename="{filename}"\r\n\r\n'
    return b"--" + BOUNDARY + b"\r\n" + head.encode() + content


@asynccontextmanager
async def connection(client):
    reader, writer = await asyncio.open_connection(client.server.host, client.server.port)
    try:
        yield reader, writer
    finally:
        writer.close()


async def answer(client, request: bytes) -> tuple[int, bytes, bool]:
    """Status and text of the answer to raw bytes, and whether the connection was closed."""
    async with connection(client) as (reader, writer), asyncio.timeout(_ANSWER_S):
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
        text = await reader.readexactly(length)
        is_closed = await has_hung_up(reader)
    return int(head.split()[1]), text, is_closed


async def has_hung_up(reader: asyncio.StreamReader) -> bool:
    try:
        async with asyncio.timeout(_HANGS_UP_S):
            return await reader.read() == b""
    except TimeoutError:
        return False


@pytest.fixture
async def upload_head(client) -> bytes:
    """Begin of an upload of a user, up to the headers that say how long it is."""
    ada = await person(client)
    return (
        b"POST /api/v1/jobs HTTP/1.1\r\nHost: test\r\nAuthorization: "
        + ada.headers["Authorization"].encode()
        + b"\r\nContent-Type: multipart/form-data; boundary="
        + BOUNDARY
        + b"\r\n"
    )


@pytest.mark.parametrize(
    "request_",
    [
        b"GET /api/v1/health HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        b"POST /api/v1/jobs HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST /api/v1/jobs HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
        b"POST /api/v1/jobs HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\n\r\n",
        b"GET /api/v1/health HTTP/9.9\r\nHost: a\r\n\r\n",
        b"GET  /api/v1/health HTTP/1.1\r\n\r\n",
        b"GET /api/v1/health HTTP/1.1\r\nHost: a\r\nX Y: z\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"a" * 20_000 + b"\r\n\r\n",
    ],
)
async def test_what_is_no_http_is_refused_and_hung_up_on(client, request_):
    status, _, is_closed = await answer(client, request_)
    assert status in {400, 431}
    assert is_closed


async def first_line(client, head: bytes) -> bytes:
    """What is answered to a head whose body waits to be asked for."""
    async with connection(client) as (reader, writer), asyncio.timeout(_ANSWER_S):
        writer.write(head + b"Expect: 100-continue\r\n\r\n")
        return await reader.readline()


async def test_a_body_that_would_be_refused_is_not_asked_for(client, upload_head):
    line = await first_line(client, upload_head + b"Content-Length: 999999999999\r\n")
    assert b" 413 " in line
    nobody = b"POST /api/v1/jobs HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n"
    assert b" 401 " in await first_line(client, nobody)
    login = b"POST /api/v1/auth/login HTTP/1.1\r\nHost: a\r\nContent-Length: 90000000\r\n"
    assert b" 413 " in await first_line(client, login)


async def test_a_body_that_is_wanted_is_asked_for(client, upload_head):
    line = await first_line(client, upload_head + b"Content-Length: 500\r\n")
    assert line == b"HTTP/1.1 100 Continue\r\n"


async def test_an_upload_may_come_in_chunks_of_any_size(client, upload_head):
    body = part(b">a\nATGAAACGTTAA\n") + b"\r\n--" + BOUNDARY + b"--\r\n"
    chunks = b"".join(b"1\r\n" + body[at : at + 1] + b"\r\n" for at in range(len(body)))
    head = upload_head + b"Transfer-Encoding: chunked\r\n\r\n"
    status, text, _ = await answer(client, head + chunks + b"0\r\n\r\n")
    assert status == 200, text


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"--wrong\r\n", 400),
        (part(b">a\nACGT"), 400),
        (part(b">a\nACGT") + b"\r\n--" + BOUNDARY, 400),
        (b"--" + BOUNDARY + b"--\r\n", 422),
        (b"x" * 100_000, 400),
        (b"--" + BOUNDARY + b"\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b--", 400),
        (b"".join(part(b"x") + b"\r\n" for _ in range(40)), 422),
        (b"--" + BOUNDARY + b"\r\n" + b"X: y\r\n" * 3000 + b"\r\n", 400),
    ],
)
async def test_a_broken_form_is_never_a_fault_of_the_service(client, upload_head, body, status):
    head = upload_head + f"Content-Length: {len(body)}\r\n\r\n".encode()
    found, text, _ = await answer(client, head + body)
    assert found == status
    assert text.startswith(b'{"detail"')


async def test_a_client_that_leaves_in_the_middle_leaves_nothing(
    client, upload_head, service_settings
):
    for _ in range(5):
        async with connection(client) as (_, writer):
            writer.write(upload_head + b"Content-Length: 5000000\r\n\r\n" + part(b">a\n"))
            writer.write(b"ACGT" * 100_000)
            await writer.drain()
    uploads = service_settings.data_folder / "uploads"
    async with asyncio.timeout(_ANSWER_S):
        while any(uploads.iterdir()):
            await asyncio.sleep(0.02)
    assert (await client.get("/api/v1/health")).status == 200


async def test_silent_connections_do_not_keep_others_waiting(client):
    opened = [
        await asyncio.open_connection(client.server.host, client.server.port) for _ in range(200)
    ]
    for _, writer in opened[::2]:
        writer.write(b"POST /api/v1/auth/login HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\n{")
    async with asyncio.timeout(2):
        assert (await client.get("/api/v1/health")).status == 200
    for _, writer in opened:
        writer.close()
