"""Bodies as they are sent, and what becomes of them."""

from __future__ import annotations

import gzip
import os
import random

import pytest

from genint.http_errors import RequestFailed
from genint.online.request import read_body

TEXT = b'{"a": [1, 2, 3]}' * 1000
NOISE = random.Random(1).randbytes(100_000)


async def pieces(body, size):
    for start in range(0, len(body), size):
        yield body[start : start + size]


@pytest.mark.parametrize("size", [1, 7, 100, 1 << 16])
@pytest.mark.parametrize("body", [TEXT, NOISE, b""], ids=["text", "noise", "empty"])
async def test_bodies_come_out_as_they_went_in_whatever_their_pieces(body, size):
    assert await read_body(pieces(body, size), "", 1 << 20) == body
    zipped = gzip.compress(body)
    assert await read_body(pieces(zipped, size), "gzip", 1 << 20) == body


@pytest.mark.parametrize("encoding", ["gzip", "GZIP", " x-gzip "])
async def test_gzip_has_several_names(encoding):
    assert await read_body(pieces(gzip.compress(TEXT), 99), encoding, 1 << 20) == TEXT


@pytest.mark.parametrize("encoding", ["br", "deflate", "gzip, gzip", "zstd", "??"])
async def test_no_other_encoding_is_read(encoding):
    with pytest.raises(RequestFailed):
        await read_body(pieces(TEXT, 99), encoding, 1 << 20)


async def test_the_limit_is_what_may_come_and_not_one_byte_more():
    for encoding, sent in (("", NOISE), ("gzip", gzip.compress(b"a" * len(NOISE)))):
        whole = await read_body(pieces(sent, 999), encoding, len(NOISE))
        assert len(whole) == len(NOISE)
        with pytest.raises(RequestFailed):
            await read_body(pieces(sent, 999), encoding, len(NOISE) - 1)


async def test_what_is_sent_counts_too():
    sent = gzip.compress(os.urandom(1000)) * 3 + gzip.compress(b"")
    with pytest.raises(RequestFailed):
        await read_body(pieces(gzip.compress(b"") * 900, 999), "gzip", 10_000)
    assert len(await read_body(pieces(sent, 999), "gzip", 10_000)) == 3000


async def test_answers_in_thousands_of_parts_are_none():
    with pytest.raises(RequestFailed):
        await read_body(pieces(gzip.compress(b"") * 1001, 999), "gzip", 1 << 20)


@pytest.mark.parametrize("cut", [1, 8, 9, 100])
async def test_gzip_that_is_cut_off_is_seen(cut):
    with pytest.raises(RequestFailed):
        await read_body(pieces(gzip.compress(NOISE)[:-cut], 999), "gzip", 1 << 20)


@pytest.mark.parametrize("after", [b"rubbish", b"\x1f\x8b", b"\0" * 100])
async def test_what_follows_the_end_of_gzip_has_to_be_gzip(after):
    with pytest.raises(RequestFailed):
        await read_body(pieces(gzip.compress(TEXT) + after, 1 << 16), "gzip", 1 << 20)
