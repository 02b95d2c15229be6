"""What happens to every request: an id, a line in the log, errors as JSON, headers."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from http import HTTPStatus
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final
from uuid import uuid4

from aiohttp import web

from genint.errors import (
    BusyError,
    GenintError,
    InvalidRequest,
    NotAuthenticated,
    RequestError,
    TooManyRequests,
    UnsupportedUpload,
)
from genint.service.compression import is_text
from genint.service.endpoint import CLIENT_ADDRESS, REQUEST_ID, SERVICE, USER
from genint.service.sessions import NEW_COOKIE

_METHODS: Final = "GET, POST, DELETE"
_HEADERS: Final = "Authorization, Content-Type, Idempotency-Key, X-API-Key, X-Request-ID"
_EXPOSED: Final = "Content-Disposition, ETag, Retry-After, X-Request-ID"
_PREFLIGHT_VALID_S: Final = "600"


def is_preflight(method: str, headers: Mapping[str, str]) -> bool:
    """Whether a browser checks what it may do, before it does it."""
    return (
        method == "OPTIONS" and "Origin" in headers and "Access-Control-Request-Method" in headers
    )


def cors_headers(origins: tuple[str, ...], origin: str | None) -> dict[str, str]:
    """Headers of every answer: an origin is named only where it is on the list, exactly."""
    allowed = {"Access-Control-Allow-Origin": origin} if origin in origins and origin else {}
    return {"Vary": "Origin"} | allowed | {"Access-Control-Expose-Headers": _EXPOSED}


def preflight_headers() -> dict[str, str]:
    """What a preflight is answered besides."""
    return {
        "Access-Control-Allow-Methods": _METHODS,
        "Access-Control-Allow-Headers": _HEADERS,
        "Access-Control-Max-Age": _PREFLIGHT_VALID_S,
    }


_Networks = Iterable[IPv4Network | IPv6Network]


def client_address(peer: str | None, forwarded: Iterable[str], trusted: _Networks) -> str:
    """Where a request comes from, as far as that can be trusted.

    Args:
        peer: The other end of the connection.
        forwarded: Its headers ``X-Forwarded-For``, to which each proxy adds the address that
            it was asked from.
        trusted: Networks of proxies.

    Returns:
        The last address that no trusted proxy has; what is left of it anybody can write. Empty
        where nothing is known.
    """
    networks = tuple(trusted)
    found = peer or ""
    hops = [hop.strip() for header in forwarded for hop in header.split(",")]
    while hops and _is_in(found, networks):
        hop = hops.pop()
        if _address(hop) is None:
            break
        found = hop
    address = _address(found)
    return found if address is None else str(address)


def _is_in(text: str, networks: _Networks) -> bool:
    address = _address(text)
    return address is not None and any(address in network for network in networks)


def _address(text: str) -> IPv4Address | IPv6Address | None:
    """An address, that of IPv4 also where it is written as one of IPv6."""
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


_GIVEN_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
_LONGEST_LOGGED: Final = 300
_CLIENT_LEFT: Final = 499
"""The client, or the service, went away before the answer; known from nginx."""
_BODY_UNWANTED: Final = frozenset(
    {
        HTTPStatus.REQUEST_TIMEOUT,
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        HTTPStatus.TOO_MANY_REQUESTS,
        HTTPStatus.INSUFFICIENT_STORAGE,
    }
)
"""Answers that may come before the body was read, and close the connection."""
_LOG = logging.getLogger("genint.service")

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@web.middleware
async def error_middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
    """The outermost layer: whatever happens inside, a JSON answer and a log line."""
    given = request.headers.get("X-Request-ID", "")
    request[REQUEST_ID] = given if _GIVEN_ID.fullmatch(given) else uuid4().hex
    request[CLIENT_ADDRESS] = client_address(
        request.remote,
        request.headers.getall("X-Forwarded-For", ()),
        request.app[SERVICE].settings.trusted_proxies,
    )
    began = time.perf_counter()
    status: int = HTTPStatus.INTERNAL_SERVER_ERROR
    try:
        response = await _respond(request, handler)
        status = response.status
        return response
    except asyncio.CancelledError:
        status = _CLIENT_LEFT
        raise
    finally:
        seconds = time.perf_counter() - began
        request.app[SERVICE].metrics.request(request, status, seconds)
        _log_request(request, status, seconds)


async def _respond(request: web.Request, handler: Handler) -> web.StreamResponse:
    try:
        return await _handle(request, handler)
    except web.HTTPException as problem:
        return _http_problem(problem)
    except Exception as problem:  # noqa: BLE001 - whatever it is, the service goes on
        return _error_response(problem, request)


async def _handle(request: web.Request, handler: Handler) -> web.StreamResponse:
    if is_preflight(request.method, request.headers):
        return web.Response(status=HTTPStatus.NO_CONTENT, headers=preflight_headers())
    if request.headers.get("Content-Encoding", "identity").lower() != "identity":
        raise UnsupportedUpload("Content-Encoding is not supported; send the body as it is")
    return await handler(request)


def _error_response(problem: Exception, request: web.Request) -> web.Response:
    """The answer to an error."""
    match problem:
        case BusyError() | RequestError():
            return _own_problem(problem, request)
        case GenintError() if problem.http_status < HTTPStatus.INTERNAL_SERVER_ERROR:
            return _own_problem(problem, request)
        case ConnectionError() if request.transport is None or request.transport.is_closing():
            return web.Response(status=_CLIENT_LEFT)  # for the log: no client is left to answer
    return _internal_error(request)


def _internal_error(request: web.Request) -> web.Response:
    """The answer to a fault of ours; its text never leaves the process."""
    extra = {"event": "error", "request_id": request[REQUEST_ID]}
    _LOG.exception("a request failed", extra=extra)
    return _problem(HTTPStatus.INTERNAL_SERVER_ERROR, "Internal Server Error")


def _http_problem(problem: web.HTTPException) -> web.Response:
    """Errors of the framework (no such path, wrong method, too large) in our form."""
    kept = {
        name: problem.headers[name] for name in ("Allow", "Location") if name in problem.headers
    }
    texts = {404: "Not Found", 405: "Method Not Allowed", 413: "The body is too large"}
    return _problem(problem.status, texts.get(problem.status, problem.reason), kept)


def _own_problem(problem: GenintError, request: web.Request) -> web.Response:
    match problem:
        case InvalidRequest(values=values):
            detail = [
                {"loc": list(value.location), "msg": value.message, "type": value.kind}
                for value in values
            ]
            return _problem(problem.http_status, detail)
        case NotAuthenticated(was_given=was_given):
            challenge = 'Bearer error="invalid_token"' if was_given else "Bearer"
            return _problem(problem.http_status, str(problem), {"WWW-Authenticate": challenge})
        case BusyError(retry_after_s=seconds):
            _LOG.warning("%s", problem, extra={"event": "busy", "request_id": request[REQUEST_ID]})
            text = "The service is busy or its database is away; try again"
            return _problem(problem.http_status, text, {"Retry-After": str(seconds)})
        case TooManyRequests(retry_after_s=seconds):
            return _problem(problem.http_status, str(problem), {"Retry-After": str(seconds)})
    return _problem(problem.http_status, str(problem))


def _problem(status: int, detail: object, headers: dict[str, str] | None = None) -> web.Response:
    body = json.dumps({"detail": detail}).encode()
    response = web.Response(
        body=body, status=status, headers=headers, content_type="application/json"
    )
    if status in _BODY_UNWANTED:
        response.force_close()
    return response


async def finish_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Headers of every answer, errors too; a signal handler of aiohttp."""
    headers = response.headers
    headers.update(
        cors_headers(request.app[SERVICE].settings.cors_origins, request.headers.get("Origin"))
    )
    if is_text(response.content_type):
        headers["Vary"] = "Origin, Accept-Encoding"
    headers["X-Request-ID"] = request.get(REQUEST_ID, "")
    if NEW_COOKIE in request:
        headers.add("Set-Cookie", request[NEW_COOKIE])
    headers["X-Content-Type-Options"] = "nosniff"
    headers.setdefault("Cache-Control", "no-store")
    headers.setdefault("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
    headers["Server"] = "genint"


def _log_request(request: web.Request, status: int, seconds: float) -> None:
    """One line a request: no query, no body, no credential in it."""
    _LOG.info(
        "request",
        extra={
            "event": "request",
            "request_id": request[REQUEST_ID],
            "method": request.method,
            "path": request.path[:_LONGEST_LOGGED],
            "status": status,
            "ms": round(seconds * 1000, 2),
            "user_id": request.get(USER),
            "remote": request.get(CLIENT_ADDRESS),
        },
    )
