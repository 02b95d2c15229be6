"""What the residues of a protein show by themselves: features, which are no function."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class FeatureKind(StrEnum):
    """Kinds of sequence features."""

    SIGNAL_PEPTIDE = "signal peptide"
    LIPOPROTEIN_SIGNAL = "lipoprotein signal peptide"
    TRANSMEMBRANE = "transmembrane segment"
    COILED_COIL = "coiled coil"
    LOW_COMPLEXITY = "low complexity"


class SequenceFeature(NamedTuple):
    """A stretch of a protein.

    Attributes:
        kind: What it looks like.
        first: First residue, 1-based.
        last: Last residue, inclusive.
        score: Of the method, in its own unit.
        method: Name of the method, short, such as ``Kyte-Doolittle, 19 residues``.
    """

    kind: FeatureKind
    first: int
    last: int
    score: float
    method: str
