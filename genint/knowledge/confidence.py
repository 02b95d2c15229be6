"""Parameters of the confidence model, read from ``data/confidence.toml``."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from genint.knowledge.shipped import CONFIDENCE, read_shipped


def logit(probability: float) -> float:
    """Natural log-odds of a probability, 0 < probability < 1."""
    return math.log(probability / (1.0 - probability))


def logistic(log_odds: float) -> float:
    """Probability of natural log-odds; inverse of :func:`logit`."""
    return 1.0 / (1.0 + math.exp(-log_odds))


@dataclass(frozen=True, slots=True)
class ConfidenceParameters:
    """Fitted or provisional numbers of the model; the file says why each is so.

    Attributes:
        reliability: Class of evidence -> how often its claim is right alone, 0..1.
        basis: What scores and levels were measured to mean, one or two sentences.
        prior: Probability before evidence, 0..1.
        single_type_ceiling, ceiling: Highest scores with one type, and at all.
        least_reliability_for_agreement: Below it, evidence is no second type for HIGH.
        same_type_share, less_specific_share, fitting_share, conflict_share: Factors on log-odds.
    """

    version: str
    basis: str
    prior: float
    single_type_ceiling: float
    ceiling: float
    least_reliability_for_agreement: float
    same_type_share: float
    less_specific_share: float
    fitting_share: float
    conflict_share: float
    reliability: Mapping[str, float]

    @property
    def prior_log_odds(self) -> float:
        """Log-odds of a function before any evidence."""
        return logit(self.prior)

    def weight(self, strength: str) -> float:
        """Log-odds that evidence of a class adds to a function it speaks for, >= 0.

        Raises:
            KeyError: no such class.
        """
        return max(0.0, logit(self.reliability[strength]) - self.prior_log_odds)


def load_confidence() -> ConfidenceParameters:
    """Read the parameters that ship with genint."""
    table = tomllib.loads(read_shipped(CONFIDENCE).decode())
    return ConfidenceParameters(reliability=MappingProxyType(table.pop("reliability")), **table)
