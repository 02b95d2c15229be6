"""What is said of the genome as a whole, on the page: read without scripts, shown on the map."""

from __future__ import annotations

import re

from playwright.async_api import expect


async def test_the_stretch_of_a_module_fills_the_map(opened, phage):
    page = await opened(phage)
    lysis = next(one for one in phage.overview if one.subject == "lysis")
    frame = page.get_by_label(re.compile("^Genome map of"))
    await page.get_by_role("button", name="Show module lysis on the map").press("Enter")
    label = await frame.get_attribute("aria-label")
    found = re.search(r"In sight: bases ([\d,]+)\u2013([\d,]+)", label)
    first, last = (int(text.replace(",", "")) for text in found.groups())
    assert abs(first - lysis.start) < 50
    assert abs(last - lysis.end) < 50


async def test_statements_are_read_and_their_genes_reached_without_scripts(opened, phage):
    page = await opened(phage, java_script_enabled=False)
    section = page.locator("#overview")
    for one in phage.overview[:8]:
        await expect(section).to_contain_text(one.text)
    await expect(section.locator("a[href^='#gene=']").first).to_have_count(1)
    await expect(section.locator(".stretch:visible")).to_have_count(0)


async def test_a_gene_of_a_statement_opens_with_its_reasoning(opened, phage):
    page = await opened(phage)
    await page.locator("#overview details summary").first.press("Enter")
    link = page.locator("#overview details[open] a[href^='#gene=']").first
    gene = await link.inner_text()
    await link.press("Enter")
    await expect(page.locator("#drawer")).to_contain_text(gene)
