"""Shares as they are printed, and how sure a counted share is."""

from __future__ import annotations

import math

_ALL = 100
_Z_95 = 1.959964
"""Standard normal deviate of a two-sided interval of 95 %."""


def percent(share: float) -> str:
    """A share in 0..1 as whole per cent, such as ``63%``.

    What is not all of it never reads ``100%``: 640 of 641 are ``99%``.
    """
    rounded = round(_ALL * share)
    return f"{rounded if share >= 1 else min(rounded, _ALL - 1)}%"


def wilson(right: int, judged: int) -> tuple[float, float]:
    """Interval of 95 % of the share ``right / judged``; (0, 1) where nothing was judged.

    Source: Wilson 1927, doi:10.1080/01621459.1927.10502953
    """
    if not judged:
        return 0.0, 1.0
    share, square = right / judged, _Z_95**2
    middle = share + square / (2 * judged)
    spread = _Z_95 * math.sqrt(share * (1 - share) / judged + square / (4 * judged**2))
    scale = 1 + square / judged
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)
