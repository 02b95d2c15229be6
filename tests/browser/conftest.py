"""A real browser that notices everything, and the real service to point it at."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest
import pytest_asyncio
from aiohttp.test_utils import TestServer
from playwright.async_api import (
    Browser,
    ConsoleMessage,
    Dialog,
    Page,
    Request,
    async_playwright,
    expect,
)
from pytest_asyncio import is_async_test

from genint.report import GenintResult, render_html
from genint.service.app import create_app
from genint.settings import Settings
from tests.browser.map_pages import open_page
from tests.browser.report_pages import STILL, enlarged, result_of
from tests.servers.service_in_process import stop_jobs

ARGUMENTS = """--no-sandbox --disable-gpu --disable-quic --no-first-run
    --disable-background-networking --disable-component-update --disable-sync""".split()
HERE = Path(__file__).parent
TIMEOUT_MS = 60_000
fixture = partial(pytest_asyncio.fixture, loop_scope="session")
"""For what shares the event loop of the browser."""
EXPECTED_STATUSES = ("401", "403", "409", "422")
"""Refusals that a page may meet in the course of things; the browser logs each."""

expect.set_options(timeout=TIMEOUT_MS)

REPORT_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) => {
  console.error(`blocked by policy: ${event.effectiveDirective} ${event.blockedURI}`);
});
window.ran = (what) => console.error(`executed: ${what}`);
"""


@dataclass
class Watched:
    """A page, and what happened on it that should not have.

    Attributes:
        page: The page.
        home: All requests have to go below this address.
        faults: Errors and warnings of the console, exceptions, violations of the
            policy, dialogs, requests to other places.
        requests: Addresses of all requests.
    """

    page: Page
    home: str
    faults: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.set_default_timeout(TIMEOUT_MS)
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.faults.append(f"exception: {error}"))
        self.page.on("request", self._asked)
        self.page.on("dialog", self._opened)

    def _heard(self, message: ConsoleMessage) -> None:
        refused = any(f"status of {status} " in message.text for status in EXPECTED_STATUSES)
        if message.type in {"error", "warning"} and not refused:
            self.faults.append(f"{message.type}: {message.text}")

    def _asked(self, request: Request) -> None:
        self.requests.append(request.url)
        if not request.url.startswith((self.home, f"blob:{self.home}", "data:")):
            self.faults.append(f"asked elsewhere: {request.url[:200]}")

    async def _opened(self, dialog: Dialog) -> None:
        self.faults.append(f"dialog: {dialog.message}")
        await dialog.dismiss()


OpenPage = Callable[..., Awaitable[Watched]]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests here share one event loop, as they share the browser that lives on it."""
    for item in items:
        if item.path.is_relative_to(HERE) and is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@fixture(scope="session")
async def chromium() -> AsyncIterator[Browser]:
    """One browser for all tests: starting one takes longer than most of them. Skipped visibly where
    there is none, never under CI.
    """
    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if program is None:
        if os.environ.get("CI"):
            pytest.fail("chromium is not installed, and CI has to test with it")
        pytest.skip("chromium is not installed (tests/install_servers.sh installs it)")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield browser
        await browser.close()


@fixture
async def watched(chromium: Browser) -> AsyncIterator[OpenPage]:
    """Opens pages, each in a context of its own; nothing may have gone wrong on them."""
    opened: list[Watched] = []

    async def open_page(home: str, **context: object) -> Watched:
        page = await (await chromium.new_context(**context)).new_page()
        await page.add_init_script(REPORT_VIOLATIONS)
        opened.append(Watched(page, home))
        return opened[-1]

    yield open_page
    assert [one.faults for one in opened] == [[] for _ in opened]
    for one in opened:
        await one.page.context.close()


@pytest.fixture
def open_map(watched: OpenPage, tmp_path: Path) -> Callable[..., Awaitable[Page]]:
    """Opens a page with nothing but a map."""
    return partial(open_page, watched, tmp_path)


@fixture
async def service(tmp_path: Path, pressed: Path) -> AsyncIterator[str]:
    """Address of the real service, on SQLite, with one worker; guests may try it."""
    environment = {"GENINT_DATA_DIR": str(tmp_path / "data"), "JWT_SECRET": "s" * 40}
    environment |= {"GENINT_CACHE_DIR": str(pressed), "GENINT_GUESTS": "true"}
    app = create_app(Settings.from_environment(environment), workers=1)
    server = TestServer(app)
    await server.start_server()
    yield str(server.make_url("/")).rstrip("/")
    await stop_jobs(app)
    await server.close()


@pytest.fixture(scope="session")
def phix(examples: Path) -> GenintResult:
    """Eleven genes on a circle, named by the file."""
    return result_of(examples / "phiX174.gbk")


@pytest.fixture(scope="session")
def phage(examples: Path) -> GenintResult:
    """Lambda, predicted: some genes with domains, most of them dark."""
    return result_of(examples / "lambda.fasta")


@pytest.fixture(scope="session")
def large(phage: GenintResult) -> GenintResult:
    """A genome of more genes than the table keeps in the page."""
    return enlarged(phage)


@pytest.fixture
def opened(watched, tmp_path):
    """Opens the page of a result from disk, at a place of it."""

    async def open_report(result: GenintResult, place: str = "", **context: object) -> Page:
        file = tmp_path / "report.html"
        file.write_text(render_html(result), encoding="utf-8")
        visit = await watched(file.as_uri(), **(STILL | context))
        await visit.page.goto(file.as_uri() + place)
        return visit.page

    return open_report
