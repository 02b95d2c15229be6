"""Installing databases, whole or not at all.

A version is built beside the one in use, under the lock of its database; its manifest is
written last, its folder renamed, ``current`` switched: every reader sees the old one or the
new one, and running work keeps the one that it began with. Whatever ends an installation,
the next one goes on with what was downloaded.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import hashlib
import shutil
import uuid
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from genint.databases.build import Built, Step
from genint.databases.build.run import Finished, build_in_worker
from genint.databases.download.http import Mirror
from genint.databases.fetch import (
    Sources,
    Version,
    discard_downloads,
    fetch_sources,
    kept_sources,
)
from genint.databases.installation import (
    Installation,
    InstallStep,
    ProgressCallback,
    in_thread,
    link_or_copy,
)
from genint.databases.installed import (
    PLAN,
    Installed,
    Problem,
    file_times,
    look_up,
    record_times,
    verify,
)
from genint.databases.layout import (
    CURRENT,
    changing,
    current_version,
    database_folder,
    sweep_versions,
    sweep_work,
    version_name,
)
from genint.databases.manifest import (
    MANIFEST,
    SOURCE_FOLDER,
    Manifest,
    UnreadableManifest,
    read_manifest,
    write_manifest,
)
from genint.databases.recipes import RECIPES
from genint.errors import FormatError, InstallError, UsageError
from genint.files import sync, sync_tree, write_whole
from genint.version import __version__

_DISK_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_BUILDING = "building-"


async def install(  # noqa: PLR0913 - each is an option of the command line
    databases: Path,
    names: Sequence[str],
    *,
    mirrors: Sequence[Mirror] = (),
    force: bool = False,
    progress: ProgressCallback | None = None,
    checkpoint: Callable[[str], None] | None = None,
) -> tuple[Installed, ...]:
    """Install databases, one after the other.

    Args:
        databases: The folder of databases; made where it is missing.
        names: Of databases (:data:`genint.databases.recipes.RECIPES`).
        mirrors: Where to fetch from instead of the publishers.
        force: Install anew what is installed and sound.
        progress: Called with how far it is, in the event loop.
        checkpoint: Called with the name of every step when it is done; may end the process.

    Returns:
        What is installed then, in the order of the names.

    Raises:
        UsageError: there is no such database.
        InstallError: it failed; what was installed before is as it was.

    Cost: the download (pfam 0.4 GB, swissprot 0.3 GB); CPU: half a minute for
    pfam, a minute for swissprot.
    Cancelling it ends it within a second; nothing complete is downloaded twice.
    """
    unknown = [name for name in names if name not in RECIPES]
    if unknown:
        raise UsageError(f"there is no database {unknown[0]!r}; there are: {', '.join(RECIPES)}")
    folder = await asyncio.to_thread(databases.absolute)
    on_progress, on_step = progress or _ignore, checkpoint or _ignore
    return tuple(
        [
            await _install_with_lock(
                Installation(RECIPES[name], folder, tuple(mirrors), force, on_progress, on_step)
            )
            for name in dict.fromkeys(names)
        ]
    )


def _ignore(_: object) -> None:
    """A callback that does nothing."""


async def _install_with_lock(job: Installation) -> Installed:
    try:
        with changing(job.databases, job.recipe.name):
            return await _install(job)
    except OSError as problem:
        what = problem.strerror or type(problem).__name__
        cure = "make it writable or set GENINT_DATABASES_DIR to another folder"
        if problem.errno in _DISK_FULL:
            cure = (
                f"make room and run `genint db install {job.recipe.name}` again: "
                "what was downloaded is kept"
            )
        raise InstallError(f"{job.recipe.name}: {job.databases}: {what}; {cure}") from problem


async def _install(job: Installation) -> Installed:
    job.checkpoint("locked")
    version = _version(job)
    is_sound = version is not None and await _is_sound(job)
    sources = None
    if version is not None and not is_sound and not job.force:
        sources = await kept_sources(job, version)
    if sources is not None:
        job.work.mkdir(parents=True, exist_ok=True)
        job.note("what was downloaded before is whole: only building it anew")
    else:
        sources = await fetch_sources(job, version, is_sound=is_sound)
    if sources is None:
        job.note("already installed, whole, and what is published now: nothing to do")
    else:
        await _build_and_switch(job, sources)
    await _tidy(job)
    return _in_use(job)


def _version(job: Installation) -> Version | None:
    """What is there, if it says what it is; it may be damaged."""
    try:
        folder = current_version(job.databases, job.recipe.name)
        return Version(folder, read_manifest(folder)) if folder else None
    except (ValueError, UnreadableManifest):
        return None


async def _is_sound(job: Installation) -> bool:
    def report(done: int, total: int) -> None:
        step = InstallStep(job.recipe.name, "checking what is installed", done, total, True)
        loop.call_soon_threadsafe(job.progress, step)

    name = job.recipe.name
    match look_up(job.databases, name):
        case None | Problem(is_suspicion=False):
            return False
    loop = asyncio.get_running_loop()
    return not await in_thread(lambda stop: verify(job.databases, name, report, stop=stop))


async def _build_and_switch(job: Installation, sources: Sources) -> None:
    building = job.work / f"{_BUILDING}{uuid.uuid4().hex}"
    for left in job.work.glob(f"{_BUILDING}*"):
        await asyncio.to_thread(shutil.rmtree, left, ignore_errors=True)
    size = sum(file.size_bytes for file in sources.files)
    job.require_space(0, size)
    building.mkdir()
    job.checkpoint("building")
    try:
        finished = await _built(job, sources, building)
        job.checkpoint("built")
        manifest = await _with_manifest(job, sources, finished, building)
        job.checkpoint("manifest written")
        _switch(job, building, manifest)
    except BaseException:
        # Cancelled or failed: room is made again now, not at the next installation.
        shutil.rmtree(building, ignore_errors=True)
        raise


async def _built(job: Installation, sources: Sources, building: Path) -> Finished:
    def report(step: Step) -> None:
        job.progress(InstallStep(job.recipe.name, step.name, step.done, step.total, False))
        job.checkpoint(step.name)

    name = job.recipe.name
    try:
        return await build_in_worker(name, sources.paths, building, report)
    except FormatError as problem:
        await asyncio.to_thread(discard_downloads, job)
        raise InstallError(
            f"{name}: {problem}; run `genint db install {name}` again to fetch it anew, from "
            "another --mirror if it stays"
        ) from problem


async def _with_manifest(
    job: Installation, sources: Sources, finished: Finished, building: Path
) -> Manifest:
    """Put the downloads beside what was built, and the manifest over all."""

    def keep_sources() -> None:
        (building / SOURCE_FOLDER).mkdir()
        for name, path in sources.paths.items():
            link_or_copy(path, building / SOURCE_FOLDER / name)
        sync_tree(building / SOURCE_FOLDER)

    await asyncio.to_thread(keep_sources)
    job.checkpoint("sources kept")
    manifest = _manifest(job, sources, finished.built, finished)
    record_times(building, file_times(building, manifest))
    write_manifest(building, manifest)
    return manifest


def _manifest(job: Installation, sources: Sources, built: Built, finished: Finished) -> Manifest:
    now = datetime.now(UTC)
    return Manifest(
        name=job.recipe.name,
        release=sources.release or built.release or f"{now:%Y-%m-%d}",
        released=sources.released or "",
        licence=job.recipe.licence,
        citation=job.recipe.citation,
        entries=built.entries,
        facts=tuple(sorted(built.facts)),
        sources=sources.files,
        built=finished.files,
        genint=__version__,
        installed_at=now.isoformat(),
    )


def _switch(job: Installation, building: Path, manifest: Manifest) -> None:
    """From here on the new version is in use."""
    folder = database_folder(job.databases, job.recipe.name)
    digest = hashlib.sha256((building / MANIFEST).read_bytes()).hexdigest()
    version = folder / version_name(manifest.release, digest)
    building.rename(version)
    sync(folder)
    sync(job.databases)
    job.checkpoint("renamed")
    write_whole(folder / CURRENT, f"{version.name}\n".encode())
    job.checkpoint("switched")


async def _tidy(job: Installation) -> None:
    """Remove what is no longer needed, the plan first: the installation is done."""
    name = job.recipe.name
    (job.work / PLAN).unlink(missing_ok=True)
    keep = current_version(job.databases, name)
    assert keep is not None  # noqa: S101 - it was just switched to or found sound
    for removed in await asyncio.to_thread(
        lambda: tuple(sweep_versions(job.databases, name, keep))
    ):
        job.checkpoint(f"removed {removed}")
    with contextlib.suppress(OSError):  # the next installation sweeps what is left
        await asyncio.to_thread(sweep_work, job.databases, name)
    job.checkpoint("tidied")


def _in_use(job: Installation) -> Installed:
    state = look_up(job.databases, job.recipe.name)
    if not isinstance(state, Installed):
        reason = state.reason if state else "it is gone"
        raise InstallError(f"{job.recipe.name}: it was changed while it was installed: {reason}")
    return state
