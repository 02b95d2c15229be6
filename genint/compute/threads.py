"""Work in a thread of this process."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from queue import SimpleQueue
from typing import Any, NamedTuple

from genint.compute.backend import Arguments, Result
from genint.compute.worker_process import leave_if_imported_by_a_worker
from genint.errors import WorkCancelled


class ThreadBackend:
    """One worker: a thread of this process.

    For work whose heavy part releases the interpreter lock, as profile search and
    gene finding do; the event loop stays responsive meanwhile.

    Args:
        closing_s: How long closing waits for cancelled work. Work that does not look
            at ``is_cancelled`` in that time runs on in its thread, which does not
            hold up the end of the program.
    """

    def __init__(self, *, closing_s: float = 5.0) -> None:
        leave_if_imported_by_a_worker()
        self._closing_s = closing_s
        self._turn = asyncio.Lock()
        self._thread = _DaemonThread()
        self._call: _Call | None = None
        self._closed = False

    async def run(self, work: Callable[[*Arguments], Result], /, *arguments: *Arguments) -> Result:
        """See :meth:`genint.compute.backend.Backend.run`.

        A cancelled await returns at once; the thread stops when the work next looks at
        ``is_cancelled``, and work that comes later begins only then.
        """
        async with self._turn:
            await self._previous_end()
            if self._closed:
                raise WorkCancelled("the backend is closed")
            call = self._call = _Call(Future(), threading.Event())
            self._thread.start(bound(work, arguments, call.cancelled.is_set), call.future)
            try:
                return await asyncio.wrap_future(call.future)
            except asyncio.CancelledError:
                call.cancelled.set()
                raise

    async def close(self) -> None:
        """Cancel running work and wait for it, ``closing_s`` at most."""
        if not self._closed:
            self._thread.end()
        self._closed = True
        if self._call is not None:
            self._call.cancelled.set()
            await self._previous_end(timeout_s=self._closing_s)

    async def _previous_end(self, *, timeout_s: float | None = None) -> None:
        """Wait for work that was cancelled and may still be in its thread."""
        if self._call is not None and not self._call.future.done():
            ended, _ = await asyncio.wait(
                [asyncio.wrap_future(self._call.future)], timeout=timeout_s
            )
            for future in ended:
                future.exception()  # looked at, or asyncio would complain


class _Call(NamedTuple):
    """Work under way in a thread."""

    future: Future[Any]
    cancelled: threading.Event


class _DaemonThread:
    """Runs one call after another; an interrupted program need not wait for it.

    The same thread for all of them: the allocator keeps memory apart for every
    thread, and a new one for each chunk of a bacterium costs 60 MB in the end.
    """

    def __init__(self) -> None:
        self._calls: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None

    def start(self, call: Callable[[], Result], future: Future[Result]) -> None:
        """Run a call as soon as those before it are done; its outcome goes to the future."""
        future.set_running_or_notify_cancel()
        self._calls.put(partial(_complete, future, call))
        if self._thread is None:
            self._thread = threading.Thread(target=self._serve, name="genint-compute", daemon=True)
            self._thread.start()

    def end(self) -> None:
        """Let the thread end once it has run its calls."""
        self._calls.put(None)

    def _serve(self) -> None:
        while (call := self._calls.get()) is not None:
            call()
            del call  # its result must not live until the next one comes


def _complete(future: Future[Result], call: Callable[[], Result]) -> None:
    """Run a call and put its outcome into a future."""
    try:
        value = call()
    except StopIteration as problem:
        # An asyncio future refuses a StopIteration, and awaiting it would never end.
        replacement = RuntimeError("the work raised StopIteration")
        replacement.__cause__ = problem
        future.set_exception(replacement)
    except BaseException as problem:  # noqa: BLE001 - raised where the future is awaited
        future.set_exception(problem)
    else:
        future.set_result(value)


def bound(
    work: Callable[[*Arguments], Result],
    arguments: tuple[*Arguments],
    is_cancelled: Callable[[], bool],
) -> Callable[[], Result]:
    """The call with its arguments, and with ``is_cancelled`` if the work takes it."""
    call = partial(work, *arguments)
    try:
        takes_it = "is_cancelled" in inspect.signature(work).parameters
    except ValueError:  # a built-in function without a signature
        takes_it = False
    return partial(call, is_cancelled=is_cancelled) if takes_it else call
