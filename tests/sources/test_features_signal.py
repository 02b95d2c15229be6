"""Signal peptides of secreted proteins and of lipoproteins."""

from __future__ import annotations

import pytest

from genint.sources import Residues, find_lipoprotein_signals, find_signals

MATURE = "DNTWYTGAKLGWSQYHDTGFINNNGPTHENQLGAGAFGGYQVNPYVGFEMGYDWLGRMPYKGS"
SECRETED = {
    "OmpA": ("MKKTAIAIAVALAGFATVAQAAPKDNTWYTGAKLGWSQYHDTGFI", 21),
    "PhoA": ("MKQSTIALALLPLLFTPVTKARTPEMPVLENRAAQGDITAPGGAR", 21),
    "MalE": ("MKIKTGARILALSALTTMMFSASALAKIEEGKLVIWINGDKGYNG", 26),
    "Bla": ("MSIQHFRVALIPFFAAFCLPVFAHPETLVKVKDAEDQLGARVGYI", 23),
    "LamB": ("MMITLRKLPLAVAVAAGVMSAQAMAVDFHGYARSGIGWTGSGGEQ", 25),
}
"""Precursors and the length of the signal peptide that is cut off."""
INSIDE = {
    "ribosomal S1": "MTESFAQLFEESLKEIETRPGSIVRGTVVAIDKDVVLVDAGLKSE",
    "EF-Tu": "MSKEKFERTKPHVNVGTIGHVDHGKTTLTAAITTVLAKTYGGAAR",
    "GroEL": "MAAKDVKFGNDARVKMLRGVNVLADAVKVTLGPKGRNVVLDKSFG",
    "RecA": "MAIDENKQKALAAALGQIEKQFGKGSIMRLGEDRSMDVETISTGS",
}


@pytest.mark.parametrize("name", SECRETED)
def test_signal_peptides_of_known_proteins_are_found(name: str) -> None:
    beginning, cut = SECRETED[name]
    found = find_signals(Residues.of([beginning + MATURE]))
    assert found[0].first == 1
    assert abs(found[0].last - cut) <= 3


@pytest.mark.parametrize("name", INSIDE)
def test_proteins_that_stay_inside_have_none(name: str) -> None:
    assert find_signals(Residues.of([INSIDE[name] + MATURE])) == {}
    assert find_lipoprotein_signals([INSIDE[name] + MATURE]) == {}


def test_what_leaves_no_protein_after_the_cut_is_none() -> None:
    beginning, cut = SECRETED["OmpA"]
    assert find_signals(Residues.of([beginning[: cut + 15]])) == {}
    assert find_lipoprotein_signals(["MKATKLVLGAVILGSTLLAGCSSNAKID"]) == {}


def test_a_stop_in_the_signal_makes_it_none() -> None:
    beginning, _ = SECRETED["OmpA"]
    assert find_signals(Residues.of([f"M*{beginning[1:]}{MATURE}"])) == {}
    assert find_lipoprotein_signals([f"M*KATKLVLGAVILGSTLLAGCSSNAKID{MATURE}"]) == {}


def test_charges_in_the_core_make_it_none() -> None:
    beginning, _ = SECRETED["OmpA"]
    broken = beginning.replace("AIAIAVALAG", "AIDIAVKLEG")
    assert find_signals(Residues.of([broken + MATURE])) == {}


@pytest.mark.parametrize(
    ("beginning", "cysteine"),
    [
        ("MKATKLVLGAVILGSTLLAGCSSNAKIDQ", 21),  # Lpp
        ("MQLNKVLKGLMIALPVMAIAACSSNKNAS", 22),  # Pal
        ("MRKLKMMLCVMMLPLVVVGCTSKQSVSQC", 20),  # Rz1 of phage lambda
    ],
)
def test_lipobox_is_found_where_the_lipid_is(beginning: str, cysteine: int) -> None:
    (signal,) = find_lipoprotein_signals([beginning + MATURE]).values()
    assert signal.last == cysteine - 1


def test_a_cysteine_without_a_hydrophobic_core_is_no_lipobox() -> None:
    assert find_lipoprotein_signals(["MKSSNGQNTSGQNSNTLAGCSSN" + MATURE]) == {}


def test_a_lipobox_without_a_charge_before_it_is_none() -> None:
    assert find_lipoprotein_signals(["MSLVLGAVILGSTLLAGCSSNA" + MATURE]) == {}


def test_a_lipobox_far_from_the_beginning_is_none() -> None:
    assert find_lipoprotein_signals(["M" + MATURE + "KLVLGAVILGSTLLAGCSSN"]) == {}


def test_no_proteins_have_no_signals() -> None:
    assert find_signals(Residues.of([])) == {}
    assert find_lipoprotein_signals([]) == {}
