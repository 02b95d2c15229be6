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
