"""What all that compute have in common, and cutting work into pieces of about equal size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, groupby
from typing import Protocol, TypeVar, TypeVarTuple

from genint.errors import WorkerDied

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


class Backend(Protocol):
    """Something that computes: a thread, processes, a cluster.

    Many runs may be awaited at once; those that find no free worker wait in the
    order in which they came.
    """

    async def run(self, work: Callable[[*Arguments], Result], /, *arguments: *Arguments) -> Result:
        """Await ``work(*arguments)`` without blocking the event loop.

        Args:
            work: A function of the top level of an importable module. If it has a
                parameter ``is_cancelled`` (keyword with a default), it may be given
                a ``Callable[[], bool]`` and should then stop soon after that says
                yes; workers that can be killed don't need it and leave the default.
            arguments: Its positional arguments; they and the result can be pickled.

        Raises:
            WorkerDied: the worker ended before its answer; others go on.
            WorkCancelled: the backend was closed before the work was done.
            UsageError: the work cannot be sent to a worker.
            Exception: whatever the work itself raised, unchanged.

        Cancelling the await stops the work, or drops it if it has not begun.
        """
        ...

    async def close(self) -> None:
        """Stop all work and free all that was started; again does nothing."""
        ...


class SharedBackend(Protocol):
    """Something that computes for several owners, none of which keeps another from its turn."""

    def share(self) -> Backend:
        """A backend for one owner; closing it ends its calls alone."""
        ...

    async def close(self) -> None:
        """See :meth:`Backend.close`."""
        ...


async def run_with_retry(
    backend: Backend,
    work: Callable[[*Arguments], Result],
    /,
    *arguments: *Arguments,
    retries: int = 2,
) -> Result:
    """Run work, and run it again when its worker died.

    For owners whose work gives the same result however often it runs. Only
    :class:`~genint.errors.WorkerDied` is tried again.

    Args:
        backend: Where to run.
        work: See :meth:`Backend.run`.
        arguments: See :meth:`Backend.run`.
        retries: How often to try again, >= 0.

    Raises:
        WorkerDied: the worker died ``retries + 1`` times.
        Exception: see :meth:`Backend.run`.
    """
    for _ in range(retries):
        try:
            return await backend.run(work, *arguments)
        except WorkerDied:
            continue
    return await backend.run(work, *arguments)


def balanced_chunks(lengths: Sequence[int], target: int) -> tuple[range, ...]:
    """Split consecutive proteins into chunks of about equal residues.

    Args:
        lengths: Residues of each protein, >= 0.
        target: Residues that a chunk should have, >= 1.

    Returns:
        Ranges of indices, none empty, that together are ``range(len(lengths))`` in
        order. No chunk holds more than ``target`` plus its longest protein. The
        same for the same input, so it does not depend on the number of workers.

    Raises:
        ValueError: ``target`` is below 1.

    Cost: O(len(lengths)).
    """
    if target < 1:
        raise ValueError(f"a chunk needs at least one residue, not {target}")
    total = sum(lengths)
    chunks = max(1, -(-total // target))

    def chunk_of(index: int) -> int:
        """The chunk in whose stretch of residues the middle of this protein lies."""
        middle_doubled = 2 * ends[index] - lengths[index]
        at = middle_doubled * chunks // (2 * total) if total else 0
        return min(at, chunks - 1)  # an empty protein at the very end has its middle there

    ends = tuple(accumulate(lengths))
    groups = (tuple(group) for _, group in groupby(range(len(lengths)), chunk_of))
    return tuple(range(group[0], group[-1] + 1) for group in groups)
