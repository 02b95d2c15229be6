"""How an attempt at a job ends, and in which words its owner hears of it."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import NamedTuple

from genint.errors import InputError, UnavailableError, UsageError, WorkerDied
from genint.model.job import MAX_STRIKES, Outcome

STRUCK_OUT = (
    f"the worker process ended {MAX_STRIKES} times while it worked on this file; "
    "perhaps it needs more memory than the service has"
)
_INTERNAL = (
    "an internal error of genint stopped the interpretation; its operator finds it in the log"
)
_MEMORY = "the interpretation needs more memory than the service has"
_DISK_FULL = "the disk of the service is full; run the job again later"
NOT_WRITTEN = "the service could not write its files; run the job again later"
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_MINUTE_S = 60


class Finished(NamedTuple):
    """The files of the result lie in ``made``, ready to be published."""

    outcome: Outcome
    made: Path


class Failed(NamedTuple):
    """The job cannot be done; ``message`` is for its owner."""

    message: str


class Struck(NamedTuple):
    """The worker process of the job died; ``message`` is for its owner, at the last time."""

    message: str


Ending = Finished | Failed | Struck


def ending_of(problem: Exception) -> Failed | Struck:
    """What an error means for the job that it ended; never tells paths or values."""
    match problem:
        case WorkerDied():
            return Struck(STRUCK_OUT)
        case UsageError():  # we used our own parts wrongly: nothing that an owner could mend
            return Failed(_INTERNAL)
        case InputError() | UnavailableError():
            return Failed(str(problem))
        case MemoryError():
            return Failed(_MEMORY)
        case OSError(errno=number):
            return Failed(_DISK_FULL if number in _FULL else NOT_WRITTEN)
    return Failed(_INTERNAL)


def is_expected(problem: Exception) -> bool:
    """Whether the message alone says it all, without the place in the program."""
    return isinstance(problem, (WorkerDied, InputError, UnavailableError)) and not isinstance(
        problem, UsageError
    )


def took_too_long(limit_s: float) -> Failed:
    """The ending of a job that reached its time limit."""
    shown = f"{limit_s / _MINUTE_S:.0f} minutes" if limit_s >= _MINUTE_S else f"{limit_s:g} seconds"
    return Failed(f"the interpretation took longer than {shown}")
