"""The inside of a worker process: answer calls, never outlive the parent."""

from __future__ import annotations

import fcntl
import multiprocessing
import os
import pickle
import signal
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import NamedTuple

from genint.errors import GenintError, UsageError

STARTING = "genint worker (starting)"
"""Name of a worker process until it is ready for calls."""

READY = b"ready"
"""First message of a worker."""

IMPORTED_STATUS = 93
"""Exit status of a worker whose import of the main script came back to genint."""

_OOM_STEP = 500
"""As if a worker used half of all memory on top of what it does."""
_OOM_MOST = 1000

_LOOK_S = 1.0
"""How often a worker looks for its parent without being told."""


class Returned(NamedTuple):
    """The work is done."""

    value: object


class Raised(NamedTuple):
    """The work raised an error; ``trace`` is where, as text."""

    error: Exception
    trace: str


def leave_if_imported_by_a_worker() -> None:
    """End this process if it is a worker that is only importing the main script.

    A new process imports the script that started it. Where that script lacks the
    ``__main__`` guard, the import runs everything again and ends up here. Nothing
    that was printed meanwhile is flushed: the user did not ask for it twice.
    """
    if multiprocessing.current_process().name == STARTING:
        os._exit(IMPORTED_STATUS)


def serve(connection: Connection[bytes, bytes], nice: int = 0) -> None:
    """Answer calls until the other end is closed. The target of a worker process."""
    os.nice(nice)
    _volunteer_when_memory_runs_out()
    multiprocessing.current_process().name = "genint worker"
    # An interrupt from the keyboard reaches the whole group; the parent decides. It
    # was blocked from the start, so none can come in between.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    _die_with_parent()
    connection.send_bytes(READY)
    while True:
        try:
            request = connection.recv_bytes()
        except (EOFError, OSError):
            return
        connection.send_bytes(_answer(request))


def _answer(request: bytes) -> bytes:
    """Run one call; never raises, whatever the work does."""
    try:
        work, arguments = _unpacked(request)
        outcome: Returned | Raised = Returned(work(*arguments))
    except Exception as problem:  # noqa: BLE001 - carried to the caller unchanged
        outcome = Raised(_portable(problem), traceback.format_exc())
    try:
        return pickle.dumps(outcome, pickle.HIGHEST_PROTOCOL)
    except Exception as problem:  # noqa: BLE001 - pickling can fail in any way
        refusal = UsageError(f"a result cannot be sent to another process: {problem}")
        return pickle.dumps(Raised(refusal, traceback.format_exc()), pickle.HIGHEST_PROTOCOL)


def _unpacked(request: bytes) -> tuple[Callable[..., object], tuple[object, ...]]:
    try:
        work, arguments = pickle.loads(request)  # noqa: S301 - from our own parent
    except Exception as problem:
        raise UsageError(f"a worker process cannot load the work: {problem}") from problem
    return work, arguments


def _portable(problem: Exception) -> Exception:
    """The error itself if it survives the way to another process, else its text."""
    try:
        pickle.loads(pickle.dumps(problem))  # noqa: S301 - made in this line
    except Exception:  # noqa: BLE001 - any failure means the same
        return GenintError(f"{type(problem).__name__}: {problem}")
    return problem


def _volunteer_when_memory_runs_out() -> None:
    """Let the kernel (Linux) end this process before its parent, who can start another."""
    score = Path("/proc/self/oom_score_adj")
    with suppress(OSError, ValueError):
        ours = int(score.read_text(encoding="ascii"))
        score.write_text(str(min(ours + _OOM_STEP, _OOM_MOST)), encoding="ascii")


def _die_with_parent() -> None:
    """End this process as soon as its parent is gone, however that ended.

    The parent holds one end of a pipe; when the kernel closes it, a thread here
    wakes up and leaves. On Linux the kernel also sends SIGIO, whose default action
    ends the process even while C code holds the interpreter lock. (macOS ignores
    SIGIO by default: there such code ends only when it gives the lock back.) The
    pipe may be held open by processes that the parent forked, so the parent's id
    is looked at as well.
    """
    parent = multiprocessing.parent_process()
    if parent is None or parent.pid is None:
        raise RuntimeError("a worker has to be started by multiprocessing")
    pid, sentinel = parent.pid, parent.sentinel

    def watch() -> None:
        while os.getppid() == pid:
            if wait([sentinel], timeout=_LOOK_S):
                break
        os._exit(1)

    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(sentinel, fcntl.F_SETOWN, os.getpid())
    flags = fcntl.fcntl(sentinel, fcntl.F_GETFL)
    fcntl.fcntl(sentinel, fcntl.F_SETFL, flags | os.O_ASYNC)
    threading.Thread(target=watch, name="genint-watch-parent", daemon=True).start()
