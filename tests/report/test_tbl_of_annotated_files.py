"""Feature tables of annotated files: tags, classes and names of RNA, and what is remarked."""

from __future__ import annotations

import pytest

from genint import interpret_genome
from genint.formats import read_original
from genint.model.sequence import reverse_complement
from genint.pipeline.gene_calling import Payload
from genint.pipeline.library import as_result
from genint.report import render, render_gff3, render_summary, render_tbl
from genint.report.locus_tags import tag_remarks
from genint.report.tbl import submission_product
from tests.builders.rna import random_bases, trna
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


TRNA = """     tRNA            complement(join(1150..1200,1..20))
                     /product="tRNA-Trp"
                     /anticodon=(pos:complement(1162..1164),aa:Trp,
                     seq:cca)
     tRNA            {place}
                     /product="{product}"
                     /anticodon={value}
"""


def test_anticodons_of_the_file_keep_their_place():
    given = "(pos:535..537,aa:Met,seq:cau)"
    text = TRNA.format(place="500..575", product="tRNA-fMet", value=given)
    made = result_of(text)
    assert [(one.anticodon, one.anticodon_start) for one in made.rna_genes] == [
        ("CAT", 535),
        ("CCA", 1162),
    ]
    values = [one.value("anticodon") for one in read_tbl(render_tbl(made)) if one.key == "tRNA"]
    assert values == [
        "(pos:535..537,aa:Met,seq:cat)",
        "(pos:complement(1162..1164),aa:Trp,seq:cca)",
    ]


def test_an_isoleucine_with_the_anticodon_of_methionine_is_an_exception():
    given = "(pos:535..537,aa:Ile,seq:cau)"
    result = result_of(TRNA.format(place="500..575", product="tRNA-Ile2", value=given))
    made = read_tbl(render_tbl(result))
    said = [one.value("exception") for one in made if one.key == "tRNA"]
    assert said == ["modified codon recognition", None]


@pytest.mark.parametrize(
    "value",
    [
        "(pos:400..402,aa:Met)",  # outside of the gene
        "(pos:0..2,aa:Met)",
        "(pos:540..538,aa:Met)",
        "(pos:535..540,aa:Met)",
        "(pos:join(535..536,550),aa:Met,seq:cat)",
        '"cat"',
        '""',
    ],
)
def test_an_anticodon_whose_place_is_not_plain_is_left_out(value):
    made = result_of(TRNA.format(place="500..575", product="tRNA-Met", value=value))
    assert made.rna_genes[0].anticodon_start is None
    assert render_tbl(made).count("anticodon") == 1


@pytest.fixture(scope="module")
def found():
    """A circle with a tRNA over its origin and a suppressor on the other strand."""
    turned = trna()[35:] + random_bases(400) + reverse_complement(trna("CTA")) + random_bases(400)
    payload = Payload(f">c [topology=circular]\n{turned}{trna()[:35]}\n".encode(), "c.fa")
    return as_result(interpret_genome(payload, locus_tag_prefix="ABC")), read_original(*payload)


def test_every_format_for_databases_says_where_an_anticodon_lies(found):
    result, original = found
    at = result.records[0].length
    value = f"(pos:join({at - 1}..{at},1..1),aa:Phe,seq:gaa)"
    assert f"\t\t\tanticodon\t{value}\n" in render_tbl(result)
    assert f";anticodon={value.replace(',', '%2C')};" in render_gff3(result)
    for name in ("gbk", "embl"):
        assert f"/anticodon={value}\n" in render(result, name, original)


def test_of_a_suppressor_the_amino_acid_is_not_known_and_so_only_a_note_is_written(found):
    (made,) = [
        one for one in read_tbl(render_tbl(found[0])) if one.value("product") == "tRNA-OTHER"
    ]
    assert made.value("anticodon") is None
    assert made.value("note") == "suppressor, anticodon CTA"


def test_pseudogenes_of_rna_are_counted_apart(rna):
    lines = render_summary(rna).splitlines()
    assert {"tRNAs: 0", "rRNAs: 3", "ncRNAs: 2", "RNA pseudogenes: 1"} <= set(lines)


def test_tags_of_the_file_stay_and_a_remark_counts_those_against_the_rules():
    result = result_of(RNA.format(tag='\n                     /locus_tag="b0001"'))
    tags = [one.value("locus_tag") for one in read_tbl(render_tbl(result)) if one.key == "gene"]
    assert [tag for tag in tags if tag] == ["b0001"]
    (broken,) = tag_remarks(result)
    assert broken.startswith("1 locus tag of the file is not by the rules of the INSDC")
    assert "such as b0001" in broken


def test_tags_by_the_rules_are_not_remarked():
    result = result_of(RNA.format(tag='\n                     /locus_tag="ABC_0001"'))
    assert tag_remarks(result) == ()


@pytest.mark.parametrize(
    ("of_file", "level", "written"),
    [
        ("hypothetical protein", "HIGH", "portal protein"),
        ("UPF0174 family protein", "MODERATE", "portal protein"),
        ("UPF0174 family protein", "LOW", "UPF0174 family protein"),
        ("hypothetical protein", "LOW", "hypothetical protein"),
        ("head protein", "HIGH", "head protein"),
    ],
)
def test_a_sure_name_is_the_product_where_that_of_the_file_names_no_function(
    of_file, level, written, phix_result
):
    known = {"product": of_file, "confidence": level, "normalized_product": "portal protein"}
    assert submission_product(phix_result.genes[0].model_copy(update=known)) == written
