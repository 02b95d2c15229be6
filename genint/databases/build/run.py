"""Running a builder in a worker process.

Building takes minutes of CPU, must end at once when it is cancelled, and must not outlive
the process that wants it: a thread can do none of that. The worker appends its steps to a
file, which its parent follows.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from genint.compute import ProcessBackend
from genint.databases.build import Build, Built, Report, Step
from genint.databases.manifest import BuiltFile
from genint.errors import FormatError, GenintError, InstallError, WorkerDied
from genint.files import sync, sync_tree

_FOLLOW_S = 0.05
"""How often the parent looks for new steps."""


class Finished(NamedTuple):
    """What was built, all of it on the disk."""

    built: Built
    files: tuple[BuiltFile, ...]


async def build_in_worker(
    database: str, sources: Mapping[str, Path], target: Path, report: Report
) -> Finished:
    """Build a database in a worker process; cancelling kills it.

    Args:
        database: Name of its recipe.
        sources: Absolute path of each downloaded file by its published name.
        target: Absolute path of an empty folder; the steps are written beside it.
        report: Called for every step, in the event loop.

    Raises:
        FormatError: what was downloaded is malformed.
        OSError: a file cannot be read or written.
        InstallError: the build failed for another reason, or its process died.
    """
    steps = target.with_name("steps")
    steps.write_bytes(b"")
    backend = ProcessBackend(1)
    building = asyncio.ensure_future(
        backend.run(build_database, database, dict(sources), target, steps)
    )
    try:
        with steps.open(encoding="ascii") as lines:
            while not building.done():
                await asyncio.wait([building], timeout=_FOLLOW_S)
                for line in lines:
                    report(Step(*json.loads(line)))
        return building.result()
    except (FormatError, OSError):
        raise
    except Exception as problem:
        raise InstallError(f"{database}: {_reason(database, problem)}") from problem
    finally:
        building.cancel()
        await backend.close()


def _reason(database: str, problem: Exception) -> str:
    """Why nothing was built, in a line."""
    match problem:
        case WorkerDied():
            again = f"run `genint db install {database}` again"
            return f"{problem}. What was downloaded is kept: {again}"
        case GenintError():
            return str(problem)
        case MemoryError():
            return "not enough memory to build it"
    text = " ".join(str(problem).split())
    return f"internal error while building: {type(problem).__name__}: {text}"


def build_database(
    database: str, sources: Mapping[str, Path], target: Path, steps: Path
) -> Finished:
    """Build in this process, whose current folder becomes the target.

    (Libraries write the paths that they are given into their files; relative to the
    target these are the same everywhere.)
    """
    os.chdir(target)
    with steps.open("a", encoding="ascii", buffering=1) as lines:

        def report(step: Step) -> None:
            lines.write(json.dumps(step) + "\n")

        built = _builder(database)(sources, Path(), report)
        if built.entries < 1:
            names = ", ".join(sources)
            raise FormatError(source=names, line=None, reason="there is not one entry in it")
        paths = sorted(path for path in Path().rglob("*") if path.is_file())
        files = []
        for done, path in enumerate(paths, start=1):
            files.append(BuiltFile(path.as_posix(), path.stat().st_size, _sha256(path)))
            report(Step("checking what was built", done, len(paths)))
    sync_tree(Path())
    for path in sources.values():
        sync(path)
    return Finished(built, tuple(files))


def _builder(database: str) -> Build:
    """The builder of a database; imported in the worker process only."""
    # They load numpy and HMMER.
    from genint.databases.build import amr, go, padloc, pfam, rfam, swissprot  # noqa: PLC0415

    builders: dict[str, Build] = {
        "amr": amr.build,
        "cog": go.build_cog,
        "go": go.build_go,
        "padloc": padloc.build,
        "pfam": pfam.build,
        "rfam": rfam.build,
        "swissprot": swissprot.build,
    }
    return builders[database]


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
