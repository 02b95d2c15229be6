"""Reads JSON that a stranger wrote, within known time and memory."""

from __future__ import annotations

import asyncio
import math

import pydantic_core

from genint.online.ports import MalformedAnswer

_LARGE_BYTES = 256_000
_MOST_BYTES = 100_000_000
_BYTES_OF = {b"{": 240, b"[": 72, b",": 80}
"""Bytes of memory that an object, a list and a value take at most, besides its characters."""
_BELOW_U100 = bytes(range(0xC4))
_BELOW_U10000 = bytes(range(0xF0))


def parse_json(body: bytes) -> object:
    """The value of a JSON text in UTF-8.

    Takes at most a second and 100 MB, whatever the text is; some 30 ms a megabyte of real
    answers. Of keys that stand in an object twice, the last one counts. Lists and objects may
    stand in each other some 200 deep.

    Raises:
        MalformedAnswer: it is no JSON, or holds numbers that are none (NaN, Infinity, or too
            large for a number), or would take more memory than any real answer.
    """
    if _most_memory_bytes(body) > _MOST_BYTES:
        raise MalformedAnswer("JSON with more values than any real answer has")
    try:
        value: object = pydantic_core.from_json(body, cache_strings="keys")
    except ValueError:
        # The parser's own words are left out: they may quote the text.
        raise MalformedAnswer("no JSON that can be read") from None
    if _has_endless(value):
        raise MalformedAnswer("JSON with a number that is too large")
    return value


async def parsed(body: bytes) -> object:
    """:func:`parse_json`, off the event loop where the text is large."""
    if len(body) < _LARGE_BYTES:
        return parse_json(body)
    return await asyncio.to_thread(parse_json, body)


def _most_memory_bytes(body: bytes) -> int:
    """More than the values of a text can take, were it all of the most wasteful sort."""
    structure = sum(body.count(sign) * size for sign, size in _BYTES_OF.items())
    return structure + len(body) * _width(body)


def _width(body: bytes) -> int:
    """Bytes of memory that a byte of characters takes at most.

    The widest character of a string decides for all of it, and the narrower form that was begun
    with is still there while it is widened.
    """
    if body.translate(None, _BELOW_U10000) or b"\\u" in body:
        return 5
    return 3 if body.translate(None, _BELOW_U100) else 1


def _has_endless(value: object) -> bool:
    found = [value]
    for item in found:  # which grows meanwhile
        if isinstance(item, float):
            if not math.isfinite(item):
                return True
        elif isinstance(item, dict):
            found += item.values()
        elif isinstance(item, list):
            found += item
    return False
