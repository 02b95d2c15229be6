"""What the membrane does with a protein: transmembrane segments and signal peptides.

Transmembrane segments: each residue has its measured share in the free energy of insertion
(Hessa et al. 2005, doi:10.1038/nature03216; whole helices: Hessa et al. 2007,
doi:10.1038/nature06387). The shares of 19 residues, the thickness of a membrane, are added up.
One clear segment makes a membrane protein; in it weaker ones count as well, as in von Heijne 1992
(doi:10.1016/0022-2836(92)90934-C), since in a bundle of helices many are no better than that.
Beta barrels have no such segments.

Signal peptides have a short charged beginning, a hydrophobic core of some twelve residues, and a
polar end with small residues at -3 and -1 of the cut (von Heijne 1986,
doi:10.1093/nar/14.11.4683, whose counts around the cut in bacterial proteins are used here). That
of a lipoprotein ends in the lipobox, whose cysteine gets the lipid (Hayashi & Wu 1990,
doi:10.1007/BF00763177; von Heijne 1989, doi:10.1093/protein/2.7.531; Babu et al. 2006,
doi:10.1128/JB.188.8.2761-2773.2006). The weights of the parts were fitted on half of the proteins
of E. coli K-12 whose names state where they go. Not to be distinguished from a signal peptide: a
single segment that anchors the protein by its beginning and is not cut, such as the
signal-arrest-release segment of some endolysins.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import groupby
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from genint.model.evidence import FeatureKind, SequenceFeature
from genint.sources.sequence.composition import (
    BREAK,
    RESIDUES,
    UNKNOWN,
    Residues,
    by_code,
    window_sums,
)

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


SIGNAL_METHOD: Final = "von Heijne weights and hydrophobic core"
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
            SIGNAL_METHOD,
        )
        for number in np.flatnonzero(
            (best.scores >= LEAST_SCORE)
            & (residues.lengths - best.ends >= _LEAST_MATURE)
            & (best.ends <= stops)
        )
    }


def _beginnings(residues: Residues) -> NDArray[np.uint8]:
    """Codes of the first residues of each protein, a row each, filled up with breaks."""
    offsets = np.arange(_LOOKED_AT)
    places = np.minimum(residues.starts[:, None] + offsets, len(residues.codes) - 1)
    inside = offsets < residues.lengths[:, None]
    codes: NDArray[np.uint8] = np.where(inside, residues.codes[places], np.uint8(BREAK))
    return codes


def _window_means(values: NDArray[np.float64], width: int) -> NDArray[np.float64]:
    """Mean of ``width`` values from each column on, a row for each protein."""
    totals = np.zeros((len(values), values.shape[1] + 1))
    np.cumsum(values, axis=1, out=totals[:, 1:])
    means: NDArray[np.float64] = (totals[:, width:] - totals[:, :-width]) / width
    return means


def _hydrophobicities() -> tuple[float, ...]:
    """kcal/mol gained in the membrane, by code."""
    gained = [-INSERTION_KCAL[letter] for letter in RESIDUES]
    return (*gained, sum(gained) / len(gained), -100.0)


def _best_cuts(codes: NDArray[np.uint8]) -> _Cut:
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
    charge = {"K": 1, "R": 1, "D": -1, "E": -1}
    by_code = np.array([charge.get(letter, 0) for letter in RESIDUES] + [0, 0])
    totals = np.cumsum(by_code[codes], axis=1)
    positive: NDArray[np.bool_] = totals[:, _CORE_BEGINS.start - 1 : _CORE_BEGINS.stop - 1] > 0
    return positive


def _anchors(gained: NDArray[np.float64]) -> NDArray[np.float64]:
    """By how much a helix over a core from each beginning on rather stays in the membrane."""
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
