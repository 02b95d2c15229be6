"""What the drawer tells of weights, sequence features and neighbours."""

from __future__ import annotations

import math
import re

import pytest
from playwright.async_api import expect

from genint.model import Category, FeatureKind
from genint.report import (
    ContextItem,
    FeatureItem,
    GeneItem,
    GenintResult,
    printed_sum,
    printed_terms,
)
from tests.browser.report_pages import first_dark, with_domain

SEGMENT = FeatureKind.TRANSMEMBRANE
BOX = "(node) => { const { x, width } = node.getBoundingClientRect(); return [x, width]; }"

OPEN_FOLDS = "document.querySelectorAll('#drawer details').forEach((one) => { one.open = true; })"
"""Arithmetic is folded; what is folded has no text on the page."""


def number(text: str) -> float:
    return float(text.replace("\N{MINUS SIGN}", "-"))


def changed(result: GenintResult, gene: GeneItem, **values: object) -> GenintResult:
    genes = [one.model_copy(update=values) if one is gene else one for one in result.genes]
    return result.model_copy(update={"genes": tuple(genes)})


def seen(gene: GeneItem) -> tuple[FeatureItem, ...]:
    """Two segments in the first half of a protein."""
    half = gene.length_aa // 2
    places = ((1, half // 2), (half // 2 + 2, half))
    return tuple(
        FeatureItem(kind=SEGMENT, start=first, end=last, score=1.9, method="KD")
        for first, last in places
    )


async def test_the_sum_in_the_drawer_can_be_redone_by_hand(opened, phage):
    gene = with_domain(phage)
    best = gene.hypotheses[0]
    page = await opened(phage, f"#gene={gene.id}")
    await page.locator("#drawer .score").wait_for(state="attached")
    await page.evaluate(OPEN_FOLDS)
    shown = await page.locator("#drawer .score tbody td.num").all_inner_texts()
    *terms, total = map(number, shown)
    assert terms == [term.log_odds for term in printed_terms(best)]
    assert total == pytest.approx(sum(terms), abs=1e-9) == printed_sum(best)
    told = await page.locator("#drawer .score .total").inner_text()
    exponent = re.search(r"1 / \(1 \+ exp\((.+?)\)\)", told)
    assert 1 / (1 + math.exp(number(exponent[1]))) == pytest.approx(best.score, abs=0.02)


async def test_every_observation_says_what_it_adds(opened, phage):
    gene = with_domain(phage)
    page = await opened(phage, f"#gene={gene.id}")
    await page.locator("#drawer .evidence").wait_for()
    await page.evaluate(OPEN_FOLDS)
    items = await page.locator("#drawer .evidence > li").all_inner_texts()
    rows = await page.locator("#drawer .score tbody th").all_inner_texts()
    for term, row in zip(printed_terms(gene.hypotheses[0]), rows, strict=False):
        if term.number is not None:
            shown = f"{term.log_odds:+.2f}".replace("-", "\N{MINUS SIGN}")
            assert f"{shown} log-odds" in items[term.number - 1]
            assert row.endswith(f"#{term.number}")
    assert all("Adds" in item for item in items)


async def test_features_lie_along_the_protein_and_are_told(opened, phage):
    gene = with_domain(phage)
    features = seen(gene)
    page = await opened(changed(phage, gene, features=features), f"#gene={gene.id}")
    x, width = await page.locator(".track .protein").evaluate(BOX)
    bars = await page.locator(".track rect.seen").all()
    for one, bar in zip(features, bars, strict=True):
        bar_x, bar_width = await bar.evaluate(BOX)
        assert bar_x == pytest.approx(x + width * (one.start - 1) / gene.length_aa, abs=2.5)
        share = (one.end - one.start + 1) / gene.length_aa
        assert bar_width == pytest.approx(width * share, abs=2.5)
    await expect(page.locator(".track")).to_contain_text(
        "transmembrane segment \N{MULTIPLICATION SIGN}2"
    )
    await expect(page.locator("#drawer")).to_contain_text("KD, score 1.9")


async def test_a_dark_gene_shows_its_features_and_neighbours(opened, phage):
    gene = first_dark(phage)
    around = ContextItem(category=Category.TAIL, probability=0.824, neighbours=("gpF upstream",))
    result = changed(phage, gene, features=seen(gene)[:1], context=around)
    page = await opened(result, f"#gene={gene.id}")
    assert await page.locator(".track rect.seen").count() == 1
    drawer = page.locator("#drawer")
    predicted = "predicted from the neighbours; such predictions are right for 82% of genes"
    for said in (f"Category tail, {predicted}", "gpF upstream", "Sequence features"):
        await expect(drawer).to_contain_text(said)


async def test_a_gene_without_features_or_neighbours_has_no_empty_parts(opened, phage):
    gene = with_domain(phage)
    page = await opened(changed(phage, gene, features=(), context=None), f"#gene={gene.id}")
    await page.locator("#drawer .evidence").wait_for()
    titles = await page.locator("#drawer h3").all_inner_texts()
    assert not {"Sequence features", "Gene context"} & set(titles)
