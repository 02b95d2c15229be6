"""Codons as numbers, usage of genes, chances of stop codons."""

from __future__ import annotations

import random

import numpy as np
import pytest

from genint.genes import (
    Codons,
    PlacedFrame,
    background_stop_chance,
    stop_chances,
    usage,
    usage_log_odds,
)
from genint.model import CallScores, Interval, Strand, reverse_complement

SCORES = CallScores(0.0, 0.0, 0.0, "ATG", None, 0.5)
STOPS = {"TAA", "TAG", "TGA"}


def letters(numbers: np.ndarray) -> list[str]:  # type: ignore[type-arg]  # plain integers
    return ["ACGT"[n // 16] + "ACGT"[n // 4 % 4] + "ACGT"[n % 4] for n in numbers.tolist()]


def test_both_strands_are_read_as_transcribed() -> None:
    text = "ATGGCATTTTAA"
    codons = Codons.of(text, 11, circle=False)
    assert letters(codons.frame(0, 12, 1)) == ["ATG", "GCA", "TTT", "TAA"]
    turned = Codons.of(reverse_complement(text), 11, circle=False)
    assert letters(turned.frame(0, 12, -1)) == ["ATG", "GCA", "TTT", "TAA"]


def test_an_unknown_letter_makes_an_unknown_codon_that_is_no_stop() -> None:
    codons = Codons.of("TANTAA", 11, circle=False)
    assert codons.forward.tolist()[0] == 64
    assert not codons.is_stop[codons.forward[0]]
    assert codons.is_stop[codons.forward[3]]


def test_a_circle_is_read_over_its_origin() -> None:
    codons = Codons.of("AATTTTTT", 11, circle=True)
    assert letters(codons.frame(7, 10, 1)) == ["TAA"]


def gene(codons: str) -> PlacedFrame:
    return PlacedFrame(Interval(0, len(codons)), Strand.FORWARD, SCORES)


def test_codons_that_the_genes_of_a_contig_prefer_weigh_for_a_frame() -> None:
    text = "ATG" + "GCT" * 400 + "TAA" + "ATG" + "GCT" * 20 + "TAA" + "ATG" + "CTG" * 20 + "TAA"
    codons = Codons.of(text, 11, circle=False)
    ratio = usage(codons, [gene("ATG" + "GCT" * 400 + "TAA")])
    begins = np.array([1206, 1272])
    like, unlike = usage_log_odds(codons, ratio, begins, begins + 66, np.array([1, 1])).tolist()
    assert like > 20
    assert unlike < 0


def test_likeness_is_the_sum_over_inner_codons_on_both_strands() -> None:
    rng = random.Random(5)
    text = "".join(rng.choice("ACGT") for _ in range(600))
    codons = Codons.of(text, 11, circle=False)
    ratio = np.append(np.linspace(-1, 1, 64), 0.0)
    for start, end, strand in ((30, 210, 1), (31, 211, -1), (2, 599, -1)):
        said = usage_log_odds(codons, ratio, np.array([start]), np.array([end]), np.array([strand]))
        wanted = ratio[codons.frame(start, end, strand)[1:-1]].sum()
        assert said[0] == pytest.approx(wanted)


def test_chances_of_stops_are_those_of_genes_with_their_codons_shuffled() -> None:
    rng = random.Random(7)
    senses = [a + b + c for a in "ACGT" for b in "ACGT" for c in "ACGT" if a + b + c not in STOPS]
    inner = [rng.choice(senses[:25]) for _ in range(300)]
    text = "".join(inner) + "TAA"
    codons = Codons.of(text, 11, circle=False)
    said = stop_chances(codons, PlacedFrame(Interval(0, len(text)), Strand.FORWARD, SCORES))
    seen = np.zeros(6)
    rounds = 150
    for _ in range(rounds):
        rng.shuffle(inner)
        shuffled = "".join(inner)
        for shift in (1, 2):
            found = [shuffled[at : at + 3] for at in range(shift, len(shuffled) - 3, 3)]
            seen[shift] += sum(c in STOPS for c in found) / len(found)
        for shift in (0, 1, 2):
            found = [shuffled[at : at + 3] for at in range(shift, len(shuffled) - 3, 3)]
            turned = [reverse_complement(c) for c in found]
            seen[3 + shift] += sum(c in STOPS for c in turned) / len(turned)
    assert said[0] == 0.0
    assert said == pytest.approx(seen / rounds, abs=0.006)
    assert said.max() > 0.01


def test_outside_genes_the_chance_is_the_share_of_stops() -> None:
    assert background_stop_chance(Codons.of("TAA" * 50, 11, circle=True)) == pytest.approx(
        1 / 3 + 0, abs=0.2
    )
    assert background_stop_chance(Codons.of("C" * 50, 11, circle=False)) == 0.0
