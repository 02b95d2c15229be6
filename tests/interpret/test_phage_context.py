"""Names of phages in bacterial genomes, where phage genes lie around and where none do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from genint.interpret import interpret
from genint.interpret.phage_context import (
    ENOUGH_FAR_GENES,
    ENOUGH_GENES,
    REACH,
    in_their_place,
    is_of_phages,
)
from genint.knowledge import Setting
from genint.model import (
    Contig,
    EvidenceType,
    FileFormat,
    Genome,
    GenomeKind,
    GenomeSource,
    Interval,
    Location,
    Qualifier,
    Specificity,
    Strand,
    Topology,
)

LENGTH = 30


@pytest.fixture
def bacterium(judgement):
    """The judgement for a bacterium, with the calibration of the tests."""
    setting = Setting("offline", GenomeKind.BACTERIUM)
    calibrations = {setting: judgement.calibration}
    parameters = replace(judgement.parameters, calibrations=calibrations)
    return replace(judgement, parameters=parameters, setting=setting)


@pytest.fixture
def record(gene):
    """A record of thirty genes; changes of some by their number."""

    def make(changes=(), **of_record):
        changed = dict(changes)
        genes = tuple(
            gene(
                id=f"g{at}",
                location=Location.simple(Interval(at * 700, at * 700 + 600), Strand.FORWARD),
                **changed.get(at, {}),
            )
            for at in range(LENGTH)
        )
        return Contig("c", "A" * (700 * LENGTH), genes=genes, **of_record)

    return make


@pytest.fixture
def portal(family):
    def make(at, name="portal protein", product="portal_protein", **changes):
        return family(name, product, gene_id=f"g{at}", **changes)

    return make


def seen(contig, evidence, model):
    """Specificity of the first claim of each gene that has one."""
    by_id = {item.gene_id: (item,) for item in evidence}
    found = in_their_place(contig, by_id, model)
    return {id_: items[0].specificity for id_, items in found.items() if items}


def test_a_phages_name_among_bacterial_genes_is_no_name_of_the_protein(record, portal, bacterium):
    [item] = in_their_place(record(), {"g9": (portal(9),)}, bacterium)["g9"]
    assert item.claim == "contains a region like portal protein"
    assert item.specificity is Specificity.DOMAIN
    assert "neither the file nor the 60 nearest genes show a phage here" in item.caveats[-1]


def test_among_phage_genes_it_is_one(record, portal, bacterium):
    evidence = [portal(at) for at in range(5, 5 + ENOUGH_GENES + 1)]
    assert set(seen(record(), evidence, bacterium).values()) == {Specificity.PROTEIN}


def test_genes_out_of_reach_show_no_phage(record, portal, bacterium):
    evidence = [portal(0), *(portal(REACH + 1 + at) for at in range(ENOUGH_GENES + 1))]
    assert seen(record(), evidence, bacterium)["g0"] is Specificity.DOMAIN
    circle = record(topology=Topology.CIRCULAR)
    around = [portal(0), *(portal(LENGTH - 1 - at) for at in range(ENOUGH_GENES))]
    assert seen(circle, around, bacterium)["g0"] is Specificity.PROTEIN


def test_more_genes_at_the_other_end_of_a_prophage_show_it_too(record, portal, bacterium):
    """The repressor lies beside the integrase, dozens of genes before the virion's."""
    others = [portal(REACH + 5 + at) for at in range(ENOUGH_FAR_GENES)]
    assert seen(record(), [portal(0), *others], bacterium)["g0"] is Specificity.PROTEIN
    assert seen(record(), [portal(0), *others[1:]], bacterium)["g0"] is Specificity.DOMAIN


@pytest.mark.parametrize(
    "change",
    [
        {"product": "phage protein of unknown function"},
        {"product": "portal protein"},
        {"qualifiers": (Qualifier("is_phage", "1"),)},
    ],
)
def test_what_the_file_says_of_the_gene_or_of_its_neighbours_shows_a_phage(
    record, portal, bacterium, change
):
    own = record({9: change})
    near = record({8: change, 10: change, 11: change})
    for contig in (own, near):
        assert seen(contig, [portal(9)], bacterium)["g9"] is Specificity.PROTEIN


@pytest.mark.parametrize("product", ["phage shock protein A", "macrophage infectivity potentiator"])
def test_other_uses_of_the_word_phage_show_none(record, portal, bacterium, product):
    near = record({8: {"product": product}, 10: {"product": product}, 11: {"product": product}})
    assert seen(near, [portal(9)], bacterium)["g9"] is Specificity.DOMAIN


def test_in_a_phages_genome_or_record_every_name_stands(record, portal, bacterium, judgement):
    assert seen(record(), [portal(9)], judgement)["g9"] is Specificity.PROTEIN
    phage = record(organism="Enterobacteria phage P22")
    assert seen(phage, [portal(9)], bacterium)["g9"] is Specificity.PROTEIN


def test_names_that_bacteria_have_too_stand_anywhere(record, portal, bacterium):
    wall = portal(9, "lysozyme", "lysozyme")
    regulator = portal(11, "transcriptional repressor", "transcriptional_repressor")
    assert set(seen(record(), [wall, regulator], bacterium).values()) == {Specificity.PROTEIN}


@pytest.mark.parametrize(
    ("id_", "expected"),
    [
        ("phage_repressor", True),
        ("portal_protein", True),
        ("holin", True),
        ("tail_protein", True),
        ("transcriptional_regulator", False),
        ("lysozyme", False),
        ("integrase", False),
        ("dna_polymerase", False),
        ("glutamine_synthetase", False),
    ],
)
def test_only_what_bacteria_lack_is_a_phages_name(judgement, id_, expected):
    assert is_of_phages(judgement.products.products[id_]) is expected


def test_the_files_repressor_is_not_renamed_after_a_phages(record, family, annotated, bacterium):
    own = "arsenical resistance operon transcriptional repressor"
    contig = record({9: {"product": own}})
    evidence = (
        annotated(own, gene_id="g9"),
        family("phage repressor", "phage_repressor", gene_id="g9", strength="family_well_agreed"),
    )
    genome = Genome((contig,), GenomeSource("x.gb", "0" * 64, FileFormat.GENBANK))
    result = interpret(genome, evidence, (), bacterium)[9]
    assert result.interpretation.hypothesis == own
    assert EvidenceType.FAMILY in {one.type for one in result.interpretation.evidence}
    assert any("is a name of phages" in one for one in result.interpretation.uncertainties)
