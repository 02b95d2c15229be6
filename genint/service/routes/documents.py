"""The OpenAPI document, its two readers, and the web page."""

from __future__ import annotations

from http import HTTPStatus

from aiohttp import web

from genint.errors import NotFound
from genint.service.endpoint import Call, Endpoint
from genint.service.pages import Page, find_page

_HTML = ("text/html",)
_PAGES = ("/", "/app", "/docs", "/redoc")


async def openapi(call: Call) -> web.Response:
    """The document that describes this service."""
    return web.Response(body=call.service.openapi, content_type="application/json")


async def page(call: Call) -> web.Response:
    """A page that needs nothing from any other host."""
    return _served(call, find_page(call.request.path))


async def static(call: Call) -> web.Response:
    """A script or style of a page."""
    return _served(call, find_page(call.request.path))


def _served(call: Call, found: Page | None) -> web.Response:
    if found is None:
        raise NotFound("Not Found")
    headers = {"ETag": found.etag, "Cache-Control": "no-cache"}
    if found.policy:
        headers["Content-Security-Policy"] = found.policy
    if found.etag in call.request.headers.get("If-None-Match", ""):
        return web.Response(status=HTTPStatus.NOT_MODIFIED, headers=headers)
    return web.Response(body=found.content, headers=headers | {"Content-Type": found.content_type})


ENDPOINTS = (
    Endpoint("GET", "/openapi.json", openapi, "This document", "pages"),
    *(Endpoint("GET", path, page, "A page", "pages", media_types=_HTML) for path in _PAGES),
    Endpoint("GET", "/static/{name:.+}", static, "A file of a page", "pages"),
)
