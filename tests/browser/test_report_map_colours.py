"""The genome map in a real browser: its colours, by level and by category, and its marks."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import pytest
from axe_playwright_python.async_playwright import Axe

from tests.browser.map_pages import (
    SOURCES,
    SVG,
    boxes,
    gene,
    press,
    run,
    small,
)

STYLES = "\n".join((SOURCES / "styles" / f"{name}.css").read_text() for name in ("colours", "map"))
COLOURS = {
    name: {"light": light, "dark": dark}
    for name, light, dark in re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", STYLES)
}
CATEGORIES = ["DNA packaging", "tail", "head and capsid", "lysis", "tail", None, "other"]


def categorized() -> dict[str, Any]:
    return small([
        gene(n, 1 + 1400 * n, 1300 + 1400 * n, category=category, level=(0, 1, 2, 3, 0, 4, 1)[n])
        for n, category in enumerate(CATEGORIES)
    ])  # fmt: skip


async def fills(page: Any) -> list[str]:
    found = await page.evaluate(
        """[...document.querySelectorAll(".gm-layer-genes [data-index]")]
        .sort((a, b) => a.dataset.index - b.dataset.index).map((n) => getComputedStyle(n).fill)"""
    )
    return ["#" + bytes(map(int, re.findall(r"\d+", fill))).hex() for fill in found]


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_genes_can_be_coloured_by_category(open_map, theme):
    page = await open_map(categorized(), color_scheme=theme)
    by_level, heights = await fills(page), await boxes(page)
    levels = ["high", "moderate", "low", "speculative", "high", "paper", "moderate"]
    assert by_level == [COLOURS[name][theme] for name in levels]
    button = page.get_by_role("button", name="Colour by category")
    await button.click()
    assert await button.get_attribute("aria-pressed") == "true"
    await run(page, "0")
    groups = ["gm-head", "gm-tail", "gm-head", "gm-lysis", "gm-tail", "paper", "none"]
    assert await fills(page) == [COLOURS[name][theme] for name in groups]
    assert await boxes(page) == heights
    assert await page.locator(".gm-legend").first.locator("li").all_text_contents() == [
        "head and packaging 2", "tail 2", "lysis 1", "other or unknown 1", "dark matter 1"
    ]  # fmt: skip
    assert "HIGH 2" in await page.locator(".gm-legend").last.text_content()
    root = ElementTree.fromstring(await run(page, "map.svg()"))  # noqa: S314 - ours
    drawn = [p for p in root.iter(f"{SVG}path") if p.find(f"{SVG}title") is not None]
    assert [path.get("fill") for path in drawn] == [COLOURS[name]["light"] for name in groups]
    texts = [node.text for node in root.iter(f"{SVG}text")]
    assert {"head and packaging (2)", "Height:", "SPECULATIVE"} <= set(texts)
    await page.get_by_role("button", name="Colour by confidence").click()
    await run(page, "0")
    assert await fills(page) == by_level


async def test_merged_genes_have_the_colour_of_their_category(open_map):
    genes = [gene(n, 1 + 200 * n, 180 + 200 * n, level=0, category="tail") for n in range(5000)]
    page = await open_map(small(genes, length=1_000_000))
    await page.get_by_role("button", name="Colour by category").click()
    await run(page, "0")
    assert await page.locator(".gm-layer-genes .gm-merged.gm-tail").count() == 1
    assert await page.locator(".gm-overview .gm-merged.gm-tail").count() == 1
    assert "tail 5,000" in await page.locator(".gm-legend").first.text_content()


async def test_without_categories_there_is_no_choice_of_colours(open_map):
    page = await open_map(small([gene(0, 1, 900)]))
    assert await page.get_by_role("button", name="Colour by category").count() == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_axe_finds_nothing_where_colours_are_by_category(open_map, theme):
    page = await open_map(categorized(), color_scheme=theme)
    await page.get_by_role("button", name="Colour by category").click()
    await run(page, "0")
    assert (await Axe().run(page)).response["violations"] == []


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_the_ring_of_the_gene_in_focus_leaves_it_its_colour(open_map, theme):
    page = await open_map(
        small([gene(n, 1 + 40 * n, 35 + 40 * n) for n in range(3)]), color_scheme=theme
    )
    await press(page, "n")
    rings = await page.evaluate(
        """[...document.querySelectorAll(".gm-layer-marks path")].map((path) => {
          const { fill, stroke, strokeWidth } = getComputedStyle(path);
          const { x, y, width, height } = path.getBBox();
          return [fill, stroke, parseFloat(strokeWidth), x, y, x + width, y + height];
        })"""
    )
    x, y, wide, high = (await boxes(page))[0]
    strokes = ["#" + bytes(map(int, re.findall(r"\d+", ring[1]))).hex() for ring in rings]
    assert strokes == [COLOURS["paper"][theme], COLOURS["ink"][theme]]
    for fill, _, stroke, left, top, right, bottom in rings:
        assert fill == "none"
        assert left + stroke / 2 < x
        assert x + wide < right - stroke / 2
        assert top + stroke / 2 < y
        assert y + high < bottom - stroke / 2


@pytest.mark.parametrize("view", ["linear", "circular"])
async def test_the_band_of_the_selected_gene_stays_on_its_lane(open_map, view):
    genes = [gene(0, 1, 4000, level=0), gene(1, 100, 900, lane=1, level=0)]
    page = await open_map(small([*genes, gene(2, 1, 4000, lane=2, level=0)], "circular"), view)
    await run(page, "map.select(1)")
    for other in (0, 2):
        touched = await page.evaluate(
            """(other) => {
              const gene = document.querySelector(`[data-index="${other}"]`);
              const band = document.querySelector(".gm-band");
              const steps = Array.from({ length: 400 }, (_, n) => n / 400);
              const corners = steps.map((n) => band.getPointAtLength(n * band.getTotalLength()));
              return corners.some((point) => gene.isPointInFill(point));
            }""",
            other,
        )
        assert not touched, other
