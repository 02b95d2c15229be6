"""The page of a result with very many genes, in a real browser."""

from __future__ import annotations

from genint.report.page.many_contigs import render_contigs
from genint.report.page.render import policy_of, render_html
from tests.browser.test_report_page import faults

HOSTILE = "<script>ran('name')</script><img src=x onerror=ran('image')>"


def many(result, contigs):
    """A result with so many copies of its record, the genes of the last with hostile names."""
    record = result.records[0]
    ids = [f"contig_{number}" for number in range(contigs)]
    genes = [gene.model_copy(update={"record": one}) for one in ids for gene in result.genes]
    for at in range(len(genes) - len(result.genes), len(genes)):
        genes[at] = genes[at].model_copy(update={"function": HOSTILE, "is_dark": False})
    records = [record.model_copy(update={"id": one}) for one in ids]
    return result.model_copy(update={"records": records, "genes": genes})


async def test_contigs_open_to_their_genes_and_genes_are_found_on_all(watched, tmp_path, phix):
    result = many(phix, 120)
    file = tmp_path / "contigs.html"
    file.write_text(render_contigs(result), encoding="utf-8")
    visit = await watched(file.as_uri())
    page = visit.page
    await page.goto(file.as_uri())
    assert await page.locator("#table > tbody > tr").count() == 120
    await page.get_by_role("button", name="contig_119", exact=True).click()
    opened = page.locator("tr.opened tbody tr")
    await opened.first.wait_for()
    assert await opened.count() == len(phix.genes)
    assert HOSTILE in await opened.first.inner_text()
    await page.get_by_role("button", name="contig_119", exact=True).click()
    assert await page.locator("tr.opened").count() == 0
    named = [gene for gene in phix.genes if "replication" in (gene.function or "")]
    await page.get_by_role("searchbox", name="Genes").fill("replication")
    await page.get_by_role("button", name="Look for genes").click()
    await page.locator("#found tbody tr").first.wait_for()
    told = await page.locator("#told").inner_text()
    assert named
    assert int(told.partition(" ")[0].replace(",", "")) >= 119 * len(named)
    await page.get_by_role("searchbox", name="Contigs").fill("_11")
    assert await page.locator("#table > tbody > tr:visible").count() == 11
    assert await faults(page) == []
    assert visit.requests == [file.as_uri()]


async def test_the_table_is_readable_without_scripts(watched, tmp_path, phix):
    file = tmp_path / "contigs.html"
    file.write_text(render_contigs(many(phix, 3)), encoding="utf-8")
    visit = await watched(file.as_uri(), java_script_enabled=False)
    await visit.page.goto(file.as_uri())
    assert await visit.page.locator("#table > tbody > tr").count() == 3
    assert "contig_1" in await visit.page.locator("#table").inner_text()
    assert not await visit.page.get_by_role("searchbox").first.is_visible()


def test_a_result_with_very_many_genes_gets_this_page_and_stays_small(phix):
    result = many(phix, 2_000)
    page = render_html(result)
    assert "Look for genes" in page
    assert len(page) < 150 * len(result.genes) + 500 * len(result.records)
    assert policy_of(page.encode()[:2_048]).startswith("default-src 'none'; script-src 'sha256-")
    assert "Look for genes" not in render_html(many(phix, 2))
