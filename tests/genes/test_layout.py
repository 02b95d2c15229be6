"""Circles unrolled for the finder and back."""

from __future__ import annotations

import random

import pytest

from genint.genes.prodigal import meta_model
from genint.genes.topology import Layout, canonical_rotation, search_contig
from genint.model.genome import Genome
from genint.model.interval import Interval


@pytest.mark.parametrize("turn_bp", [1, 17, 500, 999])
def test_a_circle_is_opened_at_the_same_base_however_it_is_turned(turn_bp: int) -> None:
    rng = random.Random(2)
    bases = "".join(rng.choice("ACGT") for _ in range(1000))
    turned = bases[turn_bp:] + bases[:turn_bp]
    assert (canonical_rotation(turned) + turn_bp) % 1000 == canonical_rotation(bases)


def test_a_run_of_a_over_the_origin_is_one_run() -> None:
    assert canonical_rotation("AAACGTCAAAACGTAA") == 14


@pytest.mark.parametrize("bases", ["", "CGT", "AAAA"])
def test_circles_without_a_landmark_are_opened_where_they_are(bases: str) -> None:
    assert 0 <= canonical_rotation(bases) < max(1, len(bases))


def test_of_two_copies_the_one_between_the_margins_counts() -> None:
    layout = Layout("x" * 160, contig_bp=100, margin_bp=30, opening=90, closed=True)
    assert layout.place(Interval(30, 40)) == Interval(90, 100)
    assert layout.place(Interval(40, 50)) == Interval(0, 10)
    assert layout.place(Interval(35, 45)) == Interval(95, 105)
    assert layout.place(Interval(5, 15)) is None
    assert layout.place(Interval(140, 150)) is None


def test_a_gene_longer_than_the_margins_is_found_over_the_opening(lambda_phage: Genome) -> None:
    # The longest run of A, where circles are opened, lies in the middle of a 15 kb gene:
    # margins of 3 kb show it whole on neither side.
    rng = random.Random(4)
    sense = [c for c in ("GCT", "GAA", "CTG", "AAC", "GGT", "ACC", "GTT", "CAG")]
    gene = (
        "ATG"
        + "".join(rng.choice(sense) for _ in range(2500))
        + "A" * 12
        + "".join(rng.choice(sense) for _ in range(2500))
        + "TAA"
    )
    bases = "TTAATTGGAGG" + "TAGC" + gene + lambda_phage.contigs[0].bases[20000:22000]
    assert canonical_rotation(bases) in range(7000, 8000)
    calls = search_contig(bases, meta_model(11), circle=True).calls
    assert any(len(call.interval) == len(gene) for call in calls)
