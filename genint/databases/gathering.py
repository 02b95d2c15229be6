"""Gathering the files that a database is built from: kept ones, downloaded ones."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from genint.databases.download import Downloader, Fetched, Progress
from genint.databases.fetching import fetch_database
from genint.databases.installation import Installation, InstallStep, in_thread
from genint.databases.manifest import SOURCE_FOLDER, BuiltFile, Manifest, SourceFile
from genint.databases.plan import Plan, new_plan, read_plan, write_plan
from genint.databases.published import Published, fetch_published
from genint.databases.recipes import RemoteFile
from genint.databases.removing import sweep_work
from genint.databases.verifying import damage
from genint.errors import InstallError

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
