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
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
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

PREFILTER_VERSION: Final = 6
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


OWN_FAMILIES: Final = Prefilter(
    odds=_Limits(6.3, 0.04, 8.5),
    ungapped=_Limits(18.0, 0.12, 40.0),
    sure=_Limits(25.0, 0.6, math.inf),
    gapped=_Limits(7.0, 0.55, math.inf),
)
"""For families with thresholds of their own, many of them far above 25 bits."""
PFAM_FAMILIES: Final = Prefilter(
    odds=_Limits(6.7, 0.03, 8.5),
    ungapped=_Limits(16.5, 0.12, 40.0),
    sure=_Limits(25.0, 0.6, math.inf),
    gapped=_Limits(-2.0, 0.4, math.inf),
)
"""For families whose members are far relatives; thresholds are low."""
_USUAL_CELLS_BITS: Final = 16


class Candidates(NamedTuple):
    """A family and the proteins that may belong to it.

    Attributes:
        family: Its place in the pack.
        proteins: Their places, ascending.
    """

    family: int
    proteins: tuple[int, ...]


def candidates(
    index: FamilyIndex,
    proteins: Sequence[str],
    by: Prefilter = OWN_FAMILIES,
    *,
    is_cancelled: Callable[[], bool] | None = None,
    threads: int = 1,
) -> tuple[Candidates, ...]:
    """The pairs that profiles have to judge, by family.

    Args:
        index: The families.
        proteins: Residues in upper case; whatever is no residue is like none.
        by: What a pair needs.
        is_cancelled: Called now and then.
        threads: For what is done without the interpreter's lock.

    Raises:
        WorkCancelled: ``is_cancelled`` returned true.

    Cost: see :func:`genint.native.prefilter.ungapped_pairs`, and as much again for alignments with
    gaps; memory some 100 MB for 200,000 residues.
    """
    cancelled = is_cancelled or (lambda: False)
    pairs = _alike_without_gaps(index, proteins, by, cancelled, threads)
    kept = _alike_with_gaps(index, proteins, pairs, by.gapped, cancelled)
    families: dict[int, list[int]] = {}
    for protein, family in kept:
        families.setdefault(family, []).append(protein)
    return tuple(Candidates(family, tuple(sorted(families[family]))) for family in sorted(families))


def _alike_without_gaps(
    index: FamilyIndex,
    proteins: Sequence[str],
    by: Prefilter,
    is_cancelled: Callable[[], bool],
    threads: int,
) -> Pairs:
    """Pairs with a good alignment without gaps through a word that they share."""
    text = Proteins(proteins)
    families = _families(index, by)
    offsets = families.offsets
    every = np.arange(0, int(offsets[-1]) + _POSITIONS_AT_ONCE, _POSITIONS_AT_ONCE)
    cuts = np.unique(np.searchsorted(offsets, every).clip(max=len(index.lengths)))

    def pairs_of(some: tuple[int, int]) -> Pairs:
        if is_cancelled():
            raise WorkCancelled("the profile search was cancelled")
        return ungapped_pairs(families, text, *some)

    found = side_by_side(pairs_of, list(pairwise(cuts.tolist())), threads)
    if not found:
        return Pairs(np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0, np.bool_))
    return Pairs(*(np.concatenate(columns) for columns in zip(*found, strict=True)))


def side_by_side(work: Callable[[Given], Made], parts: Sequence[Given], threads: int) -> list[Made]:
    """What is made of each part, in their order, by so many threads."""
    if threads == 1:
        return [work(part) for part in parts]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, parts))


def _families(index: FamilyIndex, by: Prefilter) -> Families:
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


def _alike_with_gaps(
    index: FamilyIndex,
    proteins: Sequence[str],
    pairs: Pairs,
    least: _Limits,
    is_cancelled: Callable[[], bool],
) -> Iterator[tuple[int, int]]:
    """Pairs with a good alignment to the columns of the family."""
    aligner = _aligner()
    needed = least.of(index.thresholds) + np.log2(index.lengths)
    every = _columns(index)
    yield from zip(
        pairs.proteins[pairs.are_sure].tolist(),
        pairs.families[pairs.are_sure].tolist(),
        strict=True,
    )
    unsure = ~pairs.are_sure
    order = np.argsort(pairs.proteins[unsure], kind="stable")
    numbers, firsts = np.unique(pairs.proteins[unsure][order], return_index=True)
    if not len(numbers):
        return
    by_protein = np.split(pairs.families[unsure][order], firsts[1:])
    for protein, its in zip(numbers.tolist(), by_protein, strict=True):
        if is_cancelled():
            raise WorkCancelled("the profile search was cancelled")
        letters = proteins[protein].encode("ascii", "replace").translate(_QUERY_LETTERS)
        # The aligner takes many at once: the longest first, none is left alone at the end.
        families = its[np.argsort(-index.lengths[its], kind="stable")]
        some = every.extract(families.tolist())
        # The other way to deal with scores above a byte loses memory with each call.
        hits = aligner.align(letters, some, overflow="simple")
        bits = np.array([hit.score for hit in hits]) / STEPS_PER_BIT
        good = bits >= needed[families] + np.log2(len(letters))
        yield from ((protein, family) for family in families[good].tolist())


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
