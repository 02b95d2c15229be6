"""Every genome is measured with what was made without it and its near relatives."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.accuracy.usage import ProgramFailed
from benchmarks.genes.genint_runs import HeldOut, group_of
from benchmarks.genes.panel import GENOMES, PANEL, Listed

BY_NAME = {one.name: one for one in GENOMES}
OWN = HeldOut(Path("parameters"), Path("families"))


def test_near_relatives_share_what_leaves_them_out() -> None:
    files = {OWN.parameters_of(BY_NAME[name]) for name in ("lambda", "DE3", "VT2Sakai")}
    assert files == {Path("parameters/lambdoid.toml")}
    assert OWN.parameters_of(BY_NAME["REL606 part"]) == OWN.parameters_of(BY_NAME["E_coli"])


def test_every_phage_of_the_panel_is_in_a_group_with_blind_families() -> None:
    for one in GENOMES:
        if one.pool == PANEL:
            assert group_of(one) is not None
            assert OWN.families_of(one) is not None


def test_a_genome_that_nothing_was_fitted_on_is_measured_with_what_ships() -> None:
    stranger = Listed("stranger", "stranger.gb", PANEL)
    assert OWN.parameters_of(stranger) is None
    assert OWN.rescue(stranger) is None
    assert OWN.missing(stranger) == ()


def test_families_that_know_a_genome_are_not_called_blind() -> None:
    with pytest.raises(ProgramFailed, match="no families were built without"):
        OWN.families_of(Listed("stranger", "stranger.gb", PANEL))
    assert HeldOut().families_of(BY_NAME["lambda"]) is None


def test_what_was_not_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "lambdoid.toml").touch()
    held_out = HeldOut(tmp_path)
    assert held_out.missing(BY_NAME["lambda"]) == ()
    (path,) = held_out.missing(BY_NAME["T7"])
    assert path.suffix == ".toml"


def test_the_output_says_whether_figures_are_held_out() -> None:
    assert "without the genome" in OWN.regime
    assert "as shipped" in HeldOut().regime
