"""Installations that are killed at every step, and go on."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from genint.databases.install import install
from genint.databases.installed import Installed, is_unfinished, look_up, verify
from genint.databases.recipes import RECIPES
from tests.databases.faulty_server import FaultyServer
from tests.databases.published_content import Releases, write_large_ontology, write_mirror

PROGRAM = Path(__file__).with_name("killed_installs.py")


class Killer:
    """Installs in processes that kill themselves."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    async def install(
        self, databases: Path, name: str, mirror: str, kill_at: int
    ) -> tuple[list[str], bool]:
        """The checkpoints that were passed, and whether it was killed then."""
        self.process.stdin.write(json.dumps([str(databases), name, mirror, kill_at]) + "\n")
        self.process.stdin.flush()
        passed, killed = json.loads(await asyncio.to_thread(self.process.stdout.readline))
        return passed, killed


@pytest.fixture
def killer() -> Iterator[Killer]:
    killer = Killer()
    yield killer
    killer.process.communicate(timeout=20)


def served(server: FaultyServer, mirror: Path) -> None:
    server.files = {
        f"/{file.relative_to(mirror)}": file.read_bytes()
        for file in mirror.rglob("*")
        if file.is_file()
    }


def content_of(databases: Path, name: str) -> dict[str, bytes]:
    """All files but for times; the version's folder is called ``version``."""
    version = look_up(databases, name).folder
    content = {}
    for file in sorted((databases / name).rglob("*")):
        if file.is_file():
            path = str(file.relative_to(databases / name))
            content[path.replace(version.name, "version")] = file.read_bytes()
    assert content.pop("current").decode() == f"{version.name}\n"
    manifest = json.loads(content["version/manifest.json"])
    assert manifest.pop("installed_at")
    assert manifest.pop("seal")
    assert content.pop("version/times.json")
    content["version/manifest.json"] = json.dumps(manifest).encode()
    return content


@pytest.mark.parametrize(("name", "is_update"), [("pfam", True), ("go", False)])
async def test_killed_at_every_step_the_old_serves_and_the_next_install_completes(
    tmp_path, server, killer, name, is_update
):
    before, expected = tmp_path / "before", tmp_path / "expected"
    earlier = Releases(pfam="37.0", go="2026-05-01")
    old = write_mirror(tmp_path / "old", databases=[name], releases=earlier, families=4)
    before.mkdir()
    if is_update:
        served(server, old)
        await install(before, [name], mirrors=[server.mirror])
    releases = Releases(pfam="38.0", go="2026-07-20")
    served(server, write_mirror(tmp_path / "new", databases=[name], releases=releases))
    await install(expected, [name], mirrors=[server.mirror])
    for kill_at in count(1):
        databases = tmp_path / f"killed-{kill_at}"
        shutil.copytree(before, databases)
        passed, killed = await killer.install(databases, name, server.url, kill_at)
        if not killed:
            break
        assert len(passed) == kill_at
        was_switched = "switched" in passed
        state = look_up(databases, name)
        if was_switched:
            assert state.digest == look_up(expected, name).digest
        elif is_update:
            assert state.digest == look_up(before, name).digest
            assert verify(databases, name) == ()
        else:
            assert state is None
        is_tidying = passed[-1].startswith("removed") or passed[-1] == "tidied"
        assert is_unfinished(databases, name) == ("planned" in passed and not is_tidying)
        server.sent_bytes.clear()
        await install(databases, [name], mirrors=[server.mirror])
        assert content_of(databases, name) == content_of(expected, name)
        assert not is_unfinished(databases, name)
        for file in RECIPES[name].files:
            if f"fetched {file.name}" in passed and not was_switched:
                assert server.sent_bytes[f"/{file.places[0]}"] == 0, (file, passed)
        shutil.rmtree(databases)
    assert kill_at > 15
    assert isinstance(look_up(databases, name), Installed)
    assert content_of(databases, name) == content_of(expected, name)


async def test_the_process_that_builds_does_not_outlive_a_killed_installation(tmp_path, killer):
    mirror = write_large_ontology(tmp_path / "mirror", terms=20_000, pairs=150_000)
    databases = tmp_path / "databases"
    passed, killed = await killer.install(databases, "go", str(mirror), 0)
    kill_at = passed.index("reading terms") + 1
    assert not killed
    shutil.rmtree(databases)
    passed, killed = await killer.install(databases, "go", str(mirror), kill_at)
    assert (killed, passed[-1]) == (True, "reading terms")
    ended = asyncio.get_running_loop().time() + 5
    while works_in(databases):
        assert asyncio.get_running_loop().time() < ended
        await asyncio.sleep(0.01)
    (building,) = (databases / "go" / ".work").glob("building-*")
    assert not (building / "interpro2go.tsv").exists()


def works_in(databases: Path) -> list[Path]:
    """Processes whose current folder lies in the folder of databases."""
    found = []
    for process in Path("/proc").glob("[0-9]*/cwd"):
        try:
            if process.readlink().is_relative_to(databases):
                found.append(process)
        except OSError:
            continue  # it has ended, or is somebody else's
    return found
