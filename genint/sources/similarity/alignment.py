"""Smith-Waterman alignments of one protein with many, and how identical they are.

Scores: Smith & Waterman 1981, doi:10.1016/0022-2836(81)90087-5; one alignment in each lane of the
vector unit: Rognes 2011, doi:10.1186/1471-2105-12-221; the library (Opal): Korpar et al. 2015,
doi:10.1371/journal.pone.0145857. (Farrar 2007, doi:10.1093/bioinformatics/btl582, puts one
alignment across the lanes instead.)

Identity: the ends of an alignment are known from two score searches, one of them backwards.
Between them a global alignment in a band is computed for all pairs at once, row by row. No path
is kept: score, identical pairs and aligned pairs are added up in one number, the score in its
upper bits, so that the best score carries its own counts (of equally good alignments the one with
the most identical pairs). A band that reaches the known score was wide enough; others are widened
(Ukkonen 1985, doi:10.1016/S0019-9958(85)80046-2). Gaps: Gotoh 1982,
doi:10.1016/0022-2836(82)90398-9.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

import numpy as np
import pyopal
from numpy.typing import NDArray
from scoring_matrices.lib import ScoringMatrix

from genint.native.similarity import Band, Gaps, best_in_band

FIRST_OF_GAP: Final = 12
"""What the first residue of a gap costs: 11 to open it and 1 for the residue."""
NEXT_OF_GAP: Final = 1
_PARTS: Final = 8
"""Of a unit of score, where substitution scores are no whole numbers."""
_OVERFLOW: Final = "simple"
"""How scores above a byte are found. The aligner's other way loses memory: with each call the
scores of the protein, 70 bytes a residue."""


class Alignment(NamedTuple):
    """Ends and identity of an alignment; places 0-based, ends exclusive.

    Attributes:
        identity: Share of identical positions among all columns, gaps too, 0..1.
        protein_from, protein_to: In the protein searched.
        target_from, target_to: In the entry.
    """

    identity: float
    protein_from: int
    protein_to: int
    target_from: int
    target_to: int


class Ends(NamedTuple):
    """Score and ends of an alignment; places 0-based, ends exclusive."""

    score: int
    protein_from: int
    protein_to: int
    target_from: int
    target_to: int


@cache
def _aligner() -> pyopal.Aligner:
    return pyopal.Aligner("BLOSUM62", gap_open=FIRST_OF_GAP, gap_extend=NEXT_OF_GAP)


def substitution_scores(letters: str) -> NDArray[np.int64]:
    """BLOSUM62 scores between residues, a row and a column for each letter.

    Henikoff & Henikoff 1992, doi:10.1073/pnas.89.22.10915.
    """
    matrix = _aligner().scoring_matrix
    at = [matrix.alphabet.index(letter) for letter in letters]
    return np.array([[matrix[first][second] for second in at] for first in at], np.int64)


def scores(protein: bytes, targets: Sequence[bytes]) -> NDArray[np.int64]:
    """Smith-Waterman scores of a protein with each target (BLOSUM62, gaps of 11 + length).

    Cost: 5 billion residue pairs a second for a hundred targets.
    """
    results = _aligner().align(protein, pyopal.Database(targets), overflow=_OVERFLOW)
    return np.array([result.score for result in results], np.int64)


def ends(protein: bytes, targets: Sequence[bytes]) -> list[Ends]:
    """Score and ends of the best alignment of a protein with each target.

    Where several alignments score the same, the ends may be those of different ones: see
    ``score`` of what is counted between them.

    Cost: as two calls of :func:`scores`.
    """
    forward = _aligner().align(protein, pyopal.Database(targets), mode="end", overflow=_OVERFLOW)
    beginnings = [
        target[: result.target_end + 1][::-1]
        for target, result in zip(targets, forward, strict=True)
    ]
    backward = _aligner().align(
        protein[::-1], pyopal.Database(beginnings), mode="end", overflow=_OVERFLOW
    )
    return [
        Ends(
            there.score,
            len(protein) - 1 - back.query_end,
            there.query_end + 1,
            there.target_end - back.target_end,
            there.target_end + 1,
        )
        for there, back in zip(forward, backward, strict=True)
    ]


def align(protein: bytes, target: bytes) -> Alignment:
    """The best alignment of two proteins, with its path.

    Cost: 6 ns and a byte for each pair of residues.
    """
    (result,) = _aligner().align(
        protein, pyopal.Database([target]), mode="full", overflow=_OVERFLOW
    )
    return Alignment(
        result.alignment.count("M") / len(result.alignment),
        result.query_start,
        result.query_end + 1,
        result.target_start,
        result.target_end + 1,
    )


@cache
def _usual_matrix() -> NDArray[np.float64]:
    """BLOSUM62 with all its letters, in parts of a unit."""
    letters = _aligner().scoring_matrix.alphabet
    return _PARTS * substitution_scores(letters).astype(np.float64)


def fitted_scores(
    protein: bytes, targets: Sequence[bytes], fitted: NDArray[np.float64], residues: str
) -> list[float]:
    """Smith-Waterman scores with substitution scores of one's own, to an eighth.

    Args:
        protein: Upper-case ASCII.
        targets: The same.
        fitted: Scores between the residues, a row for each of the protein's.
        residues: Residues of its rows and columns; other letters score as usual.

    Cost: 0.1 ms and 3 ns for each pair of residues of the longest target: up to sixteen cost
    no more than one.
    """
    letters = _aligner().scoring_matrix.alphabet
    at = [letters.index(residue) for residue in residues]
    matrix = _usual_matrix().copy()
    matrix[np.ix_(at, at)] = np.rint(fitted * _PARTS)
    aligner = pyopal.Aligner(
        ScoringMatrix(matrix.tolist(), letters),
        gap_open=FIRST_OF_GAP * _PARTS,
        gap_extend=NEXT_OF_GAP * _PARTS,
    )
    results = aligner.align(protein, pyopal.Database(targets), overflow=_OVERFLOW)
    return [float(result.score) / _PARTS for result in results]


LETTERS: Final = "ACDEFGHIKLMNPQRSTVWYBZX"
_SCORE_AT: Final = 40
"""First bit of the score; below it identical pairs, and below them aligned pairs."""
_IDENTICAL_AT: Final = 20
_COUNT: Final = (1 << _IDENTICAL_AT) - 1
_NARROWEST: Final = 16
"""Diagonals on either side of those that the lengths ask for."""
_MOST_CELLS: Final = 60_000_000
"""Of one attempt for all pairs: some 2 s. Where a wider band would take more, the best
alignment of the widest band so far counts."""


_FEW_CELLS: Final = 25_000
"""Residue pairs up to which a single alignment with its path costs less than the band."""


class Pair(NamedTuple):
    """Two stretches to align from end to end, and their known score."""

    protein: bytes
    target: bytes
    score: int


class Counts(NamedTuple):
    """What an alignment from end to end holds.

    Attributes:
        score: That it reaches.
        identical: Columns with the same residue.
        columns: All, with gaps.
    """

    score: int
    identical: int
    columns: int


def align_all(protein: bytes, targets: Sequence[bytes]) -> list[Alignment]:
    """The best alignment of a protein with each target.

    Cost: for 25 targets 3 ms at 200 residues, 30 at 1,000 and 100 at 3,000.
    """
    if not targets:
        return []
    found: list[Alignment | None] = [
        align(protein, target) if len(protein) * len(target) <= _FEW_CELLS else None
        for target in targets
    ]
    left = [at for at, alignment in enumerate(found) if alignment is None]
    if left:
        for at, alignment in zip(left, _banded(protein, [targets[at] for at in left]), strict=True):
            found[at] = alignment
    return [alignment for alignment in found if alignment is not None]


def _banded(protein: bytes, targets: Sequence[bytes]) -> list[Alignment]:
    between = ends(protein, targets)
    pairs = [
        Pair(
            protein[place.protein_from : place.protein_to],
            target[place.target_from : place.target_to],
            place.score,
        )
        for place, target in zip(between, targets, strict=True)
    ]
    return [
        _alignment(place, counts)
        for place, counts in zip(between, count_identical(pairs), strict=True)
    ]


def _alignment(place: Ends, counts: Counts) -> Alignment:
    return Alignment(
        counts.identical / counts.columns,
        place.protein_from,
        place.protein_to,
        place.target_from,
        place.target_to,
    )


def count_identical(pairs: Sequence[Pair]) -> list[Counts]:
    """Align pairs from end to end and count.

    Cost: 0.1 ms for a pair of 300 residues that are as long as each other, give or take 30.
    """
    counts: dict[int, Counts] = {}
    waiting = list(range(len(pairs)))
    margin = _NARROWEST
    while waiting:
        chosen = [pairs[at] for at in waiting]
        if counts and _cells(chosen, margin) > _MOST_CELLS:
            break
        counts.update(zip(waiting, _in_band(chosen, margin), strict=True))
        longest = max(max(len(pair.protein), len(pair.target)) for pair in chosen)
        if margin > longest:
            break
        waiting = [at for at in waiting if counts[at].score < pairs[at].score]
        margin *= 4
    return [counts[at] for at in range(len(pairs))]


def _width(pairs: Sequence[Pair], margin: int) -> int:
    return max(abs(len(pair.target) - len(pair.protein)) for pair in pairs) + 2 * margin + 1


def _cells(pairs: Sequence[Pair], margin: int) -> int:
    return max(len(pair.protein) for pair in pairs) * _width(pairs, margin) * len(pairs)


def _in_band(pairs: Sequence[Pair], margin: int) -> list[Counts]:
    """Counts along the best alignments in a band around the diagonals of the two ends."""
    width = _width(pairs, margin)
    lowest = [min(0, len(pair.target) - len(pair.protein)) - margin for pair in pairs]
    table = _table()
    gaps = Gaps(FIRST_OF_GAP << _SCORE_AT, NEXT_OF_GAP << _SCORE_AT)
    values = [
        best_in_band(
            numbers_of(pair.protein), numbers_of(pair.target), Band(low, width), table, gaps
        )
        for pair, low in zip(pairs, lowest, strict=True)
    ]
    return [
        Counts(
            value >> _SCORE_AT,
            (value >> _IDENTICAL_AT) & _COUNT,
            # Every column that is no pair takes one residue of one side.
            len(pair.protein) + len(pair.target) - (value & _COUNT),
        )
        for pair, value in zip(pairs, values, strict=True)
    ]


def numbers_of(letters: bytes) -> NDArray[np.uint8]:
    """Places of comparable residues among :data:`LETTERS`."""
    return np.frombuffer(letters.translate(_NUMBER_OF), np.uint8)


_NUMBER_OF: Final = bytes(max(LETTERS.find(chr(letter)), 0) for letter in range(256))


@cache
def _table() -> NDArray[np.int64]:
    """What a pair of residues adds, a row and a column for each letter and one beyond the end."""
    count = len(LETTERS)
    table = np.full((count + 1, count + 1), -20 << _SCORE_AT, np.int64)
    scores = substitution_scores(LETTERS)
    same = np.eye(count, dtype=np.int64)
    table[:count, :count] = (scores << _SCORE_AT) + (same << _IDENTICAL_AT) + 1
    table.flags.writeable = False
    return table
