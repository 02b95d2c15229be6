"""Prefilter of the similarity search: proteins of a reference that share seeds with a protein.

Ever fewer of the shared seeds are looked at ever closer: how many of eight residues beside are
of the same group (where the index has them), how many of 32 around (on whole machine words,
a hundred thousand in 5 ms), what the best diagonals score without gaps, and, where there are no
close homologs, what an alignment with gaps scores around them.

Aligning without gaps from a seed: Altschul et al. 1990, doi:10.1016/S0022-2836(05)80360-2;
ranking by it before any gapped alignment: Buchfink, Xie & Huson 2015,
doi:10.1038/nmeth.3176.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from genint.knowledge.protein_index import (
    END_CODE,
    FAR,
    LETTER_OF,
    PADDING,
    WIDE,
    ProteinIndex,
    SeedTable,
    alike_beside,
    encode,
    seed_words,
    surroundings,
)
from genint.native.similarity import Stretches, alike, segment_scores
from genint.sources.similarity.alignment import scores, substitution_scores

LONGEST_PROTEIN: Final = 100_000
"""Residues that are searched; later ones are not."""

_MOST_SHARED: Final = 2_000_000
"""Shared seeds that are looked at for one protein, those of the rarest seeds first: 0.1 s
and 200 MB."""
_COMMON: Final = 20
"""Seeds that many times as frequent as the average one are left out: they come from
stretches of few residues."""
_BEFORE: Final = 13  # Residues of a window before the first of the seed.
_SEGMENT: Final = (-24, 30)  # Where there are no gaps, from the first residue of the seed.
UNGAPPED_LAMBDA: Final = 0.3176
"""Nats per unit of an alignment score without gaps."""
_MOST_SORTED: Final = 12_000
"""Shared seeds that are put in the order of their diagonals."""
_MOST_NEAR: Final = 2_500
_MOST_FAR: Final = 5_000
"""Diagonals on which an alignment without gaps is scored."""
_LEAST_BESIDE: Final = {FAR: 1, WIDE: 2}
"""Residues of the same group beside a seed: chance has one in two seeds of three, and two in one
of four. Two beside wide seeds lose 0.3 % of all hits and save a sixth of the time; beside far ones
too they would lose more than twice as many."""
_MOST_WITH_GAPS: Final = 500
"""Proteins that are aligned with gaps around their best diagonal: homologs without any other
resemblance are among so many, and among the best thirty afterwards."""
_HALF_WITH_GAPS: Final = 60
"""Residues of the reference on either side that are aligned."""
_OUTSIDE: Final = 0xE0
"""Code beside and for unknown residues of the protein searched: like none of the reference."""
_OUTSIDE_SCORE: Final = -20
_COMPARED_AT_ONCE: Final = 1 << 14
"""Seeds of the reference that fit into it; large arrays made anew each time would cost more than
what is done with them."""
_AT_BITS: Final = 17
_SCORE_BITS: Final = 8


class _Shared(NamedTuple):
    """Seeds that the protein and the reference share.

    Attributes:
        places: In the codes of the reference.
        at: In the protein.
    """

    places: NDArray[np.int64]
    at: NDArray[np.int64]


class Diagonals(NamedTuple):
    """Alignments without gaps.

    Attributes:
        proteins: Numbers of the proteins of the reference that they are in.
        places: In the codes of the reference.
        scores: Of the alignments.
    """

    proteins: NDArray[np.int64]
    places: NDArray[np.int64]
    scores: NDArray[np.int16]


def near_diagonals(index: ProteinIndex, letters: bytes) -> Diagonals:
    """Where a protein and the reference are alike around near seeds.

    Args:
        index: The reference.
        letters: Comparable residues, at most :data:`LONGEST_PROTEIN`.

    Cost: for a protein of 300 residues and a reference of 20 million 3 ms; grows with the
    product of the two sizes.
    """
    return _diagonals(index, (index.near,), letters, _MOST_NEAR)


def far_diagonals(index: ProteinIndex, letters: bytes) -> Diagonals:
    """Where a protein and the reference are alike around far and wide seeds.

    Cost: twice that of :func:`near_diagonals`.
    """
    return _diagonals(index, (index.far, index.wide), letters, _MOST_FAR)


class Candidates(NamedTuple):
    """Proteins of the reference that may be alike, most promising first.

    Attributes:
        proteins: Their numbers.
        places: Of their best diagonals in the codes of the reference.
    """

    proteins: NDArray[np.int64]
    places: NDArray[np.int64]

    def part(self, first: int, behind: int) -> Candidates:
        """Those from one place in the order to another."""
        return Candidates(*(values[first:behind] for values in self))


def by_diagonal(index: ProteinIndex, diagonals: Diagonals) -> Candidates:
    """The proteins of diagonals, by the best of them."""
    best = _best(index, diagonals)
    return Candidates(diagonals.proteins[best], diagonals.places[best])


def around(index: ProteinIndex, candidates: Candidates, residues: int) -> list[bytes]:
    """At most so many residues of each candidate on either side of its best diagonal."""
    proteins, places = candidates
    first = np.maximum(places - residues, index.offsets[proteins]).tolist()
    behind = np.minimum(places + residues, index.offsets[proteins + 1] - 1).tolist()
    return [
        index.codes[start:end].tobytes().translate(LETTER_OF)
        for start, end in zip(first, behind, strict=True)
    ]


def by_gapped_score(
    index: ProteinIndex, letters: bytes, diagonals: Sequence[Diagonals]
) -> Candidates:
    """The most promising proteins, by an alignment with gaps around their diagonal.

    Cost: 5 ms for a protein of 300 residues.
    """
    every = Diagonals(*(np.concatenate(parts) for parts in zip(*diagonals, strict=True)))
    chosen = by_diagonal(index, every).part(0, _MOST_WITH_GAPS)
    with_gaps = scores(letters, around(index, chosen, _HALF_WITH_GAPS))
    order = np.lexsort((index.ranks[chosen.proteins], -with_gaps))
    return Candidates(*(values[order] for values in chosen))


def _best(index: ProteinIndex, diagonals: Diagonals) -> NDArray[np.int64]:
    """The best diagonal of each protein, most promising first."""
    proteins = diagonals.proteins
    # The best chance score grows with the logarithm of the length.
    unlikely = diagonals.scores - np.log(index.lengths(proteins)) / UNGAPPED_LAMBDA
    # Score and rank in one number; equally good diagonals of a protein stay in their order.
    key = np.rint(unlikely * -1_000).astype(np.int64) * len(index) + index.ranks[proteins]
    order = np.argsort(key, kind="stable")
    ranked, places = proteins[order], np.arange(len(order), dtype=np.int32)
    first = np.empty(len(index), np.int32)  # Only items of the proteins at hand are touched.
    first[ranked[::-1]] = places[::-1]  # The last one written is the most promising.
    best: NDArray[np.int64] = order[first[ranked] == places]
    return best


def _diagonals(
    index: ProteinIndex, tables: Sequence[SeedTable], letters: bytes, most: int
) -> Diagonals:
    codes = np.frombuffer(encode(letters), np.uint8)
    padded = _padded(codes)
    found = [_shared(table, codes, padded) for table in tables]
    shared = _Shared(*(np.concatenate(parts) for parts in zip(*found, strict=True)))
    if not len(shared.at):
        return Diagonals(shared.places, shared.places, np.zeros(0, np.int16))
    likely = _likely(index, padded, shared, most)
    proteins = np.searchsorted(index.offsets, likely.places, side="right") - 1
    return Diagonals(proteins, likely.places, _segment_scores(index, padded, likely))


def _shared(table: SeedTable, codes: NDArray[np.uint8], padded: NDArray[np.uint8]) -> _Shared:
    """Pairs of places in the reference and the protein that have the same seed.

    And enough of the residues beside it, where the table has them.
    """
    words = seed_words(codes, table.kind)
    first = table.starts[words.seeds]
    counts = table.starts[words.seeds + 1] - first
    chosen = _chosen(table, counts)
    at, first, counts = words.at[chosen], first[chosen], counts[chosen]
    if not table.kind.beside:
        return _Shared(_runs(table.places, first, counts).astype(np.int64), np.repeat(at, counts))
    ours = surroundings(padded, at + PADDING, table.kind)
    block = (np.cumsum(counts) - counts) // _COMPARED_AT_ONCE
    ends = [*np.flatnonzero(np.diff(block)) + 1, len(at)]
    found: list[_Shared] = []
    for start, end in zip([0, *ends], ends, strict=False):
        part = slice(start, end)
        found.append(_alike(table, at[part], ours[part], first[part], counts[part]))
    return _Shared(*(np.concatenate(parts) for parts in zip(*found, strict=True)))


def _alike(
    table: SeedTable,
    at: NDArray[np.int64],
    ours: NDArray[np.uint32],
    first: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> _Shared:
    """Places of seeds of the protein where enough of the residues beside are alike."""
    alike = alike_beside(np.repeat(ours, counts), _runs(table.beside, first, counts))
    kept = np.flatnonzero(alike >= _LEAST_BESIDE[table.kind])
    which = np.repeat(np.arange(len(at), dtype=np.int32), counts)[kept]
    in_table = first - np.cumsum(counts) + counts
    return _Shared(table.places[kept + in_table[which]].astype(np.int64), at[which])


def _runs(
    values: NDArray[np.uint32], first: NDArray[np.int64], counts: NDArray[np.int64]
) -> NDArray[np.uint32]:
    """Runs of the values, one behind the other: copied whole, not item by item."""
    ends = (first + counts).tolist()
    runs = [values[start:end] for start, end in zip(first.tolist(), ends, strict=True)]
    return np.concatenate(runs) if runs else values[:0]


def _chosen(table: SeedTable, counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Which seeds to look up: not the very common ones, rarest first while they are too many."""
    average = len(table.places) / table.kind.seeds
    usual = np.flatnonzero((counts > 0) & (counts <= _COMMON * average + 50))
    if int(counts[usual].sum()) <= _MOST_SHARED:
        return usual
    order = usual[np.argsort(counts[usual], kind="stable")]
    return np.sort(order[np.cumsum(counts[order]) <= _MOST_SHARED])


def _likely(index: ProteinIndex, padded: NDArray[np.uint8], shared: _Shared, most: int) -> _Shared:
    """The best shared seed of each diagonal, of the diagonals that look best."""
    alike = _alike_around(index, padded, shared)
    kept = np.flatnonzero(alike >= _least(alike, _MOST_SORTED))
    # Diagonal, dissimilarity and place in one number: one sort puts the best seed of each
    # diagonal first.
    diagonals = shared.places[kept] - shared.at[kept] + len(padded)
    both = diagonals << _SCORE_BITS | (255 - alike[kept].astype(np.int64))
    both = both << _AT_BITS | shared.at[kept]
    both.sort()
    diagonals = both >> (_AT_BITS + _SCORE_BITS)
    best = both[np.flatnonzero(np.diff(diagonals, prepend=-1))]
    of_diagonal = 255 - ((best >> _AT_BITS) & 255)
    best = best[of_diagonal >= _least(of_diagonal, most)]
    at = best & ((1 << _AT_BITS) - 1)
    return _Shared((best >> (_AT_BITS + _SCORE_BITS)) - len(padded) + at, at)


def _least(alike: NDArray[np.generic], most: int) -> int:
    """The highest value that so many are not below; 0 where there are fewer."""
    at_least = np.cumsum(np.bincount(alike, minlength=256)[::-1])[::-1]
    return max(int(np.count_nonzero(at_least >= most)) - 1, 0)


def _alike_around(
    index: ProteinIndex, padded: NDArray[np.uint8], shared: _Shared
) -> NDArray[np.uint8]:
    """Likeness of the residues around each shared seed, 0..96."""
    theirs = Stretches(index.codes, shared.places - _BEFORE)
    return alike(theirs, Stretches(padded, shared.at + (PADDING - _BEFORE)))


def _padded(codes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The protein with places around it that are like nothing."""
    padding = np.full(PADDING, _OUTSIDE, np.uint8)
    known = np.where(codes >= END_CODE, np.uint8(_OUTSIDE), codes)
    return np.concatenate([padding, known, padding])


_LETTERS: Final = b"ACDEFGHIKLMNPQRSTVWYBZX"


@cache
def _code_scores() -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
    """A row for each code of the protein; and the scores in it, by code of the reference."""
    codes = list(encode(_LETTERS))
    rows = np.full(256, len(codes), np.uint8)
    rows[codes] = np.arange(len(codes), dtype=np.uint8)
    table = np.full((len(codes) + 1, 256), _OUTSIDE_SCORE, np.int8)
    table[: len(codes), codes] = substitution_scores(_LETTERS.decode())
    for array in (rows, table):
        array.flags.writeable = False
    return rows, table


def _segment_scores(
    index: ProteinIndex, padded: NDArray[np.uint8], shared: _Shared
) -> NDArray[np.int16]:
    """Score of the best alignment without gaps near each shared seed, on its diagonal."""
    rows, table = _code_scores()
    first, width = _SEGMENT[0], _SEGMENT[1] - _SEGMENT[0]
    theirs = Stretches(index.codes, shared.places + first)
    return segment_scores(
        theirs, Stretches(rows[padded], shared.at + (PADDING + first)), width, table
    )
