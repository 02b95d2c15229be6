"""Whole databases: what is published, and files that fit it."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from faulty_server import Behaviour, FaultyServer, content_of

from genint.databases.download import Downloader
from genint.databases.fetching import fetch_database
from genint.databases.patience import RetryPolicy
from genint.databases.published import PublishedFile, fetch_published
from genint.databases.recipes import RECIPES, Recipe
from genint.errors import InstallError

PFAM, SWISSPROT, COG, GO = (RECIPES[name] for name in ("pfam", "swissprot", "cog", "go"))


def md5_of(content: bytes) -> str:
    return hashlib.md5(content, usedforsecurity=False).hexdigest()


def path_of(recipe: Recipe, name: str) -> str:
    beside = [file for file in (recipe.checksums, recipe.release_file) if file is not None]
    (file,) = [each for each in (*recipe.files, *beside) if each.name == name]
    return f"/{file.places[0]}"


def pfam_release(number: str, seed: int) -> dict[str, bytes]:
    """What a release folder of Pfam has, by path."""
    contents = {f.name: content_of(20_000 + each, seed) for each, f in enumerate(PFAM.files)}
    listed = "".join(f"{md5_of(content)}  {name}\n" for name, content in contents.items())
    contents |= {
        "md5_checksums": listed.encode(),
        "relnotes.txt": f"RELEASE {number}\nMay 2026\n".encode(),
    }
    return {path_of(PFAM, name): content for name, content in contents.items()}


def metalink(release: str, contents: dict[str, bytes]) -> bytes:
    files = "".join(
        f'<file name="{name}"><size>{len(content)}</size><verification>'
        f'<hash type="md5">{md5_of(content)}</hash></verification></file>'
        for name, content in contents.items()
    )
    return (
        '<metalink version="3.0" xmlns="http://www.metalinker.org/">'
        f"<version>{release}</version><files>{files}</files></metalink>"
    ).encode()


@pytest.fixture
async def client(tmp_path: Path, server: FaultyServer, hasty: RetryPolicy):
    async with Downloader(tmp_path / "work", (server.mirror,), hasty) as opened:
        yield opened


async def test_pfam_is_published_with_release_date_and_checksums(client, server):
    server.files |= pfam_release("38.1", seed=1)
    published = await fetch_published(client, PFAM)
    assert (published.release, published.released) == ("38.1", "2026-05")
    assert published.files == {
        file.name: PublishedFile(None, md5_of(content_of(20_000 + each, 1)))
        for each, file in enumerate(PFAM.files)
    }


async def test_swissprot_is_published_with_release_date_sizes_and_checksums(client, server):
    contents = {file.name: content_of(5_000, each) for each, file in enumerate(SWISSPROT.files)}
    server.files[path_of(SWISSPROT, "RELEASE.metalink")] = metalink(
        "2026_04", contents | {"other.gz": b"x"}
    )
    server.files[path_of(SWISSPROT, "reldate.txt")] = (
        b"UniProtKB/Swiss-Prot Release 2026_04 of 14-Oct-2026\n"
    )
    published = await fetch_published(client, SWISSPROT)
    assert (published.release, published.released) == ("2026_04", "2026-10-14")
    assert published.files == {
        name: PublishedFile(5_000, md5_of(content)) for name, content in contents.items()
    }


@pytest.mark.parametrize("dates", [None, b"Swiss-Prot Release 2026_05 of 9-Dec-2026", b"<html>"])
async def test_the_release_is_the_one_that_the_checksums_name(client, server, dates):
    contents = {file.name: b"x" for file in SWISSPROT.files}
    server.files[path_of(SWISSPROT, "RELEASE.metalink")] = metalink("2026_04", contents)
    if dates is not None:
        server.files[path_of(SWISSPROT, "reldate.txt")] = dates
    published = await fetch_published(client, SWISSPROT)
    assert (published.release, published.released) == ("2026_04", None)


@pytest.mark.parametrize("name", ["checksums.md5", "checksums.md5.txt"])
async def test_cog_is_published_with_checksums_under_either_name(client, server, name):
    folder = path_of(COG, "checksums.md5").rpartition("/")[0]
    lines = "".join(f"{md5_of(b'x')}  {file.name}\n" for file in COG.files)
    server.files[f"{folder}/{name}"] = lines.encode()
    published = await fetch_published(client, COG)
    assert (published.release, published.released) == ("2024", None)
    assert set(published.files) == {"cog-24.def.tab", "cog-24.fun.tab"}


async def test_of_the_gene_ontology_nothing_is_published(client, server):
    published = await fetch_published(client, GO)
    assert published.release is None
    assert set(published.files.values()) == {PublishedFile(None, None)}
    assert not server.asked


async def test_checksums_that_lack_a_file_are_refused_in_one_line(client, server):
    server.files |= pfam_release("38.1", seed=1)
    server.files[path_of(PFAM, "md5_checksums")] = f"{'0' * 32}  Pfam-A.hmm.gz\n".encode()
    with pytest.raises(InstallError, match=r"has no checksum of Pfam-A\.hmm\.dat\.gz") as caught:
        await fetch_published(client, PFAM)
    assert "\n" not in str(caught.value)


async def test_checksums_that_cannot_be_had_are_named(client, server):
    server.files |= pfam_release("38.1", seed=1)
    del server.files[path_of(PFAM, "md5_checksums")]
    with pytest.raises(InstallError, match=r"md5_checksums could not be fetched: .*missing"):
        await fetch_published(client, PFAM)


async def test_what_is_published_is_read_anew_each_time(client, server):
    server.files |= pfam_release("38.1", seed=1)
    before = await fetch_published(client, PFAM)
    server.files |= pfam_release("38.2", seed=2)
    after = await fetch_published(client, PFAM)
    assert (before.release, after.release) == ("38.1", "38.2")
    assert before.files != after.files


async def test_a_release_that_appears_while_it_is_read_is_read_again(client, server):
    old, new = pfam_release("38.1", seed=1), pfam_release("38.2", seed=2)
    notes, sums = path_of(PFAM, "relnotes.txt"), path_of(PFAM, "md5_checksums")
    server.files |= new
    server.behave(Behaviour(body=old[notes]), Behaviour(body=new[sums]))
    published = await fetch_published(client, PFAM)
    assert published.release == "38.2"
    assert len(server.asked) == 6


async def test_a_release_that_never_stays_the_same_is_given_up(client, server):
    server.files |= pfam_release("38.1", seed=1)
    sums = server.files[path_of(PFAM, "md5_checksums")]
    for each in range(3):
        server.behave(
            Behaviour(body=b"RELEASE %d.1" % (each + 1)),
            Behaviour(body=sums),
            Behaviour(body=b"RELEASE %d.2" % (each + 1)),
        )
    with pytest.raises(InstallError, match="is being published just now"):
        await fetch_published(client, PFAM)


async def test_all_files_of_a_database_are_fetched(client, server):
    server.files |= pfam_release("38.1", seed=1)
    database = await fetch_database(client, PFAM)
    assert [fetched.name for fetched in database.files] == [file.name for file in PFAM.files]
    for fetched in database.files:
        assert fetched.path.read_bytes() == server.files[path_of(PFAM, fetched.name)]
    assert database.published.release == "38.1"


async def test_a_release_that_changes_meanwhile_is_fetched_whole(client, server):
    server.files |= pfam_release("38.1", seed=1)
    before = await fetch_published(client, PFAM)
    await client.fetch(PFAM.files[1], before.files[PFAM.files[1].name])
    server.files |= pfam_release("38.2", seed=2)
    database = await fetch_database(client, PFAM, before)
    assert database.published.release == "38.2"
    for fetched in database.files:
        assert fetched.path.read_bytes() == server.files[path_of(PFAM, fetched.name)]


async def test_files_that_never_fit_end_in_one_clear_line(client, server):
    server.files |= pfam_release("38.1", seed=1)
    server.files[path_of(PFAM, "Pfam-A.hmm.dat.gz")] = content_of(20_001, seed=7)
    with pytest.raises(InstallError) as caught:
        await fetch_database(client, PFAM)
    place = path_of(PFAM, "Pfam-A.hmm.dat.gz")[1:]
    assert str(caught.value) == (
        f"Pfam-A.hmm.dat.gz could not be fetched: {place} (mirror {server.url}) does not fit the "
        "published checksum. What is there is kept: run the same again later, or give another "
        "--mirror"
    )
    assert [each.path for each in server.asked].count(path_of(PFAM, "md5_checksums")) == 2


async def test_a_missing_file_ends_it_and_what_is_there_is_kept(client, server, tmp_path):
    server.files |= pfam_release("38.1", seed=1)
    del server.files[path_of(PFAM, "Pfam-A.clans.tsv.gz")]
    big = path_of(PFAM, "Pfam-A.hmm.gz")
    server.always[big] = Behaviour(stalls_after=9_000)
    with pytest.raises(InstallError, match=r"Pfam-A\.clans\.tsv\.gz could not be fetched"):
        await fetch_database(client, PFAM)
    server.always.clear()
    server.files |= pfam_release("38.1", seed=1)
    database = await fetch_database(client, PFAM)
    assert len(database.files) == 3
    assert server.sent_bytes[big] == len(server.files[big])


async def test_what_is_there_already_is_not_fetched_again(client, server):
    server.files |= pfam_release("38.1", seed=1)
    await fetch_database(client, PFAM)
    server.sent_bytes.clear()
    await fetch_database(client, PFAM)
    assert not any(path.endswith(".gz") for path in server.sent_bytes)


async def test_the_gene_ontology_is_fetched_without_checksums(client, server):
    for file in GO.files:
        server.files[f"/{file.places[-1]}"] = b"made up " + file.name.encode()
    database = await fetch_database(client, GO)
    assert [fetched.path.read_bytes() for fetched in database.files] == [
        b"made up " + file.name.encode() for file in GO.files
    ]
    assert all(len(fetched.sha256) == 64 for fetched in database.files)
