"""Smith-Waterman alignments of one protein with many, vectorised across them.

Sources: Smith & Waterman 1981, doi:10.1016/0022-2836(81)90087-5; one alignment in each lane
of the vector unit: Rognes 2011, doi:10.1186/1471-2105-12-221; the library (Opal): Korpar et
al. 2015, doi:10.1371/journal.pone.0145857. (Farrar 2007, doi:10.1093/bioinformatics/btl582,
puts one alignment across the lanes instead.)
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import pyopal
from scoring_matrices.lib import ScoringMatrix

if TYPE_CHECKING:
    from numpy.typing import NDArray

FIRST_OF_GAP: Final = 12
"""What the first residue of a gap costs: 11 to open it and 1 for the residue."""
NEXT_OF_GAP: Final = 1
_PARTS: Final = 8
"""Of a unit of score, where substitution scores are no whole numbers."""


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
    results = _aligner().align(protein, pyopal.Database(targets))
    return np.array([result.score for result in results], np.int64)


def ends(protein: bytes, targets: Sequence[bytes]) -> list[Ends]:
    """Score and ends of the best alignment of a protein with each target.

    Where several alignments score the same, the ends may be those of different ones: see
    ``score`` of what is counted between them.

    Cost: as two calls of :func:`scores`.
    """
    forward = _aligner().align(protein, pyopal.Database(targets), mode="end")
    beginnings = [
        target[: result.target_end + 1][::-1]
        for target, result in zip(targets, forward, strict=True)
    ]
    backward = _aligner().align(protein[::-1], pyopal.Database(beginnings), mode="end")
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
    (result,) = _aligner().align(protein, pyopal.Database([target]), mode="full")
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


def fitted_score(
    protein: bytes, target: bytes, fitted: NDArray[np.float64], residues: str
) -> float:
    """Smith-Waterman score with substitution scores of one's own, to an eighth.

    Args:
        protein: Upper-case ASCII.
        target: The same.
        fitted: Scores between the residues, a row for each of the protein's.
        residues: What its rows and columns stand for; other letters score as usual.

    Cost: 0.1 ms and 5 ns for each pair of residues.
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
    (result,) = aligner.align(protein, pyopal.Database([target]))
    return float(result.score) / _PARTS
