"""One attempt of a call: a request, and its answer read to the end or why there is none."""

from __future__ import annotations

import asyncio
import contextlib
import json as json_text
import math
import re
import zlib
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterator, Mapping
from http import HTTPStatus
from urllib.parse import urljoin, urlsplit

import aiohttp
import pydantic_core
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, wait_exponential
from yarl import URL

from genint.online.protocol import (
    Blame,
    Host,
    MalformedResponse,
    Request,
    RequestFailed,
    Response,
    failure_of_status,
)
from genint.online.rate_limit import HostLimiter, Policy

_PATH = re.compile(r"(?:/[A-Za-z0-9_~:,.-]+)+")
_LINK = re.compile(r"[\x21-\x7e]{1,8000}")
_REFUSED_IN_LINKS = re.compile(r"[@\\]")
_UP = re.compile(r"(?:\.|%2e){2}", re.IGNORECASE)


class UnusableAddress(ValueError):
    """A path or link that is not asked; says why, without showing it."""


def address_of(base: str, call: Request) -> URL:
    """Where a call is sent.

    Raises:
        UnusableAddress: the path has signs that no identifier has.
    """
    if not _PATH.fullmatch(call.path) or _UP.search(call.path):
        raise UnusableAddress("an address that cannot be asked")
    url = URL(base.rstrip("/") + call.path, encoded=True)
    return url.with_query(list(call.params)) if call.params else url


def address_of_link(base: str, asked: URL, link: str) -> URL:
    """Where a link in an answer leads, if that is below the base.

    Whether it says http or https does not matter: the base decides.

    Raises:
        UnusableAddress: it leads elsewhere, or is no address.
    """
    if not _LINK.fullmatch(link) or _REFUSED_IN_LINKS.search(link):
        raise UnusableAddress("a link that cannot be read")
    try:
        target, home = urlsplit(urljoin(str(asked), link)), urlsplit(base)
        is_home = (target.hostname, _port(target.scheme, target.port)) == (
            home.hostname,
            _port(home.scheme, home.port),
        )
    except ValueError:
        raise UnusableAddress("a link that cannot be read") from None
    raw_path = urlsplit(link).path
    below = home.path.rstrip("/") + "/"
    if target.scheme not in ("http", "https") or not is_home:
        raise UnusableAddress("a link to another server")
    if _UP.search(raw_path) or not target.path.startswith(below):
        raise UnusableAddress("a link to another place of the server")
    query = f"?{target.query}" if target.query else ""
    return URL(f"{home.scheme}://{home.netloc}{target.path}{query}", encoded=True)


def _port(scheme: str, port: int | None) -> int | None:
    """None for the usual port of http and https alike."""
    return None if port == {"http": 80, "https": 443}.get(scheme) else port


_GZIP = 31
_STEP_BYTES = 1 << 20
_MOST_MEMBERS = 1000
"""Of a gzip body; answers have one. Millions of empty ones would take minutes."""


class BodyTooLarge(ValueError):
    """More than the limit, decompressed or as sent."""


class BodyBroken(ValueError):
    """Not what its encoding promises, or cut off."""


async def read_body(chunks: AsyncIterable[bytes], encoding: str, limit_bytes: int) -> bytes:
    """A whole body; never holds much more than the limit.

    Args:
        chunks: As sent.
        encoding: Content-Encoding of the answer: empty, ``identity`` or ``gzip``.
        limit_bytes: Largest size, of what is sent and of what that becomes.

    Raises:
        BodyTooLarge: it is larger.
        BodyBroken: the encoding is another, or is broken.
    """
    kind = encoding.strip().lower()
    if kind not in ("", "identity", "gzip", "x-gzip"):
        raise BodyBroken("unknown encoding")
    gunzip = _Gunzip(limit_bytes) if kind.endswith("gzip") else None
    body, sent_bytes = bytearray(), 0
    async for chunk in chunks:
        sent_bytes += len(chunk)
        if sent_bytes > limit_bytes:
            raise BodyTooLarge
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
                    raise BodyTooLarge
                chunk = self._member.unconsumed_tail or self._member.unused_data
                yield
        except zlib.error as problem:
            raise BodyBroken("not gzip") from problem

    def _begin_member(self) -> None:
        self._members += 1
        if self._members > _MOST_MEMBERS:
            raise BodyBroken("too many parts")
        self._member = zlib.decompressobj(_GZIP)

    def finish(self) -> None:
        """Check that nothing is missing."""
        if not self._member.eof:
            raise BodyBroken("cut off")


_LARGE_BYTES = 256_000
_MOST_BYTES = 100_000_000
_BYTES_OF = {b"{": 240, b"[": 72, b",": 80}
"""Bytes of memory that an object, a list and a value take at most, besides its characters."""
_BELOW_U100 = bytes(range(0xC4))
_BELOW_U10000 = bytes(range(0xF0))


def parse_json(body: bytes) -> object:
    """The value of a JSON text in UTF-8.

    Takes at most a second and 100 MB, whatever the text is; some 30 ms a megabyte of real
    answers. Of keys that stand in an object twice, the last one counts. Lists and objects may
    stand in each other some 200 deep.

    Raises:
        MalformedAnswer: it is no JSON, or holds numbers that are none (NaN, Infinity, or too
            large for a number), or would take more memory than any real answer.
    """
    if _most_memory_bytes(body) > _MOST_BYTES:
        raise MalformedResponse("JSON with more values than any real answer has")
    try:
        value: object = pydantic_core.from_json(body, cache_strings="keys")
    except ValueError:
        # The parser's own words are left out: they may quote the text.
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


_CHUNK_BYTES = 1 << 16
_ERROR_BODY_BYTES = 1 << 16
_MESSAGE_LENGTH = 200
_MESSAGE_KEYS = ("messages", "detail", "errors", "message", "msg", "error", "Error")
_MESSAGE_DEPTH = 4
_ACCEPT = {"json": "application/json", "text": "text/plain, */*;q=0.5"}
_LOST_CONNECTION = "a lost connection"
_WEB_PAGE = "a web page instead of data"


class Sender:
    """Sends requests through one session."""

    def __init__(
        self,
        session: aiohttp.ClientSession,
        policy: Policy,
        proxies: Mapping[Host, URL | None],
    ) -> None:
        """Use an open session that does not decompress by itself, and these proxies."""
        self._session = session
        self._policy = policy
        self._proxies = proxies

    async def send(
        self, call: Request, url: URL, left_s: float, *, is_body_read: bool = True
    ) -> Response:
        """Send a request once and read its answer, decompressed.

        Args:
            call: What is asked.
            url: Where; the path of the call is not looked at.
            left_s: Seconds that this may take.
            is_body_read: Otherwise the connection is closed after the head of the answer.

        Raises:
            Setback: there is no answer that the call accepts.
        """
        try:
            async with asyncio.timeout(left_s):
                with _in_words():
                    async with self._asked(call, url) as response:
                        limit_bytes = self._policy.body_limit_bytes if is_body_read else 0
                        return await _reply(response, call, limit_bytes)
        except TimeoutError:
            raise RequestFailed("no answer") from None

    @contextlib.asynccontextmanager
    async def _asked(self, call: Request, url: URL) -> AsyncIterator[aiohttp.ClientResponse]:
        """Send a request; where its body is not read to the end, the connection is closed."""
        limits = self._policy.of(call.host)
        headers = {"Accept": _ACCEPT[call.wants]}
        data: str | list[tuple[str, str]] | None = list(call.form) or None
        if call.json is not None:
            data, headers["Content-Type"] = json_text.dumps(call.json), "application/json"
        async with self._session.request(
            call.method,
            url,
            data=data,
            headers=headers,
            timeout=aiohttp.ClientTimeout(
                total=None,
                connect=limits.connect_s,
                sock_connect=limits.connect_s,
                sock_read=limits.read_s,
            ),
            proxy=self._proxies[call.host],
            allow_redirects=False,
            middlewares=(_once,),
        ) as response:
            yield response


async def _once(
    request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType
) -> aiohttp.ClientResponse:
    """Keep the library from repeating a lost request by itself, past pace and count."""
    try:
        return await handler(request)
    except aiohttp.ClientConnectorError:
        raise  # is not repeated
    except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError):
        raise RequestFailed(_LOST_CONNECTION) from None


async def _reply(
    response: aiohttp.ClientResponse, call: Request, body_limit_bytes: int
) -> Response:
    headers = {name.lower(): value for name, value in response.headers.items()}
    if response.status not in call.accepts:
        setback = failure_of_status(response.status, headers)
        if setback.blame is Blame.NONE:
            setback.message = await _message(response, headers)
        raise setback
    _check_kind(response, call)
    if body_limit_bytes == 0:
        return Response(response.status, headers, b"")
    body = await _body(response, headers, body_limit_bytes)
    if response.status == HTTPStatus.OK and body[:64].lstrip()[:1] == b"<":
        raise RequestFailed(_WEB_PAGE)
    return Response(response.status, headers, body)


def _check_kind(response: aiohttp.ClientResponse, call: Request) -> None:
    """Refuse an answer whose Content-Type is not what was asked for."""
    kind = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if response.status != HTTPStatus.OK:
        return
    if kind in ("text/html", "application/xhtml+xml"):
        raise RequestFailed(_WEB_PAGE)
    if call.wants == "json" and kind != "application/json" and not kind.endswith("+json"):
        raise RequestFailed("an answer that is not JSON", is_worth_another=False)


async def _body(
    response: aiohttp.ClientResponse, headers: dict[str, str], limit_bytes: int
) -> bytes:
    chunks = response.content.iter_chunked(_CHUNK_BYTES)
    try:
        if (response.content_length or 0) > limit_bytes:
            raise BodyTooLarge
        return await read_body(chunks, headers.get("content-encoding", ""), limit_bytes)
    except BodyTooLarge:
        reason = f"an answer of more than {limit_bytes // 1_000_000} MB"
        raise RequestFailed(reason, is_worth_another=False) from None
    except BodyBroken:
        raise RequestFailed("a broken answer") from None


async def _message(response: aiohttp.ClientResponse, headers: dict[str, str]) -> str:
    """The server's own words in the JSON body of a refusal; empty where there are none."""
    try:
        answer = parse_json(await _body(response, headers, _ERROR_BODY_BYTES))
    except (RequestFailed, MalformedResponse, aiohttp.ClientError, TimeoutError):
        return ""
    plain = "".join(sign if sign.isprintable() else " " for sign in _words(answer))
    return " ".join(plain.split())[:_MESSAGE_LENGTH]


def _words(answer: object) -> str:
    """The first text at one of the places where the services explain themselves."""
    for _ in range(_MESSAGE_DEPTH):
        if isinstance(answer, list) and answer:
            answer = answer[0]
        elif isinstance(answer, dict):
            answer = next((answer[key] for key in _MESSAGE_KEYS if key in answer), None)
    return answer if isinstance(answer, str) else ""


@contextlib.contextmanager
def _in_words() -> Iterator[None]:
    """Say what went wrong below the answers."""
    try:
        yield
    except (aiohttp.ClientConnectorCertificateError, aiohttp.ClientSSLError) as problem:
        trusted = isinstance(problem, aiohttp.ClientConnectorCertificateError)
        reason = "its certificate is not trusted" if trusted else "no secure connection"
        raise RequestFailed(reason, is_worth_another=False, blame=Blame.CONNECTION) from None
    except aiohttp.ClientConnectorDNSError:
        raise RequestFailed("its name was not found", blame=Blame.CONNECTION) from None
    except aiohttp.ClientHttpProxyError as problem:
        raise RequestFailed(
            f"refused by the proxy ({problem.status})", blame=Blame.CONNECTION
        ) from None
    except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError):
        raise RequestFailed("no connection", blame=Blame.CONNECTION) from None
    except aiohttp.SocketTimeoutError:
        raise RequestFailed("no answer") from None
    except (aiohttp.ClientPayloadError, aiohttp.ClientResponseError):
        raise RequestFailed("a broken answer") from None
    except (aiohttp.ClientError, OSError):
        raise RequestFailed(_LOST_CONNECTION) from None


class RetryingRequest:
    """The attempts of one call.

    Attributes:
        attempts: Requests sent so far.
        last: Why the last of them brought nothing; None while nothing went wrong.
    """

    def __init__(  # noqa: PLR0913 - a call and all that limits it
        self,
        lane: HostLimiter,
        sender: Sender,
        policy: Policy,
        call: Request,
        url: URL,
        *,
        ends_at_s: float,
        chance: Callable[[], float],
    ) -> None:
        """Prepare a call.

        Args:
            lane: The way to its server.
            sender: Sends requests.
            policy: Limits.
            call: What is asked.
            url: Where.
            ends_at_s: When the run ends, on the clock of the lane.
            chance: Gives numbers from 0 to 1.
        """
        self.attempts = 0
        self.last: RequestFailed | None = None
        self._lane = lane
        self._sender = sender
        self._policy = policy
        self._call = call
        self._url = url
        self._ends_at_s = ends_at_s
        self._chance = chance
        self._spent_s = 0.0

    async def ask(self, on_sent: Callable[[int], None]) -> Response:
        """Send the call until it is answered or that is not worth it any more.

        Args:
            on_sent: Told the number of each attempt, from 1.

        Raises:
            Setback: it was not answered; ``words`` says why.
            Closed: the server is not asked now.
        """

        async def attempt() -> Response:
            async with self._lane.turn(self._ends_at_s):
                self.attempts += 1
                on_sent(self.attempts)
                return await self._attempt()

        retrying = AsyncRetrying(
            retry=retry_if_exception(self._is_worth_another),
            wait=self._wait_s,
            sleep=self._lane.sleep,
            reraise=True,
        )
        try:
            async with self._lane.place():
                reply: Response = await retrying(attempt)
        except RequestFailed as setback:
            self._note_lost(setback)
            raise
        self._lane.note_answer()
        return reply

    def note_out_of_time(self) -> None:
        """Note that the run's time ended before an answer came.

        That is the server's fault only where it was silent for long: runs may be short.
        """
        if self._spent_s >= self._lane.limits.total_s / 2:
            self._lane.note_lost("no answer")

    @property
    def words(self) -> str:
        """Why there is no answer."""
        if self.last is None:
            return ""
        if self.last.retry_after_s is not None and (
            pause := self._lane.reason_not_to_wait(self._ends_at_s)
        ):
            return pause
        if self._left_s <= 0:
            return f"no answer within {self._lane.limits.total_s:,.0f} s"
        if not self.last.is_worth_another:
            return self.last.reason
        return f"{self.last.reason} after {self.attempts} attempt{'s'[: self.attempts > 1]}"

    @property
    def _left_s(self) -> float:
        return self._lane.limits.total_s - self._spent_s

    async def _attempt(self) -> Response:
        lane, began_at_s = self._lane, self._lane.now_s
        try:
            return await self._sender.send(self._call, self._url, self._left_s)
        except RequestFailed as setback:
            self.last = setback
            if setback.retry_after_s is not None:
                lane.pause(setback.retry_after_s, setback.reason)
            if setback.blame is Blame.CONNECTION:
                lane.note_unconnected(setback.reason)
            else:
                lane.breaker.note_connected()
            raise
        finally:
            self._spent_s += lane.now_s - began_at_s

    def _note_lost(self, setback: RequestFailed) -> None:
        if setback.blame is Blame.NONE:
            self._lane.note_answer()
        else:
            self._lane.note_lost(self.words)

    def _is_worth_another(self, problem: BaseException) -> bool:
        return (
            isinstance(problem, RequestFailed)
            and problem.is_worth_another
            and self.attempts < self._lane.limits.attempts
            and self._left_s > 0
            and self._lane.reason_not_to_ask(self._ends_at_s) is None
        )

    def _wait_s(self, state: RetryCallState) -> float:
        """Full jitter: anything from nothing to an ever longer wait."""
        policy = self._policy
        longest = wait_exponential(multiplier=policy.first_wait_s, max=policy.longest_wait_s)
        return self._chance() * longest(state)
