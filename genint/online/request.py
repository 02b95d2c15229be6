"""One request, sent until it is answered or another attempt is pointless.

Its address is checked, its body read within bounds of size and memory, its failures sorted.
"""

from __future__ import annotations

import asyncio
import json as json_text
import math
import re
import zlib
from collections.abc import AsyncIterable, Callable, Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import urljoin, urlsplit

import aiohttp
import pydantic_core
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, wait_exponential
from yarl import URL

from genint.http_errors import (
    NO_ANSWER,
    Blame,
    RequestFailed,
    connection_failures,
    failure_of_status,
)
from genint.online.protocol import Host, MalformedResponse, Request, Response
from genint.online.rate_limit import HostLimiter, Policy

_CHUNK_BYTES = 1 << 16
_ERROR_BODY_BYTES = 1 << 16
_MESSAGE_LENGTH = 200
_MESSAGE_KEYS = ("messages", "detail", "errors", "message", "msg", "error", "Error")
_MESSAGE_DEPTH = 4
_ACCEPT = {"json": "application/json", "text": "text/plain, */*;q=0.5"}
_WEB_PAGE = "a web page instead of data"


@dataclass(frozen=True, slots=True)
class Transport:
    """What all requests of a process are sent through.

    Attributes:
        session: Does not decompress by itself.
        policy: Limits.
        proxies: For each server.
        limiters: For each server.
        chance: Gives numbers from 0 to 1, which decide how long waits are.
    """

    session: aiohttp.ClientSession
    policy: Policy
    proxies: Mapping[Host, URL | None]
    limiters: Mapping[Host, HostLimiter]
    chance: Callable[[], float]

    async def send_once(
        self, request: Request, url: URL, left_s: float, *, read_body: bool = True
    ) -> Response:
        """Send a request once and read its answer, decompressed.

        Args:
            request: What is sent; its path is not looked at.
            url: Where.
            left_s: Seconds that this may take.
            read_body: Otherwise the connection is closed after the head of the answer.

        Raises:
            RequestFailed: there is no answer that the request accepts.
        """
        limits = self.policy.of(request.host)
        data, headers = _encoded(request)
        with connection_failures():
            async with (
                asyncio.timeout(left_s),
                self.session.request(
                    request.method,
                    url,
                    data=data,
                    headers=headers,
                    timeout=aiohttp.ClientTimeout(
                        total=None,
                        connect=limits.connect_s,
                        sock_connect=limits.connect_s,
                        sock_read=limits.read_s,
                    ),
                    proxy=self.proxies[request.host],
                    allow_redirects=False,
                    middlewares=(_never_resend,),
                ) as answer,
            ):
                return await _read(answer, request, self.policy.body_limit_bytes * read_body)


class RetryingRequest:
    """The attempts of one request.

    Attributes:
        attempts: Sent so far.
        last: Why the last of them brought nothing; None while nothing went wrong.
    """

    def __init__(self, transport: Transport, request: Request, url: URL, ends_at_s: float) -> None:
        """Prepare a request.

        Args:
            transport: Sends it.
            request: What is sent.
            url: Where.
            ends_at_s: When the run ends, on the clock of the limiter.
        """
        self.attempts = 0
        self.last: RequestFailed | None = None
        self._transport = transport
        self._limiter = transport.limiters[request.host]
        self._request = request
        self._url = url
        self._ends_at_s = ends_at_s
        self._spent_s = 0.0
        self._was_answered = False

    async def send(self) -> Response:
        """Send until there is an answer or another attempt is pointless.

        Raises:
            RequestFailed: the last attempt failed, or (``was_sent`` is False) the server is
                left alone now; see :attr:`reason`.
        """
        retrying = AsyncRetrying(
            retry=retry_if_exception(self._may_retry),
            wait=self._wait_s,
            sleep=self._limiter.sleep,
            reraise=True,
        )
        breaker = self._limiter.breaker
        try:
            async with self._limiter.place():
                response: Response = await retrying(self._attempt)
        except RequestFailed as failure:
            if failure.blame is Blame.NONE:
                breaker.note_answer()
            elif failure.was_sent:
                breaker.note_lost(
                    self.reason, self._limiter.now_s, was_silent=not self._was_answered
                )
            raise
        breaker.note_answer()
        return response

    def note_out_of_time(self) -> None:
        """Note that the run's time ended before an answer came.

        That is the server's fault only where it was silent for long: runs may be short.
        """
        if self._spent_s >= self._limiter.limits.total_s / 2:
            self._limiter.breaker.note_lost(
                "no answer", self._limiter.now_s, was_silent=not self._was_answered
            )

    @property
    def reason(self) -> str:
        """Why there is no answer; empty where nothing went wrong so far."""
        if self.last is None:
            return ""
        if self.last.retry_after_s is not None and (
            pause := self._limiter.pause_refusal(self._ends_at_s)
        ):
            return pause
        if self._left_s <= 0:
            return f"no answer within {self._limiter.limits.total_s:,.0f} s"
        if not self.last.may_retry:
            return self.last.reason
        return f"{self.last.reason} after {self.attempts} attempt{'s'[: self.attempts > 1]}"

    @property
    def _left_s(self) -> float:
        return self._limiter.limits.total_s - self._spent_s

    async def _attempt(self) -> Response:
        limiter = self._limiter
        async with limiter.slot(self._ends_at_s):
            self.attempts += 1
            began_at_s = limiter.now_s
            try:
                return await self._transport.send_once(self._request, self._url, self._left_s)
            except RequestFailed as failure:
                self._note(failure)
                raise
            finally:
                self._spent_s += limiter.now_s - began_at_s

    def _note(self, failure: RequestFailed) -> None:
        self.last = failure
        # Whatever else went wrong came at once, or with the answer.
        self._was_answered |= failure.reason != NO_ANSWER
        if failure.retry_after_s is not None:
            self._limiter.pause(failure.retry_after_s, failure.reason)
        if failure.blame is Blame.CONNECTION:
            self._limiter.breaker.note_unconnected(failure.reason, self._limiter.now_s)
        else:
            self._limiter.breaker.note_connected()

    def _may_retry(self, problem: BaseException) -> bool:
        return (
            isinstance(problem, RequestFailed)
            and problem.may_retry
            and self.attempts < self._limiter.limits.attempts
            and self._left_s > 0
            and self._limiter.refusal(self._ends_at_s) is None
        )

    def _wait_s(self, state: RetryCallState) -> float:
        """Full jitter: anything from nothing to an ever longer wait."""
        policy = self._transport.policy
        longest = wait_exponential(multiplier=policy.first_wait_s, max=policy.longest_wait_s)
        return self._transport.chance() * longest(state)


async def _never_resend(
    request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType
) -> aiohttp.ClientResponse:
    """Keep the library from repeating a lost request by itself, past pace and count."""
    try:
        return await handler(request)
    except aiohttp.ClientConnectorError:
        raise  # is not repeated
    except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError):
        raise RequestFailed("a lost connection") from None


def _encoded(request: Request) -> tuple[str | list[tuple[str, str]] | None, dict[str, str]]:
    """Body and headers."""
    headers = {"Accept": _ACCEPT[request.expects]}
    if request.json is not None:
        return json_text.dumps(request.json), {**headers, "Content-Type": "application/json"}
    return list(request.form) or None, headers


async def _read(
    answer: aiohttp.ClientResponse, request: Request, body_limit_bytes: int
) -> Response:
    headers = {name.lower(): value for name, value in answer.headers.items()}
    if answer.status not in request.accepts:
        failure = failure_of_status(answer.status, headers)
        if failure.blame is Blame.NONE:
            failure.message = await _message(answer, headers)
        raise failure
    _check_content_type(answer, request)
    if body_limit_bytes == 0:
        return Response(answer.status, headers, b"")
    body = await _body(answer, headers, body_limit_bytes)
    if answer.status == HTTPStatus.OK and body[:64].lstrip()[:1] == b"<":
        raise RequestFailed(_WEB_PAGE)
    return Response(answer.status, headers, body)


def _check_content_type(answer: aiohttp.ClientResponse, request: Request) -> None:
    """Refuse an answer whose Content-Type is not what is wanted."""
    kind = answer.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if answer.status != HTTPStatus.OK:
        return
    if kind in ("text/html", "application/xhtml+xml"):
        raise RequestFailed(_WEB_PAGE)
    if request.expects == "json" and kind != "application/json" and not kind.endswith("+json"):
        raise RequestFailed("an answer that is not JSON", may_retry=False)


async def _body(
    answer: aiohttp.ClientResponse, headers: Mapping[str, str], limit_bytes: int
) -> bytes:
    if (answer.content_length or 0) > limit_bytes:
        raise _too_large(limit_bytes)
    chunks = answer.content.iter_chunked(_CHUNK_BYTES)
    return await read_body(chunks, headers.get("content-encoding", ""), limit_bytes)


async def _message(answer: aiohttp.ClientResponse, headers: Mapping[str, str]) -> str:
    """What the server says in the JSON body of a refusal; empty where there is nothing."""
    try:
        content = parse_json(await _body(answer, headers, _ERROR_BODY_BYTES))
    except (RequestFailed, aiohttp.ClientError, TimeoutError):
        return ""
    plain = "".join(sign if sign.isprintable() else " " for sign in _first_text(content))
    return " ".join(plain.split())[:_MESSAGE_LENGTH]


def _first_text(content: object) -> str:
    """The first text at one of the places where the services explain themselves."""
    for _ in range(_MESSAGE_DEPTH):
        if isinstance(content, list) and content:
            content = content[0]
        elif isinstance(content, dict):
            content = next((content[key] for key in _MESSAGE_KEYS if key in content), None)
    return content if isinstance(content, str) else ""


_PATH = re.compile(r"(?:/[A-Za-z0-9_~:,.-]+)+")
_LINK = re.compile(r"[\x21-\x7e]{1,8000}")
_REFUSED_IN_LINKS = re.compile(r"[@\\]")
_UP = re.compile(r"(?:\.|%2e){2}", re.IGNORECASE)


def address_of(base: str, request: Request) -> URL:
    """Where a request is sent.

    Raises:
        RequestFailed: the path has signs that no identifier has.
    """
    if not _PATH.fullmatch(request.path) or _UP.search(request.path):
        raise _unusable("an address that cannot be used")
    url = URL(base.rstrip("/") + request.path, encoded=True)
    return url.with_query(list(request.params)) if request.params else url


def address_of_link(base: str, sent_to: URL, link: str) -> URL:
    """Where a link in an answer leads, if that is below the base.

    Whether it says http or https does not matter: the base decides.

    Raises:
        RequestFailed: it leads elsewhere, or is no address.
    """
    if not _LINK.fullmatch(link) or _REFUSED_IN_LINKS.search(link):
        raise _unusable("a link that cannot be read")
    try:
        target, home = urlsplit(urljoin(str(sent_to), link)), urlsplit(base)
        is_home = (target.hostname, _port(target.scheme, target.port)) == (
            home.hostname,
            _port(home.scheme, home.port),
        )
    except ValueError:
        raise _unusable("a link that cannot be read") from None
    raw_path = urlsplit(link).path
    below = home.path.rstrip("/") + "/"
    if target.scheme not in ("http", "https") or not is_home:
        raise _unusable("a link to another server")
    if _UP.search(raw_path) or not target.path.startswith(below):
        raise _unusable("a link to another place of the server")
    query = f"?{target.query}" if target.query else ""
    return URL(f"{home.scheme}://{home.netloc}{target.path}{query}", encoded=True)


def _port(scheme: str, port: int | None) -> int | None:
    """None for the usual port of http and https alike."""
    return None if port == {"http": 80, "https": 443}.get(scheme) else port


def _unusable(reason: str) -> RequestFailed:
    return RequestFailed(reason, may_retry=False, was_sent=False)


_GZIP = 31
_STEP_BYTES = 1 << 20
_MOST_MEMBERS = 1000
"""Of a gzip body; answers have one. Millions of empty ones would take minutes."""


async def read_body(chunks: AsyncIterable[bytes], encoding: str, limit_bytes: int) -> bytes:
    """A whole body; never holds much more than the limit.

    Args:
        chunks: As sent.
        encoding: Content-Encoding of the answer: empty, ``identity`` or ``gzip``.
        limit_bytes: Largest size, of what is sent and of what that becomes.

    Raises:
        RequestFailed: it is larger, or the encoding is another, or broken.
    """
    kind = encoding.strip().lower()
    if kind not in ("", "identity", "gzip", "x-gzip"):
        raise _broken()
    gunzip = _Gunzip(limit_bytes) if kind.endswith("gzip") else None
    body, sent_bytes = bytearray(), 0
    async for chunk in chunks:
        sent_bytes += len(chunk)
        if sent_bytes > limit_bytes:
            raise _too_large(limit_bytes)
        if gunzip is None:
            body += chunk
        else:
            for _ in gunzip.feed(chunk, body):
                await asyncio.sleep(0)  # a small piece may become a very large one
    if gunzip is not None and sent_bytes:
        gunzip.finish()
    return bytes(body)


class _Gunzip:
    """Decompresses members one after the other, as the format allows."""

    def __init__(self, limit_bytes: int) -> None:
        self._limit_bytes = limit_bytes
        self._member = zlib.decompressobj(_GZIP)
        self._members = 1

    def feed(self, chunk: bytes, body: bytearray) -> Iterator[None]:
        """Decompress a piece into a body, step by step."""
        try:
            while chunk:
                if self._member.eof:
                    self._begin_member()
                body += self._member.decompress(chunk, _STEP_BYTES)
                if len(body) > self._limit_bytes:
                    raise _too_large(self._limit_bytes)
                chunk = self._member.unconsumed_tail or self._member.unused_data
                yield
        except zlib.error as problem:
            raise _broken() from problem

    def _begin_member(self) -> None:
        self._members += 1
        if self._members > _MOST_MEMBERS:
            raise _broken()
        self._member = zlib.decompressobj(_GZIP)

    def finish(self) -> None:
        """Check that nothing is missing."""
        if not self._member.eof:
            raise _broken()


def _too_large(limit_bytes: int) -> RequestFailed:
    reason = f"an answer of more than {limit_bytes // 1_000_000} MB"
    return RequestFailed(reason, may_retry=False)


def _broken() -> RequestFailed:
    return RequestFailed("a broken answer")


_LARGE_BYTES = 256_000
_MOST_BYTES = 100_000_000
_BYTES_OF = {b"{": 240, b"[": 72, b",": 80}
"""Bytes of memory that an object, a list and a value take at most, besides its characters."""
_BELOW_U100 = bytes(range(0xC4))
_BELOW_U10000 = bytes(range(0xF0))


def parse_json(body: bytes) -> object:
    """The value of a JSON text in UTF-8.

    Takes at most a second and 100 MB, whatever the text is; some 30 ms a megabyte of real
    answers. Of keys that occur twice in an object, the last one counts. Lists and objects may
    be nested some 200 deep.

    Raises:
        MalformedResponse: it is no JSON, or holds numbers that are none (NaN, Infinity, or too
            large for a number), or would take more memory than any real answer.
    """
    if _most_memory_bytes(body) > _MOST_BYTES:
        raise MalformedResponse("JSON with more values than any real answer has")
    try:
        value: object = pydantic_core.from_json(body, cache_strings="keys")
    except ValueError:
        # The parser's own text is left out: they may quote the text.
        raise MalformedResponse("no JSON that can be read") from None
    if _has_endless(value):
        raise MalformedResponse("JSON with a number that is too large")
    return value


async def parsed(body: bytes) -> object:
    """:func:`parse_json`, off the event loop where the text is large."""
    if len(body) < _LARGE_BYTES:
        return parse_json(body)
    return await asyncio.to_thread(parse_json, body)


def _most_memory_bytes(body: bytes) -> int:
    """More than the values of a text can take, were it all of the most wasteful sort."""
    structure = sum(body.count(sign) * size for sign, size in _BYTES_OF.items())
    return structure + len(body) * _width(body)


def _width(body: bytes) -> int:
    """Bytes of memory that a byte of characters takes at most.

    The widest character of a string decides for all of it, and the narrower form that was begun
    with is still there while it is widened.
    """
    if body.translate(None, _BELOW_U10000) or b"\\u" in body:
        return 5
    return 3 if body.translate(None, _BELOW_U100) else 1


def _has_endless(value: object) -> bool:
    found = [value]
    for item in found:  # which grows meanwhile
        if isinstance(item, float):
            if not math.isfinite(item):
                return True
        elif isinstance(item, dict):
            found += item.values()
        elif isinstance(item, list):
            found += item
    return False
