import hashlib
import re
from pathlib import Path

import pytest

from genint.service.routes import pages
from genint.service.routes.pages import APP_POLICY, DOCS_POLICY, REDOC_POLICY, find_page

FOLDER = Path(pages.__file__).parent.parent / "pages"
VENDOR = FOLDER / "vendor"
DOCUMENTS = ("/", "/app", "/docs", "/redoc")
OWN = sorted((FOLDER / "static").iterdir()) + sorted(FOLDER.glob("*.html"))


def text(path: str) -> str:
    found = find_page(path)
    assert found is not None
    return found.content.decode()


@pytest.mark.parametrize("path", DOCUMENTS)
def test_everything_that_a_page_needs_is_served_from_here(path):
    html = text(path)
    needed = re.findall(r'(?:src|href)="(/static/[^"]+)"', html)
    assert needed
    for address in needed:
        assert find_page(address) is not None, address
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
            assert find_page(f"/static/{name}") is not None, f"{file.name}: {name}"


@pytest.mark.parametrize("policy", [APP_POLICY, DOCS_POLICY, REDOC_POLICY])
def test_policies_allow_this_host_alone_and_nothing_inside_a_page(policy):
    directives = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert directives["default-src"] == "'none'"
    assert directives["script-src"] == "'self'"
    assert directives["frame-ancestors"] == "'none'"
    assert "unsafe" not in policy
    assert "http" not in policy


def test_every_page_has_a_policy_and_files_of_pages_have_none():
    for path in DOCUMENTS:
        assert find_page(path).policy is not None
    assert find_page("/static/app.js").policy is None


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
    assert find_page(path) is None


def test_types_carry_the_character_set_and_tags_tell_files_apart():
    tags = set()
    for path in ("/app", "/docs", "/redoc", "/static/app.js", "/static/app.css"):
        page = find_page(path)
        assert page.content_type.endswith("; charset=utf-8")
        assert re.fullmatch(r'"[0-9a-f]{32}"', page.etag)
        tags.add(page.etag)
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


def test_the_logo_of_another_host_is_taken_out_of_redoc():
    address = b"https://cdn.redoc.ly/"
    assert (VENDOR / "redoc" / "redoc.standalone.js").read_bytes().count(address) == 1
    assert address not in find_page("/static/redoc.standalone.js").content
