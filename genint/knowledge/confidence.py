"""Parameters of the confidence model, read from ``data/confidence.toml``."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from genint.knowledge.shipped import CONFIDENCE, read_shipped
from genint.model.vocabulary import ConfidenceLevel, GenomeKind

_FITTED_MODES = ("offline", "local")


def logit(probability: float) -> float:
    """Natural log-odds of a probability, 0 < probability < 1."""
    return math.log(probability / (1.0 - probability))


def logistic(log_odds: float) -> float:
    """Probability of natural log-odds; inverse of :func:`logit`."""
    return 1.0 / (1.0 + math.exp(-log_odds))


class Setting(NamedTuple):
    """What confidence was measured for apart.

    Attributes:
        mode: ``offline``, ``local`` or ``online``.
        kind: Of the genome.
    """

    mode: str
    kind: GenomeKind


DEFAULT_SETTING = Setting("offline", GenomeKind.PHAGE)


@dataclass(frozen=True, slots=True)
class Calibration:
    """Fitted log-odds of one setting; all natural logarithms.

    Attributes:
        prior: Of a candidate function before any evidence.
        weights: By class of evidence, what it adds to a function that it speaks for, >= 0.
    """

    prior: float
    weights: Mapping[str, float]

    def weight(self, strength: str) -> float:
        """Log-odds that evidence of a class adds to a function it speaks for, >= 0.

        Raises:
            KeyError: no such class.
        """
        return self.weights[strength]


class MeasuredLevel(NamedTuple):
    """How often names of a level were right for genes that were held out.

    Attributes:
        regime: ``novel`` (relatives and what is >= 90 % identical hidden) or ``shipped``.
        setting: Mode and kind of genome.
        level: The level.
        right: Claims that were right at the specificity that they claim.
        judged: Claims of genes whose record says something.
    """

    regime: str
    setting: Setting
    level: ConfidenceLevel
    right: int
    judged: int


@dataclass(frozen=True, slots=True)
class ConfidenceParameters:
    """The fitted model; the file says what each number rests on.

    Attributes:
        version: Of the parameters.
        basis: What scores and levels were measured to mean, one or two sentences.
        single_type_ceiling, ceiling: Highest scores with one type, and at all.
        least_reliability_for_agreement: Below it, evidence is no second type for HIGH.
        same_type_share, less_specific_share, fitting_share, conflict_share: Factors on log-odds.
        reliability: Class of evidence -> how often its claim was right alone, 0..1.
        calibrations: By setting.
        measured: What levels meant for held-out genes.
    """

    version: str
    basis: str
    single_type_ceiling: float
    ceiling: float
    least_reliability_for_agreement: float
    same_type_share: float
    less_specific_share: float
    fitting_share: float
    conflict_share: float
    reliability: Mapping[str, float]
    calibrations: Mapping[Setting, Calibration]
    measured: tuple[MeasuredLevel, ...]

    def calibration(self, setting: Setting) -> Calibration:
        """Of a setting; of a mode that was not fitted, that of the richest one that was."""
        mode = setting.mode if setting.mode in _FITTED_MODES else _FITTED_MODES[-1]
        return self.calibrations[Setting(mode, setting.kind)]

    def measured_of(self, setting: Setting, regime: str = "novel") -> tuple[MeasuredLevel, ...]:
        """What the levels of a setting meant, best first; empty where it was not measured."""
        return tuple(
            one for one in self.measured if one.setting == setting and one.regime == regime
        )


def load_confidence() -> ConfidenceParameters:
    """Read the parameters that ship with genint."""
    return parse_confidence(read_shipped(CONFIDENCE).decode())


def parse_confidence(text: str) -> ConfidenceParameters:
    """Parameters of a file's text."""
    table = tomllib.loads(text)
    reliability = MappingProxyType(table.pop("reliability"))
    calibrations = MappingProxyType(dict(_calibrations(table.pop("calibration"))))
    measured = tuple(map(_measured, table.pop("measured", ())))
    return ConfidenceParameters(
        reliability=reliability, calibrations=calibrations, measured=measured, **table
    )


def _calibrations(table: Mapping[str, Any]) -> Iterable[tuple[Setting, Calibration]]:
    for mode, kinds in table.items():
        for kind, numbers in kinds.items():
            weights = MappingProxyType(numbers["weights"])
            yield Setting(mode, GenomeKind(kind)), Calibration(numbers["prior"], weights)


def _measured(row: Mapping[str, Any]) -> MeasuredLevel:
    setting = Setting(row["mode"], GenomeKind(row["kind"]))
    level = ConfidenceLevel(row["level"])
    return MeasuredLevel(row["regime"], setting, level, row["right"], row["judged"])
