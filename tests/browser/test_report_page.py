"""The report in a real browser: from disk, on paper, on every screen, and nothing runs."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page, expect

from genint.report import render_html
from tests.browser.report_pages import ROWS, STILL, by_place, download, enlarged, with_domain

ATTACKS = (
    "<script>ran(1)</script>",
    "<img src=x onerror=ran(2)>",
    "</script></style></title><script>ran(4)</script>",
    "'><iframe srcdoc='<script>parent.ran(5)</script>'>",
    "<a href=javascript:ran(6)>click</a>",
    "{{ran(8)}}<style>@import '//evil.example/x'</style>",
)


async def faults(page: Page) -> list[str]:
    found = (await Axe().run(page)).response["violations"]
    return [f"{one['impact']} {one['id']}: {one['nodes'][0]['html'][:200]}" for one in found]


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


async def test_the_map_can_be_saved_as_a_picture(opened, phix):
    page = await opened(phix)
    await page.locator("#map").scroll_into_view_if_needed()
    await page.locator("#maps path[data-index]").first.wait_for()
    saved = await download(page.get_by_role("button", name="Save this view as SVG"))
    assert re.fullmatch(r"phiX174_[\w.-]+_map\.svg", saved.suggested_filename)
    picture = ElementTree.parse(await saved.path()).getroot()  # noqa: S314 - our own file
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


async def test_a_printed_report_has_no_tools_and_whole_values(opened, phage):
    page = await opened(phage)
    await page.emulate_media(media="print")
    for tool in ["#filters", "#drawer", "#save-table", "nav"]:
        await expect(page.locator(tool)).to_be_hidden()
    for column in ["place", "confidence", "function", "cog", "pfam"]:
        await expect(page.locator(f"{ROWS} td.c-{column}").first).to_be_visible()
    cut = """(cells) => cells.filter((cell) => getComputedStyle(cell).overflow !== "visible"
        || cell.scrollWidth > cell.clientWidth + 1).length"""
    assert await page.locator(f"{ROWS} :is(th, td)").evaluate_all(cut) == 0
    head = "getComputedStyle(document.querySelector('#gene-table thead')).display"
    assert await page.evaluate(head) == "table-header-group"


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
        # By keyboard: while the drawer opens or closes, rows move below a pointer.
        await page.locator(f"{ROWS}").nth(row).locator("button.gene").press("Enter")
        await page.locator("#drawer .facts").first.wait_for()
        assert await page.evaluate(wide) <= width
        drawer = page.locator("#drawer")
        assert await drawer.evaluate("(node) => node.scrollWidth <= node.clientWidth")
        await page.keyboard.press("Escape")


async def test_the_map_begins_on_the_first_screen(opened, phage):
    page = await opened(phage, viewport={"width": 1280, "height": 720})
    assert (await page.locator("#maps").bounding_box())["y"] < 500


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


async def test_a_phage_of_260_genes_is_printed_on_ten_pages_without_losing_a_gene(
    watched, tmp_path, phage
):
    result = enlarged(phage, copies=4, crowded=False)
    file = tmp_path / "report.html"
    file.write_text(render_html(result), encoding="utf-8")
    visit = await watched(file.as_uri(), **STILL)
    await visit.page.goto(file.as_uri())
    await visit.page.evaluate(
        """() => addEventListener("beforeprint", () => { window.printed =
          [...document.querySelectorAll("#gene-table tbody tr[data-gene]")].map((row) =>
            ["name", "confidence", "function"].map((c) => row.querySelector(`.c-${c}`).innerText));
        })"""
    )
    pdf = await visit.page.pdf(format="A4", prefer_css_page_size=True)
    assert 4 <= len(re.findall(rb"/Type /Page\b", pdf)) <= 10
    printed = await visit.page.evaluate("window.printed")
    assert len(printed) == len(result.genes)
    for gene, (name, level, function) in zip(by_place(result), printed, strict=True):
        assert name.split()[0] == gene.name
        assert level == (gene.confidence if gene.is_dark else f"{gene.confidence} {gene.score:.2f}")
        assert function.startswith(gene.function or "dark matter")


async def test_print_says_where_the_reasoning_is(opened, phage):
    page = await opened(phage)
    where = page.locator(".not-printed")
    await expect(where).to_be_hidden()
    await page.emulate_media(media="print")
    await expect(where).to_contain_text("Reasoning, evidence and next steps are not printed")
