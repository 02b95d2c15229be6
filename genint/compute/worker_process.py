"""One worker process: an executor of a single process that its owner can kill.

``concurrent.futures`` carries calls and answers. Added here: the process can be killed at
any time and is replaced, its exit status becomes an error, it never outlives its parent,
ignores interrupts from the keyboard, and a main script without a guard gets a message.
"""

from __future__ import annotations

import asyncio
import fcntl
import multiprocessing
import os
import pickle
import resource
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing.connection import wait
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.queues import SimpleQueue
from pathlib import Path
from typing import Any, NamedTuple

from genint.errors import GenintError, UsageError, WorkCancelled, WorkerDied, WorkLostError

_STARTING = "genint worker (starting)"
"""Name of a worker process until it is ready for calls."""

_IMPORTED_STATUS = 93
"""Exit status of a worker whose import of the main script came back to genint."""

_GUARD = (
    "worker processes import the script that starts them, and this one starts the work "
    "again when it is imported; put its calls under\n"
    '    if __name__ == "__main__":\n'
    "or use workers=1, which needs no processes"
)

_OOM_STEP = 500
"""As if a worker used half of all memory on top of what it does."""
_OOM_MOST = 1000

_PARENT_CHECK_S = 1.0
"""How often a worker compares its parent's id, besides watching a pipe."""


class WorkerProcess:
    """A slot for one worker process, which starts with the first call.

    One call at a time, all in one event loop. When the process dies, its call fails and
    the next one gets a new process. After :meth:`kill` there is no next one.

    Args:
        nice: How far the process steps back for others, 0 (not) to 19.
        memory_bytes: Most address space of the process (Linux only); None: no limit. Work that
            needs more raises MemoryError, and the next call gets a new process.

    Attributes:
        is_killed: Whether the slot cannot be used any more.
    """

    def __init__(self, *, nice: int = 0, memory_bytes: int | None = None) -> None:
        self.is_killed = False
        self._setup = nice, memory_bytes
        self._worker: _Worker | None = None

    @property
    def is_warm(self) -> bool:
        """Whether a process is there already."""
        return self._worker is not None

    async def call(self, work: Callable[..., object], arguments: tuple[object, ...]) -> object:
        """Run ``work(*arguments)`` in the process.

        Raises:
            WorkerDied: the process ended before its answer.
            WorkCancelled: the process was killed by :meth:`kill`.
            UsageError: the work cannot be sent, or the main script lacks its guard.
            Exception: whatever the work raised.
        """
        request = await asyncio.to_thread(_packed, work, arguments)
        worker = await self._live_worker()
        try:
            answer = await asyncio.wrap_future(worker.pool.submit(_answer, request))
        except BrokenProcessPool:
            raise self._lost(await worker.end(), "before its answer") from None
        try:
            return await asyncio.to_thread(_opened, answer)
        except MemoryError:
            await worker.end()  # what it still holds would count against the next call
            raise

    def kill(self) -> None:
        """Kill the process at once; a call under way raises WorkCancelled.

        SIGKILL, since SIGTERM gives Python code no chance to tidy up either and might
        be ignored.
        """
        self.is_killed = True
        if self._worker is not None:
            self._worker.kill()

    async def close(self) -> None:
        """Kill the process and wait until it is gone."""
        self.kill()
        if self._worker is not None:
            await self._worker.end()

    async def _live_worker(self) -> _Worker:
        """The process of this slot, ready for calls."""
        worker = self._worker
        if worker is not None and worker.is_gone:
            await worker.end()  # it was killed while idle: no work is lost
            worker = self._worker = None
        if self.is_killed:
            raise WorkCancelled("the work was cancelled")
        if worker is None:
            worker = self._worker = _Worker(*self._setup)
            try:
                await asyncio.wrap_future(worker.ready)
            except BrokenProcessPool:
                raise self._failed_start(await worker.end()) from None
        return worker

    def _failed_start(self, status: int | None) -> GenintError:
        """Why a process ended before it was ready."""
        if status == _IMPORTED_STATUS:
            return UsageError(_GUARD)
        if status is None or status < 0:
            return self._lost(status, "while it started")
        return UsageError(f"{_ending(status, 'while it imported the main script')}; {_GUARD}")

    def _lost(self, status: int | None, moment: str) -> WorkLostError:
        if self.is_killed:
            return WorkCancelled("the work was cancelled")
        return WorkerDied(_ending(status, moment))


class _Worker:
    """A process with its executor.

    Attributes:
        ready: The first call, done as soon as the process can take others.
    """

    def __init__(self, nice: int, memory_bytes: int | None) -> None:
        context = _Context()
        failure = None
        try:
            self.pool = ProcessPoolExecutor(1, context, _prepare, (nice, memory_bytes))
            self.ready = self.pool.submit(os.getpid)
        except OSError as problem:
            failure = str(problem)
        if failure is not None:
            # Raised out here, so that the error does not keep the open pipes of the attempt.
            self.__dict__.pop("pool", None)
            vars(context).clear()
            raise WorkerDied(f"a worker process could not be started: {failure}")
        context.answers.close_writer()
        self._process = context.process
        self._ending: asyncio.Task[int | None] | None = None

    @property
    def is_gone(self) -> bool:
        """Whether the process has ended, or is being ended."""
        return self._ending is not None or bool(wait([self._process.sentinel], timeout=0))

    def kill(self) -> None:
        """Kill the process at once."""
        if self._ending is None:
            self._process.kill()

    async def end(self) -> int | None:
        """Kill the process, wait until it is gone, and return its exit status."""
        if self._ending is None:
            self.kill()
            self._ending = asyncio.create_task(asyncio.to_thread(self._shut))
        return await asyncio.shield(self._ending)

    def _shut(self) -> int | None:
        """Wait for the end, and close the pipes: the garbage collector might do so late."""
        self.pool.shutdown()
        status = self._process.exitcode
        if status is not None:
            self._process.close()
        return status


class _Context(SpawnContext):
    """Makes what one executor needs, and keeps hold of it."""

    process: _Process
    answers: _Answers

    def Process(self, **options: Any) -> _Process:  # type: ignore[override]  # noqa: N802
        """The process, which ends with its parent even if that forgets to close it."""
        self.process = _Process(name=_STARTING, daemon=True, **options)
        return self.process

    def SimpleQueue(self) -> _Answers:  # noqa: N802
        """The queue by which answers come."""
        self.answers = _Answers(ctx=self)
        return self.answers


class _Answers(SimpleQueue[Any]):
    """A queue that is written by one child only."""

    def close_writer(self) -> None:
        """Close our copy of the end for writing.

        With it open, a reader would wait for ever for the rest of an answer whose
        writer was killed.
        """
        self._writer.close()  # type: ignore[attr-defined]


class _Process(SpawnProcess):
    """A process that starts with interrupts from the keyboard blocked."""

    def start(self) -> None:
        """Start it; see :func:`_prepare` for what it does first."""
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            with _main_from_stdin_hidden():
                super().start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)


@contextmanager
def _main_from_stdin_hidden() -> Iterator[None]:
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
    value: object = pickle.loads(answer)  # noqa: S301 - from our own child
    if isinstance(value, _Raised):
        value.error.add_note(f"In a worker process:\n{value.trace}")
        raise value.error
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


# What follows runs in the worker process.


class _Raised(NamedTuple):
    """The answer of work that raised an error; ``trace`` is where, as text."""

    error: Exception
    trace: str


def leave_if_imported_by_a_worker() -> None:
    """End this process if it is a worker that is only importing the main script.

    A new process imports the script that started it. Where that script lacks the
    ``__main__`` guard, the import runs everything again and ends up here. Nothing
    that was printed meanwhile is flushed: the user would see it twice.
    """
    if multiprocessing.current_process().name == _STARTING:
        os._exit(_IMPORTED_STATUS)


def _prepare(nice: int, memory_bytes: int | None) -> None:
    """Make a new process a worker."""
    os.nice(nice)
    if memory_bytes is not None and sys.platform == "linux":
        _limit_memory(memory_bytes)
    _raise_oom_score()
    multiprocessing.current_process().name = "genint worker"
    # An interrupt from the keyboard reaches the whole group; the parent decides. It
    # was blocked from the start, so none can come in between.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    _die_with_parent()


def _answer(request: bytes) -> bytes:
    """Run one call; never raises, whatever the work does.

    An executor breaks when an error cannot be unpickled, so errors are packed here.
    """
    try:
        outcome = _unpacked(request)()
    except BaseException as problem:  # noqa: BLE001 - carried to the caller unchanged
        outcome = _Raised(_portable(problem), traceback.format_exc())
    try:
        return pickle.dumps(outcome, pickle.HIGHEST_PROTOCOL)
    except Exception as problem:  # noqa: BLE001 - pickling can fail in any way
        refusal = UsageError(f"a result cannot be sent to another process: {problem}")
        return pickle.dumps(_Raised(refusal, traceback.format_exc()), pickle.HIGHEST_PROTOCOL)


def _unpacked(request: bytes) -> Callable[[], object]:
    try:
        work, arguments = pickle.loads(request)  # noqa: S301 - from our own parent
    except Exception as problem:
        raise UsageError(f"a worker process cannot load the work: {problem}") from problem
    return partial(work, *arguments)


def _portable(problem: BaseException) -> Exception:
    """The error itself if it survives the way to another process, else its text."""
    if isinstance(problem, StopIteration):  # no future takes one
        return RuntimeError("the work raised StopIteration")
    if isinstance(problem, Exception):
        with suppress(Exception):  # any failure of pickling means the same
            pickle.loads(pickle.dumps(problem))  # noqa: S301 - made in this line
            return problem
    return GenintError(f"{type(problem).__name__}: {problem}")


def _limit_memory(memory_bytes: int) -> None:
    """Limit the address space of this process, where it is not limited further already."""
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = memory_bytes if hard == resource.RLIM_INFINITY else min(memory_bytes, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _raise_oom_score() -> None:
    """Let the kernel (Linux) end this process before its parent, which can start another."""
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
    is compared as well.
    """
    parent = multiprocessing.parent_process()
    if parent is None or parent.pid is None:
        raise RuntimeError("a worker has to be started by multiprocessing")
    pid, sentinel = parent.pid, parent.sentinel

    def watch() -> None:
        while os.getppid() == pid:
            if wait([sentinel], timeout=_PARENT_CHECK_S):
                break
        os._exit(1)

    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(sentinel, fcntl.F_SETOWN, os.getpid())
    flags = fcntl.fcntl(sentinel, fcntl.F_GETFL)
    fcntl.fcntl(sentinel, fcntl.F_SETFL, flags | os.O_ASYNC)
    threading.Thread(target=watch, name="genint-watch-parent", daemon=True).start()
