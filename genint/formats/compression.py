"""Bytes of a file -> bytes of its text: gzip, bgzip and bzip2, with limits."""

from __future__ import annotations

import bz2
import gzip
import io
import zlib
from collections.abc import Iterator
from typing import IO, Protocol, cast

from genint.errors import FormatError

MAX_BYTES = 2_000_000_000
"""Default limit of the text: larger than any bacterial genome file by far."""

_CHUNK_BYTES = 1 << 20
_RATIO_FROM_BYTES = 64 << 20
_MAX_RATIO = 200
"""Genome files shrink 3 to 6 times, runs of N a little more; only a file made to
fill the memory is above this once it has passed 64 MB."""

HEAD_BYTES = 1 << 16
"""How much of a text is kept for a first look."""

_GZIP = b"\x1f\x8b"
_BZIP2 = b"BZh"


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
    if payload.startswith(_GZIP):
        stream = cast("IO[bytes]", gzip.GzipFile(fileobj=io.BytesIO(payload)))
        return _read_bounded(stream, payload, source=source, max_bytes=max_bytes)
    if payload.startswith(_BZIP2):
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
                _refuse_bomb(size, len(payload), source)
    except EOFError as cause:
        raise _cut_off(source) from cause
    except (OSError, zlib.error, ValueError) as cause:
        raise _damaged(source) from cause
    return b"".join(chunks)


def _too_large(source: str, max_bytes: int) -> FormatError:
    return FormatError(
        source=source,
        line=None,
        reason=f"holds more than {max_bytes / 1e6:.0f} MB of text",
        cure="give one genome per file",
    )


def _refuse_bomb(text_bytes: int, payload_bytes: int, source: str) -> None:
    if text_bytes > _RATIO_FROM_BYTES and text_bytes > _MAX_RATIO * payload_bytes:
        raise FormatError(
            source=source,
            line=None,
            reason=f"unpacks to more than {_MAX_RATIO} times its size",
            cure="no genome does; unpack the file and look at it",
        )


def _cut_off(source: str) -> FormatError:
    return FormatError(
        source=source,
        line=None,
        reason="the compressed file is cut off",
        cure="copy or download it again",
    )


def _damaged(source: str) -> FormatError:
    return FormatError(
        source=source,
        line=None,
        reason="the compressed file is damaged",
        cure="copy or download it again",
    )


class TextGauge:
    """Measures the text of a file that comes in pieces, and keeps only its head.

    It refuses nothing that :func:`decompressed` reads: the same kinds of archive, told
    by their first bytes, with several members, padding and trailing bytes.

    Args:
        source: File name for errors.
        max_bytes: Size of the text beyond which measuring stops.
        most_payload_bytes: The file is no larger than that; lets a file made to fill
            the memory be refused before its end.

    Attributes:
        text_bytes: Size of the text so far.
        head: Its first 64 kB; where all of these are blank, the first 64 kB that are not.
        is_too_large: The text is larger than ``max_bytes``.

    Cost: memory of 1 MB and one piece; time as for decompressing.
    """

    def __init__(self, *, source: str, max_bytes: int, most_payload_bytes: int) -> None:
        self.text_bytes = 0
        self.head = b""
        self._source = source
        self._max_bytes = max_bytes
        self._most_payload_bytes = most_payload_bytes
        self._payload_bytes = 0
        self._start = b""
        self._texts: _Texts | None = None

    @property
    def is_too_large(self) -> bool:
        """Whether the text is larger than allowed."""
        return self.text_bytes > self._max_bytes

    @property
    def has_full_head(self) -> bool:
        """Whether the head will not grow any more."""
        return len(self.head) >= HEAD_BYTES

    def feed(self, piece: bytes) -> None:
        """Take the next bytes of the file.

        Raises:
            FormatError: the archive is damaged, or unpacks to more than 200 times its size.
        """
        self._payload_bytes += len(piece)
        if self._texts is None:
            self._start += piece
            if len(self._start) < len(_BZIP2):
                return
            piece = self._begin()
        self._measure(piece)

    def finish(self) -> None:
        """There are no more bytes.

        Raises:
            FormatError: as for ``feed``, or the archive is cut off.
        """
        if self._texts is None:
            self._measure(self._begin())
        if self._texts is not None and not self._texts.is_complete and not self.is_too_large:
            raise _cut_off(self._source)
        _refuse_bomb(self.text_bytes, self._payload_bytes, self._source)

    def _begin(self) -> bytes:
        """Choose how to read by the first bytes, and hand these back."""
        start, self._start = self._start, b""
        if start.startswith(_GZIP):
            self._texts = _GzipTexts()
        elif start.startswith(_BZIP2):
            self._texts = _Bzip2Texts()
        else:
            self._texts = _PlainTexts()
        return start

    def _measure(self, piece: bytes) -> None:
        if self._texts is None or self.is_too_large:
            return
        try:
            for text in self._texts.of(piece):
                self.text_bytes += len(text)
                if not self.has_full_head:
                    self._keep(text)
                if self.text_bytes > self._max_bytes:
                    return
                _refuse_bomb(self.text_bytes, self._most_payload_bytes, self._source)
        except (OSError, zlib.error, ValueError) as cause:
            raise _damaged(self._source) from cause

    def _keep(self, text: bytes) -> None:
        self.head += text[: HEAD_BYTES - len(self.head)]
        if self.has_full_head and not self.head.strip():
            # Blank lines may stand above a record; a blank remains, for the file is not empty.
            self.head = b"\n" + text.lstrip()[: HEAD_BYTES - 1]


class _Texts(Protocol):
    """Pieces of a file -> pieces of its text, of 1 MB at most if they are unpacked."""

    @property
    def is_complete(self) -> bool:
        """Whether the file may end here."""
        ...

    def of(self, piece: bytes) -> Iterator[bytes]:
        """The text that a further piece gives."""
        ...


class _PlainTexts:
    is_complete = True

    def of(self, piece: bytes) -> Iterator[bytes]:
        yield piece


class _GzipTexts:
    """Members one after another, with zeros between and behind them."""

    def __init__(self) -> None:
        self._member = _gzip_member()

    @property
    def is_complete(self) -> bool:
        return self._member.eof

    def of(self, piece: bytes) -> Iterator[bytes]:
        while piece:
            if self._member.eof:
                piece = piece.lstrip(b"\0")
                if not piece:
                    return
                self._member = _gzip_member()
            yield self._member.decompress(piece, _CHUNK_BYTES)
            piece = self._member.unconsumed_tail or self._member.unused_data


class _Bzip2Texts:
    """Streams one after another; what follows them and is none is passed over."""

    def __init__(self) -> None:
        self._stream = bz2.BZ2Decompressor()
        self._may_be_junk = False
        self._is_junk = False

    @property
    def is_complete(self) -> bool:
        return self._stream.eof or self._is_junk

    def of(self, piece: bytes) -> Iterator[bytes]:
        while piece and not self._is_junk:
            if self._stream.eof:
                self._stream = bz2.BZ2Decompressor()
                self._may_be_junk = True
            try:
                yield from self._unpacked(piece)
            except OSError:
                if not self._may_be_junk:
                    raise
                self._is_junk = True
            piece = self._stream.unused_data

    def _unpacked(self, piece: bytes) -> Iterator[bytes]:
        while True:
            text = self._stream.decompress(piece, _CHUNK_BYTES)
            self._may_be_junk = self._may_be_junk and not text
            yield text
            if self._stream.eof or self._stream.needs_input:
                return
            piece = b""


def _gzip_member() -> zlib._Decompress:
    return zlib.decompressobj(16 + zlib.MAX_WBITS)  # 16: with gzip's header and checksum
