"""Ends and completeness: what closes a genome, and what is missing from it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from genint.model import Topic, Topology
from genint.model.overview import Outcome
from tests.builders.overviews import described, genome_of

WHOLE = (
    "terminase large subunit",
    "portal protein",
    "major capsid protein",
    "tape measure protein",
    "holin",
    "endolysin",
)


def said_of(products, topic, *, repeat_bp=0, topology=Topology.LINEAR, stated=True):
    genome = genome_of(products, topology=topology)
    contig = replace(genome.contigs[0], terminal_repeat_bp=repeat_bp, topology_stated=stated)
    (one,) = [one for one in described(replace(genome, contigs=(contig,))) if one.topic is topic]
    return one


@pytest.mark.parametrize(
    "closed", [{"repeat_bp": 160}, {"repeat_bp": 77}, {"topology": Topology.CIRCULAR}]
)
def test_a_phage_with_every_part_that_closes_is_complete(closed):
    said = said_of(WHOLE, Topic.COMPLETENESS, **closed)
    assert (said.value, said.outcome) == ("complete", Outcome.FOUND)


def test_a_circle_that_the_file_does_not_state_is_complete_only_if_it_is_one():
    said = said_of(WHOLE, Topic.COMPLETENESS, topology=Topology.CIRCULAR, stated=False)
    assert said.value == "complete if circular"
    assert any("does not say that the record is circular" in one for one in said.uncertainties)


def test_a_record_that_its_file_calls_complete_is_complete_with_every_part():
    genome = genome_of(WHOLE)
    contig = replace(genome.contigs[0], description="Some phage, complete genome")
    statements = described(replace(genome, contigs=(contig,)))
    (said,) = [one for one in statements if one.topic is Topic.COMPLETENESS]
    assert (said.value, said.outcome) == ("complete", Outcome.FOUND)
    assert "the file calls the record complete" in said.text


def test_how_the_record_closes_is_said():
    line = said_of(WHOLE, Topic.COMPLETENESS, repeat_bp=160)
    assert "begins and ends with the same 160 bp" in line.text
    assert "circle" in said_of(WHOLE, Topic.COMPLETENESS, topology=Topology.CIRCULAR).text


def test_every_part_without_closed_ends_is_not_called_complete():
    said = said_of(WHOLE, Topic.COMPLETENESS)
    assert (said.value, said.outcome) == ("ends not shown", Outcome.CANNOT_TELL)


@pytest.mark.parametrize(
    ("lost", "part"), [("terminase large subunit", "packaging"), ("tape measure protein", "tail")]
)
def test_a_part_that_was_not_recognised_is_missing(lost, part):
    left = [product for product in WHOLE if product != lost]
    said = said_of(left, Topic.COMPLETENESS)
    assert said.missing == (part,)
    assert said.outcome is Outcome.CANNOT_TELL


def test_long_repeats_at_both_ends_are_the_phages_own():
    said = said_of(WHOLE, Topic.ENDS, repeat_bp=8486)
    assert said.value == "direct terminal repeats"
    assert any("8,486 bp" in step for step in said.reasoning)


def test_ends_that_overlap_by_a_word_of_an_assembler_are_an_assembled_circle():
    said = said_of(WHOLE, Topic.ENDS, repeat_bp=127)
    assert said.outcome is Outcome.CANNOT_TELL
    assert any("assembled circle" in step for step in said.reasoning)


def test_without_a_terminase_it_is_missing_and_nothing_is_told():
    said = said_of(WHOLE[1:], Topic.ENDS)
    assert said.missing == ("large subunit of the terminase",)
    assert said.outcome is Outcome.CANNOT_TELL
