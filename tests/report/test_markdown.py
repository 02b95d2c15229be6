import re
from functools import lru_cache

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from genint.model import FOLDSEEK, HHPRED
from genint.report import (
    GenintResult,
    anchor,
    escaped,
    heading,
    heading_text,
    render_markdown,
    shown_text,
)
from genint.report.markdown_genes import gene_section
from tests.builders.hostile_results import rewritten, with_everything

from .real_genomes import E_COLI, interpreted

READER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])

MARKUP = {"html_inline", "link_open", "code_inline"}
HOSTILE = (
    "<script>alert(1)</script>",
    "</td></tr></table>",
    "<!-- hidden",
    "-->",
    "|", "\\|", "\\", "`", "```", "``` x", "*", "**", "_", "__", "~~", "~",
    "[x](https://evil.example)", "![x](y)", "[x]: y", "[^1]", "]", "[ ]",
    "&lt;b&gt;", "&amp", "#", "# x", "> x", "- x", "+ x", "1. x", "1) x", "---", "===", "***",
    "$x$", "$$", "@octocat", ":smile:", "https://evil.example", "www.evil.example",
    "a@evil.example", "{x}", "=1+1", "a\n\n# b", "a\r\n- b", "\x1b[31m", "\u202e", "    x", "\t x",
)  # fmt: skip


PLAIN = "plxyzn"
"""A word that stands nowhere else in a report."""


@lru_cache(maxsize=4)
def parsed(markdown: str) -> tuple[Token, ...]:
    """The blocks of a text; each text is read once and asked several things."""
    return tuple(READER.parse(markdown))


def shape(markdown: str) -> list[tuple[str, str, int]]:
    """The tree of a text: what stands in what, without the words."""
    return [
        (token.type, token.tag, token.level)
        for block in parsed(markdown)
        for token in (block, *(block.children or ()))
        if token.type != "text" and not is_cut(token)
    ]


def is_cut(token: Token) -> bool:
    """The empty comment that keeps forges from calling people and drawing pictures."""
    return token.type == "html_inline" and token.content == "<!-- -->"


def words(markdown: str) -> str:
    pieces = (
        "".join("" if is_cut(child) else child.content for child in block.children or ())
        for block in parsed(markdown)
        if block.type == "inline"
    )
    return "\n".join(pieces)


@pytest.fixture(scope="module")
def full(phix_result) -> GenintResult:
    return with_everything(phix_result)


@pytest.fixture(scope="module")
def lambda_result(examples) -> GenintResult:
    return interpreted(examples / "lambda.fasta").result


@pytest.mark.parametrize(
    "field",
    [
        "Confidence:",
        "COG:",
        "GO:",
        "only the file names it",
        "[0.85] The file (",
        "Uncertainty:",
        "Conflicts:",
        "Competing hypotheses:",
        "## Records",
        "## Dark matter",
        "## Databases and parameters",
        "Pfam",
        "Coliphage phiX174",
        "* Sequence features: transmembrane segment 7-25",
        "* Gene context: tail by the neighbours (right for 82% of such genes)",
        "* In tests on unseen phages 96% of HIGH calls were correct (312 of 325; 95% interval",
        "11 genes: ",
    ],
)
def test_the_report_shows_what_the_specification_asks_for(full, field):
    assert field.lower() in render_markdown(full).lower()


def test_programs_and_databases_are_named_with_their_versions(phix_result):
    program = {"name": "pyrodigal", "version": "3.6.3"}
    result = GenintResult.model_validate(phix_result.model_dump() | {"programs": [program]})
    report = render_markdown(result)
    assert "\n* Programs: pyrodigal 3.6.3\n" in report
    assert re.search(r"\| Pfam +\| 35\.0 ", report)


def test_every_gene_has_a_section_with_numbered_reasoning(phix_result):
    report = render_markdown(phix_result)
    for number, gene in enumerate(phix_result.genes, start=1):
        assert report.count(f"\n### {heading(number, gene)}\n") == 1
        assert escaped(gene.summary) in report or f". {gene.name}** (dark" in report
        for at, step in enumerate(gene.reasoning_chain, start=1):
            shown = escaped(said_once(step))
            shown = re.sub(r"\\\[([+-][\d.]+)\\\]", r"[\1]", shown)
            assert re.search(rf"\n{at}\. (\[\d\.\d\d\] )?{re.escape(shown)}", report)


def test_how_many_names_of_a_family_agree_is_said_in_the_chain_or_in_the_doubt(phix_result):
    gene = next(gene for gene in phix_result.genes if not gene.is_dark)
    doubt = "the names in family GF00000001 differ: 3 of 7 members have this one (70%)"
    step = "GF00000001: 3 of 7 named members from 9 records are called “tail protein”"
    for chain, shown in [
        ((step,), "the names in family GF00000001 differ"),
        ((step.replace("3 of", "4 of"),), doubt),
        ((), doubt),
    ]:
        asked = gene.model_copy(update={"uncertainties": (doubt,), "reasoning_chain": chain})
        lines = gene_section(1, asked, records=1).split("\n")
        assert f"Uncertainty: {shown}" in lines


def said_once(step: str) -> str:
    """A step without what the report says once for all genes."""
    step = re.sub(r"(GO:\d{7}) (?:(?!, GO:|\.$).)+", r"\1", step)
    step = re.sub(r"(?<=^Classification: COG [A-Z]) \([^)]*\)", "", step)
    step = step.removeprefix("Classification: ")
    return step.replace(" log-odds, probability ", ", probability ")


def test_long_genomes_have_contents_that_link_to_every_section(lambda_result):
    report = render_markdown(lambda_result)
    links = re.findall(r"\]\(#([^)]+)\)", report)
    titles = re.findall(r"^### (.+)$", report, re.MULTILINE)
    assert len(links) == len(lambda_result.genes) > 40
    assert set(links) == {anchor(title) for title in titles}
    assert len(set(links)) == len(links)


def test_short_genomes_need_no_contents(phix_result):
    assert "## Contents" not in render_markdown(phix_result)


def test_links_work_with_hostile_names_too(lambda_result):
    for text in HOSTILE[::3]:
        result = rewritten(lambda_result, lambda old, text=text: text + old + text)
        report = render_markdown(result)
        titles = re.findall(r"^### (.+)$", report, re.MULTILINE)
        assert set(re.findall(r"\]\(#([^)]+)\)", report)) == {anchor(title) for title in titles}
        assert all(re.fullmatch(r"Gene \d+(: [\w.'-]+)?", title) for title in titles)


def rendered_with(full: GenintResult, text: str, where: str) -> str:
    """The report with a text in every place, before, behind or instead of what stands there."""
    ways = {
        "before": lambda old: f"{text} {old}",
        "behind": lambda old: f"{old}{text}",
        "instead": lambda old: text,
    }
    return render_markdown(rewritten(full, ways[where]))


@pytest.fixture(scope="module")
def clean_reports(full) -> dict[str, str]:
    """The reports with a harmless word, by its place."""
    return {where: rendered_with(full, PLAIN, where) for where in ("before", "behind", "instead")}


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("where", ["before", "behind", "instead"])
def test_hostile_text_changes_nothing_but_the_words(full, clean_reports, text, where):
    """A report with a text in every place has the tree and the words of its twin."""
    hostile, clean = rendered_with(full, text, where), clean_reports[where]
    assert shape(hostile) == shape(clean)
    assert not any(token.type.startswith(("html", "link", "image")) for token in tokens(hostile))
    assert told(clean).count(PLAIN) > 100
    assert told(hostile) == told(clean).replace(PLAIN, "".join(shown_text(text).split()))


def told(markdown: str) -> str:
    """All words without blanks and without the names that only some headings have."""
    named = re.sub(r"^(Gene \d+): .*$", r"\1", words(markdown), flags=re.MULTILINE)
    return "".join(named.split())


def tokens(markdown: str) -> list[Token]:
    return [
        token
        for block in parsed(markdown)
        for token in (block, *(block.children or ()))
        if not is_cut(token)
    ]


def test_nothing_in_a_product_becomes_markup(nasty_result):
    report = render_markdown(nasty_result)
    assert "tail | fiber <script>alert(1)</script> `code` *bold* [link](x) # protein" in words(
        report
    )
    found = [token for token in tokens(report) if token.type in MARKUP]
    assert not any(token.type == "html_inline" for token in found)
    assert all(re.fullmatch("[A-Z]+", one.content) for one in found if one.type == "code_inline")
    links = {one.attrs["href"] for one in found if one.type == "link_open"}
    assert links <= {HHPRED, FOLDSEEK}


def test_tables_keep_their_columns_whatever_the_names(nasty_result):
    html = READER.render(render_markdown(nasty_result))
    for table in re.findall(r"<table>.*?</table>", html, re.DOTALL):
        widths = {
            len(re.findall(r"<t[hd]\b", row))
            for row in re.findall(r"<tr>.*?</tr>", table, re.DOTALL)
        }
        assert len(widths) == 1


def test_parts_on_both_strands_are_told_with_their_strands(phix_result):
    part = phix_result.genes[0].parts[0]
    parts = (part, part.model_copy(update={"start": 9, "end": 99, "strand": "-"}))
    gene = phix_result.genes[0].model_copy(update={"parts": parts})
    report = render_markdown(phix_result.model_copy(update={"genes": (gene,)}))
    assert f" {part.start}-{part.end}(+), 9-99(-), {gene.length_aa} aa" in report


def test_the_same_result_gives_the_same_text(phix_result):
    assert render_markdown(phix_result) == render_markdown(phix_result)


@pytest.mark.parametrize("real", [E_COLI], indirect=True)
def test_every_gene_of_escherichia_coli_is_rendered_with_its_name(real):
    report = render_markdown(real.result)
    assert report.count("\n### Gene ") == 4319
    assert sum(heading_text(gene.name) is None for gene in real.result.genes) == 0
