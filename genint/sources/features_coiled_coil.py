"""Coiled coils: how well 28 residues fit the seven positions of the heptad.

Lupas, Van Dyke & Stock 1991, doi:10.1126/science.252.5009.1162: how often each residue was
seen at each position of known coiled coils (myosins, tropomyosins, keratins), against proteins
at large; the geometric mean over four heptads in the best register. Charged stretches that are
no coiled coils can fit as well (Lupas 1996, doi:10.1016/S0076-6879(96)66032-7).
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Final

from genint.model.features import FeatureKind, SequenceFeature
from genint.sources.features_residues import BREAK, CODES, RESIDUES, UNKNOWN, Residues, runs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

METHOD: Final = "Lupas heptads, 28 residues"
WINDOW: Final = 28
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
_SCALE: Final = 10**6
_NEVER: Final = -400 * _SCALE
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
    return math.ceil(WINDOW * math.log(high) * _SCALE)


@cache
def _logarithms() -> NDArray[np.int64]:
    """For each code and position of the heptad."""
    import numpy as np  # noqa: PLC0415 - costs 0.1 s

    table = np.full((CODES, _HEPTAD), _NEVER, dtype=np.int64)
    for line in _PREFERENCES.split("\n"):
        if line.strip():
            letter, *times = line.split()
            table[RESIDUES.index(letter)] = [
                round(math.log(float(one)) * _SCALE) if float(one) else _NEVER for one in times
            ]
    table[UNKNOWN] = round(math.log(0.5) * _SCALE)  # neither for nor against a coil at large
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
    np.add.at(covered, windows + WINDOW, -1)
    for run in runs(np.cumsum(covered)[:-1] > 0):
        owner = int(residues.owners(np.array([run.first]))[0])
        start = int(residues.starts[owner])
        peak = math.exp(int(best[run.first : run.end - WINDOW + 1].max()) / _SCALE / WINDOW)
        feature = SequenceFeature(
            FeatureKind.COILED_COIL,
            run.first - start + 1,
            run.end - start,
            round(probability(peak), 3),
            METHOD,
        )
        found.setdefault(owner, []).append(feature)
    return {owner: tuple(features) for owner, features in found.items()}


def _best_registers(codes: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Scaled sum of logarithms of the window from each position on, in its best register."""
    import numpy as np  # noqa: PLC0415 - costs 0.1 s

    count = max(0, len(codes) - WINDOW + 1)
    best = np.full(count, _NEVER * WINDOW, dtype=np.int64)
    if not count:
        return best
    flat = _logarithms().ravel()
    rows = codes.astype(np.int64) * _HEPTAD
    phases = np.arange(len(codes)) % _HEPTAD
    totals = np.zeros(len(codes) + 1, dtype=np.int64)
    for _ in range(_HEPTAD):
        np.cumsum(flat[rows + phases], out=totals[1:])
        np.maximum(best, totals[WINDOW:] - totals[:-WINDOW], out=best)
        phases = np.where(phases == _HEPTAD - 1, 0, phases + 1)
    return best
