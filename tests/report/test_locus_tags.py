"""``--locus-tag`` on files that have genes: all formats have the same tags, and the old ones."""

from __future__ import annotations

import csv
import io
import json

import pytest
from Bio import SeqIO

from genint import interpret_genome
from genint.formats import read_original
from genint.pipeline.gene_calling import Payload
from genint.pipeline.library import as_result
from genint.report import render
from genint.report.locus_tags import locus_tags_taken, tag_remarks
from tests.report.tbl_reading import read_tbl

GENES = """     gene            51..221
                     /locus_tag="b0001"
     CDS             51..221
                     /locus_tag="b0001"
                     /product="gene K protein"
     sig_peptide     51..90
                     /locus_tag="b0001"
     gene            133..393
                     /gene="C"
     CDS             133..393
                     /gene="C"
     CDS             390..848
                     /locus_tag="OLD_0003"
                     /product="capsid protein D"
     CDS             568..843
                     /locus_tag="OLD_0003"
                     /product="lysis protein"
     tRNA            complement(900..972)
                     /product="tRNA-Ala"
     gene            1001..1101
                     /locus_tag="b0005"
                     /pseudo
     CDS             1001..2284
                     /locus_tag="ABC_00070"
                     /product="major capsid protein"
"""
"""Tags against the rules, none, one of two genes, of somebody else, and of the prefix itself."""
NEW = {
    "51..221": ("ABC_00080", "b0001"),
    "133..393": ("ABC_00090", None),
    "390..848": ("ABC_00100", "OLD_0003"),
    "568..843": ("ABC_00100", "OLD_0003"),
    "900..972": ("ABC_00110", None),
    "1001..1101": ("ABC_00120", "b0005"),
    "1001..2284": ("ABC_00070", None),
}


@pytest.fixture(scope="module")
def annotated(examples):
    text = (examples / "phiX174.gbk").read_text()
    head, _, rest = text.partition("     CDS  ")
    origin = rest[rest.index("ORIGIN") :]
    return Payload(f"{head}{GENES}{origin}".encode(), "phi.gb")


@pytest.fixture(scope="module")
def result(annotated):
    return as_result(interpret_genome(annotated, locus_tag_prefix="abc"))


@pytest.fixture(scope="module")
def texts(annotated, result):
    original = read_original(annotated.content, annotated.filename)
    names = ("tbl", "gff3", "gbk", "embl", "faa", "ffn", "tsv", "tsv-short", "json", "notes")
    return {name: render(result, name, original) for name in names}


def tags_in_features(text: str, kind: str) -> dict[str, tuple[str, str | None]]:
    """By place, of the features that have a tag."""
    found = {}
    for record in SeqIO.parse(io.StringIO(text), kind):
        for feature in record.features:
            one = feature.qualifiers
            if "locus_tag" in one and feature.type != "sig_peptide":
                place = f"{int(feature.location.start) + 1}..{int(feature.location.end)}"
                tags = one["locus_tag"], one.get("old_locus_tag", [None])
                assert found.setdefault(place, (tags[0][0], tags[1][0])) == (
                    tags[0][0],
                    tags[1][0],
                )
                assert len(tags[0]) == len(tags[1]) == 1
    return found


def tags_in_tbl(text: str) -> dict[str, tuple[str, str | None]]:
    found = {}
    for one in read_tbl(text):
        if one.key == "gene" and one.value("locus_tag") == "ABC_00100":
            continue  # one gene with two products has the place of both
        low, high = sorted(map(int, one.parts[0]))
        tags = one.value("locus_tag"), one.value("old_locus_tag")
        assert found.setdefault(f"{low}..{high}", tags) == tags
    return found


def tags_in_gff3(text: str) -> dict[str, tuple[str, str | None]]:
    found = {}
    for line in text.splitlines():
        cells = line.split("\t")
        if len(cells) == 9 and "locus_tag=" in cells[8]:
            values = dict(one.split("=", 1) for one in cells[8].split(";"))
            tags = values["locus_tag"], values.get("old_locus_tag")
            assert found.setdefault(f"{cells[3]}..{cells[4]}", tags) == tags
    return found


@pytest.mark.parametrize("name", ["tbl", "gff3", "gbk", "embl"])
def test_features_have_the_new_tags_and_keep_those_of_the_file_as_old_ones(texts, name):
    text = texts[name]
    match name:
        case "tbl":
            found = tags_in_tbl(text)
        case "gff3":
            found = tags_in_gff3(text)
        case _:
            found = tags_in_features(text, {"gbk": "genbank", "embl": "embl"}[name])
    assert found == NEW


def test_sequences_and_tables_name_genes_by_the_new_tags(texts):
    tags = {tag for place, (tag, _) in NEW.items() if place != "1001..1101"} | {"ABC_00100_2"}
    for name in ("faa", "ffn"):
        ids = {line[1:].split()[0] for line in texts[name].splitlines() if line[0] == ">"}
        assert ids == tags - ({"ABC_00110"} if name == "faa" else set())
    short = csv.DictReader(io.StringIO(texts["tsv-short"]), delimiter="\t")
    assert {row["Locus Tag"] for row in short} == tags
    for tag in tags - {"ABC_00110", "ABC_00100_2"}:
        assert f'/locus tag="{tag}"' in texts["notes"]


def test_json_and_tsv_have_the_new_tag_as_id_beside_the_tag_of_the_file(texts):
    genes = {one["id"]: one for one in json.loads(texts["json"])["genes"]}
    first, second = genes["ABC_00080"], genes["ABC_00100_2"]
    assert (first["locus"], first["new_locus_tag"]) == ("b0001", "ABC_00080")
    assert (second["locus"], second["new_locus_tag"]) == ("OLD_0003", "ABC_00100")
    assert genes["ABC_00070"]["new_locus_tag"] == genes["ABC_00070"]["locus"]
    rows = csv.DictReader(io.StringIO(texts["tsv"]), delimiter="\t")
    assert {row["id"]: row["locus"] for row in rows}["ABC_00080"] == "b0001"


def test_a_feature_of_another_kind_has_the_new_tag_of_its_gene(texts):
    (record,) = SeqIO.parse(io.StringIO(texts["gbk"]), "genbank")
    (peptide,) = [one for one in record.features if one.type == "sig_peptide"]
    assert peptide.qualifiers == {"locus_tag": ["ABC_00080"], "old_locus_tag": ["b0001"]}


def test_protein_ids_of_several_products_of_one_tag_differ(texts):
    ids = [one.value("protein_id") for one in read_tbl(texts["tbl"]) if one.key == "CDS"]
    assert "gnl|ABC|ABC_00100" in ids
    assert "gnl|ABC|ABC_00100_2" in ids
    assert len(set(ids)) == len(ids)


def test_the_file_that_was_written_has_its_tags_from_then_on(texts):
    again = Payload(texts["gbk"].encode(), "phi.gb")
    made = as_result(interpret_genome(again, locus_tag_prefix="ABC"))
    assert tag_remarks(made) == ()
    written = render(made, "gbk", read_original(again.content, again.filename))
    assert tags_in_features(written, "genbank") == NEW


def test_what_was_replaced_is_remarked_and_the_numbers_are_taken(result):
    assert tag_remarks(result) == ("3 locus tags of the file are old_locus_tag now",)
    assert locus_tags_taken(result) == 13
