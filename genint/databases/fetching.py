"""All files of a database, all of one release."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from genint.databases.download import Downloader, Fetched, Unfetched
from genint.databases.published import Published, fetch_published
from genint.databases.recipes import Recipe, RemoteFile
from genint.errors import InstallError


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
