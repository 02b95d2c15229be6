"""What becomes of a file that is fetched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from genint.databases.answers import Setback, SetbackKind
from genint.databases.mirrors import Source
from genint.databases.recipes import RemoteFile

_MOST_NAMED = 4


class Progress(NamedTuple):
    """How far a file is.

    Attributes:
        file: Its name.
        done_bytes: Bytes that are there; becomes less when it has to be started over.
        total_bytes: Bytes of the whole; None if nobody says.
    """

    file: str
    done_bytes: int
    total_bytes: int | None


@dataclass(frozen=True, slots=True)
class Fetched:
    """A file that is there, whole and checked.

    Attributes:
        name: What it is called.
        path: Where it lies.
        size_bytes: Its size.
        sha256: Its SHA-256 in hexadecimal digits.
        md5: Its MD5 in hexadecimal digits.
        url: Where (the last part of) it comes from, without credentials.
        etag: Its ``ETag``, if it came from the web with one.
        last_modified: Its ``Last-Modified``, if it came from the web with one.
    """

    name: str
    path: Path
    size_bytes: int
    sha256: str
    md5: str
    url: str
    etag: str | None = None
    last_modified: str | None = None


class Unfetched(NamedTuple):
    """A file that no source has, or not as published.

    Attributes:
        message: One line: what, where, why, and what to do.
        is_misfit: Whether a source had another file than the published one.
    """

    message: str
    is_misfit: bool


def unfetched(file: RemoteFile, setbacks: Sequence[tuple[Source, Setback]]) -> Unfetched:
    """Say in one line why no source has a file."""
    told = [f"{source.label} {setback.reason}" for source, setback in setbacks]
    if len(told) > _MOST_NAMED:
        told[_MOST_NAMED:] = [f"and {len(told) - _MOST_NAMED} more"]
    return Unfetched(
        f"{file.name} could not be fetched: {'; '.join(told)}. "
        "What is there is kept: run the same again later, or give another --mirror",
        any(setback.kind is SetbackKind.MISFIT for _, setback in setbacks),
    )
