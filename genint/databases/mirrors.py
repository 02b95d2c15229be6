"""Mirrors of published files: a folder or a web address in the layout host/path.

With a mirror given, nothing is asked for elsewhere: that is what makes it fit for a
machine without network.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
from yarl import URL

from genint.databases.recipes import Place, RemoteFile
from genint.errors import UsageError


@dataclass(frozen=True, slots=True)
class WebSource:
    """One web address of a file.

    Attributes:
        url: The address, without credentials.
        label: What messages call it.
        authorization: ``Authorization`` header for the mirror; never part of a ``repr``.
    """

    url: URL
    label: str
    authorization: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class FolderSource:
    """One file of a mirror folder.

    Attributes:
        path: Where it should lie.
        label: What messages call it.
    """

    path: Path
    label: str


Source = WebSource | FolderSource


@dataclass(frozen=True, slots=True)
class Mirror:
    """A folder or a web address under which files lie as ``<host>/<path>``.

    Attributes:
        root: The folder, or the web address without credentials.
    """

    root: Path | URL
    _authorization: str | None = field(default=None, repr=False)

    @classmethod
    def parse(cls, text: str) -> Mirror:
        """Read what a user gave: ``https://...``, ``http://...`` or the path of a folder.

        Raises:
            UsageError: it is neither. The message never has the credentials of an address.
        """
        scheme, separator, _ = text.partition("://")
        if not separator:
            return cls._of_folder(text)
        if scheme.lower() not in {"http", "https"}:
            raise UsageError(
                f"--mirror: {scheme}:// is not read; give https://, http:// or the path of a folder"
            )
        try:
            url = URL(text)
        except ValueError:
            url = URL()
        if not url.host or any(each.isspace() for each in text):
            raise UsageError("--mirror: this is not a web address (is it percent-encoded?)")
        if url.query_string or url.fragment:
            raise UsageError("--mirror: a web address may not have a query or a fragment")
        authorization = None
        if url.user is not None or url.password is not None:
            if ":" in (url.user or ""):
                raise UsageError("--mirror: the user of a web address may not have a colon")
            authorization = aiohttp.encode_basic_auth(url.user or "", url.password or "")
        return cls(url.with_user(None), authorization)

    @classmethod
    def _of_folder(cls, text: str) -> Mirror:
        folder = Path(text).expanduser()
        if not text.strip() or not folder.is_dir():
            raise UsageError(f"--mirror: there is no folder {text!r}")
        return cls(folder.absolute())

    def __str__(self) -> str:
        return str(self.root)

    def source_of(self, place: Place) -> Source:
        """Where this mirror should have the file of a place."""
        label = f"{place} (mirror {self})"
        if isinstance(self.root, Path):
            return FolderSource(self.root / place.host / place.path, label)
        url = self.root.joinpath(place.host, *place.path.split("/"))
        return WebSource(url, label, self._authorization)


def sources_of(file: RemoteFile, mirrors: tuple[Mirror, ...]) -> tuple[Source, ...]:
    """Everywhere to ask for a file, first preferred.

    With mirrors, each is asked for all places of the file, and nobody else is.
    """
    if mirrors:
        return tuple(mirror.source_of(place) for mirror in mirrors for place in file.places)
    return tuple(WebSource(URL(f"https://{place}"), str(place)) for place in file.places)
