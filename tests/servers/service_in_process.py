"""A service in the process of a test."""

from __future__ import annotations

from aiohttp import web

from genint.service.endpoint import SERVICE


async def stop_jobs(app: web.Application) -> None:
    """Stop what computes at once: nobody waits for jobs that outlast their test.

    A service that ends by itself gives them three seconds.
    """
    if supervisor := app[SERVICE].supervisor:
        await supervisor.stop(grace_s=0)
