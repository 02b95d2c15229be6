"""Transmembrane segments: stretches that the translocon puts into the membrane.

Each residue has its measured share in the free energy of insertion (Hessa et al. 2005,
doi:10.1038/nature03216; whole helices: Hessa et al. 2007, doi:10.1038/nature06387). The shares
of 19 residues, the thickness of a membrane, are added up. One clear segment makes a membrane
protein; in it weaker ones count as well, as in von Heijne 1992
(doi:10.1016/0022-2836(92)90934-C), since in a bundle of helices many are no better than that.
Beta barrels have no such segments.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Final

from genint.model.evidence import FeatureKind, SequenceFeature
from genint.sources.sequence.composition import (
    BREAK,
    CODES,
    RESIDUES,
    UNKNOWN,
    Residues,
    by_code,
    runs,
    window_sums,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


COILED_COIL_METHOD: Final = "Lupas heptads, 28 residues"
COILED_COIL_WINDOW: Final = 28
_HEPTAD: Final = 7
_PREFERENCES: Final = """
    A 1.297 1.551 1.084 2.612 0.377 1.248 0.877
    C 0.824 0.022 0.308 0.152 0.180 0.156 0.044
    D 0.030 2.352 2.268 0.237 0.663 1.620 1.448
    E 0.262 3.496 3.108 0.998 5.685 2.494 3.048
    F 0.531 0.076 0.403 0.662 0.189 0.106 0.013
    G 0.045 0.275 0.578 0.216 0.211 0.426 0.156
    H 0.347 0.275 0.679 0.395 0.294 0.579 0.213
    I 2.597 0.098 0.345 0.894 0.514 0.471 0.431
    K 1.375 2.639 1.763 0.191 1.815 1.961 2.795
    L 3.167 0.297 0.398 3.902 0.585 0.501 0.483
    M 2.240 0.370 0.480 1.409 0.541 0.772 0.663
    N 0.835 1.475 1.534 0.039 1.722 2.456 2.280
    P 0     0.008 0     0.013 0     0     0
    Q 0.179 2.114 1.778 0.631 2.550 1.578 2.526
    R 0.659 1.163 1.210 0.031 1.358 1.937 1.798
    S 0.382 0.583 1.052 0.419 0.525 0.916 0.628
    T 0.169 0.702 0.955 0.654 0.791 0.843 0.647
    V 1.665 0.403 0.386 0.949 0.211 0.342 0.360
    W 0.240 0     0     0.456 0.019 0     0
    Y 1.417 0.090 0.122 1.659 0.190 0.130 0.155
"""
"""Residue, then positions a to g: times as often as in proteins at large."""
_COILED_COIL_SCALE: Final = 10**6
_NEVER: Final = -400 * _COILED_COIL_SCALE
"""For a residue never seen at a position: no window with it counts."""
_COILED, _GLOBULAR = (1.63, 0.24), (0.77, 0.20)
"""Mean and standard deviation of the scores of coiled coils and of globular proteins."""
_GLOBULAR_PER_COILED: Final = 30
LEAST_PROBABILITY: Final = 0.9


def probability(score: float) -> float:
    """Probability of a coiled coil by the score of a window, a geometric mean."""
    coiled, globular = (
        math.exp(-0.5 * ((score - mean) / deviation) ** 2) / deviation
        for mean, deviation in (_COILED, _GLOBULAR)
    )
    return coiled / (coiled + _GLOBULAR_PER_COILED * globular) if score < _COILED[0] else 1.0


@cache
def _least_sum() -> int:
    """Sum of scaled logarithms that a window needs."""
    low, high = _GLOBULAR[0], _COILED[0]
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (low, middle) if probability(middle) >= LEAST_PROBABILITY else (middle, high)
    return math.ceil(COILED_COIL_WINDOW * math.log(high) * _COILED_COIL_SCALE)


@cache
def _logarithms() -> NDArray[np.int64]:
    """For each code and position of the heptad."""
    import numpy as np  # noqa: PLC0415 - costs 0.1 s

    table = np.full((CODES, _HEPTAD), _NEVER, dtype=np.int64)
    for line in _PREFERENCES.split("\n"):
        if line.strip():
            letter, *times = line.split()
            table[RESIDUES.index(letter)] = [
                round(math.log(float(one)) * _COILED_COIL_SCALE) if float(one) else _NEVER
                for one in times
            ]
    table[UNKNOWN] = round(
        math.log(0.5) * _COILED_COIL_SCALE
    )  # neither for nor against a coil at large
    table[BREAK] = _NEVER
    table.flags.writeable = False
    return table


def find_coiled_coils(residues: Residues) -> dict[int, tuple[SequenceFeature, ...]]:
    """Coiled coils of each protein that has one, in order; scores are probabilities.

    Cost: 50 ns a residue.
    """
    import numpy as np  # noqa: PLC0415 - costs 0.1 s

    best = _best_registers(residues.codes)
    fits = best >= _least_sum()
    found: dict[int, list[SequenceFeature]] = {}
    windows = np.flatnonzero(fits)
    if not len(windows):
        return {}
    covered = np.zeros(len(residues.codes) + 1, dtype=np.int64)
    np.add.at(covered, windows, 1)
    np.add.at(covered, windows + COILED_COIL_WINDOW, -1)
    for run in runs(np.cumsum(covered)[:-1] > 0):
        owner = int(residues.owners(np.array([run.first]))[0])
        start = int(residues.starts[owner])
        peak = math.exp(
            int(best[run.first : run.end - COILED_COIL_WINDOW + 1].max())
            / _COILED_COIL_SCALE
            / COILED_COIL_WINDOW
        )
        feature = SequenceFeature(
            FeatureKind.COILED_COIL,
            run.first - start + 1,
            run.end - start,
            round(probability(peak), 3),
            COILED_COIL_METHOD,
        )
        found.setdefault(owner, []).append(feature)
    return {owner: tuple(features) for owner, features in found.items()}


def _best_registers(codes: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Scaled sum of logarithms of the window from each position on, in its best register."""
    import numpy as np  # noqa: PLC0415 - costs 0.1 s

    count = max(0, len(codes) - COILED_COIL_WINDOW + 1)
    best = np.full(count, _NEVER * COILED_COIL_WINDOW, dtype=np.int64)
    if not count:
        return best
    flat = _logarithms().ravel()
    rows = codes.astype(np.int64) * _HEPTAD
    phases = np.arange(len(codes)) % _HEPTAD
    totals = np.zeros(len(codes) + 1, dtype=np.int64)
    for _ in range(_HEPTAD):
        np.cumsum(flat[rows + phases], out=totals[1:])
        np.maximum(best, totals[COILED_COIL_WINDOW:] - totals[:-COILED_COIL_WINDOW], out=best)
        phases = np.where(phases == _HEPTAD - 1, 0, phases + 1)
    return best


MEMBRANE_METHOD: Final = "Hessa scale, 19 residues"
MEMBRANE_WINDOW: Final = 19
INSERTION_KCAL: Final[Mapping[str, float]] = {
    **{"I": -0.60, "L": -0.55, "F": -0.32, "V": -0.31, "C": -0.13, "M": -0.10, "A": 0.11},
    **{"W": 0.30, "T": 0.52, "Y": 0.68, "G": 0.74, "S": 0.84, "N": 2.05, "H": 2.06},
    **{"P": 2.23, "Q": 2.36, "R": 2.58, "E": 2.68, "K": 2.71, "D": 3.49},
}
"""Free energy of insertion of a residue in the middle of a helix, kcal/mol."""
_KCAL_SCALE: Final = 100
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

    gained = by_code({letter: -kcal for letter, kcal in INSERTION_KCAL.items()}, _KCAL_SCALE)
    sums = window_sums(residues.values(gained), MEMBRANE_WINDOW)
    places = np.flatnonzero(sums >= -round(WEAK_KCAL * _KCAL_SCALE))
    owners = residues.owners(places)
    offsets = places - residues.starts[owners]
    scores = sums[places]
    allowed = offsets >= first_allowed[owners]
    least = (
        np.where(residues.lengths <= SHORT_RESIDUES, -SHORT_CLEAR_KCAL, -CLEAR_KCAL) * _KCAL_SCALE
    )
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
            blocked.update(range(offset - MEMBRANE_WINDOW + 1, offset + MEMBRANE_WINDOW))
    return tuple(
        SequenceFeature(
            FeatureKind.TRANSMEMBRANE,
            offset + 1,
            offset + MEMBRANE_WINDOW,
            score / _KCAL_SCALE,
            MEMBRANE_METHOD,
        )
        for offset, score in sorted(taken)
    )
