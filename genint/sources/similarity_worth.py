"""What the alignments of one protein with several entries are worth.

A first estimate takes Smith-Waterman scores of many entries at once, with lambda scaled to
the compositions. Where it leaves doubt, the entry is scored again with substitution scores
that fit the two proteins.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from genint.sources import similarity_statistics as statistics
from genint.sources.similarity_alignment import fitted_score, scores
from genint.sources.similarity_composition import fitting_scores, smoothed

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SURE_EVALUE: Final = 1e-20
"""Up to which an estimate counts."""
_GAIN: Final = 10.0
"""So many times better than with the usual scores an E-value becomes at most with fitted ones:
3 % of those at the limit gain more."""
_SUSPECT: Final = 0.8
"""Where a reversed entry scores so much of what is beyond chance, it is scored again too."""


class Query(NamedTuple):
    """A protein that is searched.

    Attributes:
        letters: Comparable residues.
        space: Pairs of places at which a chance alignment could start.
        shares: Its composition.
    """

    letters: bytes
    space: float
    shares: NDArray[np.float64]


class Estimates(NamedTuple):
    """Entries that may be alike, most promising first.

    Attributes:
        at: Which of the entries given.
        targets: Their residues.
        shares: Their compositions.
        backwards: What the protein scores with them reversed.
        bits: The estimate of what the alignment is worth.
    """

    at: NDArray[np.int64]
    targets: list[bytes]
    shares: NDArray[np.float64]
    backwards: NDArray[np.float64]
    bits: NDArray[np.float64]

    def part(self, chosen: Sequence[int]) -> Estimates:
        """Those of some of the entries."""
        return Estimates(
            self.at[chosen],
            [self.targets[number] for number in chosen],
            self.shares[chosen],
            self.backwards[chosen],
            self.bits[chosen],
        )


def query(letters: bytes, residues: int, proteins: int) -> Query:
    """A protein, for searching a reference of so many residues and proteins."""
    return Query(
        letters,
        statistics.search_space(len(letters), residues, proteins),
        statistics.compositions(np.frombuffer(letters, np.uint8), np.array([len(letters)]))[0],
    )


def estimate(protein: Query, targets: Sequence[bytes], most_evalue: float) -> Estimates:
    """Those of the targets whose E-value may be so low, with estimates.

    Cost: see :func:`genint.sources.similarity_alignment.scores`; twice that for the promising.
    """
    raw = scores(protein.letters, targets).astype(np.float64)
    least_bits = math.log2(protein.space / (most_evalue * _GAIN))
    promising = np.flatnonzero(statistics.bits(raw) >= least_bits)
    if not len(promising):
        return Estimates(promising, [], np.zeros((0, 0)), np.zeros(0), np.zeros(0))
    chosen = [targets[int(at)] for at in promising]
    lengths = np.array([len(target) for target in chosen], np.int64)
    shares = statistics.compositions(np.frombuffer(b"".join(chosen), np.uint8), lengths)
    ratios = statistics.lambda_ratios(protein.shares, shares)
    backwards = scores(protein.letters, [target[::-1] for target in chosen]).astype(np.float64)
    worth = statistics.corrected(
        raw[promising] * ratios, backwards * ratios, len(protein.letters), lengths
    )
    found = Estimates(promising, chosen, shares, backwards, statistics.bits(worth))
    return found.part([int(at) for at in np.argsort(-found.bits, kind="stable")])


def bits(protein: Query, estimates: Estimates) -> NDArray[np.float64]:
    """What the alignments are worth, in bits: the estimate where it leaves no doubt.

    Cost: for each in doubt 0.2 ms and 5 ns for each pair of residues.
    """
    worth = estimates.bits.copy()
    doubtful = np.flatnonzero(worth < math.log2(protein.space / _SURE_EVALUE))
    if len(doubtful):
        worth[doubtful] = _fitted_bits(protein, estimates.part([int(at) for at in doubtful]))
    return worth


def _fitted_bits(protein: Query, estimates: Estimates) -> NDArray[np.float64]:
    """Bits with substitution scores that fit both proteins."""
    letters = protein.letters
    lengths = np.array([len(target) for target in estimates.targets], np.int64)
    fitting = fitting_scores(
        smoothed(protein.shares[None], np.array([len(letters)]))[0],
        smoothed(estimates.shares, lengths),
    )
    suspect = estimates.backwards > _SUSPECT * statistics.beyond_chance(len(letters), lengths)
    forward = np.array(
        [
            fitted_score(letters, target, matrix, statistics.RESIDUES)
            for target, matrix in zip(estimates.targets, fitting, strict=True)
        ]
    )
    backwards = np.array(
        [
            fitted_score(letters, target[::-1], matrix, statistics.RESIDUES) if odd else 0.0
            for target, matrix, odd in zip(estimates.targets, fitting, suspect, strict=True)
        ]
    )
    return statistics.bits(statistics.corrected(forward, backwards, len(letters), lengths))
