"""Which families may a protein belong to? Profiles judge only these.

Ever fewer pairs of a protein and a family are looked at ever closer: those that share a word and
have a good alignment without gaps around it (:mod:`genint.native.prefilter`), and those whose
alignment with gaps to the columns of the family scores enough. Whether a family is a candidate for
a protein depends on these two alone. How much is lost was measured:
``benchmarks/search/prefilter.py``.

Alignment to an alphabet of columns: Remmert et al. 2012, doi:10.1038/nmeth.1818.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final, NamedTuple, TypeVar

import numpy as np
import pyopal
from numpy.typing import NDArray
from scoring_matrices.lib import ScoringMatrix

from genint.errors import WorkCancelled
from genint.knowledge.column_kinds import LETTERS, STEPS_PER_BIT, background, kind_scores
from genint.knowledge.family_index import FamilyIndex
from genint.native.prefilter import (
    RESIDUES,
    Background,
    Families,
    Pairs,
    Proteins,
    ungapped_pairs,
)

Given = TypeVar("Given")
Made = TypeVar("Made")

PREFILTER_VERSION: Final = 7
"""Raised with every change by which a protein may have other candidates."""

_POSITIONS_AT_ONCE: Final = 1 << 18
"""Of families, between two looks at whether the search was cancelled: a second for the largest
chunk of proteins."""
_GAP_OPEN: Final = 16
_GAP_EXTENSION: Final = 3

_WEAKEST_BITS: Final = 25.0
"""Threshold of the families that need least."""


class _Limits(NamedTuple):
    """What a pair needs: for the weakest families, for each bit above, and at most; bits."""

    least: float
    for_each_bit: float
    most: float

    def of(self, thresholds: NDArray[np.float64]) -> NDArray[np.float64]:
        """For families with these thresholds, bits."""
        above = np.maximum(thresholds - _WEAKEST_BITS, 0)
        return np.minimum(self.least + self.for_each_bit * above, self.most)


class Prefilter(NamedTuple):
    """What a pair needs to be judged by a profile.

    Attributes:
        odds: Of a word, how many times as often a member has it as any protein; binary logarithm.
            No other choice of as many words finds as many members.
        ungapped: What an alignment without gaps needs, for a protein and a family of 256 residues;
            half a bit more where the product of their lengths is twice as large.
        sure: Without gaps, from which no alignment with gaps is needed.
        gapped: What an alignment with gaps needs; one bit more where protein or family is twice as
            long.
    """

    odds: _Limits
    ungapped: _Limits
    sure: _Limits
    gapped: _Limits


PHAGE_FAMILIES: Final = Prefilter(
    odds=_Limits(6.5, 0.04, 8.5),
    ungapped=_Limits(19.0, 0.12, 40.0),
    sure=_Limits(25.0, 0.6, math.inf),
    gapped=_Limits(7.5, 0.55, math.inf),
)
"""For families with thresholds of their own, many of them far above 25 bits."""
BACTERIAL_FAMILIES: Final = PHAGE_FAMILIES._replace(
    odds=_Limits(7.0, 0.04, 8.5), ungapped=_Limits(20.0, 0.12, 40.0)
)
"""The same for families whose members change less."""
PFAM_FAMILIES: Final = Prefilter(
    odds=_Limits(6.7, 0.03, 8.5),
    ungapped=_Limits(18.5, 0.12, 40.0),
    sure=_Limits(25.0, 0.6, math.inf),
    gapped=_Limits(-2.0, 0.4, math.inf),
)
"""For families whose members are far relatives; thresholds are low."""
_USUAL_CELLS_BITS: Final = 16
_UNGAPPED_SHARE: Final = 0.1
_GAPPED_SHARE: Final = 0.35
"""Of the bits that a hit of a family needs, the shares that its alignments have in any case. Of 57
such hits in twelve phages all have 0.18 and more without gaps, 0.52 and more with gaps."""


class Candidates(NamedTuple):
    """A family and the proteins that may belong to it.

    Attributes:
        family: Its place in the pack.
        proteins: Their places, ascending.
    """

    family: int
    proteins: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FamilyFilter:
    """Chooses the families of an index that proteins may belong to.

    Attributes:
        index: The families.
        by: What a pair of a protein and a family needs.
    """

    index: FamilyIndex
    by: Prefilter = PHAGE_FAMILIES

    def alike(
        self,
        proteins: Sequence[str],
        *,
        is_cancelled: Callable[[], bool] | None = None,
        threads: int = 1,
    ) -> Pairs:
        """Pairs with a good alignment without gaps through a word that they share.

        Args:
            proteins: Residues in upper case; whatever is no residue is like none.
            is_cancelled: Called now and then.
            threads: That compare; they need no lock of the interpreter.

        Raises:
            WorkCancelled: ``is_cancelled`` returned true.

        Cost: see :func:`genint.native.prefilter.ungapped_pairs`.
        """
        cancelled = is_cancelled or (lambda: False)
        text = Proteins(proteins)
        families = self._families()
        offsets = families.offsets
        every = np.arange(0, int(offsets[-1]) + _POSITIONS_AT_ONCE, _POSITIONS_AT_ONCE)
        cuts = np.unique(np.searchsorted(offsets, every).clip(max=len(self.index.lengths)))

        def pairs_of(some: tuple[int, int]) -> Pairs:
            if cancelled():
                raise WorkCancelled("the profile search was cancelled")
            return ungapped_pairs(families, text, *some)

        found = side_by_side(pairs_of, list(pairwise(cuts.tolist())), threads)
        if not found:
            return Pairs.room_for(0)
        return Pairs(*(np.concatenate(columns) for columns in zip(*found, strict=True)))

    def candidates(
        self,
        proteins: Sequence[str],
        pairs: Pairs,
        least_bits: NDArray[np.float64] | None = None,
        *,
        is_cancelled: Callable[[], bool] | None = None,
    ) -> tuple[Candidates, ...]:
        """The pairs that profiles have to judge, by family.

        Args:
            proteins: As they were compared.
            pairs: That are alike without gaps; those with a good alignment with gaps are kept.
            least_bits: For each protein what a hit of a family needs besides its threshold.
            is_cancelled: Called for each protein.

        Raises:
            WorkCancelled: ``is_cancelled`` returned true.

        Cost: 25 microseconds a pair.
        """
        least = np.zeros(len(proteins)) if least_bits is None else least_bits
        least = least[pairs.proteins]
        may = pairs.scores >= _UNGAPPED_SHARE * self.index.profiles.steps_per_bit * least
        kept = may & pairs.are_sure & (least == 0)
        unsure = np.flatnonzero(may & ~kept)
        needed = np.where(pairs.are_sure, -np.inf, self._needed_bits(proteins, pairs))
        needed = np.maximum(needed, np.where(least, _GAPPED_SHARE * least, -np.inf))
        bits = _gapped_bits(
            self.index, proteins, pairs.where(unsure), is_cancelled or (lambda: False)
        )
        kept[unsure] = bits >= needed[unsure]
        if not kept.any():
            return ()
        families, firsts = np.unique(pairs.families[kept], return_index=True)
        of_families = np.split(pairs.proteins[kept], firsts[1:])
        return tuple(
            Candidates(family, tuple(numbers.tolist()))
            for family, numbers in zip(families.tolist(), of_families, strict=True)
        )

    def _families(self) -> Families:
        index, by = self.index, self.by
        half_log_lengths = (np.log2(np.maximum(index.lengths, 1)) - _USUAL_CELLS_BITS) / 2
        return Families(
            emissions=index.profiles.emissions,
            offsets=index.profiles.offsets,
            steps_per_bit=index.profiles.steps_per_bit,
            background=Background(tuple(background().tolist())),
            least_odds_bits=by.odds.of(index.thresholds),
            least_bits=by.ungapped.of(index.thresholds) + half_log_lengths,
            sure_bits=by.sure.of(index.thresholds),
        )

    def _needed_bits(self, proteins: Sequence[str], pairs: Pairs) -> NDArray[np.float64]:
        """What the alignment with gaps of each pair needs."""
        of_families = self.by.gapped.of(self.index.thresholds) + np.log2(self.index.lengths)
        of_proteins = np.log2([max(1, len(residues)) for residues in proteins])
        needed: NDArray[np.float64] = of_families[pairs.families] + of_proteins[pairs.proteins]
        return needed


def are_nearest(pairs: Pairs) -> NDArray[np.bool_]:
    """Of pairs, whether it is the family that is most like the protein, the first where several."""
    order = np.lexsort((pairs.families, -pairs.scores, pairs.proteins))
    _, firsts = np.unique(pairs.proteins[order], return_index=True)
    nearest = np.zeros(len(order), np.bool_)
    nearest[order[firsts]] = True
    return nearest


def side_by_side(work: Callable[[Given], Made], parts: Sequence[Given], threads: int) -> list[Made]:
    """What is made of each part, in their order, by so many threads."""
    if threads == 1:
        return [work(part) for part in parts]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, parts))


def _gapped_bits(
    index: FamilyIndex,
    proteins: Sequence[str],
    pairs: Pairs,
    is_cancelled: Callable[[], bool],
) -> NDArray[np.float64]:
    """Scores of pairs: proteins aligned to the columns of families."""
    aligner, every = _aligner(), _columns(index)
    bits = np.zeros(len(pairs.families))
    # By protein. The aligner takes many families at once: the longest first, none is left alone.
    order = np.lexsort((-index.lengths[pairs.families], pairs.proteins))
    numbers, firsts = np.unique(pairs.proteins[order], return_index=True)
    for protein, its in zip(numbers.tolist(), np.split(order, firsts[1:]), strict=False):
        if is_cancelled():
            raise WorkCancelled("the profile search was cancelled")
        letters = proteins[protein].encode("ascii", "replace").translate(_QUERY_LETTERS)
        some = every.extract(pairs.families[its].tolist())
        # The other way to deal with scores above a byte loses memory with each call.
        hits = aligner.align(letters, some, overflow="simple")
        bits[its] = [hit.score for hit in hits]
    return bits / STEPS_PER_BIT


@lru_cache(maxsize=6)
def _columns(index: FamilyIndex) -> pyopal.Database:
    """The columns of families as what proteins are aligned to; 1 MB for a million positions."""
    columns = index.columns.tobytes()
    offsets = index.profiles.offsets.tolist()
    return pyopal.Database(
        [columns[first:behind] for first, behind in pairwise(offsets)],
        alphabet=_aligner().alphabet,
    )


_QUERY_LETTERS: Final = bytes(
    letter if letter in RESIDUES.encode() else ord(LETTERS[len(RESIDUES)]) for letter in range(256)
)
"""Residues as they are; the letter behind theirs stands for whatever else."""


@cache
def _aligner() -> pyopal.Aligner:
    """Aligns residues (as rows of its table) to kinds of columns."""
    least = -4 * STEPS_PER_BIT
    table = np.full((len(LETTERS), len(LETTERS)), least, np.int32)
    table[: len(RESIDUES)] = kind_scores().T
    matrix = ScoringMatrix(table.tolist(), alphabet=LETTERS)
    return pyopal.Aligner(matrix, gap_open=_GAP_OPEN, gap_extend=_GAP_EXTENSION)
