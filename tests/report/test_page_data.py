import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genint.model import NameVerdict
from genint.report import (
    LEVELS,
    ComparedItem,
    ComparisonItem,
    GeneRow,
    RnaGeneItem,
    RnaRow,
    Span,
    file_stem,
    page_data,
)


@pytest.fixture(scope="module")
def data(phix_result):
    return page_data(phix_result)


def changed(result, at, **values):
    """The result with other values in one gene."""
    genes = list(result.genes)
    genes[at] = genes[at].model_copy(update=values)
    return result.model_copy(update={"genes": tuple(genes)})


def test_rows_stand_in_the_order_of_the_result_with_its_places(data, phix_result):
    assert [
        (row.id, row.name, row.start, row.end, row.strand, row.length_aa, row.function, row.score)
        for row in data.genes
    ] == [
        (g.id, g.name, g.start, g.end, g.strand, g.length_aa, g.function, g.score)
        for g in phix_result.genes
    ]
    assert [LEVELS[row.level] for row in data.genes] == [g.confidence for g in phix_result.genes]


def test_the_names_of_the_places_go_with_the_rows(data):
    assert data.gene_fields == GeneRow._fields
    assert data.rna_fields == RnaRow._fields
    assert all(len(row) == len(data.gene_fields) for row in data.genes)


def test_parts_are_told_where_there_are_several(phix_result):
    parts = (Span(start=5, end=9, strand="+"), Span(start=20, end=28, strand="-"))
    rows = page_data(changed(phix_result, 1, parts=parts)).genes
    assert rows[1].parts == ((5, 9, "+"), (20, 28, "-"))
    assert rows[2].parts == ()


def test_nested_genes_get_a_lane_of_their_own(data):
    spans = {(row.start, row.end): row.lane for row in data.genes}
    assert spans[(390, 848)] == 0  # D
    assert spans[(568, 843)] == 1  # E, inside of D


def test_rna_genes_are_laid_out_with_the_genes(phix_result):
    host = phix_result.genes[0]
    rna = RnaGeneItem(
        id="r1", record=host.record, start=400, end=470, strand=host.strand, kind="tRNA",
        product=None, name=None, locus_tag=None, pseudo=False,
    )  # fmt: skip
    (row,) = page_data(phix_result.model_copy(update={"rna_genes": (rna,)})).rnas
    assert (row.name, row.product, row.record) == ("r1", "", 0)
    assert row.lane > 0


def test_the_search_gets_the_product_of_the_file_and_accessions_once(phix_result):
    gene = phix_result.genes[0]
    evidence = (gene.evidence[0].model_copy(update={"accession": "PF00001"}),)
    result = changed(
        phix_result, 0, product="old name", pfam_id="PF00001", protein_id="NP_1.1",
        evidence=evidence,
    )  # fmt: skip
    row = page_data(result).genes[0]
    assert (row.product, row.accessions) == ("old name", ("NP_1.1",))
    same = page_data(changed(phix_result, 0, product=gene.function)).genes[0]
    assert same.product is None


def test_the_search_gets_ec_numbers_that_evidence_names(phix_result):
    item = (
        phix_result.genes[0]
        .evidence[0]
        .model_copy(
            update={"label": "product in the file: x (EC 3.4.21.88, 2.7.-.-)", "accession": None}
        )
    )
    row = page_data(changed(phix_result, 0, evidence=(item,), protein_id=None)).genes[0]
    assert row.accessions == ("EC 2.7.-.-", "EC 3.4.21.88")


def test_rows_tell_how_a_gene_stands_to_the_file(phix_result):
    compared = ComparedItem(id="x", product=None, same_start=True, verdict=NameVerdict.ONLY_HERE)
    counts = ComparisonItem(genes_in_file=1, same_stop=1, same_start=1, missed=(), extra=())
    result = changed(phix_result, 0, compared=compared).model_copy(update={"comparison": counts})
    data = page_data(result)
    told = [data.verdicts[row.verdict] for row in data.genes[:2]]
    assert told == ["only here", "not in file"]
    assert {row.verdict for row in page_data(phix_result).genes} == {0}


def test_dark_genes_carry_rank_and_priority(data, phix_result):
    for row, gene in zip(data.genes, phix_result.genes, strict=True):
        expected = (gene.novelty.rank, gene.novelty.priority) if gene.novelty else (0, 0.0)
        assert (row.rank, row.priority) == expected


def test_names_of_terms_and_letters_are_told_once(phix_result):
    data = page_data(changed(phix_result, 0, cog_category="X", cog_name="Mobilome"))
    assert data.cog_names == (("X", "Mobilome"),)
    terms = {term.id: term.name for gene in phix_result.genes for term in gene.go}
    assert dict(data.go_names) == terms


def test_hidden_characters_are_replaced_in_rows(phix_result):
    row = page_data(changed(phix_result, 0, function="a\u202eb\x07c\nd")).genes[0]
    assert row.function == "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}c d"


@pytest.mark.parametrize(
    ("filename", "stem"),
    [
        ("lambda.gb", "lambda"),
        ("E_coli_NC_000913.gbk.gz", "E_coli_NC_000913"),
        ("NC_001416.1.fasta", "NC_001416.1"),
        ("my phage (final).gbk", "my_phage_final"),
        ("../../etc/passwd", "etc_passwd"),
        ("<img src=x>.gbk", "img_src_x"),
        ("-", "genome"),
        ("", "genome"),
    ],
)
def test_downloads_are_named_after_the_input(filename, stem):
    assert file_stem(filename) == stem


@given(st.text())
def test_names_of_downloads_are_plain_and_short(filename):
    assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}", file_stem(filename))
