"""An upload while it is received."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import BinaryIO

from genint.storage.durable import sync_folder


class UploadFile:
    """An upload while it is received: a temporary file until it is committed.

    All methods block; call them in a thread.

    Attributes:
        name: File name that the upload has once it is committed.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self.name = name
        self._final = folder / name
        self._temporary = folder / f"{name}.tmp"
        self._digest = hashlib.sha256()
        self._file: BinaryIO | None = _open_new(self._temporary)

    @property
    def sha256(self) -> str:
        """Digest, hex, of what was written so far."""
        return self._digest.hexdigest()

    def write(self, content: bytes) -> None:
        """Append bytes.

        Raises:
            OSError: the disk is full or broken.
            ValueError: it was committed or discarded before.
        """
        self._opened().write(content)
        self._digest.update(content)

    def commit(self) -> str:
        """Make the upload last: it survives a power cut from here on.

        Returns:
            Its file name in the folder of uploads.

        Raises:
            OSError: the disk is full or broken; nothing is left but the temporary file.
            ValueError: it was committed or discarded before.
        """
        file = self._opened()
        file.flush()
        os.fsync(file.fileno())
        file.close()
        self._file = None
        self._temporary.rename(self._final)
        sync_folder(self._final.parent)
        return self.name

    def discard(self) -> None:
        """Remove what was written, unless it was committed; never fails twice."""
        if self._file is not None:
            self._file.close()
            self._file = None
        self._temporary.unlink(missing_ok=True)

    def _opened(self) -> BinaryIO:
        if self._file is None:
            raise ValueError("the upload is closed")
        return self._file


def _open_new(file: Path) -> BinaryIO:
    """Open a file for writing that must not be there, for its owner's eyes alone."""
    return os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
