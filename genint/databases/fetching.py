"""All files of a database, all of one release."""

from __future__ import annotations

from dataclasses import dataclass

from genint.databases.download import Downloader, Fetched
from genint.databases.published import Published
from genint.databases.recipes import Recipe


@dataclass(frozen=True, slots=True)
class FetchedDatabase:
    """The files of a database.

    Attributes:
        published: What was published about them in the end.
        files: Those that are there, in the order of the recipe.
    """

    published: Published
    files: tuple[Fetched, ...]


async def fetch_database(
    client: Downloader, recipe: Recipe, published: Published | None = None
) -> FetchedDatabase:
    """Fetch all files; a release that changes meanwhile is read again once."""
    raise NotImplementedError
