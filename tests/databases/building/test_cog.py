"""Tables of COG."""

from __future__ import annotations

import pytest

from genint.databases.build.go import build_cog as build
from genint.errors import FormatError

CATEGORIES = "J\tINFORMATION\t#FCCCFC\tTranslation\nX\tMOBILE\t#FFFFFF\tMobilome\n"
GROUPS = "COG9001\tJ\tFactor one\tMadA\tTranslation\t\t\nCOG9002\tJX\tFactor two\n"


@pytest.fixture
def built(tmp_path):
    """Builds the two tables and gives the rows of both."""

    def build_of(groups: str | bytes = GROUPS, categories: str = CATEGORIES):
        content = groups if isinstance(groups, bytes) else groups.encode()
        (tmp_path / "cog-24.def.tab").write_bytes(content)
        (tmp_path / "cog-24.fun.tab").write_text(categories)
        sources = {name: tmp_path / name for name in ("cog-24.def.tab", "cog-24.fun.tab")}
        made = build(sources, tmp_path, lambda _: None)
        return made, *(
            [line.split("\t") for line in (tmp_path / name).read_text("utf-8").splitlines()]
            for name in ("definitions.tsv", "categories.tsv")
        )

    return build_of


def test_groups_have_letters_name_and_symbol(built):
    made, groups, _ = built()
    assert made.entries == 2
    assert groups == [["COG9001", "J", "Factor one", "MadA"], ["COG9002", "JX", "Factor two", ""]]


def test_categories_are_letter_and_name(built):
    assert built()[2] == [["J", "Translation"], ["X", "Mobilome"]]


def test_categories_of_an_older_release_with_fewer_columns_are_read(built):
    assert (
        built(categories="J\tFCCCFC\tTranslation\nX\tAAAAAA\tMobilome\n")[2][0][1] == "Translation"
    )


def test_latin_1_is_read_as_what_it_is(built):
    groups = "COG9001\tJ\tFactor of K\xf6nig\n".encode("latin-1")
    assert built(groups)[1][0][2] == "Factor of K\xf6nig"


def test_windows_line_ends_and_blank_lines_do_no_harm(built):
    assert built(GROUPS.replace("\n", "\r\n\r\n"))[1] == built()[1]


@pytest.mark.parametrize(
    ("groups", "said"),
    [
        ("COG9001\tJ\tFine\nCOG9002\n", r"cog-24\.def\.tab, line 2: a group, letters"),
        ("KOG1\tJ\tName\n", r"line 1: 'KOG1' is no COG id"),
        ("COG9001\tQ\tName\n", r"line 1: COG9001 has the unknown category 'Q'"),
        ("COG9001\t\tName\n", "unknown category ''"),
        ("COG9001\tJ\t\n", "COG9001 has no name"),
        ("COG9001\tJ\tA\nCOG9001\tX\tB\n", r"line 2: COG9001 appears twice"),
        ("\n", "no group"),
        ("<html>\n", "line 1: a group"),
    ],
)
def test_a_malformed_table_is_refused_with_its_line(built, groups, said):
    with pytest.raises(FormatError, match=said):
        built(groups)


@pytest.mark.parametrize("categories", ["", "JJ\tx\tName\n", "J\n", "J\ta\nJ\tb\n"])
def test_malformed_categories_are_refused(built, categories):
    with pytest.raises(FormatError, match=r"cog-24\.fun\.tab"):
        built(categories=categories)
