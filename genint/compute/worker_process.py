"""One worker process as its parent sees it."""

from __future__ import annotations

import fcntl
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import NamedTuple

from genint.errors import GenintError, UsageError, WorkCancelled, WorkerDied

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


_ENDING_S = 2.0
"""How long a process that hung up may take to end by itself, and a killed one to go."""

_GUARD = (
    "worker processes import the script that starts them, and this one starts the work "
    "again when it is imported; put its calls under\n"
    '    if __name__ == "__main__":\n'
    "or use workers=1, which needs no processes"
)


class _Worker(NamedTuple):
    """A process that was started, and our end of its connection."""

    process: SpawnProcess
    connection: Connection[bytes, bytes]

    def send(self, request: bytes) -> None:
        """Hand over a request; if the process has ended, receiving will tell."""
        with suppress(OSError):
            self.connection.send_bytes(request)

    def receive(self) -> bytes | None:
        """Next message; None when the process ends without one."""
        # The connection alone would not tell: a process that someone forked from us
        # may hold its other end open.
        if self.connection not in wait([self.connection, self.process.sentinel]):
            return None
        try:
            return self.connection.recv_bytes()
        except (EOFError, OSError):
            return None

    def has_ended(self) -> bool:
        return bool(wait([self.process.sentinel], timeout=0))


class WorkerProcess:
    """A place for one worker process, which starts with the first call.

    One call at a time, from any thread. When the process dies, the call that it was
    about fails and the next one gets a new process. Once withdrawn, a lane is over.

    Args:
        process_lock: Shared by all lanes of a backend. Starting one process makes
            multiprocessing look at all others, and two threads that ask for the
            exit status of the same process can both miss it.
        nice: How far the process steps back for others, 0 (not) to 19.
    """

    def __init__(self, process_lock: threading.Lock, *, nice: int = 0) -> None:
        self._lock = process_lock
        self._nice = nice
        self._worker: _Worker | None = None
        self._busy = False
        self._withdrawn = threading.Event()

    @property
    def is_warm(self) -> bool:
        """Whether a process is there already."""
        return self._worker is not None

    @property
    def is_withdrawn(self) -> bool:
        """Whether it is over."""
        return self._withdrawn.is_set()

    def call(self, work: Callable[..., object], arguments: tuple[object, ...]) -> object:
        """Run ``work(*arguments)`` in the process; blocks until it is done.

        Raises:
            WorkerDied: the process ended before its answer.
            WorkCancelled: the lane was withdrawn.
            UsageError: the work cannot be sent, or the main script lacks its guard.
            Exception: whatever the work raised.
        """
        request = _packed(work, arguments)
        with self._lock:
            if self._withdrawn.is_set():
                raise WorkCancelled("the work was cancelled")
            self._busy = True
        try:
            return _opened(self._exchange(request))
        finally:
            with self._lock:
                self._busy = False
                over = self._withdrawn.is_set()
            if over:
                self._end()

    def withdraw(self) -> None:
        """Kill the process; a call under way raises WorkCancelled. Never blocks for long.

        SIGKILL at once: SIGTERM would give Python code no chance to tidy up either,
        and might be ignored.
        """
        with self._lock:
            self._withdrawn.set()
            if self._worker is not None:
                self._worker.process.kill()
            busy = self._busy
        if not busy:  # otherwise the thread that waits for the answer buries the process
            self._end()

    def _exchange(self, request: bytes) -> bytes:
        worker = self._live_worker()
        worker.send(request)
        answer = worker.receive()
        if answer is None:
            status = self._end()
            if self._withdrawn.is_set():
                raise WorkCancelled("the work was cancelled")
            raise WorkerDied(_ending(status, "before its answer"))
        return answer

    def _live_worker(self) -> _Worker:
        """The process of this lane, started and ready."""
        if self._worker is not None:
            if not self._worker.has_ended():
                return self._worker
            self._end()  # killed while it was idle: nobody's work is lost
        with self._lock:
            if self._withdrawn.is_set():
                raise WorkCancelled("the work was cancelled")
            worker = self._worker = _start(self._nice)
        if worker.receive() != READY:
            raise self._failed_start(self._end())
        return worker

    def _failed_start(self, status: int | None) -> GenintError:
        """Why a process ended before it was ready."""
        if self._withdrawn.is_set():
            return WorkCancelled("the work was cancelled")
        if status == IMPORTED_STATUS:
            return UsageError(_GUARD)
        if status is None or status < 0:
            return WorkerDied(_ending(status, "while it started"))
        return UsageError(f"{_ending(status, 'while it imported the main script')}; {_GUARD}")

    def _end(self) -> int | None:
        """Make sure that the process is gone, free what it used, return its exit status."""
        with self._lock:
            worker, self._worker = self._worker, None
        if worker is None:
            return None
        worker.connection.close()
        wait([worker.process.sentinel], timeout=_ENDING_S)
        with self._lock:
            worker.process.kill()
            worker.process.join(_ENDING_S)
            status = worker.process.exitcode
            if status is not None:
                worker.process.close()
        return status


def _start(nice: int) -> _Worker:
    """Start a process that does not hear interrupts from the keyboard."""
    context = multiprocessing.get_context("spawn")
    # multiprocessing starts its tracker with the first process and unblocks SIGINT after
    # it; started before, it leaves the mask alone.
    resource_tracker.ensure_running()
    ours, theirs = context.Pipe()
    process = context.Process(target=serve, args=(theirs, nice), name=STARTING, daemon=True)
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        with _script_from_stdin_left_alone():
            process.start()
    except OSError as problem:
        ours.close()
        raise WorkerDied(f"a worker process could not be started: {problem}") from problem
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        theirs.close()
    return _Worker(process, ours)


@contextmanager
def _script_from_stdin_left_alone() -> Iterator[None]:
    """Keep a new process from importing a main script that came by standard input.

    Python names it ``<stdin>`` as if that were a file, and the process would fail.
    """
    names = vars(sys.modules["__main__"])
    if names.get("__file__") != "<stdin>":
        yield
        return
    del names["__file__"]
    try:
        yield
    finally:
        names["__file__"] = "<stdin>"


def _packed(work: Callable[..., object], arguments: tuple[object, ...]) -> bytes:
    try:
        return pickle.dumps((work, arguments), pickle.HIGHEST_PROTOCOL)
    except Exception as problem:
        name = getattr(work, "__qualname__", repr(work))
        raise UsageError(f"{name} cannot be sent to a worker process: {problem}") from problem


def _opened(answer: bytes) -> object:
    """The value of an answer; its error is raised, with a note that says where it arose."""
    outcome = pickle.loads(answer)  # noqa: S301 - from our own child
    if isinstance(outcome, Raised):
        outcome.error.add_note(f"In a worker process:\n{outcome.trace}")
        raise outcome.error
    value: object = outcome.value
    return value


def _ending(status: int | None, moment: str) -> str:
    """How and when a worker process ended, in words."""
    if status is None:
        return f"a worker process ended {moment}"
    if status >= 0:
        return f"a worker process ended with status {status} {moment}"
    name = signal.Signals(-status).name
    hint = "; perhaps memory ran out" if name == "SIGKILL" else ""
    return f"a worker process was ended by {name} {moment}{hint}"
