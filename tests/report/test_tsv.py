import csv
import io
import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genint.formats import read_genome
from genint.knowledge import load_confidence
from genint.report import GenintResult, build_result, formula_safe, render_tsv, tsv_lines
from genint.report.tsv import COLUMNS
from tests.builders.hostile_results import rewritten, with_everything
from tests.builders.results import summarise


def rows_of(result: GenintResult) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(render_tsv(result)), delimiter="\t", strict=True))


@pytest.fixture(scope="module")
def full(phix_result) -> GenintResult:
    return with_everything(phix_result)


@pytest.fixture(scope="module")
def lambda_result(shared_data: Path) -> GenintResult:
    genome = read_genome(shared_data / "genomes" / "lambda_NC_001416.gb")
    return build_result(summarise(genome), load_confidence())


def test_every_gene_rna_gene_and_array_has_one_line_in_the_order_of_the_result(full):
    expected = [item.id for item in (*full.genes, *full.rna_genes, *full.crispr_arrays)]
    assert [row["id"] for row in rows_of(full)] == expected
    assert render_tsv(full).count("\n") == len(expected) + 1


def test_columns_are_named_in_snake_case_and_each_says_what_it_holds():
    names = [column.name for column in COLUMNS]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) for name in names)
    assert all(column.meaning for column in COLUMNS)


def test_a_line_says_of_a_gene_what_the_result_says(full):
    gene, row = full.genes[0], rows_of(full)[0]
    assert (int(row["start"]), int(row["end"]), row["strand"]) == (
        gene.start,
        gene.end,
        gene.strand,
    )
    assert float(row["score"]) == gene.score
    assert int(row["length_aa"]) == gene.length_aa
    assert row["function"] == gene.function
    assert row["product"] == row["product_in_file"] == "old product"
    assert row["evidence"].startswith("genbank:PF02305(1.5e-31)")
    assert row["competing_hypotheses"] == f"rival [{gene.hypotheses[0].score}]"
    assert row["compared_verdict"] == "only_here"
    assert (row["go_terms"], row["go_names"]) == ("GO:0019069", "capsid assembly")


def test_features_and_context_stand_in_columns_of_their_own(full):
    first, second, *_ = rows_of(full)
    assert first["features"] == "transmembrane segment 7-25"
    assert first["context"] == "tail 0.82 | gpF upstream | gpH"
    assert (second["features"], second["context"]) == ("", "")


def test_pseudogenes_and_rna_genes_are_told_by_their_type(full):
    types = [row["type"] for row in rows_of(full)]
    assert types[:3] == ["CDS", "pseudogene", "CDS"]
    assert types[-3:] == ["tRNA", "tRNA", "CRISPR"]


def test_only_dark_genes_have_a_rank(full):
    for gene, row in zip(full.genes, rows_of(full), strict=False):
        assert bool(row["dark_rank"]) == gene.is_dark
        assert (row["confidence"] == "NONE") == gene.is_dark


def test_a_gene_over_the_origin_and_a_join_keep_the_places_of_the_result(phix_result):
    # gene A of phiX174 runs over the origin; a trans-spliced gene mixes strands
    gene = next(gene for gene in phix_result.genes if gene.end < gene.start)
    parts = (
        gene.parts[0].model_copy(update={"start": 3, "end": 9, "strand": "-"}),
        gene.parts[0].model_copy(update={"start": 5000, "end": 12, "strand": "+"}),
    )
    joined = gene.model_copy(update={"parts": parts})
    result = phix_result.model_copy(update={"genes": (gene, joined)})
    plain, mixed = rows_of(result)
    assert (plain["start"], plain["end"]) == (str(gene.start), str(gene.end))
    assert plain["parts"] == ""
    assert mixed["parts"] == "3-9(-),5000-12(+)"


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        ({}, "no"),
        ({"partial": True}, "yes"),
        ({"partial": True, "partial_5": True}, "5_prime"),
        ({"partial": True, "partial_3": True}, "3_prime"),
        ({"partial": True, "partial_5": True, "partial_3": True}, "both"),
    ],
)
def test_a_partial_gene_says_which_end_is_cut_off(phix_result, ends, said):
    gene = phix_result.genes[0].model_copy(update=ends)
    [row] = rows_of(phix_result.model_copy(update={"genes": (gene,)}))
    assert row["partial"] == said


@pytest.mark.parametrize(
    "start",
    [
        *("=1+1", "+1", "-1", "@SUM(A1)", "=", "@", "--", '=HYPERLINK("x")', '"', ' "', "\u22121"),
        *(" =1+1", "\t=1+1", "\r=1+1", "\n=1+1", "\u00a0=1", "\u3000=1"),
        *("\uff1d1", "\uff0b1", "\uff0d1", "\uff201", "\ufe661"),
    ],
)
def test_no_cell_of_the_table_is_a_formula_whatever_a_text_starts_with(full, start):
    result = rewritten(full, lambda text: start + text)
    for line in render_tsv(result).splitlines():
        for cell in line.split("\t"):
            first = unicodedata.normalize("NFKC", cell.lstrip())[:1]
            assert cell in {"+", "-"} or first not in {"=", "+", "-", "@", '"'} or not first
    row = rows_of(result)[0]
    assert row["id"].startswith("'")
    assert row["id"].endswith(full.genes[0].id)


def test_signs_that_are_strands_stay():
    assert [formula_safe(sign) for sign in "+-"] == ["+", "-"]


@pytest.mark.parametrize(
    "text",
    ["a\tb", "a\nb", "a\r\nb", '"', 'a"b', '"a\tb"', "\u2028", "\x85", "\x0b", "\x1e", "a\\", "#"],
)
def test_every_line_has_the_same_cells_for_every_way_to_read_it(full, text):
    result = rewritten(full, lambda old: text + old + text)
    table = render_tsv(result)
    lines = len(result.genes) + len(result.rna_genes) + len(result.crispr_arrays) + 1
    split = [line.split("\t") for line in table.splitlines()]
    assert {len(cells) for cells in split} == {len(COLUMNS)}
    assert len(split) == lines
    assert list(csv.reader(io.StringIO(table), delimiter="\t", strict=True)) == split
    assert list(csv.reader(io.StringIO(table), "excel-tab")) == split


@given(st.text(st.characters()))
def test_a_cell_is_safe_after_any_text(text):
    safe = formula_safe(text)
    assert safe in {text, "'" + text}
    first = unicodedata.normalize("NFKC", safe.lstrip())[:1]
    assert safe in {"+", "-"} or first not in {"=", "+", "-", "@", '"'} or not first


def test_numbers_are_numbers(full):
    for row in rows_of(full):
        assert row["start"].isdigit()
        assert row["end"].isdigit()
        for name in ("length_aa", "score", "dark_rank", "dark_priority", "genetic_code"):
            assert row[name] == "" or float(row[name]) >= 0


def test_genes_of_a_result_without_reading_frames_are_written_too(phix_result):
    old = phix_result.genes[0].model_copy(
        update={"translation": "", "translation_table": None, "codon_start": 1}
    )
    [row] = rows_of(phix_result.model_copy(update={"genes": (old,)}))
    assert row["genetic_code"] == ""


def test_a_genome_without_genes_gives_the_header_alone(phix_result):
    empty = phix_result.model_copy(update={"genes": (), "rna_genes": ()})
    assert render_tsv(empty) == "\t".join(column.name for column in COLUMNS) + "\n"


def test_lines_one_by_one_are_the_table(full):
    assert "".join(f"{line}\n" for line in tsv_lines(full)) == render_tsv(full)


def test_lambda_has_its_73_genes(lambda_result):
    rows = rows_of(lambda_result)
    assert len(rows) == 73
    assert {row["record"] for row in rows} == {"NC_001416"}
