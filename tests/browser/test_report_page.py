"""The report in a real browser: from disk, by keyboard, linked both ways, and nothing runs."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page, expect

from genint import interpret_genome
from genint.knowledge.confidence import load_confidence
from genint.model.vocabulary import Category
from genint.report.build import build_result
from genint.report.html import render_html
from genint.report.links import HOSTS
from genint.report.result import GeneItem, GenintResult
from genint.report.tsv import render_tsv

STILL = {"reduced_motion": "reduce"}
ATTACKS = (
    "<script>ran(1)</script>",
    "<img src=x onerror=ran(2)>",
    "</script></style></title><script>ran(4)</script>",
    "'><iframe srcdoc='<script>parent.ran(5)</script>'>",
    "<a href=javascript:ran(6)>click</a>",
    "{{ran(8)}}<style>@import '//evil.example/x'</style>",
)
CROWDED = {
    "function": "a very long name of a function that says a lot of things " * 4,
    "category": Category.REPLICATION,
    "cog_category": "L",
    "pfam_id": "PF00001",
    "go_terms": tuple(f"GO:000000{n}" for n in range(8)),
    "pseudo": True,
    "partial": True,
    "partial_5": True,
}
"""What fills a row to the brim."""
ROWS = "#gene-table tbody tr[data-gene]"


def result_of(genome: Path) -> GenintResult:
    return build_result(interpret_genome(genome), load_confidence())


@pytest.fixture(scope="module")
def phix(examples: Path) -> GenintResult:
    """Eleven genes on a circle, named by the file."""
    return result_of(examples / "phiX174.gbk")


@pytest.fixture(scope="module")
def phage(examples: Path) -> GenintResult:
    """Lambda, predicted: some genes with domains, most of them dark."""
    return result_of(examples / "lambda.fasta")


@pytest.fixture(scope="module")
def large(phage: GenintResult) -> GenintResult:
    """A genome of more genes than the table keeps in the page."""
    length = phage.records[0].length
    genes = tuple(
        gene.model_copy(
            update={
                "id": f"{gene.id}_{copy}",
                "name": f"{gene.name}_{copy}",
                "start": gene.start + copy * length,
                "end": gene.end + copy * length,
                **(CROWDED if copy % 3 == 0 else {}),
            }
        )
        for copy in range(20)
        for gene in phage.genes
    )
    record = phage.records[0].model_copy(update={"length": 20 * length, "topology": "linear"})
    return phage.model_copy(update={"genes": genes, "records": (record,)})


@pytest.fixture
def opened(watched, tmp_path):
    """Opens the page of a result from disk, at a place of it."""

    async def open_report(result: GenintResult, place: str = "", **context: object) -> Page:
        file = tmp_path / "report.html"
        file.write_text(render_html(result), encoding="utf-8")
        visit = await watched(file.as_uri(), **(STILL | context))
        await visit.page.goto(file.as_uri() + place)
        return visit.page

    return open_report


def with_domain(result: GenintResult) -> GeneItem:
    """A gene whose evidence lies somewhere on its protein."""
    return next(
        gene
        for gene in result.genes
        if any(item.protein_start is not None for item in gene.evidence)
    )


def by_place(result: GenintResult) -> list[GeneItem]:
    """In the order of the table, which is not that of the file where a gene wraps."""
    return sorted(result.genes, key=lambda gene: gene.start)


def first_dark(result: GenintResult) -> GeneItem:
    return next(gene for gene in result.genes if gene.novelty and gene.novelty.rank == 1)


async def names(page: Page) -> list[str]:
    return await page.locator(f"{ROWS} button.gene").all_inner_texts()


async def focused(page: Page) -> str:
    return await page.evaluate("document.activeElement.textContent")


# -- The file ------------------------------------------------------------------------------


async def test_a_report_opens_from_disk_and_asks_for_nothing(watched, tmp_path, phix):
    file = tmp_path / "report.html"
    file.write_text(render_html(phix), encoding="utf-8")
    visit = await watched(file.as_uri())
    await visit.page.goto(file.as_uri())
    await expect(visit.page.locator("h1")).to_have_text("phiX174.gbk")
    await expect(visit.page.locator(ROWS)).to_have_count(len(phix.genes))
    assert [url for url in visit.requests if not url.startswith("data:")] == [file.as_uri()]
    colour = "getComputedStyle(document.querySelector('.lv.moderate')).backgroundColor"
    assert await visit.page.evaluate(colour) != "rgba(0, 0, 0, 0)"  # the style sheet is in force


async def test_without_scripts_there_is_a_plain_table(opened, phix):
    page = await opened(phix, java_script_enabled=False)
    await expect(page.locator("noscript tbody tr")).to_have_count(len(phix.genes))
    await expect(page.locator("#gene-table")).to_be_hidden()


async def test_a_browser_that_cannot_unpack_says_so_and_still_filters(watched, tmp_path, phix):
    file = tmp_path / "report.html"
    file.write_text(render_html(phix), encoding="utf-8")
    page = (await watched(file.as_uri())).page
    await page.add_init_script("delete window.DecompressionStream")
    await page.goto(file.as_uri())
    await page.locator(ROWS).first.click()
    await expect(page.locator("#drawer")).to_contain_text("cannot open the details")
    await expect(page.locator("#save-table")).to_be_hidden()
    await page.locator("#dark-only").check()
    await expect(page.locator("#shown-count")).to_have_text(f"{phix.summary.dark} of 11 genes")
    await expect(page.locator("#dark-list li")).to_have_count(phix.summary.dark)


@pytest.mark.parametrize("attack", ATTACKS)
async def test_nothing_that_a_genome_says_runs_in_its_report(opened, phix, attack):
    gene = phix.genes[0].model_copy(
        update={"id": attack, "name": attack, "function": attack, "product": attack}
    )
    hostile = phix.model_copy(
        update={
            "genes": (gene, *phix.genes[1:]),
            "input": phix.input.model_copy(update={"filename": attack}),
        }
    )
    page = await opened(hostile)
    await page.locator("tr[data-gene='0']").click()
    await expect(page.locator("#drawer h2")).to_have_text(attack)
    await page.locator("#drawer .facts").first.wait_for()
    assert await page.locator("iframe, img, object, embed, #drawer script").count() == 0
    await expect(page.locator("h1")).to_have_text(attack)


# -- Search, filters, order ----------------------------------------------------------------


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


# -- Large genomes -------------------------------------------------------------------------


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


# -- Keyboard and drawer -------------------------------------------------------------------


async def test_the_keyboard_reaches_everything(opened, phage):
    page = await opened(phage)
    await page.keyboard.press("/")
    await expect(page.locator("#find")).to_be_focused()
    await page.locator(f"{ROWS} button").first.focus()
    for key, place in [
        ("ArrowDown", 1),
        ("ArrowDown", 2),
        ("ArrowUp", 1),
        ("End", -1),
        ("Home", 0),
    ]:
        await page.keyboard.press(key)
        assert await focused(page) == phage.genes[place].name
    assert await page.locator(f"{ROWS} button[tabindex='0']").count() == 1
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await expect(page.locator("#drawer-title")).to_be_focused()
    await expect(page.locator("#drawer-title")).to_have_text(phage.genes[1].name)
    await page.keyboard.press("Escape")
    await expect(page.locator("#drawer")).to_be_hidden()
    assert await focused(page) == phage.genes[1].name


async def test_the_drawer_tells_what_the_result_tells(opened, phage):
    gene = with_domain(phage)
    page = await opened(phage, f"#gene={gene.id}")
    drawer = page.locator("#drawer")
    hit = next(item for item in gene.evidence if item.protein_start is not None)
    for said in [
        gene.function,
        f"{gene.confidence} {gene.score:.2f}",
        f"{gene.length_aa} amino acids",
        hit.label,
        hit.accession,
        hit.eco,
        f"{hit.bits:.1f} (needs {hit.threshold_bits:.1f})",
        f"residues {hit.protein_start}\N{EN DASH}{hit.protein_end}",
        *gene.reasoning_chain,
        *gene.uncertainties,
        *(term.reason for term in gene.hypotheses[0].terms),
        *(hypothesis.verdict for hypothesis in gene.hypotheses[1:]),
    ]:
        await expect(drawer).to_contain_text(said)
    lines = (await drawer.locator(".sequence").inner_text()).split()
    assert "".join(lines) == gene.translation
    assert {len(line) for line in lines[:-1]} <= {60}
    for link in await drawer.get_by_role("link").all():
        address = await link.get_attribute("href")
        assert address.split("/")[0] == "https:"
        assert address.split("/")[2] in HOSTS


async def test_evidence_is_drawn_to_scale_along_the_protein(opened, phage):
    gene = with_domain(phage)
    page = await opened(phage, f"#gene={gene.id}")
    box = "(node) => { const { x, width } = node.getBoundingClientRect(); return [x, width]; }"
    x, width = await page.locator(".track .protein").evaluate(box)
    hits = [item for item in gene.evidence if item.protein_start is not None]
    for item, bar in zip(hits, await page.locator(".track rect.hit").all(), strict=True):
        bar_x, bar_width = await bar.evaluate(box)
        share = (item.protein_end - item.protein_start + 1) / gene.length_aa
        start = (item.protein_start - 1) / gene.length_aa
        assert bar_width == pytest.approx(width * share, abs=2.5)
        assert bar_x == pytest.approx(x + width * start, abs=2.5)


async def test_the_drawer_of_a_dark_gene_says_what_to_do_next(opened, phage):
    gene = first_dark(phage)
    page = await opened(phage, f"#gene={gene.id}")
    for said in [
        gene.novelty.next_step,
        "ranking aid, not a probability",
        f"{gene.novelty.priority:.3f}",
        *gene.novelty.reasons,
        *gene.novelty.neighbours,
    ]:
        await expect(page.locator("#drawer")).to_contain_text(said)


async def test_previous_and_next_follow_the_table(opened, phage):
    page = await opened(phage)
    await page.get_by_label("dark matter only").check()
    dark = [gene for gene in phage.genes if gene.is_dark]
    await page.locator(ROWS).first.click()
    await expect(page.get_by_role("button", name="Previous gene of the table")).to_be_disabled()
    await page.get_by_role("button", name="Next gene of the table").click()
    await expect(page.locator("#drawer-title")).to_have_text(dark[1].name)
    await expect(page.locator(f"{ROWS}[aria-current]")).to_contain_text(dark[1].name)
    await expect(page.get_by_role("button", name="Next gene of the table")).to_be_focused()


async def test_the_drawer_can_be_made_wider_by_keys(opened, phix):
    page = await opened(phix, f"#gene={phix.genes[0].id}", viewport={"width": 1400, "height": 800})
    drawer = page.locator("#drawer")
    before = (await drawer.bounding_box())["width"]
    handle = page.get_by_role("separator", name="Width of the drawer")
    await handle.focus()
    await page.keyboard.press("ArrowLeft")
    assert (await drawer.bounding_box())["width"] > before
    await expect(handle).to_have_attribute("aria-valuenow", str(round(before) + 24))


async def test_dark_genes_are_listed_by_rank_and_open_the_drawer(opened, phage):
    page = await opened(phage)
    ranked = sorted((g for g in phage.genes if g.novelty), key=lambda gene: gene.novelty.rank)
    await page.locator("#more-dark").click()
    buttons = page.locator("#dark-list button.gene")
    await expect(buttons).to_have_count(min(50, len(ranked)))
    assert await buttons.all_inner_texts() == [gene.name for gene in ranked[:50]]
    await buttons.nth(1).click()
    await expect(page.locator("#drawer-title")).to_have_text(ranked[1].name)
    await page.keyboard.press("Escape")
    await expect(buttons.nth(1)).to_be_focused()


# -- Links ---------------------------------------------------------------------------------


async def test_a_deep_link_opens_the_gene_that_it_names(opened, large):
    gene = large.genes[900]
    page = await opened(large, f"#gene={gene.id}")
    await expect(page.locator("#drawer-title")).to_have_text(gene.name)
    await expect(page.locator(f"{ROWS}[aria-current]")).to_be_visible()
    await expect(page.locator(f"{ROWS}[aria-current] button")).to_have_text(gene.name)
    await expect(page.locator("#maps .gm-mark").first).to_be_visible()


async def test_odd_ids_can_be_linked_to(opened, phix):
    gene = phix.genes[2].model_copy(update={"id": "A&B=1 %2F+#<é>"})
    page = await opened(phix.model_copy(update={"genes": (*phix.genes[:2], gene)}))
    await page.locator("tr[data-gene='2']").click()
    await page.reload()
    await expect(page.locator("#drawer .facts").first).to_contain_text(gene.id)


async def test_a_link_to_no_gene_says_so_and_changes_nothing(opened, phix):
    page = await opened(phix, "#gene=nobody%3Cb%3E")
    await expect(page.locator("#notice")).to_contain_text("nobody<b>")
    await expect(page.locator("#drawer")).to_be_hidden()
    await expect(page.locator(ROWS)).to_have_count(len(phix.genes))


async def test_the_browsers_back_button_goes_from_gene_to_gene(opened, phix):
    page, genes = await opened(phix), by_place(phix)
    await page.locator(ROWS).nth(0).click()
    await page.locator(ROWS).nth(3).click()
    title = page.locator("#drawer-title")
    await expect(title).to_have_text(genes[3].name)
    await page.go_back()
    await expect(title).to_have_text(genes[0].name)
    await page.go_back()
    await expect(page.locator("#drawer")).to_be_hidden()
    await page.go_forward()
    await expect(title).to_have_text(genes[0].name)


async def test_map_and_table_point_at_each_other(opened, phix):
    page = await opened(phix, viewport={"width": 1400, "height": 1800})
    arrow, row = page.locator("#maps path[data-index='4']"), page.locator("tr[data-gene='4']")
    await row.hover()
    await expect(page.locator("#maps .gm-mark")).to_have_count(1)
    await page.locator("h1").hover()
    await expect(page.locator("#maps .gm-mark")).to_have_count(0)
    await arrow.hover()
    await expect(row).to_have_class(re.compile("hovered"))
    await arrow.click()
    await expect(row).to_have_attribute("aria-current", "true")
    await expect(page.locator("#drawer-title")).to_have_text(phix.genes[4].name)


# -- Downloads, colours, screens -----------------------------------------------------------


async def test_the_table_that_is_saved_is_the_tsv_report_of_what_is_shown(opened, phage):
    page = await opened(phage)
    header, *lines = render_tsv(phage).splitlines()
    await page.get_by_label("dark matter only").check()
    async with page.expect_download() as saving:
        await page.get_by_role("button", name=re.compile("^Save TSV")).click()
    download = await saving.value
    assert download.suggested_filename == f"lambda_genes_{phage.summary.dark}.tsv"
    expected = [line for line, gene in zip(lines, phage.genes, strict=False) if gene.is_dark]
    saved = Path(await download.path()).read_text("utf-8")
    assert saved == "".join(f"{line}\n" for line in [header, *expected])


async def test_the_map_can_be_saved_as_a_picture(opened, phix):
    page = await opened(phix)
    await page.locator("#map").scroll_into_view_if_needed()
    await page.locator("#maps path[data-index]").first.wait_for()
    async with page.expect_download() as saving:
        await page.get_by_role("button", name="Save map as SVG").click()
    download = await saving.value
    assert re.fullmatch(r"phiX174_[\w.-]+_map\.svg", download.suggested_filename)
    picture = ElementTree.parse(await download.path()).getroot()  # noqa: S314 - our own file
    assert picture.tag == "{http://www.w3.org/2000/svg}svg"


async def test_colours_follow_the_system_until_the_reader_chooses(opened, phix):
    page = await opened(phix, color_scheme="dark")
    paper = "getComputedStyle(document.body).backgroundColor"
    dark = await page.evaluate(paper)
    button = page.get_by_role("button", name=re.compile("^Colours"))
    await button.click()
    await expect(button).to_have_text("Colours: light")
    assert await page.evaluate(paper) == "rgb(255, 255, 255)"
    await page.reload()
    await expect(button).to_have_text("Colours: light")
    await button.click()
    assert await page.evaluate(paper) == dark


@pytest.mark.parametrize("place", ["", "gene"])
async def test_a_report_fits_a_narrow_screen(opened, phage, place):
    gene = with_domain(phage)
    hash_ = f"#gene={gene.id}" if place else ""
    page = await opened(phage, hash_, viewport={"width": 360, "height": 700})
    assert await page.evaluate("document.documentElement.scrollWidth") <= 360
    if place:
        await page.locator(".track").wait_for()
        drawer = page.locator("#drawer")
        assert (await drawer.bounding_box())["width"] == 360
        assert await drawer.evaluate("(node) => node.scrollWidth") <= 360


async def test_a_sheet_over_the_page_keeps_the_focus_until_it_is_closed(opened, phix):
    page = await opened(phix, viewport={"width": 360, "height": 700})
    row = page.locator(f"{ROWS} button").first
    await row.click()
    for _ in range(40):
        await page.keyboard.press("Tab")
        inside = "document.querySelector('.frame').contains(document.activeElement)"
        assert not await page.evaluate(inside)
    await page.keyboard.press("Escape")
    await expect(row).to_be_focused()


async def test_escape_in_the_search_clears_it_before_it_closes_the_drawer(opened, phix):
    page = await opened(phix, f"#gene={phix.genes[0].id}", viewport={"width": 1400, "height": 800})
    await page.locator("#find").fill("protein")
    await page.keyboard.press("Escape")
    await expect(page.locator("#find")).to_have_value("")
    await expect(page.locator("#drawer")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(page.locator("#drawer")).to_be_hidden()


async def test_a_printed_report_has_no_tools_and_whole_values(opened, phage):
    page = await opened(phage)
    await page.emulate_media(media="print")
    for tool in ["#filters", "#drawer", "#save-table", "nav"]:
        await expect(page.locator(tool)).to_be_hidden()
    for column in ["place", "confidence", "function", "cog", "pfam", "go", "category"]:
        await expect(page.locator(f"{ROWS} td.c-{column}").first).to_be_visible()
    cut = """(cells) => cells.filter((cell) => getComputedStyle(cell).overflow !== "visible"
        || cell.scrollWidth > cell.clientWidth + 1).length"""
    assert await page.locator(f"{ROWS} :is(th, td)").evaluate_all(cut) == 0
    head = "getComputedStyle(document.querySelector('#gene-table thead')).display"
    assert await page.evaluate(head) == "table-header-group"


async def test_an_open_gene_is_printed_as_a_sheet(opened, phage):
    page = await opened(phage, f"#gene={with_domain(phage).id}")
    await page.locator("#drawer .track").wait_for()
    await page.emulate_media(media="print")
    await expect(page.locator("#drawer .facts").first).to_be_visible()
    await expect(page.locator(".sign-off")).to_contain_text(phage.input.sha256)
    for left_out in ["#gene-table", ".drawer-tools", "#map"]:
        await expect(page.locator(left_out)).to_be_hidden()


@pytest.mark.parametrize("width", [1280, 1440])
@pytest.mark.parametrize("kind", ["row", "map", "dark"])
async def test_what_opens_a_gene_stays_where_it_was(opened, phage, kind, width):
    page = await opened(phage, viewport={"width": width, "height": 720})
    gene = first_dark(phage)
    place = phage.genes.index(gene)
    found = page.locator(
        {
            "row": f"tr[data-gene='{place}']",
            "map": f"#maps path[data-index='{place}']",
            "dark": "#dark-list li:first-child button",
        }[kind]
    )
    await page.locator("#map").scroll_into_view_if_needed()
    await found.evaluate("(item) => item.scrollIntoView({ block: 'center' })")
    before = (await found.bounding_box())["y"]
    await found.click()
    await page.locator("#drawer .facts").first.wait_for()
    await page.evaluate("new Promise((done) => setTimeout(done, 450))")
    assert (await found.bounding_box())["y"] == pytest.approx(
        before, abs=40 if kind == "map" else 3
    )


@pytest.mark.parametrize("width", [360, 1280])
async def test_long_names_make_no_page_wider_than_the_window(opened, phage, width):
    long = {key: "x" * 5000 for key in ("name", "function", "product", "locus", "id")}
    dark = next(gene for gene in phage.genes if gene.novelty).model_copy(
        update=long | {"function": None}
    )
    named = with_domain(phage).model_copy(update=long | {"id": "y" * 5000})
    record = phage.records[0].model_copy(update={"description": "d" * 5000, "organism": "o" * 5000})
    result = phage.model_copy(update={"genes": (named, dark), "records": (record,)})
    page = await opened(result, viewport={"width": width, "height": 720})
    wide = "document.documentElement.scrollWidth"
    assert await page.evaluate(wide) <= width
    for row in [0, 1]:
        await page.locator(f"{ROWS}").nth(row).click()
        await page.locator("#drawer .facts").first.wait_for()
        assert await page.evaluate(wide) <= width
        drawer = page.locator("#drawer")
        assert await drawer.evaluate("(node) => node.scrollWidth <= node.clientWidth")
        await page.keyboard.press("Escape")


async def test_the_map_begins_on_the_first_screen(opened, phage):
    page = await opened(phage, viewport={"width": 1280, "height": 720})
    assert (await page.locator("#maps").bounding_box())["y"] < 500


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


async def test_links_may_name_a_locus_tag_and_bad_ones_close_what_was_open(opened, phix):
    gene = phix.genes[2].model_copy(update={"id": "g2", "locus": "PHI_0002", "name": "nme"})
    page = await opened(
        phix.model_copy(update={"genes": (*phix.genes[:2], gene)}), "#gene=PHI_0002"
    )
    await expect(page.locator("#drawer-title")).to_have_text("nme")
    await page.evaluate("location.hash = '#gene=nobody'")
    await expect(page.locator("#drawer")).to_be_hidden()
    await expect(page.locator("#notice")).to_contain_text("nobody")
    await page.evaluate("location.hash = '#gene=nme'")
    await expect(page.locator("#drawer-title")).to_have_text("nme")
    await page.evaluate("location.hash = '#gene=%E0%A4%A'")
    await expect(page.locator("#notice")).to_contain_text("cannot be read")
    await expect(page.locator("#drawer")).to_be_hidden()


async def test_a_gene_outside_of_the_filter_says_so(opened, phage):
    gene = with_domain(phage)
    page = await opened(phage, f"#gene={gene.id}&dark=1")
    await expect(page.locator(".beyond")).to_contain_text("filters hide this gene")
    await expect(page.get_by_role("button", name="Next gene of the table")).to_have_count(0)
    await page.locator(".beyond button").click()
    await expect(page.locator(f"{ROWS}[aria-current]")).to_be_visible()
    await expect(page.get_by_role("button", name="Next gene of the table")).to_be_visible()


async def test_a_bar_of_the_histogram_filters_by_score(opened, phage):
    page = await opened(phage)
    bar = page.locator(".histogram .bin").first
    genes = int(await bar.locator(".value").text_content())
    await bar.focus()
    await page.keyboard.press("Enter")
    await expect(bar).to_have_attribute("aria-pressed", "true")
    await expect(page.locator(ROWS)).to_have_count(genes)
    await expect(page.locator("#bars-count")).to_have_text(re.compile(f"^{genes} of"))


async def test_the_waterfall_adds_up_to_what_the_reasoning_says(opened, phage):
    gene = with_domain(phage)
    page = await opened(phage, f"#gene={gene.id}")
    total = await page.locator(".score .total td").first.inner_text()
    said = re.search(r"= (-?\d+\.\d\d) log-odds", gene.reasoning)[1]
    assert float(total.replace("\N{MINUS SIGN}", "-")) == float(said)


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("width", [1400, 360])
@pytest.mark.parametrize("name", ["phix", "phage"])
async def test_no_fault_for_readers_with_other_means(opened, request, name, width, colours):
    result = request.getfixturevalue(name)
    page = await opened(
        result,
        viewport={"width": width, "height": 900},
        color_scheme=colours,
        bypass_csp=True,  # the checker runs as a script of its own
    )
    await page.locator("#map").scroll_into_view_if_needed()
    await page.locator("#maps svg").first.wait_for(state="attached")
    assert await faults(page) == []
    await page.locator(ROWS).first.click()
    await page.locator("#drawer .facts").first.wait_for()
    assert await faults(page) == []


async def faults(page: Page) -> list[str]:
    found = (await Axe().run(page)).response["violations"]
    return [f"{one['impact']} {one['id']}: {one['nodes'][0]['html'][:200]}" for one in found]
