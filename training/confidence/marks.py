"""Borders that are chosen, with their reasons (``marks.toml``)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path

_FILE = Path(__file__).with_name("marks.toml")


@dataclass(frozen=True, slots=True)
class Marks:
    """Borders; what they are is said at :class:`genint.knowledge.confidence.ConfidenceParameters`.

    All are probabilities but ``least_context``, which is a natural log-odds.
    """

    moderate_ceiling: float
    least_for_high: float
    low_ceiling: float
    least_for_moderate: float
    ceiling: float
    least_reliability_for_agreement: float
    least_context: float
    least_for_name: float


def read_marks(least_for_high: float) -> Marks:
    """The borders, with the one that is found by the fit."""
    table = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    values = {name: row["value"] for name, row in table.items() if "value" in row}
    return Marks(least_for_high=least_for_high, **values)


def reasons() -> Mapping[str, str]:
    """Why each border is where it is, in the order of the file that ships."""
    table = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return {one.name: table[one.name]["why"] for one in fields(Marks)}
