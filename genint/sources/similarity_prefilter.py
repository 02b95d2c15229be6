"""Which proteins of a reference are worth aligning with a protein: those that share seeds.

Two seeds on one diagonal (the same shift between the two proteins) are what an alignment
without gaps leaves behind and chance rarely does: the two-hit method of Altschul et al.
1997, doi:10.1093/nar/25.17.3389, here over sorted arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from genint.knowledge.protein_index import ProteinIndex, seed_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_PLACES: Final = 3_000_000
"""Shared seeds that are looked at for one protein, rarest first: some 50 ms and 100 MB."""
_COMMON: Final = 20
"""Seeds that many times as frequent as the average one are left out where rarer ones are
enough: they come from stretches of few residues."""
_AT_BITS: Final = 17
"""For the place in the protein searched."""
_BAND_BITS: Final = 4
"""Diagonals are taken together in bands of 16: a small gap does not part them."""

LONGEST_PROTEIN: Final = 100_000
"""Residues that are searched; what lies behind is not."""


def candidates(index: ProteinIndex, residues: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Numbers of the proteins that share seeds on a diagonal, most promising first.

    Args:
        index: The reference.
        residues: Of the protein searched, upper-case ASCII, at most :data:`LONGEST_PROTEIN`.
    """
    diagonals, places = _shared(index, residues)
    if not len(diagonals):
        return np.zeros(0, np.int64)
    proteins = np.searchsorted(index.offsets, places, side="right") - 1
    bands = diagonals >> _BAND_BITS
    order = np.lexsort((bands, proteins))
    proteins, bands = proteins[order], bands[order]
    new = (np.diff(proteins, prepend=-1) != 0) | (np.diff(bands, prepend=-1) != 0)
    first = np.flatnonzero(new)
    in_band = np.diff(first, append=len(proteins))
    owner = proteins[first]
    numbers, start = np.unique(owner, return_index=True)
    best = np.maximum.reduceat(in_band, start)
    total = np.add.reduceat(in_band, start)
    ranking = np.lexsort((index.ranks[numbers], -total - best))
    ranked: NDArray[np.int64] = numbers[ranking]
    return ranked


def _shared(
    index: ProteinIndex, residues: NDArray[np.uint8]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Diagonal and place in the reference of seeds that share their diagonal with another."""
    words = seed_words(residues)
    first = index.seed_starts[words.seeds]
    counts = index.seed_starts[words.seeds + 1] - first
    chosen = _chosen(index, counts)
    at, first, counts = words.at[chosen], first[chosen], counts[chosen]
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    if not total:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    places = index.places[np.arange(total) + np.repeat(first - ends + counts, counts)]
    from_at = np.repeat(at, counts)
    both = ((places.astype(np.int64) - from_at + len(residues)) << _AT_BITS) | from_at
    both.sort()
    diagonals = both >> _AT_BITS
    same = diagonals[1:] == diagonals[:-1]
    paired = np.zeros(total, np.bool_)
    paired[1:] = same
    paired[:-1] |= same
    kept = both[paired]
    diagonals = diagonals[paired]
    return diagonals, diagonals - len(residues) + (kept & ((1 << _AT_BITS) - 1))


def _chosen(index: ProteinIndex, counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Which seeds to look up: not the very common ones, rarest first while they are too many."""
    common = _COMMON * max(len(index.places) // (len(index.seed_starts) - 1), 1)
    usual = np.flatnonzero((counts > 0) & (counts <= common))
    if int(counts[usual].sum()) <= MOST_PLACES:
        return usual
    order = usual[np.argsort(counts[usual], kind="stable")]
    return np.sort(order[np.cumsum(counts[order]) <= MOST_PLACES])
