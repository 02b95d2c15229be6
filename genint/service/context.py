"""What the application is made of, handed to every request."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Protocol

from aiohttp import web

from genint.auth.passwords import PasswordHasher
from genint.auth.tokens import TokenSigner
from genint.errors import BusyError
from genint.service.results import Results
from genint.settings import Settings
from genint.storage import Storage
from genint.worker.supervisor import Supervisor

BEAT_COUNTS_S = 10.0
"""Age of a heartbeat from which on its worker is taken for dead."""
_ASKING_S = 0.45
"""How long one store of heartbeats may take to answer; two of them fit in a second."""


class Heartbeats(Protocol):
    """Where workers say that they live; raises BusyError where that does not answer."""

    async def beat(self, worker_id: str) -> None:
        """This worker lives."""
        ...

    async def stop(self, worker_id: str) -> None:
        """This worker has ended."""
        ...

    async def any_within(self, seconds: float) -> bool:
        """Whether any worker said so in the last seconds."""
        ...


@dataclass(frozen=True, slots=True)
class Service:
    """The parts of the running service.

    Attributes:
        settings: From the environment.
        storage: Database and files.
        passwords: Hashes them in threads of its own.
        tokens: Signs and checks them.
        supervisor: Of this process; None where it serves the API alone.
        results: Genes and reports of finished jobs.
        heartbeats: Where to ask for workers, in this order.
        openapi: The document, as JSON.
    """

    settings: Settings
    storage: Storage
    passwords: PasswordHasher
    tokens: TokenSigner
    supervisor: Supervisor | None
    results: Results
    heartbeats: tuple[Heartbeats, ...]
    openapi: bytes

    async def has_workers(self) -> bool:
        """Whether any worker lives; False where nobody can tell. Within a second."""
        if self.supervisor is not None and self.supervisor.is_alive:
            return True
        for store in self.heartbeats:
            try:
                async with asyncio.timeout(_ASKING_S):
                    return await store.any_within(BEAT_COUNTS_S)
            except (BusyError, TimeoutError):
                continue
        return False


SERVICE = web.AppKey("service", Service)
