"""Borders that are chosen, with their reasons (``marks.toml``)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import NamedTuple

_FILE = Path(__file__).with_name("marks.toml")


@dataclass(frozen=True, slots=True)
class Marks:
    """Borders; what they are is said at :class:`genint.knowledge.confidence.ConfidenceParameters`.

    All are probabilities but weights and ``least_context``, which are natural log-odds.
    """

    moderate_ceiling: float
    low_ceiling: float
    ceiling: float
    least_reliability_for_agreement: float
    least_weight_for_agreement: float
    least_chosen_weight_for_agreement: float
    least_context: float


class Borders(NamedTuple):
    """From which probabilities levels are given in one setting; found by the fit.

    Attributes:
        least_for_high: The lowest of 0.80, 0.81, ... at which at least 97 % of the held-out
            names that two types agree on were true.
        least_for_moderate: The lowest of 0.50, 0.51, ... at which at least 90 % of the held-out
            names of whole proteins that then are MODERATE were true.
    """

    least_for_high: float
    least_for_moderate: float


LOWEST = Borders(0.80, 0.50)


def read_marks() -> Marks:
    """The borders that are chosen."""
    table = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return Marks(**{name: row["value"] for name, row in table.items()})


def reasons() -> Mapping[str, str]:
    """Why each border is where it is, in the order of the file that ships."""
    table = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return {one.name: table[one.name]["why"] for one in fields(Marks)}
