"""How phages lay out their genes, unlike bacteria: ``data/contig_kinds.toml``.

Phages have long runs of genes on one strand, many short ones, and little space between them. The
model is a logistic sum, fitted on pieces of bacteria without their prophages, on those prophages
and on whole and cut phages (``training/kinds``).
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from typing import NamedTuple

from genint.knowledge.table_files import CONTIG_KINDS, read_shipped


class GeneLayout(NamedTuple):
    """How the predicted genes of a contig lie.

    Attributes:
        switches: Share of neighbouring genes on different strands, 0..1.
        short: Share of genes below 300 bp, 0..1.
        gaps: Share of spaces between neighbours above 100 bp, 0..1.
        genes_per_kb: Genes in a thousand bases.
    """

    switches: float
    short: float
    gaps: float
    genes_per_kb: float


@dataclass(frozen=True, slots=True)
class ContigKinds:
    """Log-odds that a contig is a phage's, phages and pieces of bacteria being equally common.

    Attributes:
        version: Of the file.
        start: Where the sum begins.
        weights: For one unit of each trait of the layout.
        phage_from: Log-odds from which a contig is taken for a phage's.
    """

    version: str
    start: float
    weights: GeneLayout
    phage_from: float

    def log_odds(self, layout: GeneLayout) -> float:
        """Of a phage."""
        pairs = zip(self.weights, layout, strict=True)
        return self.start + sum(weight * value for weight, value in pairs)

    def is_phage(self, layout: GeneLayout) -> bool:
        """Whether a contig of such genes is taken for a phage's."""
        return self.log_odds(layout) >= self.phage_from


def load_contig_kinds() -> ContigKinds:
    """Read the model that ships with genint."""
    return parse_contig_kinds(read_shipped(CONTIG_KINDS).decode())


def parse_contig_kinds(text: str) -> ContigKinds:
    """A model from the text of its file; KeyError where a value is missing."""
    read = tomllib.loads(text)
    odds = read["log_odds"]
    weights = GeneLayout(*(odds[name] for name in GeneLayout._fields))
    return ContigKinds(read["version"], odds["start"], weights, read["phage_from"])
