"""The genome map in a real browser: which genes have names, and where."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from genint.formats import read_genome
from tests.browser.map_pages import (
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
    assert len(there) >= 2  # the lowest of the three lanes has nowhere to go


async def test_hits_of_a_filter_have_names_before_all_others(open_map):
    genes = [gene(n, 1 + 100 * n, 95 + 100 * n, name=f"long name {n}") for n in range(100)]
    page = await open_map(small(genes))
    before = {one[0] for one in await names(page)}
    hits = next(n for n in range(20, 90) if not before & {f"long name {n}", f"long name {n + 1}"})
    await run(page, "(hits) => map.setShown((g) => [hits, hits + 1].includes(g.index))", hits)
    found = await names(page)
    assert {one[0] for one in found if not one[5]} == {f"long name {hits}", f"long name {hits + 1}"}
    assert any(one[5] for one in found)
    for one, other in combinations(found, 2):
        apart = one[3] <= other[1] or other[3] <= one[1]
        assert apart or one[4] - 2 <= other[2] + 2 or other[4] - 2 <= one[2] + 2


async def test_a_few_hits_have_names_where_genes_are_too_narrow_to_be_seen(open_map):
    genes = [gene(n, 1 + 200 * n, 180 + 200 * n, level=0) for n in range(5000)]
    page = await open_map(small(genes, length=1_000_000))
    await run(page, "map.setShown((g) => [1200, 2500].includes(g.index))")
    assert {one[0] for one in await names(page)} == {"g1200", "g2500"}
