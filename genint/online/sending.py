"""One attempt of a call: a request, and its answer read to the end or why there is none."""

from __future__ import annotations

import asyncio
import contextlib
import json as json_text
from collections.abc import AsyncIterator, Iterator, Mapping
from http import HTTPStatus

import aiohttp
from yarl import URL

from genint.online.bodies import parse_json
from genint.online.hosts import Policy
from genint.online.inflating import BodyBroken, BodyTooLarge, read_body
from genint.online.ports import Call, Host, MalformedAnswer, Reply
from genint.online.setbacks import Blame, Setback, setback_of_status

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
        self, call: Call, url: URL, left_s: float, *, is_body_read: bool = True
    ) -> Reply:
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
            raise Setback("no answer") from None

    @contextlib.asynccontextmanager
    async def _asked(self, call: Call, url: URL) -> AsyncIterator[aiohttp.ClientResponse]:
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
        raise Setback(_LOST_CONNECTION) from None


async def _reply(response: aiohttp.ClientResponse, call: Call, body_limit_bytes: int) -> Reply:
    headers = {name.lower(): value for name, value in response.headers.items()}
    if response.status not in call.accepts:
        setback = setback_of_status(response.status, headers)
        if setback.blame is Blame.NONE:
            setback.message = await _message(response, headers)
        raise setback
    _check_kind(response, call)
    if body_limit_bytes == 0:
        return Reply(response.status, headers, b"")
    body = await _body(response, headers, body_limit_bytes)
    if response.status == HTTPStatus.OK and body[:64].lstrip()[:1] == b"<":
        raise Setback(_WEB_PAGE)
    return Reply(response.status, headers, body)


def _check_kind(response: aiohttp.ClientResponse, call: Call) -> None:
    """Refuse an answer whose Content-Type is not what was asked for."""
    kind = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if response.status != HTTPStatus.OK:
        return
    if kind in ("text/html", "application/xhtml+xml"):
        raise Setback(_WEB_PAGE)
    if call.wants == "json" and kind != "application/json" and not kind.endswith("+json"):
        raise Setback("an answer that is not JSON", is_worth_another=False)


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
        raise Setback(reason, is_worth_another=False) from None
    except BodyBroken:
        raise Setback("a broken answer") from None


async def _message(response: aiohttp.ClientResponse, headers: dict[str, str]) -> str:
    """The server's own words in the JSON body of a refusal; empty where there are none."""
    try:
        answer = parse_json(await _body(response, headers, _ERROR_BODY_BYTES))
    except (Setback, MalformedAnswer, aiohttp.ClientError, TimeoutError):
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
        raise Setback(reason, is_worth_another=False, blame=Blame.CONNECTION) from None
    except aiohttp.ClientConnectorDNSError:
        raise Setback("its name was not found", blame=Blame.CONNECTION) from None
    except aiohttp.ClientHttpProxyError as problem:
        raise Setback(f"refused by the proxy ({problem.status})", blame=Blame.CONNECTION) from None
    except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError):
        raise Setback("no connection", blame=Blame.CONNECTION) from None
    except aiohttp.SocketTimeoutError:
        raise Setback("no answer") from None
    except (aiohttp.ClientPayloadError, aiohttp.ClientResponseError):
        raise Setback("a broken answer") from None
    except (aiohttp.ClientError, OSError):
        raise Setback(_LOST_CONNECTION) from None
