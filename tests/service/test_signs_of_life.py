"""What systemd and health checks of containers learn of a process."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import time
from pathlib import Path

import pytest
import yaml

from genint.service.endpoint import SERVICE
from genint.service.server import LOOK_COUNTS_S, is_working, notify, signs_of_life
from genint.settings import SystemdSettings

COMPOSE = Path(__file__).resolve().parents[2] / "deploy" / "compose.yaml"


@pytest.fixture
def systemd(tmp_path):
    """A socket in the place of systemd's, and its address."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.setblocking(False)
        yield listening


def told(listening: socket.socket) -> list[bytes]:
    found = []
    while True:
        try:
            found.append(listening.recv(100))
        except BlockingIOError:
            return found


async def test_systemd_learns_of_start_life_and_end(systemd):
    address = systemd.getsockname()
    settings = SystemdSettings.from_environment(
        {"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "20000"}
    )
    async with signs_of_life(settings, None):
        heard = told(systemd)
        async with asyncio.timeout(10):
            while heard.count(b"WATCHDOG=1") < 3:
                await asyncio.sleep(0.01)
                heard += told(systemd)
        assert heard[0] == b"READY=1"
    assert told(systemd)[-1] == b"STOPPING=1"


def test_a_name_in_the_abstract_namespace_is_understood():
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(f"\0genint-test-{os.getpid()}")
        notify(f"@genint-test-{os.getpid()}", "READY=1")
        assert listening.recv(100) == b"READY=1"


@pytest.mark.parametrize("address", [None, "", "/nowhere/notify", "@nobody"])
def test_without_systemd_nothing_happens(address):
    notify(address, "READY=1")


async def test_a_process_works_while_it_looks_for_jobs(client):
    supervisor = client.app[SERVICE].supervisor
    async with asyncio.timeout(10):
        while not is_working(supervisor):
            await asyncio.sleep(0.01)
    supervisor._looked_at -= LOOK_COUNTS_S + 1  # as if a look hung
    assert not is_working(supervisor)
    await supervisor.stop(grace_s=0)
    assert not is_working(supervisor)


async def test_the_health_check_of_the_container_believes_the_file_only_while_it_is_new(tmp_path):
    file = tmp_path / "genint-worker"
    services = yaml.safe_load(COMPOSE.read_text())["services"]
    *_, there = services["worker"]["command"]
    kind, check = services["worker"]["healthcheck"]["test"]
    assert kind == "CMD-SHELL"
    assert there in check
    command = check.replace("$$", "$").replace(there, str(file))

    def is_healthy() -> bool:
        done = subprocess.run(["sh", "-c", command], check=False, capture_output=True)
        return done.returncode == 0

    assert not is_healthy()
    async with signs_of_life(SystemdSettings(), None, file):
        async with asyncio.timeout(10):
            while not file.exists():
                await asyncio.sleep(0.01)
        assert is_healthy()
        old = time.time() - 120
        os.utime(file, (old, old))
        assert not is_healthy()
    assert not file.exists()
