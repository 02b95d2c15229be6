"""Reading what a command is given, and writing what it makes."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import BinaryIO

from genint.errors import InputError, UsageError


def read_input(source: Path | None) -> bytes:
    """All bytes of a file; None is standard input.

    Raises:
        InputError: it cannot be read; says which and why.
    """
    if source is None:
        return standard_input().read()
    try:
        return source.read_bytes()
    except (OSError, ValueError) as cause:
        raise unreadable(source, cause) from cause


def unreadable(path: Path, cause: Exception) -> InputError:
    """The error to raise where a file cannot be read, in words."""
    match cause:
        case IsADirectoryError():
            return InputError(f"{path} is a folder; name the file in it")
        case FileNotFoundError():
            return InputError(f"{path}: no such file")
        case OSError(strerror=str(reason)):
            return InputError(f"{path}: {reason}")
    return InputError(f"{path}: {cause}")


def standard_input() -> BinaryIO:
    """Standard input as bytes.

    Raises:
        UsageError: it is closed.
    """
    if sys.stdin is None:
        raise UsageError("standard input is closed; give a file instead of -")
    return sys.stdin.buffer


def write_atomically(path: Path, text: str) -> None:
    """Write a report whole or not at all; its folder is made where it is missing.

    A link is followed and stays a link. A device or pipe is written to as it is:
    nothing can be put in its place.

    Raises:
        UsageError: the place cannot be written.
    """
    target = path.resolve() if path.is_symlink() else path
    temporary = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        if target.exists() and not target.is_file():
            target.write_text(text, encoding="utf-8", newline="\n")
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_text(text, encoding="utf-8", newline="\n")
        temporary.replace(target)
    except OSError as cause:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise UsageError(f"cannot write {path}: {cause.strerror or cause}") from cause


def write_to_stdout(text: str) -> None:
    """Write a report to standard output as UTF-8, whatever the locale says.

    Raises:
        UsageError: standard output is closed.
        OSError: it cannot be written (full disk, closed pipe).
    """
    if sys.stdout is None:
        raise UsageError("standard output is closed; give -o a file")
    stream = getattr(sys.stdout, "buffer", None)
    if stream is None:  # replaced by something that takes text only
        sys.stdout.write(text)
        return
    sys.stdout.flush()
    stream.write(text.encode("utf-8"))
    stream.flush()
