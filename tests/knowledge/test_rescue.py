"""Parameters of the models of left-out genes."""

from __future__ import annotations

import math

import pytest

from genint.genes import FrameClass
from genint.knowledge import load_rescue, parse_rescue


def test_what_ships_is_complete_and_finite() -> None:
    shipped = load_rescue()
    assert shipped.basis.startswith("Fitted on ")
    for model in (shipped.nested, shipped.outside, shipped.filtered, shipped.internal):
        assert 0 < model.threshold < 1
        assert math.isfinite(model.prior)
        for column in model.columns.values():
            assert math.isfinite(column.weight)
            assert math.isfinite(column.mean)
    assert set(shipped.homology) == {"family", "domain", "part", "none"}
    assert shipped.homology["none"] < 0 < shipped.homology["domain"]
    assert len(FrameClass) == 3


def test_a_file_without_a_model_is_refused() -> None:
    with pytest.raises(KeyError):
        parse_rescue('version = "1"\nbasis = "none"\n')
