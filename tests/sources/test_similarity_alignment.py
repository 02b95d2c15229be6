"""Scores, ends and identities are those of a plain Smith-Waterman alignment."""

from __future__ import annotations

import os
import random
from pathlib import Path

import numpy as np
import pytest

from genint.sources import (
    LETTERS,
    Pair,
    align,
    align_all,
    count_identical,
    ends,
    fitted_scores,
    scores,
    substitution_scores,
)

AMINO_ACIDS = "ACDEFGHIKLMNPQRSTVWY"
_TABLE = substitution_scores(LETTERS)
_NEVER = -(10**9)


def blosum(first: str, second: str) -> int:
    return int(_TABLE[LETTERS.index(first), LETTERS.index(second)])


def plain_score(protein: str, target: str, *, local: bool) -> int:
    """Gotoh's recurrences cell by cell: a gap of n residues costs 11 + n."""
    best = [0 if local or not at else -11 - at for at in range(len(target) + 1)]
    down = [_NEVER] * (len(target) + 1)
    highest = 0
    for row, residue in enumerate(protein, start=1):
        previous, best = best, [0 if local else -11 - row] + [0] * len(target)
        across = _NEVER
        for at, other in enumerate(target, start=1):
            down[at] = max(previous[at] - 12, down[at] - 1)
            across = max(best[at - 1] - 12, across - 1)
            best[at] = max(previous[at - 1] + blosum(residue, other), down[at], across)
            if local:
                best[at] = max(best[at], 0)
        highest = max(highest, *best)
    return highest if local else best[-1]


def random_protein(chance: random.Random, length: int) -> str:
    return "".join(chance.choices(AMINO_ACIDS, k=length))


def kin(chance: random.Random, protein: str, *, changed: float, gaps: float) -> str:
    parts: list[str] = []
    for residue in protein:
        drawn = chance.random()
        if drawn < gaps:
            parts.append(random_protein(chance, chance.choice((0, 0, 2, 6))))
        elif drawn < gaps + changed:
            parts.append(chance.choice(AMINO_ACIDS))
        else:
            parts.append(residue)
    return "".join(parts) or "M"


def families(seed: int, length: int, count: int) -> tuple[str, list[str]]:
    chance = random.Random(seed)
    protein = random_protein(chance, length)
    targets = [
        kin(chance, protein, changed=chance.uniform(0, 0.6), gaps=chance.choice((0, 0.03, 0.08)))
        for _ in range(count)
    ]
    return protein, targets


@pytest.mark.parametrize("length", [1, 7, 40, 90])
def test_scores_are_those_of_a_plain_alignment(length: int) -> None:
    protein, targets = families(length, length, 12)
    targets.append(random_protein(random.Random(5), 60))
    found = scores(protein.encode(), [target.encode() for target in targets])
    assert found.tolist() == [plain_score(protein, target, local=True) for target in targets]


def test_between_the_ends_the_whole_score_is_made() -> None:
    protein, targets = families(3, 80, 12)
    for target, place in zip(
        targets, ends(protein.encode(), [target.encode() for target in targets]), strict=True
    ):
        own = protein[place.protein_from : place.protein_to]
        theirs = target[place.target_from : place.target_to]
        assert plain_score(own, theirs, local=False) == place.score


@pytest.mark.parametrize("length", [30, 120])
def test_the_band_reaches_the_score_of_the_alignment(length: int) -> None:
    protein, targets = families(length, length, 10)
    pairs = [
        Pair(protein.encode(), target.encode(), plain_score(protein, target, local=False))
        for target in targets
    ]
    assert [counts.score for counts in count_identical(pairs)] == [pair.score for pair in pairs]


def test_a_gap_wider_than_the_band_is_found() -> None:
    chance = random.Random(9)
    left, right = random_protein(chance, 120), random_protein(chance, 120)
    inserts = random_protein(chance, 90), random_protein(chance, 90)
    protein, target = left + inserts[0] + right, left + inserts[1] + right
    # Both inserts are skipped, one after the other: far off the diagonal of the two ends.
    own, theirs = left + inserts[0] * 2 + right, left + right + inserts[1] * 2
    for one, other in ((protein, target), (own, theirs)):
        score = plain_score(one, other, local=False)
        assert count_identical([Pair(one.encode(), other.encode(), score)])[0].score == score


def test_identities_are_counted_along_the_alignment() -> None:
    protein = random_protein(random.Random(4), 300)
    shorter = protein[:100] + protein[110:]
    changed = protein[:150] + ("W" if protein[150] != "W" else "A") + protein[151:]
    found = align_all(protein.encode(), [protein.encode(), shorter.encode(), changed.encode()])
    assert [round(one.identity, 6) for one in found] == [
        1.0,
        round(290 / 300, 6),
        round(299 / 300, 6),
    ]


def test_both_ways_to_align_agree_but_for_ties() -> None:
    protein, targets = families(8, 400, 20)
    found = align_all(protein.encode(), [target.encode() for target in targets])
    for target, alignment in zip(targets, found, strict=True):
        path = align(protein.encode(), target.encode())
        assert alignment[1:] == path[1:]
        assert path.identity <= alignment.identity + 1e-9 or alignment.identity == pytest.approx(
            path.identity, abs=0.02
        )


def test_identity_does_not_depend_on_the_other_targets() -> None:
    protein, targets = families(11, 350, 8)
    together = align_all(protein.encode(), [target.encode() for target in targets])
    alone = [align_all(protein.encode(), [target.encode()])[0] for target in targets]
    assert together == alone


def test_alignments_of_near_relatives_leave_no_memory_behind():
    rng = random.Random(5)
    protein = "".join(rng.choices(AMINO_ACIDS, k=2_000)).encode()
    own = np.zeros((1, 1))

    def compare() -> None:
        scores(protein, [protein])
        ends(protein, [protein])
        align(protein, protein)
        fitted_scores(protein, [protein], own, "W")

    compare()
    before = resident_bytes()
    for _ in range(40):
        compare()
    assert resident_bytes() - before < 8_000_000


def resident_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")
