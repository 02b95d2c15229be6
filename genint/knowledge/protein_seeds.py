"""Codes of residues, and the seeds in them, for :mod:`genint.knowledge.protein_index`.

Seeds with gaps: Ma, Tromp & Li 2002, doi:10.1093/bioinformatics/18.3.440; reduced
alphabets: Murphy, Wallqvist & Levy 2000, doi:10.1093/protein/13.3.149.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_GROUPS: Final = ("AST", "C", "DN", "EQ", "FY", "G", "H", "IV", "KR", "LM", "P", "W")
"""Residues whose codes have the same upper four bits: they replace one another often."""
END_CODE: Final = 0xD0
_UNKNOWN: Final = {"X": 0xF0, "B": 0xF1, "Z": 0xF2}
_ALIKE: Final = str.maketrans("UO", "CK")
"""Selenocysteine and pyrrolysine are compared as what they stand in for."""
_NOT_A_RESIDUE: Final = re.compile("[^ACDEFGHIKLMNPQRSTVWYBZX]")
_NO_GROUP: Final = 255


class SeedKind(NamedTuple):
    """How seeds are read.

    Attributes:
        name: In the names of files.
        groups: Residues that count as the same.
        places: Of its residues, from its first.
        beside: Places of eight residues beside and between them, from its first, that tell
            kin from chance; or none.
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
