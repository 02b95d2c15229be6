"""Where a circle is opened: at the same place however the file turns or writes it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from genint.model.sequence import reverse_complement

_TIE_BREAK_BP = 2_000
"""Bases compared to choose between openings with equally long runs."""


class _Opening(NamedTuple):
    """A place to open a circle, as seen from one of its strands.

    Attributes:
        run_bp: Length of the run of A that the strand begins with here.
        at: First base of the run, on that strand.
        text: What follows from there, on that strand.
    """

    run_bp: int
    at: int
    text: str


def canonical_opening(bases: str) -> int:
    """The base to open a circle at: the same place however the file rotates it.

    The longest run of A on either strand, and among equals the one that the first bases
    in alphabetical order follow. So both strands of one molecule are cut between the same
    two base pairs. Exact repeats of 2 kb may still tie.

    Returns:
        Index of the base behind the cut, on the strand that is given.

    Cost: O(length); 0.1 s for 4.6 Mb.
    """
    if not bases:
        return 0
    here = _best(_openings(bases))
    there = _best(_openings(reverse_complement(bases)))
    if here is None and there is None:
        return 0
    if there is None or (here is not None and _key(here) <= _key(there)):
        return here.at if here is not None else 0
    return (len(bases) - there.at) % len(bases)


def _openings(bases: str) -> Iterator[_Opening]:
    """The longest runs of A on a circle, each whole, also over the origin."""
    compared_bp = min(_TIE_BREAK_BP, len(bases))
    doubled = bases + bases[:compared_bp]
    runs = [run.span() for run in re.finditer("A+", doubled) if run.start() < len(bases)]
    if runs and runs[0][0] == 0 and bases.endswith("A"):
        del runs[0]  # the tail of the run at the end of the circle
    longest_bp = max((end - start for start, end in runs), default=0)
    for start, end in runs:
        if end - start == longest_bp:
            yield _Opening(longest_bp, start, doubled[start : start + compared_bp])


def _best(openings: Iterator[_Opening]) -> _Opening | None:
    return min(openings, key=_key, default=None)


def _key(opening: _Opening) -> tuple[int, str]:
    return -opening.run_bp, opening.text
