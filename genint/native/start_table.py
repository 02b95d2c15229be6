"""The gene finder's table of start codons as columns: ``start_table.c``."""

from __future__ import annotations

import ctypes
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from genint.native.library import library, pointer

_PLACES: Final = 3
_SCORES: Final = 6
_WORDS: Final = 3


class StartTable(NamedTuple):
    """Columns of a table.

    Attributes:
        places: First and last base, 1-based, and the strand (1 or -1); shape (3, rows).
        scores: Total, coding, start, binding site, bases upstream, start codon; shape (6, rows).
        words: Codon, motif and spacer of the binding site as the table has them; shape (3, rows).
    """

    places: NDArray[np.int64]
    scores: NDArray[np.float64]
    words: NDArray[np.object_]


def read_start_table(text: str, left_out: str) -> StartTable:
    """Read what the finder writes of all starts, 13 cells a line.

    Args:
        text: The table without a header; empty lines between frames are skipped.
        left_out: Codon of the rows that are skipped.

    Raises:
        ValueError: a line is none of such a table.

    Cost: 0.2 us a row.
    """
    table = text.encode("ascii")
    most = table.count(b"\n") + 1
    places = np.empty((_PLACES, most), np.int64)
    scores = np.empty((_SCORES, most), np.float64)
    words = np.empty((_WORDS, most), np.int64)
    spans = np.empty((_WORDS * most, 2), np.int64)
    count = ctypes.c_int64()
    rows: int = library().genint_start_table(
        table,
        ctypes.c_int64(len(table)),
        ctypes.c_int64(most),
        left_out.encode("ascii"),
        pointer(places),
        pointer(scores),
        pointer(words),
        pointer(spans),
        ctypes.byref(count),
    )
    if rows < 0:
        raise ValueError("a line of the gene finder's table of starts cannot be read")
    named: NDArray[Any] = np.empty(count.value, dtype=object)
    named[:] = [text[begin:end] for begin, end in spans[: count.value].tolist()]
    return StartTable(places[:, :rows], scores[:, :rows], named[words[:, :rows]])
