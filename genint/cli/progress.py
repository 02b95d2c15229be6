"""Progress bars of the command line."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, Self

import click
from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)
from rich.text import Text

from genint.databases.installation import InstallNote, InstallStep, ProgressCallback
from genint.databases.recipes import RECIPES
from genint.pipeline.run import Progress as Step

_LINE_EVERY_S = 15.0
_MB = 1e6
_IN_BYTES: Final = "in_bytes"


@contextmanager
def shown_progress() -> Iterator[ProgressCallback]:
    """Show an installation on standard error; what is gathered is gone when it is done."""
    if not Console(stderr=True).is_terminal:
        yield Lines()
        return
    with InstallBars() as bars:
        yield bars


@contextmanager
def shown_check(name: str) -> Iterator[Callable[[int, int], None] | None]:
    """Show a check of every byte on standard error, on a terminal only."""
    if not Console(stderr=True).is_terminal:
        yield None
        return
    with InstallBars() as bars:
        yield lambda done, total: bars(InstallStep(name, "checking", done, total, in_bytes=True))


class Lines:
    """A line when a step begins, and every 15 s while it goes on."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._step = ("", "")
        self._said_at = 0.0

    def __call__(self, event: InstallStep | InstallNote) -> None:
        """Say what is new."""
        if isinstance(event, InstallNote):
            click.echo(f"{event.database}: {event.text}", err=True)
            return
        if not _is_shown(event):
            return
        is_new = self._step != (event.database, event.step)
        if not is_new and self._clock() - self._said_at < _LINE_EVERY_S:
            return
        self._step, self._said_at = (event.database, event.step), self._clock()
        click.echo(f"{event.database}: {event.step}{_how_far(event)}", err=True)


class _Bars:
    """A bar for each step, gone when the work is done."""

    def __init__(self, *columns: ProgressColumn) -> None:
        console = Console(stderr=True)
        self._bars = Progress(*columns, console=console, transient=True)
        self._tasks: dict[str, TaskID] = {}

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(self, *problem: object) -> None:
        self._bars.stop()

    def _move(self, step: str, done: int, total: int | None, **fields: Any) -> None:
        if step not in self._tasks:
            self._tasks[step] = self._bars.add_task(step, total=total, **fields)
        self._bars.update(self._tasks[step], completed=done, total=total)


class InstallBars(_Bars):
    """A bar for each step of an installation."""

    def __init__(self) -> None:
        name = TextColumn("{task.description}", markup=False)
        super().__init__(name, BarColumn(), _Amount(), TimeRemainingColumn())

    def __call__(self, event: InstallStep | InstallNote) -> None:
        """Move the bar of a step."""
        if isinstance(event, InstallNote):
            self._bars.console.print(f"{event.database}: {event.text}", markup=False)
            return
        if _is_shown(event):
            name, fields = f"{event.database}: {event.step}", {_IN_BYTES: event.in_bytes}
            self._move(name, event.done, event.total, **fields)


class ProgressBars(_Bars):
    """A bar for each stage of an interpretation."""

    def __init__(self, name: str) -> None:
        super().__init__(
            TextColumn(name, markup=False),
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
        )

    def __call__(self, step: Step) -> None:
        """Move the bar of a stage."""
        self._move(step.stage, step.done, step.total)


class _Amount(ProgressColumn):
    """Bytes with their rate, or items."""

    def __init__(self) -> None:
        super().__init__()
        self._bytes, self._rate, self._items = (
            DownloadColumn(),
            TransferSpeedColumn(),
            MofNCompleteColumn(),
        )

    def render(self, task: Task) -> Text:
        """What is done, of what."""
        if not task.fields.get(_IN_BYTES):
            return self._items.render(task)
        return Text("  ").join((self._bytes.render(task), self._rate.render(task)))


def _is_shown(event: InstallStep) -> bool:
    """Whether a step is shown: small files that only describe others are not."""
    files = {file.name for file in RECIPES[event.database].files}
    return not event.in_bytes or event.step in files or event.step.startswith("checking")


def _how_far(event: InstallStep) -> str:
    total = event.total
    if event.in_bytes:
        if total is None:
            return f", {event.done / _MB:.1f} MB"
        return f", {event.done / _MB:.1f} of {total / _MB:.1f} MB"
    return f", {event.done:,}" + (f" of {total:,}" if total is not None else "")
