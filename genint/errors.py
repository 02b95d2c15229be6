"""Every error that genint raises on purpose, in one tree.

    GenintError
    |- InputError            the caller's file, option or value is wrong
    |  |- FormatError        a file breaks its format (source, line, reason, cure)
    |  |- UsageError         an option or argument does not fit
    |- UnavailableError      something asked for is not installed or not built
    |- WorkLostError         the work did not finish; trying again may help
       |- WorkerDied         a worker process ended before its answer
       |- WorkCancelled      the caller withdrew the work

The three branches answer what a caller wants to know: is it my fault, is it
missing, may I try again. ``code`` is stable for programs, ``http_status`` and
``exit_status`` are what a service and a command line answer.
"""

from __future__ import annotations

from typing import ClassVar


class GenintError(Exception):
    """Root of all errors of genint; catching it catches nothing else."""

    code: ClassVar[str] = "genint_error"
    http_status: ClassVar[int] = 500
    exit_status: ClassVar[int] = 1


class InputError(GenintError):
    """What was handed in cannot be used as it is."""

    code = "bad_input"
    http_status = 422
    exit_status = 2


class UsageError(InputError):
    """An option or argument does not fit the others or its range."""

    code = "bad_usage"


class FormatError(InputError):
    """A file breaks the format that it claims or is in a format not read here.

    Attributes:
        source: Name of the file as the user gave it, never a full path of ours.
        line: 1-based line where reading stopped; None where no line is at fault.
        reason: What is wrong, in plain words.
        cure: What the user can do about it; may be empty.
    """

    code = "bad_format"

    def __init__(self, *, source: str, line: int | None, reason: str, cure: str = "") -> None:
        where = source if line is None else f"{source}, line {line}"
        super().__init__(f"{where}: {reason}" + (f" ({cure})" if cure else ""))
        self.source = source
        self.line = line
        self.reason = reason
        self.cure = cure

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild_format_error, (self.source, self.line, self.reason, self.cure)


def _rebuild_format_error(source: str, line: int | None, reason: str, cure: str) -> FormatError:
    """Unpickle a FormatError that crossed a process border."""
    return FormatError(source=source, line=line, reason=reason, cure=cure)


class UnavailableError(GenintError):
    """A mode, format or database is asked for that is not there."""

    code = "unavailable"
    http_status = 422
    exit_status = 2


class WorkLostError(GenintError):
    """The work did not finish through no fault of the input."""

    code = "work_lost"
    http_status = 503


class WorkerDied(WorkLostError):
    """A worker process ended (killed, out of memory) before its answer."""

    code = "worker_died"


class WorkCancelled(WorkLostError):
    """The caller withdrew the work before it was done."""

    code = "work_cancelled"
