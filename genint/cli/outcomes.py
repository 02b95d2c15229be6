"""What became of each file: the line for one, the table for several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from genint.cli.outputs import Job
from genint.errors import GenintError

if TYPE_CHECKING:
    from genint.report.result import GenintResult

_LEVELS = ("high", "moderate", "low", "speculative", "dark matter")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one file.

    Attributes:
        state: ``done``, ``kept`` (was done before) or ``failed``.
        counts: Genes: interpreted, all, then those of each level; empty unless done.
    """

    name: str
    state: str
    counts: tuple[int, ...] = ()
    seconds: float = 0.0
    place: str = ""
    error: GenintError | None = None

    @classmethod
    def done(cls, job: Job, result: GenintResult, seconds: float) -> Outcome:
        """A file whose reports were written."""
        found = result.summary
        counts = (
            found.interpreted_genes,
            found.total_genes,
            found.high,
            found.moderate,
            found.low,
            found.speculative,
            found.dark,
        )
        return cls(job.name, "done", counts, seconds, job.place)

    def line(self, deed: str) -> str:
        """One line of what was done, such as ``Interpreted 11 of 63 genes in 1.0 s: ...``."""
        interpreted, total, *levels = self.counts
        shown = ", ".join(f"{count} {level}" for count, level in zip(levels, _LEVELS, strict=True))
        return (
            f"{deed} {interpreted} of {total} genes in {self.seconds:.1f} s: {shown}. "
            f"Report: {self.place}"
        )


def finish_all(jobs: Sequence[Job], deed: str, do: Callable[[Job], Outcome]) -> int:
    """Do every file, one after another; a bad file does not stop the others.

    One file ends in a line, several in a table.

    Returns:
        The exit status: the highest of all.

    Raises:
        GenintError: the only file failed.
    """
    if len(jobs) == 1:
        outcome = do(jobs[0])
        click.echo(outcome.line(deed), err=jobs[0].takes_stdout)
        return 0
    outcomes = []
    for job in jobs:
        try:
            outcome = do(job)
            if outcome.state == "done":
                click.echo(f"{job.name}: {outcome.line(deed)}")
        except GenintError as problem:
            outcome = Outcome(job.name, "failed", error=problem)
            click.echo(f"genint: {problem}", err=True)
        outcomes.append(outcome)
    _print_table(outcomes)
    errors = [outcome.error for outcome in outcomes if outcome.error is not None]
    return max((error.exit_status for error in errors), default=0)


def _print_table(outcomes: Sequence[Outcome]) -> None:
    """One line a file; plain text, so that a path is never broken or cut."""
    header = ("File", "State", "Genes", "High", "Moderate", "Low", "Spec.", "Dark", "Seconds")
    rows: list[tuple[str, ...]] = [header]
    for outcome in outcomes:
        _, *figures = outcome.counts or ("",) * 7
        seconds = f"{outcome.seconds:.1f}" if outcome.counts else ""
        rows.append((outcome.name, outcome.state, *map(str, figures), seconds))
    widths = [max(len(row[at]) for row in rows) for at in range(len(header))]
    places = ["Report", *(outcome.place or str(outcome.error) for outcome in outcomes)]
    for row, place in zip(rows, places, strict=True):
        cells = "  ".join(
            cell.ljust(width) if at < 2 else cell.rjust(width)  # noqa: PLR2004 - text columns
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        click.echo(f"{cells}  {place}")
    states = Counter(outcome.state for outcome in outcomes)
    click.echo(
        f"{len(outcomes)} files: {states['done']} done, {states['kept']} already there, "
        f"{states['failed']} failed"
    )
