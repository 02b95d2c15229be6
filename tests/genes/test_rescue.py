"""Addends of the log-odds that a frame is a gene."""

from __future__ import annotations

import numpy as np
import pytest

from genint.genes import (
    ContigFrames,
    FrameClass,
    FrameRow,
    MeasuredFrames,
    log_odds,
    measure_frames,
    probability,
    search_genome,
    terms,
)
from genint.knowledge import load_rescue
from genint.model import Genome, RescueTerm


@pytest.fixture(scope="module")
def described(lambda_phage: Genome) -> MeasuredFrames:
    (settled,) = search_genome(lambda_phage, scored=True)
    result = settled.result
    return measure_frames(
        [
            ContigFrames(
                settled.contig.bases,
                11,
                circle=False,
                bacterium=False,
                calls=result.calls,
                starts=result.starts,
            )
        ]
    )


@pytest.mark.parametrize("bacterium", [False, True])
def test_addends_of_a_frame_sum_to_its_log_odds(described: MeasuredFrames, bacterium: bool) -> None:
    odds = log_odds(described, load_rescue(), bacterium=bacterium)
    for row in range(0, len(odds), 97):
        told = terms(FrameRow(described, row), load_rescue(), bacterium=bacterium)
        assert sum(one.log_odds for one in told) == pytest.approx(odds[row], abs=0.005)


def test_a_bacterium_lowers_every_frame_by_the_same(described: MeasuredFrames) -> None:
    phage = log_odds(described, load_rescue(), bacterium=False)
    bacterium = log_odds(described, load_rescue(), bacterium=True)
    assert np.allclose(bacterium - phage, load_rescue().in_bacteria)
    assert load_rescue().in_bacteria < 0


def test_frames_on_the_other_strand_inside_a_gene_are_never_likely(
    described: MeasuredFrames,
) -> None:
    across = (described.model == FrameClass.NESTED) & (described.columns["opposite"] > 0.7)
    assert across.sum() > 100
    assert log_odds(described, load_rescue(), bacterium=False)[across].max() < -2


def test_no_frame_is_surer_than_a_thousand_to_one() -> None:
    assert probability([RescueTerm("everything", 40.0)]) == 0.999
    assert probability([RescueTerm("nothing", 0.0)]) == 0.5
