"""Work on the machines of a Dask cluster, which the extra ``dask`` brings.

The scheduler hands every call to a worker that is free, and to another one where a worker is
lost. Workers need an installation of genint that gives the same results: what decides them is
compared before the first call, and again with each, since workers come and go.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import warnings
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final, cast
from uuid import uuid4

from genint.compute.backend import Arguments, Result
from genint.compute.threads import bound
from genint.errors import UnavailableError, UsageError, WorkCancelled, WorkerDied

if TYPE_CHECKING:
    from distributed import Client

Identity = Callable[[], Mapping[str, str]]
"""What results depend on besides the work: a version for each name. A function of the top level
of a module, called on every machine."""

_ANSWER_S: Final = 15.0
"""How long a scheduler may take to answer."""


class ClusterBackend:
    """Calls on the workers of a cluster; made by :func:`open_cluster`.

    A worker that dies costs nothing but time: its calls begin anew elsewhere, three times at
    most. A cancelled call that has begun stops where its work looks at ``is_cancelled``.

    Args:
        client: Connected, of this event loop.
        identity: What workers have to agree with.
    """

    def __init__(self, client: Client, identity: Identity) -> None:
        self._client = client
        self._identity = identity
        self._expected = dict(identity())
        self._is_closed = False

    async def places(self) -> int:
        """How many calls can run at the same time now."""
        return sum((await self._client.nthreads()).values())

    async def check_workers(self) -> None:
        """See that the workers that are there give the same results as this machine.

        Raises:
            UnavailableError: one has another version of something, or no genint.
        """
        told = await self._client.run(_asking(self._identity.__module__, self._identity.__name__))
        for address, found in told.items():
            _check(address, self._expected, found)

    async def run(self, work: Callable[[*Arguments], Result], /, *arguments: *Arguments) -> Result:
        """See :meth:`genint.compute.backend.Backend.run`.

        Raises:
            UnavailableError: the worker would give other results, or the scheduler went away.
        """
        from distributed import KilledWorker  # noqa: PLC0415 - an extra

        if self._is_closed:
            raise WorkCancelled("the backend is closed")
        key = f"genint-{getattr(work, '__name__', 'work')}-{uuid4().hex}"
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Sending large graph")  # a genome is in it
            future = self._client.submit(
                _run, self._expected, self._identity, work, arguments, key=key, pure=False
            )
        try:
            return cast(Result, await future)
        except asyncio.CancelledError:
            await asyncio.shield(self._client.cancel([future], force=True))
            raise
        except concurrent.futures.CancelledError as problem:
            if self._is_closed:
                raise WorkCancelled("the backend is closed") from problem
            raise UnavailableError("the scheduler of the cluster lost the work") from problem
        except KilledWorker as problem:
            raise WorkerDied(f"{problem.allowed_failures + 1} workers died over it") from problem
        finally:
            future.release()

    async def close(self) -> None:
        """Withdraw all calls; the cluster runs on."""
        self._is_closed = True
        futures = list(self._client.futures)
        if futures:
            await self._client.cancel(futures, force=True)


@asynccontextmanager
async def open_cluster(address: str, identity: Identity) -> AsyncIterator[ClusterBackend]:
    """A cluster that runs, for the time of an ``async with`` block.

    Args:
        address: Of its scheduler, as ``tcp://host:8786`` or ``tls://host:8786``.
        identity: What workers have to agree with.

    Raises:
        UnavailableError: the extra is not installed, no scheduler answers there, or a worker
            would give other results.
        UsageError: this is no address.
    """
    client = await _connected(address)
    try:
        backend = ClusterBackend(client, identity)
        await backend.check_workers()
        try:
            yield backend
        finally:
            await backend.close()
    finally:
        await client.close()


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


def _asking(module: str, name: str) -> Callable[[], Mapping[str, str]]:
    """A function that workers without genint can run too: it is sent itself, not its name."""

    def ask() -> Mapping[str, str]:
        from importlib import import_module  # noqa: PLC0415 - sent

        try:
            return cast(Mapping[str, str], getattr(import_module(module), name)())
        except (ImportError, AttributeError):
            return {}

    return ask


def _check(worker: str, expected: Mapping[str, str], found: Mapping[str, str]) -> None:
    if not found:
        raise UnavailableError(f"the worker {worker} has no genint, or another version of it")
    others = [name for name in expected if found.get(name) != expected[name]]
    if others:
        told = ", ".join(f"{name} {found.get(name)} ({expected[name]} here)" for name in others)
        raise UnavailableError(f"the worker {worker} would give other results: it has {told}")


def _run(
    expected: Mapping[str, str],
    identity: Identity,
    work: Callable[..., object],
    arguments: tuple[Any, ...],
) -> object:
    """On a worker: one call."""
    from distributed import get_worker  # noqa: PLC0415 - an extra

    worker = get_worker()
    _check(worker.address, expected, identity())
    key = worker.get_current_task()

    def is_cancelled() -> bool:
        task = worker.state.tasks.get(key)
        return task is None or task.state == "cancelled"

    return bound(work, arguments, is_cancelled)()
