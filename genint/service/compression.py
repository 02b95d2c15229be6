"""Text answers compressed with gzip, where the client takes that and it is worth it.

Answers that hold a credential (tokens, new keys) are never compressed: their length would tell
something of it to who can choose a part of the answer (BREACH). Those are answers to POST.
"""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Mapping
from typing import Final

from aiohttp import web

LEAST_BYTES: Final = 1_400
"""Less fits into one packet anyway."""
MOST_BYTES: Final = 8 << 20
"""More is read from the disk and sent piece by piece, as it is."""
_AT_ONCE_BYTES: Final = 16 << 10
"""What takes less than a millisecond is done on the event loop."""
_LEVEL: Final = 4


def is_text(content_type: str) -> bool:
    """Whether a kind of content becomes much shorter."""
    kind = content_type.partition(";")[0].strip().lower()
    return kind.startswith("text/") or kind in ("application/json", "image/svg+xml")


def wants_gzip(request: web.Request, content_type: str, size: int) -> bool:
    """Whether an answer should be compressed."""
    return (
        request.method == "GET"
        and LEAST_BYTES <= size <= MOST_BYTES
        and is_text(content_type)
        and _accepts_gzip(request.headers.get("Accept-Encoding", ""))
    )


def _accepts_gzip(header: str) -> bool:
    """Whether gzip is named, and not with a weight of 0 (RFC 9110, section 12.5.3)."""
    for part in header.lower().split(","):
        coding, _, weight = part.partition(";")
        if coding.strip() in ("gzip", "x-gzip"):
            return weight.replace(" ", "").removeprefix("q=").strip("0.") != "" or not weight
    return False


async def compress(content: bytes) -> bytes:
    """The content in gzip; large ones in a thread."""
    if len(content) <= _AT_ONCE_BYTES:
        return gzip.compress(content, _LEVEL, mtime=0)
    return await asyncio.to_thread(gzip.compress, content, _LEVEL, mtime=0)


def gzip_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Headers of the compressed form: its tag is weak, since the bytes are others."""
    found = dict(headers) | {"Content-Encoding": "gzip"}
    if "ETag" in found and not found["ETag"].startswith("W/"):
        found["ETag"] = f"W/{found['ETag']}"
    return found
