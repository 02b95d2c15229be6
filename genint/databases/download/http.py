"""Where files are published or mirrored, and requests to web servers for them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Final, NamedTuple

import aiohttp
from yarl import URL

from genint.databases.download.retry import RetryPolicy
from genint.databases.recipes import Place, RemoteFile
from genint.errors import UsageError
from genint.http_errors import RequestFailed, failure_of_status

_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*")


@dataclass(frozen=True, slots=True)
class WebSource:
    """One web address of a file.

    Attributes:
        url: The address, without credentials.
        label: Its name in messages.
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
        label: Its name in messages.
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
    """All sources of a file, first preferred.

    With mirrors, those only: each of them for all places of the file.
    """
    if mirrors:
        return tuple(mirror.source_of(place) for mirror in mirrors for place in file.places)
    return tuple(WebSource(URL(f"https://{place}"), str(place)) for place in file.places)


class NotAsPublished(RequestFailed):
    """What a source has is not what is published: another source may have it."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, may_retry=False)


def unusable(reason: str) -> RequestFailed:
    """The failure of a source that is not to be tried again: another one may do."""
    return RequestFailed(reason, may_retry=False)


class ContentRange(NamedTuple):
    """The ``Content-Range`` of an answer; None for what is ``*`` or missing.

    Attributes:
        first: Offset of the first byte that is sent.
        total: Bytes of the whole file.
    """

    first: int | None
    total: int | None


_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_NEEDS_RIGHTS = frozenset({401, 403, 407})
_USABLE = frozenset(
    {HTTPStatus.OK, HTTPStatus.PARTIAL_CONTENT, HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE}
)
_CONTENT_RANGE = re.compile(r"bytes (?:(\d{1,18})-(\d{1,18})|\*)/(\d{1,18}|\*)", re.I)


@asynccontextmanager
async def opened(
    session: aiohttp.ClientSession,
    method: str,
    source: WebSource,
    headers: Mapping[str, str],
    policy: RetryPolicy,
) -> AsyncIterator[aiohttp.ClientResponse]:
    """The answer of a source after redirects, its body yet unread; closed on leaving.

    Redirects lead to http(s) only, and to http only from a source that itself is http.
    Credentials go to the host of the source alone.

    Raises:
        RequestFailed: a redirect leads nowhere.
        aiohttp.ClientError, OSError: see :func:`genint.http_errors.connection_failures`.
    """
    url = source.url
    for _ in range(policy.most_redirects + 1):
        is_at_home = url.origin() == source.url.origin()
        middlewares = (_authorising(source.authorization),) if is_at_home else ()
        async with asyncio.timeout(policy.head_timeout_s):
            response = await session.request(
                method, url, headers=headers, middlewares=middlewares, allow_redirects=False
            )
        try:
            if response.status not in _REDIRECTS:
                yield response
                return
            url = _target(response, source)
        finally:
            response.close()
    raise unusable(f"redirects more than {policy.most_redirects} times")


def _authorising(authorization: str | None) -> aiohttp.ClientMiddlewareType:
    """Adds credentials, in place of any that the user's netrc file has for the host."""

    async def authorise(
        request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType
    ) -> aiohttp.ClientResponse:
        if authorization is not None:
            request.headers["Authorization"] = authorization
        return await handler(request)

    return authorise


def _target(response: aiohttp.ClientResponse, source: WebSource) -> URL:
    """Where a redirect leads, if it may be followed."""
    try:
        target = response.url.join(URL(response.headers["Location"])).with_fragment(None)
    except (KeyError, ValueError):
        raise unusable("redirects to no address") from None
    if target.scheme not in {"http", "https"} or not target.host:
        raise unusable(f"redirects to {target.scheme or 'nowhere'}:")
    if target.scheme == "http" and source.url.scheme == "https":
        raise unusable("redirects from https to http, which is not safe")
    return target.with_user(None)


def check_status(response: aiohttp.ClientResponse) -> None:
    """Refuse all statuses but 200, 206 and 416.

    Raises:
        RequestFailed: it has another one.
    """
    status = response.status
    if status in _USABLE:
        return
    failure = failure_of_status(status, response.headers)
    failure.may_retry |= status >= HTTPStatus.INTERNAL_SERVER_ERROR
    if status == HTTPStatus.NOT_FOUND:
        failure.reason = "missing (404)"
    elif status in _NEEDS_RIGHTS:
        failure.reason = f"not allowed ({status})"
    else:
        wait_s = failure.retry_after_s
        failure.reason = f"answers {status}" + (
            f" and asks to wait {wait_s:,.0f} s" if wait_s else ""
        )
    raise failure


def content_range_of(response: aiohttp.ClientResponse) -> ContentRange:
    """The range that an answer says it sends."""
    match = _CONTENT_RANGE.fullmatch(response.headers.get("Content-Range", "").strip())
    if match is None:
        return ContentRange(None, None)
    first, last, total = match.groups()
    if first is not None and (int(last) < int(first) or (total != "*" and int(last) >= int(total))):
        return ContentRange(None, None)
    return ContentRange(None if first is None else int(first), None if total == "*" else int(total))
