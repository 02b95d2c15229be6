"""The log of a run: what was done when, by which versions, with which databases and remarks."""

from __future__ import annotations

import logging
import platform
import shlex
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from genint.cli.output import Job, Outcome
from genint.errors import GenintError, UsageError
from genint.version import __version__

if TYPE_CHECKING:
    from genint.pipeline.run import Progress
    from genint.report.result import GenintResult

_LINE: Final = "%(asctime)sZ %(levelname)-7s %(message)s"
_TIME: Final = "%Y-%m-%dT%H:%M:%S"


class RunLog:
    """Lines of one run, in UTC; each is on the disk as soon as it is written.

    Without a file nothing is written. A file that is there is replaced: one run, one log.
    """

    def __init__(self, handler: logging.Handler | None) -> None:
        # Not in logging's tree: neither the settings of a caller nor other libraries reach it.
        self._logger = logging.Logger("genint.run", logging.INFO)
        self._is_on = handler is not None
        self._stage = ""
        if handler is not None:
            form = logging.Formatter(_LINE, _TIME)
            form.converter = time.gmtime
            handler.setFormatter(form)
            self._logger.addHandler(handler)

    def say(self, text: str) -> None:
        """One line, whatever the text holds."""
        self._write(logging.INFO, text)

    def warn(self, text: str) -> None:
        """A line that a user should see."""
        self._write(logging.WARNING, text)

    def began(self, job: Job, payload: bytes, digest: str) -> None:
        """A file was read."""
        self._stage = ""
        self.say(f"{job.name}: {len(payload):,} bytes, sha256 {digest}")

    def step(self, name: str, step: Progress) -> None:
        """How far a file is: where a stage begins, and where it is done."""
        if step.stage != self._stage:
            self._stage = step.stage
            self.say(f"{name}: {step.stage}")

    def used(self, name: str, result: GenintResult) -> None:
        """Programs, databases, parameters and searches behind a result, and its remarks."""
        if not self._is_on:
            return
        from genint.report.wording import problem_text, search_text  # noqa: PLC0415 - lazy

        for program in result.programs:
            self.say(f"{name}: program {program.name} {program.version}")
        for database in result.databases:
            self.say(f"{name}: database {database.name} {database.version} ({database.licence})")
        for search in result.searches:
            self.say(f"{name}: {search_text(search)}")
        for record in result.records:
            kind = f", taken for a {record.genome_kind}" if record.genome_kind else ""
            what = f"{record.length:,} bp, {record.topology}{kind}"
            calling = f"genes: {record.gene_calling or 'none'}"
            self.say(f"{name}: record {record.id}: {what}; {calling}")
        for missing in result.unavailable:
            self.warn(f"{name}: not available: {missing}")
        for use in result.online:
            if use.problem:
                self.warn(f"{name}: {problem_text(use)}")
        for remark in result.warnings:
            where = f" ({remark.record})" if remark.record else ""
            line = f" line {remark.line}:" if remark.line else ""
            self.warn(f"{name}:{line} {remark.text}{where} [{remark.code}]")

    def ended(self, job: Job, outcome: Outcome) -> None:
        """A file is done, or was before."""
        if outcome.state in {"done", "partly", "rendered"}:
            self.say(f"{job.name}: {outcome.line('Interpreted')}")
        else:
            self.say(f"{job.name}: {outcome.state}, its reports are there: {outcome.place}")

    @contextmanager
    def of_job(self, job: Job) -> Iterator[None]:
        """A failure of the file in between goes to the log."""
        try:
            yield
        except GenintError as problem:
            text = str(problem)
            at = "" if text.startswith(job.name) else f"{job.name}: "
            self._write(logging.ERROR, f"{at}{text}")
            raise
        except BaseException as problem:
            self._write(logging.ERROR, f"{job.name}: {type(problem).__name__}: {problem}")
            raise

    def _write(self, level: int, text: str) -> None:
        if self._is_on:
            from genint.report.wording import shown_text  # noqa: PLC0415 - loads pydantic

            self._logger.log(level, "%s", shown_text(text))


@contextmanager
def run_log(path: Path | None, arguments: list[str]) -> Iterator[RunLog]:
    """The log of a run, from its first line to its last.

    Args:
        path: Of the file; None for no log.
        arguments: Of the command line.

    Raises:
        UsageError: the file cannot be written.
    """
    if path is None:
        yield RunLog(None)
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handler = logging.FileHandler(path, mode="w", encoding="utf-8", errors="backslashreplace")
    except OSError as cause:
        raise UsageError(f"cannot write {path}: {cause.strerror or cause}") from cause
    log = RunLog(handler)
    started = time.monotonic()
    log.say(f"genint {__version__}, Python {platform.python_version()}, {platform.platform()}")
    log.say(f"command: {shlex.join(('genint', *arguments))}")
    try:
        yield log
    finally:
        log.say(f"ended after {time.monotonic() - started:.1f} s")
        handler.close()


def arguments_given() -> list[str]:
    """The arguments of this process, for the log."""
    return sys.argv[1:]
