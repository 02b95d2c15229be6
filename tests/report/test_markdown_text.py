import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from genint.report import anchor, escaped, heading_text, table

READER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
"""CommonMark with tables and strike-through, raw HTML kept, as a forge reads it first."""


def text_of(html: str) -> str:
    inner = re.sub(r"<[^>]+>", "", html)
    for entity, character in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&amp;", "&")):
        inner = inner.replace(entity, character)
    return inner


def tags_of(html: str) -> list[str]:
    return re.findall(r"<(\w+)", html)


texts = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1)
marked = st.text(st.sampled_from("ab1 \\`*_[](){}<>|#~&$@!:/.-+='\"w"), min_size=1)


@example("&lt;")
@example("_x_")
@given(texts)
def test_escaped_text_reads_as_it_was(text):
    assert text_of(READER.render(f"x{escaped(text)}x")).strip() == f"x{text}x"


@pytest.mark.parametrize("frame", ["{}", "* {}", "1. {}", "* **{}**", "x\n{}", "| {} |\n| --- |\n"])
@example(text="\\|")
@example(text="- a")
@example(text="1) a")
@example(text="---")
@given(text=marked)
def test_no_mark_means_anything_wherever_it_stands(frame, text):
    plain, words = READER.render(frame.format("word")), " ".join(text.split())
    html = READER.render(frame.format(escaped(text)))
    if words:
        assert tags_of(html) == tags_of(plain)
        assert text_of(html).split() == text_of(plain).replace("word", words).split()


@pytest.mark.parametrize(
    "text",
    ["NC_001416_00010", "terminase, small subunit", "5'-nucleotidase (EC 3.1.3.5)", "35.0 (pack)"],
)
def test_usual_names_stay_as_they_are(text):
    assert escaped(text) == text


def test_control_characters_never_reach_the_reader():
    assert escaped("a\x1b[31mb\u202ec\x07") == "a\ufffd\\[31mb\ufffdc\ufffd"


@pytest.mark.parametrize(
    ("text", "linked"),
    [
        ("see https://evil.example/x", r"[a-z]://"),
        ("HTTP://evil.example", r"(?i)[a-z]://"),
        ("ftp://evil.example", r"[a-z]://"),
        ("www.evil.example", r"www\."),
        ("WWW.evil.example", r"(?i)www\."),
        ("mail a.b@evil.example", r"@[a-z]"),
        ("mailto:a@b.example", r"@[a-z]"),
        ("thanks to @octocat", r"@[a-z]"),
        ("a :smile: b", r":[a-z]+:"),
        ("a :+1: b", r":\+1:"),
        ("costs $x$ or $$y$$", r"(?<!\\)\$"),
    ],
)
def test_nothing_that_forges_look_for_is_left(text, linked):
    assert re.search(linked, text)
    assert re.search(linked, escaped(text)) is None
    assert text_of(READER.render(escaped(text))).strip() == text


@given(st.lists(st.lists(marked, min_size=3, max_size=3), min_size=1, max_size=4))
def test_a_table_keeps_its_cells_whatever_stands_in_them(rows):
    cells = [[escaped(cell) for cell in row] for row in rows]
    html = READER.render(table(("a", "b", "c"), cells))
    read = [text_of(cell).split() for cell in re.findall(r"<td>(.*?)</td>", html, re.DOTALL)]
    assert read == [cell.split() for row in rows for cell in row]


def test_columns_line_up_but_a_long_cell_pushes_no_other_away():
    lines = table(("a", "b"), [("x", "y"), ("four", "y"), ("z" * 99, "y")]).splitlines()
    assert lines[0].index("b") == lines[2].index("y") == lines[3].index("y")
    assert len(lines[0]) < 40


@pytest.mark.parametrize(
    ("name", "heading"),
    [
        ("nu1", "nu1"),
        ("ea8.5", "ea8.5"),
        ("orf-64", "orf-64"),
        ("S'", "S'"),
        ("b_0001", "b_0001"),
        ("www.evil", None),
        ("a--b", None),
        ("-a", None),
        ("a b", None),
        ("ü", None),
        ("<b>", None),
        ("", None),
    ],
)
def test_only_names_that_all_forges_treat_alike_stand_in_headings(name, heading):
    assert heading_text(name) == heading


def test_anchors_are_made_as_forges_make_them():
    assert anchor("Gene 12: S'") == "gene-12-s"
    assert anchor("Gene 7: ea8.5") == "gene-7-ea85"
    assert anchor("Gene 1: orf_A-2") == "gene-1-orf_a-2"
