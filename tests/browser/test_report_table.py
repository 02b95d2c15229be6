"""The table of genes in a real browser: search, filters, order, large genomes, downloads."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.async_api import expect

from genint.report import render_tsv
from tests.browser.report_pages import (
    ROWS,
    download,
    focused,
    names,
    with_domain,
)


async def test_the_search_finds_names_functions_accessions_and_terms(opened, phage):
    page = await opened(phage)
    gene = with_domain(phage)
    hit = next(item for item in gene.evidence if item.protein_start is not None)
    term = next(term for one in phage.genes for term in one.go if term.name)
    count = page.locator("#shown-count")
    for words in [gene.name, gene.function, hit.accession, term.id, term.name.upper()]:
        await page.locator("#find").fill(words)
        await expect(count).not_to_have_text(re.compile(f"^(0|{len(phage.genes)}) of"))
    await expect(count).to_have_text(re.compile(rf"^\d+ of {len(phage.genes)} genes$"))
    await page.locator("#find").fill("no gene is called so")
    await expect(page.locator("#no-genes")).to_be_visible()
    await page.get_by_role("button", name="Clear filters").click()
    await expect(page.locator(ROWS)).to_have_count(len(phage.genes))


async def test_levels_can_be_combined_and_dark_genes_shown_alone(opened, phage):
    page = await opened(phage)
    summary = phage.summary
    await page.get_by_role("button", name=re.compile("^MODERATE")).click()
    await expect(page.locator(ROWS)).to_have_count(summary.moderate)
    await page.get_by_role("button", name=re.compile("^LOW")).click()
    await expect(page.locator(ROWS)).to_have_count(summary.moderate + summary.low)
    await page.get_by_role("button", name="Clear filters").click()
    await page.get_by_label("dark matter only").check()
    await expect(page.locator(ROWS)).to_have_count(summary.dark)


async def test_a_bar_of_a_chart_filters_and_releases(opened, phix):
    page = await opened(phix)
    bar = page.locator("[data-filter=category] button").first
    genes = int(await bar.locator(".bar-count").inner_text())
    await bar.click()
    await expect(bar).to_have_attribute("aria-pressed", "true")
    await expect(page.locator(ROWS)).to_have_count(genes)
    picked = await page.locator("#category").input_value()
    assert picked == f"={await bar.get_attribute('data-key')}"
    await bar.click()
    await expect(page.locator(ROWS)).to_have_count(len(phix.genes))


async def test_genes_without_a_cog_letter_can_be_picked(opened, phix):
    page = await opened(phix)
    await page.locator("#cog").select_option("=")
    without = sum(gene.cog_category is None for gene in phix.genes)
    await expect(page.locator(ROWS)).to_have_count(without)


@pytest.mark.parametrize("width", [1280, 1440, 1920])
async def test_cog_pfam_and_go_badges_are_in_sight_on_usual_screens(opened, phage, width):
    page = await opened(phage, viewport={"width": width, "height": 900})
    for column in ("cog", "pfam", "go"):
        await expect(page.locator(f"#gene-table th.c-{column}")).to_be_visible()


async def test_columns_sort_both_ways_and_say_so(opened, phage):
    page = await opened(phage)
    head = page.locator("th.c-length")
    await head.get_by_role("button").click()
    await expect(head).to_have_attribute("aria-sort", "ascending")
    await head.get_by_role("button").click()
    await expect(head).to_have_attribute("aria-sort", "descending")
    longest = sorted(phage.genes, key=lambda gene: (-gene.length_aa, gene.start))
    assert await names(page) == [gene.name for gene in longest]
    assert await page.locator("[aria-sort]").count() == 1


async def test_filters_survive_reloading(opened, phage):
    page = await opened(phage)
    await page.get_by_label("dark matter only").check()
    await page.locator("#find").fill("dark")
    await expect(page).to_have_url(re.compile("find=dark&dark=1"))
    await page.reload()
    await expect(page.locator(ROWS)).to_have_count(phage.summary.dark)
    await expect(page.locator("#find")).to_have_value("dark")


async def test_filtered_genes_stay_and_others_fade_on_the_map(opened, phix):
    page = await opened(phix)
    await page.locator("#map").scroll_into_view_if_needed()
    await expect(page.locator("#maps path[data-index]")).to_have_count(len(phix.genes))
    await page.get_by_label("dark matter only").check()
    faded = page.locator("#maps path[data-index].gm-faded")
    await expect(faded).to_have_count(phix.summary.interpreted_genes)


async def test_a_large_table_holds_only_the_rows_in_sight(opened, large):
    page = await opened(large)
    table = page.locator("#gene-table")
    await expect(table).to_have_attribute("aria-rowcount", str(len(large.genes) + 1))
    assert await page.locator(ROWS).count() < 60
    await page.locator(f"{ROWS} button").first.focus()
    await page.keyboard.press("End")
    last = large.genes[-1]
    await expect(page.locator(f"{ROWS} button:focus")).to_have_text(last.name)
    row = page.locator(ROWS).last
    await expect(row).to_have_attribute("aria-rowindex", str(len(large.genes) + 1))
    assert await page.locator(ROWS).count() < 60


@pytest.mark.parametrize("width", [1600, 1100, 900, 360])
async def test_rows_have_one_height_whatever_stands_in_them(opened, large, width):
    page = await opened(large, viewport={"width": width, "height": 900})
    heights = "(rows) => [...new Set(rows.map((row) => row.getBoundingClientRect().height))]"
    assert len(await page.locator(ROWS).evaluate_all(heights)) == 1
    for head in await page.locator("#gene-table thead th:visible").all():
        assert width == 360 or (await head.bounding_box())["width"] > 50


async def test_all_filtered_rows_are_there_for_the_printer(opened, large):
    page = await opened(large)
    await page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert await page.locator(ROWS).count() == len(large.genes)
    await page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert await page.locator(ROWS).count() < 60


async def test_scrolling_moves_the_window_and_keeps_the_focus(opened, large):
    page = await opened(large)
    await page.locator(f"{ROWS} button").first.focus()
    await page.locator("#table-box").evaluate("(box) => { box.scrollTop = 20000; }")
    await expect(page.locator(ROWS).first).not_to_have_attribute("data-gene", "0")
    assert await page.evaluate("document.activeElement.id") == "table-box"
    await page.keyboard.press("ArrowDown")
    await expect(page.locator(f"{ROWS} button:focus")).to_have_text(large.genes[1].name)


async def test_the_table_that_is_saved_is_the_tsv_report_of_what_is_shown(opened, phage):
    page = await opened(phage)
    header, *lines = render_tsv(phage).splitlines()
    await page.get_by_label("dark matter only").check()
    saved = await download(page.get_by_role("button", name=re.compile("^Save TSV")))
    assert saved.suggested_filename == f"lambda_genes_{phage.summary.dark}.tsv"
    expected = [line for line, gene in zip(lines, phage.genes, strict=False) if gene.is_dark]
    table = Path(await saved.path()).read_text("utf-8")
    assert table == "".join(f"{line}\n" for line in [header, *expected])


@pytest.mark.parametrize("width", [360, 800])
async def test_badges_stand_with_the_function_where_columns_have_no_room(opened, phage, width):
    page = await opened(phage, viewport={"width": width, "height": 900})
    gene = next(gene for gene in phage.genes if gene.pfam_id and gene.go_terms)
    small = page.locator(f"tr[data-gene='{phage.genes.index(gene)}'] .mini")
    await expect(small.filter(has_text=gene.pfam_id)).to_be_visible()
    await expect(small.filter(has_text=gene.go_terms[0])).to_be_visible()


async def test_the_search_finds_bases_phrases_and_ec_numbers(opened, phage):
    gene = with_domain(phage)
    label = gene.evidence[0].model_copy(update={"label": "product in the file: x (EC 3.4.21.88)"})
    told = gene.model_copy(
        update={"evidence": (*gene.evidence, label), "function": "alpha beta gamma"}
    )
    genes = tuple(told if one is gene else one for one in phage.genes)
    page = await opened(phage.model_copy(update={"genes": genes}))
    row = page.locator(f"tr[data-gene='{genes.index(told)}']")
    find, count = page.locator("#find"), page.locator("#shown-count")
    for words in ["EC 3.4.21.88", '"alpha beta"', "alpha gamma"]:
        await find.fill(words)
        await expect(count).to_have_text(re.compile("^1 of"))
        await expect(row).to_be_visible()
    await find.fill('"alpha gamma"')
    await expect(count).to_have_text(re.compile("^0 of"))
    await find.fill(f"{(told.start + told.end) // 2:,}")
    await expect(row).to_be_visible()


async def test_the_search_leads_to_what_it_found_by_keys(opened, phage):
    page = await opened(phage)
    await page.locator("#find").focus()
    await page.keyboard.press("ArrowDown")
    assert await focused(page) == phage.genes[0].name
    await page.locator("#find").fill("dark")
    await page.keyboard.press("Enter")
    first = next(gene for gene in phage.genes if gene.is_dark)
    await expect(page.locator("#drawer-title")).to_have_text(first.name)


async def test_confidence_is_sorted_from_the_best_and_says_descending(opened, phage):
    page = await opened(phage)
    head = page.locator("th.c-confidence")
    await head.get_by_role("button").click()
    await expect(head).to_have_attribute("aria-sort", "descending")
    best = sorted(phage.genes, key=lambda gene: (gene.is_dark, -gene.score, gene.start))
    assert await names(page) == [gene.name for gene in best]


async def test_a_bar_of_the_histogram_filters_by_score(opened, phage):
    page = await opened(phage)
    bar = page.locator(".histogram .bin").first
    genes = int(await bar.locator(".value").text_content())
    await bar.focus()
    await page.keyboard.press("Enter")
    await expect(bar).to_have_attribute("aria-pressed", "true")
    await expect(page.locator(ROWS)).to_have_count(genes)
    await expect(page.locator("#bars-count")).to_have_text(re.compile(f"^{genes} of"))


@pytest.mark.parametrize("width", [1440, 760, 360])
@pytest.mark.parametrize("media", ["screen", "print"])
async def test_names_and_ids_of_genes_never_break(opened, phage, width, media):
    name = "Escherichia_phage_with_a_long_accession.1_00010"
    longest = phage.genes[0].model_copy(update={"name": name})
    result = phage.model_copy(update={"genes": (longest, *phage.genes[1:])})
    page = await opened(result, viewport={"width": width, "height": 900})
    await page.emulate_media(media=media)
    lines = """(items) => items.map((item) => {
      const range = document.createRange();
      range.selectNodeContents(item);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    })"""
    shown = page.locator(f"{ROWS} th :is(.gene, .locus):visible")
    assert set(await shown.evaluate_all(lines)) == {1}
    if media == "screen":
        assert await page.evaluate("document.documentElement.scrollWidth") <= width
        if width > 360:
            cut = "(item) => item.scrollWidth > item.clientWidth"
            assert not await page.locator(f"{ROWS} .gene").first.evaluate(cut)
