"""Signs of life of workers, in the database."""

from __future__ import annotations


class DatabaseHeartbeats:
    """Signs of life of workers, one row each."""

    async def beat(self, worker_id: str) -> None:
        """Note that a worker is alive now."""
        raise NotImplementedError

    async def stop(self, worker_id: str) -> None:
        """Forget a worker."""
        raise NotImplementedError

    async def any_within(self, seconds: float) -> bool:
        """Whether any worker showed a sign of life in the last seconds."""
        raise NotImplementedError
