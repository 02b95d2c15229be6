"""Faults in what is answered: each function gives one, for :meth:`Services.misbehave`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from aiohttp import web

from .faults import Fault, Proceed
from .replies import as_json
from .world import Json

BUSY = (
    "Too Many Requests: We are currently experiencing a lot of API requests, and are unable to "
    "process your request at the moment. Please try again in a few minutes. If this error "
    "persists please contact us through uniprot.org/contact"
)
OUTAGE_PAGE = (
    '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">'
    "<html><head><title>Service Unavailable</title></head><body><h2>Service Unavailable</h2>"
    "<p>The service is temporarily unavailable. Please try again later.</p></body></html>"
)


def good() -> Fault:
    """No fault: for a place in a list of them."""

    async def answer(_request: web.Request, proceed: Proceed) -> web.StreamResponse:
        return await proceed()

    return answer


def too_many_requests(retry_after: int | str | None = None) -> Fault:
    """429 as UniProt says it; ``retry_after``: seconds, an HTTP date, or anything else."""
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}

    async def answer(request: web.Request, _proceed: Proceed) -> web.StreamResponse:
        body = {"url": str(request.url.with_query(None)), "messages": [BUSY]}
        return as_json(body, 429, {**headers, "Cache-Control": "no-cache"})  # type: ignore[arg-type]

    return answer


def status(code: int, body: Json = None, retry_after: int | str | None = None) -> Fault:
    """A bare status (408, 404, 500, ...), with a JSON body where one is given."""
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}

    async def answer(_request: web.Request, _proceed: Proceed) -> web.StreamResponse:
        if body is None:
            return web.Response(status=code, headers=headers)
        return as_json(body, code, headers)  # type: ignore[arg-type]

    return answer


def outage_page(code: int = 503, retry_after: int | str | None = None) -> Fault:
    """What a load balancer shows: HTML, of 503 or whatever it thinks right (even 200)."""
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}

    async def answer(_request: web.Request, _proceed: Proceed) -> web.StreamResponse:
        return web.Response(
            status=code, text=OUTAGE_PAGE, content_type="text/html", headers=headers
        )

    return answer


def no_content() -> Fault:
    """204, as InterPro's other API says that there is nothing."""
    return status(204)


def redirect(location: str, code: int = 302) -> Fault:
    """Away to somewhere else: ``services.canary_url`` counts who comes."""

    async def answer(_request: web.Request, _proceed: Proceed) -> web.StreamResponse:
        return web.Response(status=code, headers={"Location": location})

    return answer


def _changed(change: Callable[[web.Response], web.Response]) -> Fault:
    async def answer(_request: web.Request, proceed: Proceed) -> web.StreamResponse:
        response = await proceed()
        assert isinstance(response, web.Response)
        return change(response)

    return answer


def content_type(written: str | None) -> Fault:
    """The right body under another Content-Type, or under none."""

    def change(response: web.Response) -> web.Response:
        headers = response.headers.copy()
        headers.pop("Content-Type", None)
        if written is not None:
            headers["Content-Type"] = written
        # without a type aiohttp would write application/octet-stream
        made = web.Response(body=response.body, status=response.status, headers=headers)
        return made

    return _changed(change)


def cut_json(share: float = 0.5) -> Fault:
    """A whole HTTP answer whose JSON ends early."""

    def change(response: web.Response) -> web.Response:
        assert isinstance(response.body, bytes)
        response.body = response.body[: int(len(response.body) * share)]
        return response

    return _changed(change)


def rewritten(change: Callable[[Json], Json]) -> Fault:
    """Its JSON changed by a function: keys left out, other types."""

    def changed(response: web.Response) -> web.Response:
        assert isinstance(response.body, bytes)
        value = change(json.loads(response.body))
        response.body = json.dumps(value, separators=(",", ":")).encode()
        return response

    return _changed(changed)


def without(*keys: str) -> Fault:
    """Those keys left out wherever they stand."""
    return rewritten(lambda value: _each(value, lambda _key, one: one, set(keys)))


def with_value(key: str, value: Json) -> Fault:
    """Another value behind that key, wherever it stands."""
    return rewritten(
        lambda whole: _each(whole, lambda name, one: value if name == key else one, set())
    )


def _each(value: Json, change: Callable[[str, Json], Json], dropped: set[str]) -> Json:
    if isinstance(value, list):
        return [_each(one, change, dropped) for one in value]
    if isinstance(value, dict):
        return {
            key: _each(change(key, one), change, dropped)
            for key, one in value.items()
            if key not in dropped
        }
    return value


def text_replaced(pattern: str, replacement: str) -> Fault:
    r"""The text of the body changed: ``(r'"evalue":[^,}]+', '"evalue":NaN')``."""

    def change(response: web.Response) -> web.Response:
        assert isinstance(response.body, bytes)
        response.body = re.sub(pattern, replacement, response.body.decode()).encode()
        return response

    return _changed(change)


def body(text: str | bytes, kind: str = "application/json", code: int = 200) -> Fault:
    """This body instead."""
    raw = text.encode() if isinstance(text, str) else text

    async def answer(_request: web.Request, _proceed: Proceed) -> web.StreamResponse:
        return web.Response(body=raw, status=code, headers={"Content-Type": kind})

    return answer


def deep_json(depth: int = 1_000_000) -> Fault:
    """Arrays in arrays, closed properly."""
    return body("[" * depth + "]" * depth)


def nan() -> Fault:
    """NaN and Infinity for E-values and scores."""
    return text_replaced(r'"(evalue|score)":[^,}\]]+', r'"\1":NaN')


def huge_numbers(digits: int = 100_000) -> Fault:
    """Whole numbers of many digits for places and lengths."""
    return text_replaced(r'"(start|end|length|taxonId)":\d+', rf'"\1":{"9" * digits}')


def repeated_keys() -> Fault:
    """Keys twice in one object, first with a wrong value."""
    return text_replaced(r'"(found|md5|primaryAccession|upi)":', r'"\1":"twice","\1":')


def foreign_next(address: str) -> Fault:
    """The page as it is, whose ``next`` leads elsewhere: such as ``services.canary_url``."""

    def change(response: web.Response) -> web.Response:
        response.headers["Link"] = f'<{address}/uniprotkb/search?cursor=1>; rel="next"'
        return response

    return _changed(change)


def same_next() -> Fault:
    """A ``next`` that leads to the page itself, again and again."""

    async def answer(request: web.Request, proceed: Proceed) -> web.StreamResponse:
        response = await proceed()
        response.headers["Link"] = f'<{request.url}>; rel="next"'
        return response

    return answer


def header(name: str, value: str) -> Fault:
    """Another value of a header, such as ``X-UniProt-Release``."""

    def change(response: web.Response) -> web.Response:
        response.headers[name] = value
        return response

    return _changed(change)
