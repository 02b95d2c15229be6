"""The palette of the genome map: on paper, for eyes of all kinds, and in saved files."""

from __future__ import annotations

import re
from itertools import combinations
from math import dist

import pytest

from genint.model import Category
from tests.browser.map_pages import SOURCES
from tests.builders.colours import EYES, contrast, seen

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
