"""`genint serve`, `genint worker`, `genint migrate`."""

from __future__ import annotations

import asyncio
import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from genint.settings import Settings, SystemdSettings


_MOST_WORKERS = 4
_DEFAULT_PORT = 8000
_LARGEST_PORT = 65_535

_verbose = click.option("--quiet", is_flag=True, help="Log warnings and errors only.")


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    default=_DEFAULT_PORT,
    show_default=True,
    type=click.IntRange(0, _LARGEST_PORT),
    help="Port to listen on; 0 takes a free one.",
)
@click.option(
    "--workers",
    default=_MOST_WORKERS,
    show_default=True,
    type=click.IntRange(0, _MOST_WORKERS),
    help="Jobs that run at once; 0 serves the API alone (needs PostgreSQL).",
)
@_verbose
def serve(host: str, port: int, workers: int, quiet: bool) -> None:
    """Start the HTTP service, with the settings of the environment (docs/operation.md)."""
    from genint.service.server import serve as serve_until_signal  # noqa: PLC0415 - lazy

    settings = _start(quiet)
    database = "PostgreSQL" if settings.uses_postgresql else "SQLite"

    def say_ready(address: str) -> None:
        jobs = f"{workers} workers" if workers else "no workers"
        click.echo(f"genint serves {address} ({jobs}, {database}, data in {settings.data_folder})")

    asyncio.run(
        serve_until_signal(
            settings,
            host=host,
            port=port,
            workers=workers,
            on_ready=say_ready,
            systemd=_systemd(),
        )
    )


@click.command()
@click.option(
    "--workers",
    default=_MOST_WORKERS,
    show_default=True,
    type=click.IntRange(1, _MOST_WORKERS),
    help="Jobs that run at once.",
)
@click.option(
    "--health-file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Touch this file every five seconds while jobs are looked for, for health checks.",
)
@_verbose
def worker(workers: int, health_file: Path | None, quiet: bool) -> None:
    """Do jobs without serving requests; needs PostgreSQL (DATABASE_URL)."""
    from genint.service.server import work  # noqa: PLC0415 - lazy

    settings = _start(quiet)

    def say_ready() -> None:
        click.echo(f"genint works ({workers} workers, data in {settings.data_folder})")

    asyncio.run(
        work(
            settings,
            workers=workers,
            on_ready=say_ready,
            systemd=_systemd(),
            health_file=health_file,
        )
    )


@click.command()
def migrate() -> None:
    """Bring the database to the form that this version needs (serve does it too)."""
    from genint.service.app import storage_address  # noqa: PLC0415 - lazy
    from genint.settings import Settings  # noqa: PLC0415 - loads pydantic
    from genint.storage import migrate as apply  # noqa: PLC0415

    settings = Settings.from_environment()
    applied = asyncio.run(apply(storage_address(settings)))
    for name in applied:
        click.echo(f"applied {name}")
    if not applied:
        click.echo("nothing to do: the database is up to date")


def _systemd() -> SystemdSettings:
    from genint.settings import SystemdSettings  # noqa: PLC0415 - loads pydantic

    return SystemdSettings.from_environment()


def _start(quiet: bool) -> Settings:
    from genint.service.server import write_logs_to  # noqa: PLC0415 - lazy
    from genint.settings import Settings, without_matrix_threads  # noqa: PLC0415 - loads pydantic

    without_matrix_threads()
    settings = Settings.from_environment()
    write_logs_to(sys.stderr, level=logging.WARNING if quiet else logging.INFO)
    return settings
