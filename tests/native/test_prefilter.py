"""The compiled loops find what their description says, step by step in plain Python."""

from __future__ import annotations

import ctypes
import math
import random
import subprocess
from functools import reduce
from pathlib import Path

import numpy as np
import pytest

import hatch_build
from genint.knowledge.column_kinds import background, kind_scores, kinds_of
from genint.native import prefilter
from genint.native.prefilter import (
    GROUPS,
    PATTERNS,
    RESIDUES,
    Background,
    Families,
    Proteins,
    nearest_kinds,
    ungapped_pairs,
)

ROOT = Path(__file__).parents[2]
STEPS = 6
OF_ALL = Background(tuple(background().tolist()))
GROUP = {residue: group for group in GROUPS for residue in group}
USUAL = dict(zip(RESIDUES, OF_ALL.steps(STEPS), strict=True))


def made_family(chance, residues, sureness=0.6):
    """Steps of a family around a sequence; a column has its residue with some probability."""
    rows = []
    for residue in residues:
        shares = np.array([chance.random() ** 3 + 1e-3 for _ in RESIDUES])
        shares *= (1 - sureness) / shares.sum()
        shares[RESIDUES.index(residue)] += sureness
        rows.append(np.minimum(np.rint(-STEPS * np.log2(shares)), 254))
    return np.array(rows, np.uint8).reshape(-1, len(RESIDUES))


def families_of(made, *, least_odds_bits=7.0, least_bits=10.0, sure_bits=1e9):
    count = len(made)
    return Families(
        emissions=np.concatenate(made),
        offsets=np.cumsum([0, *map(len, made)]),
        steps_per_bit=STEPS,
        background=OF_ALL,
        least_odds_bits=np.full(count, least_odds_bits),
        least_bits=np.full(count, least_bits),
        sure_bits=np.full(count, sure_bits),
    )


def score(family, position, protein, place):
    """Of a residue at a position, steps; nothing beside either or where it is unknown."""
    if not (0 <= position < len(family) and 0 <= place < len(protein)):
        return 0
    residue = protein[place]
    if residue not in USUAL:
        return 0
    return max(USUAL[residue] - int(family[position][RESIDUES.index(residue)]), -4 * STEPS)


def together(one, two):
    """Steps of the sum of two probabilities: the table is made for every other difference."""
    apart = abs(one - two) // 2
    if apart >= 15:
        return min(one, two)
    return max(min(one, two) - round(STEPS * math.log2(1 + 2 ** (-(2 * apart + 0.5) / STEPS))), 0)


def group_odds(family):
    """How many times as often a member has each group at each position as any protein, steps."""
    places = {group: [RESIDUES.index(residue) for residue in group] for group in GROUPS}
    usual = {
        group: round(-STEPS * math.log2(sum(OF_ALL.shares[one] for one in at)))
        for group, at in places.items()
    }
    return [
        {
            group: usual[group] - min(reduce(together, (int(row[one]) for one in at)), 127)
            for group, at in places.items()
        }
        for row in family
    ]


def best_alignment(family, protein, least_odds_bits=7.0):
    """The best score without gaps around a shared word, in steps; 0 where there is none."""
    best = 0
    odds = group_odds(family)
    groups = [GROUP.get(residue) for residue in protein]
    for pattern in PATTERNS:
        for position in range(len(family) - pattern[-1]):
            for place in range(len(protein) - pattern[-1]):
                word = [odds[position + at].get(groups[place + at], -math.inf) for at in pattern]
                if sum(word) < STEPS * least_odds_bits:
                    continue
                near = sum(score(family, position + k, protein, place + k) for k in range(-8, 16))
                if near < 6 * STEPS:
                    continue
                here = 0
                for k in range(-30, 36):
                    here = max(here + score(family, position + k, protein, place + k), 0)
                    best = max(best, here)
    return best


@pytest.fixture(scope="module")
def made():
    """Eight families, and proteins that are like one, like two, like none, and odd ones."""
    chance = random.Random(11)
    texts = [
        "".join(chance.choices(RESIDUES, k=length)) for length in (7, 24, 40, 60, 90, 6, 75, 3)
    ]
    made = [made_family(chance, text, sureness=0.35 + 0.05 * at) for at, text in enumerate(texts)]
    changed = [
        "".join(one if chance.random() < 0.6 else chance.choice(RESIDUES) for one in text)
        for text in texts
    ]
    proteins = [
        *changed,
        texts[3] + texts[4],
        texts[4][30:],
        texts[4][:12],
        texts[2][:10] + "X*?" + texts[2][13:],
        "",
        "M",
        "A" * 50,
        "".join(chance.choices(RESIDUES, k=120)),
    ]
    return made, proteins


def test_the_pairs_are_those_of_the_description(made):
    families, proteins = made
    found = ungapped_pairs(families_of(families), Proteins(proteins), 0, len(families))
    expected = {
        (number, at)
        for number, family in enumerate(families)
        for at, protein in enumerate(proteins)
        if (best := best_alignment(family, protein))
        and best >= (10 + math.log2(len(protein)) / 2) * STEPS
    }
    assert 8 <= len(expected) <= 30
    assert set(zip(found.families.tolist(), found.proteins.tolist(), strict=True)) == expected
    best = [
        best_alignment(families[number], proteins[at])
        for number, at in zip(found.families, found.proteins, strict=True)
    ]
    assert found.scores.tolist() == best
    assert not found.are_sure.any()


def test_what_is_sure_needs_no_more_for_a_long_protein(made):
    families, proteins = made
    found = ungapped_pairs(
        families_of(families, least_bits=1e9, sure_bits=20.0), Proteins(proteins), 0, len(families)
    )
    expected = {
        (number, at)
        for number, family in enumerate(families)
        for at, protein in enumerate(proteins)
        if best_alignment(family, protein) >= 20 * STEPS
    }
    assert expected
    assert set(zip(found.families.tolist(), found.proteins.tolist(), strict=True)) == expected
    assert found.are_sure.all()


def test_families_one_by_one_and_proteins_one_by_one_give_the_same(made):
    families, proteins = made
    every = families_of(families)
    whole = ungapped_pairs(every, Proteins(proteins), 0, len(families))
    pairs = list(zip(*(column.tolist() for column in whole), strict=True))
    assert pairs == sorted(pairs)
    single = [
        (int(pair.families[0]), at, int(pair.scores[0]), bool(pair.are_sure[0]))
        for number in range(len(families))
        for at, protein in enumerate(proteins)
        if len((pair := ungapped_pairs(every, Proteins([protein]), number, number + 1)).families)
    ]
    assert single == pairs


def test_more_places_of_words_than_are_compared_at_a_time_give_the_same(made):
    families, proteins = made
    chance = random.Random(12)
    others = ["".join(chance.choices(RESIDUES, k=1_000)) for _ in range(70)]
    every = families_of(families)
    few = ungapped_pairs(every, Proteins(proteins), 0, len(families))
    many = ungapped_pairs(every, Proteins([*proteins, *others]), 0, len(families))
    are_first = many.proteins < len(proteins)
    assert len(few.families) > 8
    for column, first in zip(few, (column[are_first] for column in many), strict=True):
        assert column.tolist() == first.tolist()


def test_the_reading_of_many_places_of_one_word_forgets_none():
    """More than the sixteen that are compared together, and not a multiple of them."""
    chance = random.Random(4)
    text = "".join(chance.choices(RESIDUES, k=30))
    proteins = [text] * 37
    found = ungapped_pairs(families_of([made_family(chance, text)]), Proteins(proteins), 0, 1)
    assert found.proteins.tolist() == list(range(37))


def test_processors_of_which_nothing_is_known_find_the_same(made, tmp_path, monkeypatch):
    """Compiled without instructions that work on many bytes at once."""
    families, proteins = made
    every = families_of(families)
    here = ungapped_pairs(every, Proteins(proteins), 0, len(families))
    plain = tmp_path / hatch_build.LIBRARY
    sources = [hatch_build.FOLDER / source for source in hatch_build.SOURCES]
    command = [*hatch_build.compiler(), *hatch_build.FLAGS, "-U__SSSE3__", "-U__ARM_NEON"]
    subprocess.run([*command, *sources, "-o", plain], check=True, cwd=ROOT)
    loaded = ctypes.CDLL(str(plain))
    loaded.genint_ungapped.restype = ctypes.c_int64
    monkeypatch.setattr(prefilter, "library", lambda: loaded)
    elsewhere = ungapped_pairs(every, Proteins(proteins), 0, len(families))
    assert len(here.families) > 8
    for column, same in zip(here, elsewhere, strict=True):
        assert column.tolist() == same.tolist()


def test_no_proteins_and_no_families_are_no_pairs(made):
    families, proteins = made
    assert not len(ungapped_pairs(families_of(families), Proteins([]), 0, len(families)).families)
    assert not len(ungapped_pairs(families_of(families), Proteins(proteins), 3, 3).families)


def test_the_nearest_kind_has_the_least_weighted_distance(made):
    families, _ = made
    emissions = np.concatenate(families)
    scores = np.maximum(np.array(OF_ALL.steps(STEPS)) - emissions.astype(int), -4 * STEPS) / STEPS
    kinds = kind_scores() / 3
    distances = ((scores[:, None, :] - kinds[None]) ** 2 * np.array(OF_ALL.shares)).sum(axis=2)
    nearest = nearest_kinds(emissions, STEPS, OF_ALL, kind_scores(), 3)
    chosen = distances[np.arange(len(nearest)), nearest]
    assert (chosen <= distances.min(axis=1) * 1.03 + 1e-9).all()  # weights are rounded
    assert len(kinds_of(emissions, STEPS)) == len(emissions)
