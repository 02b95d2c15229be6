"""Index of the families of a pack: which of them may a protein belong to?

Flat little-endian files in a folder that processes map into memory and share:
    header.json      format, steps per bit, and the size of every file
    payload.u8       the unpacked pack, of which single profiles are rebuilt
    columns.u8       the kind of column that each position is most like, a letter
    words_N.u16      words of the N-th pattern that a member is likely to have, by position
    counts_N.u16     how many of them start at each position

A word is four residues at the places of a pattern, taken as groups of residues that replace one
another often. Kept are those that a member of the family has at this place ``2 ** 7`` times as
often as any protein, of families with high thresholds up to ``2 ** 8.5`` times: no other choice
of as many words finds as many members.

Words of profiles: Steinegger & Söding 2017, doi:10.1038/nbt.3988; a small alphabet of profile
columns: Remmert et al. 2012, doi:10.1038/nmeth.1818.
"""

from __future__ import annotations

import json
import mmap
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from genint.errors import UnavailableError
from genint.knowledge.column_kinds import RESIDUES, background, emission_scores, kinds_of
from genint.knowledge.profile_pack import PackedProfiles, UnpackedPack, probabilities_of_steps

INDEX_FORMAT: Final = 2
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
_LEAST_ODDS_BITS: Final = 7.0
_MOST_ODDS_BITS: Final = 8.5
_ODDS_FOR_EACH_BIT: Final = 0.03
"""What a word needs: of families with a threshold of 25 bits, at most, and for each bit more."""
_WEAKEST_BITS: Final = 25.0
_PIECE: Final = 480
"""Positions whose kinds are looked up together: so few that the algebra library starts no threads,
which wait for one another longer than they work."""
_ODDS_STEPS: Final = 16
"""Of a bit: whole numbers, so that the same words are found by every machine."""
_RAREST: Final = 1e-4
_HEADER: Final = "header.json"
_PAYLOAD: Final = "payload.u8"
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
    counts: NDArray[np.uint16]

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
        columns: Kind of each position, a letter in ASCII.
        blocks: For each pattern its words, by positions.
    """

    profiles: PackedProfiles
    thresholds: NDArray[np.float64]
    lengths: NDArray[np.int64]
    columns: NDArray[np.uint8]
    blocks: tuple[tuple[_Block, ...], ...]

    @classmethod
    def of(cls, profiles: PackedProfiles, arrays: _Arrays) -> Self:
        """Profiles with what was derived from them."""
        return cls(
            profiles,
            _thresholds(profiles),
            np.diff(profiles.offsets),
            arrays.columns,
            tuple(
                tuple(_blocks(words, counts))
                for words, counts in zip(arrays.words, arrays.counts, strict=True)
            ),
        )


class _Arrays(NamedTuple):
    """What is kept of a pack besides its payload; ``words`` and ``counts`` by pattern."""

    columns: NDArray[np.uint8]
    words: tuple[NDArray[np.uint16], ...]
    counts: tuple[NDArray[np.uint16], ...]


def _thresholds(profiles: PackedProfiles) -> NDArray[np.float64]:
    return np.array([entry.gathering[0] for entry in profiles.entries], np.float64)


def _blocks(words: NDArray[np.uint16], counts: NDArray[np.uint16]) -> Iterator[_Block]:
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

    Cost: 1 s and 50 MB of disk for a million positions of weak families.
    """
    profiles = PackedProfiles(pack)
    with ExitStack() as files:
        streams = {name: files.enter_context((folder / name).open("wb")) for name in _FILES}
        streams[_PAYLOAD].write(pack.payload)
        for piece in _pieces(profiles):
            for name, content in piece.items():
                streams[name].write(content)
        sizes = {name: stream.tell() for name, stream in streams.items()}
    header = {"format": INDEX_FORMAT, "steps_per_bit": pack.steps_per_bit, "sizes": sizes}
    (folder / _HEADER).write_text(json.dumps(header), encoding="utf-8")


def is_index_of(pack: UnpackedPack, folder: Path) -> bool:
    """Whether a folder holds the index of a pack, to the last byte.

    Raises:
        OSError: a file cannot be read.

    Cost: as :func:`write_index`.
    """
    with ExitStack() as files:
        streams = {name: files.enter_context((folder / name).open("rb")) for name in _FILES}
        is_same = streams[_PAYLOAD].read() == bytes(pack.payload) and all(
            streams[name].read(len(content)) == content
            for piece in _pieces(PackedProfiles(pack))
            for name, content in piece.items()
        )
        return is_same and not any(stream.read(1) for stream in streams.values())


def _pieces(profiles: PackedProfiles) -> Iterator[dict[str, bytes]]:
    """What goes into the files besides the payload, of some families after the other."""
    for families in _some_families(profiles):
        columns, words = _derived(profiles, *families)
        piece = {_COLUMN_FILE: columns.tobytes()}
        for number, of_pattern in enumerate(words):
            piece[_words_file(number)] = of_pattern.words.astype("<u2").tobytes()
            piece[_counts_file(number)] = of_pattern.counts.astype("<u2").tobytes()
        yield piece


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
            np.frombuffer(mapped[_COLUMN_FILE], np.uint8),
            tuple(np.frombuffer(mapped[_words_file(number)], "<u2") for number in numbers),
            tuple(np.frombuffer(mapped[_counts_file(number)], "<u2") for number in numbers),
        )
        return FamilyIndex.of(PackedProfiles(pack), arrays)
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise UnavailableError(f"{folder.name}: no index of families: {problem}") from problem


def _words_file(number: int) -> str:
    return f"words_{number}.u16"


def _counts_file(number: int) -> str:
    return f"counts_{number}.u16"


_FILES: Final = (
    _PAYLOAD,
    _COLUMN_FILE,
    *(_words_file(number) for number in range(len(PATTERNS))),
    *(_counts_file(number) for number in range(len(PATTERNS))),
)


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
    numbers = range(len(PATTERNS))
    return _Arrays(
        np.concatenate([columns for columns, _ in parts]),
        tuple(np.concatenate([words[number].words for _, words in parts]) for number in numbers),
        tuple(np.concatenate([words[number].counts for _, words in parts]) for number in numbers),
    )


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
    counts: NDArray[np.uint16]


def _derived(
    profiles: PackedProfiles, first: int, behind: int
) -> tuple[NDArray[np.uint8], list[_PatternWords]]:
    """Kinds and words of the positions of some families."""
    start, end = int(profiles.offsets[first]), int(profiles.offsets[behind])
    emissions = profiles.emissions[start:end]
    ranked = _Ranked.of(_group_odds(emissions, profiles.steps_per_bit))
    lengths = np.diff(profiles.offsets[first : behind + 1])
    family = np.repeat(np.arange(first, behind, dtype=np.int32), lengths)
    above = _ODDS_FOR_EACH_BIT * (_thresholds(profiles)[first:behind] - _WEAKEST_BITS)
    bits = np.clip(_LEAST_ODDS_BITS + above, _LEAST_ODDS_BITS, _MOST_ODDS_BITS)
    least = np.repeat(np.rint(bits * _ODDS_STEPS).astype(np.int16), lengths)
    words = [_likely_words(ranked, family, least, pattern) for pattern in PATTERNS]
    pieces = (emissions[at : at + _PIECE] for at in range(0, len(emissions), _PIECE))
    kinds = [kinds_of(emission_scores(piece, profiles.steps_per_bit)) for piece in pieces]
    return np.concatenate(kinds), words


def _group_odds(emissions: NDArray[np.uint8], steps_per_bit: int) -> NDArray[np.int16]:
    """How much likelier each group is at each position than anywhere; in steps."""
    # By residue: sums over rows have one order on every machine.
    likely = probabilities_of_steps(steps_per_bit)[np.ascontiguousarray(emissions.T)]
    by_group = np.zeros((len(GROUPS), len(emissions)), np.float32)
    for group, row in zip(GROUP_OF, likely, strict=True):
        by_group[group] += row
    by_group /= by_group.sum(axis=0)
    usual = np.bincount(GROUP_OF, weights=background())[:, np.newaxis]
    odds = np.log2(np.maximum(by_group.astype(np.float64), _RAREST) / usual)
    steps: NDArray[np.int16] = np.rint(_ODDS_STEPS * odds).astype(np.int16).T
    return steps


class _Ranked(NamedTuple):
    """Groups of each position, the likeliest first; shape (positions, 16), four of which are none.

    Attributes:
        groups: Their numbers.
        losses: Odds less those of the likeliest, in steps.
        best: Odds of the likeliest.
    """

    groups: NDArray[np.uint8]
    losses: NDArray[np.int16]
    best: NDArray[np.int16]

    @classmethod
    def of(cls, odds: NDArray[np.int16]) -> _Ranked:
        # One number to sort holds both: the group breaks ties, as a stable order would.
        both = np.full((len(odds), _RANKS), np.iinfo(np.int16).max, np.int16)
        both[:, : len(GROUPS)] = -odds * _RANKS + np.arange(len(GROUPS), dtype=np.int16)
        both.sort(axis=1)
        falling = both >> _RANK_BITS
        best = -falling[:, 0]
        losses = -(falling + best[:, np.newaxis])
        losses[:, len(GROUPS) :] = np.iinfo(np.int16).min
        return cls((both & (_RANKS - 1)).astype(np.uint8), losses, best)


_RANK_BITS: Final = 4
_RANKS: Final = 1 << _RANK_BITS
_BYTE_SUM: Final = np.uint64(0x0101010101010101)


def _likely_words(
    ranked: _Ranked,
    family: NDArray[np.int32],
    least: NDArray[np.int16],
    pattern: tuple[int, ...],
) -> _PatternWords:
    """All words with enough odds, by position; residue by residue."""
    count = max(len(family) - pattern[-1], 0)
    most = np.zeros(count, np.int16)
    for place in pattern:
        most += ranked.best[place : place + count]
    # What a word may lose against the likeliest one.
    spare = most - least[:count]
    at = np.flatnonzero((family[:count] == family[len(family) - count :]) & (spare >= 0))
    spare, at = spare[at], at.astype(np.int32)
    words = np.zeros(len(at), np.uint16)
    for place in pattern:
        choices = _trues(ranked.losses[at + place] + spare[:, np.newaxis] >= 0)
        before = np.cumsum(choices, dtype=np.int32) - choices
        # Of each word and choice the place in the table of ranks, whose rows are flat here.
        chosen = np.repeat((at + place) * _RANKS - before, choices)
        chosen += np.arange(len(chosen), dtype=np.int32)
        words = np.repeat(words * np.uint16(len(GROUPS)), choices)
        words += ranked.groups.ravel()[chosen]
        if place == pattern[-1]:
            break
        spare = np.repeat(spare, choices) + ranked.losses.ravel()[chosen]
        at = np.repeat(at, choices)
    counts = np.bincount(at, weights=choices, minlength=len(family))
    return _PatternWords(words, counts.astype(np.uint16))


def _trues(rows: NDArray[np.bool_]) -> NDArray[np.int32]:
    """How many of each row of 16 are true."""
    eights = rows.view(np.uint64)
    return (((eights[:, 0] + eights[:, 1]) * _BYTE_SUM) >> np.uint64(56)).astype(np.int32)
