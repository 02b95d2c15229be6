"""Doubts: features that contradict a name, and evidence from where it cannot come."""

from __future__ import annotations

from dataclasses import replace

import pytest

from genint.interpret import (
    LONGEST_HOLIN,
    feature_uncertainties,
    score_evidence,
    taxon_uncertainties,
    uncertainties,
)
from genint.model import FeatureKind, SequenceFeature

SEGMENT = SequenceFeature(FeatureKind.TRANSMEMBRANE, 10, 28, 3.0, "made up")
SIGNAL = SequenceFeature(FeatureKind.SIGNAL_PEPTIDE, 1, 22, 1.0, "made up")
LIPID = SequenceFeature(FeatureKind.LIPOPROTEIN_SIGNAL, 1, 19, 0.0, "made up")
COIL = SequenceFeature(FeatureKind.COILED_COIL, 30, 60, 0.95, "made up")


@pytest.mark.parametrize(
    ("name", "features"),
    [
        ("holin", [SEGMENT]),
        ("putative holin", [SIGNAL]),
        ("inner membrane spanin", [SIGNAL, COIL]),
        ("outer membrane spanin", [LIPID]),
        ("major capsid protein", [COIL]),
        ("portal protein", []),
        ("site-specific integrase", []),
        ("lactose permease", [SEGMENT]),
        ("periplasmic chaperone", []),
        ("outer membrane protein A", [SIGNAL]),
        ("lipoprotein", [LIPID]),
        ("30S ribosomal protein S1", []),
        ("hypothetical protein", []),
        ("tail length tape measure protein", [SEGMENT, COIL]),
        ("endolysin", []),
        ("endolysin", [SEGMENT]),
    ],
)
def test_a_name_that_fits_is_not_doubted(name: str, features: list[SequenceFeature]) -> None:
    assert feature_uncertainties(name, None, features, 120) == ()


@pytest.mark.parametrize(
    ("name", "features", "words"),
    [
        ("holin", [], "named as a holin, but no transmembrane segment is predicted"),
        ("phage holin", [COIL], "no transmembrane segment"),
        ("Rz-like spanin", [COIL], "no transmembrane segment or signal peptide"),
        ("major capsid protein", [SEGMENT], "but a transmembrane segment is predicted"),
        ("portal protein", [SEGMENT], "but a transmembrane segment is predicted"),
        ("integrase", [SEGMENT], "but a transmembrane segment is predicted"),
        ("ABC transporter permease", [], "no transmembrane segment"),
        ("periplasmic protein", [], "the gene starts elsewhere"),
        ("lipoprotein", [COIL], "no signal peptide"),
        ("leucyl-tRNA ligase", [SEGMENT], "but a transmembrane segment is predicted"),
    ],
)
def test_a_name_at_odds_is_doubted(name: str, features: list[SequenceFeature], words: str) -> None:
    (doubt,) = feature_uncertainties(name, None, features, 120)
    assert words in doubt


def test_a_holin_that_is_too_long_is_doubted() -> None:
    assert feature_uncertainties("holin", None, [SEGMENT], LONGEST_HOLIN) == ()
    (doubt,) = feature_uncertainties("holin", None, [SEGMENT], LONGEST_HOLIN + 1)
    assert f"{LONGEST_HOLIN + 1} residues" in doubt


def test_a_role_is_enough() -> None:
    assert feature_uncertainties("protein S", "holin", [], 107)
    assert feature_uncertainties("gp E", "major_capsid", [SEGMENT], 340)


@pytest.mark.parametrize(
    "name",
    [
        "antiholin",
        "holin-associated protein",
        "endolysin and holin fusion lysin",
        "ABC transporter permease/ATP-binding protein",
        "periplasmic nitrate reductase assembly protein",
        "outer membrane protein assembly factor",
        "lipoprotein signal peptidase",
        "inner membrane protein associated regulator",
    ],
)
def test_names_that_only_contain_the_word_are_left_alone(name: str) -> None:
    assert feature_uncertainties(name, None, [], 120) == ()


def test_signal_of_a_capsid_protein_is_no_doubt() -> None:
    """One in a hundred has what looks like one."""
    assert feature_uncertainties("major capsid protein", None, [SIGNAL], 340) == ()


@pytest.fixture
def of(similar):
    def make(organism, name="thymidine kinase"):
        item = similar(name)
        return replace(item, similar=item.similar._replace(organism=organism))

    return make


@pytest.mark.parametrize(
    "organism",
    [
        "Vaccinia virus (strain Western Reserve)",
        "Human herpesvirus 1 (strain 17)",
        "African swine fever virus",
        "Acanthamoeba polyphaga mimivirus",
        "Saccharomyces cerevisiae (strain ATCC 204508 / S288c)",
        "Tobacco mosaic virus",
        "Autographa californica nuclear polyhedrosis virus",
        "Fowlpox virus",
    ],
)
def test_a_protein_of_what_infects_no_bacterium_is_a_doubt(of, organism):
    [doubt] = taxon_uncertainties([of(organism)])
    assert doubt.startswith("taxon: P12345 is of ")
    assert organism in doubt


@pytest.mark.parametrize(
    "organism",
    [
        "Escherichia phage T4",
        "Enterobacteria phage lambda",
        "Bacillus phage SPbeta",
        "Escherichia coli (strain K12)",
        "Homo phage",
        "Salmonella typhimurium",
        "Haloarcula hispanica pleomorphic virus 1",
        "Sulfolobus islandicus rod-shaped virus 1",
        "Ratibacter phage 1",
        "",
    ],
)
def test_proteins_of_phages_bacteria_and_archaeal_viruses_are_none(of, organism):
    assert taxon_uncertainties([of(organism)]) == ()


def test_a_part_of_a_eukaryotic_cell_in_the_name_is_a_doubt(similar):
    [doubt] = taxon_uncertainties([similar("nuclear pore complex protein Nup98")])
    assert doubt == "taxon: “nuclear pore” in “nuclear pore complex protein Nup98” is of eukaryotes"


def test_the_doubt_stands_among_the_uncertainties(of, judgement, gene):
    found = uncertainties(gene(), score_evidence((of("Vaccinia virus"),), judgement))
    assert any(doubt.startswith("taxon: ") for doubt in found)
