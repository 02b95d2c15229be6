"""The wheel: built, opened, installed in a fresh environment and run from elsewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from genint.version import __version__

ROOT = Path(__file__).resolve().parent.parent
LARGEST_WHEEL_BYTES = 40_000_000


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command that has to succeed; what it printed on standard output."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith("PYTHON")}
    kept |= {"PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=cwd, env=kept, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The wheel of the working tree, built with what the test environment has."""
    folder = tmp_path_factory.mktemp("wheel")
    run(
        *(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT),
        cwd=folder,
    )
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def environment(wheel, tmp_path_factory) -> Path:
    """A new environment that holds the wheel.

    What genint depends on is seen through a path file, so nothing is downloaded. A
    path that comes from such a file does not bring its own path files along: an
    editable genint beside the tests stays out of sight.
    """
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False, symlinks=True)
    python = folder / "bin" / "python"
    run(
        *(sys.executable, "-m", "pip", "--python", python, "install", "--quiet"),
        *("--disable-pip-version-check", "--no-index", "--no-deps", wheel),
        cwd=folder,
    )
    own = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder)
    borrowed = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (Path(own.strip()) / "borrowed.pth").write_text("\n".join(sorted(borrowed)))
    return folder


def test_the_wheel_holds_every_file_of_the_package_all_sql_and_the_example(wheel):
    package = {
        str(file.relative_to(ROOT))
        for file in (ROOT / "genint").rglob("*")
        if file.is_file() and file.suffix != ".pyc"
    }
    sql = {
        f"genint/_sql/{file.relative_to(ROOT / 'sql')}"
        for file in (ROOT / "sql").rglob("*")
        if file.is_file()
    }
    with zipfile.ZipFile(wheel) as opened:
        held = {name for name in opened.namelist() if ".dist-info/" not in name}
    manual = f"genint-{__version__}.data/data/share/man/man1/genint.1"
    assert held == package | sql | {"genint/_examples/lambda.fasta", manual}


def test_the_wheel_tells_type_checkers_that_it_is_typed(wheel):
    with zipfile.ZipFile(wheel) as opened:
        assert "genint/py.typed" in opened.namelist()


def test_the_wheel_carries_the_licence(wheel):
    with zipfile.ZipFile(wheel) as opened:
        names = opened.namelist()
        (licence,) = [name for name in names if re.search(r"\.dist-info/.*\bLICENSE$", name)]
        assert opened.read(licence) == (ROOT / "LICENSE").read_bytes()


def test_the_wheel_is_small_enough_for_any_registry(wheel):
    assert wheel.stat().st_size <= LARGEST_WHEEL_BYTES


def test_the_installed_package_is_the_one_that_runs(environment, tmp_path):
    place = run(
        environment / "bin" / "python", "-c", "import genint; print(genint.__file__)", cwd=tmp_path
    )
    assert Path(place.strip()).is_relative_to(environment)


def test_the_installed_command_tells_its_version(environment, tmp_path):
    assert run(environment / "bin" / "genint", "--version", cwd=tmp_path) == (
        f"genint {__version__}\n"
    )


def test_the_installed_package_has_its_sql_and_the_example_genome(environment, tmp_path):
    script = (
        "import asyncio; from pathlib import Path; from genint.storage import *; "
        "from genint.service.example import find_example; "
        "print(*asyncio.run(migrate(StorageAddress(Path('data'), Path('db').absolute())))); "
        "print(find_example())"
    )
    migrations, example = run(
        environment / "bin" / "python", "-c", script, cwd=tmp_path
    ).splitlines()
    assert migrations.startswith("0001_first_tables")
    assert example.endswith("/genint/_examples/lambda.fasta")


@pytest.mark.parametrize("workers", [1, 2])
def test_the_installed_command_interprets_a_genome(
    environment, examples, pressed, tmp_path, workers
):
    said = run(
        *(environment / "bin" / "genint", "interpret", examples / "phiX174.gbk"),
        *("--workers", str(workers)),
        cwd=tmp_path,
    )
    report = tmp_path / "phiX174_report.md"
    assert report.name in said
    assert "phiX174" in report.read_text()
