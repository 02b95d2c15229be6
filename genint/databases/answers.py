"""What web servers answer, and what it means for a download."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import Enum
from http import HTTPStatus
from typing import NamedTuple

import aiohttp
from yarl import URL

from genint.databases.mirrors import WebSource


class SetbackKind(Enum):
    """What to do about a failed attempt."""

    AGAIN = "try the same source again"
    ELSEWHERE = "try another source"
    MISFIT = "what is there is not what is published; try another source"


class Setback(NamedTuple):
    """Why an attempt did not get the file.

    Attributes:
        kind: What to do.
        reason: In words; never with credentials.
        retry_after_s: When the server wants to be asked again, if it says so.
    """

    kind: SetbackKind
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
) -> AsyncIterator[aiohttp.ClientResponse | Setback]:
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
        if isinstance(target, Setback):
            yield target
            return
        url = target
    yield Setback(SetbackKind.ELSEWHERE, f"redirects more than {limits.most_redirects} times")


def _authorising(authorization: str | None) -> aiohttp.ClientMiddlewareType:
    """Adds credentials, in place of any that the user's netrc file has for the host."""

    async def authorise(
        request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType
    ) -> aiohttp.ClientResponse:
        if authorization is not None:
            request.headers["Authorization"] = authorization
        return await handler(request)

    return authorise


def _target(response: aiohttp.ClientResponse, source: WebSource) -> URL | Setback:
    """Where a redirect leads, if it may be followed."""
    try:
        target = response.url.join(URL(response.headers["Location"])).with_fragment(None)
    except (KeyError, ValueError):
        return Setback(SetbackKind.ELSEWHERE, "redirects to no address")
    if target.scheme not in {"http", "https"} or not target.host:
        return Setback(SetbackKind.ELSEWHERE, f"redirects to {target.scheme or 'nowhere'}:")
    if target.scheme == "http" and source.url.scheme == "https":
        return Setback(SetbackKind.ELSEWHERE, "redirects from https to http, which is not safe")
    return target.with_user(None)


def refusal_of(response: aiohttp.ClientResponse) -> Setback | None:
    """What a status other than 200, 206 and 416 means; None for those."""
    status = response.status
    if status in {HTTPStatus.OK, HTTPStatus.PARTIAL_CONTENT} or (
        status == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE
    ):
        return None
    if status in _TRY_AGAIN or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        wait_s = _retry_after_s(response.headers)
        asks = f" and asks to wait {wait_s:,.0f} s" if wait_s else ""
        return Setback(SetbackKind.AGAIN, f"answers {status}{asks}", wait_s)
    if status == HTTPStatus.NOT_FOUND:
        return Setback(SetbackKind.ELSEWHERE, "missing (404)")
    if status in _NEEDS_RIGHTS:
        return Setback(SetbackKind.ELSEWHERE, f"not allowed ({status})")
    return Setback(SetbackKind.ELSEWHERE, f"answers {status}")


def content_range_of(response: aiohttp.ClientResponse) -> ContentRange:
    """The range that an answer says it sends."""
    match = _CONTENT_RANGE.fullmatch(response.headers.get("Content-Range", "").strip())
    if match is None:
        return ContentRange(None, None)
    first, last, total = match.groups()
    if first is not None and (int(last) < int(first) or (total != "*" and int(last) >= int(total))):
        return ContentRange(None, None)
    return ContentRange(None if first is None else int(first), None if total == "*" else int(total))


def setback_of(error: aiohttp.ClientError | TimeoutError | OSError) -> Setback:
    """What an error of the connection means.

    The words are ours: the libraries' have addresses in them, of proxies too.
    """
    match error:
        case aiohttp.ClientSSLError():
            return Setback(SetbackKind.ELSEWHERE, "no trusted encrypted connection (certificate)")
        case aiohttp.InvalidURL() | aiohttp.NonHttpUrlClientError():
            return Setback(SetbackKind.ELSEWHERE, "leads to an address that cannot be read")
        case aiohttp.ClientHttpProxyError():
            return Setback(SetbackKind.AGAIN, f"is behind a proxy that answers {error.status}")
        case aiohttp.ClientConnectorError() if reason := _unconnected(error):
            return Setback(SetbackKind.AGAIN, reason)
    for kind, reason in _BROKEN:
        if isinstance(error, kind):
            return Setback(SetbackKind.AGAIN, reason)
    return Setback(SetbackKind.AGAIN, "hung up")


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
