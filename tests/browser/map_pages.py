"""A page with nothing but a genome map, under the policy of the report, and its handling."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from playwright.async_api import Page

from genint.model import Genome
from genint.report import lanes_of

SOURCES = Path(__file__).resolve().parents[2] / "genint" / "report" / "page"
IMPORT = re.compile(r'^import .* from "\./(\w+)\.js";\n', re.MULTILINE)
SIDE_PX = 16
"""Margin of the linear map on both sides."""
STILL = {"reduced_motion": "reduce"}
SVG = "{http://www.w3.org/2000/svg}"
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
SLANTED = """() => [...document.querySelectorAll(".gm-outside[transform]")].map((node) => {
  const { left, top, right, bottom } = node.getBoundingClientRect();
  const turn = Number(/rotate\\((-?[\\d.]+)/.exec(node.getAttribute("transform"))[1]);
  return [Number(node.getAttribute("x")), turn, [left, top, right, bottom]];
})"""
"""Where each slanted name begins, by how many degrees it is turned, and its box on the page."""
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


async def open_page(
    watched: Any, folder: Path, given: dict[str, Any], view: str | None = None, **context: Any
) -> Page:
    """A page with the map of what is given; the map draws without gliding."""
    file = folder / "map.html"
    file.write_text(map_page(given), encoding="utf-8")
    page = (await watched(file.as_uri(), **(STILL | context))).page
    await page.goto(file.as_uri())
    if view:
        await page.evaluate("(kind) => map.setView(kind)", view)
    await page.evaluate(SETTLED)
    return page


def gene(index: int, start: int, end: int, strand: str = "+", **more: Any) -> dict[str, Any]:
    """A gene as the page knows it; its level is that of its place in the list."""
    name = f"g{index}"
    plain = {
        "index": index,
        "id": f"record_{index}",
        "name": name,
        "lane": 0,
        "level": index % 5,
        "score": 0.5,
    }
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
