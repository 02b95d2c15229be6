"""How alike two proteins are around the seeds that they share: ``similarity.c``."""

from __future__ import annotations

import ctypes
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from genint.native.library import library, pointer

WINDOW: Final = 32
"""Residues that are compared around a seed."""


class Stretches(NamedTuple):
    """Stretches of residues in one long row of them.

    Attributes:
        residues: One byte each.
        first: Where each stretch begins; all of a stretch lies in the row.
    """

    residues: NDArray[np.uint8]
    first: NDArray[np.int64]

    def checked(self, width: int) -> Stretches:
        """The same in the form that is read.

        Raises:
            ValueError: a stretch of that many residues lies outside.
        """
        first = np.ascontiguousarray(self.first, np.int64)
        if len(first) and not 0 <= first.min() <= first.max() <= len(self.residues) - width:
            raise ValueError("a stretch lies outside of the residues")
        return Stretches(np.ascontiguousarray(self.residues), first)

    def pointers(self) -> tuple[ctypes.c_void_p, ctypes.c_void_p]:
        """Of both arrays, for the compiled functions."""
        return pointer(self.residues), pointer(self.first)


def alike(theirs: Stretches, ours: Stretches) -> NDArray[np.uint8]:
    """Likeness of each pair of windows of 32 codes, 0..96.

    Each residue counts 3 where it is the same, and 1 where it is of the same group, which the
    upper four bits of a code say.

    Cost: 5 ns each, most of them for reading the reference here and there.
    """
    theirs, ours = theirs.checked(WINDOW), ours.checked(WINDOW)
    sums = np.empty(len(theirs.first), np.uint8)
    library().genint_alike(
        *theirs.pointers(), *ours.pointers(), ctypes.c_int64(len(sums)), pointer(sums)
    )
    return sums


def segment_scores(
    theirs: Stretches, ours: Stretches, width: int, table: NDArray[np.int8]
) -> NDArray[np.int16]:
    """The highest score of an alignment without gaps of each pair of stretches, without a shift.

    Args:
        theirs: Codes.
        ours: Rows of ``table``.
        width: Of a stretch, residues.
        table: Score of each row with each code; shape (rows, 256).

    Cost: 60 ns for 54 residues.
    """
    theirs, ours = theirs.checked(width), ours.checked(width)
    best = np.empty(len(theirs.first), np.int16)
    library().genint_segments(
        *theirs.pointers(),
        *ours.pointers(),
        ctypes.c_int64(len(best)),
        ctypes.c_int64(width),
        pointer(np.ascontiguousarray(table)),
        pointer(best),
    )
    return best


class Band(NamedTuple):
    """Diagonals that an alignment may use.

    Attributes:
        lowest: The first of them: residue of the target less residue of the protein.
        width: How many there are.
    """

    lowest: int
    width: int


class Gaps(NamedTuple):
    """What the first residue of a gap costs, and each further one; in units of the scores."""

    first: int
    next: int


NEVER: Final = -(1 << 61)
"""Nothing falls below."""


def best_in_band(
    protein: NDArray[np.uint8],
    target: NDArray[np.uint8],
    band: Band,
    table: NDArray[np.int64],
    gaps: Gaps,
) -> int:
    """Sum along the best alignment from end to end of two stretches; 0 for an empty protein.

    Args:
        protein: Numbers of its residues.
        target: The same.
        band: Has the diagonals of both ends.
        table: What each pair of residues adds, by their numbers; the last column is for
            places beyond the ends of the target.
        gaps: What they cost.

    Raises:
        ValueError: an end lies outside of the band.

    Cost: 3 ns for each residue and diagonal.
    """
    end = len(target) - len(protein) - band.lowest
    if not (0 <= end < band.width and 0 <= -band.lowest < band.width):
        raise ValueError("an end of the alignment lies outside of the band")
    if not len(protein):
        return 0
    room = np.empty((2, band.width), np.int64)
    value: int = library().genint_band(
        pointer(protein),
        ctypes.c_int64(len(protein)),
        pointer(target),
        ctypes.c_int64(len(target)),
        ctypes.c_int64(band.lowest),
        ctypes.c_int64(band.width),
        pointer(table),
        ctypes.c_int64(len(table)),
        ctypes.c_int64(gaps.first),
        ctypes.c_int64(gaps.next),
        ctypes.c_int64(NEVER),
        pointer(room[0]),
        pointer(room[1]),
    )
    return value
