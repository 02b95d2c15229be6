"""The bytes of an upload on their way to the disk: measured, looked at, written.

All of this blocks and runs in threads.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Protocol

from genint.errors import TooLarge
from genint.formats.compression import HEAD_BYTES, MAX_RATIO, TextGauge
from genint.formats.first_look import first_look


class UploadFile(Protocol):
    """A file that is being written; see :class:`genint.storage.UploadFile`."""

    @property
    def sha256(self) -> str:
        """Digest of what was written, hex."""
        ...

    def write(self, content: bytes) -> None:
        """Append bytes."""
        ...

    def commit(self) -> str:
        """Make it last; returns its name."""
        ...

    def discard(self) -> None:
        """Remove it."""
        ...


class Intake:
    """The thread's side of an upload: one call at a time, none after it was discarded.

    A cancelled wait leaves its call running in the thread. The lock makes ``discard``
    come after that call, and what comes later does nothing.

    Args:
        open_file: Opens the file; called once at most.
        source: Name of the file for errors.
        max_text_bytes: Size of its text after decompression.
        most_payload_bytes: The upload is no larger than that.

    Attributes:
        size_bytes: Written so far.
    """

    def __init__(
        self,
        open_file: Callable[[], UploadFile],
        *,
        source: str,
        max_text_bytes: int,
        most_payload_bytes: int,
    ) -> None:
        self.size_bytes = 0
        self._open_file = open_file
        self._source = source
        self._file: UploadFile | None = None
        self._max_text_bytes = max_text_bytes
        self._gauge = TextGauge(
            source=source, max_bytes=max_text_bytes, most_payload_bytes=most_payload_bytes
        )
        self._is_looked_at = False
        self._is_discarded = False
        self._turn = threading.Lock()

    @property
    def file(self) -> UploadFile:
        """The file, once it was opened."""
        if self._file is None:
            raise ValueError("the file is not open")
        return self._file

    def open(self) -> None:
        """Open the file.

        Raises:
            OSError: the disk is full or broken.
        """
        with self._turn:
            if not self._is_discarded:
                self._file = self._open_file()

    def write(self, piece: bytes) -> None:
        """Take the next bytes, unless they show that the file is no genome.

        Raises:
            FormatError: neither GenBank nor nucleotide FASTA, or a damaged archive.
            TooLarge: the text after decompression, for the limit or for the file.
            OSError: the disk is full or broken.
        """
        with self._turn:
            if self._is_discarded:
                return
            self._gauge.feed(piece)
            self._refuse_too_large()
            if self._gauge.has_full_head and not self._is_looked_at:
                self._look(is_whole=False)
            self.file.write(piece)
            self.size_bytes += len(piece)

    def finish(self) -> None:
        """There are no more bytes. Raises as ``write``."""
        with self._turn:
            if self._is_discarded:
                return
            self._gauge.finish()
            self._refuse_too_large()
            if not self._is_looked_at:
                self._look(is_whole=self._gauge.text_bytes <= HEAD_BYTES)

    def discard(self) -> None:
        """Remove the file; what is under way ends first."""
        with self._turn:
            self._is_discarded = True
            if self._file is not None:
                self._file.discard()

    def _look(self, *, is_whole: bool) -> None:
        self._is_looked_at = True
        first_look(self._gauge.head, source=self._source, is_whole=is_whole)

    def _refuse_too_large(self) -> None:
        if self._gauge.is_too_large:
            limit_mb = self._max_text_bytes / 1e6
            raise TooLarge(f"The file unpacks to more than {limit_mb:g} MB")
        if self._gauge.is_bomb:
            raise TooLarge(f"The file unpacks to more than {MAX_RATIO} times its size")
