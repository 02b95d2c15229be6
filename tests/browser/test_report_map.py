"""The genome map in a real browser: where genes lie, what moves them, what it is told and tells.

The page of these tests holds nothing but a map, under the policy of the report.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page

from genint import interpret_genome
from genint.formats import read_genome
from genint.model.genome import Genome
from genint.report.lanes import lanes_of

SOURCES = Path(__file__).resolve().parents[2] / "genint" / "report"
IMPORT = re.compile(r'^import .* from "\./(\w+)\.js";\n', re.MULTILINE)
SIDE_PX = 16
"""Margin of the linear map on both sides."""
STILL = {"reduced_motion": "reduce"}
SVG = "{http://www.w3.org/2000/svg}"
ATTACKS = (
    "<script>ran(1)</script>",
    "<img src=x onerror=ran(2)>",
    "</title></svg><svg onload=ran(3)>",
    "\"'><iframe srcdoc='<script>parent.ran(4)</script>'>",
    "]]>&lt;b&gt;&amp;\u2028",
)
START = """
window.seen = [];
window.data = JSON.parse(document.getElementById("given").textContent);
window.start = (options) => {
  window.map?.destroy();
  window.map = createMap(document.getElementById("place"), {
    ...options,
    onSelect: (index) => seen.push(["select", index]),
    onHover: (index) => seen.push(["hover", index]),
  });
};
start(data);
"""
SETTLED = "() => new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))"
BOXES = """() => Object.fromEntries(
  [...document.querySelectorAll(".gm-layer-genes [data-index]")].map((node) => {
    const { x, y, width, height } = node.getBBox();
    return [node.dataset.index, [x, y, width, height]];
  }))"""
COVERS = """([index, x, y]) => document.querySelector(`[data-index="${index}"]`)
  .isPointInFill(new DOMPoint(x, y))"""


def joined_scripts() -> str:
    """The modules of the map as the report joins them, each behind those that it imports."""
    found: dict[str, str] = {}

    def take(name: str) -> None:
        text = (SOURCES / "scripts" / f"{name}.js").read_text("utf-8")
        for other in IMPORT.findall(text):
            if other not in found:
                take(other)
        found.setdefault(name, IMPORT.sub("", text))

    take("map")
    body = re.sub("^export ", "", "\n".join(found.values()), flags=re.MULTILINE)
    return f'(() => {{\n"use strict";\n{body}\n{START}}})();'


def map_page(given: dict[str, Any]) -> str:
    styles = [
        (SOURCES / "styles" / f"{name}.css").read_text() for name in ("colours", "page", "map")
    ]
    style, script = "\n".join(styles), joined_scripts()
    digests = [base64.b64encode(hashlib.sha256(x.encode()).digest()) for x in (script, style)]
    island = json.dumps(given).replace("<", "\\u003c")
    policy = "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; img-src data:"
    return f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Map</title>
        <meta http-equiv="Content-Security-Policy"
          content="{policy.format(*(digest.decode() for digest in digests))}">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <style>{style}</style></head><body><main><h1>Map</h1><div id="place"></div></main>
        <script type="application/json" id="given">{island}
        </script><script>{script}</script></body></html>"""


def gene(index: int, start: int, end: int, strand: str = "+", **more: Any) -> dict[str, Any]:
    """A gene as the page knows it; its level is that of its place in the list."""
    name = f"g{index}"
    plain = {"index": index, "id": name, "name": name, "lane": 0, "level": index % 5, "score": 0.5}
    place = {"start": start, "end": end, "strand": strand, "parts": [[start, end, strand]]}
    return plain | place | {"label": "a function", "lengthAa": (end - start) // 3} | more


def given_of(genome: Genome) -> dict[str, Any]:
    """What the page would know of a genome of one record, levels made up."""
    (contig,) = genome.contigs
    length, circular = len(contig.bases), contig.topology == "circular"
    genes = []
    for index, one in enumerate(genome.genes):
        start, end = one.location.span.one_based(length)
        genes.append(gene(index, start, end, one.location.strand.symbol, name=one.symbol or one.id))
    lanes = lanes_of([SimpleNamespace(**one) for one in genes], length, circular)
    for one, lane in zip(genes, lanes, strict=True):
        one["lane"] = lane
    record = {"id": contig.id, "length": length, "topology": contig.topology, "description": ""}
    return {"record": record, "genes": genes, "rnas": []}


def small(genes: list[dict[str, Any]], topology: str = "linear", length: int = 10_000) -> Any:
    record = {"id": "R1", "length": length, "topology": topology, "description": "Some phage"}
    return {"record": record, "genes": genes, "rnas": []}


@pytest.fixture(scope="module")
def phix(examples: Path) -> dict[str, Any]:
    return given_of(read_genome(examples / "phiX174.gbk"))


@pytest.fixture(scope="module")
def phage_lambda(examples: Path) -> dict[str, Any]:
    return given_of(interpret_genome(examples / "lambda.fasta").genome)


@pytest.fixture
async def open_map(watched, tmp_path):
    """Opens a page with the map of what is given; the map draws without gliding."""

    async def opened(given: dict[str, Any], view: str | None = None, **context: Any) -> Page:
        file = tmp_path / "map.html"
        file.write_text(map_page(given), encoding="utf-8")
        page = (await watched(file.as_uri(), **(STILL | context))).page
        await page.goto(file.as_uri())
        if view:
            await page.evaluate("(kind) => map.setView(kind)", view)
        await page.evaluate(SETTLED)
        return page

    return opened


async def run(page: Page, script: str, value: Any = None) -> Any:
    """Something done on the page, and painted."""
    result = await page.evaluate(script, value)
    await page.evaluate(SETTLED)
    return result


async def press(page: Page, key: str) -> None:
    await page.locator(".gm-frame").press(key)
    await page.evaluate(SETTLED)


async def boxes(page: Page) -> dict[int, list[float]]:
    return {int(index): box for index, box in (await page.evaluate(BOXES)).items()}


async def covers(page: Page, index: int, x: float, y: float) -> bool:
    """Whether a gene's shape has a point of the drawing within it."""
    return await page.evaluate(COVERS, [index, x, y])


async def frame_at(page: Page) -> tuple[float, float, float, float]:
    box = await page.locator(".gm-frame").bounding_box()
    assert box
    return box["x"], box["y"], box["width"], box["height"]


async def ctrl_wheel(page: Page, delta: float) -> None:
    await page.keyboard.down("Control")
    await page.mouse.wheel(0, delta)
    await page.keyboard.up("Control")
    await page.evaluate(SETTLED)


# -- where genes lie


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


@pytest.mark.parametrize("width", [1280, 360])
async def test_names_never_overlap(open_map, phage_lambda, phix, width):
    for given, least in [(phage_lambda, 5), (phix, 4)]:
        page = await open_map(given, viewport={"width": width, "height": 800})
        names = await page.evaluate(
            """() => [...document.querySelectorAll(".gm-outside")].map((node) => {
              const box = node.getBoundingClientRect();
              return [box.left, box.top + 2, box.right, box.bottom - 2];
            })"""
        )
        assert len(names) >= least
        for one, other in combinations(names, 2):
            apart = (
                one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
            )
            assert apart, (one, other)


# -- what moves the map


@pytest.mark.parametrize("view", ["circular", "linear"])
async def test_zooming_keeps_the_base_under_the_pointer(open_map, phix, view):
    page = await open_map(phix, view)
    one = next(one for one in phix["genes"] if one["start"] == 848)
    box = await page.locator(f'[data-index="{one["index"]}"]').bounding_box()
    left, top, *_ = await frame_at(page)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    await page.mouse.move(x, y)
    for _ in range(6):
        before = (await boxes(page))[one["index"]]
        await ctrl_wheel(page, -120)
        assert max((await boxes(page))[one["index"]][2:]) > max(before[2:])
        assert await covers(page, one["index"], x - left, y - top)
    for _ in range(20):
        await ctrl_wheel(page, 120)
    assert len(await boxes(page)) == len(phix["genes"])


async def test_a_plain_wheel_scrolls_the_page(open_map, phage_lambda):
    page = await open_map(phage_lambda, viewport={"width": 900, "height": 200})
    before = await boxes(page)
    await page.mouse.move(300, 150)
    await page.mouse.wheel(0, 100)
    await page.wait_for_function("scrollY > 0")
    assert await boxes(page) == before


@pytest.mark.parametrize("view", ["circular", "linear"])
async def test_dragging_moves_what_is_under_the_pointer_along(open_map, phix, view):
    page = await open_map(phix, view)
    for _ in range(5):
        await press(page, "+")
    before = await boxes(page)
    left, top, width, height = await frame_at(page)
    await page.mouse.move(left + width / 2, top + height / 2)
    await page.mouse.down()
    await page.mouse.move(left + width / 2 + 60, top + height / 2, steps=5)
    await page.mouse.up()
    await page.evaluate(SETTLED)
    after = await boxes(page)
    moved = [after[index][0] - before[index][0] for index in before.keys() & after.keys()]
    assert any(step == pytest.approx(60, abs=0.1) for step in moved)
    assert await page.evaluate("seen.filter(([what]) => what === 'select')") == []


async def test_the_window_of_the_overview_can_be_dragged(open_map, phage_lambda):
    page = await open_map(phage_lambda)
    for _ in range(6):
        await press(page, "+")
    bar = await page.locator(".gm-overview").bounding_box()
    await page.mouse.move(bar["x"] + bar["width"] / 2, bar["y"] + 10)
    await page.mouse.down()
    await page.mouse.move(bar["x"] + bar["width"] - SIDE_PX, bar["y"] + 10, steps=4)
    await page.mouse.up()
    await page.evaluate(SETTLED)
    assert "48,502 of 48,502 bp" in await page.locator(".gm-place").inner_text()
    await page.mouse.click(bar["x"] + SIDE_PX + 1, bar["y"] + 10)
    await page.evaluate(SETTLED)
    assert (await page.locator(".gm-place").inner_text()).startswith("1\N{EN DASH}")


@pytest.mark.parametrize("view", ["circular", "linear"])
@pytest.mark.parametrize("width", [1280, 360])
async def test_a_selected_gene_comes_into_view_and_can_be_seen(open_map, phage_lambda, view, width):
    given = phage_lambda | {"record": phage_lambda["record"] | {"topology": "circular"}}
    page = await open_map(given, view, viewport={"width": width, "height": 800})
    left, top, wide, high = await frame_at(page)
    for index in (62, 0, 31, 32):
        await run(page, "(index) => map.select(index)", index)
        mark = await page.locator(".gm-selected").bounding_box()
        assert max(mark["width"], mark["height"]) >= 12
        assert mark["x"] >= left - 2
        assert mark["x"] + mark["width"] <= left + wide + 2
        assert mark["y"] >= top - 2
        assert mark["y"] + mark["height"] <= top + high + 2
    await run(page, "map.select(null)")
    assert await page.locator(".gm-selected").count() == 0
    await run(page, "map.fit()")
    assert "1\N{EN DASH}48,502" in await page.locator(".gm-place").inner_text()


async def test_a_glide_ends_where_a_jump_goes(open_map, phix):
    for view in ("circular", "linear"):
        page = await open_map(phix, view)
        await run(page, "map.select(7)")
        await press(page, "+")
        jumped = await boxes(page)
        page = await open_map(phix, view, reduced_motion="no-preference")
        await run(page, "map.select(7)")
        await press(page, "+")
        await page.wait_for_function(
            f"""(wanted) => JSON.stringify(({BOXES})()) === wanted""",
            arg=json.dumps({str(k): v for k, v in jumped.items()}, separators=(",", ":")),
        )


async def test_the_drawing_follows_the_width_of_its_place(open_map, phage_lambda):
    page = await open_map(phage_lambda)
    await page.set_viewport_size({"width": 500, "height": 700})
    await page.wait_for_function(
        """() => document.querySelector(".gm-drawing").getBoundingClientRect().width
          === document.querySelector(".gm-frame").clientWidth"""
    )
    assert (await frame_at(page))[2] < 500


# -- what it is told, and tells


async def test_the_keyboard_reaches_every_gene(open_map, phage_lambda):
    page = await open_map(phage_lambda)
    await page.locator(".gm-buttons button").last.focus()
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


async def test_keys_that_move_nothing_are_left_to_the_page(open_map, phage_lambda):
    page = await open_map(phage_lambda, viewport={"width": 900, "height": 200})
    await page.locator(".gm-frame").focus()
    await page.keyboard.press("ArrowDown")
    await page.wait_for_function("scrollY > 0")


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


# -- files, hostile names, accessibility, speed


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("view", ["circular", "linear"])
async def test_the_file_is_an_svg_with_a_shape_for_every_gene_in_sight(
    open_map, phix, view, scheme
):
    page = await open_map(phix, view, color_scheme=scheme)
    for zooms in (0, 4):
        for _ in range(zooms):
            await press(page, "+")
        root = ElementTree.fromstring(await run(page, "map.svg()"))  # noqa: S314 - ours
        assert root.tag == f"{SVG}svg"
        assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
        assert root.find(f"{SVG}title") is not None
        assert root.find(f"{SVG}desc") is not None
        titled = [path for path in root.iter(f"{SVG}path") if path.find(f"{SVG}title") is not None]
        assert len(titled) == len(await boxes(page))
        names = {name for node in root.iter() for name in node.attrib}
        assert not names & {"class", "style", "data-index"}
        assert {node.tag.removeprefix(SVG) for node in root.iter()} <= {
            "svg", "g", "path", "line", "text", "rect", "title", "desc"
        }  # fmt: skip
        assert {path.get("fill") for path in titled} <= {
            "#0b4f8a", "#00765a", "#8a5a00", "#a8431a", "#ffffff"
        }  # fmt: skip


async def test_the_colours_of_the_file_are_those_of_the_light_page(open_map):
    genes = [gene(n, 1 + 1000 * n, 900 + 1000 * n) for n in range(4)]
    page = await open_map(small(genes), color_scheme="light")
    root = ElementTree.fromstring(await run(page, "map.svg()"))  # noqa: S314 - ours
    fills = [
        path.get("fill") for path in root.iter(f"{SVG}path") if path.find(f"{SVG}title") is not None
    ]
    drawn = await page.evaluate(
        """[...document.querySelectorAll("[data-index]")].map((n) => getComputedStyle(n).fill)"""
    )
    drawn = ["#" + bytes(map(int, re.findall(r"\d+", fill))).hex() for fill in drawn]
    assert fills == drawn


async def test_whatever_a_name_says_it_is_text(open_map):
    genes = [
        gene(n, 1 + 1900 * n, 1800 + 1900 * n, name=attack, id=attack, label=attack)
        for n, attack in enumerate(ATTACKS)
    ]
    given = small(genes)
    given["record"] |= {"id": ATTACKS[0], "description": ATTACKS[2]}
    harmless = await open_map(small([one | {"name": "a" * 40} for one in genes]))
    expected = await harmless.locator("*").count()
    page = await open_map(given)
    assert await page.locator("*").count() == expected
    for index, attack in enumerate(ATTACKS):
        await page.locator(f'[data-index="{index}"]').hover()
        assert attack.split("\u2028")[0] in await page.locator(".gm-tooltip").inner_text()
    root = ElementTree.fromstring(await run(page, "map.svg()"))  # noqa: S314 - ours
    assert root.find(f"{SVG}title").text == ATTACKS[2]
    assert not [node for node in root.iter() if node.tag.removeprefix(SVG) in {"script", "iframe"}]


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_axe_finds_nothing_serious(open_map, phix, scheme):
    page = await open_map(phix, color_scheme=scheme)
    found = await Axe().run(page)
    faults = [
        one for one in found.response["violations"] if one["impact"] in {"serious", "critical"}
    ]
    assert faults == []


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


FRAMES = """async (view) => {
  map.setView(view);
  const times = [];
  const frame = document.querySelector(".gm-frame");
  const press = (key) => frame.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const counts = [document.querySelectorAll(".gm-drawing *").length];
  for (const key of "+++++".split("").concat(Array(20).fill("ArrowRight"), Array(5).fill("-"))) {
    const began = performance.now();
    press(key);
    await painted();
    document.body.getBoundingClientRect();
    times.push(performance.now() - began);
    counts.push(document.querySelectorAll(".gm-drawing *").length);
  }
  times.sort((a, b) => a - b);
  return { most: Math.max(...counts), median: times[times.length >> 1], slowest: times.at(-1) };
}"""


async def test_a_bacterium_is_drawn_with_few_elements_and_quickly(open_map, shared_data):
    given = given_of(read_genome(shared_data / "genomes" / "E_coli_K12_MG1655_NC_000913.gbk.gz"))
    assert len(given["genes"]) > 4000
    page = await open_map(given)
    for view in ("circular", "linear"):
        found = await page.evaluate(FRAMES, view)
        print(
            f"{view}: at most {found['most']} elements, frames of {found['median']:.0f} ms,"
            f" the slowest {found['slowest']:.0f} ms"
        )
        assert found["most"] < 2000
        assert found["median"] < 100
