"""Codons as numbers, usage of genes, chances of stop codons."""

from __future__ import annotations

import random

import numpy as np
import pytest

from genint.genes import (
    CodedText,
    Codons,
    PlacedFrame,
    Spans,
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


def codons_of(text: str, *, circle: bool = False) -> Codons:
    return Codons.of([CodedText(text, circle, 11)])


def frame(codons: Codons, start: int, end: int, strand: int) -> np.ndarray:  # type: ignore[type-arg]
    """Codons as transcribed."""
    numbers = codons.forward if strand > 0 else codons.reverse
    return numbers[start : end - 2 : 3][::strand]


def spans(*rows: tuple[int, int, int]) -> Spans:
    start, end, strand = np.array(rows).T
    return Spans(start, end, strand, np.zeros_like(start))


def test_both_strands_are_read_as_transcribed() -> None:
    text = "ATGGCATTTTAA"
    codons = codons_of(text)
    assert letters(frame(codons, 0, 12, 1)) == ["ATG", "GCA", "TTT", "TAA"]
    turned = codons_of(reverse_complement(text))
    assert letters(frame(turned, 0, 12, -1)) == ["ATG", "GCA", "TTT", "TAA"]


def test_an_unknown_letter_makes_an_unknown_codon_that_is_no_stop() -> None:
    codons = codons_of("TANTAA")
    assert codons.forward.tolist()[0] == 64
    assert not codons.is_stop[0, codons.forward[0]]
    assert codons.is_stop[0, codons.forward[3]]


def test_a_circle_is_read_over_its_origin() -> None:
    codons = codons_of("AATTTTTT", circle=True)
    assert letters(frame(codons, 7, 10, 1)) == ["TAA"]


def gene(codons: str) -> PlacedFrame:
    return PlacedFrame(Interval(0, len(codons)), Strand.FORWARD, SCORES)


def test_codons_that_the_genes_of_a_contig_prefer_weigh_for_a_frame() -> None:
    text = "ATG" + "GCT" * 400 + "TAA" + "ATG" + "GCT" * 20 + "TAA" + "ATG" + "CTG" * 20 + "TAA"
    codons = codons_of(text)
    ratio = usage(codons, Spans.of([[gene("ATG" + "GCT" * 400 + "TAA")]]))
    like, unlike = usage_log_odds(codons, ratio, spans((1206, 1272, 1), (1272, 1338, 1))).tolist()
    assert like > 20
    assert unlike < 0


def test_likeness_is_the_sum_over_inner_codons_on_both_strands() -> None:
    rng = random.Random(5)
    text = "".join(rng.choice("ACGT") for _ in range(600))
    codons = codons_of(text)
    ratio = np.append(np.linspace(-1, 1, 64), 0.0).reshape(1, -1)
    for start, end, strand in ((30, 210, 1), (31, 211, -1), (2, 599, -1)):
        said = usage_log_odds(codons, ratio, spans((start, end, strand)))
        wanted = ratio[0, frame(codons, start, end, strand)[1:-1]].sum()
        assert said[0] == pytest.approx(wanted)


def test_chances_of_stops_are_those_of_genes_with_their_codons_shuffled() -> None:
    rng = random.Random(7)
    senses = [a + b + c for a in "ACGT" for b in "ACGT" for c in "ACGT" if a + b + c not in STOPS]
    inner = [rng.choice(senses[:25]) for _ in range(300)]
    text = "".join(inner) + "TAA"
    codons = codons_of(text)
    (said,) = stop_chances(codons, spans((0, len(text), 1)))
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
    assert background_stop_chance(codons_of("TAA" * 50, circle=True)) == pytest.approx(
        1 / 3 + 0, abs=0.2
    )
    assert background_stop_chance(codons_of("C" * 50)) == 0.0
