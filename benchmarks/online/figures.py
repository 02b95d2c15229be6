"""What the record of the fake services says of a run: numbers, limits, the slowest chain."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from benchmarks.online.servers import Seen
from tests.online_services.record import covered_s

MOST_IN_FLIGHT = {"uniprot": 2, "interpro": 4, "interpro_go": 1}
MOST_A_SECOND = {"uniprot": 5.0, "interpro": 3.0, "interpro_go": 1.0}
PACE_WINDOW_S = 10.0
_BRANCHES = (("uniprot",), ("interpro", "interpro_go"))
"""Services whose calls wait for each other; the branches do not."""


class Chain(NamedTuple):
    """Time that a branch cannot do without.

    Attributes:
        services: Of the branch.
        waited_s: Seconds in which at least one of its requests was being answered, and those
            between asking after an unfinished job and asking again.
        span_s: From its first request to its last answer.
    """

    services: tuple[str, ...]
    waited_s: float
    span_s: float


def of(seen: Iterable[Seen], *services: str) -> list[Seen]:
    """Requests to these services."""
    return [one for one in seen if one.service in services]


def slowest_chain(seen: Sequence[Seen]) -> Chain:
    """The branch that had to wait longest for its services."""
    return max((_chain(seen, services) for services in _BRANCHES), key=lambda one: one.waited_s)


def _chain(seen: Sequence[Seen], services: tuple[str, ...]) -> Chain:
    mine = sorted(of(seen, *services), key=lambda one: one.started_s)
    if not mine:
        return Chain(services, 0.0, 0.0)
    times = [(one.started_s, one.ended_s) for one in mine]
    waits = [(one.ended_s, _next_start(mine, one)) for one in mine if one.is_poll]
    span_s = max(end for _, end in times) - times[0][0]
    return Chain(services, covered_s(times + waits), span_s)


def _next_start(mine: Sequence[Seen], poll: Seen) -> float:
    """When a job was asked after again; at once where it was not."""
    later = [one.started_s for one in mine if one.started_s >= poll.ended_s
             and one.route == poll.route]  # fmt: skip
    return min(later, default=poll.ended_s)


def most_in_flight(seen: Sequence[Seen], service: str) -> int:
    """Highest number of requests that a service had to answer at once."""
    return max((one.in_flight for one in of(seen, service)), default=0)


def pace(seen: Sequence[Seen], service: str, window_s: float = PACE_WINDOW_S) -> float:
    """Highest number of requests begun in a second, over windows of some seconds.

    A single one at the border of a window is not counted: requests that are spread evenly
    begin at both its ends.
    """
    starts = [one.started_s for one in of(seen, service)]
    most = max(
        (sum(first <= start < first + window_s for start in starts) for first in starts), default=0
    )
    return max(0, most - 1) / window_s
