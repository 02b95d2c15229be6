"""Where things lie in the folder of databases.

::

    <databases>/<name>/<release>-<8 hex>/   a version: manifest.json, what was built, source/
    <databases>/<name>/current              names the version in use
    <databases>/<name>/.work/               unfinished downloads and builds
    <databases>/.<name>.lock                held by whoever installs or removes
"""

from __future__ import annotations

import re
from pathlib import Path

CURRENT = "current"
WORK = ".work"
DAMAGED = "damaged"
"""A file in a version of which damage was seen: it is not used again."""

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_VERSION = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*-[0-9a-f]{8}")
_LONGEST = 60


def database_folder(databases: Path, name: str) -> Path:
    """Where all of a database lies."""
    return databases / name


def work_folder(databases: Path, name: str) -> Path:
    """Where an installation works."""
    return databases / name / WORK


def lock_file(databases: Path, name: str) -> Path:
    """What installers lock; outside of the database's folder, so that it stays."""
    return databases / f".{name}.lock"


def version_name(release: str, digest: str) -> str:
    """Name of the folder of a version."""
    safe = _UNSAFE.sub("_", release).strip("._-")[:_LONGEST] or "unknown"
    return f"{safe}-{digest[:8]}"


def versions(databases: Path, name: str) -> tuple[Path, ...]:
    """All folders of versions, in use or not."""
    try:
        inside = sorted(database_folder(databases, name).iterdir())
    except OSError:
        return ()
    return tuple(path for path in inside if _VERSION.fullmatch(path.name) and path.is_dir())


def current_version(databases: Path, name: str) -> Path | None:
    """Folder of the version in use, there or not; None where none is named.

    Raises:
        ValueError: what is named cannot be one; says why, in words that follow the file's name.
    """
    try:
        text = (
            (database_folder(databases, name) / CURRENT)
            .read_bytes()[:200]
            .decode("ascii", "replace")
        )
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as problem:
        raise ValueError("cannot be read") from problem
    if not _VERSION.fullmatch(text.strip()):
        raise ValueError("is damaged")
    return database_folder(databases, name) / text.strip()
