"""Where labels go: around a circle, in rows above a line, or slanted along one; none overlap.

Lengths are inches, widths of texts are measured by who draws. Labels are tried in the order of
their weight; one that finds no place, or would push others too far, is left out. The same input
gives the same places.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

_LEAST_X: Final = 0.05
"""Of an anchor from the middle of a circle: labels of both sides stay apart at the poles."""
_SLACK: Final = 1e-6
_LEANS: Final = (0.5, 0.03, 0.97)
"""Which share of a label lies left of its leader."""


class Wanted(NamedTuple):
    """A label to place.

    Attributes:
        key: Given back.
        at: Angle clockwise from the top in radians (0..2 pi), or distance from the left.
        width: Of the text.
        weight: What has more is placed first.
    """

    key: int
    at: float
    width: float
    weight: float


class Spoke(NamedTuple):
    """A label beside a circle whose centre is 0, 0.

    Attributes:
        x, y: Where the text begins (right half) or ends (left half), and its middle.
        side: 1 in the right half, -1 in the left one.
        room: Width that the text may have; what is wider has to be cut.
    """

    key: int
    x: float
    y: float
    side: int
    room: float


class Ring(NamedTuple):
    """The place for labels around a circle.

    Attributes:
        rim: Radius at which leaders turn; they never come nearer to the centre.
        across, down: Half axes of the ellipse on which texts begin.
        line: Height of a line of text.
        half_width: Of the paper, from the centre; no text goes beyond.
        least_room: A wider text may be cut to this, but no further.
    """

    rim: float
    across: float
    down: float
    line: float
    half_width: float
    least_room: float


class Rowed(NamedTuple):
    """A label in a row above a line: its row from 0, its left end, and the foot of its leader."""

    key: int
    row: int
    left: float
    foot: float


class Slanted(NamedTuple):
    """A slanted label along a line: where its text begins, and the foot of its leader."""

    key: int
    x: float
    foot: float


def by_weight(wanted: Sequence[Wanted]) -> list[Wanted]:
    """What is placed first; of equal weight what is further to the front."""
    return sorted(wanted, key=lambda one: (-one.weight, one.at, one.key))


def spread(places: Sequence[float], gap: float, low: float, high: float) -> list[float] | None:
    """Places at least a gap apart and as near to the wanted ones as can be (least squares).

    Args:
        places: In rising order.
        gap: Between neighbours, >= 0.
        low: Bound of all.
        high: The other one.

    Returns:
        In the same order; None where they have no room.

    Cost: O(n) (pooling of neighbours that violate their order; Ayer et al. 1955,
    doi:10.1214/aoms/1177728423).
    """
    count = len(places)
    if (count - 1) * gap > high - low + _SLACK:
        return None
    pools: list[tuple[float, int]] = []
    for number, place in enumerate(places):
        total, size = place - number * gap, 1
        while pools and pools[-1][0] / pools[-1][1] > total / size:
            before, members = pools.pop()
            total, size = total + before, size + members
        pools.append((total, size))
    top = high - (count - 1) * gap
    moved = [min(max(total / size, low), top) for total, size in pools for _ in range(size)]
    return [place + number * gap for number, place in enumerate(moved)]


def around_circle(wanted: Sequence[Wanted], ring: Ring) -> tuple[Spoke, ...]:
    """Labels on both sides of a circle, level, in the order of their places.

    A leader goes from the rim to its text without crossing the circle or another leader: texts
    begin on an ellipse around the circle, and those of one side are in the order of their
    angles.

    Cost: O(n * m) for n labels of which m have room.
    """
    chosen: dict[int, list[Wanted]] = {1: [], -1: []}
    placed: dict[int, list[Spoke]] = {1: [], -1: []}
    for one in by_weight(wanted):
        side = 1 if one.at <= math.pi else -1
        tried = sorted([*chosen[side], one], key=lambda label: (math.cos(label.at), label.key))
        found = _one_side(tried, side, ring)
        if found is not None:
            chosen[side], placed[side] = tried, found
    return tuple(placed[1] + placed[-1])


def _one_side(labels: Sequence[Wanted], side: int, ring: Ring) -> list[Spoke] | None:
    heights = [ring.down * math.cos(label.at) for label in labels]
    levels = spread(heights, ring.line, -ring.down, ring.down)
    if levels is None:
        return None
    found: list[Spoke] = []
    feet: list[tuple[float, float]] = []
    for label, y in zip(labels, levels, strict=True):
        x = max(ring.across * math.sqrt(max(1 - (y / ring.down) ** 2, 0.0)), _LEAST_X)
        room = ring.half_width - x
        if room < min(label.width, ring.least_room):
            return None
        foot = ring.rim * math.sin(label.at) * side, ring.rim * math.cos(label.at)
        if _nearest(foot, (x, y)) < ring.rim * 0.985:
            return None
        feet.append(foot)
        found.append(Spoke(label.key, side * x, y, side, min(room, label.width)))
    return None if _cross(feet, [(abs(one.x), one.y) for one in found]) else found


def _cross(feet: Sequence[tuple[float, float]], ends: Sequence[tuple[float, float]]) -> bool:
    """Whether any two straight leaders cross in their inside, as where many begin at one place."""
    begins, stops = np.array(feet), np.array(ends)
    along = stops - begins

    def turns(points: FloatArray) -> FloatArray:
        """Side of each leader (row) on which each point (column) lies; 0 on it."""
        away = points[None, :, :] - begins[:, None, :]
        area = along[:, None, 0] * away[..., 1] - along[:, None, 1] * away[..., 0]
        return np.where(np.abs(area) < _SLACK, 0.0, area)

    parted = turns(begins) * turns(stops) < 0
    return bool(np.any(parted & parted.T))


def _nearest(one: tuple[float, float], other: tuple[float, float]) -> float:
    """How near a straight line between two points comes to 0, 0."""
    dx, dy = other[0] - one[0], other[1] - one[1]
    square = dx * dx + dy * dy
    share = min(max(-(one[0] * dx + one[1] * dy) / square, 0.0), 1.0) if square else 0.0
    return math.hypot(one[0] + share * dx, one[1] + share * dy)


def in_rows(
    wanted: Sequence[Wanted], *, rows: int, width: float, blank: float
) -> tuple[Rowed, ...]:
    """Labels in rows above a line, each as low as it can be, with upright leaders.

    No text lies on another or on a leader: a text above the foot of another label is in a
    higher row than that label.

    Args:
        wanted: Labels; ``at`` is where the leader stands.
        rows: At most so many.
        width: Of the line, from 0; texts stay within.
        blank: Between texts of a row, and between a text and a leader.

    Cost: O(n^3) for n labels of a line: 20 ms for 40.
    """
    chosen: list[_Text] = []
    levels: list[int] = []
    for one in by_weight(wanted):
        best: tuple[tuple[int, int], list[_Text], list[int]] | None = None
        for lean in _LEANS:
            left = min(max(one.at - lean * one.width, 0.0), max(width - one.width, 0.0))
            tried = [*chosen, _Text(one.key, left, left + one.width, one.at)]
            found = _levels(tried, rows, blank)
            if found is not None and (best is None or (max(found), sum(found)) < best[0]):
                best = (max(found), sum(found)), tried, found
        if best is not None:
            _, chosen, levels = best
    return tuple(
        Rowed(text.key, row, text.left, text.foot) for text, row in zip(chosen, levels, strict=True)
    )


class _Text(NamedTuple):
    key: int
    left: float
    right: float
    foot: float


def _levels(texts: Sequence[_Text], rows: int, blank: float) -> list[int] | None:
    """The row of each text; None where there are too few, or each lies over the other's foot."""
    below = [
        {
            at
            for at, other in enumerate(texts)
            if other is not text and text.left - blank < other.foot < text.right + blank
        }
        for text in texts
    ]
    levels: dict[int, int] = {}
    while len(levels) < len(texts):
        ready = [at for at in range(len(texts)) if at not in levels and below[at] <= levels.keys()]
        if not ready:
            return None
        at = min(ready, key=lambda one: texts[one].foot)
        least = max((levels[one] + 1 for one in below[at]), default=0)
        taken = {
            row
            for one, row in levels.items()
            if texts[one].left < texts[at].right + blank
            and texts[one].right > texts[at].left - blank
        }
        level = next(row for row in range(least, least + len(texts) + 1) if row not in taken)
        if level >= rows:
            return None
        levels[at] = level
    return [levels[at] for at in range(len(texts))]


def slanted(
    wanted: Sequence[Wanted], *, gap: float, width: float, most_shift: float
) -> tuple[Slanted, ...]:
    """Slanted labels along a line, in the order of their places and a gap apart.

    Args:
        wanted: Labels; ``at`` is where the leader stands.
        gap: Between the beginnings of neighbours.
        width: Of the line, from 0.
        most_shift: How far a label may lie from its place.
    """

    def fits(labels: Sequence[Wanted]) -> list[float] | None:
        places = spread([label.at for label in labels], gap, 0.0, width)
        if places is None:
            return None
        off = max(abs(place - label.at) for place, label in zip(places, labels, strict=True))
        return places if off <= most_shift else None

    chosen, places = _greedy(wanted, fits)
    return tuple(Slanted(label.key, x, label.at) for label, x in zip(chosen, places, strict=True))


def _greedy(
    wanted: Sequence[Wanted], fits: Callable[[Sequence[Wanted]], list[float] | None]
) -> tuple[list[Wanted], list[float]]:
    chosen: list[Wanted] = []
    places: list[float] = []
    for one in by_weight(wanted):
        tried = sorted([*chosen, one], key=lambda label: (label.at, label.key))
        found = fits(tried)
        if found is not None:
            chosen, places = tried, found
    return chosen, places
