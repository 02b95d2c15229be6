"""What is said of the genome as a whole, on the page: read without scripts, shown on the map."""

from __future__ import annotations

import re

from playwright.async_api import expect


async def test_the_stretch_of_a_module_fills_the_map(opened, phage):
    page = await opened(phage)
    lysis = next(one for one in phage.overview if one.subject == "lysis")
    frame = page.get_by_label(re.compile("^Genome map of"))
    await page.get_by_role("button", name="Show module lysis on the map").press("Enter")
    # The map is drawn with the next frame of the browser, not within the key press.
    await page.wait_for_function(
        """([frame, first, last]) => {
          const said = frame.ariaLabel.match(/In sight: bases ([\\d,]+)\u2013([\\d,]+)/);
          const [from, to] = said.slice(1).map((text) => Number(text.replaceAll(",", "")));
          return Math.abs(from - first) < 50 && Math.abs(to - last) < 50;
        }""",
        arg=[await frame.element_handle(), lysis.start, lysis.end],
    )


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
