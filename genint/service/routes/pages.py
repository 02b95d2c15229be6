"""The OpenAPI document, its two readers, and the web page."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from aiohttp import web

from genint.errors import NotFound
from genint.service.endpoint import Call, Endpoint
from genint.service.schemas import Health, WorkerStatus

_FOLDER: Final = Path(__file__).parent.parent / "pages"
_TYPES: Final = MappingProxyType(
    {
        ".html": "text/html; charset=utf-8",
        ".js": "text/javascript; charset=utf-8",
        ".css": "text/css; charset=utf-8",
        ".svg": "image/svg+xml",
    }
)
_CLOSED: Final = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "script-src 'self'; connect-src 'self'"
)
"""What all pages share: scripts and data of this host alone, and none inside the page."""
_EMPTY_STYLE: Final = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
"""Digest of no text at all."""
_SCROLLBAR_STYLE: Final = "'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='"
"""Digest of the one style element that Redoc fills with text, for its scroll bar."""

APP_POLICY: Final = (
    f"{_CLOSED}; style-src 'self'; img-src 'self'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
"""The page for users: no text can become markup, not even by a mistake in its scripts."""

DOCS_POLICY: Final = f"{_CLOSED}; style-src 'self'; img-src 'self' data:"
"""Swagger UI: its style sheet has its icons as data."""

REDOC_POLICY: Final = (
    f"{_CLOSED}; style-src 'self' {_EMPTY_STYLE} {_SCROLLBAR_STYLE}; "
    "img-src 'self' data:; worker-src blob:"
)
"""Redoc puts its rules into style elements that it creates empty, so no other is allowed but one
of known text; its search runs in a worker that it makes from its own script."""

_REDOC_LOGO: Final = b'"https://cdn.redoc.ly/redoc/logo-mini.svg"'
_NO_LOGO: Final = b"\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E\""
"""Redoc shows a logo from another host below its menu. Nobody's reading of these pages is
anybody else's business, and the pages have to work without a network: it becomes empty."""


class Page(NamedTuple):
    """A file as it is served.

    Attributes:
        content: Its bytes.
        content_type: With the character set, where there is one.
        etag: Quoted, of the content and the policy.
        policy: Content-Security-Policy; None for what is no document.
    """

    content: bytes
    content_type: str
    etag: str
    policy: str | None


def find_page(path: str) -> Page | None:
    """The file at a path of the service, such as ``/app`` or ``/static/app.js``."""
    return _PAGES.get(path)


def _load() -> Mapping[str, Page]:
    documents = {
        "/": ("app.html", APP_POLICY),
        "/app": ("app.html", APP_POLICY),
        "/docs": ("docs.html", DOCS_POLICY),
        "/redoc": ("redoc.html", REDOC_POLICY),
    }
    found = {path: _page(_FOLDER / name, policy) for path, (name, policy) in documents.items()}
    for folder in ("static", "vendor/swagger-ui-dist", "vendor/redoc"):
        for file in sorted((_FOLDER / folder).iterdir()):
            if file.suffix in _TYPES:
                found[f"/static/{file.name}"] = _page(file, None)
    return MappingProxyType(found)


def _page(file: Path, policy: str | None) -> Page:
    content = file.read_bytes().replace(_REDOC_LOGO, _NO_LOGO)
    digest = hashlib.sha256(content + (policy or "").encode()).hexdigest()
    return Page(content, _TYPES[file.suffix], f'"{digest[:32]}"', policy)


_PAGES: Final = _load()
"""Read with the import, 3 MB: at the first request it would hold up all others."""


__all__ = ["Page", "find_page"]


async def health(call: Call) -> Health:
    """The process lives; says nothing of the database, so that it is not restarted for it."""
    del call
    return Health()


async def worker_status(call: Call) -> WorkerStatus:
    """Whether a worker lives; answers within a second whatever else is down."""
    return WorkerStatus(online=await call.service.has_workers())


STATUS_ENDPOINTS = (
    Endpoint("GET", "/api/v1/health", health, "Whether the service lives", "status"),
    Endpoint("GET", "/api/v1/worker/status", worker_status, "Whether a worker lives", "status"),
)


_HTML = ("text/html",)
_PAGE_PATHS = ("/", "/app", "/docs", "/redoc")


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
    *(Endpoint("GET", path, page, "A page", "pages", media_types=_HTML) for path in _PAGE_PATHS),
    Endpoint("GET", "/static/{name:.+}", static, "A file of a page", "pages"),
)
