"""The process that builds: it ends when it is cancelled, and its death is reported."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from genint.databases.download.http import Mirror
from genint.databases.install import install
from genint.databases.installed import Installed, look_up
from genint.databases.layout import changing
from genint.errors import InstallError
from tests.databases.published_content import republish, write_large_ontology, write_mirror


@pytest.fixture
def databases(tmp_path) -> Path:
    return tmp_path / "databases"


async def install_go(folder: Path, databases: Path, **options) -> Installed:
    (installed,) = await install(databases, ["go"], mirrors=[Mirror.parse(str(folder))], **options)
    return installed


async def test_cancelling_ends_the_build_and_its_process(tmp_path, databases):
    folder = write_large_ontology(tmp_path / "large")
    tasks = []
    task = asyncio.ensure_future(
        install_go(folder, databases, checkpoint=cancel_when_building(tasks))
    )
    tasks.append(task)
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(task, 20)
    assert children_of_this_process() == []
    assert look_up(databases, "go") is None
    with changing(databases, "go"):
        pass


def cancel_when_building(tasks: list):
    def checkpoint(step: str) -> None:
        if step == "reading terms":
            tasks[0].cancel()

    return checkpoint


async def test_a_build_process_that_dies_is_one_line_and_the_next_install_goes_on(
    tmp_path, databases
):
    folder = write_large_ontology(tmp_path / "large")

    def kill(step: str) -> None:
        if step == "reading terms":
            for child in children_of_this_process():
                os.kill(child, signal.SIGKILL)

    with pytest.raises(InstallError, match=r"go: a worker process was ended by SIGKILL .* is kept"):
        await install_go(folder, databases, checkpoint=kill)
    told = []
    await install_go(folder, databases, progress=told.append)
    assert any("going on" in str(event) for event in told)


def children_of_this_process() -> list[int]:
    """Processes that run the build."""
    found = []
    for task in Path("/proc/self/task").iterdir():
        found += [int(child) for child in (task / "children").read_text().split()]
    return [child for child in found if b"spawn_main" in command_of(child)]


def command_of(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except FileNotFoundError:
        return b""


async def test_a_release_without_one_entry_is_refused(tmp_path, databases):
    folder = write_mirror(tmp_path / "mirror", databases=["cog"])
    republish(folder, "cog", "cog-24.def.tab", b"")
    with pytest.raises(InstallError, match="cog: "):
        await install(databases, ["cog"], mirrors=[Mirror.parse(str(folder))])
    assert look_up(databases, "cog") is None
