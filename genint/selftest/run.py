"""Running all checks, one after another."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable

from genint.compute import open_backend
from genint.selftest.check import Check, CheckResult, Finding, Outcome, Places
from genint.selftest.installation import (
    CacheFolder,
    DatabasesFolder,
    InstalledDatabase,
    MeaningOfLevels,
    PackagedFiles,
    PressedProfiles,
    Results,
    ShippedPack,
    ShippedTables,
    Versions,
    WorkerPool,
    installable,
    measured_settings,
    shipped_packs,
)
from genint.selftest.search import GenomeAlone, GenomeInPool, LocalMode, SimilaritySearch


def all_checks() -> tuple[Check, ...]:
    """Every check there is, those first on whose ground the others stand."""
    return (
        Versions(),
        PackagedFiles(),
        *(ShippedPack(file) for file in shipped_packs()),
        ShippedTables(),
        *(MeaningOfLevels(setting) for setting in measured_settings()),
        DatabasesFolder(),
        *(InstalledDatabase(name) for name in installable()),
        CacheFolder(),
        PressedProfiles(),
        Results(),
        WorkerPool(),
        GenomeAlone(),
        GenomeInPool(),
        SimilaritySearch(),
        LocalMode(),
    )


async def run_selftest(
    places: Places,
    *,
    checks: Iterable[Check] | None = None,
    on_result: Callable[[CheckResult], None] | None = None,
    limit_s: float = 120.0,
) -> tuple[CheckResult, ...]:
    """Check an installation.

    Args:
        places: Where it keeps things.
        checks: What to check; None for everything.
        on_result: Called on the event loop after every check.
        limit_s: How long a check may take before it counts as failed.

    Returns:
        One result for each check, in their order. A check that fails, however it does,
        is a result too; only cancelling ends the call early.

    Cost: 9 CPU s with an empty cache folder, 6 later, partly on two cores; 250 MB.
    """
    results = []
    for check in all_checks() if checks is None else checks:
        result = await _result_of(check, places, limit_s)
        results.append(result)
        if on_result is not None:
            on_result(result)
    return tuple(results)


async def _result_of(check: Check, places: Places, limit_s: float) -> CheckResult:
    started = time.monotonic()
    try:
        # A thread of its own for each: what hangs in one does not hold up the next.
        async with asyncio.timeout(limit_s) as limit, open_backend(workers=1) as near:
            found = await check.run(places, near)
    except TimeoutError as problem:
        said = f"no answer in {limit_s:g} s" if limit.expired() else str(problem)
        found = Finding.failed(said)
    except Exception as problem:  # noqa: BLE001 - whatever goes wrong is what is looked for
        first = _first(problem)
        found = Finding.failed(f"{type(first).__name__}: {first}")
    cure = "" if found.outcome is Outcome.OK else found.cure or check.cure
    said = " ".join(found.said.split())
    return CheckResult(check.name, found.outcome, said, cure, time.monotonic() - started)


def _first(problem: BaseException) -> BaseException:
    """The problem itself, or the first one of a group."""
    while isinstance(problem, BaseExceptionGroup):
        problem = problem.exceptions[0]
    return problem
