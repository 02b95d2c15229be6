"""Low complexity: stretches made of few kinds of residues.

Windows of 12 residues by their entropy, as SEG does in its first step (Wootton & Federhen
1993, doi:10.1016/0097-8485(93)85006-X): a window of little entropy starts a stretch, and
neighbouring windows that are nearly as poor extend it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from genint.model.features import FeatureKind, SequenceFeature
from genint.sources.features_residues import BREAK, CODES, Residues, runs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

METHOD: Final = "SEG entropy, 12 residues"
WINDOW: Final = 12
STARTING_BITS: Final = 1.9
"""Entropy up to which a window starts a stretch. SEG masks from 2.2 on, so as to lose no
chance match; 1.9 keeps what a reader would call poor."""
EXTENDING_BITS: Final = 2.2
_SCALE: Final = 10**6


def find_low_complexity(residues: Residues) -> dict[int, tuple[SequenceFeature, ...]]:
    """Stretches of low complexity of each protein that has one, in order.

    Scores are bits of entropy below the largest that a window can have (log2 of 12), in the
    poorest window.

    Cost: 0.1 us a residue.
    """
    import numpy as np  # noqa: PLC0415 - costs 0.1 s

    bits = _entropies(residues.codes)
    starting = np.flatnonzero(bits <= round(STARTING_BITS * _SCALE))
    found: dict[int, list[SequenceFeature]] = {}
    for run in runs(bits <= round(EXTENDING_BITS * _SCALE)):
        if np.searchsorted(starting, run.first) == np.searchsorted(starting, run.end):
            continue
        owner = int(residues.owners(np.array([run.first]))[0])
        start = int(residues.starts[owner])
        poorest = int(bits[run.first : run.end].min()) / _SCALE
        feature = SequenceFeature(
            FeatureKind.LOW_COMPLEXITY,
            run.first - start + 1,
            run.end - 1 - start + WINDOW,
            round(math.log2(WINDOW) - poorest, 3),
            METHOD,
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

    count = max(0, len(codes) - WINDOW + 1)
    bits = np.zeros(count, dtype=np.int64)
    if not count:
        return bits
    shares = [number / WINDOW for number in range(1, WINDOW + 1)]
    told = [0, *(round(-share * math.log2(share) * _SCALE) for share in shares)]
    table = np.array(told, dtype=np.int64)
    totals = np.zeros(len(codes) + 1, dtype=np.uint8)
    for code in range(CODES):
        # Totals run over at 256, which their differences, 12 at most, don't mind.
        np.cumsum(codes == code, dtype=np.uint8, out=totals[1:])
        seen = totals[WINDOW:] - totals[:-WINDOW]
        if code == BREAK:
            bits[seen > 0] = 10 * _SCALE
        else:
            bits += table[seen]
    return bits
