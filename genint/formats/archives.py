"""Bytes of an archive that come in pieces -> bytes of its text: gzip, bgzip and bzip2.

Limits are :mod:`compression`'s matter.
"""

from __future__ import annotations

import bz2
import re
import zlib
from collections.abc import Iterator
from typing import Protocol

HEADER_BYTES = 3
"""So many first bytes tell the kind of archive."""

_CHUNK_BYTES = 1 << 20
_SLICE_BYTES = 1 << 14
"""What is behind the end of a member is copied; so it must be short."""

_GZIP = b"\x1f\x8b"
_BZIP2 = b"BZh"
_BZIP2_HEADER = re.compile(rb"BZh[1-9]")
_BZIP2_HEADER_BYTES = 4


def is_archive(start: bytes) -> bool:
    """Whether a file that begins so is unpacked here."""
    return start.startswith((_GZIP, _BZIP2))


class Texts(Protocol):
    """Pieces of a file -> pieces of its text, of 1 MB at most if they are unpacked.

    Attributes:
        ended_members: So many members have ended in the text so far.
    """

    ended_members: int

    @property
    def is_complete(self) -> bool:
        """Whether the file may end here."""
        ...

    def of(self, piece: bytes) -> Iterator[bytes]:
        """The text that a further piece gives; a member's end is the end of a text, too.

        Raises:
            OSError, zlib.error, ValueError: the archive is damaged.
        """
        ...


def texts_of(start: bytes) -> Texts:
    """How to read a file that begins so; :data:`HEADER_BYTES` are enough."""
    if start.startswith(_GZIP):
        return _GzipTexts()
    if start.startswith(_BZIP2):
        return _Bzip2Texts()
    return _PlainTexts()


class _PlainTexts:
    ended_members = 0
    is_complete = True

    def of(self, piece: bytes) -> Iterator[bytes]:
        yield piece


class _GzipTexts:
    """Members one after another, with zeros between and behind them."""

    def __init__(self) -> None:
        self.ended_members = 0
        self._member = _gzip_member()

    @property
    def is_complete(self) -> bool:
        return self._member.eof

    def of(self, piece: bytes) -> Iterator[bytes]:
        for part in _sliced(piece):
            rest = part
            while rest:
                if self._member.eof:
                    rest = rest.lstrip(b"\0")
                    if not rest:
                        break
                    self._member = _gzip_member()
                text = self._member.decompress(rest, _CHUNK_BYTES)
                self.ended_members += self._member.eof
                yield text
                rest = self._member.unconsumed_tail or self._member.unused_data


class _Bzip2Texts:
    """Streams one after another; what follows them and has no header is passed over."""

    def __init__(self) -> None:
        self.ended_members = 0
        self._stream = bz2.BZ2Decompressor()
        self._header = b""
        self._is_junk = False

    @property
    def is_complete(self) -> bool:
        return self._stream.eof or self._is_junk

    def of(self, piece: bytes) -> Iterator[bytes]:
        for part in _sliced(piece):
            rest = part
            while rest and not self._is_junk:
                if self._stream.eof:
                    self._stream = bz2.BZ2Decompressor()
                    self._header = b""
                self._header += rest[: _BZIP2_HEADER_BYTES - len(self._header)]
                try:
                    yield from self._unpacked(rest)
                except OSError:
                    if not self.ended_members or _BZIP2_HEADER.match(self._header):
                        raise
                    self._is_junk = True
                rest = self._stream.unused_data

    def _unpacked(self, part: bytes) -> Iterator[bytes]:
        while True:
            text = self._stream.decompress(part, _CHUNK_BYTES)
            self.ended_members += self._stream.eof
            yield text
            if self._stream.eof or self._stream.needs_input:
                return
            part = b""


def _sliced(piece: bytes) -> Iterator[bytes]:
    for at in range(0, len(piece), _SLICE_BYTES):
        yield piece[at : at + _SLICE_BYTES]


def _gzip_member() -> zlib._Decompress:
    return zlib.decompressobj(16 + zlib.MAX_WBITS)  # 16: with gzip's header and checksum
