"""The genome map in a real browser: GC tracks, what stays within the ring, and saved pictures."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from genint.formats import read_genome
from tests.browser.map_pages import boxes, gene, given_of, press, small

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
TRACKS = (".gm-gc-above", ".gm-gc-below", ".gm-skew-above", ".gm-skew-below")
BOX = "(n) => { const { x, y, width, height } = n.getBBox(); return { x, y, width, height }; }"
CORNERS = """(selector) => [...document.querySelectorAll(selector)].map((path) => {
  const length = path.getTotalLength();
  const steps = Array.from({ length: 200 }, (_, n) => path.getPointAtLength((length * n) / 199));
  return length ? steps.map(({ x, y }) => [x, y]) : [];
})"""


def with_tracks(given: dict[str, Any]) -> dict[str, Any]:
    """A record whose first half is rich in G and C, and richer in G than in C."""
    step = given["record"]["length"] // 100
    half = LETTERS[62] * 50 + LETTERS[0] * 50
    given["record"]["gc"] = {
        "step_bp": step, "window_bp": 2 * step, "mean": 0.5, "lowest": 0.4, "highest": 0.6,
        "content": half, "most_skew": 0.2, "skew": half,
    }  # fmt: skip
    return given


@pytest.fixture
def phix(examples: Path) -> dict[str, Any]:
    return with_tracks(given_of(read_genome(examples / "phiX174.gbk")))


async def circle(page: Page, selector: str = ".gm-backbone") -> tuple[float, float, float]:
    """Centre and radius of the circle that an arc is part of."""
    points = (await page.evaluate(CORNERS, selector))[0]
    (ax, ay), (bx, by), (cx, cy) = points[0], points[len(points) // 3], points[2 * len(points) // 3]
    d = 2 * (ax * (by - cy) + bx * (cy - ay) + cx * (ay - by))
    squares = [ax**2 + ay**2, bx**2 + by**2, cx**2 + cy**2]
    x = (squares[0] * (by - cy) + squares[1] * (cy - ay) + squares[2] * (ay - by)) / d
    y = (squares[0] * (cx - bx) + squares[1] * (ax - cx) + squares[2] * (bx - ax)) / d
    return x, y, math.hypot(ax - x, ay - y)


def lengths(points: list[list[float]], x: float, y: float) -> list[float]:
    return [math.hypot(one[0] - x, one[1] - y) for one in points]


async def test_a_linear_map_has_its_tracks_below_the_genes_up_where_above_the_line(open_map):
    page = await open_map(with_tracks(small([gene(0, 1, 5000), gene(1, 5001, 9900, "-")])))
    drawn = await boxes(page)
    for above, below in [TRACKS[:2], TRACKS[2:]]:
        high = await page.locator(above).evaluate(BOX)
        low = await page.locator(below).evaluate(BOX)
        assert high["y"] > max(y + height for _, y, _, height in drawn.values())
        assert high["y"] + high["height"] == pytest.approx(low["y"], abs=0.1)
        assert high["x"] + high["width"] / 2 < low["x"] + low["width"] / 2
    note = page.locator(".gm-tracks-note")
    await expect(note).to_contain_text("mean of 50.0 %; from 40.0 % to 60.0 %")
    await expect(note).to_contain_text("Windows of 200 bp, one every 100 bp")


async def test_a_circular_map_has_its_tracks_inside_the_ruler_outward_where_above(open_map, phix):
    page = await open_map(phix, viewport={"width": 1280, "height": 900})
    x, y, _ = await circle(page)
    rim = (await circle(page, ".gm-rim"))[2]
    sizes = {}
    for track in TRACKS:
        (points,) = await page.evaluate(CORNERS, track)
        sizes[track] = lengths(points, x, y)
        assert max(sizes[track]) < rim
    for above, below in [TRACKS[:2], TRACKS[2:]]:
        assert min(sizes[above]) >= max(sizes[below]) - 0.5
    assert min(sizes[".gm-gc-below"]) > max(sizes[".gm-skew-above"])


async def test_maps_of_records_without_tracks_have_no_place_for_them(open_map):
    page = await open_map(small([gene(0, 1, 5000)]))
    assert await page.locator(", ".join(TRACKS)).count() == 0
    await expect(page.locator(".gm-tracks-note")).to_be_hidden()


@pytest.mark.parametrize("width", [1280, 760, 360])
async def test_nothing_is_drawn_off_the_ring_at_any_zoom(open_map, phix, width):
    """Genes lie on their lanes, the tracks inside; names are beside genes and in the drawing."""
    page = await open_map(phix, viewport={"width": width, "height": 900})
    deep = 0.0
    for zoom in range(12):
        x, y, radius = await circle(page)
        rim = radius - (await circle(page, ".gm-rim"))[2]
        paths = await page.evaluate(CORNERS, ".gm-layer-genes path")
        away = [abs(one - radius) for points in paths for one in lengths(points, x, y)]
        deep = deep or max(away)
        assert max(away) <= deep + 0.5, zoom
        for points in await page.evaluate(CORNERS, ", ".join(TRACKS)):
            assert all(one < radius - rim for one in lengths(points, x, y)), zoom
        frame = await page.locator(".gm-drawing").bounding_box()
        for box in [await one.bounding_box() for one in await page.locator(".gm-outside").all()]:
            assert box["x"] >= frame["x"] - 4
            assert box["x"] + box["width"] <= frame["x"] + frame["width"] + 4
            corners = [
                (box["x"] - frame["x"] + across, box["y"] - frame["y"] + down)
                for across in (0, box["width"])
                for down in (0, box["height"])
            ]
            nearest = min(abs(math.hypot(a - x, b - y) - radius) for a, b in corners)
            assert nearest < deep + 60
        await press(page, "+")


async def test_no_bar_of_an_outer_lane_stands_off_the_ring_where_overlaps_cannot_be_seen(open_map):
    """Genes of a bacterium overlap: at first sight all are one ring, closer they have lanes."""
    overlapping = [
        gene(
            3 * n + lane,
            1 + 3000 * n + 300 * lane,
            2800 + 3000 * n - 300 * lane,
            lane=lane,
            level=0,
        )
        for n in range(300)
        for lane in range(3)
    ]
    page = await open_map(small(overlapping, "circular", 1_000_000))
    x, y, radius = await circle(page)
    shown = ".gm-layer-genes path"
    far = [max(lengths(points, x, y)) - radius for points in await page.evaluate(CORNERS, shown)]
    for _ in range(9):
        await press(page, "+")
    x, y, radius = await circle(page)
    paths = await page.evaluate(CORNERS, f"{shown}[data-index]")
    apart = sorted({round(max(lengths(points, x, y)) - radius) for points in paths})
    assert max(far) < apart[0] + 6
    assert apart[-1] > apart[0] + 30


RULER = """() => [...document.querySelectorAll(".gm-ruler")].map((node) => {
  const { left, top, right, bottom } = node.getBoundingClientRect();
  return [left, top, right, bottom, node.textContent];
})"""


@pytest.mark.parametrize("length", [4_641_652, 4_411_532, 1_852_433, 580_076, 48_502, 5_386])
async def test_numbers_on_the_ruler_of_a_circle_never_touch(open_map, length):
    given = small([gene(0, 1, 900), gene(1, 1001, 1900, "-")], length=length, topology="circular")
    page = await open_map(with_tracks(given))
    found = await page.evaluate(RULER)
    assert len(found) >= 4
    for at, (left, top, right, bottom, text) in enumerate(found):
        for other in found[at + 1 :]:
            apart = left > other[2] or right < other[0] or top > other[3] or bottom < other[1]
            assert apart, (text, other[4])
