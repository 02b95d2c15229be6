"""What was found besides ordinary gene calls is told alike, and in every format."""

from __future__ import annotations

import re

import pytest

from genint.formats import read_original
from genint.model import RescueKind
from genint.report import (
    GenintResult,
    SearchItem,
    contradictions,
    method_parts,
    near_misses,
    render,
    rescue_arithmetic,
    rescue_place,
    rna_inference,
    search_text,
    spacer_text,
)
from tests.builders.hostile_results import rewritten, with_everything

TEXTS = ("md", "html", "gff3", "notes")
"""Formats with room for comments."""


@pytest.fixture(scope="module")
def full(phix_result) -> GenintResult:
    return with_everything(phix_result)


@pytest.fixture(scope="module")
def original(examples):
    path = examples / "phiX174.gbk"
    return read_original(path.read_bytes(), path.name)


def test_the_made_result_does_not_contradict_itself(full):
    assert not list(contradictions(full))


@pytest.mark.parametrize("name", [*TEXTS, "json"])
def test_what_was_not_searched_is_said(full, name):
    text = render(full, name)
    assert "barrnap is not on the PATH" in text
    assert "tRNA and tmRNA" in text


@pytest.mark.parametrize("name", TEXTS)
def test_every_written_format_tells_all_that_was_found(full, name):
    text = render(full, name)
    for told in ("tRNA-Met", "GTTTTAGAGCTATGC", "GGGAAAG", "0.88", "0.41", "0.33", "aragorn"):
        assert told in text, told
    assert re.search(r"\b120 bases are its last ones too", text)


def test_near_misses_are_counted_and_listed_in_the_json_only(full):
    assert near_misses(full).startswith("2 more gene candidates were rejected")
    assert near_misses(full.model_copy(update={"rejected": ()})) is None
    for name in ("md", "html", "notes"):
        text = render(full, name)
        assert "2 more gene candidates" in text
        assert "lies in an RNA gene" not in text
    assert "lies in an RNA gene" in render(full, "json")


def test_printed_addends_give_the_probability(full):
    rescues = [gene.rescue for gene in full.genes if gene.rescue]
    assert len(rescues) == 2
    for rescue in rescues:
        told = rescue_arithmetic(rescue)
        numbers = [float(one) for one in re.findall(r"([+-]\d+\.\d\d) ", told)]
        assert sum(numbers[:-1]) == pytest.approx(numbers[-1], abs=0.001)
        assert f"probability {rescue.probability:.2f} that it is a gene" in told
        assert "held out of the fit" in told


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "inside NP_040703.1, in another reading frame, on the same strand"),
        ({"same_strand": False}, "inside NP_040703.1, on the other strand"),
        ({"kind": RescueKind.OVERLAPPING, "host_overlap": 0.25}, "shares 25% of its bases with"),
        (
            {"host": None, "kind": RescueKind.INTERGENIC, "host_overlap": 0.0},
            "lies between the genes",
        ),
        ({"kind": RescueKind.INTERNAL_START}, "and a start further in"),
    ],
)
def test_how_a_frame_lies_is_said_in_words(full, changes, words):
    rescue = next(gene.rescue for gene in full.genes if gene.rescue)
    assert words in rescue_place(rescue.model_copy(update=changes))


def test_a_search_says_how_many_it_found_or_why_there_was_none():
    made = SearchItem(what="rRNA", method="barrnap 0.9", found=0, reason="")
    assert search_text(made) == "rRNA: searched with barrnap 0.9, none found"
    assert search_text(made.model_copy(update={"found": 3})).endswith("3 found")
    none = SearchItem(what="rRNA", method=None, found=None, reason="install it")
    assert search_text(none) == "rRNA: not searched (install it)"
    said = none.model_copy(update={"reason": "not searched: install it"})
    assert search_text(said) == search_text(none)


@pytest.mark.parametrize(
    ("method", "parts"),
    [
        ("aragorn 1.2.41", ("aragorn", "1.2.41")),
        ("Infernal with Rfam 15.0", ("Infernal",)),
        ("ARAGORN 1.2.41 (pyaragorn 0.3.0)", ("ARAGORN", "1.2.41")),
        ("barrnap", ("barrnap",)),
        ("a:b 1", ()),
        ("<script>", ()),
        (None, ()),
    ],
)
def test_a_search_has_a_name_for_programs_where_it_is_plain(full, method, parts):
    assert method_parts(method) == parts
    rna = full.rna_genes[1].model_copy(update={"method": method})
    expected = f"COORDINATES:profile:{':'.join(parts)}" if parts else None
    assert rna_inference(rna) == expected


def test_spacers_are_counted_with_their_lengths(full):
    array = full.crispr_arrays[0]
    assert spacer_text(array) == "2 spacers of 7-10 bp"
    assert spacer_text(array.model_copy(update={"spacers": ("ACG",)})) == "1 spacer of 3 bp"
    assert spacer_text(array.model_copy(update={"spacers": ()})) == "no spacers"


def test_rna_genes_of_the_file_are_shown_as_before(full):
    own = full.model_copy(update={"rna_genes": full.rna_genes[:1], "searches": ()})
    markdown, page, rows = (render(own, name) for name in ("md", "html", "gff3"))
    assert "## RNA genes of the file" in markdown
    assert "## RNA genes\n" not in markdown
    assert "RNA genes of the file" in page
    assert "Found by" not in page.split('id="rna"')[1].split("</section>")[0].partition("CRISPR")[0]
    (line,) = (line for line in rows.splitlines() if "ID=rna-r1" in line)
    assert line.split("\t")[1] == "GenBank"
    assert "inference" not in line


@pytest.mark.parametrize("name", ["md", "gff3", "notes", "gbk"])
def test_a_result_without_anything_found_tells_nothing_of_it(phix_result, original, name):
    text = render(phix_result, name, original)
    for told in (
        "slip",
        "CRISPR",
        "came near",
        "14 are genes of the record); called",
        "terminal repeat",
    ):
        assert told not in text


def test_a_page_without_anything_found_has_no_sections_for_it(phix_result):
    page = render(phix_result, "html").partition('<script type="application/json"')[0]
    for place in ("calls", "rna"):
        assert f'id="{place}"' not in page
        assert f'href="#{place}"' not in page


def test_hostile_texts_of_what_was_found_stay_text_on_the_page(full):
    bad = "</table><script>ran(1)</script>"
    text = render(rewritten(full, lambda old: f"{old}{bad}"), "html")
    head = text.partition('<script type="application/json"')[0]
    assert "<script>" not in head
    assert "tRNA-Met&lt;/table&gt;" in head


def test_found_features_go_into_an_annotated_record_once(full, original):
    text = render(full, "gbk", original)
    assert text.count('rpt_family="CRISPR"') == 1
    assert "     repeat_region   join(" in text
    assert "/rpt_type=direct\n" in text
    (rna,) = re.findall(r"     tRNA            100\.\.172\n(?:                     .*\n)+", text)
    joined = " ".join(rna.split())
    assert '/inference="COORDINATES:profile:aragorn:1.2.41"' in joined
    assert '/db_xref="RFAM:RF00005"' in joined
    assert "anticodon CAT" in joined
    assert "/anticodon" not in joined  # its place is not known
    again = read_original(text.encode(), "again.gbk")
    changed = full.input.model_copy(update={"sha256": again.genome.source.sha256})
    twice = render(full.model_copy(update={"input": changed}), "gbk", again)
    assert twice.count('rpt_family="CRISPR"') == 1
    assert twice.count('product="tRNA-Met"') == 1
    assert text.count("alternative start at") == 1


@pytest.mark.parametrize(
    ("kind", "term", "qualifier"),
    [
        ("ncRNA", "ncRNA", "/ncRNA_class"),
        ("regulatory", "regulatory_region", "/regulatory_class"),
        ("misc_feature", "sequence_feature", None),
    ],
)
def test_found_stretches_have_the_key_and_class_of_the_insdc(full, original, kind, term, qualifier):
    rna = full.rna_genes[1].model_copy(update={"kind": kind, "insdc_class": "riboswitch"})
    changed = full.model_copy(update={"rna_genes": (rna,)})
    rows = [line.split("\t") for line in render(changed, "gff3").splitlines() if "rna_1" in line]
    assert [row[2] for row in rows] == (["gene", term] if kind == "ncRNA" else [term])
    text = render(changed, "gbk", original)
    assert f"     {kind.ljust(15)} 100..172\n" in text
    if qualifier is not None:
        assert f'{qualifier}="riboswitch"' in text
