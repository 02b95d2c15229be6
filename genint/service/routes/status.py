"""Whether the service and its workers live."""

from __future__ import annotations

from genint.service.answers import Health, WorkerStatus
from genint.service.endpoint import Call, Endpoint


async def health(call: Call) -> Health:
    """The process lives; says nothing of the database, so that it is not restarted for it."""
    del call
    return Health()


async def worker_status(call: Call) -> WorkerStatus:
    """Whether a worker lives; answers within a second whatever else is down."""
    return WorkerStatus(online=await call.service.has_workers())


ENDPOINTS = (
    Endpoint("GET", "/api/v1/health", health, "Whether the service lives", "status"),
    Endpoint("GET", "/api/v1/worker/status", worker_status, "Whether a worker lives", "status"),
)
