"""Colours and words of figures are those of the page, and are told apart by eyes of all kinds."""

import re
from itertools import combinations
from math import dist
from pathlib import Path

import pytest

import genint
from genint.model import Category
from genint.report.figures.palette import (
    CRISPR,
    DARK,
    LOOKS,
    OTHER_STRAND,
    RNA,
    SAME_STRAND,
    SKEW_ABOVE,
    SKEW_BELOW,
    look_of,
    mixed,
)
from tests.builders.colours import EYES, contrast, seen

SCRIPTS = Path(genint.__file__).parent / "report" / "page" / "scripts"
LIGHT = dict(
    re.findall(r'^  "?([\w-]+)"?: "(#\w{6})",$', (SCRIPTS / "map_colours.js").read_text(), re.M)
)
GROUPS = re.findall(
    r'css: "(\w+)", word: "([^"]+)",(?: pale: true,)?\s+categories: \[([^]]+)\]',
    (SCRIPTS / "map_groups.js").read_text(),
)
OF_CATEGORIES = [look for look in LOOKS if look not in {DARK, RNA, CRISPR}]


def test_groups_are_those_of_the_page_in_its_order():
    assert [(look.key, look.word) for look in OF_CATEGORIES] == [name[:2] for name in GROUPS]


def test_every_category_has_the_group_of_the_page():
    of_page = {name: key for key, _, names in GROUPS for name in re.findall(r'"([^"]+)"', names)}
    assert {category.value: look_of(category).key for category in Category} == of_page


def test_colours_of_groups_are_those_of_the_page():
    for look in OF_CATEGORIES:
        assert look.fill == LIGHT["none" if look.key == "other" else f"gm-{look.key}"], look


@pytest.mark.parametrize("eyes", EYES)
def test_any_two_looks_are_apart_for_eyes_of_all_kinds(eyes):
    for one, other in combinations(LOOKS, 2):
        assert dist(seen(one.fill, eyes), seen(other.fill, eyes)) >= 0.06, (one.word, other.word)
    assert dist(seen(SKEW_ABOVE, eyes), seen(SKEW_BELOW, eyes)) >= 0.2
    assert dist(seen(SAME_STRAND[1], eyes), seen(OTHER_STRAND[1], eyes)) >= 0.06


def test_every_look_is_seen_on_paper():
    for look in LOOKS:
        assert max(contrast(colour, "#ffffff") for colour in (look.fill, look.edge)) >= 3, look


def test_a_mixed_colour_runs_from_one_end_to_the_other():
    assert [mixed(("#000000", "#ff8000"), share) for share in (-1, 0, 0.5, 1, 2)] == [
        "#000000", "#000000", "#804000", "#ff8000", "#ff8000",
    ]  # fmt: skip
