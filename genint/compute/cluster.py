"""Work on the machines of a Dask cluster, which the extra ``dask`` brings.

The scheduler hands every call to a worker that is free, and to another one where a worker is
lost. Workers need an installation of genint that gives the same results: what decides them is
compared before the first call, and again with each, since workers come and go.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import logging
import warnings
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final, cast
from uuid import uuid4

from genint.compute.backend import Arguments, Result
from genint.compute.threads import bound
from genint.errors import UnavailableError, UsageError, WorkCancelled, WorkerDied

if TYPE_CHECKING:
    from distributed import Client, Future

Identity = Callable[[], Mapping[str, str]]
"""What results depend on besides the work: a version for each name. A function of the top level
of a module, called on every machine."""

_ANSWER_S: Final = 15.0
"""How long a scheduler may take to answer."""
_AWAY: Final = "the cluster went away before the work was done; start again"


class Cluster:
    """The workers of a cluster; made by :func:`open_cluster`.

    A worker that dies costs nothing but time: its calls begin anew elsewhere, three times at
    most. Where the scheduler goes away, calls under way are withdrawn, and the next one looks
    for it again.

    Args:
        address: Of the scheduler.
        identity: What workers have to agree with.
    """

    def __init__(self, address: str, identity: Identity) -> None:
        self._address = address
        self._identity = identity
        self._expected = dict(identity())
        self._client: Client | None = None
        self._connecting = asyncio.Lock()

    async def connected(self) -> Client:
        """The connection, made anew where it was lost.

        Raises:
            UnavailableError: no scheduler answers, or a worker would give other results.
        """
        async with self._connecting:
            if self._client is None or self._client.status in {"closing", "closed"}:
                self._client = await _connected(self._address)
                asked = self._client.run(_asking(self._identity))
                for worker, found in (await asked).items():
                    if problem := _difference(worker, self._expected, found):
                        raise UnavailableError(problem)
            return self._client

    async def places(self) -> int:
        """How many calls can run at the same time now."""
        client = await self.connected()
        return sum((await client.nthreads()).values())

    def share(self) -> ClusterShare:
        """A backend for one owner, whose calls can be withdrawn together."""
        return ClusterShare(self)

    async def submit(
        self, key: str, work: Callable[..., object], arguments: tuple[Any, ...]
    ) -> Future:
        """Send a call to the scheduler; see :meth:`connected` for errors."""
        client = await self.connected()
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Sending large graph")  # a genome is in it
            return client.submit(
                _run, self._expected, self._identity, work, arguments, key=key, pure=False
            )

    async def withdraw(self, futures: Iterable[Future]) -> None:
        """Cancel calls, also those that have begun; without a connection they are lost anyway."""
        under_way = list(futures)
        if under_way and self._client is not None and self._client.status == "running":
            await self._client.cancel(under_way, force=True)

    async def close(self) -> None:
        """End the connection; the cluster runs on, and calls under way are withdrawn."""
        if self._client is None:
            return
        log = logging.getLogger("distributed.client")
        log.addFilter(_says_no_cancellation)
        try:
            await self._client.close()
        except asyncio.CancelledError:
            # Dask cancels tasks of its own while it closes, and may let that through: only where
            # this task was cancelled is it meant for us.
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
        finally:
            log.removeFilter(_says_no_cancellation)


class ClusterShare:
    """Calls of one owner on a cluster: a backend.

    A cancelled call that has begun stops where its work looks at ``is_cancelled``.
    """

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._under_way: set[Future] = set()
        self._is_closed = False

    async def run(self, work: Callable[[*Arguments], Result], /, *arguments: *Arguments) -> Result:
        """See :meth:`genint.compute.backend.Backend.run`.

        Raises:
            WorkCancelled: the cluster went away too, or the worker would give other results.
        """
        if self._is_closed:
            raise WorkCancelled("the backend is closed")
        key = f"genint-{getattr(work, '__name__', 'work')}-{uuid4().hex}"
        try:
            future = await self._cluster.submit(key, work, arguments)
        except UnavailableError as problem:
            raise WorkCancelled(str(problem)) from problem
        self._under_way.add(future)
        try:
            return cast(Result, await self._outcome(future))
        finally:
            self._under_way.discard(future)
            future.release()

    async def _outcome(self, future: Future) -> object:
        from distributed import KilledWorker  # noqa: PLC0415 - an extra

        try:
            return await future
        except asyncio.CancelledError:
            await asyncio.shield(self._cluster.withdraw([future]))
            raise
        except concurrent.futures.CancelledError as problem:
            why = "the backend is closed" if self._is_closed else _AWAY
            raise WorkCancelled(why) from problem
        except KilledWorker as problem:
            raise WorkerDied(f"{problem.allowed_failures + 1} workers died over it") from problem

    async def close(self) -> None:
        """Withdraw all calls; the cluster runs on."""
        self._is_closed = True
        await self._cluster.withdraw(self._under_way)


def _says_no_cancellation(record: logging.LogRecord) -> bool:
    """Whether a line of a log is about something else than a cancelled task."""
    kind = record.exc_info[0] if record.exc_info else None
    return kind is None or not issubclass(kind, asyncio.CancelledError)


@asynccontextmanager
async def open_cluster(address: str, identity: Identity) -> AsyncIterator[Cluster]:
    """A cluster that runs, for the time of an ``async with`` block.

    Args:
        address: Of its scheduler, as ``tcp://host:8786`` or ``tls://host:8786``.
        identity: What workers have to agree with.

    Raises:
        UnavailableError: the extra is not installed, no scheduler answers there, or a worker
            would give other results.
        UsageError: this is no address.
    """
    cluster = Cluster(address, identity)
    try:
        await cluster.connected()
        yield cluster
    finally:
        await cluster.close()


async def _connected(address: str) -> Client:
    if address.partition("://")[0] not in {"tcp", "tls", "ws", "wss"}:
        raise UsageError(f"{address!r:.80} is no address of a Dask scheduler (tcp://host:8786)")
    try:
        from distributed import Client  # noqa: PLC0415 - an extra
    except ImportError as problem:
        raise UnavailableError(
            'a cluster needs Dask, which is not installed: pip install "genint[dask]"'
        ) from problem
    try:
        return await Client(address, asynchronous=True, timeout=_ANSWER_S, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as problem:
        raise UnavailableError(
            f"no Dask scheduler answers at {address}: start one (dask scheduler) or correct the "
            "address"
        ) from problem


def _asking(identity: Identity) -> Callable[[], Mapping[str, str]]:
    """A function that workers without genint can run too: it is sent itself, not its name."""
    module, name = identity.__module__, identity.__name__

    def ask() -> Mapping[str, str]:
        from importlib import import_module  # noqa: PLC0415 - sent

        try:
            return cast(Mapping[str, str], getattr(import_module(module), name)())
        except (ImportError, AttributeError):
            return {}

    return ask


def _difference(worker: str, expected: Mapping[str, str], found: Mapping[str, str]) -> str:
    """Why a worker would give other results; empty where it would not."""
    if not found:
        return f"the worker {worker} has no genint, or another version of it"
    others = [name for name in expected if found.get(name) != expected[name]]
    told = ", ".join(f"{name} {found.get(name)} ({expected[name]} here)" for name in others)
    return f"the worker {worker} would give other results: it has {told}" if others else ""


def _run(
    expected: Mapping[str, str],
    identity: Identity,
    work: Callable[..., object],
    arguments: tuple[Any, ...],
) -> object:
    """On a worker: one call."""
    from distributed import get_worker  # noqa: PLC0415 - an extra

    worker = get_worker()
    if problem := _difference(worker.address, expected, identity()):
        raise WorkCancelled(problem)
    key = worker.get_current_task()

    def is_cancelled() -> bool:
        task = worker.state.tasks.get(key)
        return task is None or task.state == "cancelled"

    return bound(work, arguments, is_cancelled)()
