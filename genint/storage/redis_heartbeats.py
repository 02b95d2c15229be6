"""Signs of life of workers, in Redis."""

from __future__ import annotations


class RedisHeartbeats:
    """Signs of life of workers, one entry each.

    Raises:
        BusyError: from every method, where Redis does not answer.
    """

    def __init__(self, url: str) -> None:
        self._url = url

    async def beat(self, worker_id: str) -> None:
        """Note that a worker is alive now."""
        raise NotImplementedError

    async def stop(self, worker_id: str) -> None:
        """Forget a worker."""
        raise NotImplementedError

    async def any_within(self, seconds: float) -> bool:
        """Whether any worker showed a sign of life in the last seconds."""
        raise NotImplementedError

    async def close(self) -> None:
        """Close the connections."""
        raise NotImplementedError
