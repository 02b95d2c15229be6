"""What a check of the self-test is, and how checks are run: one after another, each on its own."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple, cast

from genint.compute import open_backend


class Outcome(StrEnum):
    """How a check ended, as it is printed."""

    OK = "ok"
    FAILED = "FAILED"
    NOT_INSTALLED = "-- not installed"


@dataclass(frozen=True, slots=True)
class Places:
    """Where an installation keeps things.

    Attributes:
        cache_folder: For indexed profiles and results.
        databases_folder: Where ``genint db install`` puts databases.
        cache_limit_bytes: How large the cache of results may grow; 0 for no such cache.
    """

    cache_folder: Path
    databases_folder: Path
    cache_limit_bytes: int = 1_000_000_000


class Check(NamedTuple):
    """One thing that has to be right.

    Attributes:
        name: In a few words, unique.
        cure: What to do if the check fails.
        look: Returns what was seen, in one line. A failure is whatever it raises:
            :class:`CheckFailed` with a text for users, or any other exception. An ordinary
            function runs in a thread of its own.
    """

    name: str
    cure: str
    look: Callable[[Places], str | Awaitable[str]]


class CheckFailed(Exception):
    """Something is wrong.

    Attributes:
        cure: What to do; the cure of the check where this is empty.
    """

    outcome = Outcome.FAILED

    def __init__(self, text: str, cure: str = "") -> None:
        super().__init__(text)
        self.cure = cure


class NotInstalled(CheckFailed):
    """There is nothing to check, which is no failure."""

    outcome = Outcome.NOT_INSTALLED


@dataclass(frozen=True, slots=True)
class CheckResult:
    """How one check ended.

    Attributes:
        name: Of the check.
        text: What was seen, in one line.
        cure: What the user can do; empty where all is well.
        seconds: How long it took.
    """

    name: str
    outcome: Outcome
    text: str
    cure: str = ""
    seconds: float = 0.0


async def run_checks(
    checks: Iterable[Check],
    places: Places,
    *,
    on_result: Callable[[CheckResult], None] | None = None,
    limit_s: float = 120.0,
) -> tuple[CheckResult, ...]:
    """Run checks one after another; a check that fails does not stop the others.

    Args:
        checks: What to check.
        places: Where the installation keeps things.
        on_result: Called on the event loop after every check.
        limit_s: How long a check may take before it counts as failed.
    """
    results = []
    for check in checks:
        result = await _result_of(check, places, limit_s)
        results.append(result)
        if on_result is not None:
            on_result(result)
    return tuple(results)


_BUSY = "the machine may be busy: try again when it is quiet"


async def _result_of(check: Check, places: Places, limit_s: float) -> CheckResult:
    started = time.monotonic()
    outcome, text, cure = Outcome.OK, "", ""
    limit = asyncio.timeout(limit_s)
    try:
        async with limit:
            text = await _looked(check, places)
    except CheckFailed as problem:
        outcome, text, cure = problem.outcome, str(problem), problem.cure or check.cure
    except Exception as problem:  # noqa: BLE001 - whatever goes wrong is what is looked for
        first = _first(problem)
        text = f"{type(first).__name__}: {first}"
        if isinstance(problem, TimeoutError):
            text = f"no answer in {limit_s:g} s" if limit.expired() else str(problem)
        outcome, cure = Outcome.FAILED, check.cure
        if limit.expired():
            cure = "; else ".join(filter(None, (_BUSY, cure)))
    seconds = time.monotonic() - started
    return CheckResult(check.name, outcome, " ".join(text.split()), cure, seconds)


async def _looked(check: Check, places: Places) -> str:
    if inspect.iscoroutinefunction(check.look):
        return await cast("Awaitable[str]", check.look(places))
    # A thread of its own for each: what hangs in one does not hold up the next.
    async with open_backend(workers=1) as thread:
        return cast("str", await thread.run(check.look, places))


def _first(problem: BaseException) -> BaseException:
    """The problem itself, or the first one of a group."""
    while isinstance(problem, BaseExceptionGroup):
        problem = problem.exceptions[0]
    return problem
