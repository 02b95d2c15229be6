"""The genome map in a real browser: where its genes lie."""

from __future__ import annotations

import math
import re
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest

from genint import interpret_genome
from genint.formats import read_genome
from tests.browser.map_pages import (
    SIDE_PX,
    SLANTED,
    boxes,
    covers,
    frame_at,
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


async def test_the_linear_map_is_to_scale(open_map, phage_lambda):
    page = await open_map(phage_lambda)
    _, _, width, _ = await frame_at(page)
    scale = (width - 2 * SIDE_PX) / 48502
    found = await boxes(page)
    assert len(found) == len(phage_lambda["genes"])
    for one in phage_lambda["genes"]:
        x, _, wide, _ = found[one["index"]]
        assert x == pytest.approx(SIDE_PX + (one["start"] - 1) * scale, abs=0.1)
        assert x + wide == pytest.approx(SIDE_PX + one["end"] * scale, abs=0.1)


async def test_forward_genes_lie_above_the_backbone_and_reverse_genes_below(open_map, phage_lambda):
    page = await open_map(phage_lambda)
    backbone = await page.evaluate("document.querySelector('.gm-backbone').getBBox().y")
    found = await boxes(page)
    for one in phage_lambda["genes"]:
        _, top, _, height = found[one["index"]]
        assert top + height < backbone if one["strand"] == "+" else top > backbone


async def test_the_height_of_a_gene_tells_its_level(open_map):
    page = await open_map(small([gene(n, 1 + 1000 * n, 900 + 1000 * n) for n in range(5)]))
    heights = [box[3] for _, box in sorted((await boxes(page)).items())]
    assert [height / heights[0] for height in heights] == pytest.approx([1, 0.8, 0.6, 0.45, 1])
    dark = page.locator('[data-index="4"]')
    assert await dark.evaluate("node => getComputedStyle(node).strokeDasharray") == "3px, 2px"


async def test_the_ruler_stands_where_the_bases_are(open_map, phage_lambda):
    page = await open_map(phage_lambda)
    _, _, width, _ = await frame_at(page)
    ticks = await page.evaluate(
        """() => [...document.querySelectorAll(".gm-tick")].map((line, n) =>
        [Number(line.getAttribute("x1")), document.querySelectorAll(".gm-ruler")[n].textContent])"""
    )
    assert [text for _, text in ticks] == ["1", *(f"{kb} kb" for kb in range(5, 50, 5))]
    for x, text in ticks[1:]:
        expected = SIDE_PX + (float(text.split()[0]) * 1000 - 0.5) * (width - 2 * SIDE_PX) / 48502
        assert x == pytest.approx(expected, abs=0.1)


async def test_nested_genes_of_phix174_lie_beside_their_hosts(open_map, phix):
    page = await open_map(phix, "linear")
    found = await boxes(page)
    places = {(one["start"], one["end"]): found[one["index"]] for one in phix["genes"]}
    for nested, host in [
        ((568, 843), (390, 848)),
        ((4497, 136), (3981, 136)),
        ((5075, 51), (3981, 136)),
    ]:
        _, top, _, height = places[nested]
        assert top + height < places[host][1], nested


@pytest.mark.parametrize("view", ["circular", "linear"])
async def test_a_gene_over_the_origin_is_drawn_over_the_origin(open_map, phix, view):
    page = await open_map(phix, view)
    one = next(one for one in phix["genes"] if (one["start"], one["end"]) == (3981, 136))
    spots = await page.evaluate(
        """() => {
          const back = document.querySelector(".gm-backbone").getBBox();
          return [back.x, back.y, back.width, back.height];
        }"""
    )
    left, top, wide, high = spots
    for base, inside in [
        (4200, True),
        (5350, True),
        (3, True),
        (100, True),
        (300, False),
        (2500, False),
    ]:
        if view == "linear":
            point = (left + wide * base / 5386, top - 12)
        else:
            turned = await page.evaluate(
                "(turn) => [Math.cos(turn), Math.sin(turn)]", 6.283185 * base / 5386 - 1.570796
            )
            distance = wide / 2 + 10
            point = (left + wide / 2 + distance * turned[0], top + high / 2 + distance * turned[1])
        assert await covers(page, one["index"], *point) == inside, base


async def test_the_parts_of_a_gene_are_joined_by_a_thin_line(open_map):
    parts = [[1001, 2000, "+"], [4001, 5000, "+"]]
    page = await open_map(small([gene(0, 1001, 5000, parts=parts)]))
    (x, top, wide, high) = (await boxes(page))[0]
    middle = top + high / 2
    for share, off, inside in [(0.1, 4, True), (0.5, 0, True), (0.5, 4, False), (0.9, 4, True)]:
        assert await covers(page, 0, x + share * wide, middle + off) == inside


async def test_parts_on_both_sides_of_the_origin_are_joined_over_it(open_map):
    parts = [[9001, 9500, "+"], [201, 600, "+"]]
    page = await open_map(small([gene(0, 9001, 600, parts=parts)], "circular"), "linear")
    _, top, _, high = (await boxes(page))[0]
    width = (await frame_at(page))[2] - 2 * SIDE_PX
    places = [(9200, 4, True), (9800, 4, False), (9800, 0, True), (100, 4, False), (100, 0, True)]
    for base, off, inside in [*places, (400, 4, True), (800, 0, False), (5000, 0, False)]:
        spot = (SIDE_PX + width * base / 10_000, top + high / 2 + off)
        assert await covers(page, 0, *spot) == inside, (base, off)


@pytest.mark.parametrize("width", [1280, 360])
async def test_names_beside_a_circle_never_overlap(open_map, phix, width):
    page = await open_map(phix, viewport={"width": width, "height": 800})
    names = await page.evaluate(
        """() => [...document.querySelectorAll(".gm-outside")].map((node) => {
          const box = node.getBoundingClientRect();
          return [box.left, box.top + 2, box.right, box.bottom - 2];
        })"""
    )
    assert len(names) >= 4
    for one, other in combinations(names, 2):
        apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        assert apart, (one, other)


@pytest.mark.parametrize("width", [1280, 360])
async def test_slanted_names_are_a_line_of_text_apart_and_within_the_drawing(
    open_map, phage_lambda, width
):
    page = await open_map(phage_lambda, viewport={"width": width, "height": 800})
    names = await page.evaluate(SLANTED)
    assert len(names) >= 10
    for strand in (-1, 1):
        places = sorted(x for x, turn, _ in names if (turn > 0) == (strand < 0))
        gaps = [later - earlier for earlier, later in pairwise(places)]
        assert min(gaps) * math.sin(math.radians(50)) >= 11.9
    left, top, wide, high = await frame_at(page)
    for _, _, (x0, y0, x1, y1) in names:
        assert left - 8 <= x0 < x1 <= left + wide + 1
        assert top <= y0 < y1 <= top + high


async def test_the_drawing_follows_the_width_of_its_place(open_map, phage_lambda):
    page = await open_map(phage_lambda)
    await page.set_viewport_size({"width": 500, "height": 700})
    await page.wait_for_function(
        """() => document.querySelector(".gm-drawing").getBoundingClientRect().width
          === document.querySelector(".gm-frame").clientWidth"""
    )
    assert (await frame_at(page))[2] < 500


async def test_a_narrow_screen_holds_the_map(open_map, phage_lambda):
    page = await open_map(phage_lambda, viewport={"width": 360, "height": 700})
    assert await page.evaluate("document.documentElement.scrollWidth") <= 360


async def test_print_has_the_drawing_and_no_tools(open_map, phage_lambda):
    page = await open_map(phage_lambda)
    await page.emulate_media(media="print")
    assert not await page.locator(".gm-toolbar").is_visible()
    assert not await page.locator(".gm-overview").is_visible()
    assert await page.locator(".gm-drawing").is_visible()


async def test_a_map_that_is_destroyed_leaves_nothing(open_map, phix):
    page = await open_map(phix)
    await run(page, "map.destroy()")
    assert await page.locator("#place *").count() == 0
    await page.keyboard.press("n")
    await page.mouse.wheel(0, 100)


@pytest.mark.parametrize("view", ["circular", "linear"])
async def test_odd_records_are_drawn_without_a_fault(open_map, view):
    for length, genes in [
        (60, [gene(0, 1, 60)]),
        (1, []),
        (5000, [gene(0, 2000, 1999), gene(1, 1, 1), gene(2, 300, 4000, "-", lane=5000)]),
        (9_000_000, [gene(0, 8_999_999, 2, parts=[[8_999_999, 9_000_000, "+"], [1, 2, "+"]])]),
    ]:
        page = await open_map(small(genes, "circular", length), view)
        for one in genes:
            await run(page, "(index) => map.select(index)", one["index"])
            assert await page.locator(".gm-selected").count() == 1
            for key in "++++++++n-0":
                await press(page, key)
        text = await page.locator(".gm-drawing").evaluate("node => node.innerHTML")
        assert not re.search("NaN|Infinity|undefined", text)
