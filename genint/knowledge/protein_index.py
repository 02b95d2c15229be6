"""Index of the proteins of a reference, for finding those that are like another protein.

A folder of flat little-endian arrays that processes map into memory and share:

    header.json         format, counts, size of every array, digest of all their bytes
    residues.u8         residues of all proteins, a zero behind each
    offsets.i64         where the residues of each protein start, and where the last end
    ranks.u32           place of each protein in the order of accessions
    seeds.i64           where the places of each seed start in ``places``, and where they end
    places.u32          places in ``residues`` at which a seed starts, seed by seed
    entries.jsonl       what is known of each protein, one JSON array a line
    entry_offsets.i64   where each line starts, and where the last ends

A seed is five residues out of six (the third left out) in an alphabet of twelve groups of
residues that replace one another often: 248,832 seeds. Leaving a place out makes
neighbouring seeds less alike, so that two of them on one diagonal say more.

Seeds with gaps: Ma, Tromp & Li 2002, doi:10.1093/bioinformatics/18.3.440; reduced
alphabets: Murphy, Wallqvist & Levy 2000, doi:10.1093/protein/13.3.149.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from genint.errors import UnavailableError
from genint.model.reference import ReferenceEntry

if TYPE_CHECKING:
    from numpy.typing import NDArray

INDEX_FORMAT = 1
"""Raised whenever an older index can no longer be read."""

SEED_GROUPS: Final = ("AST", "C", "DN", "EQ", "FY", "G", "H", "IV", "KR", "LM", "P", "W")
"""Residues that count as the same in a seed."""
SEED_PLACES: Final = (0, 1, 3, 4, 5)
"""Places of the residues of a seed, from its first."""
SEED_SPAN: Final = SEED_PLACES[-1] + 1
SEEDS: Final = len(SEED_GROUPS) ** len(SEED_PLACES)
HEADER_FILE: Final = "header.json"
ENTRIES_FILE: Final = "entries.jsonl"
NO_SEED: Final = 255
"""Group of what is no residue that a seed can hold: X, B, Z, and the end of a protein."""


_ALIKE: Final = str.maketrans("UO", "CK")
"""Selenocysteine and pyrrolysine are compared as what they stand in for."""
_NOT_A_RESIDUE: Final = re.compile("[^ACDEFGHIKLMNPQRSTVWYBZX]")


class ArrayFile(NamedTuple):
    """An array of the index: name of its file, and type of its items."""

    name: str
    dtype: str


RESIDUES: Final = ArrayFile("residues.u8", "|u1")
OFFSETS: Final = ArrayFile("offsets.i64", "<i8")
RANKS: Final = ArrayFile("ranks.u32", "<u4")
SEED_STARTS: Final = ArrayFile("seeds.i64", "<i8")
PLACES: Final = ArrayFile("places.u32", "<u4")
ENTRIES: Final = ArrayFile(ENTRIES_FILE, "|u1")
ENTRY_OFFSETS: Final = ArrayFile("entry_offsets.i64", "<i8")
ARRAYS: Final = (RESIDUES, OFFSETS, RANKS, SEED_STARTS, PLACES, ENTRIES, ENTRY_OFFSETS)
"""In the order in which the digest reads them."""


class IndexInfo(NamedTuple):
    """What an index says of itself.

    Attributes:
        proteins: How many it holds.
        residues: Of all of them together.
        digest: SHA-256 of all its arrays, hex: its identity.
    """

    proteins: int
    residues: int
    digest: str


def _group_table() -> NDArray[np.uint8]:
    table = np.full(256, NO_SEED, np.uint8)
    for number, group in enumerate(SEED_GROUPS):
        table[list(group.encode())] = number
    table.flags.writeable = False
    return table


_GROUP_OF: Final = _group_table()


def comparable(residues: str) -> bytes:
    """Residues as they are compared: upper case, whatever is none as X, stops at the end dropped.

    U and O become C and K.
    """
    text = residues.upper().rstrip("*").translate(_ALIKE)
    return _NOT_A_RESIDUE.sub("X", text).encode("ascii")


class Words(NamedTuple):
    """Seeds of a stretch of residues.

    Attributes:
        at: Place at which each starts, ascending.
        seeds: Their numbers, below :data:`SEEDS`.
    """

    at: NDArray[np.int64]
    seeds: NDArray[np.int32]


def seed_words(residues: NDArray[np.uint8]) -> Words:
    """All seeds of residues in upper-case ASCII.

    Cost: 60 million residues a second.
    """
    count = len(residues) - SEED_SPAN + 1
    if count <= 0:
        return Words(np.zeros(0, np.int64), np.zeros(0, np.int32))
    groups = _GROUP_OF[residues]
    seeds = np.zeros(count, np.int32)
    unknown = np.zeros(count, np.bool_)
    for place in SEED_PLACES:
        group = groups[place : place + count]
        unknown |= group == NO_SEED
        seeds *= len(SEED_GROUPS)
        seeds += group
    at = np.flatnonzero(~unknown)
    return Words(at, seeds[at])


@dataclass(frozen=True, slots=True)
class ProteinIndex:
    """An index that is open; arrays are read from disk where they are touched.

    Attributes:
        info: Counts and identity.
        residues, offsets, ranks, seed_starts, places: Arrays as the module describes them.
    """

    info: IndexInfo
    residues: NDArray[np.uint8]
    offsets: NDArray[np.int64]
    ranks: NDArray[np.uint32]
    seed_starts: NDArray[np.int64]
    places: NDArray[np.uint32]
    _entries: NDArray[np.uint8]
    _entry_offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return self.info.proteins

    def protein(self, number: int) -> bytes:
        """Residues of one protein, upper-case ASCII."""
        first, behind = int(self.offsets[number]), int(self.offsets[number + 1])
        return self.residues[first : behind - 1].tobytes()

    def lengths(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Residues of each of several proteins."""
        lengths: NDArray[np.int64] = self.offsets[numbers + 1] - self.offsets[numbers] - 1
        return lengths

    def entry(self, number: int) -> ReferenceEntry:
        """What is known of one protein.

        Raises:
            UnavailableError: its line is damaged.
        """
        first, behind = int(self._entry_offsets[number]), int(self._entry_offsets[number + 1])
        try:
            return read_entry(self._entries[first:behind].tobytes())
        except (ValueError, TypeError) as cause:
            raise UnavailableError(
                f"the protein index is damaged: entry {number} cannot be read"
            ) from cause


def write_entry(entry: ReferenceEntry) -> bytes:
    """An entry as a line of ``entries.jsonl``."""
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def read_entry(line: bytes) -> ReferenceEntry:
    """The entry that :func:`write_entry` wrote.

    Raises:
        ValueError, TypeError: it is none.
    """
    accession, name, symbol, organism, ec, go, cog, pfam, existence, length, digest = json.loads(
        line
    )
    return ReferenceEntry(
        accession,
        name,
        symbol,
        organism,
        ec=tuple(ec),
        go=tuple(go),
        cog=cog,
        pfam=tuple(pfam),
        existence=existence,
        length_aa=length,
        digest=digest,
    )


def open_index(folder: Path) -> ProteinIndex:
    """Open the index that :func:`genint.knowledge.protein_index_build.build_index` made.

    Sizes of all arrays and the ends of their offsets are checked, not every byte.

    Raises:
        UnavailableError: it is not there, damaged or cut short, or of another format.

    Cost: below 1 ms.
    """
    header = _read_header(folder)
    info = _info(header)
    items = {
        RESIDUES: info.residues + info.proteins,
        OFFSETS: info.proteins + 1,
        RANKS: info.proteins,
        SEED_STARTS: SEEDS + 1,
        ENTRY_OFFSETS: info.proteins + 1,
    }
    arrays = {file: _map(folder, file, header, items.get(file)) for file in ARRAYS}
    index = ProteinIndex(info, *(arrays[file] for file in ARRAYS))
    _check_ends(index.offsets, len(index.residues), OFFSETS)
    _check_ends(index.seed_starts, len(index.places), SEED_STARTS)
    _check_ends(arrays[ENTRY_OFFSETS], len(arrays[ENTRIES]), ENTRY_OFFSETS)
    return index


def _read_header(folder: Path) -> Mapping[str, Any]:
    try:
        header = json.loads((folder / HEADER_FILE).read_bytes())
    except OSError as cause:
        raise UnavailableError(f"there is no protein index in {folder}") from cause
    except ValueError as cause:
        raise UnavailableError(
            f"the protein index in {folder} is damaged: {HEADER_FILE} cannot be read"
        ) from cause
    found = header.get("format") if isinstance(header, dict) else None
    if found != INDEX_FORMAT or not isinstance(header, dict):
        raise UnavailableError(
            f"the protein index in {folder} has format {found}, this version reads "
            f"{INDEX_FORMAT}; build it again"
        )
    return header


def _info(header: Mapping[str, Any]) -> IndexInfo:
    try:
        info = IndexInfo(int(header["proteins"]), int(header["residues"]), str(header["digest"]))
    except (KeyError, TypeError, ValueError) as cause:
        raise _damaged(HEADER_FILE, "counts are missing") from cause
    if info.proteins < 0 or info.residues < 0:
        raise _damaged(HEADER_FILE, "counts are below zero")
    return info


def _map(
    folder: Path, file: ArrayFile, header: Mapping[str, Any], items: int | None
) -> NDArray[Any]:
    """An array of the index, mapped into memory.

    Raises:
        UnavailableError: it is not there or has another size than it should have.
    """
    item_bytes = np.dtype(file.dtype).itemsize
    try:
        expected = int(header["arrays"][file.name])
        found = (folder / file.name).stat().st_size
    except (KeyError, TypeError, ValueError, OSError) as cause:
        raise _damaged(file.name, "it is not there") from cause
    if found != expected or found % item_bytes:
        raise _damaged(file.name, f"it has {found:,} bytes instead of {expected:,}")
    if items is not None and found != items * item_bytes:
        raise _damaged(file.name, f"it does not fit the counts of {HEADER_FILE}")
    if not found:  # An empty file cannot be mapped.
        return np.zeros(0, file.dtype)
    try:
        mapped = np.memmap(folder / file.name, dtype=file.dtype, mode="r")
    except (OSError, ValueError) as cause:
        raise _damaged(file.name, "it cannot be read") from cause
    return mapped.view(np.ndarray)  # Slices of a memmap cost 5 us each, those of an array 0.1.


def _check_ends(offsets: NDArray[np.int64], total: int, file: ArrayFile) -> None:
    if int(offsets[0]) != 0 or int(offsets[-1]) != total:
        raise _damaged(file.name, "it does not fit the array that it points into")


def _damaged(file: str, reason: str) -> UnavailableError:
    return UnavailableError(f"the protein index is damaged: {file}: {reason}; build it again")
