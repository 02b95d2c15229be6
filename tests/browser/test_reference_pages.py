"""The two readers of the OpenAPI document, as a browser without a network shows them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable
from typing import Any

import aiohttp
from playwright.async_api import Locator, Page, expect

from tests.browser.conftest import fixture


async def answer_of(request: Awaitable[aiohttp.ClientResponse]) -> dict[str, Any]:
    """The JSON that a request is answered with."""
    answer = await request
    assert answer.status < 300, await answer.text()
    return await answer.json()


@fixture
async def client(service) -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(service) as session:
        yield session


@fixture
async def paths(client) -> list[str]:
    """Paths of the interface that the document describes."""
    document = await answer_of(client.get("/openapi.json"))
    return [path for path in document["paths"] if path.startswith("/api/")]


async def tried_out(page: Page, path: str) -> Locator:
    """What the service answers to the operation at a path, as the page shows it."""
    operation = page.locator(".opblock").filter(has=page.locator(f'[data-path="{path}"]')).first
    await operation.locator(".opblock-summary-control").click()
    await operation.get_by_role("button", name="Try it out").click()
    await operation.get_by_role("button", name="Execute").click()
    answer = operation.locator(".live-responses-table tbody tr").first
    await expect(answer.locator(".response-col_status")).to_contain_text("200")
    return answer


async def test_swagger_ui_lists_every_route_and_tries_one_out(service, watched, paths):
    page = (await watched(service)).page
    await page.goto(f"{service}/docs")
    assert "/api/v1/jobs/{job_id}/cancel" in paths
    for path in paths:
        shown = page.locator(f'.opblock-summary-path[data-path="{path}"]').first
        await expect(shown).to_be_visible()
    await expect(await tried_out(page, "/api/v1/health")).to_contain_text("operational")


async def test_swagger_ui_sends_the_key_that_it_is_given(service, watched, client):
    account = {"email": "ada@example.org", "password": "a long enough password"}
    token = (await answer_of(client.post("/api/v1/auth/signup", json=account)))["access_token"]
    bearer = {"Authorization": f"Bearer {token}"}
    key = await answer_of(client.post("/api/v1/keys", json={"name": "docs"}, headers=bearer))
    page = (await watched(service)).page
    await page.goto(f"{service}/docs")
    await page.get_by_role("button", name="Authorize").first.click()
    form = page.locator(".auth-container").filter(has_text="X-API-Key")
    await form.locator("input").fill(key["key"])
    await form.get_by_role("button", name="Apply").click()
    await page.get_by_role("button", name="Close").first.click()
    await expect(await tried_out(page, "/api/v1/auth/me")).to_contain_text("ada@example.org")


async def test_redoc_describes_every_route_and_finds_one(service, watched, paths):
    page = (await watched(service)).page
    await page.goto(f"{service}/redoc")
    text = page.locator("#reader")
    for path in paths:
        await expect(text).to_contain_text(path)
    await page.get_by_role("textbox").first.fill("cancel")
    found = page.locator('[data-role="search:results"]')
    await expect(found.locator("li").first).to_be_visible()
    await found.locator("li").first.click()


async def test_redoc_looks_as_its_style_rules_say(service, watched):
    page = (await watched(service)).page
    await page.goto(f"{service}/redoc")
    menu = page.locator(".menu-content")
    await expect(menu).to_be_visible()
    assert await menu.evaluate("node => getComputedStyle(node).position") in {"sticky", "fixed"}
