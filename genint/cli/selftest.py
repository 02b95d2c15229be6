"""``genint selftest``: whether this installation works, and what to do where it does not."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from genint.selftest import CheckResult


_STYLES = {"ok": "green", "FAILED": "bold red"}
"""Colour of each outcome; others are dim."""


@click.command()
def selftest() -> int:
    """Check this installation: one line a check, with the cure where one fails.

    Looks at libraries, files that ship, installed databases, caches and worker processes,
    and interprets a built-in genome with known answers. Exit code 1 if a check failed; a
    database that is not installed is no failure.
    """
    from genint.selftest import Outcome, Places, run_selftest  # noqa: PLC0415 - lazy
    from genint.settings import cache_folder, cache_limit_bytes, databases_folder  # noqa: PLC0415

    places = Places(cache_folder(), databases_folder(), cache_limit_bytes())
    results = asyncio.run(run_selftest(places, on_result=_printer()))
    counts = Counter(result.outcome for result in results)
    seconds = sum(result.seconds for result in results)
    click.echo(
        f"{len(results)} checks in {seconds:.1f} s: {counts[Outcome.OK]} ok, "
        f"{counts[Outcome.FAILED]} failed, {counts[Outcome.NOT_INSTALLED]} not installed"
    )
    return 1 if counts[Outcome.FAILED] else 0


def line_of(result: CheckResult) -> str:
    """One check as it is printed, without its outcome."""
    cure = f" -> {result.cure}" if result.cure else ""
    return f"{result.name}: {result.text}{cure}"


def _printer() -> Callable[[CheckResult], None]:
    """Prints a check: in colours on a terminal, else as plain text."""
    if not sys.stdout.isatty():
        return lambda result: click.echo(f"{result.outcome} {line_of(result)}")
    from rich.console import Console  # noqa: PLC0415 - costs 0.1 s
    from rich.text import Text  # noqa: PLC0415

    console = Console(soft_wrap=True)

    def show(result: CheckResult) -> None:
        outcome = Text(result.outcome.value, style=_STYLES.get(result.outcome.value, "dim"))
        console.print(outcome, Text(line_of(result)))

    return show
