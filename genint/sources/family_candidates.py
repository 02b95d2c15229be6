"""Which families may a protein belong to? Profiles judge only these.

Ever fewer pairs of a protein and a family are looked at ever closer: those that share a word
(:mod:`genint.knowledge.family_index`), those that are alike in the 24 residues around it, those
whose alignment without gaps through it scores enough, and those whose alignment with gaps to the
columns of the family does. Whether a family is a candidate for a protein depends on these two
alone. How much is lost was measured: ``benchmarks/search/prefilter.py``.

Words of profiles as a prefilter: Steinegger & Söding 2017, doi:10.1038/nbt.3988; alignment to an
alphabet of columns: Remmert et al. 2012, doi:10.1038/nmeth.1818.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple, TypeVar

import numpy as np
import pyopal
from numpy.typing import NDArray
from scoring_matrices.lib import ScoringMatrix

from genint.errors import WorkCancelled
from genint.knowledge.column_kinds import (
    LETTERS,
    RESIDUES,
    STEPS_PER_BIT,
    background,
    kind_scores,
)
from genint.knowledge.family_index import GROUP_OF, GROUPS, PATTERNS, WORDS, FamilyIndex

PREFILTER_VERSION: Final = 3
"""Raised with every change by which a protein may have other candidates."""

_PADDING: Final = 48
"""Places between proteins that are like nothing; more than any window reaches."""
_UNKNOWN: Final = len(RESIDUES)
_NO_GROUP: Final = 15
_IN_CACHE: Final = 1 << 12
"""Shared words whose surroundings are compared together."""


class _Window(NamedTuple):
    """Residues around a word: the first of them, from the first of the word, and how many."""

    first: int
    width: int


_NEAR: Final = _Window(-8, 24)
"""The width is a multiple of eight: so many scores are added at once."""
_LEAST_NEAR_BITS: Final = 6.0
_SEGMENT: Final = _Window(-30, 66)
"""Where there are no gaps."""
_EVEN_BYTES: Final = np.uint64(0x00FF00FF00FF00FF)
_PAIR_SUM: Final = np.uint64(0x0001000100010001)
_AT_ONCE: Final = 1 << 18
"""Shared words that are looked at together."""
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
        """For families with these thresholds."""
        above = np.maximum(thresholds - _WEAKEST_BITS, 0)
        return np.minimum(self.least + self.for_each_bit * above, self.most)


_SEGMENT_BITS: Final = _Limits(16.0, 0.12, 40.0)
"""Without gaps, for a protein and a family of 256 residues; half a bit more where the product of
their lengths is twice as large."""
_USUAL_CELLS: Final = 1 << 16
_SURE_BITS: Final = _Limits(25.0, 0.6, math.inf)
"""Without gaps, from which no alignment with gaps is needed."""
_ALIGNED_BITS: Final = _Limits(5.5, 0.45, math.inf)
"""With gaps; one bit more where the family has twice as many positions. Members score at least
half of the threshold of their family here."""


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
    *,
    is_cancelled: Callable[[], bool] | None = None,
) -> tuple[Candidates, ...]:
    """The pairs that profiles have to judge, by family.

    Args:
        index: The families.
        proteins: Residues in upper case; whatever is no residue is like none.
        is_cancelled: Called now and then.

    Raises:
        WorkCancelled: ``is_cancelled`` returned true.

    Cost: for a protein of 300 residues and a million positions of weak families 10 ms, as much
    as a profile search takes; of families with high thresholds 1 ms; memory some 100 MB.
    """
    cancelled = is_cancelled or (lambda: False)
    text = _Proteins.of(proteins)
    pairs = _alike_without_gaps(index, text, cancelled)
    kept = _alike_with_gaps(index, proteins, pairs, cancelled)
    families: dict[int, list[int]] = {}
    for protein, family in kept:
        families.setdefault(family, []).append(protein)
    return tuple(Candidates(family, tuple(sorted(families[family]))) for family in sorted(families))


class _Proteins(NamedTuple):
    """Proteins one after the other, with padding around each.

    Attributes:
        codes: Of residues, in the order of emissions.
        groups: Of residues.
        starts: Place of the first residue of each protein.
        lengths: Residues of each.
    """

    codes: NDArray[np.uint8]
    groups: NDArray[np.uint8]
    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]

    @classmethod
    def of(cls, proteins: Sequence[str]) -> _Proteins:
        gap = b" " * _PADDING
        text = gap + gap.join(residues.encode("ascii", "replace") for residues in proteins) + gap
        code_of, group_of = _tables()
        codes = code_of[np.frombuffer(text, np.uint8)]
        lengths = np.array([len(residues) for residues in proteins], np.int64)
        starts = np.cumsum(lengths + _PADDING) - lengths
        return cls(codes, group_of[codes], starts, lengths)

    def proteins_at(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Numbers of the proteins at places."""
        numbers: NDArray[np.int64] = np.searchsorted(self.starts, places, side="right") - 1
        return numbers


@cache
def _tables() -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Codes of letters, and groups of codes."""
    codes = np.full(256, _UNKNOWN, np.uint8)
    codes[list(RESIDUES.encode())] = np.arange(len(RESIDUES))
    groups = np.array([*GROUP_OF, _NO_GROUP], np.uint8)
    return codes, groups


class _Pairs(NamedTuple):
    """Pairs of a protein and a family, each once, protein after protein; some are sure."""

    proteins: NDArray[np.int64]
    families: NDArray[np.int64]
    are_sure: NDArray[np.bool_]


class _Shared(NamedTuple):
    """Words that proteins and families share: where in each."""

    places: NDArray[np.int64]
    positions: NDArray[np.int64]


def _alike_without_gaps(
    index: FamilyIndex, text: _Proteins, is_cancelled: Callable[[], bool]
) -> _Pairs:
    """Pairs with a good alignment without gaps through a word that they share."""
    scorer = _Scorer(index, text)
    families = len(index.lengths)
    found: list[NDArray[np.int64]] = []
    for shared in _shared_words(index, text):
        if is_cancelled():
            raise WorkCancelled("the profile search was cancelled")
        near = scorer.near(shared)
        bits = scorer.segments(near) / index.profiles.steps_per_bit
        family = np.searchsorted(index.profiles.offsets, near.positions, side="right") - 1
        protein = text.proteins_at(near.places)
        cells = index.lengths[family] * text.lengths[protein]
        least = _SEGMENT_BITS.of(index.thresholds)[family] + np.log2(cells / _USUAL_CELLS) / 2
        sure = _SURE_BITS.of(index.thresholds)[family]
        good = np.flatnonzero(bits >= np.minimum(least, sure))
        is_sure = bits[good] >= sure[good]
        found.append(np.unique((protein[good] * families + family[good]) * 2 + is_sure))
    every = np.unique(np.concatenate(found)) if found else np.zeros(0, np.int64)
    both, is_sure = every >> 1, (every & 1).astype(np.bool_)
    last = np.flatnonzero(np.diff(both, append=-1))  # of two, that which is sure
    return _Pairs(*np.divmod(both[last], max(families, 1)), is_sure[last])


def _shared_words(index: FamilyIndex, text: _Proteins) -> Iterator[_Shared]:
    """All shared words whose surroundings are alike, some at a time."""
    for pattern, blocks in zip(PATTERNS, index.blocks, strict=True):
        words = _words_of(text.groups, pattern)
        order = np.argsort(words, kind="stable")
        # Places that are in no word have the number behind the last one.
        starts = np.searchsorted(words[order], np.arange(WORDS + 1))
        counts = np.diff(starts)
        for block in blocks:
            which = np.flatnonzero(counts[block.words])
            if not len(which):
                continue
            word = block.words[which]
            each = counts[word]
            position = block.positions_of(which)
            ends = np.cumsum(each)
            cuts = np.searchsorted(ends, np.arange(0, int(each.sum()), _AT_ONCE), side="left")
            for first, behind in zip(cuts, [*cuts[1:], len(which)], strict=True):
                part = slice(first, behind)
                some = each[part]
                last = np.cumsum(some)
                if not len(last):
                    continue
                at = np.arange(last[-1]) + np.repeat(starts[word[part]] - last + some, some)
                yield _Shared(order[at], np.repeat(position[part], some))


def _words_of(groups: NDArray[np.uint8], pattern: tuple[int, ...]) -> NDArray[np.int64]:
    """The word at each place; the number of words where there is none."""
    count = max(len(groups) - pattern[-1], 0)
    words = np.zeros(count, np.int64)
    unknown = np.zeros(count, np.bool_)
    for place in pattern:
        group = groups[place : place + count]
        unknown |= group == _NO_GROUP
        words = words * len(GROUPS) + group
    words[unknown] = WORDS
    return words


class _Scorer:
    """Compares the surroundings of shared words, closer and closer.

    A residue scores the steps of the background less those of the profile, -4 bits at least;
    one that is unknown scores that anywhere.
    """

    def __init__(self, index: FamilyIndex, text: _Proteins) -> None:
        steps = index.profiles.steps_per_bit
        self._least_near = _LEAST_NEAR_BITS * steps
        self._emissions = index.profiles.emissions.ravel()
        usual = np.append(np.rint(-steps * np.log2(background())), -4 * steps)
        most = (usual + 4 * steps).astype(np.uint8)
        residues = len(RESIDUES)
        known = np.where(text.codes == _UNKNOWN, 0, text.codes)
        # From this less the place and plus the position, both by residues, comes the cell.
        self._cells = known + residues * np.arange(len(known), dtype=np.int64)
        self._usual = usual.astype(np.int16)[text.codes]
        self._most = most[text.codes]
        sums = np.cumsum(np.append(0, self._usual), dtype=np.int64)
        self._near_usual = sums[_NEAR.width :] - sums[: -_NEAR.width]

    def near(self, shared: _Shared) -> _Shared:
        """Those that are alike around the word."""
        kept = [np.zeros(0, np.int64)]
        for first in range(0, len(shared.places), _IN_CACHE):
            part = slice(first, first + _IN_CACHE)
            emitted = self._emitted(_Shared(shared.places[part], shared.positions[part]), _NEAR)
            usual = self._near_usual[shared.places[part] + _NEAR.first]
            alike = usual - _byte_sums(emitted) >= self._least_near
            kept.append(np.flatnonzero(alike) + first)
        return _part(shared, np.concatenate(kept))

    def segments(self, shared: _Shared) -> NDArray[np.int16]:
        """Score of the best alignment without gaps around each word, in steps."""
        best = np.zeros(len(shared.places), np.int16)
        for first in range(0, len(best), _IN_CACHE):
            part = _Shared(*(column[first : first + _IN_CACHE] for column in shared))
            usual = _windows(self._usual, part.places + _SEGMENT.first, _SEGMENT.width)
            scores = np.ascontiguousarray((usual - self._emitted(part, _SEGMENT)).T)
            here = np.zeros(len(part.places), np.int16)
            highest = best[first : first + _IN_CACHE]
            for row in scores:
                here += row
                np.maximum(here, 0, out=here)
                np.maximum(highest, here, out=highest)
        return best

    def _emitted(self, shared: _Shared, window: _Window) -> NDArray[np.uint8]:
        """Steps of the profile for the residues around words; shape (words, width)."""
        first = shared.places + window.first
        cells = _windows(self._cells, first, window.width)
        cells += ((shared.positions - shared.places) * len(RESIDUES))[:, np.newaxis]
        emitted = self._emissions.take(cells, mode="clip")
        most = _windows(self._most, first, window.width)
        return np.minimum(emitted, most, out=emitted)


_Number = TypeVar("_Number", bound=np.generic)


def _windows(values: NDArray[_Number], first: NDArray[np.int64], width: int) -> NDArray[_Number]:
    """Runs of values from places on, each copied whole; shape (places, width)."""
    size = values.itemsize
    runs = np.ndarray(
        (len(values) - width + 1,), f"V{width * size}", buffer=values, strides=(size,)
    )
    return runs[first].view(values.dtype).reshape(-1, width)


def _byte_sums(rows: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Sum of each row, eight bytes at a time."""
    eights = rows.view(np.uint64)
    pairs = (eights & _EVEN_BYTES) + ((eights >> np.uint64(8)) & _EVEN_BYTES)
    total = pairs[:, 0].copy()
    for column in pairs.T[1:]:
        total += column
    return ((total * _PAIR_SUM) >> np.uint64(48)).astype(np.int64)


def _part(shared: _Shared, kept: NDArray[np.int64]) -> _Shared:
    return _Shared(shared.places[kept], shared.positions[kept])


def _alike_with_gaps(
    index: FamilyIndex,
    proteins: Sequence[str],
    pairs: _Pairs,
    is_cancelled: Callable[[], bool],
) -> Iterator[tuple[int, int]]:
    """Pairs with a good alignment to the columns of the family."""
    aligner = _aligner()
    needed = _ALIGNED_BITS.of(index.thresholds) + np.log2(index.lengths)
    columns = index.columns.tobytes()
    offsets = index.profiles.offsets.tolist()
    every = pyopal.Database(
        [columns[first:behind] for first, behind in pairwise(offsets)],
        alphabet=aligner.alphabet,
    )
    yield from zip(
        pairs.proteins[pairs.are_sure].tolist(),
        pairs.families[pairs.are_sure].tolist(),
        strict=True,
    )
    unsure = ~pairs.are_sure
    numbers, firsts = np.unique(pairs.proteins[unsure], return_index=True)
    if not len(numbers):
        return
    by_protein = np.split(pairs.families[unsure], firsts[1:])
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


_QUERY_LETTERS: Final = bytes(
    letter if letter in RESIDUES.encode() else ord(LETTERS[_UNKNOWN]) for letter in range(256)
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
