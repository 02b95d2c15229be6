"""Index of the proteins of a reference, for finding those that are like another protein.

Flat little-endian arrays in a folder that processes map into memory and share:
    header.json         format, counts, size of every array, digest of all their bytes
    residues.u8         codes of the residues, an end behind each protein, 64 ends around all
    offsets.i64         where the residues of each protein start, and where another would
    ranks.u32           place of each protein in the order of accessions
    near_starts.i64     where the places of each seed start in ``near_places``, and their end
    near_places.u32     places in ``residues`` at which a seed of the first kind starts
    far_starts.i64      the same for the second kind
    far_places.u32
    far_beside.u32      groups of the eight residues beside each of these places, 4 bits each
    wide_...            the same three for the third kind
    entries.jsonl       what is known of each protein, one JSON array a line
    entry_offsets.i64   where each line starts, and where another would

A seed is a few residues of a short stretch, taken as groups of residues that replace one
another often. Those of the first kind find most homologs and are quickly looked up; those of the
others find more, and many by chance, which the residues beside them show without another look-up.

Seeds with gaps: Ma, Tromp & Li 2002, doi:10.1093/bioinformatics/18.3.440; reduced alphabets:
Murphy, Wallqvist & Levy 2000, doi:10.1093/protein/13.3.149.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from genint.errors import UnavailableError
from genint.model.evidence import ReferenceEntry

_GROUPS: Final = ("AST", "C", "DN", "EQ", "FY", "G", "H", "IV", "KR", "LM", "P", "W")
"""Residues whose codes have the same upper four bits: they replace one another often."""
END_CODE: Final = 0xD0
_UNKNOWN: Final = {"X": 0xF0, "B": 0xF1, "Z": 0xF2}
_ALIKE: Final = str.maketrans("UO", "CK")
"""Selenocysteine and pyrrolysine are compared as the residues that they replace."""
_NOT_A_RESIDUE: Final = re.compile("[^ACDEFGHIKLMNPQRSTVWYBZX]")
_NO_GROUP: Final = 255


class SeedKind(NamedTuple):
    """How seeds are read.

    Attributes:
        name: In the names of files.
        groups: Residues that count as the same.
        places: Of its residues, from its first.
        beside: Places of eight residues beside and between them, from its first, that
            distinguish homologs from chance; or none.
    """

    name: str
    groups: tuple[str, ...]
    places: tuple[int, ...]
    beside: tuple[int, ...] = ()

    @property
    def span(self) -> int:
        """Residues from the first to the last of a seed."""
        return self.places[-1] + 1

    @property
    def seeds(self) -> int:
        """How many different ones there are."""
        return int(len(self.groups) ** len(self.places))


NEAR: Final = SeedKind(
    "near", ("A", "KR", "EDNQ", "C", "G", "H", "ILVM", "FYW", "P", "ST"), (0, 1, 3, 4, 5, 6)
)
FAR: Final = SeedKind("far", _GROUPS, (0, 1, 3, 4, 5), (-3, -2, -1, 2, 6, 7, 8, 9))
WIDE: Final = SeedKind("wide", _GROUPS, (0, 2, 3, 6, 7), (-2, -1, 1, 4, 5, 8, 9, 10))
SEED_KINDS: Final = (NEAR, FAR, WIDE)
MOST_BESIDE: Final = 16
"""No residue beside a seed is further away from its first one."""


def _letter_codes() -> bytes:
    codes = bytearray([_UNKNOWN["X"]] * 256)
    for number, group in enumerate(_GROUPS):
        for member, letter in enumerate(group):
            codes[ord(letter)] = number << 4 | member
    for letter, code in _UNKNOWN.items():
        codes[ord(letter)] = code
    return bytes(codes)


_CODE_OF: Final = _letter_codes()
LETTER_OF: Final = bytes(
    next((letter for letter in b"ACDEFGHIKLMNPQRSTVWYBZX" if _CODE_OF[letter] == code), ord("X"))
    for code in range(256)
)


def _group_table(kind: SeedKind) -> NDArray[np.uint8]:
    table = np.full(256, _NO_GROUP, np.uint8)
    for number, group in enumerate(kind.groups):
        table[list(group.encode().translate(_CODE_OF))] = number
    table.flags.writeable = False
    return table


_GROUP_TABLES: Final = {kind: _group_table(kind) for kind in SEED_KINDS}


def comparable(residues: str) -> bytes:
    """Residues as they are compared, in ASCII.

    Upper case; stops at the end are dropped, U and O become C and K, and whatever else is no
    residue becomes X.
    """
    text = residues.upper().rstrip("*").translate(_ALIKE)
    return _NOT_A_RESIDUE.sub("X", text).encode("ascii")


def encode(letters: bytes) -> bytes:
    """Codes of comparable residues; codes of one group differ in the lower four bits only."""
    return letters.translate(_CODE_OF)


class Words(NamedTuple):
    """Seeds of a stretch of residues.

    Attributes:
        at: Place at which each starts, ascending.
        seeds: Their numbers.
    """

    at: NDArray[np.int64]
    seeds: NDArray[np.int32]


def seed_words(codes: NDArray[np.uint8], kind: SeedKind) -> Words:
    """All seeds of a kind in residues; X, B, Z and ends of proteins are in none.

    Cost: 60 million residues a second.
    """
    count = len(codes) - kind.span + 1
    if count <= 0:
        return Words(np.zeros(0, np.int64), np.zeros(0, np.int32))
    groups = _GROUP_TABLES[kind][codes]
    seeds = np.zeros(count, np.int32)
    unknown = np.zeros(count, np.bool_)
    for place in kind.places:
        group = groups[place : place + count]
        unknown |= group == _NO_GROUP
        seeds *= len(kind.groups)
        seeds += group
    at = np.flatnonzero(~unknown)
    return Words(at, seeds[at])


def surroundings(
    codes: NDArray[np.uint8], at: NDArray[np.int64], kind: SeedKind
) -> NDArray[np.uint32]:
    """Groups of the eight residues beside seeds, four bits each.

    Args:
        codes: Residues, :data:`MOST_BESIDE` of them before and behind every seed.
        at: Places at which the seeds start.
        kind: Of the seeds; one that has residues beside.
    """
    groups = codes >> 4
    around = np.zeros(len(at), np.uint32)
    for place in kind.beside:
        around <<= np.uint32(4)
        around |= groups[at + place]
    return around


def alike_beside(ours: NDArray[np.uint32], theirs: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """Of how many of the eight residues beside seeds the groups are the same."""
    unlike = ours ^ theirs
    unlike |= unlike >> np.uint32(1)
    unlike |= unlike >> np.uint32(2)
    unlike &= np.uint32(0x11111111)
    alike: NDArray[np.uint8] = np.uint8(8) - np.bitwise_count(unlike)
    return alike


INDEX_FORMAT = 2
"""Raised whenever an older index can no longer be read."""

HEADER_FILE: Final = "header.json"

PADDING: Final = 64
"""Ends of proteins before the first and behind the last one: windows around any place of a
residue stay inside the array."""


class ArrayFile(NamedTuple):
    """An array of the index: name of its file, and type of its items."""

    name: str
    dtype: str


RESIDUES: Final = ArrayFile("residues.u8", "|u1")
OFFSETS: Final = ArrayFile("offsets.i64", "<i8")
RANKS: Final = ArrayFile("ranks.u32", "<u4")
ENTRIES: Final = ArrayFile("entries.jsonl", "|u1")
ENTRY_OFFSETS: Final = ArrayFile("entry_offsets.i64", "<i8")


def starts_file(kind: SeedKind) -> ArrayFile:
    """Where the places of each seed of a kind start."""
    return ArrayFile(f"{kind.name}_starts.i64", "<i8")


def places_file(kind: SeedKind) -> ArrayFile:
    """Places at which the seeds of a kind start."""
    return ArrayFile(f"{kind.name}_places.u32", "<u4")


def beside_file(kind: SeedKind) -> ArrayFile:
    """Groups of the residues beside the seeds of a kind that has them."""
    return ArrayFile(f"{kind.name}_beside.u32", "<u4")


def seed_files(kind: SeedKind) -> tuple[ArrayFile, ...]:
    """All files of a kind of seeds."""
    files = (starts_file(kind), places_file(kind))
    return (*files, beside_file(kind)) if kind.beside else files


ARRAYS: Final = (
    RESIDUES,
    OFFSETS,
    RANKS,
    *(file for kind in SEED_KINDS for file in seed_files(kind)),
    ENTRIES,
    ENTRY_OFFSETS,
)
"""In the order in which the digest reads them."""


class IndexInfo(NamedTuple):
    """Header of an index.

    Attributes:
        proteins: How many it holds.
        residues: Of all of them together.
        digest: SHA-256 of all its arrays, hex: its identity.
    """

    proteins: int
    residues: int
    digest: str


class SeedTable(NamedTuple):
    """Where the seeds of a kind occur.

    Attributes:
        kind: How they are read.
        starts: Where the places of each seed start, and where the last ones end.
        places: Of all seeds, seed by seed, ascending.
        beside: Groups of the residues beside each of them, or nothing.
    """

    kind: SeedKind
    starts: NDArray[np.int64]
    places: NDArray[np.uint32]
    beside: NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class ProteinIndex:
    """An index that is open; arrays are read from disk where they are touched.

    Attributes:
        info: Counts and identity.
        codes: Residues, as the module describes them.
        offsets, ranks: Arrays as the module describes them.
        near, far, wide: Where seeds of the three kinds occur.
    """

    info: IndexInfo
    codes: NDArray[np.uint8]
    offsets: NDArray[np.int64]
    ranks: NDArray[np.uint32]
    near: SeedTable
    far: SeedTable
    wide: SeedTable
    _entries: NDArray[np.uint8]
    _entry_offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return self.info.proteins

    def protein(self, number: int) -> bytes:
        """Residues of one protein, upper-case ASCII."""
        first, behind = int(self.offsets[number]), int(self.offsets[number + 1])
        return self.codes[first : behind - 1].tobytes().translate(LETTER_OF)

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
        RESIDUES: info.residues + info.proteins + 2 * PADDING,
        OFFSETS: info.proteins + 1,
        RANKS: info.proteins,
        ENTRY_OFFSETS: info.proteins + 1,
    } | {starts_file(kind): kind.seeds + 1 for kind in SEED_KINDS}
    arrays = {file: _map(folder, file, header, items.get(file)) for file in ARRAYS}
    residues, offsets, ranks = arrays[RESIDUES], arrays[OFFSETS], arrays[RANKS]
    entries, entry_offsets = arrays[ENTRIES], arrays[ENTRY_OFFSETS]
    _check_ends(offsets, (PADDING, len(residues) - PADDING), OFFSETS)
    _check_ends(entry_offsets, (0, len(entries)), ENTRY_OFFSETS)
    near, far, wide = (_table(kind, arrays) for kind in SEED_KINDS)
    return ProteinIndex(info, residues, offsets, ranks, near, far, wide, entries, entry_offsets)


def _table(kind: SeedKind, arrays: Mapping[ArrayFile, NDArray[Any]]) -> SeedTable:
    starts, places = arrays[starts_file(kind)], arrays[places_file(kind)]
    _check_ends(starts, (0, len(places)), starts_file(kind))
    beside = arrays.get(beside_file(kind), np.zeros(0, np.uint32))
    if kind.beside and len(beside) != len(places):
        raise _damaged(beside_file(kind).name, "it does not fit the places that it describes")
    return SeedTable(kind, starts, places, beside)


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


def _check_ends(offsets: NDArray[np.int64], ends: tuple[int, int], file: ArrayFile) -> None:
    if (int(offsets[0]), int(offsets[-1])) != ends:
        raise _damaged(file.name, "it does not fit the array that it points into")


def _damaged(file: str, reason: str) -> UnavailableError:
    return UnavailableError(f"the protein index is damaged: {file}: {reason}; build it again")
