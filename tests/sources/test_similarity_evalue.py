"""Estimates decide only where they leave no doubt."""

from __future__ import annotations

import random

import numpy as np

from genint.sources.similarity import evalue as worth

ALPHABET = b"ACDEFGHIKLMNPQRSTVWY"


def protein(seed: int, length: int, letters: bytes = ALPHABET) -> bytes:
    return bytes(random.Random(seed).choices(letters, k=length))


def altered(residues: bytes, share: float, seed: int) -> bytes:
    chance = random.Random(seed)
    return bytes(
        chance.choice(ALPHABET) if chance.random() < share else residue for residue in residues
    )


def test_kin_come_first_and_strangers_not_at_all() -> None:
    ours = protein(1, 200)
    targets = [protein(2, 200), altered(ours, 0.6, 3), altered(ours, 0.3, 4)]
    found = worth.estimate(worth.query(ours, 1_000_000, 3_000), targets, targets.__getitem__, 1e-3)
    assert found.at.tolist() == [2, 1]


def test_sure_hits_keep_their_estimates_and_doubtful_ones_are_scored_again() -> None:
    ours = protein(1, 200)
    asked = worth.query(ours, 1_000_000, 3_000)
    targets = [ours, altered(ours, 0.72, 3)]
    found = worth.estimate(asked, targets, targets.__getitem__, 1e-3)
    bits = worth.adjusted_bits(asked, found)
    assert found.at.tolist() == [0, 1]
    assert bits[0] == found.bits[0]
    assert bits[1] != found.bits[1]


def test_repeats_that_score_as_well_backwards_are_worth_little() -> None:
    half = protein(5, 60, b"EEKKQLA")
    ours = half + half[::-1]
    asked = worth.query(ours, 1_000_000, 3_000)
    found = worth.estimate(asked, [ours[::-1]], [ours[::-1]].__getitem__, 1e-3)
    assert len(found.at) == 1
    assert worth.adjusted_bits(asked, found)[0] < 40


def test_nothing_is_worth_nothing() -> None:
    asked = worth.query(protein(1, 100), 1_000_000, 3_000)
    found = worth.estimate(asked, [protein(2, 100)], [b""].__getitem__, 1e-6)
    assert len(found.at) == 0
    assert np.array_equal(worth.adjusted_bits(asked, found), np.zeros(0))


def test_a_promising_stretch_is_scored_as_the_whole_entry() -> None:
    ours = protein(1, 200)
    asked = worth.query(ours, 1_000_000, 3_000)
    entry = protein(2, 300) + altered(ours, 0.3, 4) + protein(3, 300)
    stretches = [entry[350:450], protein(6, 100)]
    found = worth.estimate(asked, stretches, [entry, ours].__getitem__, 1e-3)
    whole = worth.estimate(asked, [entry], [entry].__getitem__, 1e-3)
    assert found.at.tolist() == [0]
    assert found.targets == [entry]
    assert found.bits.tolist() == whole.bits.tolist()


def test_the_others_are_looked_at_only_where_one_of_the_first_is_promising() -> None:
    ours = protein(1, 200)
    asked = worth.query(ours, 1_000_000, 3_000)
    stranger, kin = protein(2, 200), altered(ours, 0.3, 4)
    for targets, wanted in (
        ([stranger, stranger, kin], []),
        ([stranger, kin, kin], [1, 2]),
    ):
        found = worth.estimate(asked, targets, targets.__getitem__, 1e-3, first=2)
        assert found.at.tolist() == wanted
    targets = [stranger, stranger, kin]
    found = worth.estimate(asked, targets, targets.__getitem__, 1e-3)
    assert found.at.tolist() == [2]
