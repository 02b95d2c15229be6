"""Answers in the forms of the real servers: headers, error bodies, pages."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from urllib.parse import quote, urlencode

from aiohttp import web
from multidict import CIMultiDict

from .world import Json, Release

_ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz"
_MOST_RESULTS = 500
_WORTH_PACKING = 1_000


class Refused(Exception):
    """A 4xx of UniProt: its status and its words."""

    def __init__(self, status: int, *messages: str) -> None:
        super().__init__(*messages)
        self.status = status
        self.messages = list(messages)


def uniprot_headers(release: Release, *, cacheable: bool = True) -> CIMultiDict[str]:
    """Of every answer of UniProt."""
    return CIMultiDict(
        {
            "X-UniProt-Release": release.version,
            "X-UniProt-Release-Date": release.date,
            "X-API-Deployment-Date": "21-October-2026",
            "Access-Control-Allow-Origin": "*",
            "Vary": "Accept, Accept-Encoding, X-UniProt-Release, X-API-Deployment-Date",
            "Cache-Control": "public, max-age=86400" if cacheable else "no-cache",
        }
    )


def as_json(
    value: Json, status: int = 200, headers: CIMultiDict[str] | None = None
) -> web.Response:
    """A body of JSON without blanks."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return web.Response(
        body=text.encode(), status=status, headers=headers, content_type="application/json"
    )


def refusal(request: web.Request, problem: Refused, release: Release) -> web.Response:
    """As UniProt says no."""
    body = {"url": str(request.url.with_query(None)), "messages": problem.messages}
    headers = uniprot_headers(release, cacheable=problem.status not in (429, 500))
    return as_json(body, problem.status, headers)


def packed(request: web.Request, response: web.Response) -> web.Response:
    """Gzipped where the client reads that and it is worth it."""
    body = response.body
    if (
        isinstance(body, bytes)
        and len(body) > _WORTH_PACKING
        and "gzip" in request.headers.get("Accept-Encoding", "")
        and "Content-Encoding" not in response.headers
    ):
        response.body = gzip.compress(body, 1)
        response.headers["Content-Encoding"] = "gzip"
    return response


def size_of(request: web.Request, default: int = 25) -> int:
    """``size`` of a query.

    Raises:
        Refused: it is not 0 to 500.
    """
    written = request.query.get("size", str(default))
    try:
        size = int(written)
    except ValueError:
        raise Refused(400, f"Invalid value '{written}' for 'size'") from None
    if size < 0:
        raise Refused(400, "'size' must be greater than or equal to 0")
    if size > _MOST_RESULTS:
        raise Refused(400, f"'size' must be less than or equal to {_MOST_RESULTS}")
    return size


def cursor_of(offset: int) -> str:
    """A cursor is base 36 of ``offset,something of the index``."""
    number = int.from_bytes(f"{offset},AoE/BmFjYw==".encode())
    digits = []
    while number:
        number, digit = divmod(number, 36)
        digits.append(_ALPHABET[digit])
    return "".join(reversed(digits))


def offset_of(request: web.Request) -> int:
    """Where the page of a query begins.

    Raises:
        Refused: its cursor is none.
    """
    cursor = request.query.get("cursor")
    if cursor is None:
        return 0
    try:
        number = int(cursor, 36)
        text = number.to_bytes((number.bit_length() + 7) // 8).decode("ascii")
        return int(text.split(",")[0])
    except ValueError:
        raise Refused(400, f"Invalid cursor value '{cursor}'") from None


def _next(request: web.Request, offset: int, size: int) -> str:
    """Written out as the real one is: colons and commas encoded, cursor and size last."""
    kept = {key: value for key, value in request.query.items() if key not in ("cursor", "size")}
    query = urlencode({**kept, "cursor": cursor_of(offset), "size": size}, quote_via=quote, safe="")
    return f"{request.url.origin()}{request.path}?{query}"


def page(
    request: web.Request, everything: Sequence[Json], size: int, release: Release
) -> tuple[Sequence[Json], CIMultiDict[str]]:
    """One page of results, and the headers that go with it."""
    offset = offset_of(request)
    headers = uniprot_headers(release)
    headers["X-Total-Results"] = str(len(everything))
    if size and offset + size < len(everything):
        headers["Link"] = f'<{_next(request, offset + size, size)}>; rel="next"'
    return everything[offset : offset + size], headers
