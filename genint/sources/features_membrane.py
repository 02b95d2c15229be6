"""Transmembrane segments: stretches that the translocon puts into the membrane.

Each residue has its measured share in the free energy of insertion (Hessa et al. 2005,
doi:10.1038/nature03216; whole helices: Hessa et al. 2007, doi:10.1038/nature06387). The shares
of 19 residues, the thickness of a membrane, are added up. One clear segment makes a membrane
protein; in it weaker ones count as well, as in von Heijne 1992
(doi:10.1016/0022-2836(92)90934-C), since in a bundle of helices many are no better than that.
Beta barrels have no such segments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Final

from genint.model.features import FeatureKind, SequenceFeature
from genint.sources.features_residues import Residues, by_code, window_sums

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

METHOD: Final = "Hessa scale, 19 residues"
WINDOW: Final = 19
INSERTION_KCAL: Final[Mapping[str, float]] = {
    **{"I": -0.60, "L": -0.55, "F": -0.32, "V": -0.31, "C": -0.13, "M": -0.10, "A": 0.11},
    **{"W": 0.30, "T": 0.52, "Y": 0.68, "G": 0.74, "S": 0.84, "N": 2.05, "H": 2.06},
    **{"P": 2.23, "Q": 2.36, "R": 2.58, "E": 2.68, "K": 2.71, "D": 3.49},
}
"""Free energy of insertion of a residue in the middle of a helix, kcal/mol."""
_SCALE: Final = 100
CLEAR_KCAL: Final = 1.9
"""Free energy up to which a segment makes a membrane protein. Of the proteins of E. coli
whose names say that they lie in the cytoplasm, 1 in 250 has such a segment."""
SHORT_RESIDUES: Final = 150
SHORT_CLEAR_KCAL: Final = 5.5
"""The same for proteins of up to ``SHORT_RESIDUES``: they have few places where chance can make
a segment, and the holins of phages, whose segments are poor, are short. It finds 85 % of the
proteins named holin instead of 54 %, and 8 of 444 short soluble proteins instead of 3."""
WEAK_KCAL: Final = 7.6
"""Free energy up to which further segments of a membrane protein count: so 81 of 120 proteins of
E. coli of known topology get exactly their number of segments, 112 at most one off."""


def find_segments(
    residues: Residues, first_allowed: NDArray[np.int64]
) -> dict[int, tuple[SequenceFeature, ...]]:
    """Transmembrane segments of each protein that has one, in order; none overlap.

    Args:
        residues: The proteins.
        first_allowed: Of each protein, the residue (from 0) where segments may begin: what
            lies before is a signal peptide.

    Returns:
        By number of the protein. Scores are kcal/mol gained by insertion, the higher the clearer.

    Cost: 30 ns a residue, 0.15 ms a membrane protein.
    """
    import numpy as np  # noqa: PLC0415 - costs 0.1 s

    gained = by_code({letter: -kcal for letter, kcal in INSERTION_KCAL.items()}, _SCALE)
    sums = window_sums(residues.values(gained), WINDOW)
    places = np.flatnonzero(sums >= -round(WEAK_KCAL * _SCALE))
    owners = residues.owners(places)
    offsets = places - residues.starts[owners]
    scores = sums[places]
    allowed = offsets >= first_allowed[owners]
    least = np.where(residues.lengths <= SHORT_RESIDUES, -SHORT_CLEAR_KCAL, -CLEAR_KCAL) * _SCALE
    clear = np.zeros(len(residues.starts), dtype=np.bool_)
    clear[owners[allowed & (scores >= np.rint(least)[owners])]] = True
    chosen = allowed & clear[owners]
    columns = (column[chosen].tolist() for column in (owners, offsets, scores))
    found = groupby(zip(*columns, strict=True), key=lambda row: row[0])
    return {owner: _best([(row[2], row[1]) for row in rows]) for owner, rows in found}


def _best(windows: Sequence[tuple[int, int]]) -> tuple[SequenceFeature, ...]:
    """The best windows that don't overlap, from (score, offset) of all candidates."""
    taken: list[tuple[int, int]] = []
    blocked: set[int] = set()
    for score, offset in sorted(windows, key=lambda one: (-one[0], one[1])):
        if offset not in blocked:
            taken.append((offset, score))
            blocked.update(range(offset - WINDOW + 1, offset + WINDOW))
    return tuple(
        SequenceFeature(
            FeatureKind.TRANSMEMBRANE, offset + 1, offset + WINDOW, score / _SCALE, METHOD
        )
        for offset, score in sorted(taken)
    )
