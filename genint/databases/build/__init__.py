"""Making what genint reads of what was downloaded.

Each builder is a function ``build(sources, target, report)``: files by their published
name, an empty folder, and a callback for its progress. They run in a process of their own
(:mod:`genint.databases.build.run`). Here is what they share: their types, reading published
tables with errors that name the line, and writing tables.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

from genint.errors import FormatError

_LONGEST_LINE = 1_000_000
_LONGEST_SHOWN = 60


class Built(NamedTuple):
    """What a build found.

    Attributes:
        entries: Families, proteins or terms.
        release: As the files themselves state it; None where they do not.
        facts: What else is known of it, name and value.
    """

    entries: int
    release: str | None = None
    facts: tuple[tuple[str, str], ...] = ()


class Step(NamedTuple):
    """How far a build is.

    Attributes:
        name: Of the step: ``pressing profiles``.
        done: How many of its items are done.
        total: How many there are; None where that is not known.
    """

    name: str
    done: int
    total: int | None = None


Report = Callable[[Step], None]
Build = Callable[[Mapping[str, Path], Path, Report], Built]


def malformed(file: Path, line: int | None, reason: str) -> FormatError:
    """An error that says where a published file breaks its format."""
    return FormatError(source=file.name, line=line, reason=reason)


def quoted(text: str) -> str:
    """A piece of a file as an error shows it."""
    return repr(text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "...")


@contextmanager
def opened(file: Path) -> Iterator[BinaryIO]:
    """A file, decompressed where its name ends in ``.gz``.

    Raises:
        FormatError: it is not gzip, is damaged or ends too early; seen when that
            place is read.
    """
    try:
        if file.suffix == ".gz":
            with gzip.open(file, "rb") as stream:
                yield cast(BinaryIO, stream)
        else:
            with file.open("rb") as plain:
                yield plain
    except EOFError as problem:
        raise malformed(file, None, "the file is cut short") from problem
    except (gzip.BadGzipFile, zlib.error) as problem:
        raise malformed(file, None, "the compressed file is damaged") from problem


def text_lines(file: Path) -> Iterator[tuple[int, str]]:
    """Number and text of every line that is not blank, without its end.

    What is not UTF-8 is read as Latin-1, as older tables are.

    Raises:
        FormatError: see :func:`opened`; or a line is no text.
    """
    with opened(file) as stream:
        for number, raw in enumerate(_bounded(stream, file), start=1):
            if b"\0" in raw:
                raise malformed(file, number, "the line is not text")
            try:
                text = raw.decode("utf-8")
            except UnicodeDecodeError:
                text = raw.decode("latin-1")
            text = text.rstrip("\r\n")
            if text.strip():
                yield number, text.removeprefix("\ufeff")


def _bounded(stream: BinaryIO, file: Path) -> Iterator[bytes]:
    while raw := stream.readline(_LONGEST_LINE):
        if len(raw) == _LONGEST_LINE:
            raise malformed(file, None, "a line does not end; this is not the published text")
        yield raw


def write_table(file: Path, rows: Iterable[tuple[str, ...]]) -> int:
    """Write rows with tabs between; how many. Tabs and breaks in a value become spaces."""
    count = 0
    with file.open("w", encoding="utf-8", newline="\n") as stream:
        for row in rows:
            stream.write("\t".join(" ".join(value.split()) for value in row) + "\n")
            count += 1
    return count
