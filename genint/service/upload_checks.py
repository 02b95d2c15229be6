"""What the bytes of an upload have to be, judged while they come in."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable

from genint.errors import TooLarge
from genint.formats.compression import HEAD_BYTES, MAX_RATIO, TextGauge
from genint.formats.proteins import first_look_at_proteins
from genint.formats.reader import BaseCounter, first_look
from genint.service.multipart_form import Limits


class ContentCheck(ABC):
    """Size, digest and beginning of a file; call it in a thread, it unpacks the bytes.

    Args:
        source: Name of the file, for errors.
        max_bytes: Its largest size; its text may be larger by ``max_text_ratio``.
        body_bytes: Size of the whole request, where that is known.
        limits: What is too much.
        on_text: Is called with each piece of the text.

    Attributes:
        source: As given.
        size_bytes: Of the file so far.
        sha256: Digest of the same.
    """

    def __init__(
        self,
        source: str,
        *,
        max_bytes: int,
        body_bytes: int | None,
        limits: Limits,
        on_text: Callable[[bytes], None] | None = None,
    ) -> None:
        self.source = source
        self.size_bytes = 0
        self.sha256 = hashlib.sha256()
        self._max_bytes = max_bytes
        self._max_text_bytes = max_bytes * limits.max_text_ratio
        self._gauge = TextGauge(
            source=source,
            max_bytes=self._max_text_bytes,
            most_payload_bytes=min(max_bytes, body_bytes or max_bytes),
            on_text=on_text,
        )
        self._is_looked_at = False

    def feed(self, piece: bytes) -> None:
        """Judge the next bytes.

        Raises:
            FormatError: another format, or a damaged archive.
            TooLarge: the file, or its text after decompression, for the limit or the file.
        """
        if self.size_bytes + len(piece) > self._max_bytes:
            raise TooLarge(f"{self.source} is larger than {self._max_bytes / 1e6:g} MB")
        self._gauge.feed(piece)
        self._refuse_too_large()
        if self._gauge.has_full_head and not self._is_looked_at:
            self._look(is_whole=False)
        self.sha256.update(piece)
        self.size_bytes += len(piece)

    def finish(self) -> None:
        """There are no more bytes. Raises as ``feed``."""
        self._gauge.finish()
        self._refuse_too_large()
        if not self._is_looked_at:
            self._look(is_whole=self._gauge.text_bytes <= HEAD_BYTES)

    def _look(self, *, is_whole: bool) -> None:
        self._is_looked_at = True
        self._look_at(self._gauge.head, is_whole=is_whole)

    @abstractmethod
    def _look_at(self, head: bytes, *, is_whole: bool) -> None:
        """Refuse a text by its beginning; FormatError."""

    def _refuse_too_large(self) -> None:
        if self._gauge.is_too_large:
            limit_mb = self._max_text_bytes / 1e6
            raise TooLarge(f"The file unpacks to more than {limit_mb:g} MB")
        if self._gauge.is_bomb:
            raise TooLarge(f"The file unpacks to more than {MAX_RATIO} times its size")


class GenomeCheck(ContentCheck):
    """A genome, whose bases are counted.

    Attributes:
        counter: Of the bases.
    """

    def __init__(self, source: str, *, body_bytes: int | None, limits: Limits) -> None:
        self.counter = BaseCounter(source=source, max_bases=limits.max_bases)
        super().__init__(
            source,
            max_bytes=limits.max_upload_bytes,
            body_bytes=body_bytes,
            limits=limits,
            on_text=self.counter.feed,
        )

    def _look_at(self, head: bytes, *, is_whole: bool) -> None:
        first_look(head, source=self.source, is_whole=is_whole)


class ProteinCheck(ContentCheck):
    """Proteins of the user's own."""

    def __init__(self, source: str, *, body_bytes: int | None, limits: Limits) -> None:
        super().__init__(
            source, max_bytes=limits.max_proteins_bytes, body_bytes=body_bytes, limits=limits
        )

    def _look_at(self, head: bytes, *, is_whole: bool) -> None:
        first_look_at_proteins(head, filename=self.source, is_whole=is_whole)
