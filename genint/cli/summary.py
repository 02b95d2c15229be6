"""``genint summary``: many results in, one table of genomes, families and dark genes out."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

import click

from genint.cli.output import result_stem, write_atomically
from genint.cli.report import read_result
from genint.errors import GenintError, InputError, UsageError
from genint.report.formats import report_name

if TYPE_CHECKING:
    from genint.report.summary.content import DarkGene, Family, GenomeSummary, Summary

_NAME: Final = "genint_summary"
_RESULTS: Final = ("*_report.json", "*_report.json.gz")
_SAME_RUN_S: Final = 5.0
"""Reports of one run are rendered first, then written within this time, in any order."""
_LINKED_FORMATS: Final = ("html", "md")
_COLLECT_EVERY: Final = 10
"""Results after which the garbage collector looks for cycles, which hold results in memory."""


@click.command()
@click.argument("results", nargs=-1, required=True, type=click.Path(), metavar="FOLDER|RESULT...")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Where to write the files [default: the folder of the results, else the current one].",
)
@click.option(
    "--identity",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.4,
    show_default=True,
    metavar="X",
    help="Least identity of dark proteins of a cluster with its longest, 0 to 1.",
)
@click.option(
    "--coverage",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.8,
    show_default=True,
    metavar="X",
    help="Least share of both proteins that is aligned, 0 to 1.",
)
def summary(
    *, results: tuple[str, ...], output: Path | None, identity: float, coverage: float
) -> int:
    """Summarise results (genint interpret --format json): files, plain or .gz, or folders of them.

    Writes genint_summary.tsv and .html (one genome a line), genint_families.Rtab and .tsv (which
    genome has which family), genint_dark_genes.tsv (dark genes in clusters), and two files
    ending in _mqc.json for MultiQC.
    """
    paths = _results_in(results)
    folder = output or _usual_folder(results)
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"-o {folder.name} is a file; give a folder")
    _refuse_overwriting(folder, paths)
    found, failed = _summarised(paths, folder, (identity, coverage))
    if not found.genomes:
        raise InputError("none of the results could be read")
    for name, render in _renderers().items():
        write_atomically(folder / name, render(found))
    for remark in found.remarks:
        click.echo(remark, err=True)
    click.echo(_closing_line(found, len(failed), folder))
    return max((problem.exit_status for problem in failed), default=0)


def _renderers() -> Mapping[str, Callable[[Summary], str]]:
    """Name of each file that is written -> what renders it."""
    from genint.report.summary import page, tables  # noqa: PLC0415 - loads Jinja

    return {
        f"{_NAME}.tsv": tables.render_tsv,
        f"{_NAME}.html": page.render_html,
        "genint_families.Rtab": tables.render_rtab,
        "genint_families.tsv": tables.render_families,
        "genint_dark_genes.tsv": tables.render_dark,
        "genint_genomes_mqc.json": tables.render_multiqc_table,
        "genint_levels_mqc.json": tables.render_multiqc_levels,
    }


def _results_in(given: Sequence[str]) -> tuple[Path, ...]:
    """Files as given, and results in folders by name.

    Raises:
        InputError: a folder holds no result.
    """
    paths: dict[Path, Path] = {}
    for path in map(Path, given):
        found = [path]
        if path.is_dir():
            found = sorted({one for pattern in _RESULTS for one in path.glob(pattern)})
            if not found:
                raise InputError(
                    f"{path}: no result ({report_name('NAME', 'json')}) is in this folder; "
                    "genint interpret --format json writes them"
                )
        for one in found:
            paths.setdefault(one.resolve(), one)
    return tuple(paths.values())


def _usual_folder(given: Sequence[str]) -> Path:
    """The folder of the results where only one is given, else the current one."""
    first = Path(given[0])
    return first if len(given) == 1 and first.is_dir() else Path()


def _refuse_overwriting(folder: Path, paths: Sequence[Path]) -> None:
    read = {path.resolve() for path in paths}
    for name in _renderers():
        if (folder / name).resolve() in read:
            raise UsageError(f"{name} is among the results, and would be overwritten")


def _summarised(
    paths: Sequence[Path], folder: Path, limits: tuple[float, float]
) -> tuple[Summary, list[GenintError]]:
    """Read all results, one at a time, and compare their dark genes; and what could not be read."""
    from genint.report.summary.content import (  # noqa: PLC0415 - loads pydantic
        label_of,
        summarise_result,
    )

    genomes: dict[str, GenomeSummary] = {}
    families: dict[str, Family] = {}
    dark: list[DarkGene] = []
    failed: list[GenintError] = []
    for number, path in enumerate(paths, start=1):
        label = _unlike(label_of(result_stem(path)), genomes)
        try:
            read = summarise_result(read_result(path), label, _link(path, folder))
        except GenintError as problem:
            click.echo(f"genint: {problem}", err=True)
            failed.append(problem)
            continue
        genomes[label] = read.genome
        families.update((family.accession, family) for family in read.families)
        dark += read.dark
        if number % _COLLECT_EVERY == 0:
            gc.collect()
    return _clustered(tuple(genomes.values()), families, dark, limits), failed


def _clustered(
    genomes: tuple[GenomeSummary, ...],
    families: Mapping[str, Family],
    dark: Sequence[DarkGene],
    limits: tuple[float, float],
) -> Summary:
    """The summary, with the dark genes in clusters."""
    from genint.report.summary.content import (  # noqa: PLC0415 - loads pydantic
        ClusterLimits,
        Summary,
        dark_clusters,
    )
    from genint.sources.similarity.clusters import (  # noqa: PLC0415 - loads numpy
        Limits,
        cluster_proteins,
    )

    chosen = Limits(*limits)
    comparable = [gene for gene in dark if gene.residues]
    members = cluster_proteins([gene.residues for gene in comparable], chosen)
    clusters = dark_clusters(comparable, members)
    without = len(dark) - len(comparable)
    return Summary(genomes, families, clusters, ClusterLimits(*chosen), without)


def _unlike(stem: str, taken: Mapping[str, object]) -> str:
    """A name that no other genome has."""
    label, number = stem, 1
    while label in taken:
        number += 1
        label = f"{stem}_{number}"
    return label


def _link(path: Path, folder: Path) -> str | None:
    """Relative path of the report beside a result, for links; None where there is none.

    A report that is older than the result is of an earlier run.
    """
    stem = result_stem(path)
    for name in _LINKED_FORMATS:
        report = path.with_name(report_name(stem, name))
        if report.is_file() and report.stat().st_mtime > path.stat().st_mtime - _SAME_RUN_S:
            return quote(os.path.relpath(report.resolve(), folder.resolve()))
    return None


def _closing_line(found: Summary, failed: int, folder: Path) -> str:
    from genint.report.summary.page import headline  # noqa: PLC0415 - loads Jinja

    genomes = len(found.genomes)
    counted = f"{genomes:,} genome{'' if genomes == 1 else 's'}"
    unread = f", {failed:,} could not be read" if failed else ""
    shared = len(found.shared_clusters)
    clusters = "cluster of dark genes is" if shared == 1 else "clusters of dark genes are"
    return (
        f"Summarised {counted}{unread}. {headline(found)} {shared:,} {clusters} in "
        f"several genomes. Page: {folder / _NAME}.html"
    )
