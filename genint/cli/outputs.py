"""Which file gets which report: names, folders, standard output."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Final

from genint.errors import UsageError
from genint.report.formats import FORMATS
from genint.report.naming import DARK_FASTA, report_name, stem_of

STANDARD_STREAM: Final = "-"
FORMAT_NAMES: Final = tuple(name for name in FORMATS if name != DARK_FASTA)
"""What ``--format`` takes; dark proteins have an option of their own."""
_REPORT: Final = "_report"


@dataclass(frozen=True, slots=True)
class Output:
    """One file to write; ``path`` None is standard output."""

    format: str
    path: Path | None


@dataclass(frozen=True, slots=True)
class Job:
    """One input file and what is written of it; ``source`` None is standard input."""

    source: Path | None
    outputs: tuple[Output, ...]

    @property
    def name(self) -> str:
        """How the input is called in messages and tables."""
        return "stdin" if self.source is None else self.source.name

    @property
    def place(self) -> str:
        """Where everything goes, in words."""
        return ", ".join(
            "standard output" if output.path is None else str(output.path)
            for output in self.outputs
        )

    @property
    def takes_stdout(self) -> bool:
        """Whether a report goes to standard output, so that nothing else may."""
        return any(output.path is None for output in self.outputs)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the user wants written, and where.

    Attributes:
        formats: Checked, see :func:`check_formats`.
        output: Value of ``-o``: a file, a folder, ``-`` or None.
        dark_fasta: Value of ``--dark-fasta``, likewise; None: not wanted.
    """

    formats: tuple[str, ...]
    output: str | None = None
    dark_fasta: str | None = None


def check_formats(formats: Sequence[str]) -> tuple[str, ...]:
    """Formats asked for, each once.

    Raises:
        UsageError: there is no format by that name.
    """
    for name in formats:
        if name == DARK_FASTA:
            raise UsageError("dark proteins are written with --dark-fasta PATH")
        if name not in FORMAT_NAMES:
            raise UsageError(f"no format {name!r}; choose from {', '.join(FORMAT_NAMES)}")
    return tuple(dict.fromkeys(formats))


def genome_stem(source: Path | None) -> str:
    """What the reports of a genome file are called after."""
    return "stdin" if source is None else stem_of(source.name)


def result_stem(source: Path | None) -> str:
    """The same for a result: ``lambda`` for ``lambda_report.json.gz``."""
    stem = genome_stem(source)
    return stem.removesuffix(_REPORT) or stem


def plan(
    sources: Sequence[str],
    wanted: Wanted,
    *,
    stem: Callable[[Path | None], str] = genome_stem,
    others: Iterable[Path] = (),
) -> tuple[Job, ...]:
    """Decide every output path before any work starts.

    Args:
        sources: Files as given; ``-`` is standard input.
        wanted: What is to be written where.
        stem: What the reports of a source are called after.
        others: Further files that are read.

    Raises:
        UsageError: the combination cannot be written as asked.
    """
    paths = [None if source == STANDARD_STREAM else Path(source) for source in sources]
    if paths.count(None) > 1:
        raise UsageError("standard input (-) can be read only once")
    stems = _made_unique(map(stem, paths))
    places = [_placed(stems, wanted.formats, wanted.output, "-o")]
    if wanted.dark_fasta is not None:
        folders = {
            output.path.resolve().parent
            for outputs in places[0]
            for output in outputs
            if output.path is not None
        }
        places.append(_placed(stems, (DARK_FASTA,), wanted.dark_fasta, "--dark-fasta", folders))
    jobs = tuple(
        Job(path, tuple(chain(*outputs))) for path, *outputs in zip(paths, *places, strict=True)
    )
    _refuse_overwriting(jobs, {path.resolve() for path in (*paths, *others) if path is not None})
    return jobs


def _made_unique(stems: Iterable[str]) -> list[str]:
    """Equal stems get a number."""
    taken: dict[str, None] = {}
    for base in stems:
        stem, count = base, 1
        while stem in taken:
            count += 1
            stem = f"{base}_{count}"
        taken[stem] = None
    return list(taken)


def _placed(
    stems: Sequence[str],
    formats: Sequence[str],
    destination: str | None,
    option: str,
    folders: Collection[Path] = (),
) -> list[tuple[Output, ...]]:
    """Where the formats of each source go that one option decides about.

    Folders are those that will be there when it is written.
    """
    is_single = len(stems) == 1 and len(formats) == 1
    if destination == STANDARD_STREAM:
        if not is_single:
            what = "one file" if formats == (DARK_FASTA,) else "one file and one format"
            raise UsageError(f"{option} - takes {what}; give {option} a folder instead")
        return [(Output(formats[0], None),)]
    if is_single and destination and not _is_folder(destination, folders):
        return [(Output(formats[0], Path(destination)),)]
    folder = Path(destination or ".")
    if folder.exists() and not folder.is_dir():
        raise UsageError(
            f"{option} {folder.name} is a file, but several reports are to be written; "
            "give a folder"
        )
    return [
        tuple(Output(name, folder / report_name(stem, name)) for name in formats) for stem in stems
    ]


def _is_folder(destination: str, folders: Collection[Path]) -> bool:
    path = Path(destination)
    return destination.endswith(("/", os.sep)) or path.is_dir() or path.resolve() in folders


def _refuse_overwriting(jobs: Sequence[Job], inputs: set[Path]) -> None:
    """No output may be an input, nor two outputs one file."""
    outputs = [output.path for job in jobs for output in job.outputs]
    if outputs.count(None) > 1:
        raise UsageError("only one of -o and --dark-fasta can be standard output (-)")
    places = Counter(path.resolve() for path in outputs if path is not None)
    for place, count in places.items():
        if place in inputs:
            raise UsageError(f"the report {place.name} would overwrite an input file")
        if count > 1:
            raise UsageError(f"two reports would go to {place.name}; give each a place of its own")
    for folder in {folder for place in places for folder in place.parents}:
        if folder in places:
            raise UsageError(f"{folder.name} would be a report and the folder of another one")
