"""Build a release, and try it in empty environments of each Python that is supported.

    python release_check.py [--python PATH ...]

Builds the source distribution, and the wheel from it, into ``dist/``; checks what the package
index would refuse (``twine check``); then, for each Python: installs the wheel and what it needs
from the package index into a new environment, and runs ``genint --version``, ``genint selftest``
and one interpretation there. Ends with status 1 where anything failed; Pythons that are not on
this machine are named.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VERSIONS = ("3.11", "3.12", "3.13")
_SELFTEST_LIMIT_S = 10.0
_EXAMPLE = ROOT / "examples" / "phiX174.gbk"


def main() -> None:
    """Build and try all; print a line for each step."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", action="append", help="a Python, instead of all that are found")
    wanted = parser.parse_args().python
    with tempfile.TemporaryDirectory() as scratch:
        wheel = build(Path(scratch))
        found = [(python, python) for python in wanted] if wanted else list(pythons())
        failed = [name for name, python in found if not tried(name, python, wheel, Path(scratch))]
    missing = sorted(set(VERSIONS) - {name for name, _ in found}) if not wanted else []
    if missing:
        say(f"not on this machine: Python {', '.join(missing)}")
    if failed or not found:
        sys.exit(f"failed: {', '.join(failed) or 'no Python was found'}")


def build(scratch: Path) -> Path:
    """The wheel, built from the source distribution, and checked."""
    dist = ROOT / "dist"
    shutil.rmtree(dist, ignore_errors=True)
    tools = environment(sys.executable, scratch / "tools")
    run(tools / "pip", "install", "--quiet", "--require-hashes", "-r", "requirements-release.lock")
    run(tools / "python", "-m", "build", "--outdir", dist, ROOT)
    run(tools / "twine", "check", "--strict", *dist.iterdir())
    for file in sorted(dist.iterdir()):
        say(f"{file.name}: {file.stat().st_size / 1e6:.1f} MB, passes twine check")
    (wheel,) = dist.glob("*.whl")
    return wheel


def pythons() -> Iterator[tuple[str, str]]:
    """Each supported version that is on this machine, with the path of its Python."""
    for version in VERSIONS:
        own = sys.executable if sys.version_info[:2] == _pair(version) else None
        installed = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python3"))
        found = own or next(map(str, installed), None) or shutil.which(f"python{version}")
        if found and _version_of(found) == version:
            yield version, found


def _pair(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def _version_of(python: str) -> str:
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    return done.stdout.strip()


def tried(name: str, python: str, wheel: Path, scratch: Path) -> bool:
    """Whether the wheel works in a new environment of a Python; says what happened."""
    try:
        bin_folder = environment(python, scratch / f"python-{name.replace(os.sep, '_')}")
        started = time.monotonic()
        run(bin_folder / "pip", "install", "--quiet", "--disable-pip-version-check", wheel)
        installed_s = time.monotonic() - started
        version = run(bin_folder / "genint", "--version")
        started = time.monotonic()
        run(bin_folder / "genint", "selftest")
        selftest_s = time.monotonic() - started
        told = run(bin_folder / "genint", "interpret", _EXAMPLE, "-o", scratch / "report.md")
    except subprocess.CalledProcessError as problem:
        said = (problem.stderr or problem.stdout or "").strip().splitlines()[-3:]
        say(f"Python {name}: {' | '.join(said) or problem}")
        return False
    if not (bin_folder.parent / "share" / "man" / "man1" / "genint.1").is_file():
        say(f"Python {name}: the manual page is missing")
        return False
    late = "" if selftest_s <= _SELFTEST_LIMIT_S else f", more than {_SELFTEST_LIMIT_S:g} s"
    say(
        f"Python {name}: {version.strip()} installed in {installed_s:.0f} s, selftest passed in "
        f"{selftest_s:.1f} s{late}; {told.strip().splitlines()[0].partition(':')[0]}"
    )
    return True


def environment(python: str, folder: Path) -> Path:
    """The folder of programs of a new, empty environment."""
    if python == sys.executable:
        venv.create(folder, with_pip=True)
    else:
        run(python, "-m", "venv", folder)
    return folder / "bin"


def run(*command: str | Path) -> str:
    """Run a command in the folder of the project, without what this environment has."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=ROOT,
        env=kept,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def say(line: str) -> None:
    """A line at once."""
    print(line, flush=True)


if __name__ == "__main__":
    main()
