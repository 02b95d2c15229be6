"""Installing databases, whole or not at all.

A version is built beside the one in use, under the lock of its database; its manifest is
written last, its folder renamed, ``current`` switched: every reader sees the old one or the
new one, and whoever uses the old one keeps it. Whatever ends an installation, the next one
goes on with what was downloaded.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import hashlib
import math
import os
import shutil
import threading
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, TypeVar

from genint.databases.build import Built, Step
from genint.databases.build.run import Finished, build_in_worker
from genint.databases.download.http import Mirror
from genint.databases.download.manager import Downloader, Fetched, Progress
from genint.databases.installed import (
    PLAN,
    Installed,
    Problem,
    damage,
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
    work_folder,
)
from genint.databases.manifest import (
    MANIFEST,
    SOURCE_FOLDER,
    BuiltFile,
    Manifest,
    SourceFile,
    UnreadableManifest,
    read_manifest,
    write_manifest,
)
from genint.databases.recipes import RECIPES, Recipe, RemoteFile
from genint.databases.release import (
    Plan,
    Published,
    fetch_database,
    fetch_published,
    new_plan,
    read_plan,
    write_plan,
)
from genint.errors import FormatError, InstallError, UsageError
from genint.files import sync, sync_tree, write_whole
from genint.version import __version__

_GB = 1e9
_MB = 1e6
_LEAST_MARGIN_BYTES, _MOST_MARGIN_BYTES = 1_000_000, 50_000_000
_MARGIN = 0.1
_Result = TypeVar("_Result")


class InstallStep(NamedTuple):
    """How far an installation is.

    Attributes:
        database: Its name.
        step: A file that is downloaded, or what is done with it.
        done: Bytes or items.
        total: How many there are; None where that is not known.
        in_bytes: Whether ``done`` and ``total`` are bytes of a download.
    """

    database: str
    step: str
    done: int
    total: int | None
    in_bytes: bool


class InstallNote(NamedTuple):
    """Something a user wants to know once.

    Attributes:
        database: Its name.
        text: One line.
    """

    database: str
    text: str


Tell = Callable[[InstallStep | InstallNote], None]


@dataclass(frozen=True, slots=True)
class Installation:
    """What one installation is about.

    Attributes:
        recipe: What is installed.
        databases: The folder of databases.
        mirrors: Where to fetch from; empty for the publishers.
        force: Whether to install what is installed already.
        tell: Told how far it is.
        checkpoint: Told the name of every step after it was done.
    """

    recipe: Recipe
    databases: Path
    mirrors: tuple[Mirror, ...]
    force: bool
    tell: Tell
    checkpoint: Callable[[str], None]

    @property
    def work(self) -> Path:
        """Where it works."""
        return work_folder(self.databases, self.recipe.name)

    def note(self, text: str) -> None:
        """Say a line."""
        self.tell(InstallNote(self.recipe.name, text))

    def require_space(self, download_bytes: int, sources_bytes: int) -> None:
        """Refuse before anything is downloaded where it could not be kept.

        Args:
            download_bytes: Still to be downloaded.
            sources_bytes: Of all files that are built from.

        Raises:
            InstallError: the disk has less; says how much is needed and free.
        """
        building = int(sources_bytes * self.recipe.build_factor)
        needed = download_bytes + building
        needed += min(max(int(needed * _MARGIN), _LEAST_MARGIN_BYTES), _MOST_MARGIN_BYTES)
        free = shutil.disk_usage(self.work).free
        if needed > free:
            raise InstallError(
                f"{self.recipe.name}: {_amount(needed, up=True)} are needed in {self.databases}, "
                f"{_amount(free)} are free; make room or set GENINT_DATABASES_DIR to a "
                f"folder on another disk, then run `genint db install {self.recipe.name}`"
            )


def _amount(size_bytes: int, *, up: bool = False) -> str:
    """A size in words, rounded down or up, so that two that differ are not told as the same."""
    unit, name, digits = (_MB, "MB", 1) if size_bytes < _GB / 10 else (_GB, "GB", 2)
    steps = size_bytes / unit * 10**digits
    return f"{(math.ceil(steps) if up else math.floor(steps)) / 10**digits:.{digits}f} {name}"


async def in_thread(work: Callable[[threading.Event], _Result]) -> _Result:
    """Do what keeps a disk busy without blocking; a cancelled call stops it.

    Args:
        work: Given an event that is set when it has to end.
    """
    stop = threading.Event()
    try:
        return await asyncio.to_thread(work, stop)
    except asyncio.CancelledError:
        stop.set()
        raise


DOWNLOADS = "download"
_ROUNDS = 3
"""Releases that may appear, one after the other, while files are fetched."""


@dataclass(frozen=True, slots=True)
class Version:
    """A version that is there, and what its manifest says."""

    folder: Path
    manifest: Manifest


@dataclass(frozen=True, slots=True)
class Gathered:
    """What a database is built from.

    Attributes:
        release: As published; None where only the files say.
        released: Its date; None where it is not published.
        files: What is known of each file.
        paths: Where each lies, by name.
    """

    release: str | None
    released: str | None
    files: tuple[SourceFile, ...]
    paths: Mapping[str, Path]


async def kept_sources(job: Installation, version: Version) -> Gathered | None:
    """The downloads that a version kept; None where one is missing or damaged."""
    names = {file.name for file in job.recipe.files if file.required}
    files = version.manifest.sources
    if not names <= {file.name for file in files}:
        return None
    for file in files:
        if not await _is_intact(version.folder / SOURCE_FOLDER, file):
            return None
    paths = {file.name: version.folder / SOURCE_FOLDER / file.name for file in files}
    manifest = version.manifest
    return Gathered(manifest.release, manifest.released or None, files, paths)


async def download(
    job: Installation, version: Version | None, *, is_sound: bool
) -> Gathered | None:
    """Fetch what is published now, going on where an interrupted installation ended.

    Returns:
        None where the installed version is sound and just that.

    Raises:
        InstallError: it cannot be had, or there is no room for it.
    """
    (job.work / DOWNLOADS).mkdir(parents=True, exist_ok=True)
    job.checkpoint("began")

    def on_progress(progress: Progress) -> None:
        job.tell(InstallStep(job.recipe.name, *progress, in_bytes=True))
        job.checkpoint(f"downloading {progress.file}")

    async with Downloader(
        job.work / DOWNLOADS, job.mirrors, on_progress=on_progress, on_note=job.note
    ) as client:
        for _ in range(_ROUNDS):
            published = await fetch_published(client, job.recipe)
            job.checkpoint("published")
            may_stay = is_sound and version is not None and not job.force
            if may_stay and version and is_release(published, version.manifest):
                return None
            plan = await _fetch_all(job, client, published, version)
            if plan is not None:
                is_there = may_stay and version is not None and plan.is_of(version.manifest)
                return None if is_there else _gathered(job, plan)
    raise InstallError(
        f"{job.recipe.name}: a new release is being published just now; try again later"
    )


def is_release(published: Published, manifest: Manifest) -> bool:
    """Whether a version certainly is what is published."""
    checksums = {file.name: file.md5 for file in manifest.sources}
    known = {name: file.md5.lower() for name, file in published.files.items() if file.md5}
    if any(checksums.get(name) != md5 for name, md5 in known.items()):
        return False
    if published.release is not None:
        return published.release == manifest.release
    return bool(known)


async def _fetch_all(
    job: Installation, client: Downloader, published: Published, version: Version | None
) -> Plan | None:
    """The plan with all files fetched; None where another release appeared meanwhile."""
    plan = _begun(job, published)
    if version is not None:
        plan = await _with_kept(job, plan, version)
    missing = await _missing(job, plan)
    await _require_space(job, client, plan, missing)
    for file in missing:
        alone = replace(published, files={file.name: published.files[file.name]})
        found = await fetch_database(client, replace(job.recipe, files=(file,)), alone)
        job.checkpoint(f"fetched {file.name}")
        if found.published.files != alone.files:
            return None
        for fetched in found.files:
            plan = plan.with_fetched(_as_source(fetched))
        write_plan(job.work, plan)
        job.checkpoint(f"noted {file.name}")
    return plan


def _as_source(fetched: Fetched) -> SourceFile:
    return SourceFile(fetched.name, fetched.url, fetched.size_bytes, fetched.md5, fetched.sha256)


def _gathered(job: Installation, plan: Plan) -> Gathered:
    by_name = {file.name: file for file in plan.fetched}
    files = tuple(by_name[file.name] for file in job.recipe.files if file.name in by_name)
    paths = {file.name: job.work / DOWNLOADS / file.name for file in files}
    return Gathered(plan.published.release, plan.published.released, files, paths)


def _begun(job: Installation, published: Published) -> Plan:
    """The plan to go on with; what was fetched of another release is not part of it."""
    plan = read_plan(job.work)
    if plan is not None and plan.fits(published):
        job.note("going on with an interrupted installation")
        return plan
    plan = new_plan(published)
    write_plan(job.work, plan)
    job.checkpoint("planned")
    return plan


async def _with_kept(job: Installation, plan: Plan, version: Version) -> Plan:
    """The plan with downloads that the installed version kept and that are still published."""
    for file in version.manifest.sources:
        expected = plan.published.files.get(file.name)
        if expected is None or not expected.md5 or expected.md5.lower() != file.md5:
            continue
        if any(each.name == file.name for each in plan.fetched):
            continue
        if await _is_intact(version.folder / SOURCE_FOLDER, file):
            kept = version.folder / SOURCE_FOLDER / file.name
            link_or_copy(kept, job.work / DOWNLOADS / file.name)
            plan = plan.with_fetched(file)
            write_plan(job.work, plan)
            job.checkpoint(f"kept {file.name}")
    return plan


async def _missing(job: Installation, plan: Plan) -> tuple[RemoteFile, ...]:
    """What is not there, or not as it was when it was fetched."""
    fetched = {file.name: file for file in plan.fetched}
    missing = []
    for file in job.recipe.files:
        known = fetched.get(file.name)
        if known is None or not await _is_intact(job.work / DOWNLOADS, known):
            missing.append(file)
    return tuple(missing)


async def _require_space(
    job: Installation, client: Downloader, plan: Plan, missing: tuple[RemoteFile, ...]
) -> None:
    names = {file.name for file in missing}
    there = sum(file.size_bytes for file in plan.fetched if file.name not in names)
    to_come = 0
    for file in missing:
        expected = plan.published.files.get(file.name)
        size = expected.size if expected else None
        to_come += (size if size is not None else await client.size_of(file)) or 0
    begun = sum(path.stat().st_size for path in (job.work / DOWNLOADS).glob("*.part"))
    try:
        job.require_space(max(0, to_come - begun), to_come + there)
    except InstallError:
        if not begun and not plan.fetched:
            sweep_work(job.databases, job.recipe.name)  # nothing that could be gone on with
        raise
    job.checkpoint("space")


async def _is_intact(folder: Path, file: SourceFile) -> bool:
    expected = BuiltFile(file.name, file.size_bytes, file.sha256)
    return not await in_thread(lambda stop: damage(folder, expected, stop=stop))


def link_or_copy(file: Path, other: Path) -> None:
    """Have a file under a second name; a copy where the disk knows no second names."""
    other.unlink(missing_ok=True)
    try:
        os.link(file, other)
    except OSError:
        shutil.copyfile(file, other)


_DISK_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_BUILDING = "building-"


async def install(  # noqa: PLR0913 - each is an option of the command line
    databases: Path,
    names: Sequence[str],
    *,
    mirrors: Sequence[Mirror] = (),
    force: bool = False,
    progress: Tell | None = None,
    checkpoint: Callable[[str], None] | None = None,
) -> tuple[Installed, ...]:
    """Install databases, one after the other.

    Args:
        databases: The folder of databases; made where it is missing.
        names: Of databases (:data:`genint.databases.recipes.RECIPES`).
        mirrors: Where to fetch from instead of the publishers.
        force: Install anew what is installed and sound.
        progress: Told how far it is, in the event loop.
        checkpoint: Told the name of every step when it is done; may end the process.

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
    tell, told = progress or _nobody, checkpoint or _nobody
    return tuple(
        [
            await _install_or_say_why(
                Installation(RECIPES[name], folder, tuple(mirrors), force, tell, told)
            )
            for name in dict.fromkeys(names)
        ]
    )


def _nobody(_: object) -> None:
    """Whom nothing needs to be told."""


async def _install_or_say_why(job: Installation) -> Installed:
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
        sources = await download(job, version, is_sound=is_sound)
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
    def tell(done: int, total: int) -> None:
        step = InstallStep(job.recipe.name, "checking what is installed", done, total, True)
        loop.call_soon_threadsafe(job.tell, step)

    name = job.recipe.name
    match look_up(job.databases, name):
        case None | Problem(is_suspicion=False):
            return False
    loop = asyncio.get_running_loop()
    return not await in_thread(lambda stop: verify(job.databases, name, tell, stop=stop))


async def _build_and_switch(job: Installation, sources: Gathered) -> None:
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
        manifest = await _sealed(job, sources, finished, building)
        job.checkpoint("sealed")
        _switch(job, building, manifest)
    except BaseException:
        # Cancelled or failed: room is made again now, not at the next installation.
        shutil.rmtree(building, ignore_errors=True)
        raise


async def _built(job: Installation, sources: Gathered, building: Path) -> Finished:
    def report(step: Step) -> None:
        job.tell(InstallStep(job.recipe.name, step.name, step.done, step.total, False))
        job.checkpoint(step.name)

    name = job.recipe.name
    try:
        return await build_in_worker(name, sources.paths, building, report)
    except FormatError as problem:
        plan = read_plan(job.work)
        if plan is not None:
            write_plan(job.work, plan.without_fetched())
        await asyncio.to_thread(shutil.rmtree, job.work / DOWNLOADS, ignore_errors=True)
        raise InstallError(
            f"{name}: {problem}; run `genint db install {name}` again to fetch it anew, from "
            "another --mirror if it stays"
        ) from problem


async def _sealed(
    job: Installation, sources: Gathered, finished: Finished, building: Path
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


def _manifest(job: Installation, sources: Gathered, built: Built, finished: Finished) -> Manifest:
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
