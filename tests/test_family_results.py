"""From a file to every report with families of genint's own as evidence."""

from __future__ import annotations

import json
import shutil

import pytest
from Bio.Seq import Seq
from Bio.SeqFeature import FeatureLocation, SeqFeature
from Bio.SeqIO import write
from Bio.SeqRecord import SeqRecord

from genint import interpret_genome, render_report
from genint.errors import UnavailableError
from genint.model import Category, CogSource, ConfidenceLevel, EvidenceType
from genint.report import parse_result
from tests.builders.made_families import FIBER, GYRASE, TERMINASE, made_up

CODONS = dict(
    zip(
        "ACDEFGHIKLMNPQRSTVWY",
        "GCT TGC GAT GAA TTC GGT CAT ATT AAA CTG ATG AAC CCG CAG CGT AGC ACC GTG TGG TAC".split(),
        strict=True,
    )
)
PROTEINS = {
    "terL": TERMINASE.protein,
    "fiber": FIBER.protein,
    "gyrA": GYRASE.protein,
    "half": FIBER.protein[:70] + made_up(60, 120),
    "dark": made_up(61, 120),
}
PRODUCTS = {"terL": "large terminase", "fiber": "hypothetical protein"}


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    """A GenBank record with a gene for each of the proteins."""
    bases, features = "", []
    for name, protein in PROTEINS.items():
        start = len(bases)
        bases += "".join(CODONS[residue] for residue in protein) + "TAA"
        qualifiers = {"locus_tag": [name], "translation": [protein], "transl_table": [11]}
        if name in PRODUCTS:
            qualifiers["product"] = [PRODUCTS[name]]
        features.append(
            SeqFeature(FeatureLocation(start, len(bases), 1), "CDS", qualifiers=qualifiers)
        )
    made = SeqRecord(Seq(bases), "MADE1", "MADE1", "made for tests", features=features)
    made.annotations["molecule_type"] = "DNA"
    file = tmp_path_factory.mktemp("record") / "made.gbk"
    write([made], file, "genbank")
    return file


@pytest.fixture(scope="module")
def summary(record, pressed, family_build):
    return interpret_genome(record, cache_folder=pressed, families_folder=family_build)


@pytest.fixture(scope="module")
def told(summary):
    return {result.gene_id: result.interpretation for result in summary.results}


def test_families_name_proteins_of_either_pack(told):
    assert told["terL"].hypothesis == "terminase large subunit"
    assert told["fiber"].hypothesis == "tail fiber protein"
    assert told["gyrA"].hypothesis == "DNA gyrase subunit A"
    assert told["dark"] is None


def test_a_family_that_agrees_with_the_file_reaches_high(told):
    best = told["terL"].hypotheses[0]
    assert best.types == {EvidenceType.ANNOTATION, EvidenceType.FAMILY}
    assert told["terL"].confidence_level is ConfidenceLevel.HIGH
    assert told["fiber"].confidence_level is ConfidenceLevel.MODERATE


def test_the_members_and_the_term_classify(told):
    found = told["terL"].classification
    assert (found.cog_category, found.cog_source) == ("X", CogSource.GENINT_FAMILY)
    assert found.category is Category.PACKAGING
    assert [term.id for term in found.go_terms] == ["GO:0019073"]


def test_half_of_a_family_in_another_protein_is_a_region_like_it(summary):
    (half,) = (result for result in summary.results if result.gene_id == "half")
    assert half.interpretation.hypothesis == "contains a region like tail fiber protein"
    assert half.normalized_product == "protein with a region like tail fiber protein"


def test_the_databases_name_the_build_and_its_size(summary):
    used = {item.name: item.version for item in summary.databases}
    assert used["genint families of phages"].endswith(", 2 families")
    assert used["genint families of bacteria"].endswith(", 1 family")


def test_the_number_of_workers_does_not_change_a_byte(summary, record, pressed, family_build):
    again = interpret_genome(record, cache_folder=pressed, families_folder=family_build, workers=2)
    assert render_report(again, "json") == render_report(summary, "json")


def test_the_result_file_has_the_term_and_what_the_name_rests_on(summary):
    written = json.loads(render_report(summary, "json"))
    assert written["schema_version"] == "1.10"
    gene = next(gene for gene in written["genes"] if gene["id"] == "terL")
    family = next(item for item in gene["evidence"] if item["source"] == "genint_family")
    assert family["product"] == "terminase_large_subunit"
    support = family["support"]
    assert (support["agreeing"], support["named_members"], support["records"]) == (14, 16, 12)
    assert support["is_member"] is True
    assert support["margin_bits"] == pytest.approx(
        family["bits"] - family["threshold_bits"], abs=0.01
    )
    assert parse_result(render_report(summary, "json").encode()).genes


def test_a_result_of_an_older_version_has_no_support(summary):
    older = json.loads(render_report(summary, "json"))
    older["schema_version"] = "1.1"
    for gene in older["genes"]:
        for item in gene["evidence"]:
            del item["product"], item["support"]
    read = parse_result(json.dumps(older).encode())
    assert all(item.support is None for gene in read.genes for item in gene.evidence)
    assert "GF0000000A" in render_report(read, "html")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("md", "14 of 16 names (12 records)"),
        ("html", "GF0000000A"),
        ("tsv", "genint_family:GF0000000A("),
        ("gff3", "protein motif:genint-families:GF0000000A"),
        ("gbk", "protein motif:genint-families:GF0000000A"),
    ],
)
def test_every_format_shows_the_family(summary, record, name, told):
    text = render_report(summary, name, record if name == "gbk" else None)
    assert told in " ".join(text.split()).replace("%20", " ")


def test_another_folder_of_families_is_another_answer(record, pressed, family_build, tmp_path):
    copied = tmp_path / "copied"
    shutil.copytree(family_build, copied)
    table = copied / "families.tsv"
    table.write_text(table.read_text().replace("\tDNA gyrase subunit A\t", "\tmade-up helicase\t"))
    summary = interpret_genome(record, cache_folder=pressed, families_folder=copied)
    claims = {item.gene_id: item.interpretation for item in summary.results}
    assert claims["gyrA"].hypothesis == "made-up helicase"


def test_a_folder_without_families_is_refused(record, pressed, tmp_path):
    with pytest.raises(UnavailableError, match="no build of families"):
        interpret_genome(record, cache_folder=pressed, families_folder=tmp_path)
