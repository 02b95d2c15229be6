"""The page for users, from signing up to the report, against the real service."""

from __future__ import annotations

import asyncio
import os
import re
import sys
import zipfile
from pathlib import Path

from aiohttp.test_utils import TestServer
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page, expect

from genint.formats import read_genome
from genint.report.formats import FORMATS
from genint.service.app import create_app
from genint.settings import Settings
from tests.browser.conftest import fixture
from tests.browser.report_pages import download
from tests.online_services import Ids, Protein, Services, world_of

PASSWORD = "a long enough password"
SERIOUS = {"serious", "critical"}
HOSTILE_NAME = "<img src=x onerror=ran(1)>.gbk"


async def sign_up(page: Page, service: str, email: str = "ada@example.org") -> None:
    await page.goto(f"{service}/app")
    await page.get_by_role("button", name="Create an account").click()
    await page.get_by_label("First name").fill("Ada")
    await page.get_by_label("E-mail").fill(email)
    await page.get_by_label("Password").fill(PASSWORD)
    await page.locator("#account-go").click()
    await expect(page.get_by_role("heading", name="Genomes", exact=True)).to_be_visible()


@fixture
async def page(service, watched) -> Page:
    """The page of somebody who has just signed up."""
    page = (await watched(service)).page
    await sign_up(page, service)
    return page


async def hand_in(page: Page, content: bytes, name: str) -> None:
    await page.locator("#files").set_input_files(
        {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    )
    await page.locator("#send").click()


async def test_from_a_file_to_its_report_and_its_dark_genes(page, service, examples):
    await hand_in(page, (examples / "phiX174.gbk").read_bytes(), "phiX174.gbk")
    line = page.locator("#jobs tbody tr").filter(has_text="phiX174.gbk")
    await expect(line.locator(".state")).to_have_text("done")
    await expect(page.locator("#notice")).to_contain_text("phiX174.gbk: done")
    async with page.expect_popup() as opening:
        await line.get_by_role("link", name="Open report").click()
    report = await opening.value
    await expect(report.locator("h1")).to_have_text("phiX174.gbk")
    await report.get_by_role("link", name="All genomes").click()
    await expect(report.get_by_role("heading", name="Genomes", exact=True)).to_be_visible()
    await report.close()

    await page.get_by_role("link", name="Dark genes").click()
    dark = page.locator("#dark-genes tbody tr").first
    await expect(dark).to_contain_text("phiX174.gbk")
    async with page.expect_popup() as opening:
        await dark.get_by_role("link").click()
    report = await opening.value
    await expect(report.locator("#drawer h3").first).to_have_text("Next steps")


async def test_every_file_of_a_finished_genome_is_saved_with_the_keyboard(page, examples):
    await hand_in(page, (examples / "phiX174.gbk").read_bytes(), "phiX174.gbk")
    line = page.locator("#jobs tbody tr")
    await expect(line.locator(".state")).to_have_text("done")
    await line.locator("summary").focus()
    await page.keyboard.press("Enter")
    buttons = line.locator(".files button")
    starts = {
        "Markdown": (b"# ", "phiX174_report.md"),
        "JSON": (b"{", "phiX174_report.json"),
        "TSV": (b"", "phiX174_report.tsv"),
        "Excel": (b"PK", "phiX174_report.xlsx"),
        "GFF3": (b"##gff-version 3", "phiX174_report.gff3"),
        "Proteins": (b">", "phiX174_report.faa"),
        "Feature table": (b">Feature", "phiX174_report.tbl"),
        "FASTA of dark proteins": (b">", "phiX174_report.dark.faa"),
        "GenBank": (b"LOCUS", "phiX174_report.gbk"),
    }
    # Every format but the page itself has a button. Chromium refuses more than ten downloads in a
    # row that come within a second of each other, so some are passed over.
    names = await buttons.all_inner_texts()
    assert len(names) == len(FORMATS) - 1
    assert set(starts) <= set(names)
    for shown in names:
        await page.keyboard.press("Tab")
        if shown not in starts:
            continue
        start, name = starts[shown]
        async with page.expect_download() as saving:
            await page.keyboard.press("Enter")
        saved = await saving.value
        assert saved.suggested_filename == name
        assert Path(await saved.path()).read_bytes().startswith(start)
        await expect(page.locator("#notice")).to_have_text(f"{name} was saved.")
    report = line.get_by_role("link", name="Open report: phiX174.gbk")
    await expect(report).to_have_count(1)


async def test_a_file_is_saved_under_the_name_of_its_genome_in_any_script(page, examples):
    await hand_in(page, (examples / "phiX174.gbk").read_bytes(), "naïve Σ.gbk")
    line = page.locator("#jobs tbody tr")
    await expect(line.locator(".state")).to_have_text("done")
    await line.get_by_text("Files").click()
    saved = await download(line.get_by_role("button", name="TSV: naïve Σ.gbk"))
    assert saved.suggested_filename == "naïve Σ_report.tsv"


async def test_a_file_that_cannot_be_made_says_why(page, examples, tmp_path):
    await hand_in(page, (examples / "phiX174.gbk").read_bytes(), "phiX174.gbk")
    line = page.locator("#jobs tbody tr")
    await expect(line.locator(".state")).to_have_text("done")
    for upload in (tmp_path / "data" / "uploads").iterdir():
        upload.unlink()
    await line.get_by_text("Files").click()
    await line.get_by_role("button", name="GenBank").click()
    await expect(page.locator("#notice")).to_contain_text("upload")


async def test_the_page_with_open_files_fits_and_has_no_serious_fault(service, watched, examples):
    page = (await watched(service, viewport={"width": 340, "height": 700})).page
    await sign_up(page, service)
    await hand_in(page, (examples / "phiX174.gbk").read_bytes(), "phiX174.gbk")
    line = page.locator("#jobs tbody tr")
    await expect(line.locator(".state")).to_have_text("done")
    await line.get_by_text("Files").click()
    await expect(line.get_by_role("button", name="TSV:")).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth") <= 340
    found = await Axe().run(page)
    faults = [fault for fault in found.response["violations"] if fault["impact"] in SERIOUS]
    assert faults == []


async def test_the_name_of_a_file_stays_text_everywhere(page, examples):
    await hand_in(page, (examples / "phiX174.gbk").read_bytes(), HOSTILE_NAME)
    line = page.locator("#jobs tbody tr")
    await expect(line.locator(".state")).to_have_text("done")
    await expect(line.locator("th")).to_contain_text(HOSTILE_NAME)
    await page.get_by_role("link", name="Dark genes").click()
    await expect(page.locator("#dark-genes tbody tr").first).to_contain_text(HOSTILE_NAME)
    assert await page.locator("main img").count() == 0


async def test_a_file_that_is_refused_says_why_and_can_be_removed(page):
    await hand_in(page, b"", "empty.gb")
    refused = page.locator("#queue li")
    await expect(refused).to_contain_text("empty")
    await refused.get_by_role("button", name="Remove empty.gb").click()
    await expect(page.locator("#queue li")).to_have_count(0)
    await expect(page.locator("#send")).to_be_disabled()


async def test_a_genome_that_fails_says_why_and_the_filter_finds_it(page):
    broken = b">a\nACGTACGTACGT\n>b\n" + b"ACGT" * 20_000 + b"\nACGT!!!\n"
    await hand_in(page, broken, "broken.fasta")
    line = page.locator("#jobs tbody tr").filter(has_text="broken.fasta")
    await expect(line.locator(".state")).to_have_text("failed")
    await expect(line.locator(".problem")).to_contain_text("line")
    await page.get_by_label("Show").select_option("done")
    await expect(page.locator("#no-jobs")).to_have_text("No genome is done.")
    await page.get_by_label("Show").select_option("failed")
    await expect(line).to_be_visible()


async def test_a_job_is_cancelled_after_a_question_and_run_again(page, examples):
    genomes = ["lambda.fasta", *["phiX174.gbk"] * 3]
    for number, name in enumerate(genomes):  # with one worker the last ones wait
        await hand_in(page, (examples / name).read_bytes(), f"waits{number}.fasta")
        await expect(page.locator("#jobs tbody tr")).to_have_count(number + 1)
    line = page.locator("#jobs tbody tr").filter(has_text="waits3.fasta")
    await expect(line).to_contain_text(re.compile("next in the queue|number [23] in the queue"))
    running = page.locator("#jobs tbody tr").filter(has_text="waits0.fasta")
    await expect(running).to_contain_text(re.compile("finding genes|searching|interpreting"))
    await line.get_by_role("button", name="Cancel").click()
    await page.get_by_role("button", name="Stop it").click()
    await expect(line.locator(".state")).to_have_text("cancelled")
    again = line.get_by_role("button", name="Run again")
    await expect(again).to_be_focused()
    await again.click()
    await expect(line.locator(".state")).to_have_text("done")


async def test_a_job_is_deleted_after_a_question(page, examples):
    await hand_in(page, (examples / "phiX174.gbk").read_bytes(), "phiX174.gbk")
    line = page.locator("#jobs tbody tr")
    await expect(line.locator(".state")).to_have_text("done")
    await line.get_by_role("button", name="Delete").click()
    await page.get_by_role("button", name="Back").click()
    await expect(line).to_have_count(1)
    await line.get_by_role("button", name="Delete").click()
    await page.get_by_role("button", name="Delete it").click()
    await expect(line).to_have_count(0)
    await expect(page.locator("#notice")).to_have_text("phiX174.gbk was deleted.")


async def test_a_report_that_is_not_public_is_opened_and_shared_by_links(
    watched, tmp_path, pressed, examples
):
    environment = {"GENINT_DATA_DIR": str(tmp_path / "data"), "JWT_SECRET": "s" * 40}
    environment |= {"GENINT_CACHE_DIR": str(pressed), "GENINT_PUBLIC_REPORTS": "false"}
    server = TestServer(create_app(Settings.from_environment(environment), workers=1))
    await server.start_server()
    service = str(server.make_url("/")).rstrip("/")
    page = (await watched(service)).page
    await sign_up(page, service)
    await hand_in(page, (examples / "phiX174.gbk").read_bytes(), "phiX174.gbk")
    line = page.locator("#jobs tbody tr")
    await expect(line.locator(".state")).to_have_text("done")
    async with page.expect_popup() as opening:
        await line.get_by_role("link", name="Open report").click()
    own = await opening.value
    await expect(own.locator("h1")).to_have_text("phiX174.gbk")
    await line.get_by_role("button", name="Share").click()
    await page.get_by_role("button", name="Make a link").click()
    await expect(page.get_by_label("New link")).to_have_value(re.compile("key="))
    stranger = (await watched(service)).page
    link = await page.get_by_label("New link").input_value()
    assert (await stranger.goto(link)).status == 200
    await page.locator("#share-links button").first.click()
    await expect(page.locator("#share-made")).to_be_hidden()
    assert (await stranger.goto(link)).status == 401
    await server.close()


async def test_genomes_are_found_sorted_saved_together_and_deleted_together(page, examples):
    for name in ("b.gbk", "a.gbk", "c.gbk"):
        await hand_in(page, (examples / "phiX174.gbk").read_bytes(), name)
        await expect(page.locator("#queue li")).to_have_count(0)
    names = page.locator("#jobs tbody th bdi")
    await expect(page.locator("#jobs .state.COMPLETED")).to_have_count(3)
    await page.get_by_label("Sort").select_option("by name")
    await expect(names).to_have_text(["a.gbk", "b.gbk", "c.gbk"])
    await page.get_by_label("Choose a.gbk").check()
    await page.get_by_label("Choose c.gbk").check()
    await expect(page.locator("#chosen-count")).to_have_text("2 genomes chosen")
    async with page.expect_popup() as opening:
        await page.get_by_role("link", name="Compare the two").click()
    differences = await opening.value
    await expect(differences.locator("h1")).to_have_text("Differences")
    await expect(differences.locator("dd").first).to_contain_text("a.gbk")
    await differences.close()
    saved = await download(page.get_by_role("button", name="Download (.zip)"))
    with zipfile.ZipFile(await saved.path()) as archive:
        endings = sorted(name.partition("/")[2] for name in archive.namelist())
    assert endings == sorted(
        f"{stem}_report.{ending}" for stem in "ac" for ending in ("gff3", "html", "tsv")
    )
    await page.locator("#delete-chosen").click()
    await page.locator("#ask-yes").click()
    await expect(names).to_have_text(["b.gbk"])
    await page.locator("#find").fill("zzz")
    await expect(page.locator("#no-jobs")).to_contain_text("No genome with “zzz” in its name.")


async def test_a_job_is_followed_by_events_without_asking_for_the_list(service, watched, examples):
    seen = await watched(service)
    await sign_up(seen.page, service)
    await hand_in(seen.page, (examples / "phiX174.gbk").read_bytes(), "phiX174.gbk")
    await expect(seen.page.locator("#jobs .state")).to_have_text("done")
    asked = [address.rpartition("/")[2] for address in seen.requests if "/api/v1/jobs" in address]
    assert "events" in asked
    assert len([name for name in asked if name.startswith("jobs?")]) <= 4


async def test_a_genome_whose_answer_got_lost_is_sent_again_as_the_same_job(
    service, watched, examples
):
    seen = await watched(service)
    page = seen.page
    await sign_up(page, service)

    async def lose_the_answer(route):
        if route.request.method != "POST":
            return await route.continue_()
        assert (await route.fetch()).status == 200
        return await route.abort()

    await page.route("**/api/v1/jobs", lose_the_answer)
    await hand_in(page, (examples / "phiX174.gbk").read_bytes(), "phiX174.gbk")
    await expect(page.locator("#queue li .problem")).to_contain_text("cannot be reached")
    await page.unroute("**/api/v1/jobs")
    assert [fault.rpartition(": ")[2] for fault in seen.faults] == ["net::ERR_FAILED"]
    seen.faults.clear()
    await page.locator("#send").click()
    await expect(page.locator("#queue li")).to_have_count(0)
    await expect(page.locator("#jobs tbody tr")).to_have_count(1)


async def test_a_key_is_shown_once_copied_and_revoked(page, service):
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=service)
    await page.get_by_role("link", name="API keys").click()
    await page.get_by_label("Name", exact=True).fill("pipeline <b>1</b>")
    await page.get_by_role("button", name="Make a key").click()
    shown = page.get_by_label("New API key")
    await expect(shown).to_have_value(re.compile("^gi_"))
    key = await shown.input_value()
    await page.get_by_role("button", name="Copy").click()
    await expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert await page.evaluate("navigator.clipboard.readText()") == key
    await page.reload()
    await expect(page.locator("#key-list tbody th")).to_have_text("pipeline <b>1</b>")
    assert key not in await page.content()
    await page.get_by_role("button", name="Revoke pipeline").click()
    await page.get_by_role("button", name="Revoke it").click()
    await expect(page.locator("#key-list tbody tr")).to_contain_text("revoked")


async def test_a_session_that_is_no_more_leads_back_to_the_way_in(page):
    await page.context.clear_cookies()
    await page.get_by_role("link", name="Dark genes").click()
    await expect(page.locator("#notice")).to_contain_text("log in again")
    await expect(page.get_by_label("E-mail")).to_be_focused()


async def test_logging_out_leaves_nothing_behind(page):
    await page.get_by_role("button", name="Log out").click()
    await expect(page.locator("#welcome")).to_be_visible()
    assert await page.evaluate("sessionStorage.length + localStorage.length") == 0
    assert await page.context.cookies() == []
    assert "ada@example.org" not in await page.content()


async def test_a_second_tab_is_logged_in_and_out_with_the_first_one(page, service):
    other = await page.context.new_page()
    await other.goto(f"{service}/app")
    await expect(other.locator("#who")).to_have_text("ada@example.org")
    assert await other.evaluate("document.cookie + sessionStorage.length") == "0"  # HttpOnly
    await page.get_by_role("button", name="Log out").click()
    await expect(other.locator("#welcome")).to_be_visible()


async def test_wrong_logins_and_taken_addresses_are_told_in_words(page, service):
    await page.get_by_role("button", name="Log out").click()
    await page.get_by_label("E-mail").fill("ada@example.org")
    await page.get_by_label("Password").fill("not the password")
    await page.get_by_label("Password").press("Enter")
    await expect(page.locator("#account-problem")).to_have_text("E-mail or password is wrong.")
    await page.get_by_role("button", name="Create an account").click()
    await page.get_by_label("Password").fill(PASSWORD)
    await page.locator("#account-go").click()
    await expect(page.locator("#account-problem")).to_contain_text("log in instead")


async def test_everything_is_reached_with_the_keyboard(service, watched):
    page = (await watched(service)).page
    await sign_up(page, service)
    await page.locator("body").click(position={"x": 2, "y": 2})
    focused = "document.activeElement.id || document.activeElement.textContent.trim()"
    reached = []
    for _ in range(20):  # a date has a stop for each of its parts
        await page.keyboard.press("Tab")
        reached.append(await page.evaluate(focused))
    for wanted in ("Dark genes", "API keys", "logout", "files", "phage", "mode", "filter"):
        assert wanted in reached


async def test_every_view_fits_a_narrow_screen(service, watched):
    page = (await watched(service, viewport={"width": 340, "height": 700})).page

    async def fits() -> None:
        await expect(page.locator("section.view:visible")).to_have_count(1)
        assert await page.evaluate("document.documentElement.scrollWidth") <= 340

    await page.goto(f"{service}/app")
    await fits()
    await sign_up(page, service)
    for view in ("Dark genes", "API keys", "Genomes"):
        await page.get_by_role("link", name=view).click()
        await expect(page.get_by_role("heading", name=view, exact=True)).to_be_visible()
        await fits()


async def test_dark_surroundings_get_a_dark_page(service, watched):
    page = (await watched(service, color_scheme="dark")).page
    await page.goto(service)
    background = await page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert max(int(part) for part in re.findall(r"\d+", background)) < 64


NOTE = (
    "Only checksums of the proteins and identifiers of the file leave this host, for UniProt and "
    "InterPro; no sequence does."
)


async def test_online_mode_says_what_leaves_the_host_before_it_is_chosen_for_good(page):
    note = page.locator("#mode-note")
    await expect(note).to_be_empty()
    await page.locator("#mode").select_option("online")
    await expect(note).to_have_text(NOTE)
    await expect(page.locator("#mode")).to_have_accessible_description(NOTE)
    await page.locator("#mode").select_option("local")
    await expect(note).to_be_empty()


async def test_a_genome_is_interpreted_online_and_its_report_says_so(
    watched, tmp_path, pressed, examples
):
    genome = read_genome(examples / "phiX174.gbk")
    proteins = [
        Protein(gene.protein, gene.product or "", Ids(refseq=gene.protein_id or ""))
        for gene in genome.genes
    ]
    environment = {"GENINT_DATA_DIR": str(tmp_path / "data"), "JWT_SECRET": "s" * 40}
    environment["GENINT_CACHE_DIR"] = str(pressed)
    environment["GENINT_CACHE_MB"] = "0"  # no answer is kept
    async with Services(world_of(proteins)) as services:
        values = environment | services.environment
        server = TestServer(create_app(Settings.from_environment(values), workers=1))
        await server.start_server()
        home = str(server.make_url("/")).rstrip("/")
        page = (await watched(home)).page
        await sign_up(page, home)
        await page.locator("#mode").select_option("online")
        await hand_in(page, (examples / "phiX174.gbk").read_bytes(), "phiX174.gbk")
        line = page.locator("#jobs tbody tr").filter(has_text="phiX174.gbk")
        await expect(line.locator(".state")).to_have_text("done")
        await expect(line).to_contain_text("online")
        async with page.expect_popup() as opening:
            await line.get_by_role("link", name="Open report").click()
        report = await opening.value
        await expect(report.locator("#provenance")).to_contain_text("answered for 11 of 11")
        await report.close()
        await server.close()
        assert services.record.count("uniprot") > 0


async def test_the_page_in_online_mode_fits_and_has_no_serious_fault(service, watched):
    page = (await watched(service, viewport={"width": 340, "height": 700})).page
    await sign_up(page, service)
    await page.locator("#mode").select_option("online")
    await expect(page.locator("#mode-note")).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth") <= 340
    found = await Axe().run(page)
    assert [one for one in found.response["violations"] if one["impact"] in SERIOUS] == []


async def test_an_account_is_changed_left_everywhere_and_deleted(service, watched):
    seen = await watched(service, viewport={"width": 375, "height": 700})
    page = seen.page
    await sign_up(page, service)
    await page.get_by_role("link", name="Account", exact=True).click()
    await expect(page.locator("#settings-email")).to_have_text("ada@example.org")
    await page.get_by_label("Present password").fill("not this one")
    await page.get_by_label("New password").fill("another long password")
    await page.get_by_role("button", name="Change it").click()
    await expect(page.locator("#change-problem")).to_have_text("The password is not correct")
    await page.get_by_label("Present password").fill(PASSWORD)
    await page.get_by_role("button", name="Change it").click()
    await expect(page.locator("#notice")).to_contain_text("Your password is changed")
    assert await page.evaluate("document.documentElement.scrollWidth") <= 375
    found = await Axe().run(page)
    faults = [fault for fault in found.response["violations"] if fault["impact"] in SERIOUS]
    assert faults == []

    await page.get_by_role("button", name="Log out everywhere").click()
    await expect(page.locator("#left")).to_contain_text("You are logged out everywhere.")
    await page.get_by_role("link", name="To the start page").click()
    await page.get_by_label("E-mail").fill("ada@example.org")
    await page.get_by_label("Password").fill("another long password")
    await page.locator("#account-go").click()
    await page.get_by_role("link", name="Account", exact=True).click()
    await page.get_by_label("Password", exact=True).fill("another long password")
    await page.get_by_role("button", name="Delete the account").click()
    await page.get_by_role("button", name="Delete all of it").click()
    await expect(page.locator("#left")).to_contain_text("all its data are deleted")
    assert await page.context.cookies() == []


async def test_a_visitor_reads_the_first_page_tries_it_as_a_guest_and_keeps_the_genomes(
    service, watched, examples
):
    page = (await watched(service, viewport={"width": 375, "height": 700})).page
    await page.goto(service)
    await expect(page.get_by_role("link", name="Explore an example")).to_be_visible()
    await has_no_fault(page)
    await page.get_by_role("button", name="without signing up").click()
    await expect(page.locator("#guest-note")).to_be_visible()
    own = {"name": "mine.faa", "mimeType": "text/plain", "buffer": b">p kinase\nMKVILERDWY\n"}
    await page.get_by_label("Own proteins").set_input_files(own)
    await hand_in(page, (examples / "phiX174.gbk").read_bytes(), "phiX174.gbk")
    await expect(page.locator("#jobs tbody th")).to_contain_text("with mine.faa")
    await expect(page.get_by_role("link", name="API keys")).to_be_hidden()
    await has_no_fault(page)
    await page.get_by_role("link", name="Keep these genomes").click()
    await page.get_by_label("E-mail").fill("ada@example.org")
    await page.get_by_label("Password").fill(PASSWORD)
    await page.locator("#account-go").click()
    await expect(page.locator("#who")).to_have_text("ada@example.org")
    await expect(page.locator("#jobs tbody tr")).to_have_count(1)
    await expect(page.locator("#guest-note")).to_be_hidden()
    await page.goto(service)
    await expect(page.locator("#own")).to_have_text("Go to your genomes")


async def test_a_guest_is_asked_before_logging_out_or_deleting_for_good(service, watched):
    page = (await watched(service, color_scheme="dark")).page
    await page.goto(f"{service}/app")
    await has_no_fault(page)
    for leave in ("Log out", "delete everything now"):
        await page.get_by_role("button", name="Try it without an account").click()
        await page.get_by_role("button", name=leave).click()
        await page.locator("#ask-yes").click()
        await expect(page.locator("#welcome")).to_be_visible()


async def has_no_fault(page: Page) -> None:
    """The page fits into the window, and axe finds nothing serious."""
    width = page.viewport_size["width"]
    assert await page.evaluate("document.documentElement.scrollWidth") <= width
    found = await Axe().run(page)
    assert [one for one in found.response["violations"] if one["impact"] in SERIOUS] == []


async def test_a_forgotten_password_is_replaced_by_an_operators_link(service, watched, tmp_path):
    seen = await watched(service, color_scheme="dark")
    page = seen.page
    await sign_up(page, service)
    await page.get_by_role("button", name="Log out").click()
    await page.get_by_role("link", name="Forgot your password?").click()
    await page.wait_for_url("**/forgot-password")  # its script takes the form from then on
    await page.get_by_label("E-mail").fill("ada@example.org")
    await page.get_by_role("button", name="Send me a link").click()
    await expect(page.locator("#forgot-done")).to_contain_text("ask its operator for a link")
    await has_no_fault(page)

    command = [sys.executable, "-m", "genint", "user", "reset-password", "ADA@example.org"]
    settings = {"GENINT_DATA_DIR": str(tmp_path / "data"), "GENINT_PUBLIC_URL": service}
    child = await asyncio.create_subprocess_exec(
        *command, env=os.environ | settings, stdout=asyncio.subprocess.PIPE
    )
    link = (await child.communicate())[0].decode().strip()
    await page.goto(link)
    assert "#" not in page.url
    await has_no_fault(page)
    await page.get_by_label("New password").fill("another long password")
    await page.get_by_role("button", name="Set it").click()
    await expect(page.locator("#reset-done")).to_be_visible()
    assert not [address for address in seen.requests if link.partition("#")[2] in address]
    await page.get_by_role("link", name="Log in").click()
    await page.get_by_label("E-mail").fill("ada@example.org")
    await page.get_by_label("Password").fill("another long password")
    await page.locator("#account-go").click()
    await expect(page.get_by_role("heading", name="Genomes", exact=True)).to_be_visible()
