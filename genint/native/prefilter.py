"""Alignments without gaps around words that proteins and families share: ``prefilter.c``.

A family is a row of positions, each with the steps (see ``profile_pack``) of its 20 match
emissions. A word is four residues at the places of a pattern, taken as groups of residues that
replace one another often. Looked at are the words that a member of the family has at a place so
many times as often as any protein; around each place where a protein has one, first 24 residues
are compared, then, where these are alike, the best alignment without gaps among 66 is scored.

A residue scores the steps of the background less those of the family, -4 bits at least; an
unknown one scores nothing, as does what lies outside of protein or family. All that decides is
whole steps: every machine finds the same.

Words of profiles: Steinegger & Söding 2017, doi:10.1038/nbt.3988; a small alphabet of profile
columns: Remmert et al. 2012, doi:10.1038/nmeth.1818.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from genint.native.library import library, pointer

RESIDUES: Final = "ACDEFGHIKLMNPQRSTVWY"
"""In the order of the emissions of profiles."""
GROUPS: Final = ("AST", "C", "DN", "EQ", "FY", "G", "H", "IV", "KR", "LM", "P", "W")
PATTERNS: Final = ((0, 1, 3, 4), (0, 2, 3, 6))
"""Places of the residues of a word, from its first."""
LEAST_SCORE_BITS: Final = -4
"""Of a residue."""
_WORDS: Final = len(GROUPS) ** 4
_MEMBERS: Final = max(map(len, GROUPS))
_UNKNOWN: Final = len(RESIDUES)
_NO_GROUP: Final = 15
_READ_BEHIND: Final = 8
"""Places that may be read behind the last: ``SOME`` of ``prefilter.c``."""
_PADDING: Final = 48
"""Unknown residues around proteins; more than any window reaches."""
_LEAST_NEAR_BITS: Final = 6
"""What the 24 residues around a word need."""
_VECTOR: Final = 16
"""Bytes that are worked on together."""
_FINEST_OF_COARSENESS: Final = (3, 6, 12)
"""Steps a bit, up to which two probabilities are compared in units of one, two and four steps: from
fifteen units on, the smaller of the two adds nothing."""
_ZERO_STEPS: Final = 255
_KINDS: Final = 26
_LARGEST_PRODUCT: Final = np.iinfo(np.int16).max
_WEIGHT_UNITS: Final = 1000
"""Sum of the weights of residues, about; 1024 is the most that there is room for."""


class _Scoring(ctypes.Structure):
    _fields_ = (
        ("usual_steps", ctypes.c_int32 * len(RESIDUES)),
        ("least_score", ctypes.c_int32),
        ("least_near", ctypes.c_int32),
        ("members", (ctypes.c_uint8 * _VECTOR) * _MEMBERS),
        ("usual_of_groups", ctypes.c_uint8 * _VECTOR),
        ("less_together", ctypes.c_uint8 * _VECTOR),
        ("coarseness", ctypes.c_int32),
        ("pattern", (ctypes.c_uint8 * 4) * len(PATTERNS)),
    )


class _Text(ctypes.Structure):
    _fields_ = (
        ("codes", ctypes.c_void_p),
        ("protein", ctypes.c_void_p),
        ("extra", ctypes.c_void_p),
        ("proteins", ctypes.c_int64),
        ("starts", ctypes.c_void_p * len(PATTERNS)),
        ("places", ctypes.c_void_p * len(PATTERNS)),
    )


@dataclass(frozen=True, slots=True)
class Background:
    """How frequent residues are anywhere: 20 shares, as a tuple that can be a key."""

    shares: tuple[float, ...]

    def steps(self, steps_per_bit: int) -> list[int]:
        """Of the residues."""
        whole = np.rint(-steps_per_bit * np.log2(np.array(self.shares)))
        return [int(steps) for steps in whole]


@cache
def _scoring(background: Background, steps_per_bit: int) -> _Scoring:
    by = _Scoring()
    groups = [_group_of(residue) for residue in RESIDUES]
    of_groups = np.bincount(groups, weights=background.shares)
    by.usual_steps[:] = background.steps(steps_per_bit)
    by.least_score = LEAST_SCORE_BITS * steps_per_bit
    by.least_near = _LEAST_NEAR_BITS * steps_per_bit
    for member, row in enumerate(by.members):
        members = [group[member : member + 1] for group in GROUPS]
        row[:] = _padded([RESIDUES.index(one) if one else _ZERO_STEPS for one in members])
    by.usual_of_groups[:] = _padded(Background(tuple(of_groups.tolist())).steps(steps_per_bit))
    by.coarseness = next(
        at for at, finest in enumerate(_FINEST_OF_COARSENESS) if steps_per_bit <= finest
    )
    apart = np.arange(_VECTOR - 1) * 2**by.coarseness + (2**by.coarseness - 1) / 2
    less = np.rint(steps_per_bit * np.log2(1 + np.exp2(-apart / steps_per_bit)))
    by.less_together[: _VECTOR - 1] = [int(steps) for steps in less]
    for row, pattern in zip(by.pattern, PATTERNS, strict=True):
        row[:] = pattern
    return by


def _padded(numbers: Sequence[int]) -> list[int]:
    """As many as a vector has."""
    return [*numbers, *(_ZERO_STEPS,) * (_VECTOR - len(numbers))]


def _group_of(residue: str) -> int:
    return next(number for number, group in enumerate(GROUPS) if residue in group)


@dataclass(frozen=True, slots=True)
class Families:
    """Families one behind the other, and what they ask of words and alignments.

    Attributes:
        emissions: Steps; shape (positions, 20), one byte each.
        offsets: Positions before each family, and of all.
        steps_per_bit: How fine the steps are.
        background: How frequent residues are anywhere.
        least_odds_bits: For each family, how many times as often as any protein a member has a
            word; binary logarithm.
        least_bits: What an alignment needs, for a protein of one residue; it needs half a bit
            more for each doubling of the length.
        sure_bits: What an alignment needs in any case, of a protein of any length.
    """

    emissions: NDArray[np.uint8]
    offsets: NDArray[np.int64]
    steps_per_bit: int
    background: Background
    least_odds_bits: NDArray[np.float64]
    least_bits: NDArray[np.float64]
    sure_bits: NDArray[np.float64]


class Proteins:
    """Proteins one behind the other, with the places of all their words.

    Args:
        proteins: Residues in upper case; whatever is no residue is unknown.

    Cost: 0.05 s and 20 MB for 500,000 residues.
    """

    def __init__(self, proteins: Sequence[str]) -> None:
        gap = b" " * _PADDING
        text = gap + gap.join(residues.encode("ascii", "replace") for residues in proteins) + gap
        code_of, group_of = _tables()
        codes = code_of[np.frombuffer(text, np.uint8)]
        groups = group_of[codes]
        lengths = np.array([len(residues) for residues in proteins], np.int64)
        starts = np.cumsum(lengths + _PADDING) - lengths
        numbers = np.searchsorted(starts, np.arange(len(codes)), side="right") - 1
        self._count = len(proteins)
        self._codes = codes
        self._numbers = np.maximum(numbers, 0).astype(np.int32)
        self._half_log_lengths = np.log2(np.maximum(lengths, 1)) / 2
        self._tables = tuple(_WordTable.of(groups, pattern) for pattern in PATTERNS)

    def __len__(self) -> int:
        return self._count

    def text(self, steps_per_bit: int) -> tuple[_Text, NDArray[np.float64]]:
        """What the compiled functions read, and an array that has to live as long."""
        extra = self._half_log_lengths * steps_per_bit
        text = _Text(
            self._codes.ctypes.data, self._numbers.ctypes.data, extra.ctypes.data, self._count
        )
        for at, table in enumerate(self._tables):
            text.starts[at] = table.starts.ctypes.data
            text.places[at] = table.places.ctypes.data
        return text, extra


@cache
def _tables() -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Codes of letters, and groups of codes."""
    codes = np.full(256, _UNKNOWN, np.uint8)
    codes[list(RESIDUES.encode())] = np.arange(len(RESIDUES))
    groups = np.array([*map(_group_of, RESIDUES), _NO_GROUP], np.uint8)
    return codes, groups


class _WordTable(NamedTuple):
    """Where proteins have each word of a pattern.

    Attributes:
        starts: For each word its first in ``places``; and how many there are.
        places: Of the first residues of words, word after word; some more may be read.
    """

    starts: NDArray[np.int32]
    places: NDArray[np.int32]

    @classmethod
    def of(cls, groups: NDArray[np.uint8], pattern: Sequence[int]) -> Self:
        words = _words_of(groups, pattern)
        # Of two bytes each they are sorted in a time that grows with their number alone.
        places = np.argsort(words.astype(np.uint16), kind="stable").astype(np.int32)
        # Places that are in no word have the number behind the last one.
        starts = np.searchsorted(words[places], np.arange(_WORDS + 1)).astype(np.int32)
        return cls(starts, np.append(places, np.zeros(_READ_BEHIND, np.int32)))


def _words_of(groups: NDArray[np.uint8], pattern: Sequence[int]) -> NDArray[np.int64]:
    """The word at each place; the number of words where there is none."""
    count = max(len(groups) - pattern[-1], 0)
    words = np.zeros(count, np.int64)
    unknown = np.zeros(count, np.bool_)
    for place in pattern:
        group = groups[place : place + count]
        unknown |= group == _NO_GROUP
        words = words * len(GROUPS) + group
    words[unknown] = _WORDS
    return words


class Pairs(NamedTuple):
    """Families and proteins that an alignment without gaps says may belong together.

    Attributes:
        families: Their numbers.
        proteins: Their numbers.
        scores: Of the alignments, steps.
        are_sure: The alignment is good enough for any protein.
    """

    families: NDArray[np.int32]
    proteins: NDArray[np.int32]
    scores: NDArray[np.int32]
    are_sure: NDArray[np.bool_]

    @classmethod
    def room_for(cls, count: int) -> Self:
        """Arrays for so many pairs."""
        whole = (np.empty(count, np.int32), np.empty(count, np.int32), np.empty(count, np.int32))
        return cls(*whole, np.empty(count, np.bool_))

    def where(self, chosen: NDArray[np.bool_] | NDArray[np.int64]) -> Pairs:
        """A copy of some pairs."""
        whole = (self.families[chosen], self.proteins[chosen], self.scores[chosen])
        return Pairs(*whole, self.are_sure[chosen])


def ungapped_pairs(families: Families, proteins: Proteins, first: int, behind: int) -> Pairs:
    """Pairs of the families ``first`` to before ``behind``, by family, then protein.

    Raises:
        MemoryError: there is not enough.

    Cost: for a million positions 0.1 s for any proteins, and 0.6 s for each 100,000 residues
    where thresholds are low, a fifth of it where they are high.
    """
    steps = families.steps_per_bit
    text, extra = proteins.text(steps)
    arrays = (
        np.rint(families.least_odds_bits * steps).astype(np.int32),
        np.ascontiguousarray(families.least_bits * steps, np.float64),
        np.ascontiguousarray(families.sure_bits * steps, np.float64),
    )
    emissions = np.ascontiguousarray(families.emissions)
    offsets = np.ascontiguousarray(families.offsets, np.int64)
    room = (behind - first) * len(proteins)
    found = Pairs.room_for(room)
    count = library().genint_ungapped(
        ctypes.byref(_scoring(families.background, steps)),
        pointer(emissions),
        pointer(offsets),
        ctypes.c_int64(first),
        ctypes.c_int64(behind),
        *(pointer(array) for array in arrays),
        ctypes.byref(text),
        *(pointer(column) for column in found),
    )
    del extra
    if count < 0:
        raise MemoryError("no memory for comparing proteins with families")
    return found.where(np.arange(count))


def nearest_kinds(
    emissions: NDArray[np.uint8],
    steps_per_bit: int,
    background: Background,
    kinds: NDArray[np.int32],
    kinds_per_bit: int,
) -> NDArray[np.uint8]:
    """Number of the kind of column that each position is most like.

    Args:
        emissions: Steps; shape (positions, 20).
        steps_per_bit: How fine they are.
        background: How frequent residues are anywhere.
        kinds: Scores of residues; shape (26, 20).
        kinds_per_bit: How fine these are.

    Cost: 0.05 s for a million positions.
    """
    weights = np.rint(np.array(background.shares) * _WEIGHT_UNITS).astype(np.int32)
    scores = np.ascontiguousarray(kinds * steps_per_bit, np.int32)
    if scores.shape != (_KINDS, len(RESIDUES)):
        raise ValueError(f"kinds have the shape {scores.shape}")
    if np.abs(scores * weights).max() > _LARGEST_PRODUCT:
        raise ValueError(f"kinds of {steps_per_bit} steps a bit do not fit into 16 bits")
    rows = np.ascontiguousarray(emissions)
    nearest = np.empty(len(rows), np.uint8)
    library().genint_kinds(
        ctypes.byref(_scoring(background, steps_per_bit)),
        pointer(rows),
        ctypes.c_int64(len(rows)),
        pointer(scores),
        ctypes.c_int32(kinds_per_bit),
        pointer(weights),
        pointer(nearest),
    )
    return nearest
