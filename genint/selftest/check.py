"""What a check is, what it is given, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple, Protocol

from genint.compute import Backend

CURE_INSTALLATION = "install genint again: pip install --force-reinstall genint"
"""For whatever should have come with genint."""


class Outcome(StrEnum):
    """How a check ended, as it is printed."""

    OK = "ok"
    FAILED = "FAILED"
    NOT_INSTALLED = "-- not installed"


class Finding(NamedTuple):
    """What a check found.

    Attributes:
        outcome: How it ended.
        said: What was seen, in one line.
        cure: What to do; where this is empty the cure of the check stands for it.
    """

    outcome: Outcome
    said: str
    cure: str = ""

    @classmethod
    def ok(cls, said: str) -> Finding:
        """All is well."""
        return cls(Outcome.OK, said)

    @classmethod
    def failed(cls, said: str, cure: str = "") -> Finding:
        """Something is wrong."""
        return cls(Outcome.FAILED, said, cure)

    @classmethod
    def not_installed(cls, said: str, cure: str = "") -> Finding:
        """There is nothing to check, which is no failure."""
        return cls(Outcome.NOT_INSTALLED, said, cure)


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What became of one check.

    Attributes:
        name: Of the check.
        outcome: How it ended.
        said: What was seen, in one line.
        cure: What the user can do; empty where all is well.
        seconds: How long it took.
    """

    name: str
    outcome: Outcome
    said: str
    cure: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Places:
    """Where an installation keeps things.

    Attributes:
        cache_folder: For pressed profiles and results.
        databases_folder: Where ``genint db install`` puts databases.
        cache_limit_bytes: How large the cache of results may grow; 0 for no such cache.
    """

    cache_folder: Path
    databases_folder: Path
    cache_limit_bytes: int = 1_000_000_000


class Check(Protocol):
    """One thing that has to be right.

    Attributes:
        name: In a few words, unique.
        cure: What to do where it is not.
    """

    @property
    def name(self) -> str: ...  # noqa: D102 - said above

    @property
    def cure(self) -> str: ...  # noqa: D102 - said above

    async def run(self, places: Places, near: Backend) -> Finding:
        """Look; whatever is raised counts as a failure.

        Args:
            places: Where things lie.
            near: A thread of this process, for whatever would hold up the event loop.
        """
        ...
