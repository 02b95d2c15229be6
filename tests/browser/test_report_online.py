"""What online services answered, on the page of a result: drawer, search and sources."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from genint.formats import read_genome
from genint.report.result import GenintResult
from tests.browser.report_pages import ROWS, names
from tests.builders.online_results import (
    BOTH,
    OUTAGE,
    error,
    hit,
    interpro_evidence,
    known_without,
    not_asked,
    online_result,
    uniprot_evidence,
    unknown,
)

UNIPROT, INTERPRO = BOTH
VIEWPORT = {"viewport": {"width": 1280, "height": 800}}


@pytest.fixture(scope="session")
def asked(examples: Path) -> GenintResult:
    """The first gene is known to both, the next ones to neither, UniProt is silent from then on."""
    genome = read_genome(examples / "phiX174.gbk")
    gene = genome.genes[0].id
    answers = [
        (hit(UNIPROT, "P03631", "Q9XYZ1"), hit(INTERPRO, "IPR008766", "Coil")),
        (known_without(UNIPROT, stale=True), known_without(INTERPRO)),
        (unknown(UNIPROT), unknown(INTERPRO)),
        (error(UNIPROT), not_asked(INTERPRO)),
    ]
    evidence = [uniprot_evidence(gene, "P03631"), interpro_evidence(gene)]
    problems = [
        f"could not be queried: {OUTAGE}",
        "was not queried about 8 proteins: the time was over",
    ]
    return online_result(genome, answers, evidence, problems=problems)


async def fact(page: Page, word: str) -> str:
    """What the drawer says behind a word of its facts."""
    place = page.locator("#drawer dl.facts dt").filter(has_text=re.compile(f"^{word}$")).first
    return await place.locator("xpath=following-sibling::dd[1]").inner_text()


async def test_the_drawer_links_what_services_have(opened, asked):
    page = await opened(asked, f"#gene={asked.genes[0].id}", **VIEWPORT)
    await expect(page.locator("#drawer")).to_contain_text("IPR008766, Coil (109.0)")
    assert await fact(page, "UniProt") == "P03631, Q9XYZ1 (2026_03)"
    link = page.locator("#drawer dl.facts a", has_text="P03631").first
    await expect(link).to_have_attribute("href", "https://www.uniprot.org/uniprotkb/P03631/entry")
    await expect(link).to_have_attribute("rel", "noopener noreferrer")
    entry = page.locator("#drawer dl.facts a", has_text="IPR008766").first
    await expect(entry).to_have_attribute(
        "href", "https://www.ebi.ac.uk/interpro/entry/InterPro/IPR008766/"
    )
    assert await page.locator("#drawer dl.facts a", has_text="Coil").count() == 0


@pytest.mark.parametrize(
    ("gene", "uniprot", "interpro"),
    [
        (
            1,
            "has the sequence, but no entry for it (from the cache, release 2026_03; the "
            "current one could not be checked)",
            "has the sequence, but no signature matches it (109.0)",
        ),
        (
            2,
            "does not have the sequence, which says nothing about the protein (2026_03)",
            "does not have the sequence, which says nothing about the protein (109.0)",
        ),
        (3, "could not be queried: 503 after 4 attempts", "was not queried: the time was over"),
    ],
)
async def test_the_drawer_says_what_became_of_asking(opened, asked, gene, uniprot, interpro):
    page = await opened(asked, f"#gene={asked.genes[gene].id}", **VIEWPORT)
    await expect(page.locator("#drawer")).to_contain_text(uniprot)
    assert await fact(page, "UniProt") == uniprot
    assert await fact(page, "InterPro") == interpro


async def test_the_search_finds_a_gene_by_an_accession_of_a_service(opened, asked):
    page = await opened(asked, **VIEWPORT)
    await page.locator("#find").fill("Q9XYZ1")
    await expect(page.locator(ROWS)).to_have_count(1)
    assert await names(page) == [asked.genes[0].name]


async def test_a_dead_service_is_named_at_the_top_and_leads_to_what_was_asked(opened, asked):
    page = await opened(asked, **VIEWPORT)
    top = page.locator("header.top")
    await expect(top).to_contain_text("UniProt could not be queried: 503 after 4 attempts.")
    await expect(top).to_contain_text("InterPro was not queried about 8 proteins")
    await top.get_by_role("link", name="Online services").first.click()
    section = page.locator("#online")
    await expect(section).to_be_in_viewport()
    sources = page.locator("#provenance")
    await expect(sources).to_contain_text("answered for 3 of 11 distinct proteins")
    await expect(sources).to_contain_text("no sequences.")


async def test_dark_matter_is_not_told_as_known_to_nobody(opened, asked):
    page = await opened(asked, **VIEWPORT)
    await expect(page.locator("#dark")).to_contain_text("more may be known than is shown here")


async def test_offline_the_page_says_nothing_of_services(opened, phix):
    page = await opened(phix, f"#gene={phix.genes[0].id}", **VIEWPORT)
    await expect(page.locator("#drawer")).to_contain_text("amino acids")
    assert await page.locator("#online").count() == 0
    assert "could not be queried" not in await page.locator("body").inner_text()
    assert await page.locator("#drawer dt", has_text="InterPro").count() == 0
