"""What is published about a database beside its files: release, date, sizes, checksums."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Final

from genint.databases.checksums import (
    PublishedFile,
    Release,
    UnusableFile,
    read_md5_list,
    read_metalink,
    read_pfam_notes,
    read_uniprot_dates,
)
from genint.databases.download.manager import Downloader
from genint.databases.recipes import ChecksumFormat, Recipe, ReleaseFormat
from genint.errors import InstallError

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
