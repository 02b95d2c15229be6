"""Answers that break off or were never any: asked again, and told apart."""

from __future__ import annotations

import gzip

import pytest

from genint.online.protocol import Host
from tests.servers.certificates import untrusted_tls
from tests.servers.jumping_time import in_jumping_time
from tests.servers.polite_asking import INFO, LONG_S, client_of, lost
from tests.servers.strange_server import head, raw_server

ANSWER = b'{"release": "109.0"}'
JSON = {"Content_Type": "application/json"}


async def nothing_more(reader):
    """Wait until the client is gone."""
    await reader.read()


async def reset(_number, _reader, writer):
    writer.transport.abort()


async def hang_up(_number, _reader, _writer):
    """The connection is closed without a word."""


async def cut_off(_number, _reader, writer):
    writer.write(head(Content_Length="100", **JSON) + ANSWER)


async def cut_off_chunks(_number, _reader, writer):
    writer.write(head(Transfer_Encoding="chunked", **JSON) + b'5\r\n{"a":\r\n')


async def broken_chunks(_number, _reader, writer):
    writer.write(head(Transfer_Encoding="chunked", **JSON) + b"zz\r\nno number\r\n0\r\n\r\n")


async def no_http(_number, _reader, writer):
    writer.write(b"SSH-2.0-OpenSSH_9.2\r\n\r\n")


async def endless_header(_number, _reader, writer):
    writer.write(head(X="y" * 100_000))


async def cut_off_gzip(_number, _reader, writer):
    body = gzip.compress(ANSWER * 1000)[:-20]
    writer.write(head(Content_Encoding="gzip", Content_Length=str(len(body)), **JSON) + body)


async def no_gzip(_number, _reader, writer):
    writer.write(head(Content_Encoding="gzip", Content_Length="20", **JSON) + ANSWER)


async def unknown_encoding(_number, _reader, writer):
    writer.write(head(Content_Encoding="br", Content_Length="20", **JSON) + ANSWER)


async def damaged_gzip(_number, _reader, writer):
    body = bytearray(gzip.compress(ANSWER * 1000))
    body[-6] ^= 255  # of the checksum
    writer.write(head(Content_Encoding="gzip", Content_Length=str(len(body)), **JSON) + body)


BROKEN = {
    reset: "a lost connection",
    hang_up: "a lost connection",
    cut_off: "a broken answer",
    cut_off_chunks: "a broken answer",
    broken_chunks: "a broken answer",
    no_http: "a broken answer",
    endless_header: "a broken answer",
    cut_off_gzip: "a broken answer",
    no_gzip: "a broken answer",
    unknown_encoding: "a broken answer",
    damaged_gzip: "a broken answer",
}


@pytest.mark.parametrize("speak", BROKEN, ids=lambda speak: speak.__name__)
@in_jumping_time
async def test_broken_answers_are_asked_again(speak):
    requests = 0

    async def counted(number, reader, writer):
        nonlocal requests
        requests = number
        await speak(number, reader, writer)

    async with raw_server(counted) as address, client_of(address) as client:
        run = client.run(LONG_S)
        problem = await lost(run)
    assert problem.reason == f"{BROKEN[speak]} after 4 attempts"
    assert (problem.was_sent, problem.status) == (True, None)
    assert requests == run.requests(Host.INTERPRO) == 4


@pytest.mark.parametrize("speak", BROKEN, ids=lambda speak: speak.__name__)
@in_jumping_time
async def test_one_broken_answer_does_no_harm(speak):
    async def broken_once(number, reader, writer):
        if number == 1:
            await speak(number, reader, writer)
        else:
            writer.write(head(Content_Length=str(len(ANSWER)), **JSON) + ANSWER)

    async with raw_server(broken_once) as address, client_of(address) as client:
        assert (await client.run(LONG_S).send(INFO)).body == ANSWER


@in_jumping_time
async def test_no_request_is_repeated_behind_the_back_of_the_limits():
    """HTTP libraries repeat a GET whose connection was closed between two requests."""
    requests = 0

    async def answers_once(_number, reader, writer):
        nonlocal requests
        requests += 1
        writer.write(head(Content_Length="2", **JSON) + b"{}")
        await reader.readuntil(b"\r\n\r\n")  # the next one of the same connection
        requests += 1

    async with raw_server(answers_once) as address, client_of(address) as client:
        run = client.run(LONG_S)
        await run.send(INFO)
        await run.send(INFO)
        assert run.requests(Host.INTERPRO) == requests == 3
        assert run.retries(Host.INTERPRO) == 1


@in_jumping_time
async def test_gzip_is_read_also_in_several_members():
    async def zipped(_number, _reader, writer):
        body = gzip.compress(b'{"a":') + gzip.compress(b"1}")
        writer.write(head(Content_Encoding="gzip", Content_Length=str(len(body)), **JSON) + body)

    async with raw_server(zipped) as address, client_of(address) as client:
        assert (await client.run(LONG_S).send(INFO)).body == b'{"a":1}'


async def test_a_certificate_that_nobody_trusts_is_not_trusted(tmp_path):
    tls = untrusted_tls(tmp_path)
    async with raw_server(reset, tls) as address, client_of(address) as client:
        run = client.run(LONG_S)
        problem = await lost(run)
    assert problem.reason == "its certificate is not trusted"
    assert run.requests(Host.INTERPRO) == 1


async def test_a_server_that_does_not_speak_tls_is_not_asked_without():
    async with (
        raw_server(no_http, speaks_first=True) as address,
        client_of(f"https{address[4:]}") as client,
    ):
        problem = await lost(client.run(LONG_S))
    assert problem.reason == "no secure connection"
