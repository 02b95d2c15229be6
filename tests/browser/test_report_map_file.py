"""The genome map in a real browser: the file that it is saved as, and hostile names."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from genint.formats import read_genome
from tests.browser.map_pages import (
    SVG,
    boxes,
    gene,
    given_of,
    press,
    run,
    small,
)

ATTACKS = (
    "<script>ran(1)</script>",
    "<img src=x onerror=ran(2)>",
    "</title></svg><svg onload=ran(3)>",
    "\"'><iframe srcdoc='<script>parent.ran(4)</script>'>",
    "]]>&lt;b&gt;&amp;\u2028",
)


@pytest.fixture(scope="module")
def phix(examples: Path) -> dict[str, Any]:
    return given_of(read_genome(examples / "phiX174.gbk"))


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


async def test_characters_that_xml_has_no_place_for_do_not_break_the_file(open_map):
    page = await open_map(small([gene(0, 1, 9000, name="a\x00b\x1b[31mc\ud800d\ufffe")]))
    root = ElementTree.fromstring(await run(page, "map.svg()"))  # noqa: S314 - ours
    assert any("a\ufffdb\ufffd[31mc\ufffdd\ufffd" in (node.text or "") for node in root.iter())
