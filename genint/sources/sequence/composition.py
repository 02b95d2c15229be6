"""Proteins as arrays of residues; stretches of low complexity and coiled coils in them.

All that the methods compare with a threshold is a sum of whole numbers, so that what is found in
a protein does not depend on the proteins that are examined with it.

Low complexity: windows of 12 residues by their entropy, as SEG does in its first step (Wootton &
Federhen 1993, doi:10.1016/0097-8485(93)85006-X); a window of little entropy starts a stretch, and
neighbouring windows that are nearly as poor extend it.

Coiled coils: how well 28 residues fit the seven positions of the heptad (Lupas, Van Dyke & Stock
1991, doi:10.1126/science.252.5009.1162), by how often each residue was seen at each position of
known coiled coils (myosins, tropomyosins, keratins), against proteins at large; the geometric
mean over four heptads in the best register. Charged stretches that are no coiled coils can fit as
well (Lupas 1996, doi:10.1016/S0076-6879(96)66032-7).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from genint.model.evidence import FeatureKind, SequenceFeature

RESIDUES: Final = "ACDEFGHIKLMNPQRSTVWY"
UNKNOWN: Final = 20
"""Code of a residue that is not one of the twenty. (U counts as C, O as K.)"""
BREAK: Final = 21
"""Code of a stop and of the room between two proteins: no window lies over it."""
CODES: Final = 22
ROOM: Final = 32
"""Residues of room after each protein, more than any window."""
_FORBIDDEN: Final = -(10**9)


class Run(NamedTuple):
    """A stretch of consecutive positions.

    Attributes:
        first: Position in the array, 0-based.
        end: Position after the last.
    """

    first: int
    end: int


@dataclass(frozen=True, slots=True)
class Residues:
    """Proteins one after the other, with room after each.

    Attributes:
        codes: Number of each residue in ``RESIDUES``, or one of the codes above.
        starts: Where each protein begins.
        lengths: Residues of each.
    """

    codes: NDArray[np.uint8]
    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]

    @classmethod
    def of(cls, proteins: Sequence[str]) -> Self:
        """Proteins in one-letter code, of any case. O(residues)."""
        room = "*" * ROOM
        text = "".join(protein + room for protein in proteins).encode("ascii", "replace")
        codes = np.frombuffer(text.translate(_TABLE), dtype=np.uint8)
        lengths = np.array([len(protein) for protein in proteins], dtype=np.int64)
        starts = np.concatenate(([0], np.cumsum(lengths + ROOM)[:-1])).astype(np.int64)
        return cls(codes, starts[: len(proteins)], lengths)

    def values(self, of_code: Sequence[int]) -> NDArray[np.int64]:
        """A whole number for each residue.

        Args:
            of_code: For each code up to ``UNKNOWN``; breaks get one that no window survives.
        """
        table = np.array([*of_code, _FORBIDDEN], dtype=np.int64)
        numbers: NDArray[np.int64] = table[self.codes]
        return numbers

    def owners(self, positions: NDArray[np.int64]) -> NDArray[np.int64]:
        """Number of the protein that each position lies in."""
        numbers: NDArray[np.int64] = np.searchsorted(self.starts, positions, side="right") - 1
        return numbers


def _table() -> bytes:
    codes = {letter: number for number, letter in enumerate(RESIDUES)}
    codes |= {"U": codes["C"], "O": codes["K"], "*": BREAK}
    codes |= {letter.lower(): code for letter, code in codes.items()}
    return bytes(codes.get(chr(byte), UNKNOWN) for byte in range(256))


_TABLE: Final = _table()


def by_code(values: Mapping[str, float], scale: int) -> tuple[int, ...]:
    """Values of the twenty residues as whole numbers, and their mean for the unknown.

    Args:
        values: By one-letter code.
        scale: What they are multiplied with before rounding.
    """
    numbers = [round(values[letter] * scale) for letter in RESIDUES]
    return (*numbers, round(sum(numbers) / len(numbers)))


def window_sums(values: NDArray[np.int64], width: int) -> NDArray[np.int64]:
    """Sum of ``width`` values from each position on; the last positions have none."""
    if len(values) < width:
        return np.zeros(0, dtype=np.int64)
    totals = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(values)))
    sums: NDArray[np.int64] = totals[width:] - totals[:-width]
    return sums


def runs(chosen: NDArray[np.bool_]) -> Iterator[Run]:
    """Stretches of true values, from left to right."""
    padded = np.concatenate(([False], chosen, [False]))
    borders = np.flatnonzero(padded[1:] != padded[:-1]).tolist()
    yield from (Run(*pair) for pair in zip(borders[::2], borders[1::2], strict=True))


LOW_COMPLEXITY_METHOD: Final = "SEG entropy, 12 residues"
LOW_COMPLEXITY_WINDOW: Final = 12
STARTING_BITS: Final = 1.9
"""Entropy up to which a window starts a stretch. SEG masks from 2.2 on, so as to lose no
chance match; 1.9 keeps what a reader would call poor."""
EXTENDING_BITS: Final = 2.2
_ENTROPY_SCALE: Final = 10**6


def find_low_complexity(residues: Residues) -> dict[int, tuple[SequenceFeature, ...]]:
    """Stretches of low complexity of each protein that has one, in order.

    Scores are bits of entropy below the largest that a window can have (log2 of 12), in the
    poorest window.

    Cost: 0.1 us a residue.
    """
    bits = _entropies(residues.codes)
    starting = np.flatnonzero(bits <= round(STARTING_BITS * _ENTROPY_SCALE))
    found: dict[int, list[SequenceFeature]] = {}
    for run in runs(bits <= round(EXTENDING_BITS * _ENTROPY_SCALE)):
        if np.searchsorted(starting, run.first) == np.searchsorted(starting, run.end):
            continue
        owner = int(residues.owners(np.array([run.first]))[0])
        start = int(residues.starts[owner])
        poorest = int(bits[run.first : run.end].min()) / _ENTROPY_SCALE
        feature = SequenceFeature(
            FeatureKind.LOW_COMPLEXITY,
            run.first - start + 1,
            run.end - 1 - start + LOW_COMPLEXITY_WINDOW,
            round(math.log2(LOW_COMPLEXITY_WINDOW) - poorest, 3),
            LOW_COMPLEXITY_METHOD,
        )
        found.setdefault(owner, []).append(feature)
    return {owner: tuple(_joined(features)) for owner, features in found.items()}


def _joined(features: list[SequenceFeature]) -> list[SequenceFeature]:
    """Features in order, those that overlap made one."""
    joined: list[SequenceFeature] = []
    for feature in features:
        if joined and feature.first <= joined[-1].last:
            last = joined.pop()
            best = max(last.score, feature.score)
            joined.append(last._replace(last=feature.last, score=best))
        else:
            joined.append(feature)
    return joined


def _entropies(codes: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Scaled bits of the window from each position on; large where it meets a break."""
    count = max(0, len(codes) - LOW_COMPLEXITY_WINDOW + 1)
    bits = np.zeros(count, dtype=np.int64)
    if not count:
        return bits
    shares = [number / LOW_COMPLEXITY_WINDOW for number in range(1, LOW_COMPLEXITY_WINDOW + 1)]
    addends = [0, *(round(-share * math.log2(share) * _ENTROPY_SCALE) for share in shares)]
    table = np.array(addends, dtype=np.int64)
    totals = np.zeros(len(codes) + 1, dtype=np.uint8)
    for code in range(CODES):
        # Totals run over at 256, which their differences, 12 at most, don't mind.
        np.cumsum(codes == code, dtype=np.uint8, out=totals[1:])
        seen = totals[LOW_COMPLEXITY_WINDOW:] - totals[:-LOW_COMPLEXITY_WINDOW]
        if code == BREAK:
            bits[seen > 0] = 10 * _ENTROPY_SCALE
        else:
            bits += table[seen]
    return bits


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
