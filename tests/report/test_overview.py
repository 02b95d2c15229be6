"""What is said of a genome as a whole, in every format that people or programs read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from genint.knowledge import load_confidence
from genint.model.genome import Topology
from genint.model.overview import GeneRole, GenomeStatement, Outcome, Topic
from genint.model.vocabulary import ConfidenceLevel
from genint.report import build_result, parse_result, render_json
from genint.report.formats import render
from genint.report.overview import overviews, remarks, usual_search
from tests.builders.overviews import genome_of
from tests.builders.results import summarise

SEARCHED = ("Pfam (35.0)",)


def said(genome) -> tuple[GenomeStatement, ...]:
    over_origin = genome.genes[-1].span.start, len(genome.contigs[0]) + 100
    return (
        GenomeStatement(
            Topic.LIFESTYLE,
            "made",
            "lifestyle",
            "temperate",
            "Temperate: it has an integrase.",
            probability=0.951,
            right=19,
            judged=20,
            genes=(GeneRole("g1", "integrase", ConfidenceLevel.HIGH),),
            reasoning=("The gene g1 is an integrase.",),
        ),
        GenomeStatement(
            Topic.PROPHAGE,
            "made",
            "region 1",
            "intact",
            "A prophage that looks intact.",
            interval=type(genome.genes[0].span)(*over_origin),
            parts=(
                GenomeStatement(
                    Topic.MODULE,
                    "made",
                    "lysis",
                    "1 gene",
                    "Lysis of the prophage: 1 gene.",
                    interval=genome.genes[1].span,
                    genes=(GeneRole("g2", "holin", ConfidenceLevel.HIGH),),
                    reasoning=("The holin: g2.",),
                ),
            ),
        ),
        GenomeStatement(
            Topic.SAFETY,
            "made",
            "toxin",
            "none",
            "No toxin gene was recognised.",
            Outcome.NOT_FOUND,
            searched=SEARCHED,
            missing=("toxin",),
            uncertainties=("VFDB was not searched.",),
        ),
    )


@pytest.fixture(scope="module")
def result():
    genome = genome_of(("integrase", "holin"), topology=Topology.CIRCULAR)
    summary = replace(summarise(genome), overview=said(genome))
    return build_result(summary, load_confidence())


def test_a_result_file_gives_statements_back_as_they_were(result):
    again = parse_result(render_json(result).encode())
    assert again.overview == result.overview
    first, region, _ = again.overview
    assert (first.level, first.probability, first.right, first.judged) == ("HIGH", 0.951, 19, 20)
    assert (region.start, region.end) == (631, 100)


def test_what_was_not_found_says_with_what_was_searched_and_what_was_not(result):
    notes = remarks(result.overview[2])
    assert notes == ("Searched: Pfam (35.0).", "VFDB was not searched.")
    for name in ("md", "html", "overview", "xlsx"):
        if name != "xlsx":
            assert "Pfam (35.0)" in render(result, name)


@pytest.mark.parametrize("name", ["md", "html", "overview", "gff3"])
def test_each_format_has_every_statement(result, name):
    text = render(result, name)
    every = [part.text for one in result.overview for part in (one, *one.parts)]
    assert [one for one in every if one not in text and one.replace(":", "%3A") not in text] == []


def test_what_is_said_of_a_prophage_itself_is_a_part_of_its_statement(result):
    (lysis,) = result.overview[1].parts
    assert (lysis.topic, lysis.start, lysis.end) == (Topic.MODULE, 631, 1230)
    assert parse_result(render_json(result).encode()).overview[1].parts == (lysis,)
    header, *lines = render(result, "overview").splitlines()
    rows = [dict(zip(header.split("\t"), line.split("\t"), strict=True)) for line in lines]
    assert [(row["subject"], row["part_of"]) for row in rows[1:3]] == [
        ("region 1", ""),
        ("lysis", "region 1"),
    ]
    (feature,) = [line for line in render(result, "gff3").splitlines() if "statement-2.1;" in line]
    assert "Name=region 1%2C module: lysis" in feature


def test_a_measured_statement_says_how_often_such_statements_held(result):
    assert remarks(result.overview[0]) == (
        "HIGH, probability 0.95; such statements held for 19 of 20.",
    )


def test_the_table_of_genes_names_the_statements_that_rest_on_a_gene(result):
    header, *lines = render(result, "tsv").splitlines()
    at = header.split("\t").index("genome_roles")
    assert [line.split("\t")[at] for line in lines] == [
        "lifestyle: lifestyle (integrase)",
        "region 1, module: lysis (holin)",
    ]


def test_what_a_reader_has_to_see_at_once_is_in_the_line():
    genome = genome_of(("Shiga toxin subunit A",))
    toxins = GenomeStatement(Topic.SAFETY, genome.contigs[0].id, "toxins", "1 gene", "Found.")
    summary = replace(summarise(genome), overview=(toxins,))
    (found,) = overviews(build_result(summary, load_confidence()))
    assert found.line == "toxins: 1 gene"


def kinds_of(*told):
    """A result of records with these kinds: (value, outcome, probability) of each."""
    genome = genome_of(("integrase",))
    contigs = tuple(replace(genome.contigs[0], id=f"c{at}", genes=()) for at in range(len(told)))
    statements = tuple(
        GenomeStatement(
            Topic.KIND, contig.id, "kind", value, "Said.", outcome, probability=sure,
            searched=SEARCHED,
        )
        for contig, (value, outcome, sure) in zip(contigs, told, strict=True)
    )  # fmt: skip
    summary = replace(
        summarise(replace(genome, contigs=(*genome.contigs, *contigs))), overview=statements
    )
    return build_result(summary, load_confidence())


def test_several_records_have_a_table_of_their_kinds_with_probabilities():
    result = kinds_of(("phage", Outcome.FOUND, 0.96), ("unknown", Outcome.CANNOT_TELL, None))
    one, other = overviews(result)
    assert (one.kind, one.kind_probability, one.answers) == ("phage", 0.96, "")
    assert (other.kind, other.kind_probability) == ("unknown", None)
    rows = [line.split() for line in render(result, "md").splitlines() if line.startswith("| c")]
    assert {"phage", "0.96"} <= set(rows[0])
    assert "unknown" in rows[1]
    assert '<td>phage</td><td class="num">0.96</td>' in render(result, "html")


def test_what_most_statements_searched_is_said_once():
    result = kinds_of(("phage", Outcome.FOUND, 0.96), ("phage", Outcome.FOUND, 0.97))
    assert usual_search(result) == SEARCHED
    assert remarks(result.overview[0], usual_search(result))[0].startswith("HIGH")
    assert render(result, "md").count("Pfam (35.0)") == 1


def test_a_stretch_of_the_genome_is_a_feature_for_browsers(result):
    rows = [line.split("\t") for line in render(result, "gff3").splitlines() if "\t" in line]
    (region,) = [row for row in rows if row[2] == "prophage"]
    assert (region[3], region[4]) == ("631", str(result.records[0].length + 100))


def test_short_answers_stand_in_the_line_of_a_record_and_in_the_summary(result):
    (found,) = overviews(result)
    assert found.line == "temperate, 1 prophage"
    assert "Genome: temperate, 1 prophage" in render(result, "summary")
