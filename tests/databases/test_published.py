"""What publishers say, and what is made of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from genint.databases.checksums import PublishedFile
from genint.databases.download.manager import Downloader
from genint.databases.download.retry import RetryPolicy
from genint.databases.fetch import fetch_published
from genint.databases.recipes import RECIPES
from genint.errors import InstallError
from tests.databases.faulty_server import Behaviour, FaultyServer, content_of
from tests.databases.made_releases import PFAM, md5_of, metalink, path_of, pfam_release

SWISSPROT, COG, GO = (RECIPES[name] for name in ("swissprot", "cog", "go"))


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


async def test_checksums_that_cannot_be_read_at_one_place_are_read_at_the_next(client, server):
    contents = {file.name: content_of(5_000, each) for each, file in enumerate(SWISSPROT.files)}
    first, second, third = SWISSPROT.checksums.places
    whole = metalink("2026_04", contents)
    server.files[f"/{first}"] = b"<metalink><files></metalink>"
    server.files[f"/{second}"] = metalink("2026_04", dict(list(contents.items())[1:]))
    server.files[f"/{third}"] = whole
    published = await fetch_published(client, SWISSPROT)
    assert published.release == "2026_04"
    assert published.files[SWISSPROT.files[0].name].md5 == md5_of(content_of(5_000, 0))
    server.files[f"/{third}"] = whole[:-20]
    with pytest.raises(InstallError) as caught:
        await fetch_published(client, SWISSPROT)
    message = str(caught.value)
    assert "\n" not in message
    assert all(f"{place} (mirror {server.url})" in message for place in (first, second, third))
    assert message.count("it is not well-formed XML") == 2
    assert "it has no checksum of uniprot_sprot_bacteria.dat.gz" in message


async def test_a_release_that_cannot_be_read_at_one_place_is_read_at_the_next(client, server):
    contents = {file.name: b"x" for file in SWISSPROT.files}
    server.files[path_of(SWISSPROT, "RELEASE.metalink")] = metalink("2026_04", contents)
    first, second, _ = SWISSPROT.release_file.places
    server.files[f"/{first}"] = b"nothing of use\n"
    server.files[f"/{second}"] = b"UniProtKB/Swiss-Prot Release 2026_04 of 14-Oct-2026\n"
    assert (await fetch_published(client, SWISSPROT)).released == "2026-10-14"


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
