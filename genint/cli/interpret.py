"""``genint interpret``: files in, reports and a summary line out."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from genint.cli.batch import Journal, digest
from genint.cli.options import Options
from genint.cli.outputs import (
    Job,
    check_formats,
    plan,
    read_stdin,
    write_atomically,
    write_to_stdout,
)
from genint.errors import GenintError, InputError, UsageError

if TYPE_CHECKING:
    from genint.api import Progress

_MAX_WORKERS = 4


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one file."""

    name: str
    state: str
    """``done``, ``kept`` (was done before) or ``failed``."""
    counts: tuple[int, ...] = ()
    seconds: float = 0.0
    place: str = ""
    error: GenintError | None = None


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--mode",
    type=click.Choice(["offline", "local", "online"]),
    default="offline",
    show_default=True,
    help="offline: what ships with genint. local: installed databases too. online: not built yet.",
)
@click.option("--phage", is_flag=True, help="Recover genes nested in other predicted genes.")
@click.option(
    "--format",
    "formats",
    multiple=True,
    default=("md",),
    show_default=True,
    metavar="md|html|json",
    help="Report format; may be given several times.",
)
@click.option(
    "-o",
    "--output",
    metavar="PATH",
    help="Report file; a folder for several files or formats; - for standard output.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, _MAX_WORKERS),
    default=lambda: min(_MAX_WORKERS, os.cpu_count() or 1),
    show_default="cores, at most 4",
    help="Parallel processes.",
)
@click.option(
    "--ignore-annotations",
    is_flag=True,
    help="Predict and interpret afresh as if the file had no genes, and compare.",
)
@click.option(
    "--locus-tag", metavar="PREFIX", help="Stem for ids of predicted genes [default: record id]."
)
@click.option("--force", is_flag=True, help="Redo files whose reports are already there.")
def interpret(  # noqa: PLR0913 - click passes every option by name
    *,
    files: tuple[str, ...],
    mode: str,
    phage: bool,
    formats: tuple[str, ...],
    output: str | None,
    workers: int,
    ignore_annotations: bool,
    locus_tag: str | None,
    force: bool,
) -> int:
    """Interpret the genes of genome files (GenBank or FASTA, plain, .gz or .bz2; - for stdin).

    Each FILE gives <name>_report.md in the current folder, unless -o says otherwise.
    Several files end in a table; started again, only what is missing is done.
    """
    jobs = plan(files, check_formats(formats), output)
    options = Options(mode, phage, workers, ignore_annotations, _checked_prefix(locus_tag))
    if len(jobs) == 1:
        outcome = _interpret_one(jobs[0], options)
        summary_to_stderr = jobs[0].outputs[0].path is None
        click.echo(_summary_line(outcome), err=summary_to_stderr)
        return 0
    return _interpret_many(jobs, options, force=force)


def _checked_prefix(prefix: str | None) -> str | None:
    if prefix is not None and (not prefix or any(c.isspace() or c in "|;=,:" for c in prefix)):
        raise UsageError("--locus-tag takes letters, digits, _ . and - only")
    return prefix


def _interpret_many(jobs: Sequence[Job], options: Options, *, force: bool) -> int:
    """Every file, one after another; a bad file does not stop the others."""
    first = jobs[0].outputs[0].path
    assert first is not None  # noqa: S101 - plan() gives several files a folder
    journal = Journal.open(first.parent, _run_key(options))
    outcomes = []
    for job in jobs:
        try:
            outcome = _interpret_one(job, options, journal=journal, force=force)
            if outcome.state == "done":
                click.echo(f"{job.name}: {_summary_line(outcome)}")
        except GenintError as problem:
            outcome = Outcome(job.name, "failed", error=problem)
            click.echo(f"genint: {problem}", err=True)
        outcomes.append(outcome)
    _print_table(outcomes)
    errors = [outcome.error for outcome in outcomes if outcome.error is not None]
    return max((error.exit_status for error in errors), default=0)


def _run_key(options: Options) -> str:
    """Digest of what besides the input decides a report; workers do not."""
    from genint.knowledge.catalogue import shipped_databases  # noqa: PLC0415 - lazy
    from genint.version import __version__  # noqa: PLC0415

    parts = (
        __version__,
        options.mode,
        options.phage,
        options.ignore_annotations,
        options.locus_tag_prefix,
        *(f"{item.name} {item.version} {item.sha256}" for item in shipped_databases()),
    )
    return digest("\n".join(map(str, parts)).encode())


def _interpret_one(
    job: Job, options: Options, *, journal: Journal | None = None, force: bool = False
) -> Outcome:
    """Read, interpret and write the reports of one file."""
    started = time.monotonic()
    payload = _read_input(job)
    if journal is not None and not force and journal.is_done(job, digest(payload)):
        return Outcome(job.name, "kept", place=_place(job))
    from genint.cli.rendering import interpret_payload, render  # noqa: PLC0415 - loads numpy

    filename = "stdin" if job.source is None else job.source.name
    with _progress(job.name) as report:
        summary = asyncio.run(interpret_payload(payload, filename, options, report))
    result, texts = render(summary, [output.format for output in job.outputs])
    for output, text in zip(job.outputs, texts, strict=True):
        if output.path is None:
            write_to_stdout(text)
        else:
            write_atomically(output.path, text)
    if journal is not None:
        journal.record(job, digest(payload))
    counts = result.summary
    _say_remarks(job.name, len(result.warnings), counts.total_genes)
    return Outcome(
        job.name,
        "done",
        counts=(
            counts.interpreted_genes,
            counts.total_genes,
            counts.high,
            counts.moderate,
            counts.low,
            counts.speculative,
            counts.dark,
        ),
        seconds=time.monotonic() - started,
        place=_place(job),
    )


def _say_remarks(name: str, remarks: int, genes: int) -> None:
    """What a user should know before opening the report, on standard error."""
    if remarks:
        what = "1 remark" if remarks == 1 else f"{remarks} remarks"
        click.echo(f"{name}: {what} on the input, see the report", err=True)
    if not genes:
        click.echo(f"{name}: no protein-coding gene was found", err=True)


def _read_input(job: Job) -> bytes:
    if job.source is None:
        return read_stdin()
    try:
        return job.source.read_bytes()
    except IsADirectoryError as cause:
        raise InputError(f"{job.source} is a folder; give a genome file") from cause
    except FileNotFoundError as cause:
        raise InputError(f"{job.source}: no such file") from cause
    except OSError as cause:
        raise InputError(f"{job.source}: {cause.strerror or cause}") from cause


def _place(job: Job) -> str:
    return ", ".join(
        "standard output" if output.path is None else str(output.path) for output in job.outputs
    )


def _progress(name: str) -> AbstractContextManager[Callable[[Progress], None] | None]:
    """Progress bars on standard error where somebody is looking, else nothing."""
    if not sys.stderr.isatty():
        return nullcontext(None)
    from genint.cli.progress import ProgressBars  # noqa: PLC0415 - rich costs 0.1 s

    return ProgressBars(name)


def _summary_line(outcome: Outcome) -> str:
    interpreted, total, high, moderate, low, speculative, dark = outcome.counts
    return (
        f"Interpreted {interpreted} of {total} genes in {outcome.seconds:.1f} s: {high} high, "
        f"{moderate} moderate, {low} low, {speculative} speculative, {dark} dark matter. "
        f"Report: {outcome.place}"
    )


def _print_table(outcomes: Sequence[Outcome]) -> None:
    """One line a file; plain text, so that a path is never broken or cut."""
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
    states = Counter(outcome.state for outcome in outcomes)
    click.echo(
        f"{len(outcomes)} files: {states['done']} done, {states['kept']} already there, "
        f"{states['failed']} failed"
    )
