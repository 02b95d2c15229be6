"""Ways in which a service misbehaves, and where and when it does."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from aiohttp import web

Proceed = Callable[[], Awaitable[web.StreamResponse]]
"""Gives the answer that there would be without the fault."""
Fault = Callable[[web.Request, Proceed], Awaitable[web.StreamResponse]]
_Placed = TypeVar("_Placed", "Planned", "Latency")


class BrokenOff(Exception):
    """The connection is gone, as it should be."""


@dataclass
class Planned:
    """Faults that happen one after the other, and when.

    Attributes:
        prefix: Of ``service/path``: ``uniprot``, ``uniprot/idmapping/status``.
        faults: Those to come; a single one happens ``times``.
        after: Requests that pass before.
        times: None: for all that follow.
    """

    prefix: str
    faults: list[Fault]
    after: int = 0
    times: int | None = None

    def is_due(self) -> bool:
        """Whether something happens to this request; counts it as passed otherwise."""
        if self.after > 0:
            self.after -= 1
            return False
        return bool(self.faults) and self.times != 0

    def take(self) -> Fault:
        """What happens to this request."""
        if self.times is None:
            return self.faults[0]
        self.times -= 1
        return self.faults[0] if len(self.faults) == 1 else self.faults.pop(0)


@dataclass
class Latency:
    """How long answers of a prefix take: evenly spread from least to most."""

    prefix: str
    least_s: float
    most_s: float
    chance: random.Random


@dataclass
class Faults:
    """What is wrong just now; may be changed while the services run."""

    planned: list[Planned] = field(default_factory=list)
    latencies: list[Latency] = field(default_factory=list)

    def add(self, prefix: str, *faults: Fault, after: int = 0, times: int | None = None) -> None:
        """Let a fault happen to requests whose ``service/path`` begins so.

        Several faults happen one after the other, to one request each.

        Args:
            prefix: ``uniprot``, ``interpro/matches``, ...; empty for all services.
            faults: See :mod:`misbehaviours`.
            after: Requests that pass before.
            times: Requests that it happens to; None: all. Of several faults each happens once.
        """
        if len(faults) > 1:
            times = len(faults)
        self.planned.append(Planned(prefix, list(faults), after, times))

    def slow(self, prefix: str, least_s: float, most_s: float | None = None, seed: int = 1) -> None:
        """Let answers take so long: a fixed time, or one drawn from a range."""
        most = least_s if most_s is None else most_s
        self.latencies.append(Latency(prefix, least_s, most, random.Random(seed)))

    def clear(self, prefix: str = "") -> None:
        """All is well again for that prefix and what lies below it."""
        self.planned = [one for one in self.planned if not one.prefix.startswith(prefix)]
        self.latencies = [one for one in self.latencies if not one.prefix.startswith(prefix)]

    def delay_s(self, place: str) -> float:
        """How long the next answer of a place takes."""
        return sum(
            one.chance.uniform(one.least_s, one.most_s) for one in _of(self.latencies, place)
        )

    def next(self, place: str) -> Fault | None:
        """What happens to the next request of a place."""
        due = [one for one in _of(self.planned, place) if one.is_due()]
        return due[0].take() if due else None


def _of(some: Iterable[_Placed], place: str) -> list[_Placed]:
    return [one for one in some if place.startswith(one.prefix)]
