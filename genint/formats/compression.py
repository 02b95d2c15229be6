"""Bytes of a file -> bytes of its text: gzip, bgzip and bzip2, with limits."""

from __future__ import annotations

import bz2
import gzip
import io
import zlib
from typing import IO, cast

from genint.errors import FormatError

MAX_BYTES = 2_000_000_000
"""Default limit of the text: larger than any bacterial genome file by far."""

_CHUNK_BYTES = 1 << 20
_RATIO_FROM_BYTES = 64 << 20
_MAX_RATIO = 200
"""Genome files shrink 3 to 6 times, runs of N a little more; only a file made to
fill the memory is above this once it has passed 64 MB."""


def decompressed(payload: bytes, *, source: str, max_bytes: int = MAX_BYTES) -> bytes:
    """Undo gzip, bgzip (many gzip members) or bzip2, found by their first bytes.

    Args:
        payload: The file's bytes.
        source: File name for errors.
        max_bytes: Largest size of the result.

    Returns:
        The text's bytes; ``payload`` itself where it is not compressed.

    Raises:
        FormatError: the archive is damaged, cut off or grows past the limits.

    Cost: O(result), one chunk of 1 MB beyond the result itself.
    """
    if payload.startswith(b"\x1f\x8b"):
        stream = cast("IO[bytes]", gzip.GzipFile(fileobj=io.BytesIO(payload)))
        return _read_bounded(stream, payload, source=source, max_bytes=max_bytes)
    if payload.startswith(b"BZh"):
        stream = cast("IO[bytes]", bz2.BZ2File(io.BytesIO(payload)))
        return _read_bounded(stream, payload, source=source, max_bytes=max_bytes)
    if len(payload) > max_bytes:
        raise _too_large(source, max_bytes)
    return payload


def _read_bounded(stream: IO[bytes], payload: bytes, *, source: str, max_bytes: int) -> bytes:
    """Read to the end, chunk by chunk, unless a limit is passed."""
    chunks: list[bytes] = []
    size = 0
    try:
        with stream:
            while chunk := stream.read(_CHUNK_BYTES):
                chunks.append(chunk)
                size += len(chunk)
                if size > max_bytes:
                    raise _too_large(source, max_bytes)
                if size > _RATIO_FROM_BYTES and size > _MAX_RATIO * len(payload):
                    raise FormatError(
                        source=source,
                        line=None,
                        reason=f"unpacks to more than {_MAX_RATIO} times its size",
                        cure="no genome does; unpack the file and look at it",
                    )
    except EOFError as cause:
        raise FormatError(
            source=source,
            line=None,
            reason="the compressed file is cut off",
            cure="copy or download it again",
        ) from cause
    except (OSError, zlib.error, ValueError) as cause:
        raise FormatError(
            source=source,
            line=None,
            reason="the compressed file is damaged",
            cure="copy or download it again",
        ) from cause
    return b"".join(chunks)


def _too_large(source: str, max_bytes: int) -> FormatError:
    return FormatError(
        source=source,
        line=None,
        reason=f"holds more than {max_bytes / 1e6:.0f} MB of text",
        cure="give one genome per file",
    )
