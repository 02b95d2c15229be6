"""The figures of the bench are those that one counts by hand."""

from __future__ import annotations

import pytest

from benchmarks.accuracy.figures import (
    CogFigures,
    Share,
    bins_of,
    by_level,
    count_cog,
    expected_calibration_error,
    high_on_one_type,
    high_share,
    says_no_wrong,
    summary_of,
)
from genint.knowledge import Verdict
from training.blind.truth import Claim, Place, Row, ToldGene, TrueGene

RIGHT, VAGUER, WRONG = Verdict.SAME_FUNCTION, Verdict.VAGUER, Verdict.WRONG


def row(
    score: float | None,
    verdict: Verdict | None,
    *,
    claim: Claim = Claim.WHOLE,
    level: str = "MODERATE",
    types: int = 1,
    informative: bool = True,
) -> Row:
    gene = TrueGene(Place(0, 300, 1), "g", "portal protein", informative, "MKT")
    told = ToldGene(gene.place, "name", claim, level=level, score=score, types=types)
    return Row("T7", "genint", gene, told, verdict)


def test_a_share_has_the_interval_of_wilson() -> None:
    assert Share(90, 100).interval == pytest.approx((0.8256, 0.9448), abs=1e-4)
    assert str(Share(90, 100)) == "0.90 (0.83-0.94)"
    assert str(Share(0, 0)) == "-"


def test_scores_fall_into_ten_bins_and_one_of_1_into_the_last() -> None:
    bins = bins_of(row(score, RIGHT) for score in (0.0, 0.0999, 0.1, 0.3, 0.95, 1.0))
    assert [one.claims for one in bins] == [2, 1, 0, 1, 0, 0, 0, 0, 0, 2]
    assert bins[9].predicted == pytest.approx(0.975)


def test_the_calibration_error_weighs_bins_by_their_claims() -> None:
    # Three claims at 0.9, two right: |0.9 - 2/3|; one at 0.5, wrong: |0.5 - 0|.
    rows = [row(0.9, RIGHT), row(0.9, RIGHT), row(0.9, WRONG), row(0.5, WRONG)]
    expected = (3 * abs(0.9 - 2 / 3) + 1 * 0.5) / 4
    assert expected_calibration_error(bins_of(rows)) == pytest.approx(expected)


def test_scores_that_are_right_on_average_have_no_calibration_error() -> None:
    rows = [row(0.78, RIGHT), row(0.72, RIGHT), row(0.75, RIGHT), row(0.75, WRONG)]
    assert expected_calibration_error(bins_of(rows)) == pytest.approx(0)


def test_without_a_score_there_is_no_calibration_error() -> None:
    assert expected_calibration_error(bins_of([row(None, RIGHT)])) is None


def test_genes_whose_record_says_nothing_are_not_judged() -> None:
    silent = [row(0.9, WRONG, informative=False), row(0.9, Verdict.UNINFORMATIVE), row(0.9, None)]
    assert sum(one.claims for one in bins_of(silent)) == 0
    assert by_level(silent)["MODERATE"].claims == Share(0, 0)


def test_a_vaguer_name_is_right_for_a_class_and_not_for_a_protein() -> None:
    rows = [row(0.5, VAGUER), row(0.5, VAGUER, claim=Claim.CLASS), row(0.5, WRONG)]
    assert bins_of(rows)[5].right == 1
    assert bins_of(rows, says_no_wrong)[5].right == 2


def test_levels_count_names_and_claims_apart() -> None:
    rows = [
        row(0.9, RIGHT, level="HIGH"),
        row(0.9, VAGUER, level="HIGH"),
        row(0.9, Verdict.OPPOSITE, level="HIGH"),
        row(0.9, VAGUER, level="HIGH", claim=Claim.DOMAIN),
        row(0.6, WRONG, claim=Claim.DOMAIN),
    ]
    levels = by_level(rows)
    assert levels["HIGH"].names == Share(1, 3)
    assert levels["HIGH"].claims == Share(2, 4)
    assert (levels["HIGH"].vaguer, levels["HIGH"].wrong, levels["HIGH"].opposite) == (1, 1, 1)
    assert levels["MODERATE"].claims == Share(0, 1)
    assert levels["LOW"].claims == Share(0, 0)


def test_the_share_that_is_high_is_of_all_telling_records() -> None:
    unfound = Row("T7", "genint", row(0.9, None).gene, None, None)
    rows = [
        row(0.9, RIGHT, level="HIGH"),
        row(0.6, RIGHT),
        unfound,
        row(0.9, VAGUER, level="HIGH", claim=Claim.DOMAIN),
        row(0.9, None, level="HIGH", informative=False),
    ]
    assert high_share(rows) == Share(1, 4)


def test_high_on_a_single_type_of_evidence_is_noticed() -> None:
    rows = [row(0.9, RIGHT, level="HIGH", types=2), row(0.9, RIGHT, level="HIGH", types=1)]
    assert high_on_one_type(rows) == 1


def test_one_letter_in_common_makes_a_cog_right() -> None:
    pairs = [("E", "E"), ("EH", "H"), ("J", "K"), ("J", ""), ("", "K")]
    assert count_cog(pairs) == CogFigures(known=4, told=3, right=2)
    assert count_cog(pairs).accuracy == Share(2, 3)


def test_a_summary_holds_all_of_it() -> None:
    names = summary_of([row(0.9, RIGHT, level="HIGH", types=2), row(0.9, VAGUER, level="HIGH")])
    assert (names.figures.right, names.figures.not_wrong, names.high.right) == (1, 2, 2)
    assert names.error == pytest.approx(0.4)
    assert names.error_not_wrong == pytest.approx(0.1)
    assert names.high_on_one_type == 1
