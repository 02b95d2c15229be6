"""Which file gets which report: options, names, folders, standard output, the closing table."""

from __future__ import annotations

import contextlib
import errno
import gc
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

import click

from genint.errors import DiskFull, GenintError, InputError, UsageError
from genint.model.genome import FileFormat
from genint.report.formats import (
    DARK_FASTA,
    FIGURE_FORMATS,
    FORMATS,
    Rendering,
    format_of,
    report_name,
    require_plot_extra,
    stem_of,
)

if TYPE_CHECKING:
    from genint.formats import Original
    from genint.report.result import GenintResult


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


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a report whole or not at all; its folder is made where it is missing.

    A link is followed and stays a link. A device or pipe is written to as it is:
    nothing can be put in its place.

    Raises:
        UsageError: the place cannot be written.
        DiskFull: there is no room.
    """
    written = content if isinstance(content, bytes) else content.encode()
    temporary: Path | None = None
    try:
        target = path.resolve() if path.is_symlink() else path
        temporary = target.with_name(f".{target.name}.{os.getpid()}.part")
        if target.exists() and not target.is_file():
            target.write_bytes(written)
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(written)
        temporary.replace(target)
    except OSError as cause:
        raise write_failed(path, cause) from cause
    finally:  # also where the run is interrupted
        with contextlib.suppress(OSError):
            if temporary is not None:
                temporary.unlink(missing_ok=True)


def _printable(name: str) -> str:
    """The name of a file as it can be printed and stored: one line of letters."""
    shown = os.fsencode(name).decode("utf-8", "replace")
    return "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in shown
    )


def write_failed(path: Path, cause: OSError) -> GenintError:
    """The error to raise where a file cannot be written, in words."""
    text = f"cannot write {path}: {cause.strerror or cause}"
    return DiskFull(text) if cause.errno in _NO_ROOM else UsageError(text)


_NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
_UNFINISHED: Final = re.compile(r"\.(.+)\.(\d+)\.part")
"""Name of a file while it is written: that of the file, and the process."""


def remove_unfinished(folder: Path, names: Collection[str]) -> None:
    """Remove what runs that were killed left of the files that they were writing.

    Args:
        folder: To look in.
        names: Of the files that this run writes; all others stay.
    """
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            found = _UNFINISHED.fullmatch(path.name)
            if found and found[1] in names and not _is_running(int(found[2])):
                path.unlink()


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        pass
    return True


def write_to_stdout(content: bytes) -> None:
    """Write a report to standard output, text as UTF-8 whatever the locale says.

    Raises:
        UsageError: standard output is closed.
        OSError: it cannot be written (full disk, closed pipe).
    """
    if sys.stdout is None:
        raise UsageError("standard output is closed; give -o a file")
    stream = getattr(sys.stdout, "buffer", None)
    if stream is None:  # replaced by something that takes text only
        sys.stdout.write(content.decode())
        return
    sys.stdout.flush()
    stream.write(content)
    stream.flush()


STANDARD_STREAM: Final = "-"
FORMAT_NAMES: Final = (*(name for name in FORMATS if name != DARK_FASTA), *FIGURE_FORMATS)
"""What ``--format`` takes; dark proteins have an option of their own."""
_REPORT: Final = "_report"
format_option: Final = click.option(
    "--format",
    "formats",
    multiple=True,
    default=("md",),
    show_default=True,
    metavar="|".join(FORMAT_NAMES),
    shell_complete=lambda _context, _option, begun: [
        name for name in FORMAT_NAMES if name.startswith(begun)
    ],
    help="Report format; may be given several times.",
)
output_option: Final = click.option(
    "-o",
    "--output",
    type=click.Path(),
    metavar="PATH",
    help="Report file; a folder for several files or formats; - for standard output.",
)
dark_fasta_option: Final = click.option(
    "--dark-fasta",
    type=click.Path(),
    metavar="PATH",
    help="Write the proteins of dark genes as FASTA too: a file, - for standard output, "
    "a folder for several files.",
)


@dataclass(frozen=True, slots=True)
class Output:
    """One file to write; ``path`` None is standard output."""

    format: str
    path: Path | None


@dataclass(frozen=True, slots=True)
class Job:
    """One input file and what is written of it.

    Attributes:
        source: None is standard input.
        stem: What its reports are called after.
    """

    source: Path | None
    outputs: tuple[Output, ...]
    stem: str = ""

    @property
    def name(self) -> str:
        """How the input is called in messages and tables."""
        return "stdin" if self.source is None else _printable(self.source.name)

    @property
    def place(self) -> str:
        """Where everything goes, in words."""
        return ", ".join(
            "standard output" if output.path is None else _printable(str(output.path))
            for output in self.outputs
        )

    @property
    def takes_stdout(self) -> bool:
        """Whether a report goes to standard output, so that nothing else may."""
        return any(output.path is None for output in self.outputs)


@dataclass(frozen=True, slots=True)
class OutputRequest:
    """The reports that the user requests, and where to write them.

    Attributes:
        formats: Checked, see :func:`check_formats`.
        output: Value of ``-o``: a file, a folder, ``-`` or None.
        dark_fasta: Value of ``--dark-fasta``, likewise; None: not wanted.
    """

    formats: tuple[str, ...]
    output: str | None = None
    dark_fasta: str | None = None


def check_formats(formats: Sequence[str]) -> tuple[str, ...]:
    """The chosen formats, each once.

    Raises:
        UsageError: there is no format by that name, or the extra that it needs is missing.
    """
    for name in formats:
        if name == DARK_FASTA:
            raise UsageError("dark proteins are written with --dark-fasta PATH")
        if name not in FORMAT_NAMES:
            raise UsageError(f"no format {name!r}; choose from {', '.join(FORMAT_NAMES)}")
        if name in FIGURE_FORMATS:
            require_plot_extra()  # now, not after minutes of work
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
    wanted: OutputRequest,
    *,
    stem: Callable[[Path | None], str] = genome_stem,
    others: Iterable[Path] = (),
    file_name: Callable[[str, str], str] = report_name,
) -> tuple[Job, ...]:
    """Decide every output path before any work starts.

    Args:
        sources: Files as given; ``-`` is standard input.
        wanted: What is to be written where.
        stem: What the reports of a source are called after.
        others: Further files that are read.
        file_name: Name of the file of a stem in a format.

    Raises:
        UsageError: the combination cannot be written.
    """
    paths = [None if source == STANDARD_STREAM else Path(source) for source in sources]
    if paths.count(None) > 1:
        raise UsageError("standard input (-) can be read only once")
    stems = _made_unique(map(stem, paths))
    places = [_placed(stems, wanted.formats, wanted.output, "-o", file_name=file_name)]
    if wanted.dark_fasta is not None:
        folders = {
            output.path.resolve().parent
            for outputs in places[0]
            for output in outputs
            if output.path is not None
        }
        places.append(_placed(stems, (DARK_FASTA,), wanted.dark_fasta, "--dark-fasta", folders))
    jobs = tuple(
        Job(path, tuple(chain(*outputs)), stem)
        for path, stem, *outputs in zip(paths, stems, *places, strict=True)
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


def _placed(  # noqa: PLR0913 - options with defaults
    stems: Sequence[str],
    formats: Sequence[str],
    destination: str | None,
    option: str,
    folders: Collection[Path] = (),
    *,
    file_name: Callable[[str, str], str] = report_name,
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
    if not _is_folder(destination or ".", folders):
        _refuse_file_name(folder, formats, option)
    return [
        tuple(Output(name, folder / file_name(stem, name)) for name in formats) for stem in stems
    ]


def _refuse_file_name(folder: Path, formats: Iterable[str], option: str) -> None:
    """Make no folder that is called as a report would be: one file was meant."""
    for name in formats:
        ending = f".{format_of(name).extension}"
        if folder.name.endswith(ending):
            raise UsageError(
                f"{option} {folder.name} looks like one file ({ending}), but several reports are "
                "to be written; give a folder (with / behind its name, if it is to be called so)"
            )


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


def _remarks(result: GenintResult, formats: Sequence[str]) -> Iterator[str]:
    """What the user should know of what was written."""
    if "tbl" in formats:
        from genint.report.locus_tags import tag_remarks  # noqa: PLC0415 - lazy

        yield from tag_remarks(result)
    undated = [name for name in formats if format_of(name).needs_original]
    if undated and result.parameters.date and result.input.format is FileFormat.GENBANK:
        names = " and ".join(undated)
        yield f"--date is without effect on {names}: records of the file keep their dates"


@contextlib.contextmanager
def _unwatched() -> Iterator[None]:
    """Spare the garbage collector what is there: a large result, of which nothing goes meanwhile.

    It would be looked through again and again, which is a fifth of the time of all formats.
    """
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def write_reports(
    result: GenintResult, job: Job, original: Callable[[], Original]
) -> tuple[Job, tuple[GenintError, ...]]:
    """Render everything, then write what could be rendered.

    Args:
        result: What was found.
        job: What is to be written where.
        original: Reads the file that was interpreted; called where a format needs it.

    Returns:
        The job with the outputs that were written, and why the others were not: each reason once.

    Raises:
        InputError: nothing can be written, and there is one reason.
        UsageError: a place cannot be written, or an option does not fit; nothing was written
            of what could not be rendered for it.
    """
    contents: list[tuple[Output, bytes]] = []
    problems: dict[str, GenintError] = {}
    rendering = Rendering(result, [output.format for output in job.outputs], original)
    with _unwatched():
        for output in job.outputs:
            try:
                contents.append((output, rendering.bytes_of(output.format)))
            except UsageError:
                raise
            except InputError as problem:
                problems.setdefault(str(problem), problem)
    if not contents and len(problems) == 1:
        raise next(iter(problems.values()))
    for output, content in contents:
        if output.path is None:
            write_to_stdout(content)
        else:
            write_atomically(output.path, content)
    for remark in _remarks(result, [output.format for output, _ in contents]):
        click.echo(f"{job.name}: {remark}", err=True)
    written = replace(job, outputs=tuple(output for output, _ in contents))
    return written, tuple(problems.values())


_LEVELS = ("high", "moderate", "low", "speculative", "dark matter")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one file.

    Attributes:
        state: ``done``, ``partly`` (a format could not be written), ``rendered`` (the result was
            there, formats were not), ``kept`` (was done before) or ``failed``.
        counts: Genes: interpreted, all, then those of each level; empty unless done.
        only_repeated: Interpreted genes whose name only repeats the file's.
        genome: Short answers on the genome as a whole, of files with one record.
        deed: What was done, where it is not said by the counts.
        unwritten: Why formats could not be written.
    """

    name: str
    state: str
    counts: tuple[int, ...] = ()
    seconds: float = 0.0
    place: str = ""
    error: GenintError | None = None
    only_repeated: int = 0
    genome: str = ""
    deed: str = ""
    unwritten: tuple[GenintError, ...] = ()

    @classmethod
    def done(
        cls,
        job: Job,
        result: GenintResult,
        seconds: float,
        unwritten: tuple[GenintError, ...] = (),
        *,
        state: str = "done",
    ) -> Outcome:
        """A file whose reports were written, all but those that could not be."""
        found = result.summary
        counts = (
            found.interpreted_genes,
            found.total_genes,
            found.high,
            found.moderate,
            found.low,
            found.speculative,
            found.dark,
        )
        repeated = found.file_only_genes or 0
        return cls(
            job.name,
            "partly" if unwritten else state,
            counts,
            seconds,
            job.place,
            only_repeated=repeated,
            genome=_genome_line(result),
            unwritten=unwritten,
        )

    @property
    def exit_status(self) -> int:
        """The highest of what went wrong; 0 where nothing did."""
        errors = (*self.unwritten, *((self.error,) if self.error else ()))
        return max((error.exit_status for error in errors), default=0)

    def line(self, deed: str) -> str:
        """One line of what was done, such as ``Interpreted 11 of 63 genes in 1.0 s: ...``."""
        if self.deed:
            return f"{self.deed} in {self.seconds:.1f} s. Figure: {self.place}"
        if not self.counts:  # kept
            return f"{self.name}: already there. Report: {self.place or 'none'}"
        if self.state == "rendered":
            deed = "Rendered"
        interpreted, total, *levels = self.counts
        shown = ", ".join(f"{count} {level}" for count, level in zip(levels, _LEVELS, strict=True))
        basis = ""
        if self.only_repeated:
            verb = "repeats" if self.only_repeated == 1 else "repeat"
            supported = f"{interpreted - self.only_repeated} supported by evidence"
            basis = f" {supported}, {self.only_repeated} only {verb} the file's name."
        return (
            f"{deed} {interpreted} of {total} genes in {self.seconds:.1f} s: {shown}.{basis} "
            f"{f'Genome: {self.genome}. ' if self.genome else ''}"
            f"Report: {self.place or 'none'}"
        )


def _genome_line(result: GenintResult) -> str:
    """Lifestyle and the like of a genome of one record; empty where nothing is said of it."""
    from genint.report.overview import overviews  # noqa: PLC0415 - loads pydantic

    found = overviews(result)
    return found[0].line if len(result.records) == 1 and found else ""


def finish_all(
    jobs: Sequence[Job],
    deed: str,
    do: Callable[[Job], Outcome],
    is_computed: Callable[[Job], bool] = lambda _: False,
) -> int:
    """Do every file, one after another; a bad file does not stop the others.

    One file ends in a line, several in a table. A full disk ends the run: no other file would
    find room. Interrupted, it still does the files that only have to be written, unless it is
    interrupted again.

    Args:
        jobs: The files.
        deed: What is done to them, for the lines.
        do: Does one.
        is_computed: Whether one only has to be written.

    Returns:
        The exit status: the highest of all.

    Raises:
        GenintError: the only file failed.
    """
    if len(jobs) == 1:
        outcome = do(jobs[0])
        click.echo(outcome.line(deed), err=jobs[0].takes_stdout)
        _say_unwritten(outcome)
        return outcome.exit_status
    outcomes: list[Outcome] = []
    for number, job in enumerate(jobs, start=1):
        try:
            outcomes.append(_finish(job, deed, do))
        except KeyboardInterrupt:
            computed = [one for one in jobs[number:] if is_computed(one)]
            if computed:
                left = f"{len(computed)} more that are computed"
                click.echo(f"interrupted: writing {left}; again to stop at once", err=True)
            with contextlib.suppress(KeyboardInterrupt):
                outcomes.extend(_finish(one, deed, do) for one in computed)
            counted = _counted(outcomes, len(jobs))
            click.echo(f"interrupted in {job.name}. {counted}; start again to go on", err=True)
            raise
        if isinstance(outcomes[-1].error, DiskFull):
            break
        if number % _COLLECT_EVERY == 0:
            gc.collect()
    _print_table(outcomes, len(jobs))
    return max((outcome.exit_status for outcome in outcomes), default=0)


_COLLECT_EVERY: Final = 10
"""Files after which the garbage collector looks for cycles: what refers to a result in a circle
would stay in memory for the rest of the run, as the collector looks so seldom otherwise."""


def _finish(job: Job, deed: str, do: Callable[[Job], Outcome]) -> Outcome:
    """Do one file of several, and say what became of it unless nothing had to be done."""
    try:
        outcome = do(job)
    except GenintError as problem:
        error = problem
    except OSError as problem:
        error = UsageError(f"{job.name}: cannot read or write: {problem.strerror or problem}")
    except Exception as problem:  # noqa: BLE001 - a fault over one file must not end the others
        error = GenintError(
            f"{job.name}: internal error: {type(problem).__name__}: {problem}; please report it"
        )
    else:
        return _said(outcome, deed)
    click.echo(f"genint: {error}", err=True)
    return Outcome(job.name, "failed", error=error)


def _said(outcome: Outcome, deed: str) -> Outcome:
    """The same, after what became of the file was printed."""
    if outcome.state in _WRITTEN:
        click.echo(f"{outcome.name}: {outcome.line(deed)}")
    _say_unwritten(outcome)
    return outcome


_WRITTEN: Final = frozenset({"done", "partly", "rendered"})


def _say_unwritten(outcome: Outcome) -> None:
    """One line for each reason why a format is missing, on standard error."""
    for problem in outcome.unwritten:
        click.echo(f"genint: {problem}", err=True)


def _print_table(outcomes: Sequence[Outcome], files: int) -> None:
    """One line a file, then the counts; plain text, so that a path is never broken or cut."""
    header = ("File", "State", "Genes", "High", "Moderate", "Low", "Spec.", "Dark", "Seconds")
    rows: list[tuple[str, ...]] = [header]
    for outcome in outcomes:
        _, *figures = outcome.counts or ("",) * 7
        seconds = f"{outcome.seconds:.1f}" if outcome.counts else ""
        rows.append((outcome.name, outcome.state, *map(str, figures), seconds))
    widths = [max(len(row[at]) for row in rows) for at in range(len(header))]
    places = ["Report", *(outcome.place or str(outcome.error) for outcome in outcomes)]
    for row, place in zip(rows, places, strict=True):
        cells = "  ".join(
            cell.ljust(width) if at < 2 else cell.rjust(width)  # noqa: PLR2004 - text columns
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        click.echo(f"{cells}  {place}")
    click.echo(_counted(outcomes, files))


def _counted(outcomes: Sequence[Outcome], files: int) -> str:
    """How many of the files were done, were there, and failed."""
    states = Counter(outcome.state for outcome in outcomes)
    parts = [f"{states['done']} done"]
    if states["partly"]:
        parts.append(f"{states['partly']} without some formats")
    if states["rendered"]:
        parts.append(f"{states['rendered']} rendered from the results that were there")
    parts += [f"{states['kept']} already there", f"{states['failed']} failed"]
    if left := files - len(outcomes):
        parts.append(f"{left} not done")
    return f"{files} files: {', '.join(parts)}"
