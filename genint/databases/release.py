"""What publishers say of their files: release, date, sizes, checksums."""

from __future__ import annotations

import asyncio
import json
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
    read_pfam_notes,
    read_uniprot_dates,
)
from genint.databases.download.manager import Downloader, Fetched, Unfetched
from genint.databases.installed import PLAN
from genint.databases.manifest import Manifest, SourceFile, record
from genint.databases.recipes import ChecksumFormat, Recipe, ReleaseFormat, RemoteFile
from genint.errors import InstallError
from genint.files import write_whole

__all__ = ["Published", "PublishedFile", "fetch_published"]

_LIMIT_BYTES = 8_000_000
_READINGS = 3
_READERS: Final = MappingProxyType[ReleaseFormat, Callable[[bytes, str], Release]](
    {
        ReleaseFormat.PFAM_NOTES: read_pfam_notes,
        ReleaseFormat.RFAM_README: partial(read_pfam_notes, of="Rfam"),
        ReleaseFormat.UNIPROT_DATES: read_uniprot_dates,
    }
)


@dataclass(frozen=True, slots=True)
class Published:
    """What is published about a database.

    Attributes:
        release: Its release; None if only its files tell.
        released: Date of the release, ISO; None if it is not said.
        files: Size and MD5 of each file of the recipe, as far as published.
    """

    release: str | None
    released: str | None
    files: Mapping[str, PublishedFile]


async def fetch_published(client: Downloader, recipe: Recipe) -> Published:
    """Read what the publisher says now.

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


_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Plan:
    """What was published when an installation began, and what it fetched so far.

    Attributes:
        published: Release, sizes and checksums.
        fetched: Files that were downloaded and checked.
    """

    published: Published
    fetched: tuple[SourceFile, ...] = ()

    def fits(self, published: Published) -> bool:
        """Whether that is still what is published."""
        return self.published == replace(published, files=dict(published.files))

    def is_of(self, manifest: Manifest) -> bool:
        """Whether a version was built from just what was fetched."""
        return {(file.name, file.sha256) for file in self.fetched} == {
            (file.name, file.sha256) for file in manifest.sources
        }

    def with_fetched(self, file: SourceFile) -> Plan:
        """The plan after a file was downloaded."""
        others = tuple(each for each in self.fetched if each.name != file.name)
        return replace(self, fetched=(*others, file))

    def without_fetched(self) -> Plan:
        """The plan where nothing that was downloaded could be used."""
        return replace(self, fetched=())


def new_plan(published: Published) -> Plan:
    """A plan for what is published now."""
    return Plan(replace(published, files=dict(published.files)))


def write_plan(work: Path, plan: Plan) -> None:
    """Keep a plan."""
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
class FetchedDatabase:
    """The files of a database.

    Attributes:
        published: What was published about them in the end.
        files: Those that are there, in the order of the recipe; only what is not required
            may be missing.
    """

    published: Published
    files: tuple[Fetched, ...]


async def fetch_database(
    client: Downloader, recipe: Recipe, published: Published | None = None
) -> FetchedDatabase:
    """Fetch all files of one release, going on where an earlier attempt ended.

    Where a file does not fit what is published, the release may have changed meanwhile:
    what is published is then read again, once.

    Args:
        client: An opened downloader.
        recipe: What to fetch.
        published: What ``fetch_published`` said; read now if None.

    Raises:
        InstallError: a file that is needed cannot be had as published, or not be written.
    """
    if published is None:
        published = await fetch_published(client, recipe)
    found = await _fetch_all(client, recipe, published)
    if any(isinstance(each, Unfetched) and each.is_misfit for each in found):
        now = await fetch_published(client, recipe)
        if now.files != published.files:
            published = now
            found = await _fetch_all(client, recipe, published)
    missing = [
        each.message
        for file, each in zip(recipe.files, found, strict=True)
        if isinstance(each, Unfetched) and file.required
    ]
    if missing:
        raise InstallError(missing[0])
    return FetchedDatabase(published, tuple(each for each in found if isinstance(each, Fetched)))


async def _fetch_all(
    client: Downloader, recipe: Recipe, published: Published
) -> list[Fetched | Unfetched]:
    """Fetch all files at a time; one that is nowhere ends the others, which keep what they have."""
    failure: InstallError | None = None
    tasks: list[asyncio.Task[Fetched | Unfetched]] = []
    try:
        async with asyncio.TaskGroup() as group:
            tasks += [group.create_task(_fetch(client, file, published)) for file in recipe.files]
    except* InstallError as failures:
        first = failures.exceptions[0]
        failure = first if isinstance(first, InstallError) else InstallError(str(first))
    if failure is not None:
        raise failure
    return [task.result() for task in tasks]


async def _fetch(client: Downloader, file: RemoteFile, published: Published) -> Fetched | Unfetched:
    found = await client.try_fetch(file, published.files[file.name])
    if isinstance(found, Unfetched) and file.required and not found.is_misfit:
        raise InstallError(found.message)
    return found
