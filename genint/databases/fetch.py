"""The files that a database is built from: downloaded, or kept by the version in use.

What was published when an installation began, and what it fetched so far, is written to a
plan in its work folder, so that the next installation can go on with it.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from genint.databases.checksums import (
    PublishedFile,
    Release,
    UnusableFile,
    read_md5_list,
    read_metalink,
    read_ncbi_version,
    read_pfam_notes,
    read_uniprot_dates,
)
from genint.databases.download.manager import Downloader, Progress, Unfetched
from genint.databases.installation import Installation, InstallStep, in_thread, link_or_copy
from genint.databases.installed import PLAN, damage
from genint.databases.layout import sweep_work
from genint.databases.manifest import (
    SOURCE_FOLDER,
    BuiltFile,
    Manifest,
    SourceFile,
    record,
)
from genint.databases.recipes import ChecksumFormat, Recipe, ReleaseFormat, RemoteFile
from genint.errors import InstallError
from genint.files import write_whole

DOWNLOADS = "download"
_FORMAT = 1
_ROUNDS = 3
"""Releases that may appear, one after the other, while files are fetched."""


_LIMIT_BYTES = 8_000_000
_READINGS = 3
_READERS: Final = MappingProxyType[ReleaseFormat, Callable[[bytes, str], Release]](
    {
        ReleaseFormat.PFAM_NOTES: read_pfam_notes,
        ReleaseFormat.RFAM_README: partial(read_pfam_notes, of="Rfam"),
        ReleaseFormat.UNIPROT_DATES: read_uniprot_dates,
        ReleaseFormat.NCBI_VERSION: read_ncbi_version,
    }
)


@dataclass(frozen=True, slots=True)
class Version:
    """A version that is there, and its manifest."""

    folder: Path
    manifest: Manifest


@dataclass(frozen=True, slots=True)
class Sources:
    """What a database is built from.

    Attributes:
        release: As published; None where only the files name it.
        released: Its date; None where it is not published.
        files: What is known of each file.
        paths: Of each, by name.
    """

    release: str | None
    released: str | None
    files: tuple[SourceFile, ...]
    paths: Mapping[str, Path]


async def kept_sources(job: Installation, version: Version) -> Sources | None:
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
    return Sources(manifest.release, manifest.released or None, files, paths)


async def fetch_sources(
    job: Installation, version: Version | None, *, is_sound: bool
) -> Sources | None:
    """Fetch what is published now, going on where an interrupted installation ended.

    Args:
        job: What is installed.
        version: The version in use.
        is_sound: Whether that may stay in use.

    Returns:
        None where the installed version is sound and just that.

    Raises:
        InstallError: it cannot be had, or there is no room for it.
    """
    (job.work / DOWNLOADS).mkdir(parents=True, exist_ok=True)
    job.checkpoint("began")

    def on_progress(progress: Progress) -> None:
        job.progress(InstallStep(job.recipe.name, *progress, in_bytes=True))
        job.checkpoint(f"downloading {progress.file}")

    async with Downloader(
        job.work / DOWNLOADS, job.mirrors, on_progress=on_progress, on_note=job.note
    ) as client:
        for _ in range(_ROUNDS):
            published = await fetch_published(client, job.recipe)
            job.checkpoint("published")
            may_stay = is_sound and version is not None and not job.force
            if may_stay and version and _is_release(published, version.manifest):
                return None
            plan = await _fetch_all(job, client, published, version)
            if plan is not None:
                is_there = may_stay and version is not None and plan.is_of(version.manifest)
                return None if is_there else _sources(job, plan)
    raise InstallError(
        f"{job.recipe.name}: a new release is being published just now; try again later"
    )


def discard_downloads(job: Installation) -> None:
    """Forget what was downloaded: it cannot be built from."""
    plan = read_plan(job.work)
    if plan is not None:
        write_plan(job.work, replace(plan, fetched=()))
    shutil.rmtree(job.work / DOWNLOADS, ignore_errors=True)


def _is_release(published: Published, manifest: Manifest) -> bool:
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
        found = await client.try_fetch(file, published.files[file.name])
        if isinstance(found, Unfetched):
            if found.is_misfit:
                now = await fetch_published(client, job.recipe)
                if now.files != published.files:
                    return None
            if file.required:
                raise InstallError(found.message)
            continue
        job.checkpoint(f"fetched {file.name}")
        source = SourceFile(found.name, found.url, found.size_bytes, found.md5, found.sha256)
        plan = plan.with_fetched(source)
        write_plan(job.work, plan)
        job.checkpoint(f"noted {file.name}")
    return plan


def _sources(job: Installation, plan: Plan) -> Sources:
    by_name = {file.name: file for file in plan.fetched}
    files = tuple(by_name[file.name] for file in job.recipe.files if file.name in by_name)
    paths = {file.name: job.work / DOWNLOADS / file.name for file in files}
    return Sources(plan.published.release, plan.published.released, files, paths)


def _begun(job: Installation, published: Published) -> Plan:
    """The plan to go on with; what was fetched of another release is not part of it."""
    plan = read_plan(job.work)
    if plan is not None and plan.published == published:
        job.note("going on with an interrupted installation")
        return plan
    plan = Plan(published)
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


@dataclass(frozen=True, slots=True)
class Plan:
    """What was published when an installation began, and what it fetched so far.

    Attributes:
        published: Release, sizes and checksums.
        fetched: Files that were downloaded and checked.
    """

    published: Published
    fetched: tuple[SourceFile, ...] = ()

    def is_of(self, manifest: Manifest) -> bool:
        """Whether a version was built from just what was fetched."""
        return {(file.name, file.sha256) for file in self.fetched} == {
            (file.name, file.sha256) for file in manifest.sources
        }

    def with_fetched(self, file: SourceFile) -> Plan:
        """The plan after a file was downloaded."""
        others = tuple(each for each in self.fetched if each.name != file.name)
        return replace(self, fetched=(*others, file))


def write_plan(work: Path, plan: Plan) -> None:
    """Write a plan into a work folder."""
    content = {
        "format": _FORMAT,
        "release": plan.published.release,
        "released": plan.published.released,
        "published": {name: list(file) for name, file in plan.published.files.items()},
        "fetched": [file._asdict() for file in plan.fetched],
    }
    write_whole(work / PLAN, json.dumps(content, indent=1).encode())


def read_plan(work: Path) -> Plan | None:
    """The plan of an unfinished installation; None where there is none that can be read."""
    try:
        content = json.loads((work / PLAN).read_bytes())
        if content["format"] != _FORMAT:
            return None
        published = Published(
            _text(content["release"]), _text(content["released"]), _files(content["published"])
        )
        return Plan(published, tuple(record(SourceFile, item) for item in content["fetched"]))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _files(content: Mapping[str, Any]) -> dict[str, PublishedFile]:
    return {str(name): PublishedFile(*values) for name, values in content.items()}


def _text(value: object) -> str | None:
    if value is not None and not isinstance(value, str):
        raise TypeError("text expected")
    return value


@dataclass(frozen=True, slots=True)
class Published:
    """What is published about a database.

    Attributes:
        release: Its release; None if only its files name it.
        released: Date of the release, ISO; None if it is not published.
        files: Size and MD5 of each file of the recipe, as far as published.
    """

    release: str | None
    released: str | None
    files: Mapping[str, PublishedFile]


async def fetch_published(client: Downloader, recipe: Recipe) -> Published:
    """Read what is published now.

    The release is read before and after the checksums, and all of it again when a new
    release appears in between, so that both are of one release.

    Raises:
        InstallError: it cannot be had or read, or does not name a file that is needed.
    """
    for _ in range(_READINGS):
        before = await _release(client, recipe)
        named, files = await _checksums(client, recipe)
        if await _release(client, recipe) == before:
            break
    else:
        raise InstallError(
            f"{recipe.title} is being published just now: its release changed while it was "
            "read; try again later"
        )
    number = named or (before.number if before else recipe.fixed_release)
    is_dated = before is not None and before.number == number
    return Published(number, before.date if before and is_dated else None, files)


async def _release(client: Downloader, recipe: Recipe) -> Release | None:
    if recipe.release_file is None or recipe.release_format is None:
        return None
    parse = _READERS[recipe.release_format]
    try:
        return await client.read(recipe.release_file, parse, limit_bytes=_LIMIT_BYTES)
    except InstallError:
        if recipe.release_file.required:
            raise
    return None


async def _checksums(
    client: Downloader, recipe: Recipe
) -> tuple[str | None, Mapping[str, PublishedFile]]:
    """The release that the checksums name, if they do, and the files."""
    if recipe.checksums is None:
        return None, _of_recipe({}, recipe)

    def parse(content: bytes, where: str) -> tuple[str | None, Mapping[str, PublishedFile]]:
        release: str | None = None
        listed: Mapping[str, PublishedFile] = {}
        match recipe.checksum_format:
            case ChecksumFormat.METALINK:
                release, listed = read_metalink(content, where)
            case ChecksumFormat.MD5_LIST:
                listed = read_md5_list(content, where)
        _demand_all(listed, recipe, where)
        return release, _of_recipe(listed, recipe)

    return await client.read(recipe.checksums, parse, limit_bytes=_LIMIT_BYTES)


def _of_recipe(listed: Mapping[str, PublishedFile], recipe: Recipe) -> Mapping[str, PublishedFile]:
    nothing = PublishedFile(None, None)
    return MappingProxyType({file.name: listed.get(file.name, nothing) for file in recipe.files})


def _demand_all(listed: Mapping[str, PublishedFile], recipe: Recipe, where: str) -> None:
    for file in recipe.files:
        if file.required and (file.name not in listed or listed[file.name].md5 is None):
            raise UnusableFile(
                where, f"it has no checksum of {file.name}, which is needed for {recipe.title}"
            )
