"""Which file gets which report: names, folders, standard output."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from genint.errors import UnavailableError, UsageError

STANDARD_STREAM = "-"
EXTENSIONS = {"md": "md", "html": "html", "json": "json"}
"""Formats that are built, and the extension of each."""
PLANNED = ("tsv", "gff3", "gbk")
"""Formats of the specification that are not built yet."""
_COMPRESSED = (".gz", ".bz2", ".bgz")


@dataclass(frozen=True, slots=True)
class Output:
    """One report to write; ``path`` None is standard output."""

    format: str
    path: Path | None


@dataclass(frozen=True, slots=True)
class Job:
    """One input file and its reports; ``source`` None is standard input."""

    source: Path | None
    outputs: tuple[Output, ...]

    @property
    def name(self) -> str:
        """How the input is called in messages and tables."""
        return "stdin" if self.source is None else self.source.name


def check_formats(formats: Sequence[str]) -> tuple[str, ...]:
    """Formats asked for, each once.

    Raises:
        UnavailableError: a format of the specification that is not built yet.
        UsageError: no format at all by that name.
    """
    for name in formats:
        if name in PLANNED:
            built = ", ".join(EXTENSIONS)
            raise UnavailableError(f"format {name} is not built yet; {built} are")
        if name not in EXTENSIONS:
            raise UsageError(
                f"no format {name!r}; choose from {', '.join((*EXTENSIONS, *PLANNED))}"
            )
    return tuple(dict.fromkeys(formats))


def stem_of(source: Path | None) -> str:
    """Name of the input without compression suffix and without one extension."""
    if source is None:
        return "stdin"
    name = source.name
    for suffix in _COMPRESSED:
        if name.lower().endswith(suffix):
            name = name[: -len(suffix)]
            break
    stem = Path(name).stem
    return stem or name


def plan(
    sources: Sequence[str], formats: Sequence[str], destination: str | None
) -> tuple[Job, ...]:
    """Decide every output path before any work starts.

    Args:
        sources: Files as given; ``-`` is standard input.
        formats: Checked formats.
        destination: Value of ``-o``: a file, a folder, ``-`` or None.

    Raises:
        UsageError: the combination cannot be written as asked.
    """
    paths = [None if source == STANDARD_STREAM else Path(source) for source in sources]
    if paths.count(None) > 1:
        raise UsageError("standard input (-) can be read only once")
    if destination == STANDARD_STREAM:
        if len(paths) > 1 or len(formats) > 1:
            raise UsageError("-o - takes one file and one format; give -o a folder instead")
        return (Job(paths[0], (Output(formats[0], None),)),)
    if len(paths) == 1 and len(formats) == 1 and destination and not _is_folder(destination):
        jobs: tuple[Job, ...] = (Job(paths[0], (Output(formats[0], Path(destination)),)),)
    else:
        jobs = _plan_folder(paths, formats, Path(destination or "."))
    _refuse_overwriting_input(jobs)
    return jobs


def _is_folder(destination: str) -> bool:
    return destination.endswith(("/", os.sep)) or Path(destination).is_dir()


def _plan_folder(
    paths: Sequence[Path | None], formats: Sequence[str], folder: Path
) -> tuple[Job, ...]:
    """Reports named after their inputs; equal stems get a number."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(
            f"-o {folder.name} is a file, but several reports are to be written; give a folder"
        )
    taken: set[str] = set()
    jobs = []
    for path in paths:
        stem = base = stem_of(path)
        count = 1
        while stem in taken:
            count += 1
            stem = f"{base}_{count}"
        taken.add(stem)
        outputs = tuple(
            Output(name, folder / f"{stem}_report.{EXTENSIONS[name]}") for name in formats
        )
        jobs.append(Job(path, outputs))
    return tuple(jobs)


def _refuse_overwriting_input(jobs: Sequence[Job]) -> None:
    inputs = {job.source.resolve() for job in jobs if job.source is not None}
    for job in jobs:
        for output in job.outputs:
            if output.path is not None and output.path.resolve() in inputs:
                raise UsageError(f"the report {output.path.name} would overwrite an input file")


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


def read_stdin() -> bytes:
    """All bytes of standard input.

    Raises:
        UsageError: standard input is closed.
    """
    if sys.stdin is None:
        raise UsageError("standard input is closed; give a file instead of -")
    return sys.stdin.buffer.read()
