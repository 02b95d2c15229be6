"""Residues of many proteins in one array, and sums over windows of them.

All that the methods compare with a threshold is a sum of whole numbers, so that what is
found in a protein does not depend on the proteins that are looked at with it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from genint.model.evidence import FeatureKind, SequenceFeature

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


RESIDUES: Final = "ACDEFGHIKLMNPQRSTVWY"
UNKNOWN: Final = 20
"""Code of a residue that is not one of the twenty. (U counts as C, O as K.)"""
BREAK: Final = 21
"""Code of a stop and of the room between two proteins: no window lies over it."""
CODES: Final = 22
ROOM: Final = 32
"""Residues of room after each protein, more than any window."""
_FORBIDDEN: Final = -(10**9)


class Run(NamedTuple):
    """A stretch of consecutive positions.

    Attributes:
        first: Position in the array, 0-based.
        end: Position after the last.
    """

    first: int
    end: int


@dataclass(frozen=True, slots=True)
class Residues:
    """Proteins one after the other, with room after each.

    Attributes:
        codes: Number of each residue in ``RESIDUES``, or one of the codes above.
        starts: Where each protein begins.
        lengths: Residues of each.
    """

    codes: NDArray[np.uint8]
    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]

    @classmethod
    def of(cls, proteins: Sequence[str]) -> Self:
        """Proteins in one-letter code, of any case. O(residues)."""
        import numpy as np  # noqa: PLC0415 - costs 0.1 s

        room = "*" * ROOM
        text = "".join(protein + room for protein in proteins).encode("ascii", "replace")
        codes = np.frombuffer(text.translate(_TABLE), dtype=np.uint8)
        lengths = np.array([len(protein) for protein in proteins], dtype=np.int64)
        starts = np.concatenate(([0], np.cumsum(lengths + ROOM)[:-1])).astype(np.int64)
        return cls(codes, starts[: len(proteins)], lengths)

    def values(self, of_code: Sequence[int]) -> NDArray[np.int64]:
        """A whole number for each residue.

        Args:
            of_code: For each code up to ``UNKNOWN``; breaks get one that no window survives.
        """
        import numpy as np  # noqa: PLC0415 - costs 0.1 s

        table = np.array([*of_code, _FORBIDDEN], dtype=np.int64)
        numbers: NDArray[np.int64] = table[self.codes]
        return numbers

    def owners(self, positions: NDArray[np.int64]) -> NDArray[np.int64]:
        """Number of the protein that each position lies in."""
        import numpy as np  # noqa: PLC0415 - costs 0.1 s

        numbers: NDArray[np.int64] = np.searchsorted(self.starts, positions, side="right") - 1
        return numbers


def _table() -> bytes:
    codes = {letter: number for number, letter in enumerate(RESIDUES)}
    codes |= {"U": codes["C"], "O": codes["K"], "*": BREAK}
    codes |= {letter.lower(): code for letter, code in codes.items()}
    return bytes(codes.get(chr(byte), UNKNOWN) for byte in range(256))


_TABLE: Final = _table()


def by_code(values: Mapping[str, float], scale: int) -> tuple[int, ...]:
    """Values of the twenty residues as whole numbers, and their mean for the unknown.

    Args:
        values: By one-letter code.
        scale: What they are multiplied with before rounding.
    """
    numbers = [round(values[letter] * scale) for letter in RESIDUES]
    return (*numbers, round(sum(numbers) / len(numbers)))


def window_sums(values: NDArray[np.int64], width: int) -> NDArray[np.int64]:
    """Sum of ``width`` values from each position on; the last positions have none."""
    import numpy as np  # noqa: PLC0415 - costs 0.1 s

    if len(values) < width:
        return np.zeros(0, dtype=np.int64)
    totals = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(values)))
    sums: NDArray[np.int64] = totals[width:] - totals[:-width]
    return sums


def runs(chosen: NDArray[np.bool_]) -> Iterator[Run]:
    """Stretches of true values, from left to right."""
    import numpy as np  # noqa: PLC0415 - costs 0.1 s

    padded = np.concatenate(([False], chosen, [False]))
    borders = np.flatnonzero(padded[1:] != padded[:-1]).tolist()
    yield from (Run(*pair) for pair in zip(borders[::2], borders[1::2], strict=True))


LOW_COMPLEXITY_METHOD: Final = "SEG entropy, 12 residues"
LOW_COMPLEXITY_WINDOW: Final = 12
STARTING_BITS: Final = 1.9
"""Entropy up to which a window starts a stretch. SEG masks from 2.2 on, so as to lose no
chance match; 1.9 keeps what a reader would call poor."""
EXTENDING_BITS: Final = 2.2
_ENTROPY_SCALE: Final = 10**6


def find_low_complexity(residues: Residues) -> dict[int, tuple[SequenceFeature, ...]]:
    """Stretches of low complexity of each protein that has one, in order.

    Scores are bits of entropy below the largest that a window can have (log2 of 12), in the
    poorest window.

    Cost: 0.1 us a residue.
    """
    import numpy as np  # noqa: PLC0415 - costs 0.1 s

    bits = _entropies(residues.codes)
    starting = np.flatnonzero(bits <= round(STARTING_BITS * _ENTROPY_SCALE))
    found: dict[int, list[SequenceFeature]] = {}
    for run in runs(bits <= round(EXTENDING_BITS * _ENTROPY_SCALE)):
        if np.searchsorted(starting, run.first) == np.searchsorted(starting, run.end):
            continue
        owner = int(residues.owners(np.array([run.first]))[0])
        start = int(residues.starts[owner])
        poorest = int(bits[run.first : run.end].min()) / _ENTROPY_SCALE
        feature = SequenceFeature(
            FeatureKind.LOW_COMPLEXITY,
            run.first - start + 1,
            run.end - 1 - start + LOW_COMPLEXITY_WINDOW,
            round(math.log2(LOW_COMPLEXITY_WINDOW) - poorest, 3),
            LOW_COMPLEXITY_METHOD,
        )
        found.setdefault(owner, []).append(feature)
    return {owner: tuple(_joined(features)) for owner, features in found.items()}


def _joined(features: list[SequenceFeature]) -> list[SequenceFeature]:
    """Features in order, those that overlap made one."""
    joined: list[SequenceFeature] = []
    for feature in features:
        if joined and feature.first <= joined[-1].last:
            last = joined.pop()
            best = max(last.score, feature.score)
            joined.append(last._replace(last=feature.last, score=best))
        else:
            joined.append(feature)
    return joined


def _entropies(codes: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Scaled bits of the window from each position on; large where it meets a break."""
    import numpy as np  # noqa: PLC0415 - costs 0.1 s

    count = max(0, len(codes) - LOW_COMPLEXITY_WINDOW + 1)
    bits = np.zeros(count, dtype=np.int64)
    if not count:
        return bits
    shares = [number / LOW_COMPLEXITY_WINDOW for number in range(1, LOW_COMPLEXITY_WINDOW + 1)]
    told = [0, *(round(-share * math.log2(share) * _ENTROPY_SCALE) for share in shares)]
    table = np.array(told, dtype=np.int64)
    totals = np.zeros(len(codes) + 1, dtype=np.uint8)
    for code in range(CODES):
        # Totals run over at 256, which their differences, 12 at most, don't mind.
        np.cumsum(codes == code, dtype=np.uint8, out=totals[1:])
        seen = totals[LOW_COMPLEXITY_WINDOW:] - totals[:-LOW_COMPLEXITY_WINDOW]
        if code == BREAK:
            bits[seen > 0] = 10 * _ENTROPY_SCALE
        else:
            bits += table[seen]
    return bits
