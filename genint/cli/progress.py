"""Progress bars of the command line."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from genint.api import Progress as Step


class ProgressBars:
    """One bar a stage on standard error, gone when the work is done."""

    def __init__(self, name: str) -> None:
        self._bars = Progress(
            TextColumn(name, markup=False),
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._tasks: dict[str, int] = {}

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._bars.stop()

    def __call__(self, step: Step) -> None:
        """Move the bar of a stage."""
        if step.stage not in self._tasks:
            self._tasks[step.stage] = self._bars.add_task(step.stage, total=step.total)
        task = self._bars.tasks[self._tasks[step.stage]]
        self._bars.update(task.id, total=step.total, completed=step.done)
