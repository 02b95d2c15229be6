"""Feature tables of annotated files: tags, classes and names of RNA, and what is remarked."""

from __future__ import annotations

import pytest

from genint import interpret_genome
from genint.pipeline.gene_calling import Payload
from genint.pipeline.library import as_result
from genint.report import render_gff3, render_summary, render_tbl
from genint.report.tbl import tag_remarks
from tests.report.tbl_reading import read_tbl

HEAD = """LOCUS       odd                     1200 bp    DNA     linear   BCT 01-JAN-1980
ACCESSION   odd
VERSION     odd.1
FEATURES             Location/Qualifiers
"""
BASES = "\n".join(f"{at:>9} {'acgtacgtac ' * 6}".rstrip() for at in range(1, 1200, 60))
RNA = """     ncRNA           300..400
                     /ncRNA_class="SRP_RNA"
                     /product="4.5S RNA"{tag}
     ncRNA           410..450
                     /product="something small"
     rRNA            500..600
                     /product="16S ribosomal RNA of rrnH operon"
     rRNA            610..700
                     /product="23S rRNA"
     rRNA            710..800
                     /product="ribosomal RNA"
     tRNA            complement(900..970)
                     /pseudo
                     /product="tRNA-Ala"
"""


def result_of(features: str, prefix: str | None = None):
    text = f"{HEAD}{features}ORIGIN\n{BASES}\n//\n"
    return as_result(interpret_genome(Payload(text.encode(), "odd.gb"), locus_tag_prefix=prefix))


@pytest.fixture(scope="module")
def rna():
    return result_of(RNA.format(tag=""))


def test_classes_of_ncrna_are_those_of_the_file(rna):
    made = [one for one in read_tbl(render_tbl(rna)) if one.key == "ncRNA"]
    assert [one.value("ncRNA_class") for one in made] == ["SRP_RNA", "other"]


def test_ribosomal_rna_is_named_by_its_size_alone(rna):
    made = [one for one in read_tbl(render_tbl(rna)) if one.key == "rRNA"]
    names = ["16S ribosomal RNA", "23S ribosomal RNA", "ribosomal RNA"]
    assert [one.value("product") for one in made] == names


def test_pseudogenes_of_rna_are_counted_apart(rna):
    lines = render_summary(rna).splitlines()
    assert {"tRNAs: 0", "rRNAs: 3", "ncRNAs: 2", "RNA pseudogenes: 1"} <= set(lines)


def test_a_file_without_tags_gets_those_of_the_prefix_in_its_feature_table_only(examples):
    file = examples / "phiX174.gbk"
    payload = Payload(file.read_bytes().replace(b"/locus_tag=", b"/note="), "phi.gb")
    result = as_result(interpret_genome(payload, locus_tag_prefix="ABC"))
    features = read_tbl(render_tbl(result))
    tags = [one.value("locus_tag") for one in features if one.key == "gene"]
    assert tags == [f"ABC_{at * 10:05d}" for at in range(1, len(tags) + 1)]
    coding = [one for one in features if one.key == "CDS"]
    assert len(coding) == len(result.genes)
    for one in coding:
        assert one.value("protein_id") == f"gnl|ABC|{one.value('locus_tag')}"
    assert "ABC_" not in render_gff3(result)
    assert tag_remarks(result) == ()


def test_tags_of_the_file_stay_and_a_remark_counts_those_against_the_rules():
    result = result_of(RNA.format(tag='\n                     /locus_tag="b0001"'), prefix="ABC")
    tags = [one.value("locus_tag") for one in read_tbl(render_tbl(result)) if one.key == "gene"]
    assert [tag for tag in tags if tag != "ABC_00010"] == ["b0001", None, None, None, None, None]
    broken, option = tag_remarks(result)
    assert broken.startswith("1 locus tag of the file is not by the rules of the INSDC")
    assert "such as b0001" in broken
    assert option.startswith("--locus-tag is without effect")


def test_tags_by_the_rules_are_not_remarked():
    result = result_of(RNA.format(tag='\n                     /locus_tag="ABC_0001"'))
    assert tag_remarks(result) == ()
