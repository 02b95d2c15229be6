"""The self-test tells what levels mean."""

from __future__ import annotations

from dataclasses import replace

import pytest

from genint.knowledge.confidence import MeasuredLevel, Setting, load_confidence
from genint.model.vocabulary import ConfidenceLevel, GenomeKind
from genint.selftest import Outcome, all_checks
from genint.selftest.installation import MeaningOfLevels, measured_settings

HERE = Setting("local", GenomeKind.BACTERIUM)
HIGH = MeasuredLevel("novel", HERE, ConfidenceLevel.HIGH, 312, 290, 325)
MODERATE = MeasuredLevel("novel", HERE, ConfidenceLevel.MODERATE, 80, 60, 100)


def with_figures(*measured):
    return replace(load_confidence(), measured=measured)


async def test_it_says_how_often_the_best_levels_were_right(places, near):
    check = MeaningOfLevels(HERE, demanded=True, parameters=with_figures(HIGH, MODERATE))
    found = await check.run(places, near)
    assert found.outcome is Outcome.OK
    assert found.said.startswith("HIGH was right for 312 of 325 genes that it had never seen (96%")
    assert "MODERATE was right for 80 of 100" in found.said


@pytest.mark.parametrize(
    ("measured", "missing"),
    [
        ((), "HIGH and MODERATE"),
        ((MODERATE,), "HIGH"),
        ((HIGH, MODERATE._replace(regime="shipped")), "MODERATE"),
        ((HIGH, MODERATE._replace(right=0, judged=0)), "MODERATE"),
        ((HIGH, MODERATE._replace(setting=Setting("offline", HERE.kind))), "MODERATE"),
    ],
)
async def test_figures_that_should_be_there_and_are_not_are_a_failure(
    places, near, measured, missing
):
    check = MeaningOfLevels(HERE, demanded=True, parameters=with_figures(*measured))
    found = await check.run(places, near)
    assert found.outcome is Outcome.FAILED
    assert f"no figures of {missing} in " in found.said


async def test_where_no_figures_are_asked_for_it_says_that_none_were_measured(places, near):
    check = MeaningOfLevels(HERE, demanded=False, parameters=with_figures())
    assert await check.run(places, near) == (Outcome.OK, "not measured", "")


def test_every_fitted_mode_and_kind_of_genome_is_told():
    checks = [check for check in all_checks() if isinstance(check, MeaningOfLevels)]
    assert [check.setting for check in checks] == list(measured_settings())
    assert {check.setting.mode for check in checks} == {"offline", "local"}
    assert {check.setting.kind for check in checks} == set(GenomeKind)
