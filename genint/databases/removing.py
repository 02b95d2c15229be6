"""Removing databases, and versions that nobody needs any more."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from genint.databases.durable import remove_tree, sync_folder, tree_size
from genint.databases.locks import changing, nobody_holds
from genint.databases.manifest import MANIFEST
from genint.databases.places import CURRENT, WORK, database_folder, versions, work_folder
from genint.errors import InstallError

_REMOVED = "removed-"


def remove(databases: Path, name: str) -> int:
    """Remove a database with all that belongs to it.

    Returns:
        Bytes that were freed; 0 where nothing was there.

    Raises:
        InstallError: somebody uses it, or installs it now, or the folder cannot be written.
    """
    try:
        return _remove(databases, name)
    except OSError as problem:
        what = problem.strerror or type(problem).__name__
        raise InstallError(
            f"{name}: {problem.filename or databases}: {what}; make {databases} writable and run "
            f"`genint db remove {name}` again, as the user who installed it"
        ) from problem


def _remove(databases: Path, name: str) -> int:
    folder = database_folder(databases, name)
    if not folder.exists():
        return 0
    with changing(databases, name):
        size = tree_size(folder)
        if any(_is_used(version) for version in versions(databases, name)):
            raise InstallError(
                f"{name} is in use by a running interpretation; run `genint db remove {name}` "
                "when that is done"
            )
        (folder / CURRENT).unlink(missing_ok=True)
        sync_folder(folder)
        # Whoever starts to use it in this moment keeps its files: they are only unlinked.
        remove_tree(folder)
    return size


def sweep_versions(databases: Path, name: str, keep: Path) -> Iterator[str]:
    """Remove versions that nobody uses, but for one; gives the name of each.

    Call it under the lock of :func:`genint.databases.locks.changing`.
    """
    work = work_folder(databases, name)
    for version in versions(databases, name):
        if version == keep:
            continue
        with nobody_holds(version / MANIFEST) as is_free:
            if not is_free:
                continue
            # Its manifest must never be seen beside files that are gone already.
            work.mkdir(exist_ok=True)
            aside = work / f"{_REMOVED}{version.name}"
            remove_tree(aside)
            version.rename(aside)
        remove_tree(aside)
        yield version.name


def sweep_work(databases: Path, name: str) -> None:
    """Remove what unfinished work left."""
    remove_tree(database_folder(databases, name) / WORK)


def _is_used(version: Path) -> bool:
    with nobody_holds(version / MANIFEST) as is_free:
        return not is_free
