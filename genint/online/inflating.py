"""Bodies read under a limit that counts what they become."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterable, Iterator

_GZIP = 31
_STEP_BYTES = 1 << 20
_MOST_MEMBERS = 1000
"""Of a gzip body; answers have one. Millions of empty ones would take minutes."""


class BodyTooLarge(ValueError):
    """More than the limit, decompressed or as sent."""


class BodyBroken(ValueError):
    """Not what its encoding promises, or cut off."""


async def read_body(chunks: AsyncIterable[bytes], encoding: str, limit_bytes: int) -> bytes:
    """A whole body; never holds much more than the limit.

    Args:
        chunks: As sent.
        encoding: Content-Encoding of the answer: empty, ``identity`` or ``gzip``.
        limit_bytes: Largest size, of what is sent and of what that becomes.

    Raises:
        BodyTooLarge: it is larger.
        BodyBroken: the encoding is another, or is broken.
    """
    kind = encoding.strip().lower()
    if kind not in ("", "identity", "gzip", "x-gzip"):
        raise BodyBroken("unknown encoding")
    gunzip = _Gunzip(limit_bytes) if kind.endswith("gzip") else None
    body, sent_bytes = bytearray(), 0
    async for chunk in chunks:
        sent_bytes += len(chunk)
        if sent_bytes > limit_bytes:
            raise BodyTooLarge
        if gunzip is None:
            body += chunk
        else:
            for _ in gunzip.feed(chunk, body):
                await asyncio.sleep(0)  # a small piece may become a very large one
    if gunzip is not None and sent_bytes:
        gunzip.finish()
    return bytes(body)


class _Gunzip:
    """Decompresses members one after the other, as the format allows."""

    def __init__(self, limit_bytes: int) -> None:
        self._limit_bytes = limit_bytes
        self._member = zlib.decompressobj(_GZIP)
        self._members = 1

    def feed(self, chunk: bytes, body: bytearray) -> Iterator[None]:
        """Decompress a piece into a body, step by step."""
        try:
            while chunk:
                if self._member.eof:
                    self._begin_member()
                body += self._member.decompress(chunk, _STEP_BYTES)
                if len(body) > self._limit_bytes:
                    raise BodyTooLarge
                chunk = self._member.unconsumed_tail or self._member.unused_data
                yield
        except zlib.error as problem:
            raise BodyBroken("not gzip") from problem

    def _begin_member(self) -> None:
        self._members += 1
        if self._members > _MOST_MEMBERS:
            raise BodyBroken("too many parts")
        self._member = zlib.decompressobj(_GZIP)

    def finish(self) -> None:
        """Check that nothing is missing."""
        if not self._member.eof:
            raise BodyBroken("cut off")
