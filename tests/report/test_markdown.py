import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from genint.report.markdown import escaped, render_markdown


def html_of(markdown: str) -> str:
    """As a forge renders it: CommonMark with tables and strike-through, raw HTML kept."""
    return (
        MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(markdown)
    )


def text_of(html: str) -> str:
    inner = re.sub(r"<[^>]+>", "", html)
    for entity, character in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&amp;", "&")):
        inner = inner.replace(entity, character)
    return inner


@pytest.mark.parametrize(
    "field",
    [
        "Hypothesis:",
        "Confidence:",
        "COG:",
        "GO:",
        "Evidence:",
        "Reasoning:",
        "Uncertainty:",
        "## Records",
        "## Dark matter",
        "## Databases and parameters",
        "Pfam",
    ],
)
def test_the_report_shows_what_the_specification_asks_for(phix_result, field):
    assert field in render_markdown(phix_result)


def test_every_gene_has_a_section_with_numbered_reasoning(phix_result):
    report = render_markdown(phix_result)
    for gene in phix_result.genes:
        title = f"### {gene.name}:" if not gene.is_dark else f". {gene.name} (dark"
        assert title in report
        for at, step in enumerate(gene.reasoning_chain, start=1):
            assert f"\n{at}. {escaped(step)}" in report


def test_nothing_in_a_product_becomes_markup(nasty_result):
    html = html_of(render_markdown(nasty_result))
    assert "<script" not in html
    assert "<code>" not in html
    assert "<a href" not in html
    assert "tail | fiber <script>alert(1)</script> `code` *bold* [link](x) # protein" in text_of(
        html
    )


def test_tables_keep_their_columns_whatever_the_names(nasty_result):
    html = html_of(render_markdown(nasty_result))
    for table in re.findall(r"<table>.*?</table>", html, re.DOTALL):
        widths = {
            len(re.findall(r"<t[hd]\b", row))
            for row in re.findall(r"<tr>.*?</tr>", table, re.DOTALL)
        }
        assert len(widths) == 1


@example("&lt;")
@example("_x_")
@given(st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1))
def test_escaped_text_reads_as_it_was(text):
    assert text_of(html_of(f"x{escaped(text)}x")).strip() == f"x{text}x"


def test_words_with_underscores_stay_readable():
    assert escaped("NC_001416_00010") == "NC_001416_00010"


def test_the_same_result_gives_the_same_text(phix_result):
    assert render_markdown(phix_result) == render_markdown(phix_result)


def test_control_characters_never_reach_the_reader(phix_result):
    assert escaped("a\x1b[31mb\u202ec\x07") == "a\ufffd\\[31mb\ufffdc\ufffd"
