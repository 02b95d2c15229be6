"""The page of many results in a real browser."""

from __future__ import annotations

from genint.report.summary.content import ClusterLimits, Summary, dark_clusters, summarise_result
from genint.report.summary.page import render_html
from tests.browser.test_report_page import faults


async def test_the_summary_opens_from_disk_sorts_its_columns_and_is_accessible(
    watched, tmp_path, phix
):
    reads = [summarise_result(phix, label, f"{label}.html") for label in ("b", "a", "c")]
    few = phix.summary.model_copy(update={"dark": 99})
    reads[2] = summarise_result(phix.model_copy(update={"summary": few}), "c")
    dark = [gene for read in reads for gene in read.dark]
    clusters = dark_clusters(dark, [(at % len(reads[0].dark), 1.0, 1.0) for at in range(len(dark))])
    genomes = tuple(read.genome for read in reads)
    file = tmp_path / "summary.html"
    limits = ClusterLimits(0.4, 0.8, 1e-3)
    file.write_text(render_html(Summary(genomes, {}, clusters, limits)), encoding="utf-8")
    visit = await watched(file.as_uri())
    page = visit.page
    await page.goto(file.as_uri())
    names = page.locator("table").first.locator("tbody th")
    assert await names.all_text_contents() == ["b", "a", "c"]
    await page.get_by_role("button", name="Genome", exact=True).click()
    assert await names.all_text_contents() == ["a", "b", "c"]
    await page.get_by_role("button", name="Dark", exact=True).click()
    assert (await names.all_text_contents())[0] == "c"
    assert await page.locator("th[aria-sort]").all_text_contents() == ["Dark"]
    assert await faults(page) == []
    assert visit.requests == [file.as_uri()]
