"""Which proteins of a reference are worth aligning with a protein: those that share seeds.

Every shared seed is looked at twice: how many residues in 32 around it are the same or of
the same group (on whole machine words, so that a hundred thousand take 5 ms), and for the
best few thousand what an alignment without gaps through it scores.

Aligning without gaps from a seed: Altschul et al. 1990, doi:10.1016/S0022-2836(05)80360-2;
ranking by it before any gapped alignment: Buchfink, Xie & Huson 2015,
doi:10.1038/nmeth.3176.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from genint.knowledge.protein_index import PADDING, ProteinIndex, SeedTable
from genint.knowledge.protein_seeds import END_CODE, FAR, NEAR, encode, seed_words
from genint.sources.similarity_alignment import substitution_scores

if TYPE_CHECKING:
    from numpy.typing import NDArray

LONGEST_PROTEIN: Final = 100_000
"""Residues that are searched; what lies behind is not."""

_MOST_SHARED: Final = 2_000_000
"""Shared seeds that are looked at for one protein, those of the rarest seeds first: 0.1 s
and 200 MB."""
_COMMON: Final = 20
"""Seeds that many times as frequent as the average one are left out: they come from
stretches of few residues."""
_WINDOW: Final = 32
_BEFORE: Final = 13
"""Residues of a window before the first of the seed."""
_SEGMENT: Final = (-24, 30)
"""Where alignments without gaps may run, from the first residue of the seed."""
UNGAPPED_LAMBDA: Final = 0.3176
"""Nats per unit of an alignment score without gaps."""
_MOST_SORTED: Final = 50_000
_MOST_SCORED: Final = {NEAR: 2_500, FAR: 6_000}
"""Diagonals on which an alignment without gaps is scored."""
_OUTSIDE: Final = 0xE0
"""Code beside and for unknown residues of the protein searched: like none of the reference."""
_OUTSIDE_SCORE: Final = -20
_BYTE_SUM: Final = np.uint64(0x0101010101010101)
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


def candidates(index: ProteinIndex, table: SeedTable, letters: bytes) -> NDArray[np.int64]:
    """Numbers of the proteins that share seeds of a kind, most promising first.

    Args:
        index: The reference.
        table: One of its kinds of seeds.
        letters: Comparable residues, at most :data:`LONGEST_PROTEIN`.

    Cost: for a protein of 300 residues and a reference of 20 million 3 ms for near and 9 ms
    for far seeds; grows with the product of the two sizes.
    """
    codes = np.frombuffer(encode(letters), np.uint8)
    shared = _shared(table, codes)
    if not len(shared.at):
        return np.zeros(0, np.int64)
    likely = _likely(index, codes, shared, _MOST_SCORED[table.kind])
    scores = _segment_scores(index, codes, likely)
    proteins = np.searchsorted(index.offsets, likely.places, side="right") - 1
    # The best chance score grows with the logarithm of the length.
    unlikely = scores - np.log(index.lengths(proteins)) / UNGAPPED_LAMBDA
    ranked = proteins[np.lexsort((index.ranks[proteins], -np.round(unlikely, 6)))]
    _, first = np.unique(ranked, return_index=True)
    best: NDArray[np.int64] = ranked[np.sort(first)]
    return best


def _shared(table: SeedTable, codes: NDArray[np.uint8]) -> _Shared:
    """Pairs of places in the reference and the protein that have the same seed."""
    words = seed_words(codes, table.kind)
    first = table.starts[words.seeds]
    counts = table.starts[words.seeds + 1] - first
    chosen = _chosen(table, counts)
    at, first, counts = words.at[chosen], first[chosen], counts[chosen]
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    places = table.places[np.arange(total) + np.repeat(first - ends + counts, counts)]
    return _Shared(places.astype(np.int64), np.repeat(at, counts))


def _chosen(table: SeedTable, counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Which seeds to look up: not the very common ones, rarest first while they are too many."""
    average = len(table.places) / table.kind.seeds
    usual = np.flatnonzero((counts > 0) & (counts <= _COMMON * average + 50))
    if int(counts[usual].sum()) <= _MOST_SHARED:
        return usual
    order = usual[np.argsort(counts[usual], kind="stable")]
    return np.sort(order[np.cumsum(counts[order]) <= _MOST_SHARED])


def _likely(index: ProteinIndex, codes: NDArray[np.uint8], shared: _Shared, most: int) -> _Shared:
    """The best shared seed of each diagonal, of the diagonals that look best."""
    alike = _alike_around(index, codes, shared)
    kept = np.flatnonzero(alike >= _least(alike, _MOST_SORTED))
    # Diagonal, dissimilarity and place in one number: one sort puts the best seed of each
    # diagonal first.
    diagonals = shared.places[kept] - shared.at[kept] + len(codes)
    both = diagonals << _SCORE_BITS | (255 - alike[kept])
    both = both << _AT_BITS | shared.at[kept]
    both.sort()
    diagonals = both >> (_AT_BITS + _SCORE_BITS)
    best = both[np.flatnonzero(np.diff(diagonals, prepend=-1))]
    alike = 255 - ((best >> _AT_BITS) & 255)
    best = best[alike >= _least(alike, most)]
    at = best & ((1 << _AT_BITS) - 1)
    return _Shared((best >> (_AT_BITS + _SCORE_BITS)) - len(codes) + at, at)


def _least(alike: NDArray[np.generic], most: int) -> int:
    """The highest value that so many are not below; 0 where there are fewer."""
    at_least = np.cumsum(np.bincount(alike, minlength=256)[::-1])[::-1]
    return max(int(np.count_nonzero(at_least >= most)) - 1, 0)


def _alike_around(
    index: ProteinIndex, codes: NDArray[np.uint8], shared: _Shared
) -> NDArray[np.int64]:
    """Likeness of the 32 residues around each shared seed, 0..96.

    Each counts 3 where it is the same, and 1 where it is of the same group.
    """
    around = _windows(index.codes)[shared.places - _BEFORE].view(np.uint8)
    own = _windows(_padded(codes))[shared.at + (PADDING - _BEFORE)].view(np.uint8)
    np.bitwise_xor(around, own, out=around)
    likeness = (around == 0).view(np.uint8)
    likeness += likeness
    likeness += around < 16  # noqa: PLR2004 - the upper four bits, which are the group
    words = likeness.view(np.uint64).reshape(-1, _WINDOW // 8)
    total = words[:, 0].copy()
    for column in range(1, words.shape[1]):
        total += words[:, column]  # At most 12 in each byte: no carry.
    sums: NDArray[np.uint64] = (total * _BYTE_SUM) >> np.uint64(56)
    return sums.astype(np.int64)


def _padded(codes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The protein with places around it that are like nothing."""
    padding = np.full(PADDING, _OUTSIDE, np.uint8)
    known = np.where(codes >= END_CODE, np.uint8(_OUTSIDE), codes)
    return np.concatenate([padding, known, padding])


def _windows(codes: NDArray[np.uint8]) -> NDArray[np.void]:
    """Windows from every place: items of 32 bytes that overlap, for gathering them whole."""
    return np.ndarray((len(codes) - _WINDOW + 1,), dtype=f"V{_WINDOW}", buffer=codes, strides=(1,))


@cache
def _code_scores() -> NDArray[np.int16]:
    """Substitution scores by code."""
    letters = b"ACDEFGHIKLMNPQRSTVWYBZX"
    codes = list(encode(letters))
    table = np.full((256, 256), _OUTSIDE_SCORE, np.int16)
    table[np.ix_(codes, codes)] = substitution_scores(letters.decode())
    table.flags.writeable = False
    return table


def _segment_scores(
    index: ProteinIndex, codes: NDArray[np.uint8], shared: _Shared
) -> NDArray[np.int16]:
    """Score of the best alignment without gaps near each shared seed, on its diagonal."""
    profile = np.full((len(codes) + 2 * PADDING, 256), _OUTSIDE_SCORE, np.int16)
    profile[PADDING:-PADDING] = _code_scores()[codes]
    flat = profile.ravel()
    rows = (shared.at + PADDING) * 256
    here = np.zeros(len(shared.at), np.int16)
    best = here.copy()
    for column in range(*_SEGMENT):
        here += flat[rows + column * 256 + index.codes[shared.places + column]]
        np.maximum(here, 0, out=here)
        np.maximum(best, here, out=best)
    return best
