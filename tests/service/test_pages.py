import asyncio
import hashlib
import re
from pathlib import Path

import aiohttp_jinja2
import pytest
from pydantic import SecretStr

from genint.report.page.render import HTML_POLICY
from genint.service.app import create_app
from genint.service.routes import pages
from genint.service.routes.pages import (
    APP_POLICY,
    ASSETS,
    CITATION,
    DOCS_POLICY,
    PAGES,
    REDOC_POLICY,
    VIEWER_POLICY,
)
from genint.settings import Settings
from genint.version import __version__
from tests.servers.stalling_proxy import StallingProxy

FOLDER = Path(pages.__file__).parent.parent / "pages"
VENDOR = FOLDER / "vendor"
DOCUMENTS = tuple(PAGES)
OWN = sorted((FOLDER / "static").iterdir()) + sorted(FOLDER.glob("*.html"))


def text(path: str) -> str:
    templates = aiohttp_jinja2.get_env(create_app(Settings.from_environment({})))
    return templates.get_template(PAGES[path].template).render(PAGES[path].values)


@pytest.mark.parametrize("path", DOCUMENTS)
def test_everything_that_a_page_needs_is_served_from_here(path):
    html = text(path)
    needed = re.findall(r'(?:src|href)="(/static/[^"]+)"', html)
    assert needed
    for address in needed:
        assert address in ASSETS, address
    assert not re.findall(r'(?:src|href)="(?:https?:)?//', html)


@pytest.mark.parametrize("path", DOCUMENTS)
def test_pages_hold_no_script_and_no_style_of_their_own(path):
    html = text(path)
    assert not re.findall(r"<script(?![^>]*\bsrc=)", html)
    assert "<style" not in html
    assert not re.findall(r"\s(?:style|on[a-z]+)=", html)


@pytest.mark.parametrize("file", OWN, ids=lambda file: file.name)
def test_our_scripts_never_turn_text_into_markup(file):
    content = file.read_text("utf-8")
    refused = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc"
    assert not re.findall(refused, content)


def test_modules_import_only_what_is_served():
    for file in (FOLDER / "static").glob("*.js"):
        for name in re.findall(r'from "\./([^"]+)"', file.read_text("utf-8")):
            assert f"/static/{name}" in ASSETS, f"{file.name}: {name}"


@pytest.mark.parametrize("policy", [APP_POLICY, VIEWER_POLICY, DOCS_POLICY, REDOC_POLICY])
def test_policies_allow_this_host_alone_and_nothing_inside_a_page(policy):
    directives = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert directives["default-src"] == "'none'"
    assert directives["script-src"] == "'self'"
    assert directives["frame-ancestors"] == "'none'"
    assert "unsafe" not in policy
    assert "http" not in policy


def test_the_page_that_shows_a_file_may_not_send_it():
    assert "connect-src 'none'" in VIEWER_POLICY
    assert "form-action 'none'" in VIEWER_POLICY
    assert PAGES["/viewer"].policy == VIEWER_POLICY


async def test_every_page_has_a_policy_and_files_of_pages_have_that_of_data(client):
    for path in DOCUMENTS:
        answer = await client.get(path)
        assert answer.headers["Content-Security-Policy"] == PAGES[path].policy
    answer = await client.get("/static/app.js")
    assert "script-src" not in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    "path",
    [
        "/static/",
        "/static/../assets.py",
        "/static/assets.py",
        "/static/LICENSE",
        "/static/vendor/redoc/redoc.standalone.js",
        "/static/%2e%2e/app.html",
        "/static/app.js\x00",
        "//static/app.js",
        "/app/",
        "",
    ],
)
def test_only_the_files_of_the_pages_are_found(path):
    assert path not in ASSETS
    assert path not in PAGES


async def test_types_carry_the_character_set_and_tags_tell_files_apart(client):
    tags = set()
    for path in ("/app", "/docs", "/redoc", "/static/app.js", "/static/app.css"):
        answer = await client.get(path)
        assert answer.headers["Content-Type"].endswith("; charset=utf-8")
        assert re.fullmatch(r'(W/)?"[0-9a-f]{32}"', answer.headers["ETag"])
        tags.add(answer.headers["ETag"])
    assert len(tags) == 5


def test_what_is_taken_over_is_what_its_list_says():
    sources = (VENDOR / "SOURCES.md").read_text("utf-8")
    listed = dict(re.findall(r"`([^`/]+/[^`]+)` \| `([0-9a-f]{64})`", sources))
    present = {
        file.relative_to(VENDOR).as_posix()
        for file in VENDOR.rglob("*")
        if file.suffix in {".js", ".css"}
    }
    assert present == set(listed)
    for name, digest in listed.items():
        assert hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() == digest
    for folder in {name.split("/")[0] for name in listed}:
        assert (VENDOR / folder / "LICENSE").is_file()


async def test_the_logo_of_another_host_is_taken_out_of_redoc(client):
    address = b"https://cdn.redoc.ly/"
    assert (VENDOR / "redoc" / "redoc.standalone.js").read_bytes().count(address) == 1
    answer = await client.get("/static/redoc.standalone.js")
    assert address not in await answer.read()


async def example_once_there(client):
    """Its answer; whoever comes before it is made is told so, and when to come again."""
    while (answer := await client.get("/example")).status == 202:
        assert answer.headers["Refresh"] == answer.headers["Retry-After"] == "3"
        assert answer.headers["Cache-Control"] == "no-store"
        assert "is being made" in await answer.text()
    return answer


async def test_the_example_report_is_made_once_for_all_and_kept_for_the_next_start(
    client, service_settings, monkeypatch
):
    kept = service_settings.cache_folder / f"example-{__version__}.html"
    kept.write_bytes(b"\0" * 99)  # as a file system may leave it
    monkeypatch.setattr("genint.service.example._PATIENCE_S", 0.2)
    answers = await asyncio.gather(*(example_once_there(client) for _ in range(2)))
    texts = [await answer.text() for answer in answers]
    assert [answer.status for answer in answers] == [200, 200]
    assert texts[0] == texts[1]
    assert "lambda.fasta" in re.search("<title>(.*)</title>", texts[0])[1]
    assert answers[0].headers["Content-Security-Policy"].startswith(HTML_POLICY)
    tag = {"If-None-Match": answers[0].headers["ETag"]}
    assert (await client.get("/example", headers=tag)).status == 304
    assert kept.read_text("utf-8") == texts[0]


def test_the_page_cites_what_the_citation_file_says():
    assert f'title: "{CITATION}"' in (FOLDER.parents[2] / "CITATION.cff").read_text("utf-8")


async def test_readiness_says_what_fails(client, open_service, service_settings, request):
    answer = await client.get("/api/v1/ready")
    assert (answer.status, await answer.json()) == (200, {"status": "ready"})
    url = SecretStr(request.getfixturevalue("postgresql_url"))
    other = {"database": url, "min_free_bytes": 10**18}
    bare = await open_service(service_settings.model_copy(update=other), workers=0)
    answer = await bare.get("/api/v1/ready")
    assert answer.status == 503
    assert await answer.json() == {"detail": "the disk is nearly full; no worker is alive"}
    assert (await bare.get("/api/v1/health")).status == 200


async def test_readiness_says_that_the_database_is_away_and_that_it_is_back(
    open_service, service_settings, postgresql_url, postgresql_server
):
    async with StallingProxy(postgresql_server.port) as proxy:
        url = SecretStr(proxy.instead_of(postgresql_url))
        client = await open_service(service_settings.model_copy(update={"database": url}))
        assert (await client.get("/api/v1/ready")).status == 200
        proxy.stall()
        answer = await client.get("/api/v1/ready")
        assert answer.status == 503
        assert await answer.json() == {"detail": "the database does not answer"}
        assert (await client.get("/api/v1/health")).status == 200
        proxy.flow()
        async with asyncio.timeout(20):
            while (await client.get("/api/v1/ready")).status != 200:
                await asyncio.sleep(0.1)
