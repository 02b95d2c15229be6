"""Rescued genes, other starts and products, RNA genes and CRISPR arrays on the page."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Page, expect

from genint.report import GenintResult
from tests.builders.hostile_results import with_everything

VIEWPORT = {"viewport": {"width": 1280, "height": 800}}

OPEN_FOLDS = "document.querySelectorAll('#drawer details').forEach((one) => { one.open = true; })"
"""Arithmetic is folded; what is folded has no text on the page."""


@pytest.fixture(scope="session")
def found(phix: GenintResult) -> GenintResult:
    return with_everything(phix)


async def drawer_of(page: Page) -> str:
    return await page.locator("#drawer").inner_text()


async def test_the_map_marks_what_was_found_and_its_legend_says_how(opened, found):
    page = await opened(found, **VIEWPORT)
    legend = page.locator(".gm-legend").first
    await expect(legend).to_contain_text("missed by the gene finder 2")
    await expect(legend).to_contain_text("CRISPR array 1")
    await expect(legend).to_contain_text("frameshift product 1")
    await expect(legend).to_contain_text("RNA gene 2")
    drawn = page.locator(".gm-layer-genes")
    await expect(drawn.locator(".gm-rescued")).to_have_count(2)
    await expect(drawn.locator(".gm-crispr")).to_have_count(1)
    await expect(drawn.locator(".gm-slip")).to_have_count(1)


async def test_an_array_on_the_backbone_is_told_under_the_pointer(opened, found):
    page = await opened(found, **VIEWPORT)
    await page.locator("#map").scroll_into_view_if_needed()
    await page.locator(".gm-crispr").first.hover(force=True)
    await expect(page.locator(".gm-tooltip")).to_contain_text("3 repeats of GTTTTAGAGCTATGC")
    await expect(page.locator(".gm-tooltip")).to_contain_text("over the origin")


async def test_the_drawer_shows_the_arithmetic_and_the_other_products(opened, found):
    gene = next(one for one in found.genes if one.rescue and not one.is_dark)
    page = await opened(found, f"#gene={gene.id}", **VIEWPORT)
    await expect(page.locator("#drawer")).to_contain_text("Is it a gene?")
    told = await drawer_of(page)
    await page.evaluate(OPEN_FOLDS)
    told = await drawer_of(page)
    rescue = page.locator("#drawer table.score").first
    numbers = [
        float(text.replace("\N{MINUS SIGN}", "-"))
        for text in await rescue.locator("td.num").all_inner_texts()
    ]
    assert sum(numbers[:-1]) == pytest.approx(numbers[-1], abs=0.011)
    assert "is a probability of 0.62 that there is a gene" in told
    assert re.search(r"lies 100% inside \S+, in another reading frame, on the same strand", told)
    assert "0.41 that it is made too" in told
    await page.goto(page.url.split("#")[0] + f"#gene={found.genes[0].id}")
    await expect(page.locator("#drawer")).to_contain_text(
        "one base back (\N{MINUS SIGN}1) at GGGAAAG"
    )
    assert "Is it a gene?" not in await drawer_of(page)


async def test_the_map_stays_on_the_first_screen(opened, found):
    page = await opened(found, **VIEWPORT)
    box = await page.locator(".gm-frame").bounding_box()
    assert box is not None
    assert box["y"] < 800 * 0.8


async def test_the_page_says_what_was_not_searched(opened, found):
    page = await opened(found, **VIEWPORT)
    for place in ("#rna", "#provenance"):
        await expect(page.locator(place)).to_contain_text(
            "rRNA: not searched (barrnap is not on the PATH)"
        )


async def test_a_page_without_anything_found_has_none_of_it(opened, phix):
    plain = phix.model_copy(update={"searches": (), "rna_genes": ()})
    page = await opened(plain, **VIEWPORT)
    for place in ("#calls", "#rna", ".gm-crispr", ".gm-slip", ".gm-rescued"):
        await expect(page.locator(place)).to_have_count(0)
    assert "left out" not in (await page.locator(".gm-legends").inner_text())
