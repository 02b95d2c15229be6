"""The site of the documentation: it builds without a warning and has all that the code has."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from urllib.parse import unquote

import click

from documentation.__main__ import documents, linked_files
from documentation.references import command_line, http_api, library, result_file, settings_page
from genint.cli.main import cli
from genint.report.result import GenintResult
from genint.service.routes import ENDPOINTS
from genint.settings import SECRETS, VARIABLES

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"<(?:a|img)\b[^>]*?\s(?:href|src)=[\"']?(?!https?:|mailto:|data:)([^\"'\s>]+)")
PLACE = re.compile(r"\sid=[\"']?([^\"'\s>]+)")
LOADED = re.compile(r"<(?:script|link|img|iframe)[^>]+(?:src|href)=[\"']?(https?://[^\"'\s>]+)")


def test_every_document_is_a_page_that_the_search_finds(site):
    index = json.loads((site / "search" / "search_index.json").read_text())
    found = {entry["location"].partition("#")[0] for entry in index["docs"]}
    for document in documents():
        page = document.relative_to(ROOT).with_suffix(".html").as_posix()
        page = re.sub(r"README\.html$", "index.html", page)
        assert (site / page).is_file()
        assert page in found or page == "index.html"


def test_the_menu_has_every_page_for_readers(site):
    """A page that is missing in `nav` of mkdocs.yml is found by the search alone."""
    menu = set(LINK.findall((site / "index.html").read_text("utf-8")))
    for folder in ("docs", "docs/reference"):
        pages = {page.relative_to(site).as_posix() for page in (site / folder).glob("*.html")}
        assert pages - menu == set()


def test_no_page_loads_anything_from_another_host(site):
    for page in site.rglob("*.html"):
        assert not LOADED.findall(page.read_text("utf-8")), page.name


def test_every_link_of_every_page_leads_to_a_file_and_a_place_in_it(site):
    """All that a reader can click, menus and tables made from the code among them."""
    texts = {page: page.read_text("utf-8") for page in site.rglob("*.html")}
    places = {
        page: {html.unescape(place) for place in PLACE.findall(text)}
        for page, text in texts.items()
    }
    broken = []
    for page, text in texts.items():
        for link in set(map(html.unescape, LINK.findall(text))) if page.name != "404.html" else ():
            path, _, place = link.partition("#")
            target = (page.parent / unquote(path)).resolve() if path else page
            target = target / "index.html" if target.is_dir() else target
            known = place in places.get(target, {place}) or not place
            if not target.is_file() or not known:
                broken.append(f"{page.relative_to(site)}: {link}")
    assert broken == []


def test_every_name_that_the_library_offers_is_described(site):
    text = (site / "docs" / "reference" / "library.html").read_text("utf-8")
    for name in re.findall(r"^(?:::: genint\.|## )(\w+)$", library(), re.MULTILINE):
        assert re.search(rf"<h2 id=\"(genint\.)?{name}\"", text), name
    assert ":class:" not in text


def commands(command=cli, names=("genint",)):
    if not isinstance(command, click.Group):
        return [(" ".join(names), command)]
    context = click.Context(command)
    found = ((name, command.get_command(context, name)) for name in command.list_commands(context))
    return [one for name, below in found for one in commands(below, (*names, name))]


def test_every_option_of_every_command_is_in_the_reference():
    sections = dict(re.findall(r"^## (genint .+?)\n(.*?)(?=^## |\Z)", command_line(), re.M | re.S))
    for name, command in commands():
        if command.hidden:
            continue
        for parameter in command.params:
            if isinstance(parameter, click.Option) and not parameter.hidden:
                assert f"`{', '.join(parameter.opts)}" in sections[name], parameter.name


def test_every_setting_is_in_the_reference_and_secrets_are_marked():
    page = settings_page()
    for variable in VARIABLES.values():
        secret = " (secret)" if variable in SECRETS else ""
        (row,) = re.findall(rf"^\| `{variable}`{re.escape(secret)} \| (.*) \|$", page, re.M)
        assert row or variable in ("NOTIFY_SOCKET", "WATCHDOG_USEC"), variable


def test_every_documented_route_is_in_the_reference():
    page = http_api()
    public = [one for one in ENDPOINTS if one.path.startswith("/api/v1/")]
    assert [one.path for one in public if f"### {one.method} `{one.path}`" not in page] == []


def test_every_field_of_a_result_is_in_the_reference_with_its_meaning():
    page = result_file()
    assert [name for name in GenintResult.model_fields if f"| `{name}`" not in page] == []
    schema = GenintResult.model_json_schema(mode="serialization")
    for name, model in (*schema["$defs"].items(), ("GenintResult", schema)):
        for field, about in model.get("properties", {}).items():
            assert about.get("description"), f"{name}.{field}"


def test_files_that_a_document_links_to_come_with_it():
    names = {file.name for file in linked_files(ROOT / "docs" / "confidence.md")}
    assert {"figures.md", "readings.tsv"} <= names
