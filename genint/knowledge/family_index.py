"""Index of the families of a pack: which of them may a protein belong to?

Flat little-endian files in a folder that processes map into memory and share:
    header.json      format, steps per bit, and the size of every file
    payload.u8       the unpacked pack, of which single profiles are rebuilt
    groups.u8        the likeliest group of residues of each position
    columns.u8       the kind of column that each position is most like, a letter
    words_N.u16      words of the N-th pattern that a member is likely to have, by position
    counts_N.u8      how many of them start at each position

A word is four residues at the places of a pattern, taken as groups of residues that replace one
another often. Kept are those that a member of the family has at this place ``2 ** 8.5`` times as
often as any protein: no other choice of as many words finds as many members.

Words of profiles: Steinegger & Söding 2017, doi:10.1038/nbt.3988; a small alphabet of profile
columns: Remmert et al. 2012, doi:10.1038/nmeth.1818.
"""

from __future__ import annotations

import json
import mmap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from genint.errors import UnavailableError
from genint.knowledge.column_kinds import RESIDUES, background, emission_scores, kinds_of
from genint.knowledge.profile_pack import PackedProfiles, UnpackedPack, probabilities_of_steps

INDEX_FORMAT: Final = 1
"""Raised with every change of what is kept."""
GROUPS: Final = ("AST", "C", "DN", "EQ", "FY", "G", "H", "IV", "KR", "LM", "P", "W")
GROUP_OF: Final = tuple(
    next(number for number, group in enumerate(GROUPS) if residue in group) for residue in RESIDUES
)
PATTERNS: Final = ((0, 1, 3, 4), (0, 2, 3, 6))
"""Places of the residues of a word, from its first."""
WORDS: Final = len(GROUPS) ** 4
"""How many words there are."""
BLOCK: Final = 1 << 16
"""Positions that are looked at together."""
_LEAST_ODDS_BITS: Final = 8.5
_ODDS_STEPS: Final = 16
"""Of a bit: whole numbers, so that the same words are found by every machine."""
_RAREST: Final = 1e-4
_MOST_WORDS: Final = 255
"""At one position."""
_HEADER: Final = "header.json"
_PAYLOAD: Final = "payload.u8"
_GROUP_FILE: Final = "groups.u8"
_COLUMN_FILE: Final = "columns.u8"


class _Block(NamedTuple):
    """Positions that are looked at together, and their words of one pattern.

    Attributes:
        first: Position of the first.
        words: In the order of positions.
        counts: How many of them start at each position.
    """

    first: int
    words: NDArray[np.uint16]
    counts: NDArray[np.uint8]

    def positions_of(self, at: NDArray[np.int64]) -> NDArray[np.int64]:
        """The positions at which words start, by their places in ``words``."""
        every = np.repeat(np.arange(len(self.counts)), self.counts)
        positions: NDArray[np.int64] = every[at] + self.first
        return positions


@dataclass(frozen=True)
class FamilyIndex:
    """The families of a pack, ready for a search.

    Attributes:
        profiles: Of the families.
        thresholds: Gathering threshold of each, bits.
        lengths: Match positions of each.
        groups: Likeliest group of each position.
        columns: Kind of each position, a letter in ASCII.
        blocks: For each pattern its words, by positions.
    """

    profiles: PackedProfiles
    thresholds: NDArray[np.float64]
    lengths: NDArray[np.int64]
    groups: NDArray[np.uint8]
    columns: NDArray[np.uint8]
    blocks: tuple[tuple[_Block, ...], ...]

    @classmethod
    def of(cls, profiles: PackedProfiles, arrays: _Arrays) -> Self:
        """Profiles with what was derived from them."""
        return cls(
            profiles,
            np.array([entry.gathering[0] for entry in profiles.entries]),
            np.diff(profiles.offsets),
            arrays.groups,
            arrays.columns,
            tuple(
                tuple(_blocks(words, counts))
                for words, counts in zip(arrays.words, arrays.counts, strict=True)
            ),
        )


class _Arrays(NamedTuple):
    """What is kept of a pack besides its payload; ``words`` and ``counts`` by pattern."""

    groups: NDArray[np.uint8]
    columns: NDArray[np.uint8]
    words: tuple[NDArray[np.uint16], ...]
    counts: tuple[NDArray[np.uint8], ...]


def _blocks(words: NDArray[np.uint16], counts: NDArray[np.uint8]) -> Iterator[_Block]:
    at = 0
    for first in range(0, len(counts), BLOCK):
        part = counts[first : first + BLOCK]
        behind = at + int(part.sum(dtype=np.int64))
        yield _Block(first, words[at:behind], part)
        at = behind


def index_in_memory(pack: UnpackedPack) -> FamilyIndex:
    """Index a pack for this process alone; cost as :func:`write_index`."""
    profiles = PackedProfiles(pack)
    return FamilyIndex.of(profiles, _arrays(profiles))


def write_index(pack: UnpackedPack, folder: Path) -> None:
    """Index a pack into a folder that is there.

    The same pack gives the same bytes.

    Raises:
        OSError: the files cannot be written.

    Cost: 1.5 s and 35 MB of disk for a million positions.
    """
    arrays = _arrays(PackedProfiles(pack))
    contents = {
        _PAYLOAD: np.frombuffer(pack.payload, np.uint8),
        _GROUP_FILE: arrays.groups,
        _COLUMN_FILE: arrays.columns,
    }
    for number in range(len(PATTERNS)):
        contents[_words_file(number)] = arrays.words[number].astype("<u2")
        contents[_counts_file(number)] = arrays.counts[number]
    for name, values in contents.items():
        (folder / name).write_bytes(values.tobytes())
    sizes = {name: values.nbytes for name, values in contents.items()}
    header = {"format": INDEX_FORMAT, "steps_per_bit": pack.steps_per_bit, "sizes": sizes}
    (folder / _HEADER).write_text(json.dumps(header), encoding="utf-8")


def open_family_index(folder: Path) -> FamilyIndex:
    """Open an index.

    Raises:
        UnavailableError: it is gone or damaged.

    Cost: 15 ms; its files are mapped into memory.
    """
    try:
        header = json.loads((folder / _HEADER).read_text(encoding="utf-8"))
        mapped = {name: _mapped(folder / name, size) for name, size in header["sizes"].items()}
        pack = UnpackedPack(mapped[_PAYLOAD], header["steps_per_bit"])
        numbers = range(len(PATTERNS))
        arrays = _Arrays(
            np.frombuffer(mapped[_GROUP_FILE], np.uint8),
            np.frombuffer(mapped[_COLUMN_FILE], np.uint8),
            tuple(np.frombuffer(mapped[_words_file(number)], "<u2") for number in numbers),
            tuple(np.frombuffer(mapped[_counts_file(number)], np.uint8) for number in numbers),
        )
        return FamilyIndex.of(PackedProfiles(pack), arrays)
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise UnavailableError(f"{folder.name}: no index of families: {problem}") from problem


def _words_file(number: int) -> str:
    return f"words_{number}.u16"


def _counts_file(number: int) -> str:
    return f"counts_{number}.u8"


def _mapped(file: Path, size_bytes: int) -> mmap.mmap | bytes:
    with file.open("rb") as stream:
        if file.stat().st_size != size_bytes:
            raise ValueError(f"{file.name} has not its size")
        if not size_bytes:
            return b""
        return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)


def _arrays(profiles: PackedProfiles) -> _Arrays:
    """All that is derived, some families at a time: memory does not grow with the pack."""
    parts = [_derived(profiles, *families) for families in _some_families(profiles)]
    groups, columns = (np.concatenate([part[at] for part in parts]) for at in (0, 1))
    numbers = range(len(PATTERNS))
    words = tuple(np.concatenate([part[2][number].words for part in parts]) for number in numbers)
    counts = tuple(np.concatenate([part[2][number].counts for part in parts]) for number in numbers)
    return _Arrays(groups, columns, words, counts)


def _some_families(profiles: PackedProfiles) -> Iterator[tuple[int, int]]:
    """First and behind the last of families with about :data:`BLOCK` positions."""
    first = 0
    for number in range(1, len(profiles) + 1):
        size = profiles.offsets[number] - profiles.offsets[first]
        if size >= BLOCK or number == len(profiles):
            yield first, number
            first = number


class _PatternWords(NamedTuple):
    words: NDArray[np.uint16]
    counts: NDArray[np.uint8]


def _derived(
    profiles: PackedProfiles, first: int, behind: int
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], list[_PatternWords]]:
    """Groups, kinds and words of the positions of some families."""
    start, end = int(profiles.offsets[first]), int(profiles.offsets[behind])
    emissions = profiles.emissions[start:end]
    likely = probabilities_of_steps(profiles.steps_per_bit)[emissions]
    likely /= likely.sum(axis=1, keepdims=True)
    by_group = np.stack(
        [likely[:, np.equal(GROUP_OF, group)].sum(axis=1) for group in range(len(GROUPS))], axis=1
    )
    usual = np.bincount(GROUP_OF, weights=background())
    odds = np.rint(
        _ODDS_STEPS * np.log2(np.maximum(by_group.astype(np.float64), _RAREST) / usual)
    ).astype(np.int16)
    numbers = np.arange(first, behind)
    family = np.repeat(numbers, np.diff(profiles.offsets[first : behind + 1]))
    words = [_likely_words(odds, family, pattern) for pattern in PATTERNS]
    groups = by_group.argmax(axis=1).astype(np.uint8)
    return groups, kinds_of(emission_scores(emissions, profiles.steps_per_bit)), words


def _likely_words(
    odds: NDArray[np.int16], family: NDArray[np.int64], pattern: tuple[int, ...]
) -> _PatternWords:
    """All words with enough odds, by position; residue by residue, the best first."""
    count = len(odds) - pattern[-1]
    best_first = np.argsort(-odds, axis=1, kind="stable").astype(np.int8)
    ranked = np.take_along_axis(odds, best_first, axis=1)
    at = np.flatnonzero(family[: max(count, 0)] == family[pattern[-1] :])
    most = np.stack([ranked[at + place, 0] for place in pattern]).sum(axis=0, dtype=np.int32)
    least = int(_LEAST_ODDS_BITS * _ODDS_STEPS)
    kept = most >= least
    at, left = at[kept], most[kept]
    words, sums = np.zeros(len(at), np.int32), np.zeros(len(at), np.int32)
    for place in pattern:
        left = left - ranked[at + place, 0]
        longer: list[tuple[NDArray[np.int64], ...]] = []
        for rank in range(len(GROUPS)):
            reached = sums + ranked[at + place, rank]
            enough = np.flatnonzero(reached + left >= least)
            if not len(enough):
                break
            group = best_first[at[enough] + place, rank]
            longer.append(
                (at[enough], left[enough], words[enough] * len(GROUPS) + group, reached[enough])
            )
        if not longer:
            break
        at, left, words, sums = (np.concatenate(column) for column in zip(*longer, strict=True))
    order = np.lexsort((words, -sums, at))
    at, words = at[order], words[order]
    counts: NDArray[np.int64] = np.bincount(at, minlength=len(odds))
    # A byte counts no more; only a position where anything is likely has so many.
    place_among = np.arange(len(at)) - np.repeat(np.cumsum(counts) - counts, counts)
    kept = place_among < _MOST_WORDS
    counts = np.minimum(counts, _MOST_WORDS)
    return _PatternWords(words[kept].astype(np.uint16), counts.astype(np.uint8))
