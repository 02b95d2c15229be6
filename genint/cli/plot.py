"""``genint plot``: results in, figures for papers out."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import click

from genint.cli.journal import Journal, Origin, digest
from genint.cli.output import (
    STANDARD_STREAM,
    Job,
    Outcome,
    OutputRequest,
    finish_all,
    output_option,
    plan,
    read_input,
    result_stem,
    write_atomically,
    write_to_stdout,
)
from genint.cli.report import read_result
from genint.errors import UsageError
from genint.report.formats import (
    FIGURE_DPI,
    FIGURE_DPI_RANGE,
    FIGURE_FORMATS,
    FIGURE_LAYOUTS,
    MOST_COMPARED,
    require_plot_extra,
)
from genint.version import __version__

if TYPE_CHECKING:
    from genint.report.figures.render import DrawnFigure
    from genint.report.result import GenintResult

_MAX_WORKERS: Final = 4
_NAMED_GENOMES: Final = 3


class _Options(NamedTuple):
    """What the user chose for every figure of the run."""

    layout: str
    labels: tuple[str, ...]
    title: str | None
    dpi: int


@click.command()
@click.argument("results", nargs=-1, required=True, type=click.Path(), metavar="RESULT...")
@click.option(
    "--format",
    "formats",
    multiple=True,
    default=("svg",),
    show_default=True,
    type=click.Choice(tuple(FIGURE_FORMATS)),
    help="Format of the figure; may be given several times.",
)
@click.option(
    "--layout",
    type=click.Choice(FIGURE_LAYOUTS),
    help="circular: one round map; linear: lines under one another [default: circular].",
)
@click.option(
    "--compare",
    is_flag=True,
    help="One figure of all genomes, with links between genes whose proteins are alike.",
)
@click.option(
    "--rotate-linear",
    is_flag=True,
    help="With --compare: cut linear genomes open too, as circular ones are, where their genes "
    "agree best (permuted phages, prophages).",
)
@click.option(
    "--label",
    "labels",
    multiple=True,
    metavar="WORD",
    help="Label genes with this word in their function or name before all others; may be given "
    "several times.",
)
@click.option(
    "--title",
    metavar="TEXT",
    help="Title of the figure [default: the name of the genome; of comparisons none].",
)
@click.option(
    "--dpi",
    type=click.IntRange(FIGURE_DPI_RANGE[0], FIGURE_DPI_RANGE[-1]),
    help=f"Dots per inch of --format png [default: {FIGURE_DPI}].",
)
@output_option
@click.option(
    "--workers",
    type=click.IntRange(1, _MAX_WORKERS),
    default=lambda: min(_MAX_WORKERS, os.cpu_count() or 1),
    show_default="cores, at most 4",
    help="Parallel processes of --compare.",
)
@click.option("--force", is_flag=True, help="Redo figures that are already there.")
def plot(  # noqa: PLR0913 - click passes every option by name
    *,
    results: tuple[str, ...],
    formats: tuple[str, ...],
    layout: str | None,
    compare: bool,
    rotate_linear: bool,
    labels: tuple[str, ...],
    title: str | None,
    dpi: int | None,
    output: str | None,
    workers: int,
    force: bool,
) -> int:
    """Draw results (genint interpret --format json) for papers; plain, .gz, or - for stdin.

    Each RESULT <name>_report.json gives <name>_circular.svg in the current folder, unless -o
    says otherwise. Several results end in a table; started again, only what is missing is
    drawn. With --compare they give one figure. Needs pip install "genint[plot]".
    """
    require_plot_extra()
    if dpi is not None and "png" not in formats:
        raise UsageError("--dpi is for --format png; svg and pdf are sharp at any size")
    wanted = OutputRequest(tuple(dict.fromkeys(formats)), output)
    options = _Options(layout or FIGURE_LAYOUTS[0], labels, title, dpi or FIGURE_DPI)
    if compare:
        if layout is not None:
            raise UsageError("--layout is for single genomes; a comparison is always linear")
        return _compare(results, wanted, options, workers=workers, rotate_linear=rotate_linear)
    if rotate_linear:
        raise UsageError("--rotate-linear needs --compare")
    if title is not None and len(results) > 1:
        raise UsageError("--title is for one figure: give one RESULT, or --compare")
    name = partial(_file_name, kind=options.layout)
    jobs = plan(results, wanted, stem=result_stem, file_name=name)
    journal = None
    first = jobs[0].outputs[0].path
    if len(jobs) > 1 and first is not None:  # several results always go to a folder
        journal = Journal.open(first.parent)
    return finish_all(jobs, "", partial(_plot_one, options=options, journal=journal, force=force))


def _file_name(stem: str, name: str, *, kind: str) -> str:
    return f"{stem}_{kind}.{name}"


def _settings(options: _Options) -> Mapping[str, str]:
    """What besides the result decides a figure."""
    packages = ("matplotlib", "pycirclize", "pygenomeviz")
    return {
        "version of genint": __version__,
        "options": str(options),
        "libraries": ", ".join(f"{name} {version(name)}" for name in packages),
    }


def _plot_one(job: Job, *, options: _Options, journal: Journal | None, force: bool) -> Outcome:
    """Read one result and write its figure."""
    from genint.report.figures.render import draw_genome  # noqa: PLC0415 - loads pydantic

    started = time.monotonic()
    origin = None
    if journal is not None and job.source is not None:
        origin = Origin(digest(read_input(job.source)), _settings(options))
    if journal is not None and origin and not force and journal.is_done(job, origin):
        return Outcome(job.name, "kept", place=job.place)
    result = read_result(job.source)
    formats = [one.format for one in job.outputs]
    drawn = draw_genome(result, formats, **options._asdict())
    _write(job, drawn, job.name)
    if journal is not None and origin is not None:
        journal.record(job, origin)
    deed = f"Drew {len(result.genes):,} genes with {drawn.labels} labels"
    return _done(job, result, started, deed)


def _write(job: Job, drawn: DrawnFigure, name: str) -> None:
    """Write the files; ``name`` is of what is drawn, for remarks."""
    for output in job.outputs:
        content = drawn.files[output.format]
        further = drawn.further.get(output.format, ())
        if output.path is None:
            write_to_stdout(content)
            if further:
                only = f"this is page 1 of {len(further) + 1}; --format pdf has all in one file"
                click.echo(f"{name}: {only}", err=True)
            continue
        write_atomically(output.path, content)
        for number, page in enumerate(further, start=2):
            write_atomically(_page_path(output.path, number), page)
        if further:
            last = _page_path(output.path, len(further) + 1).name
            click.echo(f"{name}: {len(further) + 1} pages, to {last}", err=True)
        if (older := _page_path(output.path, len(further) + 2)).exists():
            click.echo(f"{name}: {older.name} is no page of this figure", err=True)
    for note in drawn.notes:
        click.echo(f"{name}: {note}", err=True)


def _page_path(path: Path, number: int) -> Path:
    return path.with_name(f"{path.stem}_{number}{path.suffix}")


def _done(job: Job, result: GenintResult, started: float, deed: str) -> Outcome:
    return replace(Outcome.done(job, result, time.monotonic() - started), deed=deed)


def _compare(
    results: Sequence[str],
    wanted: OutputRequest,
    options: _Options,
    *,
    workers: int,
    rotate_linear: bool,
) -> int:
    """One figure of all results."""
    if not 2 <= len(results) <= MOST_COMPARED:  # noqa: PLR2004 - a comparison
        raise UsageError(f"--compare takes 2 to {MOST_COMPARED} results, not {len(results)}")
    if results.count(STANDARD_STREAM) > 1:
        raise UsageError("standard input (-) can be read only once")
    paths = [None if one == STANDARD_STREAM else Path(one) for one in results]
    stem = _joined([result_stem(path) for path in paths])
    (job,) = plan(
        results[:1],
        wanted,
        stem=lambda _: stem,
        others=[path for path in paths[1:] if path is not None],
        file_name=partial(_file_name, kind="comparison"),
    )
    draw = partial(_compare_all, paths, options=options, workers=workers, rotate=rotate_linear)
    return finish_all([job], "", draw)


def _joined(stems: Sequence[str]) -> str:
    if len(stems) <= _NAMED_GENOMES:
        return "_vs_".join(stems)
    return f"{stems[0]}_vs_{len(stems) - 1}_others"


def _compare_all(
    paths: Sequence[Path | None],
    job: Job,
    *,
    options: _Options,
    workers: int,
    rotate: bool,
) -> Outcome:
    from genint.pipeline.related_genes import related_genes  # noqa: PLC0415 - loads pydantic
    from genint.report.figures.render import draw_comparison_of  # noqa: PLC0415

    started = time.monotonic()
    results = [read_result(path) for path in paths]
    links = asyncio.run(related_genes(results, workers=workers))
    formats = [one.format for one in job.outputs]
    drawn = draw_comparison_of(
        results,
        links,
        formats,
        labels=options.labels,
        rotate_linear=rotate,
        title=options.title,
        dpi=options.dpi,
    )
    _write(job, drawn, "comparison")  # remarks are on any of the genomes
    count = sum(map(len, links))
    return _done(job, results[0], started, f"Drew {len(results)} genomes with {count:,} links")
