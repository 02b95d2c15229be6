"""Progress of an interpretation where standard error is no terminal: a line now and then."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from genint.pipeline.run import Progress

_LINE_EVERY_S: Final = 15.0


class ProgressLines:
    """A line on standard error every 15 s; nothing for what takes less.

    Args:
        name: Of the file, at the beginning of each line.
        clock: Seconds from any beginning.
    """

    def __init__(self, name: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._name = name
        self._clock = clock
        self._said_at = clock()

    def __call__(self, step: Progress) -> None:
        """Say how far the run is, if that was not said lately."""
        now = self._clock()
        if now - self._said_at < _LINE_EVERY_S:
            return
        self._said_at = now
        click.echo(f"{self._name}: {step.stage}, {step.done} of {step.total}", err=True)
