"""How likely a dark gene is unknown to science: ``data/dark_ranking.toml``.

A gene that is not recognised with the databases used may be well known elsewhere. The model is a
logistic sum of few traits, fitted on annotated phages whose annotation and own proteins were
hidden (``training/dark_ranking``).
"""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from genint.knowledge.table_files import DARK_RANKING, read_shipped


class DarkTraits(NamedTuple):
    """What the ranking sees of a dark gene.

    Attributes:
        length_aa: Residues.
        of_virion: Share of its neighbours that are genes of packaging, virion or lysis, 0..1.
        conserved: It has a domain of unknown function.
    """

    length_aa: int
    of_virion: float
    conserved: bool


@dataclass(frozen=True, slots=True)
class DarkRanking:
    """Log-odds that a dark gene is unknown to science.

    Attributes:
        version: Of the file.
        start: Where the sum begins.
        per_log_length: For each natural logarithm of its residues.
        of_virion: Where all neighbours are genes of the virion.
        conserved: Where it has a domain of unknown function.
        shortest_aa: Shorter genes count as of this length: they are no more unknown, but less
            certain to be genes.
        target_from: Priority from which a gene is called a research target.
        basis: What it was fitted on and how it was measured, for a reader of the file.
    """

    version: str
    start: float
    per_log_length: float
    of_virion: float
    conserved: float
    shortest_aa: int
    target_from: float
    basis: str = ""

    def log_odds(self, traits: DarkTraits) -> float:
        """That nobody knows the function of a gene."""
        return (
            self.start
            + self.per_log_length * math.log(max(traits.length_aa, self.shortest_aa))
            + self.of_virion * traits.of_virion
            + self.conserved * traits.conserved
        )


EVEN_RANKING: Final = DarkRanking("none", 0.0, 0.0, 0.0, 0.0, 1, 0.5)
"""To do without: every gene has the same priority."""


@cache
def load_dark_ranking() -> DarkRanking:
    """Read the model that ships with genint."""
    return parse_dark_ranking(read_shipped(DARK_RANKING).decode())


def parse_dark_ranking(text: str) -> DarkRanking:
    """A model from the text of its file; KeyError where a value is missing."""
    read = tomllib.loads(text)
    weights = read["log_odds"]
    return DarkRanking(
        version=read["version"],
        start=weights["start"],
        per_log_length=weights["per_log_length"],
        of_virion=weights["of_virion"],
        conserved=weights["conserved"],
        shortest_aa=read["shortest_aa"],
        target_from=read["target_from"],
        basis=read["basis"],
    )
