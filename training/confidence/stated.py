"""How far the file's names and online services are trusted: chosen, with reasons, in two tables."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.items import Float, Trivia

from genint.knowledge.confidence import logit
from genint.model.vocabulary import EvidenceType, Specificity

DECIMALS = 3
"""Of log-odds in the file that ships."""
_FILES = ("annotation.toml", "online.toml", "imported.toml", "doubts.toml", "operons.toml")
_CLAIMS = {
    "annotation_broad": Specificity.CATEGORY,
    "annotation_symbol": Specificity.FAMILY,
}
"""What names of a class claim, where its row does not say it; all others are of the protein."""


@dataclass(frozen=True, slots=True)
class Stated:
    """Probabilities of the file's own names, and of what online services say.

    Attributes:
        probabilities: By class of evidence.
        claims: By class, how much such evidence claims.
        files: By class, the table that it stands in.
        at_most: By class, the fitted class that it may not outweigh where it leads.
        share: Of its log-odds that evidence which agrees adds where no case was fitted.
    """

    probabilities: Mapping[str, float]
    claims: Mapping[str, Specificity]
    files: Mapping[str, str]
    at_most: Mapping[str, str]
    share: float

    def leads(
        self, prior: Mapping[Specificity, float], fitted: Mapping[str, float]
    ) -> Mapping[str, float]:
        """What the names add to a prior, so that alone they have their probability.

        Args:
            prior: Log-odds of a setting.
            fitted: What fitted classes add there.
        """
        return {
            name: min(
                round(logit(probability) - prior[self.claims[name]], DECIMALS),
                fitted.get(self.at_most.get(name, ""), math.inf),
            )
            for name, probability in self.probabilities.items()
        }

    def agreement(self, reliability: float) -> float:
        """What evidence of some reliability adds where it agrees and no case was fitted."""
        return round(max(0.0, self.share * logit(reliability)), DECIMALS)


@cache
def read_stated() -> Stated:
    """Read the tables."""
    rows, files = {}, {}
    for file in _FILES:
        table = tomllib.loads(Path(__file__).with_name(file).read_text(encoding="utf-8"))
        files.update(dict.fromkeys(table, file))
        rows.update(table)
    share = rows.pop("agreement")["share"]
    return Stated(
        probabilities={name: row["probability"] for name, row in rows.items()},
        claims={name: _claimed(name, row.get("claims")) for name, row in rows.items()},
        files=files,
        at_most={name: row["at_most"] for name, row in rows.items() if "at_most" in row},
        share=share,
    )


def with_chosen(text: str) -> str:
    """The file of parameters with the chosen values as their tables have them now.

    Fitted values, measured levels and comments stay as they are; classes that the file does
    not have yet are added.
    """
    stated = read_stated()
    document = tomlkit.parse(text)
    chosen = tomlkit.array()
    chosen.extend(sorted(stated.probabilities))
    document["chosen"] = chosen.multiline(multiline=True)
    reliability: Any = document["reliability"]
    for name, probability in stated.probabilities.items():
        table = f"training/confidence/{stated.files[name]}"
        reliability[name] = _written(probability, f"# chosen: {table}")
    calibrations: Any = document["calibration"]
    for calibration in (one for kinds in calibrations.values() for one in kinds.values()):
        prior = {Specificity(name): float(weight) for name, weight in calibration["prior"].items()}
        fitted = {name: float(weight) for name, weight in calibration["leads"].items()}
        for name, weight in stated.leads(prior, fitted).items():
            calibration["leads"][name] = _written(weight)
        for name, probability in stated.probabilities.items():
            calibration["agrees"][name] = _written(stated.agreement(probability))
        for part in ("says_less", "again"):
            calibration[part].setdefault(EvidenceType.GENE_CONTEXT.value, _written(0.0))
    return tomlkit.dumps(document)


def _written(value: float, comment: str = "") -> Float:
    """As the fit writes it."""
    behind = Trivia(comment_ws="  " if comment else "", comment=comment)
    return Float(value, behind, f"{value:.{DECIMALS}f}")


def _claimed(name: str, told: str | None) -> Specificity:
    return Specificity(told) if told else _CLAIMS.get(name, Specificity.PROTEIN)
