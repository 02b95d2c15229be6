"""The one place where the application is wired together."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cache, partial
from typing import Final

from aiohttp import web

from genint.auth.passwords import PasswordHasher
from genint.auth.tokens import TokenSigner, load_or_create_secret
from genint.errors import UsageError
from genint.pipeline.library import open_cluster_at
from genint.pipeline.online import configured_client
from genint.pipeline.resources import Folders
from genint.service.endpoint import SERVICE, Service, as_aiohttp, wait_for_body
from genint.service.events import open_events
from genint.service.example import ExampleReport
from genint.service.mail import configured_mailer
from genint.service.metrics import Metrics, serve_metrics
from genint.service.middleware import error_middleware, finish_headers
from genint.service.openapi import openapi_document
from genint.service.results import Results
from genint.service.routes import ENDPOINTS
from genint.service.routes.pages import set_up_templates
from genint.settings import Settings
from genint.storage import Heartbeats, RedisHeartbeats, Storage, StorageAddress, open_storage
from genint.worker.rendering import open_renderer
from genint.worker.supervisor import JobObserver, Supervisor
from genint.worker.webhooks import open_webhooks

TEXT_PER_UPLOAD: Final = 4
"""The text of a compressed upload may be this many times the largest upload."""
_LOG = logging.getLogger("genint.service")


@asynccontextmanager
async def open_service(settings: Settings, *, workers: int) -> AsyncIterator[Service]:
    """All parts of the service.

    Args:
        settings: From the environment.
        workers: Worker processes of this service; 0: others do the jobs.
    """
    async with AsyncExitStack() as stack:
        storage = await stack.enter_async_context(open_storage(storage_address(settings)))
        metrics = Metrics()
        storage.database.observer = metrics.database_call
        secret = await asyncio.to_thread(_secret, settings)
        beats = await stack.enter_async_context(open_heartbeats(settings, storage))
        supervisor = None
        if workers:
            opening = open_supervisor(
                settings, storage, workers=workers, beats=beats, observer=metrics
            )
            supervisor = await stack.enter_async_context(opening)
        memory = settings.process_memory_bytes
        rendering = open_renderer(storage, process_memory_bytes=memory)
        renderer = await stack.enter_async_context(rendering)
        example = ExampleReport(renderer, _folders(settings, with_databases=False))
        stack.push_async_callback(example.close)
        # Two passwords are hashed at once, but one core is left to answer other requests.
        passwords = PasswordHasher(threads=max(1, min(2, (os.cpu_count() or 2) - 1)))
        stack.callback(passwords.close)
        events = await stack.enter_async_context(open_events(storage.jobs))
        mailer = configured_mailer(settings)
        if mailer is not None:
            stack.push_async_callback(mailer.close)
        page = partial(metrics.page, storage, supervisor, settings.min_free_bytes)
        await stack.enter_async_context(serve_metrics(settings, page))
        yield Service(
            settings=settings,
            storage=storage,
            passwords=passwords,
            tokens=_token_signer(secret, settings),
            mailer=mailer,
            supervisor=supervisor,
            results=Results(storage, renderer),
            example=example,
            events=events,
            heartbeats=beats,
            openapi=_openapi,
            metrics=metrics,
        )


@cache
def _openapi() -> bytes:
    """Of all endpoints, whatever the settings: most services are never asked for it."""
    return openapi_document(ENDPOINTS)


def storage_address(settings: Settings) -> StorageAddress:
    """Where the database and the files are."""
    return StorageAddress(
        settings.data_folder, settings.sqlite_file, settings.database_url, settings.store
    )


@asynccontextmanager
async def open_heartbeats(
    settings: Settings, storage: Storage
) -> AsyncIterator[tuple[Heartbeats, ...]]:
    """Where workers say that they live: Redis where there is one, and the database."""
    if settings.redis_url is None:
        yield (storage.heartbeats,)
        return
    redis = RedisHeartbeats(settings.redis_url.get_secret_value())
    try:
        yield redis, storage.heartbeats
    finally:
        await redis.close()


@asynccontextmanager
async def open_supervisor(
    settings: Settings,
    storage: Storage,
    *,
    workers: int,
    beats: tuple[Heartbeats, ...],
    observer: JobObserver | None = None,
) -> AsyncIterator[Supervisor]:
    """A supervisor that does jobs until the end of the block."""
    async with configured_client(settings) as client, AsyncExitStack() as stack:
        webhooks = None
        if settings.webhooks:
            webhooks = await stack.enter_async_context(open_webhooks(storage.webhooks))
        cluster = None
        if settings.dask is not None:
            cluster = await stack.enter_async_context(open_cluster_at(settings.dask))
            workers = max(workers, await cluster.places())
        supervisor = Supervisor(
            storage=storage,
            workers=workers,
            folders=_folders(settings),
            max_text_bytes=TEXT_PER_UPLOAD * settings.max_upload_bytes,
            max_bases=settings.max_bases,
            process_memory_bytes=settings.process_memory_bytes,
            time_limit_s=settings.job_time_limit_s,
            beats=beats,
            retention_days=settings.retention_days,
            client=client,
            webhooks=webhooks,
            observer=observer,
            backend=cluster,
        )
        task = asyncio.create_task(supervisor.run(), name="supervisor")
        try:
            yield supervisor
        finally:
            await supervisor.stop()
            await task


def _folders(settings: Settings, *, with_databases: bool = True) -> Folders:
    return Folders(
        cache=settings.cache_folder,
        databases=settings.databases_folder if with_databases else None,
        cache_limit_bytes=settings.cache_limit_bytes,
    )


def _token_signer(secret: str, settings: Settings) -> TokenSigner:
    previous = settings.previous_jwt_secret
    return TokenSigner(
        secret,
        lifetime_s=settings.token_lifetime_s,
        previous=None if previous is None else previous.get_secret_value(),
    )


def _secret(settings: Settings) -> str:
    """The secret that signs tokens; made and kept where none is set."""
    if settings.jwt_secret is not None:
        return settings.jwt_secret.get_secret_value()
    secret, is_new = load_or_create_secret(settings.data_folder)
    if is_new:
        _LOG.warning(
            "JWT_SECRET is not set: a secret was made and is kept in the data folder",
            extra={"event": "secret_made"},
        )
    return secret


LARGEST_JSON_BYTES: Final = 64 << 10
"""Bodies other than uploads; those are counted where they are read."""


def create_app(settings: Settings, *, workers: int = 4) -> web.Application:
    """The application: the API and, with workers, their supervisor.

    Args:
        settings: From the environment.
        workers: Worker processes, 1 to 4; 0 serves the API alone and needs PostgreSQL,
            since another process has to do the jobs.

    Raises:
        UsageError: no workers and no database that others could share.
    """
    if workers == 0 and not settings.uses_postgresql:
        raise UsageError(
            "--workers 0 needs PostgreSQL (DATABASE_URL), where `genint worker` does the jobs"
        )
    app = web.Application(middlewares=[error_middleware], client_max_size=LARGEST_JSON_BYTES)

    async def run_service(app: web.Application) -> AsyncIterator[None]:
        async with open_service(settings, workers=workers) as service:
            app[SERVICE] = service
            yield

    async def end_streams(app: web.Application) -> None:
        """Event streams never end by themselves, and the framework waits for requests."""
        app[SERVICE].events.close()

    app.cleanup_ctx.append(run_service)
    app.on_shutdown.append(end_streams)
    app.on_response_prepare.append(finish_headers)
    set_up_templates(app)
    for endpoint in ENDPOINTS:
        handler = as_aiohttp(endpoint)
        methods = ("GET", "HEAD") if endpoint.method == "GET" else (endpoint.method,)
        for method in methods:
            app.router.add_route(method, endpoint.path, handler, expect_handler=wait_for_body)
    return app
