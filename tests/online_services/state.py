"""What the fake services share: their world, their ways, their faults, their record."""

from __future__ import annotations

from dataclasses import dataclass, field

from .faults import Faults
from .record import Record
from .world import Behaviour, Json, World


@dataclass
class Job:
    """A job of ID mapping.

    Attributes:
        source, target: ``from`` and ``to``.
        ids: Each once.
        polls: Times that it was asked after.
        pairs, failed: What came of it, once somebody has read it.
    """

    source: str
    target: str
    ids: tuple[str, ...]
    polls: int = 0
    is_finished: bool = False
    pairs: list[tuple[str, Json]] | None = None
    failed: tuple[str, ...] = ()


@dataclass
class State:
    """All of it may be changed while the services run."""

    world: World
    behaviour: Behaviour = field(default_factory=Behaviour)
    faults: Faults = field(default_factory=Faults)
    record: Record = field(default_factory=Record)
    jobs: dict[str, Job] = field(default_factory=dict)
