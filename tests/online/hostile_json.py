"""Reads JSON made to hurt, each text in a process of its own; prints what that cost."""

from __future__ import annotations

import json
import os
import sys
import time

from genint.online.protocol import MalformedResponse
from genint.online.request import parse_json
from tests.servers.peak_memory import forget_peak, peak_mb

LARGEST = 64_000_000
LARGE = 20_000_000
TEXTS = {
    "deep lists": lambda: b"[" * 1_000_000,
    "deep objects": lambda: b'{"a":' * 1_000_000,
    "huge number": lambda: b"7" * LARGE,
    "many lists": lambda: listed(b"[]", LARGE // 3),
    "many objects": lambda: listed(b'{"a":1}', LARGE // 8),
    "wide text": lambda: b'"' + b"a" * LARGEST + b'\\ud83d\\ude00"',
    "one key many times": lambda: b"{" + b'"a":1,' * (LARGE // 6) + b'"a":1}',
    "most lists": lambda: listed(b"[]", 640_000),
    "most objects": lambda: listed(b'{"a":1}', 300_000),
    "most texts": lambda: b"[" + b",".join(b'"%07d"' % n for n in range(1_100_000)) + b"]",
    "widest text": lambda: b'"' + b"a" * 19_000_000 + "😀".encode() + b'"',
    "endless at the end": lambda: listed(b"1.5", 1_100_000)[:-1] + b",1e999]",
}


def listed(value: bytes, count: int) -> bytes:
    return b"[" + (value + b",") * (count - 1) + value + b"]"


def cost_of(name: str) -> dict[str, object]:
    body = TEXTS[name]()
    parse_json(b"{}")
    forget_peak()
    before_mb, began_s, outcome = peak_mb(), time.process_time(), "read"
    try:
        parse_json(body)
    except MalformedResponse:
        outcome = "malformed"
    cpu_s = time.process_time() - began_s
    return {"outcome": outcome, "cpu_s": round(cpu_s, 2), "more_mb": round(peak_mb() - before_mb)}


def in_a_child(name: str) -> dict[str, object]:
    """A fork begins with a peak of its own, and without the time to load everything."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writing, json.dumps(cost_of(name)).encode())
        os._exit(0)
    os.waitpid(child, 0)
    return json.loads(os.read(reading, 10_000))


if __name__ == "__main__":
    json.dump({name: in_a_child(name) for name in TEXTS}, sys.stdout)
