from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from genint.databases.checksums import PublishedFile
from genint.databases.download.http import FolderSource, Mirror, WebSource, sources_of
from genint.databases.download.manager import Downloader
from genint.databases.recipes import Place, RemoteFile
from genint.errors import InstallError, UsageError
from tests.databases.faulty_server import FILE, PLACE, FaultyServer, content_of


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    mirror = tmp_path / "mirror"
    mirror.mkdir()
    return mirror


@pytest.fixture
def content(folder: Path) -> bytes:
    path = folder / PLACE.host / PLACE.path
    path.parent.mkdir(parents=True)
    content = content_of(1_500_000)
    path.write_bytes(content)
    return content


def test_without_mirrors_the_published_hosts_are_asked_over_https():
    (source,) = sources_of(FILE, ())
    assert isinstance(source, WebSource)
    assert str(source.url) == "https://ftp.example.org/pub/current/data.gz"


@pytest.mark.parametrize("end", ["", "/"])
def test_a_mirror_has_files_under_host_and_path(end):
    (source,) = sources_of(FILE, (Mirror.parse(f"https://mirror.example/bio{end}"),))
    assert isinstance(source, WebSource)
    assert str(source.url) == "https://mirror.example/bio/ftp.example.org/pub/current/data.gz"


def test_with_mirrors_nobody_else_is_asked(folder):
    file = RemoteFile("x", (Place("a.example", "x"), Place("b.example", "y/x")))
    mirrors = (Mirror.parse(str(folder)), Mirror.parse("http://127.0.0.1:8"))
    sources = sources_of(file, mirrors)
    assert [source.path for source in sources if isinstance(source, FolderSource)] == [
        folder / "a.example/x",
        folder / "b.example/y/x",
    ]
    assert [str(source.url) for source in sources if isinstance(source, WebSource)] == [
        "http://127.0.0.1:8/a.example/x",
        "http://127.0.0.1:8/b.example/y/x",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "no/such/folder",
        "ftp://host/x",
        "file:///tmp",
        "https://",
        "http://user:secret@/x",
        "http://user:secret@host:99999/",
        "http://user:secret@ho st/",
        "http://[::1/x",
        "http://user:secret@host/?x=secret",
        "http://host/#x",
        "http://us%3Aer:secret@host/",
        "bob:secret@host/path",
        "secret@host",
        "//bob:secret@host/path",
        "bob:sec/secret@host/path",
        "https:/bob:secret@host/path",
        "https//bob:secret@host/path",
        "bob:secret@host://path",
        "bob:secret@https://host/path",
        "bob:secret\0@host",
    ],
)
def test_what_is_no_mirror_is_refused_without_giving_away_secrets(text):
    with pytest.raises(UsageError, match="--mirror: ") as caught:
        Mirror.parse(text)
    assert "secret" not in str(caught.value)


def test_an_address_without_scheme_is_told_as_such():
    with pytest.raises(UsageError, match="needs its scheme: put https:// or http:// before it"):
        Mirror.parse("bob:s3cret@host/path")


def test_a_folder_may_have_an_at_sign_in_its_name(tmp_path, monkeypatch):
    (tmp_path / "me@home").mkdir()
    monkeypatch.chdir(tmp_path)
    assert Mirror.parse("me@home").root == tmp_path / "me@home"
    with pytest.raises(UsageError, match=r"there is no folder '\./me@work'"):
        Mirror.parse("./me@work")


def test_credentials_are_kept_out_of_everything_that_can_be_shown():
    mirror = Mirror.parse("https://anna:secret@mirror.example/x")
    (source,) = sources_of(FILE, (mirror,))
    assert isinstance(source, WebSource)
    assert source.authorization
    for shown in (str(mirror), repr(mirror), repr(source), source.label, str(source.url)):
        assert "secret" not in shown
        assert "anna" not in shown


async def fetch(target: Path, *mirrors: Mirror, md5: str | None = None, size: int | None = None):
    async with Downloader(target, mirrors) as client:
        return await client.fetch(FILE, PublishedFile(size, md5))


async def test_a_file_of_a_folder_is_copied_not_linked(folder, content, tmp_path):
    fetched = await fetch(tmp_path / "work", Mirror.parse(str(folder)))
    assert fetched.path.read_bytes() == content
    assert fetched.path.stat().st_nlink == 1
    assert not fetched.path.is_symlink()
    assert fetched.url == (folder / PLACE.host / PLACE.path).as_uri()


async def test_a_file_that_a_folder_lacks_is_named_by_host_and_path(folder, tmp_path):
    with pytest.raises(InstallError) as caught:
        await fetch(tmp_path / "work", Mirror.parse(str(folder)))
    assert str(caught.value) == (
        f"data.gz could not be fetched: {PLACE} (mirror {folder}): missing. "
        "What is there is kept: run the same again later, or give another --mirror"
    )


async def test_a_damaged_file_of_a_folder_is_refused_and_the_next_mirror_asked(
    folder, content, tmp_path
):
    async with FaultyServer() as server:
        good = server.put(content_of(1_500_000, seed=1))
        md5 = (await fetch(tmp_path / "good", server.mirror)).md5
        with pytest.raises(InstallError, match="does not fit the published checksum"):
            await fetch(tmp_path / "work", Mirror.parse(str(folder)), md5=md5)
        with pytest.raises(InstallError, match="is 1,500,000 bytes long, published are 7"):
            await fetch(tmp_path / "work", Mirror.parse(str(folder)), size=7)
        both = (Mirror.parse(str(folder)), server.mirror)
        assert (await fetch(tmp_path / "work", *both, md5=md5)).path.read_bytes() == good


async def test_a_copy_that_was_cut_off_is_gone_on_with(folder, content, tmp_path):
    mirror, work = Mirror.parse(str(folder)), tmp_path / "work"
    fetched = await fetch(work, mirror)
    fetched.path.unlink()
    reports: list[int] = []

    async def cut() -> None:
        async with Downloader(work, (mirror,), on_progress=lambda p: reports.append(p[1])) as c:
            await c.fetch(FILE, PublishedFile(None, fetched.md5))

    task = asyncio.create_task(cut())
    while not reports or reports[-1] == 0:
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    kept = (work / "data.gz.part").stat().st_size
    assert 0 < kept < len(content)
    reports.clear()
    await cut()
    assert reports[0] == kept
    assert (work / "data.gz").read_bytes() == content


@pytest.mark.parametrize("kind", ["folder", "pipe"])
async def test_what_is_no_file_in_a_folder_is_not_waited_for(folder, tmp_path, kind):
    path = folder / PLACE.host / PLACE.path
    path.parent.mkdir(parents=True)
    if kind == "folder":
        path.mkdir()
    else:
        os.mkfifo(path)
    with pytest.raises(InstallError, match="is not a file"):
        await fetch(tmp_path / "work", Mirror.parse(str(folder)))


async def test_sizes_in_folders_are_known(folder, content, tmp_path):
    async with Downloader(tmp_path, (Mirror.parse(str(folder)),)) as client:
        assert await client.size_of(FILE) == len(content)
        assert await client.size_of(RemoteFile("x", (Place("h", "x"),))) is None
