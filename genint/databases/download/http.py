"""What web servers answer, and what it means for a download."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import Enum
from http import HTTPStatus
from pathlib import Path
from typing import Final, NamedTuple

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


class FailureKind(Enum):
    """What to do about a failed attempt."""

    AGAIN = "try the same source again"
    ELSEWHERE = "try another source"
    MISFIT = "what is there is not what is published; try another source"


class DownloadFailure(NamedTuple):
    """Why an attempt did not get the file.

    Attributes:
        kind: What to do.
        reason: In words; never with credentials.
        retry_after_s: When the server wants to be asked again, if it says so.
    """

    kind: FailureKind
    reason: str
    retry_after_s: float | None = None


class AskLimits(NamedTuple):
    """Limits of one request.

    Attributes:
        most_redirects: That are followed.
        head_timeout_s: Longest time from asking to the whole head of an answer.
    """

    most_redirects: int
    head_timeout_s: float


class ContentRange(NamedTuple):
    """The ``Content-Range`` of an answer; None for what is ``*`` or not said.

    Attributes:
        first: Offset of the first byte that is sent.
        total: Bytes of the whole file.
    """

    first: int | None
    total: int | None


_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_TRY_AGAIN = frozenset({408, 425, 429})
_NEEDS_RIGHTS = frozenset({401, 403, 407})
_CONTENT_RANGE = re.compile(r"bytes (?:(\d{1,18})-(\d{1,18})|\*)/(\d{1,18}|\*)", re.I)
_LONGEST_REASON = 120
_BROKEN: tuple[tuple[type[Exception], str], ...] = (
    (aiohttp.ConnectionTimeoutError, "cannot be reached in time"),
    (TimeoutError, "fell silent"),
    (aiohttp.ClientPayloadError, "broke off"),
    (aiohttp.ClientResponseError, "answers something that is not HTTP"),
)


@asynccontextmanager
async def opened(
    session: aiohttp.ClientSession,
    method: str,
    source: WebSource,
    headers: Mapping[str, str],
    limits: AskLimits,
) -> AsyncIterator[aiohttp.ClientResponse | DownloadFailure]:
    """The answer of a source after redirects, its body yet unread; closed on leaving.

    Redirects lead to http(s) only, and to http only from a source that itself is http.
    Credentials go to the host of the source alone.

    Raises:
        aiohttp.ClientError, TimeoutError, OSError: see ``setback_of``.
    """
    url = source.url
    for _ in range(limits.most_redirects + 1):
        is_at_home = url.origin() == source.url.origin()
        middlewares = (_authorising(source.authorization),) if is_at_home else ()
        async with asyncio.timeout(limits.head_timeout_s):
            response = await session.request(
                method, url, headers=headers, middlewares=middlewares, allow_redirects=False
            )
        try:
            if response.status not in _REDIRECTS:
                yield response
                return
            target = _target(response, source)
        finally:
            response.close()
        if isinstance(target, DownloadFailure):
            yield target
            return
        url = target
    yield DownloadFailure(
        FailureKind.ELSEWHERE, f"redirects more than {limits.most_redirects} times"
    )


def _authorising(authorization: str | None) -> aiohttp.ClientMiddlewareType:
    """Adds credentials, in place of any that the user's netrc file has for the host."""

    async def authorise(
        request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType
    ) -> aiohttp.ClientResponse:
        if authorization is not None:
            request.headers["Authorization"] = authorization
        return await handler(request)

    return authorise


def _target(response: aiohttp.ClientResponse, source: WebSource) -> URL | DownloadFailure:
    """Where a redirect leads, if it may be followed."""
    try:
        target = response.url.join(URL(response.headers["Location"])).with_fragment(None)
    except (KeyError, ValueError):
        return DownloadFailure(FailureKind.ELSEWHERE, "redirects to no address")
    if target.scheme not in {"http", "https"} or not target.host:
        return DownloadFailure(FailureKind.ELSEWHERE, f"redirects to {target.scheme or 'nowhere'}:")
    if target.scheme == "http" and source.url.scheme == "https":
        return DownloadFailure(
            FailureKind.ELSEWHERE, "redirects from https to http, which is not safe"
        )
    return target.with_user(None)


def refusal_of(response: aiohttp.ClientResponse) -> DownloadFailure | None:
    """What a status other than 200, 206 and 416 means; None for those."""
    status = response.status
    if status in {HTTPStatus.OK, HTTPStatus.PARTIAL_CONTENT} or (
        status == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE
    ):
        return None
    if status in _TRY_AGAIN or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        wait_s = _retry_after_s(response.headers)
        asks = f" and asks to wait {wait_s:,.0f} s" if wait_s else ""
        return DownloadFailure(FailureKind.AGAIN, f"answers {status}{asks}", wait_s)
    if status == HTTPStatus.NOT_FOUND:
        return DownloadFailure(FailureKind.ELSEWHERE, "missing (404)")
    if status in _NEEDS_RIGHTS:
        return DownloadFailure(FailureKind.ELSEWHERE, f"not allowed ({status})")
    return DownloadFailure(FailureKind.ELSEWHERE, f"answers {status}")


def content_range_of(response: aiohttp.ClientResponse) -> ContentRange:
    """The range that an answer says it sends."""
    match = _CONTENT_RANGE.fullmatch(response.headers.get("Content-Range", "").strip())
    if match is None:
        return ContentRange(None, None)
    first, last, total = match.groups()
    if first is not None and (int(last) < int(first) or (total != "*" and int(last) >= int(total))):
        return ContentRange(None, None)
    return ContentRange(None if first is None else int(first), None if total == "*" else int(total))


def failure_of(error: aiohttp.ClientError | TimeoutError | OSError) -> DownloadFailure:
    """What an error of the connection means.

    The words are ours: the libraries' have addresses in them, of proxies too.
    """
    match error:
        case aiohttp.ClientSSLError():
            return DownloadFailure(
                FailureKind.ELSEWHERE, "no trusted encrypted connection (certificate)"
            )
        case aiohttp.InvalidURL() | aiohttp.NonHttpUrlClientError():
            return DownloadFailure(FailureKind.ELSEWHERE, "leads to an address that cannot be read")
        case aiohttp.ClientHttpProxyError():
            return DownloadFailure(
                FailureKind.AGAIN, f"is behind a proxy that answers {error.status}"
            )
        case aiohttp.ClientConnectorError() if reason := _unconnected(error):
            return DownloadFailure(FailureKind.AGAIN, reason)
    for kind, reason in _BROKEN:
        if isinstance(error, kind):
            return DownloadFailure(FailureKind.AGAIN, reason)
    return DownloadFailure(FailureKind.AGAIN, "hung up")


def _unconnected(error: aiohttp.ClientConnectorError) -> str:
    match error:
        case aiohttp.ClientProxyConnectionError():
            return "is behind a proxy that does not answer"
        case aiohttp.ClientConnectorDNSError():
            return "is on a host that is not known (no network?)"
    return f"cannot be reached ({_plain(error.os_error.strerror or 'no connection')})"


def _retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Seconds of ``Retry-After``, which has seconds or a date; None if it has neither."""
    value = headers.get("Retry-After", "").strip()
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        date = parsedate_to_datetime(value)
    except ValueError:
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=UTC)
    return max(0.0, (date - datetime.now(UTC)).total_seconds())


def _plain(text: str) -> str:
    return " ".join(text.split())[:_LONGEST_REASON]
