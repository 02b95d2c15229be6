"""Clusters of similar proteins: greedy, the longest first.

Each protein, in the order of length, joins a representative that it is similar enough to, else
it becomes one itself (Li & Godzik 2006, doi:10.1093/bioinformatics/btl158). It is aligned with
no more than the few representatives that share most of its words of three residues, so that the
cost of a protein does not grow with the alignments of all others. The outcome does not depend
on the order in which proteins are given.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from genint.errors import UsageError
from genint.knowledge.protein_index import comparable
from genint.sources.similarity.alignment import LETTERS, align, numbers_of, scores

LEAST_IDENTITY: Final = 0.4
LEAST_COVERAGE: Final = 0.8
MOST_EVALUE: Final = 1e-3
_WORD: Final = 3
"""Residues. Proteins of 200 residues share 5 such words by chance, at 40 % identity some 17."""
_LEAST_WORDS: Final = 2
_MOST_CANDIDATES: Final = 16
_LAMBDA: Final = 0.267
_K: Final = 0.041
"""Of scores of alignments with gaps (BLOSUM62, 11 + length): Altschul et al. 1997,
doi:10.1093/nar/25.17.3389."""


class Limits(NamedTuple):
    """How similar the proteins of a cluster are to its representative.

    Attributes:
        identity: Least share of identical positions of the alignment, gaps counted, 0..1.
        coverage: Least share of each of the two proteins that the alignment spans, 0..1.
        evalue: Most alignments of such a score that are expected by chance among all proteins.
    """

    identity: float = LEAST_IDENTITY
    coverage: float = LEAST_COVERAGE
    evalue: float = MOST_EVALUE


class Member(NamedTuple):
    """A protein in its cluster.

    Attributes:
        representative: Position of the cluster's representative among the proteins.
        identity: With it, 0..1; 1 for the representative itself.
        coverage: The smaller of the shares of the two that are aligned, 0..1.
    """

    representative: int
    identity: float
    coverage: float


USUAL_LIMITS: Final = Limits()


def cluster_proteins(proteins: Sequence[str], limits: Limits = USUAL_LIMITS) -> tuple[Member, ...]:
    """Put each protein into a cluster.

    Args:
        proteins: Residues; whatever is no residue is compared as X.
        limits: Of similarity.

    Returns:
        For each protein its cluster, in the same order. Proteins with the same residues are in
        one; of these the first given is called the representative.

    Raises:
        UsageError: a limit is out of range.

    Cost: 2 ms for a protein of 200 residues, and 5 kB, among up to 10,000 clusters.
    """
    if not (0 < limits.identity <= 1 and 0 < limits.coverage <= 1 and limits.evalue > 0):
        raise UsageError("identity and coverage are shares above 0 and up to 1, E-values above 0")
    first: dict[bytes, int] = {}
    letters = [comparable(residues) for residues in proteins]
    for at, one in enumerate(letters):
        first.setdefault(one, at)
    clusters = _Clusters(limits, sum(map(len, first)))
    found = {one: clusters.place(one, first[one]) for one in sorted(first, key=_longest_first)}
    return tuple(found[one] for one in letters)


def _longest_first(letters: bytes) -> tuple[int, bytes]:
    return -len(letters), letters


@dataclass(slots=True)
class _Clusters:
    """The representatives so far, and which of them have a word."""

    limits: Limits
    residues: int
    """Of all proteins, for E-values."""
    letters: list[bytes] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    """Positions of the representatives among all proteins."""
    lengths: array[int] = field(default_factory=lambda: array("q"))
    having: dict[int, array[int]] = field(default_factory=dict)
    """Word -> representatives."""

    def place(self, letters: bytes, number: int) -> Member:
        """The cluster of a protein, no longer than any before; one of its own if none fits."""
        words = _words(letters)
        for candidate in self._candidates(letters, words):
            if (member := self._compared(letters, candidate)) is not None:
                return member
        for word in words:
            self.having.setdefault(int(word), array("q")).append(len(self.letters))
        self.letters.append(letters)
        self.numbers.append(number)
        self.lengths.append(len(letters))
        return Member(number, 1.0, 1.0)

    def _candidates(self, letters: bytes, words: NDArray[np.int64]) -> Iterator[int]:
        """Representatives worth an alignment, those with most shared words first."""
        lists = [found for word in words if (found := self.having.get(int(word))) is not None]
        if not lists:
            return
        # np.array copies: an array that numpy looks into could not grow
        shared = np.bincount(np.concatenate([np.array(one) for one in lists]))
        shared[np.array(self.lengths[: len(shared)]) * self.limits.coverage > len(letters)] = 0
        best = np.argsort(-shared, kind="stable")[:_MOST_CANDIDATES]
        chosen = [int(at) for at in best if shared[at] >= _LEAST_WORDS]
        for few in (chosen[:1], chosen[1:]):  # mostly the first is the one
            if not few:
                return
            best_scores = scores(letters, [self.letters[at] for at in few])
            for at, score in zip(few, best_scores, strict=True):
                if self._evalue(len(letters), float(score)) <= self.limits.evalue:
                    yield at

    def _evalue(self, length_aa: int, score: float) -> float:
        return _K * length_aa * self.residues * math.exp(-_LAMBDA * score)

    def _compared(self, letters: bytes, candidate: int) -> Member | None:
        """The protein as a member of a representative's cluster, if it is similar enough."""
        target = self.letters[candidate]
        found = align(letters, target)
        own = (found.protein_to - found.protein_from) / len(letters)
        theirs = (found.target_to - found.target_from) / len(target)
        coverage = min(own, theirs)
        if found.identity < self.limits.identity or coverage < self.limits.coverage:
            return None
        return Member(self.numbers[candidate], found.identity, coverage)


def _words(letters: bytes) -> NDArray[np.int64]:
    """The words of a protein as numbers, each once."""
    codes = numbers_of(letters).astype(np.int64)
    if len(codes) < _WORD:
        return np.empty(0, np.int64)
    base = len(LETTERS)
    return np.unique((codes[:-2] * base + codes[1:-1]) * base + codes[2:])
