"""The genome map in a real browser: which genes have names, and where."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from genint.formats import read_genome
from genint.knowledge import load_products
from genint.report import page as page_package
from genint.report.figures.names import LONGEST_LABEL, function_label
from genint.report.wording import shown_text
from tests.browser.map_pages import (
    SLANTED,
    frame_at,
    gene,
    given_of,
    press,
    run,
    small,
)

NAMES = """() => [...document.querySelectorAll(".gm-layer-labels text")].map((node) => {
  const { left, top, right, bottom } = node.getBoundingClientRect();
  return [node.textContent, left, top, right, bottom, node.classList.contains("gm-hushed")];
})"""


@pytest.fixture(scope="module")
def phix(examples: Path) -> dict[str, Any]:
    """The genes of phiX174 with names as long as the accessions that files have for them."""
    given = given_of(read_genome(examples / "phiX174.gbk"))
    for number, one in enumerate(given["genes"]):
        one |= {"name": f"NP_0407{number:02}.1", "level": 1}
    return given


async def test_figures_shorten_functions_as_the_page_does(watched):
    """The short forms of the page and of the figures agree, over all names of the vocabulary."""
    functions = [name for product in load_products().products.values() for name in product.names]
    functions += [f"contains a region like {name}" for name in functions[:500]]
    labels = {
        name: label
        for name in functions
        if len(name) <= LONGEST_LABEL and (label := function_label(name)) is not None
    }
    assert len(labels) > 3000
    page = (await watched("about:blank")).page
    source = Path(page_package.__file__).parent / "scripts" / "map_names.js"
    script = source.read_text("utf-8").replace("export function", "function")
    shorten = f"(names) => {{ {script}; return names.map((name) => shortFunction(name, 1000)); }}"
    shown = await page.evaluate(shorten, [shown_text(name) for name in labels])
    assert [pair for pair in zip(labels.values(), shown, strict=True) if pair[0] != pair[1]] == []


async def names(page: Any) -> list[Any]:
    found = await page.evaluate(NAMES)
    assert found
    return found


@pytest.mark.parametrize("view", ["circular", "linear"])
async def test_a_gene_longer_than_the_view_has_its_name_in_the_view(open_map, view):
    genes = [gene(0, 7001, 6000, level=0), gene(1, 7500, 5900, lane=1, level=0)]
    page = await open_map(small(genes, "circular"), view)
    for _ in range(5):
        await press(page, "+")
    left, top, wide, high = await frame_at(page)
    for name in ("g0", "g1"):
        (box,) = [one[1:5] for one in await names(page) if one[0] == name]
        assert left <= box[0] < box[2] <= left + wide
        assert top <= box[1] < box[3] <= top + high


@pytest.mark.parametrize("view", ["circular", "linear"])
async def test_all_genes_of_phix174_have_a_name(open_map, phix, view):
    page = await open_map(phix, view)
    assert {one[0] for one in await names(page)} == {one["name"] for one in phix["genes"]}


async def test_genes_behind_the_origin_have_a_name_there_where_there_is_room(open_map, phix):
    page = await open_map(phix, "linear")
    left, _, wide, _ = await frame_at(page)
    behind = {one["name"] for one in phix["genes"] if one["end"] < one["start"]}
    there = {name for name, at, *_ in await names(page) if name in behind and at < left + wide / 8}
    assert len(behind) == 3
    assert there  # the two others lie under it


async def test_hits_of_a_filter_have_names_before_all_others(open_map):
    genes = [gene(n, 1 + 100 * n, 95 + 100 * n, name=f"long name {n}") for n in range(100)]
    page = await open_map(small(genes))
    before = {one[0] for one in await names(page)}
    hits = next(n for n in range(20, 90) if f"long name {n}" not in before)
    await run(page, "(hits) => map.setShown((g) => [hits, hits + 1].includes(g.index))", hits)
    found = await names(page)
    assert {one[0] for one in found if not one[5]} == {f"long name {hits}", f"long name {hits + 1}"}
    assert any(one[5] for one in found)
    places = sorted(x for x, *_ in await page.evaluate(SLANTED))
    assert min(later - earlier for earlier, later in pairwise(places)) >= 15.6


async def test_a_few_hits_have_names_where_genes_are_too_narrow_to_be_seen(open_map):
    genes = [gene(n, 1 + 200 * n, 180 + 200 * n, level=0) for n in range(5000)]
    page = await open_map(small(genes, length=1_000_000))
    await run(page, "map.setShown((g) => [1200, 2500].includes(g.index))")
    assert {one[0] for one in await names(page)} == {"g1200", "g2500"}


@pytest.mark.parametrize(
    ("known", "shown"),
    [
        ({}, "portal protein"),
        ({"name": "orf7"}, "portal protein"),
        ({"name": "gp12"}, "portal protein"),
        ({"name": "TAG_07", "locus": "TAG_07"}, "portal protein"),
        ({"name": "cro"}, "cro"),
        ({"level": 2}, "portal protein?"),
        ({"label": "contains an AAA domain"}, "AAA domain"),
        ({"label": "contains a region like tail fiber protein"}, "tail fiber-like region"),
        ({"label": "single-stranded DNA-binding protein"}, "ssDNA-binding protein"),
        ({"label": "dark matter", "level": 4}, "00070"),
    ],
)
async def test_a_gene_is_called_by_its_symbol_or_else_by_what_it_does(open_map, known, shown):
    plain = gene(0, 1, 9000, level=0, id="R1_00070", name="R1_00070", label="portal protein")
    page = await open_map(small([plain | known]))
    assert [one[0] for one in await names(page)] == [shown]


async def test_a_long_name_of_a_domain_still_says_that_it_is_one(open_map):
    label = "contains an ATPase, AAA-type, core domain"
    genes = [
        gene(n, 1 + 300 * n, 290 + 300 * n, level=0, id=f"x{n}", name=f"x{n}", label=label)
        for n in range(30)
    ]
    page = await open_map(small(genes), viewport={"width": 1280, "height": 800})
    found = {one[0] for one in await names(page)}
    assert found <= {"ATPase, AAA-type domain", "ATPase domain"}


async def test_no_gene_of_known_function_is_called_by_its_id_on_the_map_of_a_fasta_file(
    opened, phage
):
    page = await opened(phage)
    await page.locator(".gm-layer-labels text").first.wait_for()
    shown = await page.locator(".gm-layer-labels text").all_text_contents()
    numbers = {gene.id.rsplit("_", 1)[1]: gene for gene in phage.genes}
    assert {"terminase large subunit", "portal protein", "endolysin"} <= set(shown)
    assert all(numbers[name].is_dark for name in shown if name in numbers)
    assert not [name for name in shown if name.startswith("NC_")]
