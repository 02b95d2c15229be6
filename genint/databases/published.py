"""What publishers say of their files: release, date, sizes, checksums."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from genint.databases.recipes import Recipe

if TYPE_CHECKING:
    from genint.databases.download import Downloader


class PublishedFile(NamedTuple):
    """What is published about a file; None for what is not."""

    size: int | None
    md5: str | None


@dataclass(frozen=True, slots=True)
class Published:
    """What is published about a database."""

    release: str | None
    released: str | None
    files: Mapping[str, PublishedFile]


async def fetch_published(client: Downloader, recipe: Recipe) -> Published:
    """Read what the publisher says now."""
    raise NotImplementedError
