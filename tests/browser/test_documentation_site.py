"""The site of the documentation in a browser: search, dark mode, a narrow screen."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial

import pytest_asyncio
from aiohttp import web
from aiohttp.test_utils import TestServer
from playwright.async_api import expect

fixture = partial(pytest_asyncio.fixture, loop_scope="session")
NARROW = {"viewport": {"width": 390, "height": 844}}


@fixture
async def address(site) -> AsyncIterator[str]:
    """Address of a plain server of files, as any host of the site would be."""
    app = web.Application()
    app.router.add_static("/", site)
    server = TestServer(app)
    await server.start_server()
    yield str(server.make_url("/")).rstrip("/")
    await server.close()


async def test_the_search_finds_a_setting_on_its_page(watched, address):
    page = (await watched(address)).page
    await page.goto(f"{address}/index.html")
    await page.click(".md-search__input")
    await page.keyboard.type("GENINT_MAX_BASES")
    found = page.locator(".md-search-result__item a[href*='reference/settings.html']")
    await expect(found.first).to_be_visible()


async def test_the_switch_makes_pages_dark_and_the_next_page_stays_dark(watched, address):
    page = (await watched(address, color_scheme="light")).page
    await page.goto(f"{address}/index.html")
    body = page.locator("body")
    await expect(body).to_have_attribute("data-md-color-scheme", "default")
    await page.locator("label[title=Dark]").click()
    await expect(body).to_have_attribute("data-md-color-scheme", "slate")
    await page.goto(f"{address}/docs/formats.html")
    await expect(body).to_have_attribute("data-md-color-scheme", "slate")


async def test_no_page_is_wider_than_a_telephone(watched, address, site):
    page = (await watched(address, **NARROW)).page
    for name in ("index", "docs/reference/settings", "docs/reference/http-api"):
        await page.goto(f"{address}/{name}.html")
        assert await page.evaluate("document.documentElement.scrollWidth") <= 390, name
