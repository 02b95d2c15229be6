"""Whole databases, all files of one release."""

from __future__ import annotations

from pathlib import Path

import pytest
from faulty_server import Behaviour, FaultyServer, content_of
from made_releases import PFAM, path_of, pfam_release

from genint.databases.download.manager import Downloader
from genint.databases.download.retry import RetryPolicy
from genint.databases.recipes import RECIPES
from genint.databases.release import fetch_database, fetch_published
from genint.errors import InstallError

GO = RECIPES["go"]


@pytest.fixture
async def client(tmp_path: Path, server: FaultyServer, hasty: RetryPolicy):
    async with Downloader(tmp_path / "work", (server.mirror,), hasty) as opened:
        yield opened


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
        f"Pfam-A.hmm.dat.gz could not be fetched: {place} (mirror {server.url}): does not fit the "
        "published checksum. What is there is kept: run the same again later, or give another "
        "--mirror"
    )
    assert [each.path for each in server.asked].count(path_of(PFAM, "md5_checksums")) == 2


async def test_a_missing_file_ends_it_and_the_next_run_completes_it(client, server):
    server.files |= pfam_release("38.1", seed=1)
    del server.files[path_of(PFAM, "Pfam-A.clans.tsv.gz")]
    server.always[path_of(PFAM, "Pfam-A.hmm.gz")] = Behaviour(stalls_after=9_000)
    with pytest.raises(InstallError, match=r"Pfam-A\.clans\.tsv\.gz could not be fetched"):
        await fetch_database(client, PFAM)
    server.always.clear()
    server.files |= pfam_release("38.1", seed=1)
    database = await fetch_database(client, PFAM)
    for fetched in database.files:
        assert fetched.path.read_bytes() == server.files[path_of(PFAM, fetched.name)]


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
