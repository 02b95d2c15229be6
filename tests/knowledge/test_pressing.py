"""Pressing: HMMER reads back what was pressed, in its order."""

from __future__ import annotations

import pytest
from pyhmmer.easel import Alphabet, TextSequence
from pyhmmer.plan7 import Background, Builder, HMMPressedFile

from genint.knowledge import press

ALPHABET = Alphabet.amino()


def profiles(*names):
    for at, name in enumerate(names):
        residues = "MSTKKKPLTQEQLEDARRLKAIYEKKKNELGLSQESVADKMGMGQSGVGALFNG"[at:]
        sequence = TextSequence(name=name, sequence=residues).digitize(ALPHABET)
        profile, _, _ = Builder(ALPHABET).build(sequence, Background(ALPHABET))
        profile.cutoffs.gathering = (20.0 + at, 21.0 + at)
        yield profile


def read_back(stem):
    with HMMPressedFile(stem) as pressed:
        return [(one.name, one.M, one.cutoffs.gathering1) for one in pressed]


@pytest.mark.parametrize("name", ["00", "profiles", "one.two"])
def test_names_lengths_and_thresholds_come_back_in_their_order(tmp_path, name):
    assert press(profiles("b", "a", "c"), tmp_path / name) == 3
    assert read_back(tmp_path / name) == [("b", 54, 20.0), ("a", 53, 21.0), ("c", 52, 22.0)]


def test_there_are_the_four_files_of_hmmpress_and_no_more(tmp_path):
    press(profiles("a", "b"), tmp_path / "x")
    assert {path.name for path in tmp_path.iterdir()} == {"x.h3f", "x.h3p", "x.h3m", "x.h3i"}


def test_pressing_over_older_files_replaces_them(tmp_path):
    press(profiles("a", "b", "c"), tmp_path / "x")
    press(profiles("d"), tmp_path / "x")
    assert read_back(tmp_path / "x") == [("d", 54, 20.0)]


def test_the_models_themselves_are_not_kept(tmp_path):
    press(profiles("a"), tmp_path / "one")
    press(profiles(*"abcdefgh"), tmp_path / "many")
    sizes = [(tmp_path / stem).with_suffix(".h3m").stat().st_size for stem in ("one", "many")]
    assert sizes[0] == sizes[1]


def test_of_no_profiles_none_are_pressed(tmp_path):
    assert press(iter(()), tmp_path / "x") == 0


def test_a_folder_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(OSError, match="nowhere"):
        press(profiles("a"), tmp_path / "nowhere" / "x")
