"""The summary of many results as tables: TSV, Rtab, and custom content of MultiQC."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, NamedTuple

from genint.report.summary.content import GenomeSummary, Summary
from genint.report.tsv import formula_safe
from genint.report.wording import shown_text

Cell = str | int | float | None


class Column(NamedTuple):
    """A column of the table of genomes.

    Attributes:
        name: In files.
        title: For people.
        meaning: In a sentence.
        cell: Its value for a genome.
        decimals: Of its numbers; None for text.
        is_hidden: MultiQC shows it on request only.
    """

    name: str
    title: str
    meaning: str
    cell: Callable[[GenomeSummary], Cell]
    decimals: int | None = 0
    is_hidden: bool = False


def _dark_percent(genome: GenomeSummary) -> float | None:
    total = genome.counts.total_genes
    return 100 * genome.counts.dark / total if total else None


COLUMNS: Final = (
    Column("genome", "Genome", "Name of the result.", lambda one: one.label, None),
    Column("file", "File", "File that was interpreted.", lambda one: one.file, None, True),
    Column("kind", "Taken for", "Kind that its genes speak for.", lambda one: one.kind, None),
    Column("records", "Records", "Records of the file.", lambda one: one.records, is_hidden=True),
    Column("length_bp", "Length (bp)", "Bases of all records.", lambda one: one.length_bp),
    Column("gc_percent", "GC (%)", "G and C among the known bases.", lambda one: one.gc_percent, 1),
    Column("genes", "Genes", "Protein-coding genes.", lambda one: one.counts.total_genes),
    Column("high", "High", "Genes of level HIGH.", lambda one: one.counts.high),
    Column("moderate", "Moderate", "Genes of level MODERATE.", lambda one: one.counts.moderate),
    Column("low", "Low", "Genes of level LOW.", lambda one: one.counts.low),
    Column(
        "speculative",
        "Speculative",
        "Genes of level SPECULATIVE.",
        lambda one: one.counts.speculative,
    ),
    Column("dark", "Dark", "Genes without a function.", lambda one: one.counts.dark),
    Column("dark_percent", "Dark (%)", "Dark genes among all genes.", _dark_percent, 1),
    Column(
        "file_only",
        "File's name only",
        "Genes whose function only repeats the name in the file.",
        lambda one: one.counts.file_only_genes,
        is_hidden=True,
    ),
    Column("trna", "tRNA", "tRNA genes.", lambda one: one.trna_genes),
    Column(
        "rna", "RNA genes", "RNA genes, tRNA included.", lambda one: one.rna_genes, is_hidden=True
    ),
    Column(
        "crispr_arrays",
        "CRISPR arrays",
        "CRISPR arrays.",
        lambda one: one.crispr_arrays,
        is_hidden=True,
    ),
    Column("warnings", "Remarks", "Remarks on the input.", lambda one: len(one.warnings)),
    Column("mode", "Mode", "What was searched.", lambda one: one.mode, None, True),
    Column("genint", "genint", "Version.", lambda one: one.genint_version, None, True),
    Column("lifestyle", "Lifestyle", "Of phages.", lambda one: one.lifestyle, None),
    Column("completeness", "Completeness", "Of phages.", lambda one: one.completeness, None, True),
    Column("host", "Host", "Where it can be determined.", lambda one: one.host, None, True),
    Column("prophages", "Prophages", "Prophage regions.", lambda one: one.prophages),
    Column("safety", "Safety panel", "What the safety panel found.", lambda one: one.safety, None),
)
"""Of the table of genomes. New ones come behind these."""


def text_of(column: Column, genome: GenomeSummary) -> str:
    """A cell as text; empty where it is not known."""
    value = column.cell(genome)
    if isinstance(value, float) and column.decimals is not None:
        return f"{value:.{column.decimals}f}"
    return "" if value is None else str(value)


def render_tsv(summary: Summary) -> str:
    """One genome a line; the last column holds the texts of the remarks."""
    header = (*(column.name for column in COLUMNS), "warning_texts")
    rows = (
        (*(text_of(column, one) for column in COLUMNS), " | ".join(one.warnings))
        for one in summary.genomes
    )
    return _table(header, rows)


DARK_COLUMNS: Final = (
    "cluster genomes genes genome gene record start end strand length_aa is_representative "
    "identity coverage rank"
).split()


def render_dark(summary: Summary) -> str:
    """One dark gene a line, in the order of their clusters."""
    return _table(DARK_COLUMNS, _dark_rows(summary))


def _dark_rows(summary: Summary) -> Iterator[tuple[str, ...]]:
    for cluster in summary.clusters:
        counts = (cluster.id, str(cluster.genomes), str(len(cluster.genes)))
        for number, (gene, identity, coverage) in enumerate(cluster.genes):
            place = (gene.record, str(gene.start), str(gene.end), gene.strand)
            similar = ("no" if number else "yes", f"{identity:.3f}", f"{coverage:.3f}")
            rank = "" if gene.rank is None else str(gene.rank)
            length = str(len(gene.residues))
            yield (*counts, gene.genome, gene.id, *place, length, *similar, rank)


FAMILY_COLUMNS: Final = ("family", "source", "name", "genomes", "genes")


def render_families(summary: Summary) -> str:
    """One family a line: what the rows of the matrix are."""
    genes: dict[str, int] = {}
    for genome in summary.genomes:
        for name, count in genome.genes_by_family.items():
            genes[name] = genes.get(name, 0) + count
    rows = (
        (*summary.families[name], str(genomes), str(genes[name]))
        for name, genomes in summary.genomes_by_family.items()
    )
    return _table(FAMILY_COLUMNS, rows)


def render_rtab(summary: Summary) -> str:
    """Presence (1) and absence (0) of families, one a line, one genome a column.

    The form of ``gene_presence_absence.Rtab`` of Roary, which Scoary, Panaroo's tools and R read.
    """
    genomes = summary.genomes
    rows = (
        (name, *("1" if name in one.genes_by_family else "0" for one in genomes))
        for name in summary.genomes_by_family
    )
    return _table(("Gene", *(one.label for one in genomes)), rows)


def _table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = ["\t".join(map(_written, header))]
    lines += ["\t".join(map(_written, row)) for row in rows]
    return "\n".join(lines) + "\n"


def _written(cell: str) -> str:
    """A cell, or the name of a genome, as all tables have it."""
    return formula_safe(shown_text(cell))


MULTIQC_ID: Final = "genint"
_LEVELS: Final = {
    "high": ("High", "#0b4f8a"),
    "moderate": ("Moderate", "#00765a"),
    "low": ("Low", "#b98314"),
    "speculative": ("Speculative", "#a8431a"),
    "dark": ("Dark", "#c3ccd4"),
}


def render_multiqc_table(summary: Summary) -> str:
    """The table of genomes for MultiQC: custom content of the kind ``table``."""
    shown = COLUMNS[1:]  # the first is the name of the sample
    content = {
        "id": f"{MULTIQC_ID}_genomes",
        "parent_id": MULTIQC_ID,
        "parent_name": "genint",
        "parent_description": "interprets phage and bacterial genes.",
        "section_name": "Genomes",
        "description": "Genes of each genome by level of confidence.",
        "plot_type": "table",
        "pconfig": {
            "id": f"{MULTIQC_ID}_genomes_table",
            "title": "genint: genomes",
            "col1_header": COLUMNS[0].title,
        },
        "headers": {column.name: _multiqc_header(column) for column in shown},
        "data": {
            one.label: {
                column.name: _multiqc_value(column, one)
                for column in shown
                if column.cell(one) is not None
            }
            for one in summary.genomes
        },
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _multiqc_header(column: Column) -> dict[str, Any]:
    header: dict[str, Any] = {"title": column.title, "description": column.meaning}
    if column.decimals is None:
        header["scale"] = False
    else:
        header |= {"format": f"{{:,.{column.decimals}f}}", "min": 0}
    return header | ({"hidden": True} if column.is_hidden else {})


def _multiqc_value(column: Column, genome: GenomeSummary) -> Cell:
    value = column.cell(genome)
    return shown_text(str(value)) if column.decimals is None else value


def render_multiqc_levels(summary: Summary) -> str:
    """Levels of each genome as bars for MultiQC: custom content of the kind ``bargraph``."""
    by_name = {column.name: column for column in COLUMNS}
    content = {
        "id": f"{MULTIQC_ID}_levels",
        "parent_id": MULTIQC_ID,
        "parent_name": "genint",
        "section_name": "Levels",
        "description": "Genes by level of confidence; dark genes have no known function.",
        "plot_type": "bargraph",
        "pconfig": {
            "id": f"{MULTIQC_ID}_levels_plot",
            "title": "genint: genes by level",
            "ylab": "Genes",
        },
        "categories": {
            name: {"name": title, "color": colour} for name, (title, colour) in _LEVELS.items()
        },
        "data": {
            one.label: {name: by_name[name].cell(one) for name in _LEVELS}
            for one in summary.genomes
        },
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"
