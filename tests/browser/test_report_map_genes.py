"""The genome map in a real browser: what it tells of genes, and what it is told."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.async_playwright import Axe

from genint import interpret_genome
from genint.formats import read_genome
from tests.browser.map_pages import (
    boxes,
    gene,
    given_of,
    press,
    run,
    small,
)


@pytest.fixture(scope="module")
def phage_lambda(examples: Path) -> dict[str, Any]:
    return given_of(interpret_genome(examples / "lambda.fasta").genome)


@pytest.fixture(scope="module")
def phix(examples: Path) -> dict[str, Any]:
    return given_of(read_genome(examples / "phiX174.gbk"))


async def test_the_keyboard_reaches_every_gene(open_map, phage_lambda):
    page = await open_map(phage_lambda)
    await page.locator(".gm-toolbar button").last.focus()
    await page.keyboard.press("Tab")
    assert await page.evaluate("document.activeElement.className") == "gm-frame"
    told = []
    for _ in phage_lambda["genes"]:
        await page.keyboard.press("n")
        await page.keyboard.press("Enter")
        told.append(await page.locator("[aria-live]").inner_text())
    chosen = await page.evaluate("seen.filter(([what]) => what === 'select').map(([, i]) => i)")
    assert chosen == [one["index"] for one in phage_lambda["genes"]]
    for text, one in zip(told, phage_lambda["genes"], strict=True):
        assert text.startswith(f"{one['name']}, a function")
    await page.keyboard.press("[")
    await page.keyboard.press("Home")
    assert (await page.locator("[aria-live]").inner_text()) == told[0]
    await page.keyboard.press("Tab")
    assert not await page.evaluate("document.activeElement.closest('.gm-stage')")


@pytest.mark.parametrize("corner", [0.02, 0.98])
async def test_pointing_at_a_gene_tells_what_it_is_within_the_window(open_map, corner):
    genes = [gene(0, 1, 400), gene(1, 9600, 10000, "-", label="a long function " * 8)]
    page = await open_map(small(genes), viewport={"width": 700, "height": 420})
    index = round(corner)
    await page.locator(f'[data-index="{index}"]').hover()
    tip = page.locator(".gm-tooltip")
    text = await tip.inner_text()
    told = (("g0", "a function", "HIGH 0.50"), ("g1", "a long function", "MODERATE 0.50"))[index]
    for part in told:
        assert part in text
    place = ("1~400 (+)", "9,600~10,000 (\N{MINUS SIGN})")[index]
    assert place.replace("~", "\N{EN DASH}") in text
    box = await tip.bounding_box()
    assert box["x"] >= 0
    assert box["y"] >= 0
    assert box["x"] + box["width"] <= 700
    assert box["y"] + box["height"] <= 420
    await page.mouse.move(350, 5)
    await tip.wait_for(state="hidden")
    assert await page.evaluate("seen") == [["hover", index], ["hover", None]]


async def test_the_gene_in_focus_is_told_beside_it_too(open_map, phix):
    page = await open_map(phix)
    await press(page, "n")
    await press(page, "n")
    await page.locator(".gm-tooltip").wait_for(state="visible")
    assert await page.locator(".gm-focused").count() == 1
    await press(page, "Escape")
    await page.locator(".gm-tooltip").wait_for(state="hidden")


async def test_a_click_chooses_a_gene_and_moves_nothing(open_map, phage_lambda):
    page = await open_map(phage_lambda)
    before = await boxes(page)
    await page.locator('[data-index="20"]').click()
    assert (await page.evaluate("seen"))[-1] == ["select", 20]
    await run(page, "map.select(20)")
    assert await boxes(page) == before
    assert await page.locator(".gm-selected").count() == 1


async def test_a_tap_chooses_a_gene(open_map, phage_lambda):
    page = await open_map(phage_lambda, has_touch=True, viewport={"width": 360, "height": 700})
    await page.locator('[data-index="20"]').tap()
    assert (await page.evaluate("seen"))[-1] == ["select", 20]
    assert await page.locator(".gm-tooltip").is_visible()


async def test_what_a_filter_hides_is_faded_and_passed_over(open_map, phage_lambda):
    page = await open_map(phage_lambda)
    await run(page, "map.setShown((gene) => gene.level === 2)")
    shown = await page.evaluate(
        """[...document.querySelectorAll(".gm-layer-genes [data-index]:not(.gm-faded)")]
        .map((node) => Number(node.dataset.index)).sort((a, b) => a - b)"""
    )
    wanted = [one["index"] for one in phage_lambda["genes"] if one["level"] == 2]
    assert shown == wanted
    assert await page.locator(".gm-faded").count() > len(wanted)
    label = await page.locator(".gm-frame").get_attribute("aria-label")
    assert f"{len(wanted)} of them shown by the filter" in label
    for index in wanted[:4]:
        await press(page, "]")
        await press(page, "Enter")
        assert (await page.evaluate("seen"))[-1] == ["select", index]
    await run(page, "map.setShown(null)")
    assert await page.locator(".gm-layer-genes .gm-faded").count() == 0


async def test_what_the_table_points_at_is_marked(open_map, phage_lambda):
    page = await open_map(phage_lambda)
    await run(page, "map.hover(5)")
    assert await page.locator(".gm-hovered").count() == 1
    await run(page, "map.hover(null)")
    assert await page.locator(".gm-hovered").count() == 0


async def test_an_rna_gene_has_a_shape_of_its_own_and_no_level(open_map):
    rna = {"id": "t1", "name": "trnM", "start": 3000, "end": 4000, "strand": "+", "lane": 0}
    given = small([gene(0, 1, 1000)]) | {"rnas": [rna | {"kind": "tRNA", "product": "tRNA-Met"}]}
    page = await open_map(given)
    await page.locator(".gm-layer-genes .gm-rna").hover()
    text = await page.locator(".gm-tooltip").inner_text()
    assert "tRNA-Met" in text
    assert not re.search("HIGH|MODERATE|LOW|SPECULATIVE|dark", text)
    await page.locator(".gm-layer-genes .gm-rna").click()
    assert await page.evaluate("seen.filter(([what]) => what === 'select')") == []


async def test_an_rna_gene_without_a_symbol_is_called_by_its_product(open_map):
    place = {"start": 3000, "end": 4000, "strand": "+", "lane": 0, "record": 0}
    names = (("p_RNA00010", "p_RNA00010", "tRNA-Met"), ("r2", "rrsA", "16S ribosomal RNA"))
    rnas = [
        place | {"id": one, "name": name, "kind": "tRNA", "product": product}
        for one, name, product in names
    ]
    rnas[1] |= {"start": 6000, "end": 7500}
    page = await open_map(small([gene(0, 1, 1000)]) | {"rnas": rnas})
    texts = await page.locator(".gm-layer-labels text").all_text_contents()
    assert {"tRNA-Met", "rrsA"} <= set(texts)
    assert "p_RNA00010" not in texts


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_axe_finds_nothing_serious(open_map, phix, scheme):
    page = await open_map(phix, color_scheme=scheme)
    found = await Axe().run(page)
    faults = [
        one for one in found.response["violations"] if one["impact"] in {"serious", "critical"}
    ]
    assert faults == []
