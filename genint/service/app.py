"""The one place where the application is wired together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

from aiohttp import web

from genint.errors import UsageError
from genint.service.context import SERVICE
from genint.service.endpoint import as_aiohttp, wait_for_body
from genint.service.middleware import edge, finish_headers
from genint.service.opening import open_service
from genint.service.routes import ENDPOINTS
from genint.settings import Settings

LARGEST_JSON_BYTES: Final = 64 << 10
"""Bodies other than uploads; those are counted where they are read."""


def create_app(settings: Settings, *, workers: int = 4) -> web.Application:
    """The application: the API and, with workers, their supervisor.

    Args:
        settings: From the environment.
        workers: Worker processes, 1 to 4; 0 serves the API alone and needs PostgreSQL,
            since somebody else has to do the jobs.

    Raises:
        UsageError: no workers and no database that others could share.
    """
    if workers == 0 and not settings.uses_postgresql:
        raise UsageError(
            "--workers 0 needs PostgreSQL (DATABASE_URL), where `genint worker` does the jobs"
        )
    app = web.Application(middlewares=[edge], client_max_size=LARGEST_JSON_BYTES)

    async def run_service(app: web.Application) -> AsyncIterator[None]:
        async with open_service(settings, workers=workers) as service:
            app[SERVICE] = service
            yield

    app.cleanup_ctx.append(run_service)
    app.on_response_prepare.append(finish_headers)
    for endpoint in ENDPOINTS:
        handler = as_aiohttp(endpoint)
        methods = ("GET", "HEAD") if endpoint.method == "GET" else (endpoint.method,)
        for method in methods:
            app.router.add_route(method, endpoint.path, handler, expect_handler=wait_for_body)
    return app
