"""The compiled comparisons around seeds are those of their description, in plain Python."""

from __future__ import annotations

import random

import numpy as np
import pytest

from genint.native.similarity import WINDOW, Stretches, alike, segment_scores


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
