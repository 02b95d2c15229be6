"""Shares as they are printed."""

from __future__ import annotations

_ALL = 100


def percent(share: float) -> str:
    """A share in 0..1 as whole per cent, such as ``63%``.

    What is not all of it never reads ``100%``: 640 of 641 are ``99%``.
    """
    rounded = round(_ALL * share)
    return f"{rounded if share >= 1 else min(rounded, _ALL - 1)}%"
