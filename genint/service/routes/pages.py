"""The web page, the OpenAPI document and its two readers, and whether the service lives."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

import aiofiles
import aiohttp_jinja2
import jinja2
from aiohttp import web

from genint.errors import NotFound, NotReady
from genint.report.formats import FORMATS
from genint.report.page.render import HTML_POLICY
from genint.service.compression import wants_gzip
from genint.service.endpoint import Call, Endpoint
from genint.service.results import has_current, send
from genint.service.routes.jobs import GUEST_BASES
from genint.service.schemas import Health, Ready, WorkerStatus
from genint.settings import Settings
from genint.version import __version__

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

VIEWER_POLICY: Final = APP_POLICY.replace("connect-src 'self'", "connect-src 'none'")
"""The page that shows a file of the user's may send nothing to anybody, not even to this host."""

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
"""Redoc shows a logo from another host below its menu, which would learn who reads the pages;
and they have to work without a network: it becomes empty."""


class Page(NamedTuple):
    """A template and what it is rendered with.

    Attributes:
        template: Its file name.
        policy: Content-Security-Policy.
        values: Of the template's variables.
    """

    template: str
    policy: str
    values: Mapping[str, object] = MappingProxyType({})


_SHOWN_NAMES: Final = MappingProxyType(
    {
        "md": "Markdown",
        "json": "JSON",
        "tsv": "TSV",
        "tsv-short": "TSV, short",
        "xlsx": "Excel",
        "summary": "Summary",
        "audit": "Audit",
        "gff3": "GFF3",
        "gff3-fasta": "GFF3 with sequences",
        "faa": "Proteins",
        "ffn": "Genes",
        "fna": "Bases",
        "tbl": "Feature table",
        "notes": "Gene notes",
        "dark-fasta": "FASTA of dark proteins",
        "gbk": "GenBank",
        "embl": "EMBL",
        "html": "HTML",
    }
)
"""Names of formats on buttons; one without a name here has that of the interface."""
_FILES: Final = tuple(
    (item.name, _SHOWN_NAMES.get(item.name, item.name), item.title) for item in FORMATS.values()
)
_APP: Final = Page("app.html", APP_POLICY, MappingProxyType({"files": _FILES}))
CITATION: Final = "genint: calibrated, evidence-based interpretation of phage and bacterial genes"
PAGES: Final = MappingProxyType(
    {
        "/": Page("landing.html", APP_POLICY, MappingProxyType({"citation": CITATION})),
        "/app": _APP,
        "/viewer": Page("viewer.html", VIEWER_POLICY),
        "/account": Page("account.html", APP_POLICY),
        "/forgot-password": Page("forgot.html", APP_POLICY),
        "/reset-password": Page("reset.html", APP_POLICY),
        "/docs": Page(
            "reader.html",
            DOCS_POLICY,
            {"style": "swagger-ui.css", "library": "swagger-ui-bundle.js", "script": "docs.js"},
        ),
        "/redoc": Page(
            "reader.html",
            REDOC_POLICY,
            {"style": "redoc.css", "library": "redoc.standalone.js", "script": "redoc.js"},
        ),
    }
)
"""By path."""


class Asset(NamedTuple):
    """A script, style or picture of a page.

    Attributes:
        file: Its path.
        content_type: With the character set, where there is one.
        etag: Quoted, of the content.
    """

    file: Path
    content_type: str
    etag: str


def _assets() -> Mapping[str, Asset]:
    folders = [_FOLDER / name for name in ("static", "vendor/swagger-ui-dist", "vendor/redoc")]
    files = [file for folder in folders for file in folder.iterdir() if file.suffix in _TYPES]
    return MappingProxyType(
        {
            f"/static/{file.name}": Asset(
                file, _TYPES[file.suffix], _etag(_without_logo(file.read_bytes()))
            )
            for file in files
        }
    )


def _without_logo(content: bytes) -> bytes:
    return content.replace(_REDOC_LOGO, _NO_LOGO)


def _etag(content: bytes, policy: str = "") -> str:
    return f'"{hashlib.sha256(content + policy.encode()).hexdigest()[:32]}"'


ASSETS: Final = _assets()
"""By path such as ``/static/app.js``."""


_AGAIN_S: Final = 3
"""When a page that waits for the example report loads itself again."""


def set_up_templates(app: web.Application) -> None:
    """Have the pages of an application rendered from the templates beside their scripts."""
    loader = jinja2.FileSystemLoader(_FOLDER)
    aiohttp_jinja2.setup(app, loader=loader, keep_trailing_newline=True, auto_reload=False)


async def openapi(call: Call) -> web.StreamResponse:
    """The document that describes this service."""
    document = await asyncio.to_thread(call.service.openapi)
    return await _sent(call, "openapi", document, {"Content-Type": "application/json"})


async def _sent(
    call: Call, key: str, content: bytes, headers: Mapping[str, str]
) -> web.StreamResponse:
    """The same for everybody, and so compressed once."""
    packed = None
    if wants_gzip(call.request, headers["Content-Type"], len(content)):
        packed = await call.service.results.packed(key, content)
    return await send(call.request, content, headers=headers, packed=packed)


async def page(call: Call) -> web.StreamResponse:
    """A page that needs nothing from any other host."""
    found = PAGES[call.request.path]
    values = {**found.values, **_about(call.service.settings)}
    html = aiohttp_jinja2.render_string(found.template, call.request, values).encode()
    headers = {
        "ETag": _etag(html, found.policy),
        "Cache-Control": "no-cache",
        "Content-Security-Policy": found.policy,
    }
    if has_current(call.request, headers["ETag"]):
        return web.Response(status=HTTPStatus.NOT_MODIFIED, headers=headers)
    return await _sent(call, headers["ETag"], html, headers | {"Content-Type": _TYPES[".html"]})


def _about(settings: Settings) -> dict[str, object]:
    """What pages say about the service."""
    return {
        "version": __version__,
        "public_reports": settings.public_reports,
        "guests": settings.guests,
        "guest_bases": f"{GUEST_BASES:,}",
        "max_bases": f"{settings.max_bases:,}",
        "max_upload_mb": f"{settings.max_upload_bytes / 1e6:,.0f}",
        "max_stored_mb": f"{settings.max_stored_bytes_per_user / 1e6:,.0f}",
        "max_pending": f"{settings.max_pending_per_user:,}",
        "retention_days": settings.retention_days,
    }


async def example(call: Call) -> web.StreamResponse:
    """The report of phage lambda, as this version makes it.

    Until it is made for the first time, a page (202) that loads itself again.
    """
    html = await call.service.example.html()
    if html is None:
        return await _example_to_come(call)
    policy = f"{HTML_POLICY}; frame-ancestors 'none'"
    headers = {
        "ETag": _etag(html, policy),
        "Cache-Control": "no-cache",
        "Content-Security-Policy": policy,
        "Referrer-Policy": "no-referrer",
    }
    if has_current(call.request, headers["ETag"]):
        return web.Response(status=HTTPStatus.NOT_MODIFIED, headers=headers)
    return await _sent(call, headers["ETag"], html, headers | {"Content-Type": _TYPES[".html"]})


async def _example_to_come(call: Call) -> web.StreamResponse:
    html = aiohttp_jinja2.render_string("coming.html", call.request, {}).encode()
    seconds = str(_AGAIN_S)
    return web.Response(
        body=html,
        status=HTTPStatus.ACCEPTED,  # no failure, which would raise alarms; nor the report
        headers={
            "Content-Type": _TYPES[".html"],
            "Content-Security-Policy": APP_POLICY,
            "Refresh": seconds,
            "Retry-After": seconds,
        },
    )


async def static(call: Call) -> web.StreamResponse:
    """A script or style of a page."""
    asset = ASSETS.get(call.request.path)
    if asset is None:
        raise NotFound("Not Found")
    headers = {"ETag": asset.etag, "Cache-Control": "no-cache"}
    if has_current(call.request, asset.etag):
        return web.Response(status=HTTPStatus.NOT_MODIFIED, headers=headers)
    async with aiofiles.open(asset.file, "rb") as file:
        content = _without_logo(await file.read())
    return await _sent(call, asset.etag, content, headers | {"Content-Type": asset.content_type})


async def health(call: Call) -> Health:
    """The process lives; says nothing of the database, so that it is not restarted for it."""
    del call
    return Health()


async def ready(call: Call) -> Ready:
    """Whether the service can do its work: database, disk and workers are fine."""
    faults = await call.service.faults()
    if faults:
        raise NotReady("; ".join(faults))
    return Ready()


async def worker_status(call: Call) -> WorkerStatus:
    """Whether a worker lives; answers within a second whatever else is down."""
    return WorkerStatus(online=await call.service.has_workers())


STATUS_ENDPOINTS = (
    Endpoint("GET", "/api/v1/health", health, "Whether the service lives", "status"),
    Endpoint(
        "GET",
        "/api/v1/ready",
        ready,
        "Whether the service can do its work",
        "status",
        errors={503: "Something that the service needs fails; says what"},
    ),
    Endpoint("GET", "/api/v1/worker/status", worker_status, "Whether a worker lives", "status"),
)
ENDPOINTS = (
    Endpoint("GET", "/openapi.json", openapi, "This document", "pages"),
    *(Endpoint("GET", path, page, "A page", "pages", media_types=("text/html",)) for path in PAGES),
    Endpoint("GET", "/example", example, "An example report", "pages", media_types=("text/html",)),
    Endpoint("GET", "/static/{name:.+}", static, "A file of a page", "pages"),
)
