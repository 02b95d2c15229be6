"""Coiled coils: the published table, the register, and what breaks a coil."""

from __future__ import annotations

import pytest

from genint.sources import Residues, find_coiled_coils, probability

LEUCINE_ZIPPER = "MKQLEDKVEELLSKNYHLENEVARLKKLVGER"
"""Of yeast GCN4, the textbook case."""
HEPTADS = "EIAALEKEIAALEKEIAALEKEIAALEK"
GLOBULAR = "MNIFEMLRIDEGLRLKIYKDTEGYYTIGIGHLLTKSPSLNAAKSELDKAIGRNCNGVITKDEAEKLFNQDVDAAVRG"
"""Beginning of the lysozyme of phage T4."""


def spans(protein: str) -> list[tuple[int, int]]:
    found = find_coiled_coils(Residues.of([protein])).get(0, ())
    return [(one.first, one.last) for one in found]


def test_a_leucine_zipper_is_a_coiled_coil() -> None:
    ((first, last),) = spans(LEUCINE_ZIPPER)
    assert last - first + 1 >= 28


def test_a_lysozyme_is_none() -> None:
    assert spans(GLOBULAR) == []


@pytest.mark.parametrize("shift", range(7))
def test_the_register_does_not_matter(shift: int) -> None:
    assert spans("G" * shift + "PP" + HEPTADS) == [(shift + 3, shift + 30)]


def test_proline_breaks_a_coil() -> None:
    assert spans(HEPTADS[:14] + "P" + HEPTADS[15:]) == []


def test_two_coils_of_a_protein_are_two() -> None:
    assert len(spans(HEPTADS + "PGPGPGPG" * 4 + HEPTADS)) == 2


def test_fewer_than_28_residues_are_too_few() -> None:
    assert spans(HEPTADS[:27]) == []


def test_probability_grows_with_the_score_as_published() -> None:
    assert probability(0.77) < 0.001
    assert probability(1.63) > 0.99
    steps = [probability(score / 100) for score in range(50, 250)]
    assert steps == sorted(steps)
