"""Mirrors of published files: a folder or a web address in the layout host/path.

With a mirror given, nothing is asked for elsewhere: that is what makes it fit for a
machine without network.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import aiohttp
from yarl import URL

from genint.databases.recipes import Place, RemoteFile
from genint.errors import UsageError

_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*")


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
            what = f"{scheme}://" if _SCHEME.fullmatch(scheme) else "this"
            raise UsageError(
                f"--mirror: {what} is not read; give https://, http:// or the path of a folder"
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
        if _may_be_an_address(text) and not _is_folder(folder):
            raise UsageError(
                "--mirror: a web address needs its scheme: put https:// or http:// before it"
            )
        if not text.strip() or not _is_folder(folder):
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


def _may_be_an_address(text: str) -> bool:
    """Whether a text may have credentials, so that no message may repeat it."""
    is_path = text.startswith(("/", "./", "../", "~")) and not text.startswith("//")
    return "@" in text and not is_path


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def sources_of(file: RemoteFile, mirrors: tuple[Mirror, ...]) -> tuple[Source, ...]:
    """Everywhere to ask for a file, first preferred.

    With mirrors, each is asked for all places of the file, and nobody else is.
    """
    if mirrors:
        return tuple(mirror.source_of(place) for mirror in mirrors for place in file.places)
    return tuple(WebSource(URL(f"https://{place}"), str(place)) for place in file.places)
