"""The summary of many results as a page that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from jinja2 import Template
from markupsafe import Markup

from genint.report.summary.content import DarkCluster, GenomeSummary, Summary
from genint.report.summary.tables import COLUMNS, Column, text_of
from genint.report.templates import content_hash, template_environment

_HERE: Final = Path(__file__).parent
_LEVELS: Final = ("high", "moderate", "low", "speculative", "dark")
_MOST_CLUSTERS: Final = 500
"""On the page; the table of dark genes has all."""
_MOST_GENES: Final = 200
"""Of a cluster that the page names."""


def render_html(summary: Summary) -> str:
    """Genomes, with links to their reports, and dark genes that recur; columns can be sorted.

    Cost: 3 kB a genome.
    """
    style = (_HERE / "summary.css").read_text(encoding="utf-8")
    script = (_HERE / "summary.js").read_text(encoding="utf-8")
    return _template().render(
        summary=summary,
        columns=[column for column in COLUMNS if not column.is_hidden],
        clusters=summary.shared_clusters[:_MOST_CLUSTERS],
        headline=headline(summary),
        dark_text=_dark_text(summary),
        levels=_LEVELS,
        method=_method(summary),
        style=Markup(style),  # noqa: S704 - files of ours
        script=Markup(script),  # noqa: S704
        policy=f"default-src 'none'; style-src '{content_hash(style)}'; "
        f"script-src '{content_hash(script)}'; base-uri 'none'; form-action 'none'",
    )


def headline(summary: Summary) -> str:
    """How many genes of how many bases were interpreted, in a sentence."""
    counts = [genome.counts for genome in summary.genomes]
    genes = sum(one.total_genes for one in counts)
    interpreted = sum(one.interpreted_genes for one in counts)
    bases = sum(genome.length_bp for genome in summary.genomes)
    dark = sum(one.dark for one in counts)
    return (
        f"{_count(genes, 'gene')} on {bases:,} bp: {interpreted:,} interpreted, {dark:,} dark; "
        f"{len(summary.genomes_by_family):,} families of genint and Pfam."
    )


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _dark_text(summary: Summary) -> str:
    genes = sum(len(cluster.genes) for cluster in summary.clusters)
    shared = summary.shared_clusters
    if not shared:
        return f"None of the {_count(genes, 'dark gene')} is like one of another genome."
    more = ""
    if len(shared) > _MOST_CLUSTERS:
        more = (
            f" The first {_MOST_CLUSTERS:,} are shown, the others are in the table of dark genes."
        )
    return (
        f"{_count(genes, 'dark gene')} fall into {_count(len(summary.clusters), 'cluster')}, "
        f"{len(shared):,} of them with genes of several genomes, the most widespread first.{more}"
    )


def _method(summary: Summary) -> str:
    limits = summary.limits
    return (
        "A dark gene is in a cluster where its protein is at least "
        f"{limits.identity:.0%} identical with that of the cluster's longest gene, over at least "
        f"{limits.coverage:.0%} of both (Smith-Waterman, BLOSUM62, E-value at most "
        f"{limits.evalue:g})."
    )


def _share(count: int, genome: GenomeSummary) -> float:
    total = genome.counts.total_genes
    return round(100 * count / total, 2) if total else 0.0


def _bars(genome: GenomeSummary) -> Iterator[tuple[str, float, float]]:
    """Level, start and width of each part of a bar that is 100 wide."""
    start = 0.0
    for level in _LEVELS:
        width = _share(getattr(genome.counts, level), genome)
        yield level, round(start, 2), width
        start += width


def _levels_text(genome: GenomeSummary) -> str:
    return ", ".join(f"{getattr(genome.counts, level):,} {level}" for level in _LEVELS)


def _number_of(column: Column, genome: GenomeSummary) -> str:
    value = column.cell(genome)
    if value is None or isinstance(value, str):
        return value or ""
    return f"{value:,.{column.decimals or 0}f}"


def _least_identity(cluster: DarkCluster) -> str:
    return f"{100 * min(identity for _, identity, _ in cluster.genes):.0f}"


def _genes_text(cluster: DarkCluster) -> str:
    named = [f"{gene.genome}: {gene.id}" for gene, *_ in cluster.genes[:_MOST_GENES]]
    more = len(cluster.genes) - len(named)
    return "; ".join(named) + (f"; and {more:,} more" if more else "")


@cache
def _template() -> Template:
    environment = template_environment(_HERE)
    environment.globals |= {
        "bars": _bars,
        "count": _count,
        "genes_text": _genes_text,
        "least_identity": _least_identity,
        "levels_text": _levels_text,
        "number_of": _number_of,
        "share": _share,
        "value_of": text_of,
    }
    return environment.get_template("summary.html")
