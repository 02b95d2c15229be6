"""Figures of the confidence model, counted by hand."""

from __future__ import annotations

import pytest

from genint.knowledge import Setting
from genint.model import ConfidenceLevel, GenomeKind, Hypothesis, Specificity
from training.confidence.examples import Judged
from training.confidence.measuring import (
    Told,
    by_level,
    calibration_error,
    coverage,
    measured_levels,
    share_high,
)

SETTING = Setting("offline", GenomeKind.PHAGE)


def told(score, true, full=None, specificity=Specificity.PROTEIN):
    best = Hypothesis("name", "name", specificity, score, (), (), frozenset())
    judged = Judged(true, true if full is None else full)
    return Told("genome", "group", SETTING, "gene", "name", best, judged, score)


DARK = Told("genome", "group", SETTING, "gene", "name", None, None, 0.0)


def test_the_calibration_error_is_that_of_the_bins_weighted_by_their_genes():
    genes = [
        told(0.95, true=True),
        told(0.95, true=True),
        told(0.75, true=False),
        told(0.35, true=True),
    ]
    # bins: two at 0.95 all true (0.05 away), one at 0.75 false (0.75), one at 0.35 true (0.65)
    assert calibration_error(genes) == pytest.approx((2 * 0.05 + 0.75 + 0.65) / 4)


def test_scores_that_hold_as_often_as_they_say_have_no_error():
    genes = [told(0.75, true=True)] * 3 + [told(0.75, true=False)]
    assert calibration_error(genes) == pytest.approx(0.0)


def test_coverage_counts_whole_names_that_say_what_the_record_says_over_all_genes():
    genes = [
        told(0.9, true=True),
        told(0.9, true=True, full=False),
        told(0.7, true=True, specificity=Specificity.DOMAIN),
        DARK,
    ]
    assert coverage(genes) == pytest.approx(0.25)
    assert share_high(genes) == pytest.approx(0.5)


def test_levels_are_counted_with_wider_names_as_true():
    genes = [told(0.9, true=True, full=False), told(0.9, true=False), told(0.6, true=True), DARK]
    levels = by_level(genes)
    assert levels[ConfidenceLevel.HIGH][:3] == (2, 1, 0)
    assert levels[ConfidenceLevel.MODERATE][:3] == (1, 1, 1)
    assert ConfidenceLevel.LOW not in levels
    [high, moderate] = measured_levels(genes, "novel")
    assert (high.regime, high.level, high.right, high.judged) == (
        "novel",
        ConfidenceLevel.HIGH,
        1,
        2,
    )
    assert moderate.setting == SETTING
