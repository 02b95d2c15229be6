"""The secret that signs tokens, kept in the data folder where none is configured."""

from __future__ import annotations

import contextlib
import os
import secrets
import tempfile
from pathlib import Path

from genint.auth.tokens import MIN_SECRET_BYTES
from genint.errors import UsageError

FILE_NAME = "jwt_secret"
_MADE_BYTES = 64
_OTHERS = 0o077
"""Permissions of anybody but the owner."""


def load_or_create_secret(data_folder: Path) -> tuple[str, bool]:
    """The secret of this data folder; made at the first call.

    Several processes that start at once get the same one: each writes its own file in
    full, and only one of them gets the name.

    Args:
        data_folder: Made where it is missing.

    Returns:
        The secret, and whether it was made now.

    Raises:
        UsageError: the folder cannot be written, or the file is not a secret.
    """
    file = data_folder / FILE_NAME
    try:
        data_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        is_new = not file.exists() and _create(file)
        return _load(file), is_new
    except OSError as problem:
        reason = problem.strerror or "it cannot be used"
        raise UsageError(f"GENINT_DATA_DIR: {FILE_NAME}: {reason}") from problem


def _create(file: Path) -> bool:
    """Put a new secret at a path, whole and on disk; False where another was faster."""
    handle, name = tempfile.mkstemp(prefix=f".{FILE_NAME}.", dir=file.parent)  # mode 0600
    draft = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as stream:
            stream.write(secrets.token_urlsafe(_MADE_BYTES) + "\n")
            stream.flush()
            os.fsync(stream.fileno())
        # A link, unlike a rename, fails where the name is taken.
        file.hardlink_to(draft)
    except FileExistsError:
        return False
    finally:
        draft.unlink()
    _sync_folder(file.parent)
    return True


def _load(file: Path) -> str:
    with file.open("rb") as stream:
        content = stream.read(1 << 16).strip()
        if os.fstat(stream.fileno()).st_mode & _OTHERS:
            # A copied or restored folder may have lost its permissions. Where the file
            # is somebody else's, that one decides who reads it.
            with contextlib.suppress(PermissionError):
                os.fchmod(stream.fileno(), 0o600)
    if len(content) < MIN_SECRET_BYTES or not content.isascii():
        raise UsageError(
            f"GENINT_DATA_DIR: {FILE_NAME} is damaged; remove the file, "
            "a new one is made and all users log in again"
        )
    return content.decode("ascii")


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
