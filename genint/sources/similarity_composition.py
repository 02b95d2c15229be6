"""Substitution scores that fit what two proteins are made of.

Scores are logarithms of how much more often two residues are paired in kin than by chance.
What chance does depends on the composition of the two proteins; so does, a little, what kin
do. The matrix for a pair of proteins has the pair frequencies that are closest to those
behind BLOSUM62 and add up to both compositions (Yu & Altschul 2005,
doi:10.1093/bioinformatics/bti070; for searches: Altschul et al. 2005,
doi:10.1111/j.1742-4658.2005.04945.x). With it the published statistics hold for proteins of
any composition; with a lambda that is scaled instead, kin of odd composition are lost.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from genint.sources.similarity_alignment import substitution_scores
from genint.sources.similarity_statistics import RESIDUES, background

if TYPE_CHECKING:
    from numpy.typing import NDArray

UNGAPPED_LAMBDA: Final = 0.3176
"""Nats per unit of score, of alignments without gaps."""
_PSEUDOCOUNTS: Final = 20
"""Residues of usual composition that are added to each protein, so that the composition of a
short one is not taken at its word."""
_ROUNDS: Final = 15
"""Of fitting to one composition, then the other: the error is below 0.01 units of score."""


def smoothed(shares: NDArray[np.float64], lengths: NDArray[np.int64]) -> NDArray[np.float64]:
    """Compositions with the pseudocounts, all above zero.

    Args:
        shares: A row for each protein.
        lengths: Their residues.
    """
    counted = shares * lengths[:, None] + _PSEUDOCOUNTS * background()
    smooth: NDArray[np.float64] = counted / counted.sum(axis=1, keepdims=True)
    return smooth


@cache
def _odds() -> NDArray[np.float64]:
    """How much more often residues are paired in kin than by chance, at usual composition."""
    odds: NDArray[np.float64] = np.exp(UNGAPPED_LAMBDA * substitution_scores(RESIDUES))
    odds.flags.writeable = False
    return odds


def fitting_scores(
    protein: NDArray[np.float64], entries: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Substitution scores between a protein and each entry, in units of BLOSUM62.

    Args:
        protein: Its composition, all above zero.
        entries: A row for each entry, all above zero.

    Returns:
        For each entry a 20 x 20 array, a row for each residue of the protein.

    The pair frequencies are ``p_i a_i exp(lambda s_ij) b_j q_j``; the factors ``a`` and ``b``
    come from fitting to one composition and the other in turn (Sinkhorn 1967,
    doi:10.1080/00029890.1967.11999992).

    Cost: 20 us an entry.
    """
    odds = _odds()
    weighted = odds * protein[:, None]
    theirs = np.ones_like(entries)
    ours = np.ones_like(entries)
    for _ in range(_ROUNDS):
        ours = 1.0 / ((entries * theirs) @ odds.T)
        theirs = 1.0 / (ours @ weighted)
    scores: NDArray[np.float64] = (
        np.log(odds) + np.log(ours)[:, :, None] + np.log(theirs)[:, None, :]
    ) / UNGAPPED_LAMBDA
    return scores
