"""Builds of families that know nothing of some genomes, made again only where they must be."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from genint.knowledge.own_families import FamilyPack
from genint.knowledge.table_files import OWN_FAMILIES, OWN_FAMILY_MEMBERS

ROOT = Path(__file__).resolve().parent.parent.parent
_EXCLUSION = "exclusion.txt"
_FILES = (*(pack.file for pack in FamilyPack), OWN_FAMILIES, OWN_FAMILY_MEMBERS)
_LIST_SOURCES = """
import sys
import training.families.__main__
import training.vocabulary.__main__
for name, module in sys.modules.items():
    if name.startswith(("training.", "genint.knowledge.")) and getattr(module, "__file__", None):
        print(module.__file__)
"""


def build_blind(exclusion: str, *, data: Path, work: Path, output: Path) -> Path:
    """Families that know nothing of what an exclusion file hides.

    Built again only where the exclusion or the sources of the build have changed, or where a
    build did not end.

    Args:
        exclusion: Text of the file.
        data: The data folder.
        work: Work folder of the builds, shared by all of them.
        output: Where this one goes.

    Raises:
        subprocess.CalledProcessError: the build failed.
    """
    output.mkdir(parents=True, exist_ok=True)
    if is_current(output, exclusion):
        return output
    finished = output / _EXCLUSION
    finished.unlink(missing_ok=True)
    unfinished = finished.with_suffix(".part")
    unfinished.write_text(exclusion, encoding="utf-8")
    command = [sys.executable, "-m", "training.families", "--data", str(data)]
    command += ["--work", str(work), "--output", str(output), "--exclude", str(unfinished)]
    with (output / "build.log").open("w") as log:
        subprocess.run(
            command, cwd=ROOT, check=True, stdout=log, stderr=subprocess.STDOUT, env=os.environ
        )
    unfinished.replace(finished)
    return output


def is_current(output: Path, exclusion: str, made_by: Iterable[Path] | None = None) -> bool:
    """Whether a folder has a complete build of this exclusion, begun after its sources changed.

    The exclusion file gets its name when the build has ended, and keeps the time of its
    beginning: what changed while the build ran makes it stale as well.

    Args:
        output: Folder of the build.
        exclusion: What has to be hidden.
        made_by: What builds depend on; None for all that they do.
    """
    finished = output / _EXCLUSION
    if not all((output / name).is_file() for name in (*_FILES, _EXCLUSION)):
        return False
    if finished.read_text(encoding="utf-8") != exclusion:
        return False
    began = finished.stat().st_mtime
    return all(began > path.stat().st_mtime for path in made_by or sources())


@cache
def sources() -> tuple[Path, ...]:
    """Files of the project that a build of families depends on: code that it imports, tables."""
    listed = subprocess.run(
        [sys.executable, "-c", _LIST_SOURCES], cwd=ROOT, check=True, capture_output=True, text=True
    )
    folders = (ROOT / "training" / "families", ROOT / "training" / "vocabulary")
    tables = (ROOT / "genint" / "knowledge" / "data").glob("*.tsv*")
    return (
        *sorted(map(Path, listed.stdout.splitlines())),
        *(path for folder in folders for path in sorted(folder.glob("*.toml"))),
        *(path for path in sorted(tables) if path.name not in _FILES),
    )


def fold_name(fold: int) -> str:
    """Name of the folder of the build that hides a fold of the panel of ``training.confidence``."""
    return f"fold_{fold}"


def empty_families(folder: Path) -> Path:
    """A build without any family, which leaves genint with Pfam alone."""
    from training.families import tables  # noqa: PLC0415 - only this mode needs the builder

    tables.write_empty(folder)
    return folder
