"""The gene finder: its door, its models for recoded genomes, circles, and ids."""

from __future__ import annotations

import random
from itertools import product

import pytest
from pyrodigal import METAGENOMIC_BINS

from genint.genes import (
    IdSeries,
    Layout,
    canonical_rotation,
    finder_confidence,
    meta_model,
    models_for,
    recoded,
    search,
    search_contig,
)
from genint.model import Genome, Interval


def test_starts_are_listed_only_where_asked_for(lambda_phage: Genome) -> None:
    bases = lambda_phage.contigs[0].bases
    model = meta_model(11)
    assert len(search(bases, model).starts) == 0
    starts = search(bases, model, scored=True).starts
    assert starts.length_bp.min() < 90  # below the finder's own limit
    assert search(bases, model, scored=True).calls == search(bases, model).calls


def test_called_starts_score_the_same_in_both_lists(lambda_phage: Genome) -> None:
    found = search(lambda_phage.contigs[0].bases, meta_model(11), scored=True)
    listed = {found.starts.interval(row): row for row in range(len(found.starts))}
    compared = [call for call in found.calls if call.interval in listed]
    assert len(compared) > 40
    for call in compared:
        row = listed[call.interval]
        total = float(found.starts.total[row])
        assert call.scores.total == pytest.approx(total, abs=0.01)
        scores = found.starts.scores(row, finder_confidence(total))
        assert call.scores.confidence == pytest.approx(scores.confidence, abs=0.001)
        assert (call.scores.start_codon, call.scores.rbs_motif) == (
            scores.start_codon,
            scores.rbs_motif,
        )


def test_coding_and_start_score_add_up_to_the_total(lambda_phage: Genome) -> None:
    starts = search(lambda_phage.contigs[0].bases, meta_model(11), scored=True).starts
    assert abs(starts.coding + starts.score - starts.total).max() < 0.05


def test_the_model_is_named_after_its_organism(lambda_phage: Genome) -> None:
    found = search(lambda_phage.contigs[0].bases, meta_model(11))
    assert found.model_name == "model of Escherichia coli UMN026"


_STOP_WEIGHT = -5.0


@pytest.mark.parametrize("code", [4, 11, 15, 25])
def test_all_models_of_a_code_are_of_that_code(code: int) -> None:
    assert {model.training_info.translation_table for model in models_for(code)} == {code}


@pytest.mark.parametrize(("code", "freed"), [(4, "TGA"), (25, "TGA"), (15, "TAG")])
def test_freeing_a_codon_touches_exactly_the_hexamers_that_hold_it(code: int, freed: str) -> None:
    model = next(m for m in METAGENOMIC_BINS if m.training_info.translation_table == 11)
    before = list(model.training_info.coding_statistics)
    after = list(recoded(model, code).training_info.coding_statistics)
    changed = [old for old, new in zip(before, after, strict=True) if old != new]
    others = {"TAA", "TAG", "TGA"} - {freed}
    expected = sum(
        freed in (first, second) and not {first, second} & others
        for first, second in product(map("".join, product("ACGT", repeat=3)), repeat=2)
    )
    assert set(changed) == {_STOP_WEIGHT}
    assert len(changed) == expected


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


def test_base_calls_count_in_tens_from_ten() -> None:
    assert [IdSeries("phage").base_id(place) for place in (0, 1, 998)] == [
        "phage_00010",
        "phage_00020",
        "phage_09990",
    ]


def test_gaps_lie_behind_their_base_call_and_before_the_first() -> None:
    assert IdSeries("phage").gap_id(0, 1) == "phage_00011"
    assert IdSeries("phage").gap_id(4, 9) == "phage_00059"
    assert IdSeries("phage").gap_id(-1, 1) == "phage_00001"


def test_large_genomes_get_a_sixth_digit() -> None:
    assert IdSeries("chromosome").base_id(9999) == "chromosome_100000"
