"""The details of a gene in a real browser: keys, links, evidence, and the way back."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from genint.model import CogSource, EvidenceSource
from genint.report import HOSTS, SimilarItem, SupportItem
from tests.browser.report_pages import (
    ROWS,
    by_place,
    first_dark,
    focused,
    with_domain,
)


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


async def test_the_drawer_tells_what_the_name_of_a_family_rests_on(opened, phage):
    gene = with_domain(phage)
    support = SupportItem(
        members=18,
        named_members=16,
        agreeing=14,
        records=12,
        consensus=0.93,
        informative=0.89,
        margin_bits=149.3,
        is_member=True,
    )
    family = gene.evidence[0].model_copy(
        update={
            "source": EvidenceSource.GENINT_FAMILY,
            "accession": "GF0A1B2C3D",
            "support": support,
        }
    )
    changed = gene.model_copy(
        update={"evidence": (family, *gene.evidence[1:]), "cog_source": CogSource.GENINT_FAMILY}
    )
    genes = tuple(changed if one.id == gene.id else one for one in phage.genes)
    page = await opened(phage.model_copy(update={"genes": genes}), f"#gene={gene.id}")
    drawer = page.locator("#drawer")
    for said in [
        "#1 genint family",
        "GF0A1B2C3D",
        "14 of 16 named members, 18 members from 12 records; this protein is one of them",
        "93% of the weight of their names",
        "149.3 bits",
    ]:
        await expect(drawer).to_contain_text(said)


async def test_the_drawer_tells_which_protein_is_similar_and_links_it(opened, phage):
    gene = with_domain(phage)
    similar = SimilarItem(
        name="Terminase large subunit",
        organism="Enterobacteria phage x",
        length_aa=641,
        identity=0.634,
        start=3,
        end=640,
    )
    entry = gene.evidence[0].model_copy(
        update={
            "source": EvidenceSource.SWISSPROT,
            "accession": "P12345",
            "origin": "protein:0123456789:terminase_large_subunit",
            "target_coverage": 0.99,
            "similar": similar,
        }
    )
    changed = gene.model_copy(
        update={"evidence": (entry, *gene.evidence[1:]), "cog_source": CogSource.HOMOLOGY}
    )
    genes = tuple(changed if one.id == gene.id else one for one in phage.genes)
    page = await opened(phage.model_copy(update={"genes": genes}), f"#gene={gene.id}")
    drawer = page.locator("#drawer")
    for said in [
        "#1 Swiss-Prot",
        "Terminase large subunit",
        "Enterobacteria phage x",
        "63%, residues 3\N{EN DASH}640 of 641",
        "99% of the similar protein",
        "that protein under this name, one source, counted once",
    ]:
        await expect(drawer).to_contain_text(said)
    link = drawer.locator("a", has_text="P12345")
    await expect(link).to_have_attribute("href", "https://www.uniprot.org/uniprotkb/P12345/entry")


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
        f"{hit.bits:.1f} (threshold {hit.threshold_bits:.1f})",
        f"residues {hit.protein_start}\N{EN DASH}{hit.protein_end}",
        *gene.reasoning_chain,
        *gene.uncertainties,
        *(term.reason for term in gene.hypotheses[0].terms),
        *(hypothesis.verdict for hypothesis in gene.hypotheses[1:]),
    ]:
        await expect(drawer).to_contain_text(said)
    lines = (await drawer.get_by_label("Protein sequence").inner_text()).split()
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
        gene.summary,
        *gene.novelty.next_steps,
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
    await found.wait_for(state="attached")  # the map may just draw it anew
    assert (await found.bounding_box())["y"] == pytest.approx(
        before, abs=40 if kind == "map" else 3
    )


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


async def test_the_waterfall_adds_up_to_what_the_reasoning_says(opened, phage):
    gene = with_domain(phage)
    page = await opened(phage, f"#gene={gene.id}")
    await page.locator(".score").first.wait_for(state="attached")
    await expect(page.locator(".score").first).to_be_hidden()
    await page.locator("summary", has_text="How the score is calculated").click()
    total = await page.locator(".score .total td").first.inner_text()
    said = re.search(r"= (-?\d+\.\d\d) log-odds", gene.reasoning)[1]
    assert float(total.replace("\N{MINUS SIGN}", "-")) == float(said)
