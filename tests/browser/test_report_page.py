"""Reports in a real browser: they need nothing, and nothing in them runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from genint.formats import read_genome_bytes
from genint.interpret.judgement import Judgement
from genint.interpret.pipeline import interpret, novel_genes
from genint.knowledge.confidence import load_confidence
from genint.knowledge.roles import load_roles
from genint.model.interpretation import InterpretationSummary, Parameters
from genint.report.build import build_result
from genint.report.html import anchor, render_html
from genint.report.result import GenintResult
from genint.sources import annotation

ATTACKS = (
    "<script>ran(1)</script>",
    "<img src=x onerror=ran(2)>",
    "<svg onload=ran(3)>",
    "</style></title><script>ran(4)</script>",
    "'><iframe srcdoc='<script>parent.ran(5)</script>'>",
    "<a href=javascript:ran(6)>click</a>",
    "<details open ontoggle=ran(7)>",
    "{{ran(8)}}<style>@import '//evil.example/x'</style>",
)


def result_of(content: bytes, filename: str) -> GenintResult:
    """Interpreted on annotations alone: quick, and all texts of the file are in it."""
    genome = read_genome_bytes(content, filename)
    results = interpret(
        genome,
        annotation.observe(genome.genes),
        (),
        Judgement(load_confidence(), load_roles()),
    )
    summary = InterpretationSummary(
        genome=genome,
        results=results,
        novel_gene_report=novel_genes(results),
        parameters=Parameters(),
        databases=(),
        genint_version="0.0.0",
    )
    return build_result(summary, load_confidence())


def with_texts(genbank: str, text: str) -> bytes:
    """The record with a text in its definition, organism, and every gene."""
    quoted = text.replace('"', '""')
    lines = []
    for line in genbank.splitlines():
        stem = line.strip().split("=")[0]
        if stem in {"/product", "/gene", "/organism", "/note"}:
            lines.append(f'{" " * 21}{stem}="{quoted}"')
        elif line.startswith("DEFINITION"):
            lines.append(f"DEFINITION  {text}.")
        elif line.startswith(" ") and '="' not in line and line.endswith('"') and "/" not in line:
            continue  # the rest of a text that was replaced
        else:
            lines.append(line)
    return "\n".join(lines).encode()


@pytest.fixture(scope="module")
def genbank(examples: Path) -> str:
    return (examples / "phiX174.gbk").read_text()


async def test_a_report_opens_from_disk_and_asks_for_nothing(watched, tmp_path, genbank):
    file = tmp_path / "report.html"
    file.write_text(render_html(result_of(genbank.encode(), "phiX174.gbk")), encoding="utf-8")
    visit = await watched(file.as_uri())
    await visit.page.goto(file.as_uri())
    assert await visit.page.locator("h1").inner_text() == "phiX174.gbk"
    assert [url for url in visit.requests if not url.startswith("data:")] == [file.as_uri()]
    assert await visit.page.evaluate("document.scripts.length") == 0
    colour = "getComputedStyle(document.querySelector('.lv.moderate')).backgroundColor"
    assert await visit.page.evaluate(colour) != "rgba(0, 0, 0, 0)"  # the style sheet is in force


async def test_a_deep_link_opens_the_gene_that_it_names(watched, tmp_path, genbank):
    result = result_of(genbank.encode(), "phiX174.gbk")
    file = tmp_path / "report.html"
    file.write_text(render_html(result), encoding="utf-8")
    gene = next(gene for gene in result.genes if not gene.is_dark)
    page = (await watched(file.as_uri())).page
    await page.goto(f"{file.as_uri()}#{anchor(gene.id)}")
    await page.get_by_text(gene.reasoning_chain[0]).first.wait_for(state="visible")
    assert await page.locator("details[open]").count() == 1


async def test_a_report_fits_a_narrow_screen(watched, tmp_path, genbank):
    file = tmp_path / "report.html"
    file.write_text(render_html(result_of(genbank.encode(), "phiX174.gbk")), encoding="utf-8")
    page = (await watched(file.as_uri(), viewport={"width": 360, "height": 700})).page
    await page.goto(file.as_uri())
    assert await page.evaluate("document.documentElement.scrollWidth") <= 360


async def test_nothing_that_a_genome_says_runs_in_its_report(watched, tmp_path, genbank):
    file = tmp_path / "report.html"
    page = (await watched(file.as_uri())).page

    async def elements(text: str) -> int:
        result = result_of(with_texts(genbank, text), f"{text}.gbk")
        assert any(text in (gene.product or "") for gene in result.genes)
        file.write_text(render_html(result), encoding="utf-8")
        await page.goto(file.as_uri())
        assert await page.locator("script, iframe, img, object, embed").count() == 0, text
        return await page.locator("*").count()

    expected = await elements("harmless")
    for attack in ATTACKS:
        assert await elements(attack) == expected, attack
