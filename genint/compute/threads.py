"""Computing in a thread of this process."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from queue import SimpleQueue
from typing import Any, NamedTuple, TypeVar

from genint.compute.backend import Arguments, Result
from genint.compute.worker_process import leave_if_imported_by_a_worker
from genint.errors import WorkCancelled

_Value = TypeVar("_Value")


def start_in_thread(call: Callable[[], _Value]) -> Future[_Value]:
    """Call a function in a new thread and return its future at once.

    The thread is a daemon: an interrupted program need not wait for it.
    """
    future: Future[_Value] = Future()
    future.set_running_or_notify_cancel()
    threading.Thread(
        target=_settle, args=(call, future), name="genint-compute", daemon=True
    ).start()
    return future


def _settle(call: Callable[[], _Value], future: Future[_Value]) -> None:
    """Run a call and put what comes of it into its future."""
    try:
        value = call()
    except StopIteration as problem:
        # An asyncio future refuses a StopIteration: whoever awaits it would wait for ever.
        replacement = RuntimeError("the work raised StopIteration")
        replacement.__cause__ = problem
        future.set_exception(replacement)
    except BaseException as problem:  # noqa: BLE001 - belongs to whoever awaits the future
        future.set_exception(problem)
    else:
        future.set_result(value)


class _OneThread:
    """A daemon thread that runs one call after another.

    The same thread for all of them: the allocator keeps memory apart for every
    thread, and a new one for each chunk of a bacterium costs 60 MB in the end.
    """

    def __init__(self) -> None:
        self._calls: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None

    def start(self, call: Callable[[], _Value]) -> Future[_Value]:
        """Run a call as soon as those before it are done; return its future at once."""
        future: Future[_Value] = Future()
        future.set_running_or_notify_cancel()
        self._calls.put(partial(_settle, call, future))
        if self._thread is None:
            self._thread = threading.Thread(target=self._serve, name="genint-compute", daemon=True)
            self._thread.start()
        return future

    def end(self) -> None:
        """Let the thread go once it has run what it was given."""
        self._calls.put(None)

    def _serve(self) -> None:
        while (call := self._calls.get()) is not None:
            call()
            del call  # what it returned must not live until the next one comes


class _Call(NamedTuple):
    """Work under way in a thread."""

    future: Future[Any]
    withdrawn: threading.Event


class ThreadBackend:
    """One worker: a thread of this process.

    For work whose heavy part releases the interpreter lock, as profile search and
    gene finding do; the event loop stays responsive meanwhile.

    Args:
        closing_s: How long closing waits for work that was told to stop. Work that
            does not ask in that time runs on in its thread, which does not hold up
            the end of the program.
    """

    def __init__(self, *, closing_s: float = 5.0) -> None:
        leave_if_imported_by_a_worker()
        self._closing_s = closing_s
        self._turn = asyncio.Lock()
        self._thread = _OneThread()
        self._call: _Call | None = None
        self._closed = False

    async def run(self, work: Callable[[*Arguments], Result], /, *arguments: *Arguments) -> Result:
        """See :meth:`genint.compute.backend.Backend.run`.

        A cancelled await returns at once; the thread stops when the work next asks,
        and work that comes later begins only then.
        """
        async with self._turn:
            await self._previous_end()
            if self._closed:
                raise WorkCancelled("the backend is closed")
            withdrawn = threading.Event()
            future = self._thread.start(_bound(work, arguments, withdrawn))
            self._call = _Call(future, withdrawn)
            try:
                return await asyncio.wrap_future(future)
            except asyncio.CancelledError:
                withdrawn.set()
                raise

    async def close(self) -> None:
        """Tell running work to stop and wait for it, ``closing_s`` at most."""
        if not self._closed:
            self._thread.end()
        self._closed = True
        if self._call is not None:
            self._call.withdrawn.set()
            await self._previous_end(timeout_s=self._closing_s)

    async def _previous_end(self, *, timeout_s: float | None = None) -> None:
        """Wait for work that was cancelled and may still be in its thread."""
        if self._call is not None and not self._call.future.done():
            ended, _ = await asyncio.wait(
                [asyncio.wrap_future(self._call.future)], timeout=timeout_s
            )
            for future in ended:
                future.exception()  # nobody waits for it; unasked, asyncio would complain


def _bound(
    work: Callable[[*Arguments], Result],
    arguments: tuple[*Arguments],
    withdrawn: threading.Event,
) -> Callable[[], Result]:
    """The call with its arguments, and with ``is_cancelled`` if the work takes it."""
    call = partial(work, *arguments)
    if _takes_is_cancelled(work):
        call = partial(call, is_cancelled=withdrawn.is_set)
    return call


def _takes_is_cancelled(work: Callable[..., object]) -> bool:
    try:
        return "is_cancelled" in inspect.signature(work).parameters
    except ValueError:  # a built-in function that does not tell its parameters
        return False
