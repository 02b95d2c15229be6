"""Names that are at odds with the residues, in plain words."""

from __future__ import annotations

import pytest

from genint.interpret.uncertainty import LONGEST_HOLIN, feature_uncertainties
from genint.model.evidence import FeatureKind, SequenceFeature

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
