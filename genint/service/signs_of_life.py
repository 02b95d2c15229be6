"""Signs of life for whoever restarts a process that hangs: systemd, or a container's health check.

A sign is given only while the process does its work: the event loop turns and, where it does jobs,
it has looked for jobs a moment ago. A database that is away is no reason to be restarted: looks
that fail count, and only looks that do not end are missed.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

from genint.settings import SystemdSettings
from genint.worker.supervisor import Supervisor

_AGAIN_S: Final = 0.2
EVERY_S: Final = 5.0
LOOK_COUNTS_S: Final = 30.0
"""Age of the last look for jobs from which on a process counts as hanging."""


def is_working(supervisor: Supervisor | None) -> bool:
    """Whether a process does what it should; one without supervisor only has to turn its loop."""
    if supervisor is None:
        return True
    unlooked_s = supervisor.unlooked_s
    return supervisor.is_alive and unlooked_s is not None and unlooked_s < LOOK_COUNTS_S


@asynccontextmanager
async def signs_of_life(
    systemd: SystemdSettings, supervisor: Supervisor | None, health_file: Path | None = None
) -> AsyncIterator[None]:
    """Say that the process is ready, give signs of life during the block, say that it ends.

    Args:
        systemd: Where systemd listens, if it started the process.
        supervisor: Of the process, if it does jobs.
        health_file: Its time of change is that of the last sign; gone after the block.
    """
    every_s = min(EVERY_S, (systemd.watchdog_s or EVERY_S) / 2)
    notify(systemd.notify_socket, "READY=1")
    giving = asyncio.create_task(_give(systemd.notify_socket, supervisor, health_file, every_s))
    try:
        yield
    finally:
        notify(systemd.notify_socket, "STOPPING=1")
        giving.cancel()
        await asyncio.wait((giving,))
        if health_file is not None:
            with suppress(OSError):
                await asyncio.to_thread(health_file.unlink)


async def _give(
    address: str | None, supervisor: Supervisor | None, health_file: Path | None, every_s: float
) -> None:
    while True:
        working = is_working(supervisor)
        if working:
            notify(address, "WATCHDOG=1")
            if health_file is not None:
                with suppress(OSError):  # a full disk: the check of the container will see
                    await asyncio.to_thread(health_file.touch)
        # A worker that starts has not looked for jobs yet: its first sign comes soon after.
        await asyncio.sleep(every_s if working else min(every_s, _AGAIN_S))


def notify(address: str | None, message: str) -> None:
    """Send a message to systemd (sd_notify(3)); never waits and never fails.

    Args:
        address: Of its socket: a path, or a name in the abstract namespace after ``@``.
        message: Such as ``READY=1``.
    """
    if not address:
        return
    name = f"\0{address[1:]}" if address.startswith("@") else address
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.setblocking(False)
        sender.sendto(message.encode(), name)
