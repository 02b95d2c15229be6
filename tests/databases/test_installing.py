"""Installing from mirrors: what is there afterwards, and what is refused."""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from pyhmmer.plan7 import HMMPressedFile

from genint.databases.download.http import Mirror
from genint.databases.install import install
from genint.databases.installation import InstallNote
from genint.databases.installed import Installed, Problem, look_up, using, verify
from genint.databases.layout import changing, versions
from genint.databases.manifest import read_manifest, write_manifest
from genint.databases.recipes import RECIPES
from genint.errors import InstallError, UsageError
from genint.knowledge import open_index
from tests.databases.faulty_server import Behaviour, content_of
from tests.databases.published_content import (
    DATABASES,
    MADE_FAMILIES,
    Releases,
    published_file,
    republish,
    write_mirror,
)

ENTRIES = {
    "pfam": MADE_FAMILIES,
    "swissprot": 12,
    "cog": 3,
    "go": 4,
    "rfam": 4,
    "amr": 4,
    "padloc": 4,
}


@pytest.fixture(scope="module")
def mirror(tmp_path_factory) -> Path:
    """Made-up content; not to be changed."""
    return write_mirror(tmp_path_factory.mktemp("mirror"))


@pytest.fixture
def own_mirror(mirror, tmp_path) -> Path:
    """Made-up content that a test may change."""
    return shutil.copytree(mirror, tmp_path / "own_mirror")


@pytest.fixture
def databases(tmp_path) -> Path:
    return tmp_path / "databases"


async def installed_from(folder: Path, databases: Path, name: str, **options) -> Installed:
    (installed,) = await install(databases, [name], mirrors=[Mirror.parse(str(folder))], **options)
    return installed


def notes_of(told: list) -> list[str]:
    return [event.text for event in told if isinstance(event, InstallNote)]


@pytest.mark.parametrize("name", DATABASES)
async def test_a_database_is_installed_from_a_folder(mirror, databases, name):
    installed = await installed_from(mirror, databases, name)
    assert installed == look_up(databases, name)
    assert installed.entries == ENTRIES[name]
    assert verify(databases, name) == ()
    assert not (databases / name / ".work").exists()


@pytest.mark.parametrize("name", DATABASES)
async def test_a_database_is_installed_from_a_web_server(mirror, databases, server, name):
    for file in mirror.rglob("*"):
        if file.is_file():
            server.files[f"/{file.relative_to(mirror)}"] = file.read_bytes()
    (installed,) = await install(databases, [name], mirrors=[server.mirror])
    assert installed.entries == ENTRIES[name]
    manifest = read_manifest(installed.folder)
    assert all(file.url.startswith(server.url) for file in manifest.sources)


async def test_real_content_is_installed_and_readable(shared_data, tmp_path, databases):
    folder = write_mirror(tmp_path / "real", shared_data=shared_data)
    sources = [Mirror.parse(str(folder))]
    pfam, swissprot, cog, go, rfam, padloc, amr = await install(
        databases, DATABASES, mirrors=sources
    )
    assert (pfam.release, pfam.entries) == ("38.0", 5)
    with HMMPressedFile(pfam.folder / "blocks" / "00") as pressed:
        assert next(profile.accession for profile in pressed) == "PF00004.36"
    assert swissprot.entries > 15_000
    open_index(swissprot.folder / "index")
    assert cog.entries > 5_000
    assert go.entries > 6_000
    assert (rfam.release, rfam.entries) == ("15.1", 4)
    assert (padloc.release, dict(padloc.facts)["systems"]) == ("2.0.0", "384")
    assert (amr.release, amr.entries) == ("2024-12-18.1", 4)
    for name in DATABASES:
        assert verify(databases, name) == ()


async def test_what_is_installed_and_whole_is_left_alone(mirror, databases):
    first = await installed_from(mirror, databases, "cog")
    told = []
    again = await installed_from(mirror, databases, "cog", progress=told.append)
    assert again == first
    assert any("already installed" in text for text in notes_of(told))


async def test_nothing_is_built_when_files_without_checksums_are_the_same(mirror, databases):
    first = await installed_from(mirror, databases, "go")
    assert await installed_from(mirror, databases, "go") == first


async def test_force_installs_anew(mirror, databases):
    first = await installed_from(mirror, databases, "cog")
    again = await installed_from(mirror, databases, "cog", force=True)
    assert again.folder != first.folder
    assert again.digest == first.digest
    assert versions(databases, "cog") == (again.folder,)


async def test_a_new_release_takes_the_place_of_the_old(own_mirror, databases):
    await installed_from(own_mirror, databases, "pfam")
    write_mirror(own_mirror, databases=["pfam"], releases=Releases(pfam="39.0"), families=6)
    new = await installed_from(own_mirror, databases, "pfam")
    assert (new.release, new.entries) == ("39.0", 6)
    assert versions(databases, "pfam") == (new.folder,)


async def test_a_version_in_use_stays_until_nobody_uses_it(own_mirror, databases):
    old = await installed_from(own_mirror, databases, "pfam")
    write_mirror(own_mirror, databases=["pfam"], releases=Releases(pfam="39.0"), families=6)
    with using(old):
        new = await installed_from(own_mirror, databases, "pfam")
        assert (old.folder / "families.tsv").exists()
        assert look_up(databases, "pfam") == new
    await installed_from(own_mirror, databases, "pfam")
    assert versions(databases, "pfam") == (new.folder,)


async def test_a_damaged_database_is_built_anew_without_any_network(mirror, databases, tmp_path):
    first = await installed_from(mirror, databases, "go")
    (first.folder / "terms.tsv").write_bytes(b"")
    assert isinstance(look_up(databases, "go"), Problem)
    told = []
    empty = tmp_path / "empty"
    empty.mkdir()
    again = await installed_from(empty, databases, "go", progress=told.append)
    assert again.digest == first.digest
    assert any("only building it anew" in text for text in notes_of(told))


async def test_a_flipped_byte_is_found_and_cured_by_installing(mirror, databases):
    first = await installed_from(mirror, databases, "cog")
    flip(first.folder / "definitions.tsv")
    again = await installed_from(mirror, databases, "cog")
    assert again.digest == first.digest
    assert verify(databases, "cog") == ()


async def test_what_was_copied_without_its_times_is_checked_and_not_built_anew(mirror, databases):
    first = await installed_from(mirror, databases, "cog")
    os.utime(first.folder / "definitions.tsv", (1, 1))
    assert isinstance(look_up(databases, "cog"), Problem)
    assert await installed_from(mirror, databases, "cog") == first


async def test_damaged_downloads_are_fetched_again(mirror, databases):
    first = await installed_from(mirror, databases, "cog")
    flip(first.folder / "definitions.tsv")
    flip(first.folder / "source" / "cog-24.def.tab")
    again = await installed_from(mirror, databases, "cog")
    assert again.digest == first.digest
    assert verify(databases, "cog") == ()


async def test_profiles_pressed_elsewhere_are_pressed_anew_without_any_network(
    mirror, databases, tmp_path
):
    first = await installed_from(mirror, databases, "pfam")
    manifest = read_manifest(first.folder)
    facts = dict(manifest.facts) | {"pressed_kind": "f6e6e6b3 arm"}
    write_manifest(first.folder, replace(manifest, facts=tuple(sorted(facts.items()))))
    problem = look_up(databases, "pfam")
    assert isinstance(problem, Problem)
    assert "genint db install pfam" in problem.cure
    empty = tmp_path / "empty"
    empty.mkdir()
    again = await installed_from(empty, databases, "pfam")
    assert again.digest == first.digest


async def test_a_second_installer_is_told_so_and_nothing_is_hurt(mirror, databases):
    first = await installed_from(mirror, databases, "cog")
    with changing(databases, "cog"), pytest.raises(InstallError, match="another process"):
        await installed_from(mirror, databases, "cog", force=True)
    assert look_up(databases, "cog") == first


async def test_a_disk_that_is_too_small_is_said_before_anything_is_downloaded(
    own_mirror, databases
):
    metalink = published_file(own_mirror, "swissprot", "RELEASE.metalink")
    huge = re.sub(r"<size>\d+</size>", f"<size>{10**17}</size>", metalink.read_text())
    metalink.write_text(huge)
    with pytest.raises(InstallError, match=r"swissprot: [\d.]+ GB are needed .* GB are free"):
        await installed_from(own_mirror, databases, "swissprot")
    assert not list((databases / "swissprot" / ".work" / "download").glob("uniprot_sprot*"))


async def test_what_is_waited_for_and_given_up_is_told_while_it_happens(mirror, databases, server):
    for file in mirror.rglob("*"):
        if file.is_file():
            server.files[f"/{file.relative_to(mirror)}"] = file.read_bytes()
    first, second = RECIPES["cog"].checksums.places
    server.files[f"/{second}"] = server.files[f"/{first}"]
    server.always[f"/{first}"] = Behaviour(status=429, headers={"Retry-After": "3600"})
    told = []
    await install(databases, ["cog"], mirrors=[server.mirror], progress=told.append)
    notes = notes_of(told)
    assert notes == ["checksums.md5 from 127.0.0.1: answers 429 and asks to wait 3,600 s, given up"]


async def test_a_wrong_checksum_leaves_the_old_version(own_mirror, databases):
    old = await installed_from(own_mirror, databases, "pfam")
    write_mirror(own_mirror, databases=["pfam"], releases=Releases(pfam="39.0"), families=6)
    flip(published_file(own_mirror, "pfam", "Pfam-A.hmm.gz"))
    with pytest.raises(InstallError, match=r"Pfam-A\.hmm\.gz"):
        await installed_from(own_mirror, databases, "pfam")
    assert look_up(databases, "pfam") == old


def serve(server, mirror) -> None:
    for file in mirror.rglob("*"):
        if file.is_file():
            server.files[f"/{file.relative_to(mirror)}"] = file.read_bytes()


async def test_a_file_that_never_fits_ends_in_one_clear_line(mirror, databases, server):
    serve(server, mirror)
    place = RECIPES["pfam"].files[1].places[0]
    server.files[f"/{place}"] = content_of(20_001, seed=7)
    with pytest.raises(InstallError) as caught:
        await install(databases, ["pfam"], mirrors=[server.mirror])
    assert str(caught.value) == (
        f"Pfam-A.hmm.dat.gz could not be fetched: {place} (mirror {server.url}): does not fit the "
        "published checksum. What is there is kept: run the same again later, or give another "
        "--mirror"
    )
    checksums = f"/{RECIPES['pfam'].checksums.places[0]}"
    assert [each.path for each in server.asked].count(checksums) == 2


async def test_a_missing_file_ends_it_and_the_next_run_fetches_only_the_rest(
    mirror, databases, server
):
    serve(server, mirror)
    first, *_, last = (f"/{file.places[0]}" for file in RECIPES["pfam"].files)
    missing = server.files.pop(last)
    with pytest.raises(InstallError, match=r"Pfam-A\.clans\.tsv\.gz could not be fetched"):
        await install(databases, ["pfam"], mirrors=[server.mirror])
    server.files[last] = missing
    server.sent_bytes.clear()
    await install(databases, ["pfam"], mirrors=[server.mirror])
    assert (server.sent_bytes[first], server.sent_bytes[last]) == (0, len(missing))


async def test_a_malformed_file_is_named_and_fetched_anew_next_time(own_mirror, databases):
    whole = published_file(own_mirror, "go", "pfam2go").read_bytes()
    republish(own_mirror, "go", "pfam2go", b"!\nPfam:PF1 bad line\n")
    with pytest.raises(InstallError, match="go: pfam2go, line 2: "):
        await installed_from(own_mirror, databases, "go")
    assert look_up(databases, "go") is None
    republish(own_mirror, "go", "pfam2go", whole)
    assert (await installed_from(own_mirror, databases, "go")).entries == ENTRIES["go"]


async def test_an_interrupted_install_of_an_older_release_is_not_mixed_in(own_mirror, databases):
    def stop(step: str) -> None:
        if step == "noted Pfam-A.hmm.gz":
            raise InterruptedError

    with pytest.raises(InstallError):
        await installed_from(own_mirror, databases, "pfam", checkpoint=stop)
    write_mirror(own_mirror, databases=["pfam"], releases=Releases(pfam="39.0"), families=6)
    new = await installed_from(own_mirror, databases, "pfam")
    assert (new.release, new.entries) == ("39.0", 6)


async def test_a_release_that_appears_while_files_are_fetched_is_taken_whole(
    own_mirror, databases, server
):
    def serve() -> None:
        for file in own_mirror.rglob("*"):
            if file.is_file():
                server.files[f"/{file.relative_to(own_mirror)}"] = file.read_bytes()

    def publish(step: str) -> None:
        if step == "noted Pfam-A.hmm.gz" and not published:
            published.append("39.0")
            releases = Releases(pfam="39.0")
            write_mirror(own_mirror, databases=["pfam"], releases=releases, families=6)
            serve()

    published = []
    serve()
    sources = [server.mirror]
    (installed,) = await install(databases, ["pfam"], mirrors=sources, checkpoint=publish)
    assert (installed.release, installed.entries) == ("39.0", 6)
    assert verify(databases, "pfam") == ()


async def test_credentials_of_a_mirror_are_kept_nowhere(mirror, databases, server):
    for file in mirror.rglob("*"):
        if file.is_file():
            server.files[f"/{file.relative_to(mirror)}"] = file.read_bytes()
    told = []
    source = Mirror.parse(f"http://reader:s3cret@127.0.0.1:{server.port}")
    await install(databases, ["cog"], mirrors=[source], progress=told.append)
    server.files.clear()
    with pytest.raises(InstallError) as refused:
        await install(databases, ["go"], mirrors=[source], progress=told.append)
    assert "s3cret" not in f"{refused.value} {told}"
    files = [file for file in databases.rglob("*") if file.is_file()]
    assert files
    assert all(b"s3cret" not in file.read_bytes() for file in files)


async def test_an_unknown_database_is_a_usage_error(databases):
    with pytest.raises(UsageError, match="'foo'"):
        await install(databases, ["foo"])


async def test_a_folder_that_cannot_be_written_is_one_line(mirror, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InstallError, match="GENINT_DATABASES_DIR"):
        await installed_from(mirror, tmp_path / "file" / "databases", "cog")


def flip(file: Path) -> None:
    """Change one bit in the middle of a file."""
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
