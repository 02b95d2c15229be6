"""Published tables and vocabularies, line by line, with what is wrong where."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from genint.errors import FormatError

_LONGEST_LINE = 1_000_000
_LONGEST_SHOWN = 60


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


def write_table(file: Path, rows: Iterable[tuple[str, ...]]) -> int:
    """Write rows with tabs between; how many. Tabs and breaks in a value become spaces."""
    count = 0
    with file.open("w", encoding="utf-8", newline="\n") as stream:
        for row in rows:
            stream.write("\t".join(" ".join(value.split()) for value in row) + "\n")
            count += 1
    return count


def _bounded(stream: BinaryIO, file: Path) -> Iterator[bytes]:
    while raw := stream.readline(_LONGEST_LINE):
        if len(raw) == _LONGEST_LINE:
            raise malformed(file, None, "a line does not end; this is not the published text")
        yield raw
