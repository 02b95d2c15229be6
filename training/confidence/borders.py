"""From which probabilities HIGH and MODERATE are given, so that they hold for held-out genes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from genint.knowledge.confidence import Setting
from training.confidence.marks import Borders
from training.confidence.measuring import Told

_HIGH_GRID = tuple(0.80 + step / 100 for step in range(20))
_MODERATE_GRID = tuple(0.50 + step / 100 for step in range(29))
_WANTED_HIGH, _WANTED_MODERATE = 0.965, 0.90
"""Shares by reading. HIGH is to hold in 0.95: on genomes that had no part in finding a border less
holds than on those that had. What rounds to 0.97 is enough: the share hardly changes with the
border (in phages, local mode, 0.964 to 0.970 from 0.80 to 0.97), the number of claims twofold.
Parts and classes have no part in where MODERATE begins."""
_FEW = 50
"""Claims below which a share says little."""
_TWO_TYPES = 2


def borders_of(told: Sequence[Told]) -> Mapping[Setting, Borders]:
    """Borders of each setting, from what was told of genes that were left out.

    Args:
        told: With the lowest borders; the probability before any ceiling decides.
    """
    settings = sorted({one.setting for one in told})
    return {
        setting: _borders([one for one in told if one.setting == setting and one.judged])
        for setting in settings
    }


def _borders(told: Sequence[Told]) -> Borders:
    sure = [(one.uncapped, _true(one)) for one in told if _may_be_high(one)]
    high = next(
        (border for border in _HIGH_GRID if _share(sure, border) >= _WANTED_HIGH), _HIGH_GRID[-1]
    )
    others = [
        (one.uncapped, _true(one))
        for one in told
        if one.names_protein and not (_may_be_high(one) and one.uncapped >= high)
    ]
    moderate = next(
        (border for border in _MODERATE_GRID if _share(others, border) >= _WANTED_MODERATE),
        _MODERATE_GRID[-1],
    )
    return Borders(round(high, 2), round(moderate, 2))


def _may_be_high(one: Told) -> bool:
    return one.best is not None and one.names_protein and len(one.best.types) >= _TWO_TYPES


def _true(one: Told) -> bool:
    return one.judged is not None and one.judged.true


def _share(claims: Sequence[tuple[float, bool]], border: float) -> float:
    """Share of the claims from a border on that were true; 0 where they are few."""
    listed = [true for probability, true in claims if probability >= border]
    return sum(listed) / len(listed) if len(listed) >= _FEW else 0.0
