"""The palette of the genome map: on paper, for eyes of all kinds, and in saved files."""

from __future__ import annotations

import re
from itertools import combinations
from math import dist

import pytest

from genint.model import Category
from tests.browser.map_pages import SOURCES

SCRIPTS = SOURCES / "scripts"
STYLES = "\n".join((SOURCES / "styles" / f"{name}.css").read_text() for name in ("colours", "map"))
LIGHT = dict(
    re.findall(r'^  "?([\w-]+)"?: "(#\w{6})",$', (SCRIPTS / "map_colours.js").read_text(), re.M)
)
COLOURS = {
    name: {"light": light, "dark": dark}
    for name, light, dark in re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", STYLES)
}
GROUPS = re.findall(
    r'css: "(\w+)", word: "([^"]+)",(?: pale: (true),)?\s+categories: \[([^]]+)\]',
    (SCRIPTS / "map_groups.js").read_text(),
)
COLOURED = [f"gm-{css}" for css, *_ in GROUPS if css != "other"] + ["none"]


def linear_rgb(colour: str) -> tuple[float, ...]:
    shares = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return tuple(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shares)


def contrast(one: str, other: str) -> float:
    """Contrast ratio of WCAG 2.2."""
    high, low = sorted(
        (sum(map(float.__mul__, (0.2126, 0.7152, 0.0722), linear_rgb(c))) for c in (one, other)),
        reverse=True,
    )
    return (high + 0.05) / (low + 0.05)


def times(matrix: tuple[tuple[float, ...], ...], values: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(sum(a * b for a, b in zip(row, values, strict=True)) for row in matrix)


# Machado, Oliveira and Fernandes 2009 (doi:10.1109/TVCG.2009.113), severity 1.
EYES = {
    "usual": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}  # fmt: skip
# Oklab (Ottosson 2020): in it a distance of 0.02 is just seen.
TO_CONES = (
    (0.4122214708, 0.5363325363, 0.0514459929), (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)  # fmt: skip
TO_LAB = (
    (0.2104542553, 0.7936177850, -0.0040720468), (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)  # fmt: skip


def seen(colour: str, eyes: str) -> tuple[float, ...]:
    light = tuple(max(0.0, value) for value in times(EYES[eyes], linear_rgb(colour)))
    return times(TO_LAB, tuple(value ** (1 / 3) for value in times(TO_CONES, light)))


def test_every_category_is_in_one_group():
    found = [name for *_, names in GROUPS for name in re.findall(r'"([^"]+)"', names)]
    assert sorted(found) == sorted(Category)
    assert 8 <= len(GROUPS) <= 10


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colours_of_groups_stand_out_from_the_paper_and_from_one_another(theme):
    shades = {name: COLOURS[name][theme] for name in COLOURED}
    paper = COLOURS["paper"][theme]
    for name, shade in shades.items():
        assert contrast(shade, paper) >= 3, name
    for eyes in EYES:
        for one, other in combinations(shades, 2):
            apart = dist(seen(shades[one], eyes), seen(shades[other], eyes))
            assert apart >= 0.06, (eyes, one, other)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_names_on_coloured_genes_can_be_read(theme):
    for css, _, pale, _ in GROUPS:
        name = COLOURS["gm-on-pale" if pale else "paper"][theme]
        fill = COLOURS["none" if css == "other" else f"gm-{css}"][theme]
        assert contrast(name, fill) >= 4.5, css


def test_all_colours_of_files_are_those_of_the_light_theme():
    assert {name: COLOURS[name]["light"] for name in LIGHT} == LIGHT
    assert set(re.findall(r"LIGHT\.(\w+)", (SCRIPTS / "map_svg.js").read_text())) <= set(LIGHT)
    assert not re.findall(r"#[0-9a-f]{3,8}\b", (SCRIPTS / "map_svg.js").read_text())


def test_browsers_without_light_dark_get_the_light_colours_of_groups():
    plain = dict(re.findall(r"--(gm-[\w-]+): (#\w{6})", STYLES))
    assert plain == {name: both["light"] for name, both in COLOURS.items() if name in plain}
    assert {name for name in COLOURS if name.startswith("gm-")} == set(plain)
