r"""The annotation audit of a result: its rows, its counts, and ``--format audit``.

The table has one header line, then every gene whose product in the file was judged, in the
order of the result, then the genes of the file that were not predicted, where annotations were
ignored; ``COLUMNS`` lists the columns with their meaning. Cells follow the rules of the gene
table (:mod:`genint.report.tsv`): tabs between them, nothing quoted, no formula.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from genint.formats.genbank.features import NOTE_START
from genint.model.interpretation import AuditVerdict
from genint.model.vocabulary import ConfidenceLevel
from genint.report.locus_tags import OF_FILE, tag_of_file
from genint.report.result import GeneItem, GenintResult, MissedItem
from genint.report.tsv import Cell, written
from genint.report.wording import shown_text

NOT_PREDICTED: Final = "no gene of its own was predicted at this place"
"""Why a gene of the file was not judged where annotations were ignored."""
VERDICT_MEANINGS: Final = MappingProxyType(
    {
        AuditVerdict.CONFIRMS: "names the same function, or a part of it",
        AuditVerdict.REFINES: "names a more specific function, or one where the file names none",
        AuditVerdict.CONTRADICTS: "names a function incompatible with the product",
        AuditVerdict.CANNOT_JUDGE: "no such evidence, or too weak, or too unspecific",
    }
)
"""What the evidence does in each case."""
MOST_REFINED: Final = 40
"""More refined products than these are for the table, not for pages."""
_NOTED: Final = frozenset({AuditVerdict.CONTRADICTS, AuditVerdict.REFINES})


class AuditRow(NamedTuple):
    """One gene of the file and how the evidence compares with its product.

    Attributes:
        gene: Id in the result; None for a gene that was not predicted.
        name: Gene symbol, else the id.
        file_gene: Id in the file.
        locus: Locus tag, else record and place; None for a gene that was not predicted.
        start: First base of the gene of the result, 1-based.
        end: Its last one; smaller than start over the origin.
        product: As submitted.
        found: What the evidence says without the file.
        score: Of that, 0..1.
        accessions: Of what it rests on.
    """

    gene: str | None
    name: str
    file_gene: str
    record: str
    start: int
    end: int
    strand: str
    locus: str | None
    protein_id: str | None
    verdict: AuditVerdict
    product: str | None
    found: str | None
    score: float | None
    level: ConfidenceLevel
    reason: str
    accessions: tuple[str, ...]


class Column(NamedTuple):
    """A column: its name, its meaning, and how it is read from a row."""

    name: str
    meaning: str
    cell: Callable[[AuditRow], Cell]


class AuditView(NamedTuple):
    """What sections of reports show of the audit.

    Attributes:
        counts: Genes per verdict, all four; empty where the file has no annotation.
        contradicted: Every gene whose product is.
        refined: The same.
        meanings: Of the verdicts.
        most_refined: How many of those a page shows.
    """

    counts: tuple[tuple[AuditVerdict, int], ...]
    contradicted: tuple[AuditRow, ...]
    refined: tuple[AuditRow, ...]
    meanings: Mapping[AuditVerdict, str] = VERDICT_MEANINGS
    most_refined: int = MOST_REFINED


def audit_view(result: GenintResult) -> AuditView:
    """What there is to show; nothing where the file has no annotation."""
    rows = audit_rows(result)
    counted = Counter(row.verdict for row in rows)
    return AuditView(
        counts=tuple((verdict, counted[verdict]) for verdict in AuditVerdict) if rows else (),
        contradicted=tuple(row for row in rows if row.verdict is AuditVerdict.CONTRADICTS),
        refined=tuple(row for row in rows if row.verdict is AuditVerdict.REFINES),
    )


def audit_rows(result: GenintResult) -> tuple[AuditRow, ...]:
    """Every gene of the file, those that were not predicted last; none where it has none.

    Cost: a few microseconds a gene.
    """
    judged = (_row(gene) for gene in result.genes)
    missed = result.comparison.missed_genes if result.comparison else ()
    return (*(row for row in judged if row is not None), *map(_missed_row, missed))


def audit_note(gene: GeneItem) -> str | None:
    """What a curator of the file should change or look at, in one line; None where nothing."""
    audit = gene.audit
    if audit is None or audit.verdict not in _NOTED:
        return None
    return f"{NOTE_START}audit: {audit.verdict} the product of the file; {shown_text(audit.reason)}"


def render_audit(result: GenintResult) -> str:
    """The audit as a table; the header alone where there is nothing to audit.

    Cost: about 10 microseconds a gene.
    """
    return "".join(f"{line}\n" for line in audit_lines(result))


def audit_lines(result: GenintResult) -> Iterator[str]:
    """The lines of the table without line ends."""
    yield "\t".join(column.name for column in COLUMNS)
    for row in audit_rows(result):
        yield "\t".join(written(column.cell(row)) for column in COLUMNS)


def _row(gene: GeneItem) -> AuditRow | None:
    audit = gene.audit
    if audit is None:
        return None
    observed = (gene.evidence[at] for at in audit.evidence)
    return AuditRow(
        gene=gene.id,
        name=gene.name,
        file_gene=_id_in_file(gene),
        record=gene.record,
        start=gene.start,
        end=gene.end,
        strand=gene.strand,
        locus=gene.locus,
        protein_id=gene.protein_id,
        verdict=audit.verdict,
        product=audit.product,
        found=audit.found,
        score=audit.score,
        level=audit.level,
        reason=audit.reason,
        accessions=tuple(dict.fromkeys(one.accession for one in observed if one.accession)),
    )


def _id_in_file(gene: GeneItem) -> str:
    if gene.compared:
        return gene.compared.id
    if gene.new_locus_tag is None or gene.called_by not in OF_FILE:
        return gene.id
    return tag_of_file(gene) or gene.protein_id or gene.name


def _missed_row(gene: MissedItem) -> AuditRow:
    return AuditRow(
        gene=None,
        name=gene.id,
        file_gene=gene.id,
        record=gene.record,
        start=gene.start,
        end=gene.end,
        strand=gene.strand,
        locus=None,
        protein_id=gene.protein_id,
        verdict=AuditVerdict.CANNOT_JUDGE,
        product=gene.product,
        found=None,
        score=None,
        level=ConfidenceLevel.NONE,
        reason=NOT_PREDICTED,
        accessions=(),
    )


COLUMNS: Final = (
    Column("gene", "id in the other reports; empty where it was not predicted", lambda r: r.gene),
    Column(
        "gene_in_file", "id in the file: locus tag, protein id or symbol", lambda r: r.file_gene
    ),
    Column("record", "id of the record (contig)", lambda r: r.record),
    Column("start", "first base, 1-based", lambda r: r.start),
    Column("end", "last base; smaller than start over the origin", lambda r: r.end),
    Column("strand", "+ or -", lambda r: r.strand),
    Column("locus", "locus tag, or record and place", lambda r: r.locus),
    Column("protein_id", "accession of the file", lambda r: r.protein_id),
    Column("verdict", "confirms, refines, contradicts or cannot judge", lambda r: r.verdict),
    Column("product", "as submitted, untouched", lambda r: r.product),
    Column("found", "what the evidence says without the file", lambda r: r.found),
    Column("score", "of that, 0..1", lambda r: r.score),
    Column("level", "of that score; NONE where nothing was found", lambda r: r.level),
    Column("reason", "why this verdict", lambda r: r.reason),
    Column("accessions", "what was found rests on these", lambda r: "; ".join(r.accessions)),
)
"""All columns in their order; new ones are added at the end."""
