"""A file on its way here, whose bytes survive whatever ends the process.

``<name>.part`` has the bytes, written at once and in order, so its length is all that is
known of progress; ``<name>.part.json``, written before the first of them, has where they
come from. A whole and checked file is called ``<name>``.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, NamedTuple, Self

from genint.errors import InstallError
from genint.files import move_durably, write_whole

_LAYOUT = 1
_STATE_LIMIT_BYTES = 1 << 16
_READ_BYTES = 1 << 20
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


class Origin(NamedTuple):
    """Where the bytes of a file come from.

    Attributes:
        url: The address without credentials.
        etag: Its ``ETag``.
        last_modified: Its ``Last-Modified``.
    """

    url: str
    etag: str | None = None
    last_modified: str | None = None

    @property
    def validator(self) -> str | None:
        """What shows that the file is still the same (RFC 9110, section 13.1.5)."""
        if self.etag and not self.etag.startswith("W/"):
            return self.etag
        return self.last_modified


class Digests(NamedTuple):
    """Checksums of a file in lower-case hexadecimal digits."""

    sha256: str
    md5: str


class PartialFile:
    """The part of a file that is there, its checksums, and where it comes from.

    A context manager: entering opens it for writing, leaving closes it and keeps what is
    there.

    Attributes:
        size: Bytes that are there.
        origin: Where they come from; None if there are none.
        first: The first bytes of them.
        is_joined: Whether some were there before others came, so that they may not belong
            together.
    """

    FIRST_BYTES = 64

    def __init__(self, folder: Path, name: str, md5: str | None) -> None:
        """Take up what is there, if it can be gone on with.

        It can if the same checksum was expected of it, or, where there is none, if its
        origin can tell whether it still is the same file.

        Args:
            folder: Where the file shall lie; made if it is not there.
            name: What the file shall be called.
            md5: Expected of the whole; None if none is published.

        Raises:
            InstallError: the folder cannot be read or written; so in all other methods.

        Cost: reads all that is there.
        """
        self._whole = folder / name
        self._part = folder / f"{name}.part"
        self._state = folder / f"{name}.part.json"
        self._expected_md5 = md5
        self._begin()
        with self._disk():
            folder.mkdir(parents=True, exist_ok=True)
            if not self._part.exists():
                with contextlib.suppress(FileNotFoundError):
                    self._whole.replace(self._part)
            self.origin = self._known_origin() if self._part.exists() else None
            if self.origin is not None:
                self._take_up()

    def __enter__(self) -> Self:
        with self._disk():
            self._file: BinaryIO = self._part.open("ab", buffering=0)
            if self.origin is None:
                self._file.truncate(0)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    @property
    def digests(self) -> Digests:
        """Checksums of what is there."""
        return Digests(self._sha256.hexdigest(), self._md5.hexdigest())

    def come_from(self, origin: Origin) -> None:
        """Note on disk where the next bytes come from."""
        self.is_joined = self.size > 0
        if origin == self.origin:
            return
        state = {
            "layout": _LAYOUT,
            "expected_md5": self._expected_md5,
            "url": origin.url,
            "etag": origin.etag,
            "last_modified": origin.last_modified,
        }
        with self._disk():
            write_whole(self._state, json.dumps(state).encode())
        self.origin = origin

    def append(self, content: bytes) -> None:
        """Write bytes behind what is there."""
        rest = memoryview(content)
        with self._disk():
            while rest:
                written = self._file.write(rest) or 0
                self._count(rest[:written])
                rest = rest[written:]

    def restart(self) -> None:
        """Forget all that is there."""
        with self._disk():
            self._file.truncate(0)
        self.origin = None
        self._begin()

    def finish(self) -> Path:
        """Make sure that it is on the disk and give it its name; closes it."""
        with self._disk():
            self._file.close()
            move_durably((self._part, self._whole))
        return self._whole

    @contextlib.contextmanager
    def _disk(self) -> Iterator[None]:
        """Name what is wrong with the disk."""
        try:
            yield
        except OSError as cause:
            if cause.errno in _FULL:
                raise InstallError(
                    f"no room for {self._whole.name} in {self._whole.parent}: make room and run "
                    "the same again, it goes on with what is there"
                ) from cause
            raise InstallError(
                f"{self._whole} cannot be written: {cause.strerror or 'unknown reason'}"
            ) from cause

    def _begin(self) -> None:
        self.size = 0
        self.first = b""
        self.is_joined = False
        self._sha256 = hashlib.sha256()
        self._md5 = hashlib.md5(usedforsecurity=False)

    def _take_up(self) -> None:
        with self._part.open("rb") as file:
            while block := file.read(_READ_BYTES):
                self._count(memoryview(block))
        self.is_joined = True

    def _count(self, block: memoryview) -> None:
        self.first += bytes(block[: max(0, self.FIRST_BYTES - self.size)])
        self.size += len(block)
        self._sha256.update(block)
        self._md5.update(block)

    def _known_origin(self) -> Origin | None:
        """Where what is there comes from; None if it is not to be gone on with."""
        try:
            with self._state.open("rb") as file:
                state = json.loads(file.read(_STATE_LIMIT_BYTES))
        except (FileNotFoundError, ValueError, RecursionError):
            return None
        match state:
            case {
                "layout": layout,
                "expected_md5": str() | None as md5,
                "url": str() as url,
                "etag": str() | None as etag,
                "last_modified": str() | None as last_modified,
            } if layout == _LAYOUT and md5 == self._expected_md5:
                origin = Origin(url, etag, last_modified)
                return origin if md5 or origin.validator else None
        return None
