"""What a report gives away: pictures of the map, sequences of genes, and the choice of colours."""

from __future__ import annotations

import re
import struct
import zlib
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from playwright.async_api import Page, expect

from genint.model.sequence import reverse_complement
from genint.report import GenintResult, render_html
from genint.report.fasta import bases_of, gene_bases, render_faa, render_ffn
from tests.browser.report_pages import STILL, download

WHOLE = "Save the whole map as PNG"
NO_STORAGE = """Object.defineProperty(window, "localStorage", {
  get() { throw new DOMException("The operation is insecure.", "SecurityError"); } });"""
NO_CLIPBOARD = """() => {
  Object.defineProperty(navigator, "clipboard", { get: () => undefined });
  document.addEventListener("copy", () => { window.copied = document.activeElement.value; });
}"""


def pixels(png: bytes) -> tuple[int, int, bytes]:
    """Width, height and the unpacked rows of a PNG."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", png[16:24])
    at, rows = 8, b""
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        if png[at + 4 : at + 8] == b"IDAT":
            rows += png[at + 8 : at + 8 + length]
        at += 12 + length
    return width, height, zlib.decompress(rows)


async def saved(page: Page, button: str) -> tuple[str, bytes]:
    saved = await download(page.get_by_role("button", name=button).first)
    return saved.suggested_filename, Path(await saved.path()).read_bytes()


async def shown_map(page: Page) -> None:
    await page.locator("#map").scroll_into_view_if_needed()
    await page.locator("#maps path[data-index]").first.wait_for()


async def test_view_and_whole_map_are_saved_as_png_named_after_genome_and_bases(opened, phix):
    page = await opened(phix)
    await shown_map(page)
    name, picture = await saved(page, WHOLE)
    assert re.fullmatch(r"phiX174_[\w.]+_map\.png", name)
    width, height, rows = pixels(picture)
    assert width == 3300
    assert height > 2000
    assert len(set(rows)) > 20  # it is no empty picture
    for _ in range(4):
        await page.locator(".gm-frame").press("+")
    await page.locator(".gm-inset").wait_for(state="attached")
    name, picture = await saved(page, "Save this view as PNG")
    assert re.fullmatch(r"phiX174_[\w.]+_map_\d+-\d+\.png", name)
    shown = await page.locator(".gm-drawing").evaluate("(node) => node.width.baseVal.value")
    assert pixels(picture)[0] == 3 * shown
    assert (await saved(page, WHOLE))[1][16:24] == struct.pack(">II", width, height)


async def test_the_choice_of_colours_is_kept_for_the_next_visit(opened, phix):
    page = await opened(phix)
    await shown_map(page)
    confidence, category = (
        page.get_by_role("button", name=f"Colour by {what}") for what in ("confidence", "category")
    )
    await expect(confidence).to_have_attribute("aria-pressed", "true")
    await category.click()
    await page.reload()
    await shown_map(page)
    await expect(category).to_have_attribute("aria-pressed", "true")
    await expect(confidence).to_have_attribute("aria-pressed", "false")
    assert await page.locator("#maps path.gm-head").count() > 0
    await confidence.click()
    await page.reload()
    await shown_map(page)
    await expect(confidence).to_have_attribute("aria-pressed", "true")


async def test_all_maps_of_a_report_have_the_colours_that_were_chosen_on_one(opened, phix):
    (record,) = phix.records
    second = record.model_copy(update={"id": "second"})
    genes = tuple(g.model_copy(update={"id": f"{g.id}_2", "record": "second"}) for g in phix.genes)
    both = phix.model_copy(update={"records": (record, second), "genes": (*phix.genes, *genes)})
    page = await opened(both)
    for place in await page.locator(".map-place").all():
        await place.scroll_into_view_if_needed()
        await place.locator("path[data-index]").first.wait_for()
    await page.get_by_role("button", name="Colour by category").first.click()
    for button in await page.get_by_role("button", name="Colour by category").all():
        await expect(button).to_have_attribute("aria-pressed", "true")


async def test_a_browser_that_keeps_nothing_has_the_colours_for_the_visit(watched, tmp_path, phix):
    file = tmp_path / "report.html"
    file.write_text(render_html(phix), encoding="utf-8")
    visit = await watched(file.as_uri(), **STILL)
    await visit.page.add_init_script(NO_STORAGE)
    await visit.page.goto(file.as_uri())
    await shown_map(visit.page)
    category = visit.page.get_by_role("button", name="Colour by category")
    await expect(category).to_have_attribute("aria-pressed", "false")
    await category.click()
    await expect(category).to_have_attribute("aria-pressed", "true")
    assert await visit.page.locator("#maps path.gm-head").count() > 0


async def read_bases(page: Page, result: GenintResult) -> dict[str, str]:
    """The bases that the drawer shows for each gene."""
    found = {}
    for gene in result.genes:
        await page.evaluate("(id) => { location.hash = `gene=${id}`; }", quote(gene.id))
        fact = page.locator("#drawer dt:text-is('Gene') + dd")
        await expect(fact).to_have_text(re.compile(rf"^{re.escape(gene.id)}( |$)"))
        text = await page.get_by_label("Nucleotide sequence").text_content()
        found[gene.id] = "".join(text.split())
    return found


async def test_the_drawer_has_the_bases_of_every_gene_over_the_origin_too(opened, phix):
    page = await opened(phix)
    bases = bases_of(phix.records[0])
    assert any(gene.end < gene.start for gene in phix.genes)
    assert await read_bases(page, phix) == {gene.id: gene_bases(gene, bases) for gene in phix.genes}


async def test_bases_of_reverse_genes_codes_and_joined_parts_are_as_transcribed(opened, phix):
    bases = bases_of(phix.records[0])
    odd = f"{bases[:100]}NNNNNRYSWKMBDHV{bases[115:]}"
    first, second, *rest = phix.genes[:4]
    one, other = (
        first.parts[0].model_copy(update={"start": start, "end": end, "strand": "-"})
        for start, end in ((95, 120), (200, 230))
    )
    joined = {"start": 95, "end": 230, "strand": "-", "parts": (one, other), "part_order": (1, 0)}
    part = second.parts[0].model_copy(update={"strand": "-"})
    genes = (
        first.model_copy(update=joined),
        second.model_copy(update={"strand": "-", "parts": (part,)}),
        *rest,
    )
    record = phix.records[0].model_copy(update={"sequence": odd})
    changed = phix.model_copy(update={"genes": genes, "records": (record,)})
    found = await read_bases(await opened(changed), changed)
    assert found[first.id] == reverse_complement(odd[199:230]) + reverse_complement(odd[94:120])
    assert found == {gene.id: gene_bases(gene, odd) for gene in genes}


async def test_sequences_are_saved_as_the_fasta_formats_have_them(opened, phix):
    gene = phix.genes[3]
    page = await opened(phix, f"#gene={gene.id}")
    await page.get_by_label("Protein sequence").wait_for()
    for at, (whole, ending) in enumerate([(render_faa(phix), "faa"), (render_ffn(phix), "ffn")]):
        saved = await download(page.get_by_role("button", name="Save FASTA").nth(at))
        assert re.fullmatch(rf"phiX174_[\w.-]+\.{ending}", saved.suggested_filename)
        header, *lines = Path(await saved.path()).read_text().splitlines()
        entry = next(one for one in whole.split(">") if one.startswith(f"{gene.id} "))
        assert header.split()[0] == f">{gene.id}"
        assert lines == entry.splitlines()[1:]


async def test_every_protein_can_be_searched_elsewhere(opened, phage):
    for gene in (phage.genes[0], next(one for one in phage.genes if one.is_dark)):
        page = await opened(phage, f"#gene={gene.id}")
        blast = page.locator("#drawer").get_by_role("link", name="BLAST")
        query = parse_qs(urlsplit(await blast.get_attribute("href")).query)
        assert query["PROGRAM"] == ["blastp"]
        assert query["QUERY"] == [gene.translation]


@pytest.mark.parametrize("clipboard", [True, False])
async def test_a_link_to_a_service_without_an_address_for_queries_copies_the_protein(
    opened, phage, clipboard
):
    gene = phage.genes[0]
    page = await opened(phage, f"#gene={gene.id}")
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    if not clipboard:
        await page.evaluate(NO_CLIPBOARD)
    link = page.locator("#drawer").get_by_role("link", name="Foldseek")
    await link.evaluate("(one) => one.addEventListener('click', (event) => event.preventDefault())")
    await link.click()
    await expect(page.locator("#notice")).to_have_text("The protein copied. Paste it at Foldseek.")
    read = "navigator.clipboard.readText()" if clipboard else "window.copied"
    header, *lines = (await page.evaluate(read)).splitlines()
    assert header.startswith(f">{gene.id} ")
    assert "".join(lines) == gene.translation


async def test_a_result_without_bases_has_a_page_with_proteins_only(opened, phix):
    record = phix.records[0].model_copy(update={"sequence": None})
    page = await opened(phix.model_copy(update={"records": (record,)}), f"#gene={phix.genes[0].id}")
    await page.get_by_label("Protein sequence").wait_for()
    assert await page.get_by_label("Nucleotide sequence").count() == 0
    assert await page.locator(".gm-gc-above").count() == 0
