r"""TSV rendering: one gene a line, for spreadsheets, R and pandas.

One header line, then every gene in the order of the result, then RNA genes, then CRISPR arrays;
``COLUMNS`` lists the columns with their meaning. Searches without a result are in the other
reports. Cells are separated by tabs, lines end with ``\n``, nothing is quoted, and every line has
the same number of cells. Places are 1-based, both ends included; ``end`` smaller than ``start``
means over the origin. What does not apply is empty. Lists of ids are joined by ``; ``, lists of
sentences by `` | ``.

Text of the input is data, never a formula: a cell that would begin (after blanks) with
``=``, ``+``, ``-``, ``@``, one of their full-width forms or a quotation mark gets an
apostrophe in front, which spreadsheets do not show. A lone ``+`` or ``-`` is a strand and
stays. Control and direction characters are replaced.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

from genint.model.online import OnlineService
from genint.report.insdc import eco_codes, feature_names, product_name
from genint.report.overview import roles_by_gene
from genint.report.result import CrisprArrayItem, GeneItem, GenintResult, RnaGeneItem
from genint.report.result_gene import EvidenceItem, StatementItem
from genint.report.score import signed
from genint.report.summaries import summary_of
from genint.report.wording import (
    Alternatives,
    alternatives_of,
    cell,
    parts_text,
    rescue_terms,
    shown_text,
    start_base,
    yes_or_no,
)

_FORMULA_STARTS: Final = frozenset("=+-@\N{MINUS SIGN}")
_QUOTE: Final = '"'  # readers would take the rest of the line, and more, for one cell

Cell: TypeAlias = str | int | float | None


class Column(NamedTuple):
    """A column: its name, its meaning, and how it is read from a gene.

    Nothing is read off a gene for columns that other parts of the result fill.
    """

    name: str
    meaning: str
    cell: Callable[[GeneItem], Cell] = lambda _: None


def render_tsv(result: GenintResult) -> str:
    """All genes, RNA genes and CRISPR arrays as one table.

    Cost: about 30 microseconds a gene.
    """
    return "".join(f"{line}\n" for line in tsv_lines(result))


def tsv_lines(result: GenintResult) -> Iterator[str]:
    """The lines of the table without line ends: header, genes, RNA genes, arrays."""
    yield "\t".join(column.name for column in COLUMNS)
    for row in table_rows(result):
        yield "\t".join(map(written, row))


def table_rows(result: GenintResult) -> Iterator[tuple[Cell, ...]]:
    """The cells of the table below the header: genes, RNA genes, arrays."""
    alternatives, roles = alternatives_of(result), roles_by_gene(result)
    for gene in result.genes:
        other = alternative_cells(alternatives[gene.id]) | {
            "genome_roles": "; ".join(roles.get(gene.id, ()))
        }
        yield tuple(other.get(c.name) or c.cell(gene) for c in COLUMNS)
    for cells in found_cells(result):
        yield tuple(cells.get(column.name) for column in COLUMNS)


def found_cells(result: GenintResult) -> Iterator[Mapping[str, Cell]]:
    """Cells by column of RNA genes, then of CRISPR arrays."""
    yield from map(rna_cells, result.rna_genes)
    yield from map(array_cells, result.crispr_arrays)


def rna_cells(rna: RnaGeneItem) -> Mapping[str, Cell]:
    """Cells of an RNA gene by column."""
    return {
        "type": rna.kind,
        "record": rna.record,
        "id": rna.id,
        "locus": rna.locus_tag,
        "name": rna.name,
        "start": rna.start,
        "end": rna.end,
        "strand": rna.strand,
        "partial": yes_or_no(rna.partial_5 or rna.partial_3),
        "pseudo": yes_or_no(rna.pseudo),
        "product": rna.product,
        # what a search found is in no file
        "product_in_file": rna.product if rna.method is None else None,
        "anticodon": rna.anticodon,
        "anticodon_start": rna.anticodon_start,
        "anticodon_end": rna.anticodon_end,
        "found_by": rna.method,
        "found_score": rna.score,
        "found_score_unit": rna.score_unit,
        "found_model": rna.accession,
        "found_note": rna.note,
    }


def array_cells(array: CrisprArrayItem) -> Mapping[str, Cell]:
    """Cells of a CRISPR array by column."""
    return {
        "type": "CRISPR",
        "record": array.record,
        "id": array.id,
        "start": array.start,
        "end": array.end,
        "found_by": array.method,
        "found_note": f"{array.repeats} repeats of {array.repeat}",
    }


def alternative_cells(alternatives: Alternatives) -> dict[str, Cell]:
    """What a gene may make besides its protein, by column."""
    starts = (
        f"{start_base(one)} ({one.codon}, {one.length_aa} aa, {one.probability:.2f})"
        for one in alternatives.starts
    )
    products = (
        f"{one.id} ({one.shift:+d} at {one.heptamer}, {one.length_aa} aa, {one.probability:.2f})"
        for one in alternatives.products
    )
    return {"alternative_starts": "; ".join(starts), "alternative_products": "; ".join(products)}


def rescue_reasons(gene: GeneItem) -> str | None:
    """Addends of the probability of a rescued gene."""
    if gene.rescue is None:
        return None
    return " | ".join(f"{reason} {signed(value)}" for reason, value in rescue_terms(gene.rescue))


def written(cell: Cell) -> str:
    """A cell as written in a table."""
    match cell:
        case None:
            return ""
        case str():
            return formula_safe(shown_text(cell))
        case _:
            return str(cell)


def formula_safe(text: str) -> str:
    """The text, behind an apostrophe where a spreadsheet would calculate or unquote it."""
    first = unicodedata.normalize("NFKC", text.lstrip()[:1])[:1]
    if (first in _FORMULA_STARTS or first == _QUOTE) and text not in {"+", "-"}:
        return f"'{text}"
    return text


def _parts(gene: GeneItem) -> str | None:
    return parts_text(gene) if len(gene.parts) > 1 else None


def _partial(gene: GeneItem) -> str:
    if gene.partial_5 and gene.partial_3:
        return "both"
    if gene.partial_5:
        return "5_prime"
    if gene.partial_3:
        return "3_prime"
    return "yes" if gene.partial else "no"  # results of schema 1.0 do not say which end


def _evidence(item: EvidenceItem) -> str:
    name = f"{item.source}:{item.accession}" if item.accession else item.source
    return name if item.evalue is None else f"{name}({item.evalue:.2g})"


def _similar(gene: GeneItem) -> EvidenceItem | None:
    """The first observation of a similar protein; those of the hypothesis come first."""
    return next((item for item in gene.evidence if item.similar), None)


def _similar_to(gene: GeneItem) -> str | None:
    found = _similar(gene)
    if found is None or found.similar is None:
        return None
    organism = f" [{found.similar.organism}]" if found.similar.organism else ""
    return f"{found.accession} {found.similar.name}{organism}"


def _similar_identity(gene: GeneItem) -> float | None:
    found = _similar(gene)
    return found.similar.identity if found and found.similar else None


def _context(gene: GeneItem) -> str | None:
    found = gene.context
    if found is None:
        return None
    return _sentences((f"{found.category} {found.probability:.2f}", *found.neighbours))


def _held(statement: StatementItem | None) -> float | None:
    return round(statement.right / statement.judged, 3) if statement and statement.judged else None


def _ids(values: tuple[str, ...]) -> str:
    return "; ".join(dict.fromkeys(values))


def _sentences(values: tuple[str, ...]) -> str:
    return " | ".join(values)


COLUMNS: Final = (
    Column(
        "type",
        "CDS or pseudogene; of RNA genes the feature key (tRNA, rRNA, ...); CRISPR of arrays",
        lambda gene: "pseudogene" if gene.pseudo else "CDS",
    ),
    Column("record", "id of the record (contig)", lambda gene: gene.record),
    Column("id", "unique in the genome", lambda gene: gene.id),
    Column("locus", "locus tag, or record and place", lambda gene: gene.locus),
    Column("name", "gene symbol, else the id", lambda gene: gene.name),
    Column("start", "first base, 1-based", lambda gene: gene.start),
    Column(
        "end",
        "last base; smaller than start over the origin, or where the file joins both ends",
        lambda gene: gene.end,
    ),
    Column("strand", "+ or -; of trans-spliced genes that of the 5' part", lambda g: g.strand),
    Column("parts", "of joined genes: places in the order of the forward strand", _parts),
    Column("length_aa", "residues of the protein", lambda gene: gene.length_aa),
    Column("partial", "no, 5_prime, 3_prime, both (which end is cut off) or yes", _partial),
    Column(
        "pseudo", "the file calls it a pseudogene: yes or no", lambda gene: yes_or_no(gene.pseudo)
    ),
    Column("called_by", "who says that there is a gene", lambda gene: gene.called_by),
    Column("confidence", "level of the hypothesis; NONE is dark", lambda g: g.confidence),
    Column("score", "confidence 0..1; 0 where dark", lambda gene: gene.score),
    Column("function", "the leading hypothesis", lambda gene: gene.function),
    Column(
        "product",
        "what a product qualifier says: that of the file, else a name that is sure enough",
        lambda gene: gene.product or product_name(gene),
    ),
    Column("product_in_file", "product of the file, untouched", lambda gene: gene.product),
    Column("cog_category", "letter of the COG collection", lambda gene: gene.cog_category),
    Column("cog_name", "what the letter stands for", lambda gene: gene.cog_name),
    Column("cog_source", "what the letter rests on", lambda gene: gene.cog_source),
    Column("pfam_id", "accession of the leading family", lambda gene: gene.pfam_id),
    Column("go_terms", "Gene Ontology ids", lambda gene: _ids(gene.go_terms)),
    Column("go_names", "their names", lambda gene: _ids(tuple(t.name for t in gene.go if t.name))),
    Column("category", "functional category", lambda gene: gene.category),
    Column(
        "evidence",
        "source:accession(E-value) of each observation",
        lambda gene: _ids(tuple(_evidence(item) for item in gene.evidence)),
    ),
    Column(
        "eco_codes",
        "Evidence and Conclusion Ontology, of the leading hypothesis",
        lambda gene: _ids(eco_codes(gene)),
    ),
    Column(
        "competing_hypotheses",
        "other functions with their scores",
        lambda gene: _sentences(tuple(f"{h.function} [{h.score}]" for h in gene.hypotheses[1:])),
    ),
    Column("conflicts", "what contradicts", lambda gene: _sentences(gene.conflicts)),
    Column("uncertainties", "what is unsure", lambda gene: _sentences(gene.uncertainties)),
    Column("call_note", "why the gene was called, where known", lambda gene: gene.call_note),
    Column(
        "dark_rank",
        "of dark genes: 1 is the most promising",
        lambda gene: gene.novelty.rank if gene.novelty else None,
    ),
    Column(
        "dark_priority",
        "of dark genes: research priority 0..1",
        lambda gene: gene.novelty.priority if gene.novelty else None,
    ),
    Column("protein_id", "accession of the file", lambda gene: gene.protein_id),
    Column("genetic_code", "NCBI translation table", lambda gene: gene.translation_table),
    Column("codon_start", "1, 2 or 3: first base of the first codon", lambda g: g.codon_start),
    Column(
        "compared_id",
        "gene of the file with the same stop, where annotations were ignored",
        lambda gene: gene.compared.id if gene.compared else None,
    ),
    Column(
        "compared_product",
        "its product",
        lambda gene: gene.compared.product if gene.compared else None,
    ),
    Column(
        "compared_same_start",
        "whether it starts at the same base: yes or no",
        lambda gene: yes_or_no(gene.compared.same_start) if gene.compared else None,
    ),
    Column(
        "compared_verdict",
        "whether both names agree",
        lambda gene: gene.compared.verdict if gene.compared else None,
    ),
    Column(
        "similar_to",
        "most similar protein of a reference with an informative name: accession, name, [organism]",
        _similar_to,
    ),
    Column("similar_identity", "share of identical positions, 0..1", _similar_identity),
    Column(
        "features",
        "what the residues show: kind and place, such as transmembrane segment 7-25",
        lambda gene: _ids(feature_names(gene)),
    ),
    Column("context", "category by gene order, its probability, the neighbours", _context),
    Column(
        "audit",
        "whether the evidence confirms, refines or contradicts the product of the file, or "
        "cannot judge it",
        lambda gene: gene.audit.verdict if gene.audit else None,
    ),
    Column(
        "rescue_probability",
        "of genes that the gene finder leaves out: probability 0..1 that there is a gene",
        lambda gene: gene.rescue.probability if gene.rescue else None,
    ),
    Column(
        "rescue_host",
        "of the same: the gene that it shares most bases with",
        lambda gene: gene.rescue.host if gene.rescue else None,
    ),
    Column(
        "rescue_reasons",
        "of the same: what was seen, each with its log-odds; their sum is the probability's",
        rescue_reasons,
    ),
    Column(
        "alternative_starts",
        "shorter products: first base (codon, residues, probability that it is made too)",
    ),
    Column(
        "alternative_products",
        "by slipping ribosomes: id (shift at heptamer, residues, probability that it is made)",
    ),
    Column("anticodon", "of tRNA genes, 5' to 3' as DNA"),
    Column("found_by", "of RNA genes and arrays that were found: the search"),
    Column("found_score", "of that search"),
    Column("found_score_unit", "what the score is, such as bits"),
    Column("found_model", "of RNA genes: accession of the model that recognises it"),
    Column("found_note", "further facts on an RNA gene or an array"),
    Column(
        "uniprot",
        "entries of UniProtKB, else the state of the answer: no_match (it has the sequence, but no "
        "entry), not_in_database, not_asked or error; empty but in online mode",
        lambda gene: cell(gene, OnlineService.UNIPROT),
    ),
    Column(
        "interpro",
        "entries of InterPro and signatures that belong to none, else the same for InterPro",
        lambda gene: cell(gene, OnlineService.INTERPRO),
    ),
    Column(
        "basis",
        "evidence: supported beyond the file; file: only repeats the product of the file",
        lambda gene: gene.basis,
    ),
    Column("summary", "the interpretation in one sentence", summary_of),
    Column(
        "statement",
        "name, class or role: the most precise that holds in nine of ten held-out genes",
        lambda gene: gene.statement.text if gene.statement else None,
    ),
    Column(
        "statement_kind",
        "name, class, role or role by neighbours",
        lambda gene: gene.statement.kind if gene.statement else None,
    ),
    Column(
        "statement_held",
        "share of such statements that held for genes left out of the fit, 0..1",
        lambda gene: _held(gene.statement),
    ),
    Column("anticodon_start", "of tRNA genes: first base of the anticodon, where it is known"),
    Column("anticodon_end", "its last base; smaller than the first over the origin"),
    Column(
        "genome_roles",
        "statements on the genome that rest on it: topic: subject (what it is taken for)",
    ),
)
"""All columns in their order; new ones are added at the end."""
