"""JSON of strangers: read, or refused, within a second and 100 MB."""

from __future__ import annotations

import asyncio
import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from genint.online.protocol import MalformedResponse
from genint.online.request import parse_json, parsed

HOSTILE_JSON = Path(__file__).with_name("hostile_json.py")


@pytest.mark.parametrize(
    "value",
    [
        {"results": [{"md5": "A" * 32, "found": False, "matches": []}]},
        [0, -1, 1.5, 1e-300, 2**70, True, False, None, "", "é😀\u2028", {}, []],
        "text",
        7,
        None,
    ],
)
async def test_json_is_read(value):
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False, indent=1)):
        assert parse_json(text.encode()) == value
        assert await parsed(text.encode()) == value


async def test_large_json_is_read_too():
    value = [{"md5": f"{number:032X}", "matches": [number, 0.5]} for number in range(20_000)]
    body = json.dumps(value).encode()
    assert len(body) > 1_000_000
    assert await parsed(body) == value


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b" ",
        b"{",
        b'{"results": [{"md5": "A',
        b"[1] [2]",
        b"<html>",
        b"[NaN]",
        b"[Infinity]",
        b"[-Infinity]",
        b'{"a": [1, {"b": 1e999}]}',
        b"[-1e999]",
        b"[" + b"9" * 400 + b".0]",
        b"[" + b"9" * 5000 + b"]",
        b'["\xff"]',
        b'["\xed\xa0\x80"]',
        b'["\\ud800"]',
        b'["\\u00"]',
        b'["\x00"]',
        b"\xef\xbb\xbf[1]",
        "[1]".encode("utf-16"),
        b"{'a': 1}",
        b"[1,]",
        b"{1: 2}",
        b"[01]",
        b"[" * 300 + b"]" * 300,
        b"// x\n[1]",
    ],
)
async def test_what_is_no_json_is_malformed(body):
    with pytest.raises(MalformedResponse) as caught:
        parse_json(body)
    assert len(str(caught.value)) < 60
    with pytest.raises(MalformedResponse):
        await parsed(body)


def test_of_a_key_that_stands_twice_the_last_one_counts():
    assert parse_json(b'{"a": 1, "b": 2, "a": 3}') == {"a": 3, "b": 2}


def test_the_words_of_an_error_never_quote_the_text():
    with pytest.raises(MalformedResponse) as caught:
        parse_json(b'{"secret-word": tru')
    assert "secret-word" not in str(caught.value)
    assert caught.value.__cause__ is None


async def test_the_event_loop_goes_on_while_a_large_text_is_checked():
    body = json.dumps([{"a": [0.5] * 20} for _ in range(30_000)]).encode()
    reading = asyncio.create_task(parsed(body))
    await asyncio.sleep(0)
    assert not reading.done()
    await reading


@pytest.fixture(scope="module")
def costs():
    """What each hostile text costs: outcome, seconds, MB of memory."""
    done = subprocess.run(
        [sys.executable, HOSTILE_JSON], capture_output=True, text=True, timeout=120, check=True
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        ("deep lists", "malformed"),
        ("deep objects", "malformed"),
        ("huge number", "malformed"),
        ("many lists", "malformed"),
        ("many objects", "malformed"),
        ("wide text", "malformed"),
        ("one key many times", "malformed"),
        ("most lists", "read"),
        ("most objects", "read"),
        ("most texts", "read"),
        ("widest text", "read"),
        ("endless at the end", "malformed"),
    ],
)
def test_nothing_takes_more_than_seconds_and_100_mb(costs, name, outcome):
    found = costs[name]
    assert found["outcome"] == outcome
    assert found["cpu_s"] < 4  # at most half a second is usual
    assert found["more_mb"] < 100


def test_real_answers_are_well_below_the_limits(shared_data):
    folder = shared_data / "api"
    large = gzip.decompress((folder / "matches_api_minidb_1000.jsonl.gz").read_bytes())
    records = large.strip().split(b"\n")
    batches = b'{"results":[' + b",".join(records) + b"]}"  # of ten times the usual size
    assert len(parse_json(batches)["results"]) == 1000
    pages = [parse_json(file.read_bytes()) for file in sorted(folder.glob("uniprotkb_*.json"))]
    assert len(pages) > 5
