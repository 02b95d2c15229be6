"""Bytes of a file -> bytes of its text: gzip, bgzip and bzip2, with limits."""

from __future__ import annotations

import bz2
import re
import zlib
from collections.abc import Callable, Iterator

from genint.errors import FormatError

HEADER_BYTES = 3
"""So many first bytes show the kind of archive."""
_CHUNK_BYTES = 1 << 20
_SLICE_BYTES = 1 << 14
"""What is behind the end of a member is copied; so it must be short."""
_GZIP = b"\x1f\x8b"
_BZIP2 = b"BZh"
_BZIP2_HEADER = re.compile(rb"BZh[1-9]")
_BZIP2_HEADER_BYTES = 4
MAX_BYTES = 2_000_000_000
"""Default limit of the text: larger than any bacterial genome file by far."""
MAX_RATIO = 200
"""Genome files shrink 3 to 6 times, runs of N a little more; only a file made to
fill the memory is above this once its text has passed 64 MB."""
HEAD_BYTES = 1 << 16
"""How much of a text is kept for a first look."""
_RATIO_FROM_BYTES = 64 << 20
_FEW_MEMBERS = 1000
_MIN_MEAN_BYTES = 1000
"""Text per member of an archive of more than a few. A member costs 1 to 5 us however little
it holds; at 1 kB that is no more than its text costs. bgzip puts up to 64 kB into a member
and one empty member behind the last, pigz and pbzip2 put 100 kB and more, so concatenated
files pass."""


class Texts:
    """Pieces of a file -> pieces of its text, of 1 MB at most if they are unpacked.

    Attributes:
        ended_members: So many members have ended in the text so far.
    """

    ended_members = 0

    @property
    def is_complete(self) -> bool:
        """Whether the file may end here."""
        return True

    def of(self, piece: bytes) -> Iterator[bytes]:
        """The text that a further piece gives; a member's end is the end of a text, too.

        Raises:
            OSError, zlib.error, ValueError: the archive is damaged.
        """
        yield piece


class _GzipTexts(Texts):
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


class _Bzip2Texts(Texts):
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


def decompressed(payload: bytes, *, source: str, max_bytes: int = MAX_BYTES) -> bytes:
    """Undo gzip, bgzip (many gzip members) or bzip2, found by their first bytes.

    Args:
        payload: The file's bytes.
        source: File name for errors.
        max_bytes: Largest size of the result.

    Returns:
        The text's bytes; ``payload`` itself where it is not compressed.

    Raises:
        FormatError: the archive is damaged, cut off, grows past the limits or has more
            than 1,000 members with less than 1 kB of text in the mean.

    Cost: O(result), held twice while it is put together.
    """
    if not payload.startswith((_GZIP, _BZIP2)):
        if len(payload) > max_bytes:
            raise _too_large(source, max_bytes)
        return payload
    chunks: list[bytes] = []
    gauge = TextGauge(
        source=source, max_bytes=max_bytes, most_payload_bytes=len(payload), chunks=chunks
    )
    gauge.feed(payload)
    if gauge.is_too_large:
        raise _too_large(source, max_bytes)
    if gauge.is_bomb:
        reason = f"unpacks to more than {MAX_RATIO} times its size"
        raise _error(source, reason, "no genome does; unpack the file and look at it")
    gauge.finish()
    return b"".join(chunks)


class TextGauge:
    """Measures the text of a file that comes in pieces, and keeps only its head.

    It refuses nothing that :func:`decompressed` reads, which is made of it. Text beyond a limit
    is no error here: a property says so, and measuring stops.

    Args:
        source: File name for errors.
        max_bytes: Size of the text beyond which measuring stops.
        most_payload_bytes: The file is no larger than that; lets a file made to fill
            the memory be known before its end.
        chunks: Takes the pieces of the text; without it only the head is kept.
        on_text: Is called with each piece of the text.

    Attributes:
        text_bytes: Size of the text so far.
        head: Its first 64 kB; where all of these are blank, the first 64 kB that are not.

    Cost: memory of 1 MB and one piece; time as for decompressing.
    """

    def __init__(
        self,
        *,
        source: str,
        max_bytes: int,
        most_payload_bytes: int,
        chunks: list[bytes] | None = None,
        on_text: Callable[[bytes], None] | None = None,
    ) -> None:
        self.text_bytes = 0
        self.head = b""
        self._source = source
        self._max_bytes = max_bytes
        self._most_payload_bytes = most_payload_bytes
        self._payload_bytes = 0
        self._start = b""
        self._archive: Texts | None = None
        self._chunks = chunks
        self._on_text = on_text

    @property
    def is_too_large(self) -> bool:
        """Whether the text is larger than ``max_bytes``."""
        return self.text_bytes > self._max_bytes

    @property
    def is_bomb(self) -> bool:
        """Whether the text is larger than 64 MB and 200 times the file."""
        most_bytes = max(_RATIO_FROM_BYTES, MAX_RATIO * self._most_payload_bytes)
        return self.text_bytes > most_bytes

    @property
    def has_full_head(self) -> bool:
        """Whether the head will not grow any more."""
        return len(self.head) >= HEAD_BYTES

    def feed(self, piece: bytes) -> None:
        """Take the next bytes of the file.

        Raises:
            FormatError: the archive is damaged, or has more than 1,000 members with less
                than 1 kB of text in the mean.
        """
        self._payload_bytes += len(piece)
        if self._archive is None:
            self._start += piece
            if len(self._start) < HEADER_BYTES:
                return
            piece = self._begin()
        self._measure(piece)

    def finish(self) -> None:
        """There are no more bytes.

        Raises:
            FormatError: as for ``feed``, or the archive is cut off.
        """
        if self._archive is None:
            self._measure(self._begin())
        self._most_payload_bytes = self._payload_bytes
        if self._archive is not None and not self._archive.is_complete and not self._is_past():
            raise _error(self._source, "the compressed file is cut off")

    def _begin(self) -> bytes:
        """Choose how to read by the first bytes, and hand these back."""
        start, self._start = self._start, b""
        self._archive = texts_of(start)
        return start

    def _measure(self, piece: bytes) -> None:
        archive = self._archive
        if archive is None or self._is_past():
            return
        try:
            for text in archive.of(piece):
                self.text_bytes += len(text)
                if self._on_text is not None:
                    self._on_text(text)
                if self._chunks is not None:
                    self._chunks.append(text)
                elif not self.has_full_head:
                    self._keep(text)
                if self._is_past():
                    return
                # Between two ends of members the text only grows, so this gives one answer
                # however the file is cut into pieces.
                members = archive.ended_members
                if members > _FEW_MEMBERS and self.text_bytes < _MIN_MEAN_BYTES * members:
                    parts = f"more than {_FEW_MEMBERS:,} parts of hardly any text"
                    reason = f"the compressed file has {parts}"
                    raise _error(self._source, reason, "unpack it and compress the whole as one")
        except (OSError, zlib.error, ValueError) as cause:
            raise _error(self._source, "the compressed file is damaged") from cause

    def _is_past(self) -> bool:
        """Whether the text is beyond a limit, so that the rest does not matter."""
        return self.is_too_large or self.is_bomb

    def _keep(self, text: bytes) -> None:
        self.head += text[: HEAD_BYTES - len(self.head)]
        if self.has_full_head and not self.head.strip():
            # Blank lines may precede a record; a blank remains, for the file is not empty.
            self.head = b"\n" + text.lstrip()[: HEAD_BYTES - 1]


def texts_of(start: bytes) -> Texts:
    """How to read a file that begins so; :data:`HEADER_BYTES` are enough."""
    if start.startswith(_GZIP):
        return _GzipTexts()
    if start.startswith(_BZIP2):
        return _Bzip2Texts()
    return Texts()


def _sliced(piece: bytes) -> Iterator[bytes]:
    for at in range(0, len(piece), _SLICE_BYTES):
        yield piece[at : at + _SLICE_BYTES]


def _gzip_member() -> zlib._Decompress:
    return zlib.decompressobj(16 + zlib.MAX_WBITS)  # 16: with gzip's header and checksum


def _error(source: str, reason: str, cure: str = "copy or download it again") -> FormatError:
    return FormatError(source=source, line=None, reason=reason, cure=cure)


def _too_large(source: str, max_bytes: int) -> FormatError:
    reason = f"holds more than {max_bytes / 1e6:.0f} MB of text"
    return _error(source, reason, "give one genome per file")
