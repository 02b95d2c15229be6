"""Tables for people, read back by openpyxl and by plain splitting."""

from __future__ import annotations

import io

import pytest
from openpyxl import load_workbook

from genint.report import render_short_tsv, render_summary, render_xlsx
from genint.report.tables import SHORT_COLUMNS
from tests.builders.hostile_results import rewritten, with_everything

SHEETS = (
    "Summary|Overview|Genes|RNA and CRISPR|All columns|Evidence|Dark genes|Audit|Records|Used"
).split("|")


def rows_of(text):
    header, *lines = text.splitlines()
    return [dict(zip(header.split("\t"), line.split("\t"), strict=True)) for line in lines]


def sheets_of(content):
    book = load_workbook(io.BytesIO(content), data_only=False)
    return {page.title: [[cell.value for cell in row] for row in page.rows] for page in book}


def test_the_short_table_has_every_gene_and_rna_gene_by_place(real):
    result = real.result
    rows = rows_of(render_short_tsv(result))
    expected = len(result.genes) + len(result.rna_genes) + len(result.crispr_arrays)
    assert len(rows) == expected
    records = [record.id for record in result.records]
    for record in records:
        starts = [int(row["Start"]) for row in rows if row["Sequence Id"] == record]
        assert starts == sorted(starts)


def test_the_short_table_says_what_the_result_says(phix_result):
    rows = {row["Locus Tag"]: row for row in rows_of(render_short_tsv(phix_result))}
    assert list(next(iter(rows.values()))) == [name for name, _ in SHORT_COLUMNS]
    for gene in phix_result.genes:
        row = rows[gene.id]
        assert (row["Start"], row["Stop"]) == (str(gene.start), str(gene.end))
        assert row["Product"] == gene.product
        assert row["Function"] == (gene.function or "")
        assert (row["Confidence"], row["Basis"]) == (gene.confidence, gene.basis or "")


def test_the_summary_counts_what_is_there(phix_result):
    found = dict(line.split(": ", 1) for line in render_summary(phix_result).splitlines())
    assert (found["Length"], found["N50"], found["CDSs"]) == ("5386", "5386", "11")
    assert found["GC"] == "44.8"
    assert found["Coding density"] == "96.0"
    levels = ("HIGH", "MODERATE", "LOW", "SPECULATIVE", "dark")
    assert sum(int(found[name]) for name in levels) == 11
    categories = {name: int(n) for name, n in found.items() if name.startswith("Category ")}
    assert sum(categories.values()) == 11
    of_head = sum(gene.category == "head and capsid" for gene in phix_result.genes)
    assert categories["Category head and capsid"] == of_head > 0
    assert categories["Category transport"] == 0


def test_bases_that_several_genes_share_count_once(phix_result):
    covered = set()
    for gene in phix_result.genes:
        last = gene.end if gene.end >= gene.start else gene.end + 5386
        covered |= {at % 5386 for at in range(gene.start - 1, last)}
    assert f"Coding density: {100 * len(covered) / 5386:.1f}" in render_summary(phix_result)


def test_a_workbook_has_a_sheet_for_each_topic(phix_result):
    found = sheets_of(render_xlsx(phix_result))
    assert list(found) == SHEETS
    header, *rows = found["Genes"]
    assert header == [name for name, _ in SHORT_COLUMNS]
    assert [(row[2], row[3]) for row in rows] == sorted(
        (gene.start, gene.end) for gene in phix_result.genes
    )
    assert len(found["All columns"]) == 12
    every = [(gene, item) for gene in phix_result.genes for item in gene.evidence]
    header, *rows = found["Evidence"]
    for (gene, item), row in zip(every, rows, strict=True):
        told = dict(zip(header, row, strict=True))
        assert (told["Gene"], told["Source"], told["Says"]) == (gene.id, item.source, item.label)
        assert (told["Accession"], told["E-value"]) == (item.accession, item.evalue)
        assert (told["Score"], told["Coverage"]) == (item.bits, item.coverage)
        assert (told["Score unit"] == "bits") == (item.bits is not None)
    assert len(found["Dark genes"]) == 2


def test_the_same_result_gives_the_same_workbook(phix_result):
    assert render_xlsx(phix_result) == render_xlsx(phix_result)


@pytest.mark.parametrize("start", ["=1+1", "http://x.example/", "@x", "+1", "{=1}"])
def test_no_text_becomes_a_formula_or_a_link(phix_result, start):
    hostile = rewritten(with_everything(phix_result), lambda text: start + text)
    book = load_workbook(io.BytesIO(render_xlsx(hostile)))
    cells = [cell for page in book for row in page.rows for cell in row]
    assert any(str(cell.value).startswith(start) for cell in cells)
    assert {cell.data_type for cell in cells} <= {"s", "n"}
    assert not [cell for cell in cells if cell.hyperlink]
