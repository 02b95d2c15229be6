"""E-values of Smith-Waterman scores, corrected for composition.

Local alignment scores of unrelated proteins follow an extreme value distribution with parameters
lambda and K (Karlin & Altschul 1990, doi:10.1073/pnas.87.6.2264), measured for gapped alignments
with BLOSUM62 and gaps of 11 + length (Altschul & Gish 1996,
doi:10.1016/S0076-6879(96)66029-7). Two corrections keep odd compositions from looking like
homology:

* Substitution scores are fitted to the two proteins: the matrix has the pair frequencies that are
  closest to those behind BLOSUM62 and add up to both compositions (Yu & Altschul 2005,
  doi:10.1093/bioinformatics/bti070; for searches: Altschul et al. 2005,
  doi:10.1111/j.1742-4658.2005.04945.x). A first estimate, which is enough for hits beyond doubt,
  scales lambda to the compositions instead (Schaeffer et al. 2001, doi:10.1093/nar/29.14.2994).
* What the protein scores against the *reversed* entry beyond chance is taken off the score
  (Karplus, Barrett & Hughey 1998, doi:10.1093/bioinformatics/14.10.846): coiled coils, repeats
  and stretches of few residues score as well backwards, homologs do not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from genint.sources.similarity.alignment import fitted_scores, scores, substitution_scores

RESIDUES: Final = "ACDEFGHIKLMNPQRSTVWY"
GAPPED_LAMBDA: Final = 0.267
"""Nats per unit of score."""
GAPPED_K: Final = 0.041
_ALPHA: Final = 1.9
_BETA: Final = -30.0
"""Length of chance alignments: ``alpha / lambda * ln(K m n) + beta`` (Altschul et al. 2001,
doi:10.1093/nar/29.2.351)."""
_LEAST_RATIO: Final = 0.5
_NEWTON_STEPS: Final = 12
_BACKGROUND: Final = {
    # Robinson & Robinson 1991, doi:10.1073/pnas.88.20.8880.
    "A": 0.07805, "C": 0.01925, "D": 0.05364, "E": 0.06295, "F": 0.03856,
    "G": 0.07377, "H": 0.02199, "I": 0.05142, "K": 0.05744, "L": 0.09019,
    "M": 0.02243, "N": 0.04487, "P": 0.05203, "Q": 0.04264, "R": 0.05129,
    "S": 0.07120, "T": 0.05841, "V": 0.06441, "W": 0.01330, "Y": 0.03216,
}  # fmt: skip


def _columns() -> NDArray[np.uint8]:
    table = np.full(256, len(RESIDUES), np.uint8)
    table[list(RESIDUES.encode())] = np.arange(len(RESIDUES), dtype=np.uint8)
    table.flags.writeable = False
    return table


_COLUMN_OF: Final = _columns()


@cache
def _scores() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The distinct scores of the matrix; and for each a 20 x 20 array of where it occurs."""
    scores = substitution_scores(RESIDUES)
    distinct = np.unique(scores).astype(np.float64)
    return distinct, (scores[None] == distinct[:, None, None]).astype(np.float64)


def compositions(residues: NDArray[np.uint8], lengths: NDArray[np.int64]) -> NDArray[np.float64]:
    """Shares of the twenty residues in proteins that are concatenated.

    Args:
        residues: Upper-case ASCII.
        lengths: Of each protein; together those of ``residues``.

    Returns:
        A row for each protein; of one without any known residue the background.
    """
    rows = np.repeat(np.arange(len(lengths)), lengths) * (len(RESIDUES) + 1)
    counts = np.bincount(
        rows + _COLUMN_OF[residues], minlength=len(lengths) * (len(RESIDUES) + 1)
    ).reshape(len(lengths), -1)[:, : len(RESIDUES)]
    totals = counts.sum(axis=1, keepdims=True)
    return np.where(totals > 0, counts / np.maximum(totals, 1), background())


@cache
def background() -> NDArray[np.float64]:
    """Shares of the twenty residues in proteins at large."""
    shares = np.array([_BACKGROUND[letter] for letter in RESIDUES])
    shares /= shares.sum()
    shares.flags.writeable = False
    return shares


@cache
def _standard_lambda() -> float:
    return float(_ungapped_lambdas(background(), background()[None])[0])


def lambda_ratios(
    protein: NDArray[np.float64], entries: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Lambda between compositions, as share of that between usual ones.

    Args:
        protein: Composition of the protein searched.
        entries: A row for each entry.

    Returns:
        0.5 to 1: a composition never makes a score better.

    Cost: 0.1 ms for a hundred entries.
    """
    ratios = _ungapped_lambdas(protein, entries) / _standard_lambda()
    return np.clip(ratios, _LEAST_RATIO, 1.0)


def _ungapped_lambdas(
    protein: NDArray[np.float64], entries: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Solution of ``sum of p_i q_j exp(lambda s_ij) = 1`` for each entry, by Newton's method.

    Where chance scores would grow without end (the mean is not below zero), 0.
    """
    distinct, places = _scores()
    shares = entries @ np.einsum("i,sij->js", protein, places)
    mean = shares @ distinct
    lambdas = np.full(len(entries), 0.5)  # Beyond the solution: from there Newton converges.
    known = shares.sum(axis=1)
    for _ in range(_NEWTON_STEPS):
        terms = shares * np.exp(lambdas[:, None] * distinct)
        excess = terms.sum(axis=1) - known
        slope = terms @ distinct
        lambdas = np.where(slope > 0, lambdas - excess / np.where(slope > 0, slope, 1.0), 0.0)
    return np.where((mean < 0) & np.isfinite(lambdas), np.maximum(lambdas, 0.0), 0.0)


def search_space(protein_aa: int, residues: int, proteins: int) -> float:
    """Pairs of places at which a chance alignment could start, >= 1.

    Args:
        protein_aa: Length of the protein searched.
        residues: Of the whole reference.
        proteins: Of the whole reference.
    """
    length = 0.0
    for _ in range(20):
        pairs = max(protein_aa - length, 1.0) * max(residues - proteins * length, 1.0)
        wanted = _ALPHA / GAPPED_LAMBDA * math.log(max(GAPPED_K * pairs, 1.0)) + _BETA
        wanted = min(max(wanted, 0.0), protein_aa - 1.0, residues / max(proteins, 1) - 1.0)
        length = max((length + wanted) / 2, 0.0)
    return max(protein_aa - length, 1.0) * max(residues - proteins * length, 1.0)


def corrected(
    scores: NDArray[np.float64],
    backwards: NDArray[np.float64],
    protein_aa: int,
    entry_aa: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Scores less what the reversed entries score beyond chance, >= 0.

    Args:
        scores: Of a protein with several entries.
        backwards: Of the protein with the same entries reversed.
        protein_aa: Length of the protein.
        entry_aa: Lengths of the entries.

    Of what a reversed entry scores, the part beyond chance is taken off. Chance may go far
    (one pair in twenty goes further). Without it 0.6 % of reversed proteins have hits at
    E <= 1e-3, with it 0.05 %.
    """
    excess = np.maximum(backwards - beyond_chance(protein_aa, entry_aa), 0.0)
    less: NDArray[np.float64] = np.maximum(scores - excess, 0.0)
    return less


def beyond_chance(protein_aa: int, entry_aa: NDArray[np.int64]) -> NDArray[np.float64]:
    """The score that one pair in twenty of unrelated proteins of these lengths exceeds."""
    pairs = np.maximum(GAPPED_K * protein_aa * entry_aa.astype(np.float64), 1.0)
    score: NDArray[np.float64] = (np.log(pairs) + _CHANCE_NATS) / GAPPED_LAMBDA
    return score


_CHANCE_NATS: Final = 3.0


_SEARCH_K: Final = GAPPED_K / 3.5
"""K of a search as a whole: not every chance alignment shares seeds, and fitting the scores to
the composition costs more than it should. Of queries without homologs 5 to 12 % have a hit at
E <= 0.1, where 9.5 % should, and 0.2 % at 1e-3; see ``benchmarks/similarity.py``."""


def bits_of_scores(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scores in bits, to a hundredth."""
    return np.round((GAPPED_LAMBDA * scores - math.log(_SEARCH_K)) / math.log(2), 2)


def evalue(score_bits: float, space: float) -> float:
    """Expected chance hits with a score like this, to three digits."""
    return float(f"{space * 2.0**-score_bits:.3g}")


UNGAPPED_LAMBDA: Final = 0.3176
"""Nats per unit of score, of alignments without gaps."""
_PSEUDOCOUNTS: Final = 20
"""Residues of usual composition that are added to each protein, so that the composition of a
short one does not count too much."""
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
    """How much more often residues are paired in homologs than by chance, at usual composition."""
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
        bits: Estimated score of the alignment, corrected, in bits.
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
        search_space(len(letters), residues, proteins),
        compositions(np.frombuffer(letters, np.uint8), np.array([len(letters)]))[0],
    )


def estimate(
    protein: Query,
    stretches: Sequence[bytes],
    whole: Callable[[int], bytes],
    most_evalue: float,
    *,
    first: int | None = None,
) -> Estimates:
    """Those of several entries whose E-value may be so low, with estimates.

    Args:
        protein: That is searched.
        stretches: Of the entries, most promising first, what is aligned at first; those alone
            whose stretch is promising are looked at as a whole.
        whole: All residues of an entry, by its place among the stretches.
        most_evalue: That is asked for.
        first: Where none of so many is promising, the others are taken to be none either; all
            are looked at where it is not given.

    Cost: see :func:`genint.sources.similarity.alignment.scores`; twice that for the promising.
    """
    least_bits = math.log2(protein.space / (most_evalue * _GAIN))
    raw = scores(protein.letters, stretches[:first]).astype(np.float64)
    promising = np.flatnonzero(bits_of_scores(raw) >= least_bits)
    if len(promising) and len(raw) < len(stretches):
        others = scores(protein.letters, stretches[first:]).astype(np.float64)
        raw = np.concatenate([raw, others])
        promising = np.flatnonzero(bits_of_scores(raw) >= least_bits)
    if not len(promising):
        return Estimates(promising, [], np.zeros((0, 0)), np.zeros(0), np.zeros(0))
    chosen = [whole(int(at)) for at in promising]
    raw = raw[promising]
    cut = [at for at, of in enumerate(promising) if len(chosen[at]) > len(stretches[int(of)])]
    if cut:
        raw[cut] = scores(protein.letters, [chosen[at] for at in cut])
    lengths = np.array([len(target) for target in chosen], np.int64)
    shares = compositions(np.frombuffer(b"".join(chosen), np.uint8), lengths)
    ratios = lambda_ratios(protein.shares, shares)
    backwards = scores(protein.letters, [target[::-1] for target in chosen]).astype(np.float64)
    fitted = corrected(raw * ratios, backwards * ratios, len(protein.letters), lengths)
    found = Estimates(promising, chosen, shares, backwards, bits_of_scores(fitted))
    return found.part([int(at) for at in np.argsort(-found.bits, kind="stable")])


def adjusted_bits(protein: Query, estimates: Estimates) -> NDArray[np.float64]:
    """Corrected scores in bits: the estimate where it leaves no doubt.

    Cost: for each in doubt 0.2 ms and 5 ns for each pair of residues.
    """
    bits = estimates.bits.copy()
    doubtful = np.flatnonzero(bits < math.log2(protein.space / _SURE_EVALUE))
    if len(doubtful):
        bits[doubtful] = _fitted_bits(protein, estimates.part([int(at) for at in doubtful]))
    return bits


def _fitted_bits(protein: Query, estimates: Estimates) -> NDArray[np.float64]:
    """Bits with substitution scores that fit both proteins."""
    letters = protein.letters
    lengths = np.array([len(target) for target in estimates.targets], np.int64)
    fitting = fitting_scores(
        smoothed(protein.shares[None], np.array([len(letters)]))[0],
        smoothed(estimates.shares, lengths),
    )
    suspect = estimates.backwards > _SUSPECT * beyond_chance(len(letters), lengths)
    forward, backwards = np.zeros((2, len(lengths)))
    for at, (target, matrix) in enumerate(zip(estimates.targets, fitting, strict=True)):
        # Side by side the two cost no more than one of them.
        both = [target, target[::-1]] if suspect[at] else [target]
        forward[at], *turned = fitted_scores(letters, both, matrix, RESIDUES)
        backwards[at] = turned[0] if turned else 0.0
    return bits_of_scores(corrected(forward, backwards, len(letters), lengths))
