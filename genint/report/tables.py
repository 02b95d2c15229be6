"""Tables for people: a dozen columns as TSV, the same and more as a workbook, counts as text.

Columns of the short table have the names that Bakta gives them, and then what only genint has:
level, score, basis and category. Everything else is in the long table (``--format tsv``).
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Final, NamedTuple

from genint.model.vocabulary import Category
from genint.report.audit import audit_lines
from genint.report.fasta import product_of
from genint.report.gff3 import unrolled
from genint.report.insdc import cross_references
from genint.report.overview import overviews, role_text
from genint.report.result import CrisprArrayItem, GeneItem, GenintResult, RnaGeneItem
from genint.report.result_overview import GenomeStatementItem
from genint.report.summaries import headline
from genint.report.tsv import COLUMNS, Cell, found_cells, table_rows, written
from genint.report.wording import search_text, shown_text

if TYPE_CHECKING:
    from xlsxwriter import Workbook
    from xlsxwriter.worksheet import Worksheet

SHORT_COLUMNS: Final = (
    ("Sequence Id", "id of the record (contig)"),
    ("Type", "CDS, pseudogene, tRNA, rRNA, ..., CRISPR"),
    ("Start", "first base, 1-based"),
    ("Stop", "last base; smaller than Start over the origin"),
    ("Strand", "+ or -"),
    ("Locus Tag", "id of the gene, unique in the genome"),
    ("Gene", "gene symbol"),
    ("Product", "product of the file, else a name that is sure enough, else hypothetical protein"),
    ("Function", "the leading hypothesis, however sure"),
    ("Confidence", "level of the hypothesis; NONE is dark"),
    ("Score", "estimated probability that the hypothesis holds, 0..1; 0 where dark"),
    ("Basis", "evidence: supported beyond the file; file: only the file names it"),
    ("Category", "functional category"),
    ("DbXrefs", "cross-references, joined by a comma"),
)
"""Columns of the short table with their meaning."""

STATEMENT_COLUMNS: Final = (
    ("record", "id of the record"),
    ("topic", "what the statement is about: lifestyle, module, prophage, ..."),
    ("subject", "what is judged, such as `lysis` of the modules"),
    ("value", "the answer in a word or two"),
    ("outcome", "`found`, `not found` (by what was searched) or `cannot tell`"),
    ("probability", "that the statement is right, 0..1; empty where it was not measured"),
    ("right_of_judged", "of such statements on left-out genomes, those that held"),
    ("start", "first base of the stretch that it is about, 1-based; empty: the record"),
    ("end", "its last base; smaller than start over the origin"),
    ("statement", "the answer as a sentence"),
    ("genes", "what it rests on: `gene (role, level)`, joined by `; `"),
    ("missing", "what was expected and not recognised, joined by `; `"),
    ("reasoning", "steps, joined by ` | `"),
    ("searched", "with what was searched, joined by `; `"),
    ("uncertainties", "what speaks against it or was not looked at, joined by ` | `"),
    ("part_of", "what it is a part of, such as `prophage 3`; empty: the record"),
)
"""Columns of the table of statements."""

_MOST_CELL: Final = 32_767
"""Characters that a cell of a workbook may have."""
_NO_DATE: Final = datetime(1980, 1, 1, tzinfo=UTC)
"""Of workbooks of runs without a date: the same result gives the same file."""
_WIDTHS: Final = (8, 60)
"""Least and greatest width of a column, in characters."""


class Sheet(NamedTuple):
    """One topic of a workbook: a header and rows of as many cells."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def render_short_tsv(result: GenintResult) -> str:
    """All genes, RNA genes and CRISPR arrays in a dozen columns; rules of cells as in the TSV."""
    header = "\t".join(name for name, _ in SHORT_COLUMNS)
    lines = ("\t".join(map(written, row)) for row in _short_rows(result))
    return "\n".join((header, *lines, ""))


def statement_rows(result: GenintResult) -> Iterator[tuple[Cell, ...]]:
    """The cells of the table of statements, below its header."""
    for one in result.overview:
        yield _statement_row(one)
        yield from (_statement_row(part, one.subject) for part in one.parts)


def _statement_row(one: GenomeStatementItem, part_of: str = "") -> tuple[Cell, ...]:
    return (
        *(one.record, one.topic, one.subject, one.value, one.outcome, one.probability),
        f"{one.right} of {one.judged}" if one.judged else None,
        *(one.start, one.end, one.text),
        "; ".join(map(role_text, one.genes)),
        "; ".join(one.missing),
        " | ".join(one.reasoning),
        "; ".join(one.searched),
        " | ".join(one.uncertainties),
        part_of,
    )


def render_overview(result: GenintResult) -> str:
    """One statement a line, as TSV; rules of cells as in the table of genes."""
    header = "\t".join(name for name, _ in STATEMENT_COLUMNS)
    lines = ("\t".join(map(written, row)) for row in statement_rows(result))
    return "\n".join((header, *lines, ""))


def render_summary(result: GenintResult) -> str:
    """Counts of the genome as ``name: value`` lines, as Bakta's ``summary.txt`` has them."""
    return "".join(f"{name}: {written(value)}\n" for name, value in _counts(result))


def render_xlsx(result: GenintResult) -> bytes:
    """A workbook: summary, genome, genes, RNA, evidence, dark genes, audit, records, what was used.

    Text is never a formula or a link. Cost: about 1 ms a gene.
    """
    from xlsxwriter import Workbook  # noqa: PLC0415 - for this format alone

    stream = io.BytesIO()
    options = {
        "in_memory": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
    }
    with Workbook(stream, options) as book:
        book.set_properties({"created": _made(result), "title": shown_text(result.input.filename)})
        for sheet in sheets_of(result):
            _write(book, sheet)
    return stream.getvalue()


def _made(result: GenintResult) -> datetime:
    day = result.parameters.date
    return _NO_DATE if day is None else datetime(day.year, day.month, day.day, tzinfo=UTC)


def sheets_of(result: GenintResult) -> tuple[Sheet, ...]:
    """The topics of a workbook; those without rows have their header only."""
    return (
        Sheet("Summary", ("", "Value"), _counts(result)),
        Sheet(
            "Overview", tuple(name for name, _ in STATEMENT_COLUMNS), tuple(statement_rows(result))
        ),
        Sheet("Genes", tuple(n for n, _ in SHORT_COLUMNS), tuple(_short_rows(result))),
        _found_sheet(result),
        _long_sheet(result),
        _evidence_sheet(result.genes),
        _dark_sheet(result.genes),
        _audit_sheet(result),
        _records_sheet(result),
        _used_sheet(result),
    )


def _short_rows(result: GenintResult) -> Iterator[tuple[Cell, ...]]:
    order = {record.id: at for at, record in enumerate(result.records)}
    every: tuple[GeneItem | RnaGeneItem | CrisprArrayItem, ...] = (
        *result.genes,
        *result.rna_genes,
        *result.crispr_arrays,
    )
    for item in sorted(every, key=lambda one: (order[one.record], one.start)):
        match item:
            case GeneItem():
                yield _gene_row(item)
            case RnaGeneItem():
                yield _other_row(item, item.kind, item.strand, product_of(item))
            case CrisprArrayItem():
                yield _other_row(item, "CRISPR", None, f"CRISPR array, {item.repeats} repeats")


def _gene_row(gene: GeneItem) -> tuple[Cell, ...]:
    return (
        gene.record,
        "pseudogene" if gene.pseudo else "CDS",
        gene.start,
        gene.end,
        gene.strand,
        gene.id,
        None if gene.name == gene.id else gene.name,
        product_of(gene),
        gene.function,
        gene.confidence,
        gene.score,
        gene.basis,
        gene.category,
        ", ".join(cross_references(gene)),
    )


def _other_row(
    item: RnaGeneItem | CrisprArrayItem, kind: str, strand: str | None, product: str
) -> tuple[Cell, ...]:
    symbol = item.name if isinstance(item, RnaGeneItem) else None
    place = (item.record, kind, item.start, item.end, strand, item.id, symbol, product)
    return (*place, *(None for _ in SHORT_COLUMNS[len(place) :]))


def _counts(result: GenintResult) -> tuple[tuple[str, Cell], ...]:
    counts, records = result.summary, result.records
    bases = "".join(record.sequence or "" for record in records)
    known = len(bases) - bases.count("N")
    length = sum(record.length for record in records)
    gc = (bases.count("G") + bases.count("C")) / known if known else None
    rna = [(f"{kind}s", count) for kind, count in sorted(_rna_counts(result).items())]
    return (
        ("File", result.input.filename),
        ("Result", headline(counts)),
        *_overview_lines(result),
        ("Length", length),
        ("Records", len(records)),
        ("GC", None if gc is None else round(100 * gc, 1)),
        ("N50", _n50([record.length for record in records])),
        ("Coding density", round(100 * _coding_bp(result) / length, 1) if length else None),
        ("CDSs", sum(not gene.pseudo for gene in result.genes)),
        ("pseudogenes", sum(gene.pseudo for gene in result.genes)),
        *rna,
        ("RNA pseudogenes", sum(rna.pseudo for rna in result.rna_genes)),
        ("CRISPR arrays", len(result.crispr_arrays)),
        ("interpreted", counts.interpreted_genes),
        ("supported by evidence", counts.supported_genes),
        ("named by the file only", counts.file_only_genes),
        ("HIGH", counts.high),
        ("MODERATE", counts.moderate),
        ("LOW", counts.low),
        ("SPECULATIVE", counts.speculative),
        ("dark", counts.dark),
        *((f"Category {name}", count) for name, count in _category_counts(result)),
        ("Mode", result.parameters.mode),
        ("genint", result.genint_version),
        *((f"Database {one.name}", one.version) for one in result.databases),
    )


def _overview_lines(result: GenintResult) -> Iterator[tuple[str, Cell]]:
    """Topics with an answer of a word or two; each record's where there are several."""
    for found in overviews(result):
        said = found.line or found.kind
        if said:
            name = "Genome" if len(result.records) == 1 else f"Record {found.record.id}"
            yield name, said


def _category_counts(result: GenintResult) -> Iterator[tuple[Category, int]]:
    """Genes of each functional category, also of those that no gene has; they add up to all."""
    found = Counter(gene.category or Category.UNKNOWN for gene in result.genes)
    return ((category, found[category]) for category in Category)


def _rna_counts(result: GenintResult) -> dict[str, int]:
    kinds = [rna.kind for rna in result.rna_genes if not rna.pseudo]
    return {kind: kinds.count(kind) for kind in {"tRNA", "tmRNA", "rRNA", "ncRNA", *kinds}}


def _coding_bp(result: GenintResult) -> int:
    """Bases that lie in a gene; those in several count once."""
    covered = {record.id: bytearray(record.length) for record in result.records}
    for gene in result.genes:
        bases = covered[gene.record]
        first, last = unrolled(gene.start, gene.end, len(bases))
        over = max(last - len(bases), 0)  # behind the origin
        bases[first - 1 : last] = b"\1" * (last - over - first + 1)
        bases[:over] = b"\1" * over
    return sum(map(sum, covered.values()))


def _n50(lengths: Sequence[int]) -> int:
    """Length of the record with which half of the bases are reached, the longest first."""
    reached, half = 0, sum(lengths) / 2
    for length in sorted(lengths, reverse=True):
        reached += length
        if reached >= half:
            return length
    return 0


def _long_sheet(result: GenintResult) -> Sheet:
    """What the long table (``--format tsv``) has."""
    columns = tuple(column.name for column in COLUMNS)
    return Sheet("All columns", columns, tuple(table_rows(result)))


_FOUND_COLUMNS: Final = (
    *("record", "type", "id", "start", "end", "strand", "product", "anticodon", "partial"),
    *("pseudo", "found_by", "found_score", "found_score_unit", "found_model", "found_note"),
)


def _found_sheet(result: GenintResult) -> Sheet:
    rows = (tuple(cells.get(name) for name in _FOUND_COLUMNS) for cells in found_cells(result))
    return Sheet("RNA and CRISPR", _FOUND_COLUMNS, tuple(rows))


_EVIDENCE_COLUMNS: Final = (
    *("Gene", "Source", "Type", "Says", "Accession", "E-value", "Score", "Score unit"),
    *("Coverage", "Coverage of the reference", "Identity", "Probability", "Database"),
)


def _evidence_sheet(genes: Iterable[GeneItem]) -> Sheet:
    rows = (
        (
            *(gene.id, item.source, item.type, item.label, item.accession),
            *(item.evalue, item.bits, None if item.bits is None else "bits"),
            *(item.coverage, item.target_coverage),
            *(item.similar.identity if item.similar else None, item.conf, item.database),
        )
        for gene in genes
        for item in gene.evidence
    )
    return Sheet("Evidence", _EVIDENCE_COLUMNS, tuple(rows))


def _dark_sheet(genes: Iterable[GeneItem]) -> Sheet:
    columns = ("Rank", "Gene", "Length (aa)", "Priority", "Category", "Reasons", "Next steps")
    dark = sorted(
        ((gene, gene.novelty) for gene in genes if gene.novelty is not None),
        key=lambda pair: pair[1].rank,
    )
    rows = (
        (
            *(novelty.rank, gene.id, gene.length_aa, novelty.priority, gene.category),
            *("; ".join(novelty.reasons), "; ".join(novelty.next_steps)),
        )
        for gene, novelty in dark
    )
    return Sheet("Dark genes", columns, tuple(rows))


def _audit_sheet(result: GenintResult) -> Sheet:
    header, *rows = (tuple(line.split("\t")) for line in audit_lines(result))
    return Sheet("Audit", header, tuple(rows))


def _records_sheet(result: GenintResult) -> Sheet:
    columns = ("Record", "Length", "Topology", "Genetic code", "Organism", "Kind", "Gene calling")
    told = {found.record.id: found for found in overviews(result)}
    rows = (
        (
            *(one.id, one.length, one.topology, one.translation_table, one.organism),
            *(one.genome_kind, one.gene_calling),
            *((told[one.id].kind, told[one.id].kind_probability) if one.id in told else ("", None)),
        )
        for one in result.records
    )
    return Sheet("Records", (*columns, "Kind by its genes", "Probability"), tuple(rows))


def _used_sheet(result: GenintResult) -> Sheet:
    rows: list[tuple[Cell, ...]] = [
        ("database", one.name, one.version, one.licence) for one in result.databases
    ]
    rows += [("program", one.name, one.version, None) for one in result.programs]
    rows += [("parameter", *pair, None) for pair in _parameters(result)]
    rows += [("search", search_text(search), None, None) for search in result.searches]
    rows += [("not available", text, None, None) for text in result.unavailable]
    rows += [("warning", one.text, one.record, None) for one in result.warnings]
    return Sheet("Used", ("What", "Name", "Value", "Licence"), tuple(rows))


def _parameters(result: GenintResult) -> Iterator[tuple[str, Cell]]:
    for name, value in result.parameters:
        if isinstance(value, date):
            yield name, value.isoformat()
        elif value is None or isinstance(value, str | int | float):
            yield name, value


def _write(book: Workbook, sheet: Sheet) -> None:
    """A sheet with a bold header that stays in view, filters, and columns as wide as their text."""
    page = book.add_worksheet(sheet.title)
    page.freeze_panes(1, 0)
    page.write_row(0, 0, sheet.columns, book.add_format({"bold": True}))
    for at, row in enumerate(sheet.rows, start=1):
        for column, cell in enumerate(row):
            _put(page, at, column, cell)
    if sheet.rows:
        page.autofilter(0, 0, len(sheet.rows), len(sheet.columns) - 1)
    for column, name in enumerate(sheet.columns):
        texts = (written(row[column]) for row in sheet.rows[:200])
        width = max(map(len, (name, *texts)))
        page.set_column(column, column, min(max(width + 2, _WIDTHS[0]), _WIDTHS[1]))


def _put(page: Worksheet, row: int, column: int, cell: Cell) -> None:
    match cell:
        case None | "":
            return
        case bool() | str():
            page.write_string(row, column, shown_text(str(cell))[:_MOST_CELL])
        case _:
            page.write_number(row, column, cell)
