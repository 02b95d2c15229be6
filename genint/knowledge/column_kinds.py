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
from pyhmmer.plan7 import Background

from genint.knowledge.table_files import COLUMN_KINDS, read_rows

RESIDUES: Final = "ACDEFGHIKLMNPQRSTVWY"
"""In the order of the emissions of profiles."""
LETTERS: Final = "ACDEFGHIKLMNPQRSTVWYBJOUXZ"
"""Of kinds, most of which have the letter of some residue for want of others."""
STEPS_PER_BIT: Final = 3
"""Of the scores of kinds, which are whole numbers."""
_LEAST_BITS: Final = -4.0


@cache
def kind_scores() -> NDArray[np.int32]:
    """Score of each residue in a column of each kind; shape (kinds, residues)."""
    rows = [tuple(map(int, row[1:])) for row in read_rows(COLUMN_KINDS)]
    scores = np.array(rows, np.int32)
    scores.flags.writeable = False
    return scores


def kinds_of(scores: NDArray[np.floating]) -> NDArray[np.uint8]:
    """Letters, in ASCII, of the kinds that columns are most like.

    Args:
        scores: Of :func:`emission_scores`.

    Cost: 0.3 s for a million columns.
    """
    kinds = kind_scores().astype(np.float64) / STEPS_PER_BIT
    weights = background()
    # The squares of the columns' own scores are the same for all kinds.
    distances = (kinds * kinds) @ weights - 2 * (scores @ (kinds * weights).T)
    letters = np.frombuffer(LETTERS.encode("ascii"), np.uint8)
    nearest: NDArray[np.uint8] = letters[distances.argmin(axis=1)]
    return nearest


@cache
def background() -> NDArray[np.float64]:
    """How frequent each residue is in proteins, 0..1."""
    frequencies = np.asarray(Background(Alphabet.amino()).residue_frequencies, np.float64)
    frequencies.flags.writeable = False
    return frequencies


def emission_scores(emissions: NDArray[np.uint8], steps_per_bit: int) -> NDArray[np.float64]:
    """Log-odds of residues against the background, bits, at least -4.

    Args:
        emissions: Steps of a profile pack, shape (columns, residues).
        steps_per_bit: Of the pack.
    """
    scores = emissions / -float(steps_per_bit) - np.log2(background())
    return np.maximum(scores, _LEAST_BITS)
