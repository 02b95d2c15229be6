"""The compiled comparisons around seeds are those of their description, in plain Python."""

from __future__ import annotations

import random

import numpy as np
import pytest

from genint.native.similarity import (
    WINDOW,
    Band,
    Gaps,
    Stretches,
    alike,
    best_in_band,
    segment_scores,
)


@pytest.fixture(scope="module")
def rows():
    """Two rows of codes that are alike here and there, and places in both."""
    chance = random.Random(3)
    theirs = np.array([chance.randrange(256) for _ in range(400)], np.uint8)
    ours = theirs[50:350].copy()
    for at in range(len(ours)):
        if chance.random() < 0.5:
            ours[at] = chance.choice([ours[at] ^ chance.randrange(16), chance.randrange(256)])
    first = [(chance.randrange(340), chance.randrange(240)) for _ in range(50)]
    first += [(at + 50, at) for at in range(0, 240, 7)]
    return theirs, ours, first


def stretches(rows):
    theirs, ours, first = rows
    return Stretches(theirs, np.array([one for one, _ in first])), Stretches(
        ours, np.array([other for _, other in first])
    )


def test_the_same_residue_counts_three_and_one_of_its_group_one(rows):
    theirs, ours, first = rows
    expected = [
        sum(
            3 if one == other else int(one >> 4 == other >> 4)
            for one, other in zip(
                theirs[at : at + WINDOW].tolist(), ours[to : to + WINDOW].tolist(), strict=True
            )
        )
        for at, to in first
    ]
    assert max(expected) > 40 > min(expected)
    assert alike(*stretches(rows)).tolist() == expected


def test_a_segment_is_the_highest_sum_of_neighbours(rows):
    theirs, ours, first = rows
    chance = random.Random(9)
    table = np.array([[chance.randrange(-20, 15) for _ in range(256)] for _ in range(256)], np.int8)
    expected = []
    for at, to in first:
        sums = [0, *np.cumsum([int(table[ours[to + k], theirs[at + k]]) for k in range(54)])]
        expected.append(
            int(max(sums[b] - sums[a] for a in range(len(sums)) for b in range(a, len(sums))))
        )
    assert max(expected) > 20
    assert segment_scores(*stretches(rows), 54, table).tolist() == expected


def test_no_stretches_are_no_scores_and_those_outside_are_refused():
    row = np.zeros(WINDOW, np.uint8)
    none, one = np.zeros(0, np.int64), np.zeros(1, np.int64)
    assert not len(alike(Stretches(row, none), Stretches(row, none)))
    assert alike(Stretches(row, one), Stretches(row, one)).tolist() == [3 * WINDOW]
    for outside in (one - 1, one + 1):
        with pytest.raises(ValueError, match="outside"):
            alike(Stretches(row, one), Stretches(row, outside))


def best_of_all(protein, target, table, gaps):
    """The best alignment from end to end, without a band: three tables of states."""
    low = -(10**9)
    rows, columns = len(protein) + 1, len(target) + 1
    pair, down, across = (np.full((rows, columns), low) for _ in range(3))
    pair[0, 0] = 0
    for i in range(rows):
        for j in range(columns):
            if i:
                begun = max(pair[i - 1, j], across[i - 1, j]) - gaps.first
                down[i, j] = max(begun, down[i - 1, j] - gaps.next)
            if j:
                begun = max(pair[i, j - 1], down[i, j - 1]) - gaps.first
                across[i, j] = max(begun, across[i, j - 1] - gaps.next)
            if i and j:
                before = max(pair[i - 1, j - 1], down[i - 1, j - 1], across[i - 1, j - 1])
                pair[i, j] = before + table[protein[i - 1], target[j - 1]]
    return max(pair[-1, -1], down[-1, -1], across[-1, -1])


def test_in_a_band_of_all_diagonals_the_best_alignment_is_that_of_plain_tables():
    chance = random.Random(6)
    gaps = Gaps(12, 1)
    for _ in range(30):
        table = np.array([[chance.randrange(-8, 9) for _ in range(5)] for _ in range(5)], np.int64)
        table[4, :] = table[:, 4] = -20
        protein = np.array([chance.randrange(4) for _ in range(chance.randrange(1, 25))], np.uint8)
        target = np.array([chance.randrange(4) for _ in range(chance.randrange(1, 25))], np.uint8)
        band = Band(-len(protein), len(protein) + len(target) + 1)
        found = best_in_band(protein, target, band, table, gaps)
        assert found == best_of_all(protein, target, table, gaps)


def test_an_end_outside_of_the_band_is_refused_and_an_empty_protein_adds_nothing():
    table, gaps = np.zeros((5, 5), np.int64), Gaps(12, 1)
    residues = np.zeros(8, np.uint8)
    with pytest.raises(ValueError, match="band"):
        best_in_band(residues[:2], residues, Band(-1, 3), table, gaps)
    assert best_in_band(residues[:0], residues[:0], Band(0, 1), table, gaps) == 0
