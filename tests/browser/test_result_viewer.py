"""The page that shows a result file, which never leaves the browser."""

from __future__ import annotations

import gzip

from axe_playwright_python.async_playwright import Axe
from playwright.async_api import expect

from genint.report.formats import render

SERIOUS = {"serious", "critical"}


async def opened(watched, service, content: bytes, **context):
    """The page with a file."""
    seen = await watched(service, **context)
    await seen.page.goto(f"{service}/viewer", wait_until="networkidle")
    seen.requests.clear()
    file = {"name": "a.json", "mimeType": "application/json", "buffer": content}
    await seen.page.locator("#file").set_input_files(file)
    return seen


async def test_a_result_is_shown_with_its_reasons_and_nothing_is_sent(service, watched, phix):
    content = gzip.compress(render(phix, "json").encode())
    narrow = {"viewport": {"width": 375, "height": 700}, "color_scheme": "dark"}
    seen = await opened(watched, service, content, **narrow)
    page = seen.page
    await expect(page.locator("#result-title")).to_have_text("phiX174.gbk")
    await expect(page.locator("#genes tbody tr")).to_have_count(len(phix.genes))
    gene = phix.genes[0]
    await page.locator("#find").fill(gene.id)
    row = page.locator("#genes tbody tr")
    await expect(row).to_have_count(1)
    await expect(row.locator(".state")).to_have_text(gene.confidence)
    await row.locator("summary").click()
    await expect(row.locator("ol li").first).to_have_text(gene.reasoning_chain[0])
    await expect(row.locator("ul li")).to_have_count(len(gene.evidence))
    assert await page.evaluate("document.documentElement.scrollWidth") <= 375
    found = await Axe().run(page)
    faults = [one for one in found.response["violations"] if one["impact"] in SERIOUS]
    assert faults == []
    assert seen.requests == []


async def test_other_files_are_refused_in_words(service, watched):
    seen = await opened(watched, service, b"LOCUS")
    told = seen.page.locator("#viewer-problem")
    await expect(told).to_have_text("This is no JSON file.")
    for content, words in (
        (b'{"genes": []}', "no result file of genint"),
        (b'{"schema_version": "2.0", "genes": []}', "reads 1.x"),
        (b"\x1f\x8bxx", "cannot be unpacked"),
        (b'{"schema_version": "1.9", "genes": [null]}', "damaged"),
    ):
        file = {"name": "a.json", "mimeType": "application/json", "buffer": content}
        await seen.page.locator("#file").set_input_files(file)
        await expect(told).to_contain_text(words)
