"""How far the names of the file are trusted (``annotation.toml``): chosen, with reasons."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from genint.knowledge.confidence import logit
from genint.model.vocabulary import Specificity

DECIMALS = 3
"""Of log-odds in the file that ships."""
_FILE = Path(__file__).with_name("annotation.toml")
_CLAIMS = {
    "annotation_broad": Specificity.CATEGORY,
    "annotation_symbol": Specificity.FAMILY,
}
"""What names of a class claim; all others are of the whole protein."""


@dataclass(frozen=True, slots=True)
class Stated:
    """Probabilities of the file's own names.

    Attributes:
        probabilities: By class of evidence.
        share: Of its log-odds that evidence which agrees adds where no case was fitted.
    """

    probabilities: Mapping[str, float]
    share: float

    def leads(self, prior: Mapping[Specificity, float]) -> Mapping[str, float]:
        """What the names add to a prior, so that alone they have their probability."""
        return {
            name: round(
                logit(probability) - prior[_CLAIMS.get(name, Specificity.PROTEIN)], DECIMALS
            )
            for name, probability in self.probabilities.items()
        }

    def agreement(self, reliability: float) -> float:
        """What evidence of some reliability adds where it agrees and no case was fitted."""
        return round(max(0.0, self.share * logit(reliability)), DECIMALS)


@cache
def read_stated() -> Stated:
    """Read the table."""
    table = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    share = table.pop("agreement")["share"]
    return Stated({name: row["probability"] for name, row in table.items()}, share)
