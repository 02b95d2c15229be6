"""Lifestyle of phages: what it rests on, and when it is undetermined."""

from __future__ import annotations

import pytest
from Bio import SeqIO

from genint import interpret_genome
from genint.model import GenomeKind, Topic, Topology
from genint.model.overview import Outcome
from tests.builders.overviews import described, genome_of

TAILED = (
    "terminase large subunit",
    "portal protein",
    "major capsid protein",
    "tape measure protein",
    "holin",
    "endolysin",
)
VIRULENT = ("DNA polymerase", "ribonucleotide reductase", "thymidylate synthase", "RNA polymerase")


def lifestyle_of(products, **options):
    said = described(genome_of(products, **options))
    (one,) = [one for one in said if one.topic is Topic.LIFESTYLE]
    return one


def test_an_integrase_makes_a_tailed_phage_temperate_and_is_named_with_its_level():
    said = lifestyle_of((*TAILED, "integrase", "CI repressor"))
    assert (said.value, said.outcome) == ("temperate", Outcome.FOUND)
    assert [(one.gene_id, one.role) for one in said.genes] == [
        ("g7", "integrase"),
        ("g8", "regulator of lysogeny"),
    ]
    assert any("g7 (integrase" in step for step in said.reasoning)


@pytest.mark.parametrize(
    "how", ["DNA transposition protein B", "chromosome partitioning protein ParA", "protelomerase"]
)
def test_phages_that_transpose_or_stay_as_plasmids_are_temperate_without_integrase(how):
    assert lifestyle_of((*TAILED, how, "phage repressor")).value == "temperate"


def test_a_well_known_phage_without_such_genes_is_virulent_and_that_is_no_proof():
    said = lifestyle_of((*TAILED, *VIRULENT))
    assert said.value == "virulent"
    assert "integrase" in said.missing
    assert any("no proof" in doubt for doubt in said.uncertainties)
    assert said.searched == ("Pfam (35.0)",)


def test_the_probability_is_the_share_that_was_right_of_phages_left_out():
    said = lifestyle_of((*TAILED, "integrase"))
    assert said.probability == round((said.right + 1) / (said.judged + 2), 2)
    assert 0 < said.right <= said.judged
    assert any(f"{said.right} of {said.judged}" in step for step in said.reasoning)


def test_repressors_without_a_way_to_stay_contradict_and_nothing_is_told():
    said = lifestyle_of((*TAILED, *VIRULENT, "CI repressor", "antirepressor"))
    assert (said.value, said.outcome) == ("cannot tell", Outcome.CANNOT_TELL)
    assert said.probability is None
    assert any("control lysogeny" in step for step in said.reasoning)


def test_a_piece_of_a_phage_is_never_called_virulent():
    said = lifestyle_of((*TAILED[:3], *VIRULENT))
    assert said.outcome is Outcome.CANNOT_TELL
    assert any("may be a piece" in step for step in said.reasoning)


def test_records_without_genes_of_a_phage_are_not_told():
    said = lifestyle_of(("DNA helicase", None, "acetyltransferase"))
    assert said.outcome is Outcome.CANNOT_TELL


def test_nothing_is_said_of_bacteria():
    said = described(genome_of((*TAILED, "integrase"), kind=GenomeKind.BACTERIUM))
    topics = {Topic.LIFESTYLE, Topic.ENDS, Topic.COMPLETENESS, Topic.HOST, Topic.RELATIVE}
    assert not topics & {one.topic for one in said}


def test_phix174_is_virulent_by_its_family_and_complete(examples, searched):
    summary = interpret_genome(examples / "phiX174.gbk", cache_folder=searched)
    said = {one.topic: one for one in summary.overview}
    assert said[Topic.LIFESTYLE].value == "virulent"
    assert "microvirus" in said[Topic.LIFESTYLE].text
    assert said[Topic.COMPLETENESS].value == "complete"
    assert said[Topic.HOST].value == "Escherichia"


def test_half_a_phage_is_not_called_virulent_for_what_it_does_not_have():
    """Virion and lysis without replication, as the right half of a temperate phage has them."""
    half = (*TAILED, "minor tail protein", "terminase small subunit")
    assert lifestyle_of(half).outcome is Outcome.CANNOT_TELL
    assert lifestyle_of((*half, *VIRULENT)).value == "virulent"
    assert lifestyle_of(half, topology=Topology.CIRCULAR).value == "virulent"


def test_half_a_tailed_phage_is_judged_as_one_by_its_relatives(examples, tmp_path):
    """Lambda from 25 to 45 kb: integrase and repressors, and no gene that only tailed ones have."""
    half = SeqIO.read(examples / "lambda.fasta", "fasta")[25_000:45_000]
    SeqIO.write(half, tmp_path / "half.fasta", "fasta")
    overview = interpret_genome(tmp_path / "half.fasta").overview
    said = {(one.topic, one.subject): one for one in overview}
    assert said[Topic.LIFESTYLE, "lifestyle"].value == "temperate"
    assert said[Topic.MODULE, "tail"].missing
    transduction = said[Topic.SAFETY, "transduction"]
    assert not any("no gene of a tailed phage" in step for step in transduction.reasoning)
