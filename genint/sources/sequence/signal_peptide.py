"""Signal peptides, which send a protein through the membrane and are cut off.

A signal peptide has a short charged beginning, a hydrophobic core of some twelve residues,
and a polar end with small residues at -3 and -1 of the cut (von Heijne 1986,
doi:10.1093/nar/14.11.4683, whose counts around the cut in bacterial proteins are used here).
That of a lipoprotein ends in the lipobox, whose cysteine gets the lipid (Hayashi & Wu 1990,
doi:10.1007/BF00763177; von Heijne 1989, doi:10.1093/protein/2.7.531; Babu et al. 2006,
doi:10.1128/JB.188.8.2761-2773.2006).

How the parts are weighed was fitted on half of the proteins of E. coli K-12 whose names tell
where they go. What can't be told from a signal peptide: a single segment that anchors the
protein by its beginning and is not cut, such as the signal-arrest-release segment of some
endolysins.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from genint.model.evidence import FeatureKind, SequenceFeature
from genint.sources.sequence.composition import BREAK, RESIDUES, UNKNOWN, Residues
from genint.sources.sequence.membrane import INSERTION_KCAL

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


METHOD: Final = "von Heijne weights and hydrophobic core"
LIPOBOX_METHOD: Final = "lipobox after a hydrophobic core"
LEAST_SCORE: Final = 0.7
_LOOKED_AT: Final = 70
"""Residues of the beginning: the longest signal peptide, and room for a helix over its end."""
_CORE: Final = 12
_CORE_FLOOR: Final = -0.4
"""Hydrophobicity per residue that a core needs, however good the cut; kcal/mol."""
_CORE_BEGINS: Final = range(2, 32)
_END: Final = range(2, 8)
"""Residues between the core and the cut."""
_SIGNAL: Final = range(15, 41)
"""Residues of a signal peptide."""
_LEAST_MATURE: Final = 20
"""Residues that are left after the cut; the lysis proteins of colicins have 28."""
_CUT_WEIGHT: Final = 0.15
_NO_CHARGE: Final = 0.5
"""What is taken off where the beginning has no positive charge."""
_ANCHOR_WEIGHT: Final = 1.0
_HELIX: Final = 19
_HELIX_FLOOR: Final = -0.1
"""Hydrophobicity per residue from which 19 residues around the core rather stay in the
membrane; kcal/mol."""
_NEVER: Final = -6.0
_COUNTS: Final = """
    A 3.2 10  8  8  9  6  7  5  6  7  7 24  2 31 18  4
    C 1.0  1  1  1  1  1  1  1  1  1  1  0  1  0  1  1
    D 2.0  1  1  1  1  1  1  1  1  1  1  0  1  0  2  8
    E 2.2  1  1  1  1  1  1  1  1  1  1  0  1  0  4  8
    F 1.3  2  4  3  4  1  1  8  1  4  1  0  7  0  1  1
    G 2.7  4  2  2  2  3  5  2  4  2  2  0  2  2  1  1
    H 0.8  1  1  1  1  1  1  1  1  1  1  0  7  0  1  1
    I 1.7  3  1  5  1  5  1  1  3  1  1  0  1  0  1  2
    K 2.5  1  1  1  1  1  1  1  1  1  1  0  2  0  3  1
    L 2.7  8 11  9  8  9 13  1  1  2  2  1  2  0  1  1
    M 0.6  1  2  1  1  3  2  3  1  1  2  0  4  0  1  1
    N 1.6  1  1  1  1  1  1  1  1  1  1  0  3  0  1  4
    P 1.7  1  1  1  1  1  1  2  3  5  2  0  1  0  1  5
    Q 1.4  1  1  1  1  1  1  1  1  2  2  0  3  0  1  1
    R 1.7  1  1  1  1  1  1  1  1  1  1  0  1  0  1  1
    S 2.6  1  1  1  4  4  1  5 15  5  8  5  2  2  1  1
    T 2.2  2  1  4  2  2  2  2  2  5  1  3  1  1  1  2
    V 2.5  5  7  1  3  1  4  7  1  1  4  3  1  0  2  1
    W 0.4  1  1  1  1  1  1  1  1  1  1  0  1  0  1  1
    Y 1.3  1  1  1  1  1  1  1  1  1  3  0  1  0  1  1
"""
"""Residue, its expected number among 36 proteins, and its numbers at -13 to -1, +1 and +2 of
the cut; none seen counts as one, but as none at -3 and -1."""
_BEFORE_CUT: Final = 13
_LIPOBOX: Final = re.compile(r"(?=[^DEKR]{7}[LVIFMAT][ASTVIGLMF][GAS]C)")
_BOX_FROM_CORE: Final = 10
"""Residues from the start of the uncharged stretch to the cysteine."""
_CYSTEINE: Final = range(13, 46)
"""Residues before the cysteine."""
_LIPID_CORE: Final = -0.6
"""Hydrophobicity per residue that the core of a lipoprotein's signal needs; kcal/mol."""


class _Cut(NamedTuple):
    """Best place to cut each protein.

    Attributes:
        scores: Of each protein.
        ends: Residues of the signal peptide.
    """

    scores: NDArray[np.float64]
    ends: NDArray[np.int64]


@cache
def _cut_weights() -> NDArray[np.float64]:
    """For each code and each of the 15 positions around the cut."""
    import numpy as np  # noqa: PLC0415 - costs 0.1 s

    weights = np.zeros((BREAK + 1, 15))
    for line in _COUNTS.strip().splitlines():
        letter, expected, *counts = line.split()
        weights[RESIDUES.index(letter)] = [
            math.log(int(count) / float(expected)) if int(count) else _NEVER for count in counts
        ]
    weights[UNKNOWN] = -0.5
    weights[BREAK] = -100.0
    weights.flags.writeable = False
    return weights


def find_signals(residues: Residues) -> dict[int, SequenceFeature]:
    """Signal peptides, by number of the protein; the score is in kcal/mol.

    Whether a protein with further transmembrane segments has a signal peptide is for the
    caller to say. Cost: 10 us a protein.
    """
    import numpy as np  # noqa: PLC0415 - costs 0.1 s

    if not len(residues.starts):
        return {}
    codes = _beginnings(residues)
    best = _best_cuts(codes)
    stops = np.where((codes == BREAK).any(axis=1), (codes == BREAK).argmax(axis=1), _LOOKED_AT)
    return {
        int(number): SequenceFeature(
            FeatureKind.SIGNAL_PEPTIDE,
            1,
            int(best.ends[number]),
            round(float(best.scores[number]), 3),
            METHOD,
        )
        for number in np.flatnonzero(
            (best.scores >= LEAST_SCORE)
            & (residues.lengths - best.ends >= _LEAST_MATURE)
            & (best.ends <= stops)
        )
    }


def _beginnings(residues: Residues) -> NDArray[np.uint8]:
    """Codes of the first residues of each protein, a row each, filled up with breaks."""
    import numpy as np  # noqa: PLC0415 - costs 0.1 s

    offsets = np.arange(_LOOKED_AT)
    places = np.minimum(residues.starts[:, None] + offsets, len(residues.codes) - 1)
    inside = offsets < residues.lengths[:, None]
    codes: NDArray[np.uint8] = np.where(inside, residues.codes[places], np.uint8(BREAK))
    return codes


def _window_means(values: NDArray[np.float64], width: int) -> NDArray[np.float64]:
    """Mean of ``width`` values from each column on, a row for each protein."""
    import numpy as np  # noqa: PLC0415 - costs 0.1 s

    totals = np.zeros((len(values), values.shape[1] + 1))
    np.cumsum(values, axis=1, out=totals[:, 1:])
    means: NDArray[np.float64] = (totals[:, width:] - totals[:, :-width]) / width
    return means


def _hydrophobicities() -> tuple[float, ...]:
    """kcal/mol gained in the membrane, by code."""
    gained = [-INSERTION_KCAL[letter] for letter in RESIDUES]
    return (*gained, sum(gained) / len(gained), -100.0)


def _best_cuts(codes: NDArray[np.uint8]) -> _Cut:
    import numpy as np  # noqa: PLC0415 - costs 0.1 s

    gained = np.array(_hydrophobicities())[codes]
    cores = _window_means(gained, _CORE)[:, _CORE_BEGINS.start : _CORE_BEGINS.stop]
    cores = np.where(cores >= _CORE_FLOOR, cores, -np.inf)
    cores = cores - _NO_CHARGE * ~_charged_before(codes) - _ANCHOR_WEIGHT * _anchors(gained)
    cuts = _cut_scores(codes)
    scores = np.full(len(codes), -np.inf)
    ends = np.zeros(len(codes), dtype=np.int64)
    for residues_after in _END:
        cut = np.arange(_CORE_BEGINS.start, _CORE_BEGINS.stop) + _CORE + residues_after
        allowed = (cut >= _SIGNAL.start) & (cut < _SIGNAL.stop)
        sums = cores[:, allowed] + _CUT_WEIGHT * cuts[:, cut[allowed] - _BEFORE_CUT]
        column = sums.argmax(axis=1)
        value = sums[np.arange(len(codes)), column]
        better = value > scores
        scores = np.where(better, value, scores)
        ends = np.where(better, cut[allowed][column], ends)
    return _Cut(scores, ends)


def _charged_before(codes: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Whether the residues before a core from each beginning on have a positive charge."""
    import numpy as np  # noqa: PLC0415 - costs 0.1 s

    charge = {"K": 1, "R": 1, "D": -1, "E": -1}
    by_code = np.array([charge.get(letter, 0) for letter in RESIDUES] + [0, 0])
    totals = np.cumsum(by_code[codes], axis=1)
    positive: NDArray[np.bool_] = totals[:, _CORE_BEGINS.start - 1 : _CORE_BEGINS.stop - 1] > 0
    return positive


def _anchors(gained: NDArray[np.float64]) -> NDArray[np.float64]:
    """By how much a helix over a core from each beginning on rather stays in the membrane."""
    import numpy as np  # noqa: PLC0415 - costs 0.1 s

    helices = _window_means(gained, _HELIX)
    slack = _HELIX - _CORE
    best = np.stack(
        [helices[:, max(0, begin - slack) : begin + 1].max(axis=1) for begin in _CORE_BEGINS],
        axis=1,
    )
    over: NDArray[np.float64] = np.maximum(0.0, best - _HELIX_FLOOR)
    return over


def _cut_scores(codes: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Sum of weights around the cut after 13, 14, ... residues."""
    import numpy as np  # noqa: PLC0415 - costs 0.1 s

    weights = _cut_weights()
    columns = codes.shape[1] - weights.shape[1] + 1
    sums = np.zeros((len(codes), columns))
    for position in range(weights.shape[1]):
        sums += weights[codes[:, position : position + columns], position]
    return sums


def find_lipoprotein_signals(proteins: Sequence[str]) -> dict[int, SequenceFeature]:
    """Signal peptides of lipoproteins, up to the residue before the cysteine.

    The score is the hydrophobicity of the core per residue, kcal/mol. Cost: 1 us a protein.
    """
    found = {}
    for number, protein in enumerate(proteins):
        beginning = protein[: _CYSTEINE.stop].upper().partition("*")[0]
        if "C" not in beginning:
            continue
        for match in _LIPOBOX.finditer(beginning):
            end = match.start() + _BOX_FROM_CORE
            score = _lipid_core(beginning, end)
            mature = len(protein) - end
            if end in _CYSTEINE and score >= _LIPID_CORE and mature >= _LEAST_MATURE:
                found[number] = SequenceFeature(
                    FeatureKind.LIPOPROTEIN_SIGNAL, 1, end, round(score, 3), LIPOBOX_METHOD
                )
                break
    return found


def _lipid_core(beginning: str, end: int) -> float:
    """Hydrophobicity before the lipobox; minus infinity where no charge comes before it."""
    if not re.search("[KR]", beginning[1 : max(2, end - 11)]):
        return -math.inf
    core = beginning[max(1, end - 15) : end - 3]
    gained = [-INSERTION_KCAL.get(letter, 1.0) for letter in core]
    return sum(gained) / len(gained)
