"""Each file is read by the tool that it is for, and all hold the same genes with the same names."""

from __future__ import annotations

import csv
import io
import warnings
from collections.abc import Callable

import gffutils
import openpyxl
import pytest
from Bio import BiopythonWarning, SeqIO

from genint.formats import read_original
from genint.model.locus_tags import prefix_of
from genint.report import FORMATS, GenintResult, render_bytes
from tests.report.real_genomes import interpreted
from tests.report.submitted import NAMES, PREFIX, submitted_genome
from tests.report.tbl_reading import read_tbl

Found = dict[str, str | None]
"""Id of each protein-coding gene -> its product."""
APOSTATE = "Apostate"


def of_insdc(text: str, name: str) -> Found:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BiopythonWarning)
        records = list(SeqIO.parse(io.StringIO(text), name))
    coding = [one for record in records for one in record.features if one.type == "CDS"]
    return {one.qualifiers["locus_tag"][0]: one.qualifiers["product"][0] for one in coding}


def of_fasta(text: str) -> Found:
    entries = SeqIO.parse(io.StringIO(text), "fasta")
    return {one.id: one.description.partition(" ")[2] for one in entries}


def of_gff3(text: str) -> Found:
    features = text.partition("##FASTA")[0]
    database = gffutils.create_db(
        features, ":memory:", from_string=True, merge_strategy="create_unique"
    )
    coding = database.features_of_type("CDS")
    return {one["locus_tag"][0]: one["product"][0] for one in coding}


def of_rows(rows: list[dict[str, str | None]], kind: str, tag: str, product: str | None) -> Found:
    return {str(row[tag]): row[product] if product else None for row in rows if row[kind] == "CDS"}


def of_table(text: str, *columns: str | None) -> Found:
    rows = list(csv.DictReader(io.StringIO(text), dialect="excel-tab", quoting=csv.QUOTE_NONE))
    return of_rows(rows, *columns)


def of_workbook(content: bytes) -> Found:
    page = openpyxl.load_workbook(io.BytesIO(content))["Genes"]
    header, *rows = ([cell.value for cell in row] for row in page.rows)
    named = [dict(zip(header, row, strict=True)) for row in rows]
    return of_rows(named, "Type", "Locus Tag", "Product")


def of_tbl(text: str) -> Found:
    coding = [one for one in read_tbl(text) if one.key == "CDS"]
    return {str(one.value("locus_tag")): None for one in coding}


READ: dict[str, Callable[[bytes], Found]] = {
    "gbk": lambda made: of_insdc(made.decode(), "genbank"),
    "embl": lambda made: of_insdc(made.decode(), "embl"),
    "faa": lambda made: of_fasta(made.decode()),
    "gff3": lambda made: of_gff3(made.decode()),
    "gff3-fasta": lambda made: of_gff3(made.decode()),
    "tsv": lambda made: of_table(made.decode(), "type", "id", None),
    "tsv-short": lambda made: of_table(made.decode(), "Type", "Locus Tag", "Product"),
    "xlsx": of_workbook,
    "tbl": lambda made: of_tbl(made.decode()),
}


@pytest.fixture(scope="module", params=(*NAMES, APOSTATE))
def genome(request, examples):
    if request.param != APOSTATE:
        return submitted_genome(request.param, examples)
    folder = request.getfixturevalue("shared_data") / "genomes"
    path = folder / "AcinetobacterApostate_NC_049491.gbk"
    return interpreted(path).result, read_original(path.read_bytes(), path.name)


def made(genome, name: str) -> bytes:
    result, original = genome
    return render_bytes(result, name, original if FORMATS[name].needs_original else None)


@pytest.mark.parametrize("name", READ)
def test_every_file_has_all_genes_under_the_same_ids_with_the_same_products(genome, name):
    result: GenintResult = genome[0]
    genes = {gene.id for gene in result.genes if not gene.pseudo}
    found = READ[name](made(genome, name))
    assert found.keys() == genes
    expected = READ["faa"](made(genome, "faa"))
    differing = {
        tag: (product, expected[tag])
        for tag, product in found.items()
        if product is not None and product.split() != str(expected[tag]).split()
    }
    assert differing == {}


@pytest.mark.parametrize("name", NAMES)
def test_all_predicted_ids_of_a_genome_with_a_prefix_are_locus_tags(name, examples):
    result, _ = submitted_genome(name, examples)
    ids = [one.id for one in (*result.genes, *result.rna_genes)]
    assert len(ids) == len(set(ids))
    assert {prefix_of(one) for one in ids} == {PREFIX}


def test_the_workbook_has_rna_genes_on_a_sheet_of_their_own(genome):
    result = genome[0]
    page = openpyxl.load_workbook(io.BytesIO(made(genome, "xlsx")))["RNA and CRISPR"]
    header, *rows = ([cell.value for cell in row] for row in page.rows)
    assert header[:3] == ["record", "type", "id"]
    ids = [row[2] for row in rows]
    assert ids == [one.id for one in (*result.rna_genes, *result.crispr_arrays)]
