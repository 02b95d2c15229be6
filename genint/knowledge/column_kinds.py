"""Kinds of profile columns: a small alphabet in which families are written like sequences.

A column of a profile says how likely each residue is. Written as the letter of the kind that it
is most like, a family can be aligned by any aligner of sequences, with a table of scores of
residues against kinds: almost as good as its profile, and at the speed of two sequences.

A small alphabet of profile columns: Remmert et al. 2012, doi:10.1038/nmeth.1818.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray
from pyhmmer.easel import Alphabet
from pyhmmer.plan7 import Background as HmmerBackground

from genint.knowledge.table_files import COLUMN_KINDS, read_rows
from genint.native.prefilter import Background, nearest_kinds

LETTERS: Final = "ACDEFGHIKLMNPQRSTVWYBJOUXZ"
"""Of kinds, most of which have the letter of some residue for want of others."""
STEPS_PER_BIT: Final = 3
"""Of the scores of kinds, which are whole numbers."""


@cache
def kind_scores() -> NDArray[np.int32]:
    """Score of each residue in a column of each kind; shape (kinds, residues)."""
    rows = [tuple(map(int, row[1:])) for row in read_rows(COLUMN_KINDS)]
    scores = np.array(rows, np.int32)
    scores.flags.writeable = False
    return scores


def kinds_of(emissions: NDArray[np.uint8], steps_per_bit: int) -> NDArray[np.uint8]:
    """Letters, in ASCII, of the kinds that columns are most like.

    Args:
        emissions: Steps of a profile pack, shape (columns, residues).
        steps_per_bit: Of the pack.

    Cost: 0.1 s for a million columns.
    """
    letters = np.frombuffer(LETTERS.encode("ascii"), np.uint8)
    of_all = Background(tuple(background().tolist()))
    return letters[nearest_kinds(emissions, steps_per_bit, of_all, kind_scores(), STEPS_PER_BIT)]


@cache
def background() -> NDArray[np.float64]:
    """How frequent each residue is in proteins, 0..1."""
    frequencies = np.asarray(HmmerBackground(Alphabet.amino()).residue_frequencies, np.float64)
    frequencies.flags.writeable = False
    return frequencies
