"""What tests of the self-test share: places, indexed profiles, installations to be damaged."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import genint
from benchmarks.search.pfam_tiles import write_mirror
from genint.databases.download.http import Mirror
from genint.databases.install import install
from genint.selftest import Check, Places, all_checks
from genint.sources import ProfileDatabase

PACKAGE = Path(genint.__file__).parent


def check_named(name: str) -> Check:
    """One of the checks that users get."""
    (found,) = (check for check in all_checks() if check.name == name)
    return found


@pytest.fixture(scope="session")
def pressed_cache(pressed) -> Path:
    """A cache folder whose profiles are indexed once in a test run."""
    return pressed


@pytest.fixture
def places(pressed_cache, tmp_path) -> Places:
    """A cache folder that is ready, and no database."""
    return Places(pressed_cache, tmp_path / "databases")


@dataclass(frozen=True)
class Installation:
    """A copy of genint as it is after installing: files, and a list of their checksums."""

    root: Path

    @property
    def package(self) -> Path:
        return self.root / "genint"

    def damage(self, file: str, content: bytes) -> None:
        """Put other content in place of a file (which may be shared with other copies)."""
        path = self.package / file
        path.unlink()
        path.write_bytes(content)

    def run(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run its Python in its own folder."""
        variables = {**os.environ, "PYTHONPATH": str(self.root), **variables}
        command = [sys.executable, *arguments]
        return subprocess.run(
            command, cwd=self.root, env=variables, capture_output=True, text=True, check=False
        )

    def check(self, name: str, cache: Path) -> str:
        """Outcome, text and cure of one check."""
        script = (
            "import asyncio; from pathlib import Path\n"
            "from genint.selftest import Places, all_checks, run_checks\n"
            "if __name__ == '__main__':\n"
            f"    places = Places(Path({str(cache)!r}), Path('databases'))\n"
            f"    checks = [check for check in all_checks() if check.name == {name!r}]\n"
            "    (found,) = asyncio.run(run_checks(checks, places))\n"
            "    print(found.outcome, found.text, found.cure, sep='|')\n"
        )
        done = self.run("-c", script)
        assert not done.stderr
        return done.stdout.strip()


@pytest.fixture
def installation(tmp_path) -> Installation:
    """A fresh copy; its files are links to those of the working tree."""
    root = tmp_path / "site"
    shutil.copytree(
        PACKAGE,
        root / "genint",
        copy_function=_link,
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    described = root / "genint-0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: genint\nVersion: 0\n")
    files = sorted(path for path in (root / "genint").rglob("*") if path.is_file())
    rows = [
        f"{path.relative_to(root)},sha256={_checksum(path)},{path.stat().st_size}\n"
        for path in files
    ]
    (described / "RECORD").write_text("".join(rows) + "genint-0.dist-info/RECORD,,\n")
    return Installation(root)


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:  # another disk
        shutil.copyfile(source, target)


def _checksum(path: Path) -> str:
    digest = hashlib.sha256(path.read_bytes()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


@pytest.fixture(scope="session")
def installed_pfam(tmp_path_factory) -> Path:
    """A databases folder with a Pfam-A of 40 families, installed as users install it."""
    folder = tmp_path_factory.mktemp("pfam")
    shipped = ProfileDatabase.shipped().rebuild()
    families = {"PF00589", "PF04860", "PF00717"}  # of the built-in genome
    profiles = [one for one in shipped if one.accession.partition(".")[0] in families]
    write_mirror(profiles, 40, folder / "mirror", folder / "all.h3m")
    databases = folder / "databases"
    asyncio.run(install(databases, ["pfam"], mirrors=[Mirror.parse(str(folder / "mirror"))]))
    return databases
