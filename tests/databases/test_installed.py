"""What may be used, what may not, and holding on to it."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

from genint.databases.fetch import Plan, Published, read_plan, write_plan
from genint.databases.installed import (
    PLAN,
    Installed,
    Problem,
    file_times,
    is_unfinished,
    look_up,
    record_times,
    using,
    verify,
)
from genint.databases.layout import CURRENT, DAMAGED, changing, is_changing, remove, sweep_versions
from genint.databases.manifest import MANIFEST, BuiltFile, SourceFile, write_manifest
from genint.errors import InstallError, UnavailableError
from tests.databases.test_manifest import WHOLE

CONTENT = b"COG9001\tJ\tFactor\n"


def add_version(databases: Path, name: str = "cog", hexes: str = "0123abcd", **changes) -> Path:
    """A version of a database, in use."""
    folder = databases / name / f"2024-{hexes}"
    (folder / "source").mkdir(parents=True)
    (folder / "definitions.tsv").write_bytes(CONTENT)
    (folder / "source" / "a.tab").write_bytes(CONTENT)
    digest = hashlib.sha256(CONTENT).hexdigest()
    built = (BuiltFile("definitions.tsv", len(CONTENT), digest),)
    sources = (SourceFile("a.tab", "https://example.org/a.tab", len(CONTENT), "", digest),)
    manifest = replace(WHOLE, name=name, built=built, sources=sources)
    manifest = replace(manifest, **changes)
    record_times(folder, file_times(folder, manifest))
    write_manifest(folder, manifest)
    (databases / name / CURRENT).write_text(f"{folder.name}\n")
    return folder


@pytest.fixture
def version(tmp_path) -> Path:
    return add_version(tmp_path)


def test_a_whole_version_is_found(tmp_path, version):
    found = look_up(tmp_path, "cog")
    assert isinstance(found, Installed)
    assert (found.folder, found.release, found.entries) == (version, "2024", 3)
    assert found.size_bytes == 2 * len(CONTENT)


@pytest.mark.parametrize("name", ["pfam", "swissprot", "cog", "go", "rfam", "padloc", "amr"])
def test_nothing_is_installed_in_an_empty_or_missing_folder(tmp_path, name):
    assert look_up(tmp_path, name) is None
    assert look_up(tmp_path / "missing", name) is None


def test_a_version_that_is_not_switched_to_is_not_used(tmp_path, version):
    (tmp_path / "cog" / CURRENT).unlink()
    assert look_up(tmp_path, "cog") is None


def grow(version: Path) -> None:
    (version / "definitions.tsv").write_bytes(CONTENT + b"x")


def empty(version: Path) -> None:
    (version / "definitions.tsv").write_bytes(b"")


def take_away(version: Path) -> None:
    (version / "definitions.tsv").unlink()


def lose_manifest(version: Path) -> None:
    (version / MANIFEST).unlink()


def spoil_manifest(version: Path) -> None:
    (version / MANIFEST).write_text("{")


def edit_release(version: Path) -> None:
    text = (version / MANIFEST).read_text()
    (version / MANIFEST).write_text(text.replace('"release": "2024"', '"release": "2025"'))


def other_format(version: Path) -> None:
    content = json.loads((version / MANIFEST).read_text())
    (version / MANIFEST).write_text(json.dumps(content | {"format": 99}))


def lose_folder(version: Path) -> None:
    shutil.rmtree(version)


def point_elsewhere(version: Path) -> None:
    (version.parent / CURRENT).write_text("../../etc\n")


def point_to_bytes(version: Path) -> None:
    (version.parent / CURRENT).write_bytes(b"\xff\x00")


def point_with_folder(version: Path) -> None:
    (version.parent / CURRENT).unlink()
    (version.parent / CURRENT).mkdir()


def known_damage(version: Path) -> None:
    (version / DAMAGED).write_text("x")


@pytest.mark.parametrize(
    ("harm", "reason"),
    [
        (grow, "definitions.tsv has 18 bytes instead of 17"),
        (empty, "definitions.tsv has 0 bytes"),
        (take_away, "definitions.tsv is missing"),
        (lose_manifest, "manifest.json cannot be read"),
        (spoil_manifest, "manifest.json is damaged"),
        (edit_release, "manifest.json is damaged"),
        (other_format, "a newer genint"),
        (lose_folder, "manifest.json cannot be read"),
        (point_elsewhere, "which version is in use is damaged"),
        (point_to_bytes, "which version is in use is damaged"),
        (point_with_folder, "which version is in use cannot be read"),
        (known_damage, "found it damaged"),
    ],
)
def test_a_damaged_version_is_not_used_and_the_cure_is_named(tmp_path, version, harm, reason):
    harm(version)
    problem = look_up(tmp_path, "cog")
    assert isinstance(problem, Problem)
    assert reason in problem.reason
    assert problem.cure == "run `genint db install cog`"
    assert verify(tmp_path, "cog")


def test_the_version_of_another_database_is_not_used(tmp_path, version):
    version.parent.rename(tmp_path / "go")
    assert "that of cog" in look_up(tmp_path, "go").reason


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        ("pfam", (("pressed_kind", "00000000 abacus"), ("pressed_by", "pyhmmer 9 abacus"))),
        ("pfam", ()),
        ("swissprot", (("index_format", "999"),)),
        ("swissprot", ()),
    ],
)
def test_what_was_built_for_another_machine_or_genint_is_not_used(tmp_path, name, facts):
    add_version(tmp_path, name, facts=facts)
    problem = look_up(tmp_path, name)
    assert isinstance(problem, Problem)
    assert "cannot be read here" in problem.reason or "not read here" in problem.reason


def test_verify_finds_one_changed_bit_and_it_is_not_used_from_then_on(tmp_path, version):
    changed = bytearray(CONTENT)
    changed[3] ^= 1
    put_unseen(version / "definitions.tsv", bytes(changed))
    assert isinstance(look_up(tmp_path, "cog"), Installed)
    (problem,) = verify(tmp_path, "cog")
    assert problem.reason.startswith("definitions.tsv is damaged")
    assert look_up(tmp_path, "cog").cure == "run `genint db install cog`"


def put_unseen(file: Path, content: bytes) -> None:
    """Change a file as a failing disk does: neither size nor time tell."""
    before = file.stat()
    file.write_bytes(content)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.parametrize("where", ["file", "file/databases"])
def test_a_file_in_place_of_the_folder_of_databases_is_told(tmp_path, where):
    (tmp_path / "file").write_text("")
    problem = look_up(tmp_path / where, "cog")
    assert "is no folder" in problem.reason
    assert "GENINT_DATABASES_DIR" in problem.cure
    assert verify(tmp_path / where, "cog") == (problem,)


def test_verify_finds_a_damaged_download_which_hurts_nobody(tmp_path, version):
    (version / "source" / "a.tab").write_bytes(b"x" * len(CONTENT))
    (problem,) = verify(tmp_path, "cog")
    assert problem.reason.startswith("source/a.tab is damaged")
    assert isinstance(look_up(tmp_path, "cog"), Installed)


def test_verify_says_how_far_it_is(tmp_path, version):
    seen = []
    assert verify(tmp_path, "cog", lambda done, total: seen.append((done, total))) == ()
    assert seen == [(17, 34), (34, 34)]


def test_verify_of_what_is_not_installed_says_so(tmp_path):
    (problem,) = verify(tmp_path, "cog")
    assert "not installed" in problem.reason


def test_a_database_in_use_is_not_removed(tmp_path, version):
    with (
        using(look_up(tmp_path, "cog")),
        pytest.raises(InstallError, match="in use by a running interpretation"),
    ):
        remove(tmp_path, "cog")
    assert isinstance(look_up(tmp_path, "cog"), Installed)


def test_remove_frees_everything_and_says_how_much(tmp_path, version):
    assert remove(tmp_path, "cog") > 2 * len(CONTENT)
    assert not (tmp_path / "cog").exists()
    assert remove(tmp_path, "cog") == 0


def test_remove_waits_for_no_installer(tmp_path, version):
    with changing(tmp_path, "cog"), pytest.raises(InstallError, match="another process"):
        remove(tmp_path, "cog")
    assert isinstance(look_up(tmp_path, "cog"), Installed)


def test_a_removed_version_cannot_be_used_by_who_looked_it_up_before(tmp_path, version):
    found = look_up(tmp_path, "cog")
    remove(tmp_path, "cog")
    with pytest.raises(UnavailableError, match="`genint db install cog`"), using(found):
        pass


def test_using_needs_no_right_to_write(tmp_path, version):
    found = look_up(tmp_path, "cog")
    before = sorted(tmp_path.rglob("*"))
    with using(found):
        assert sorted(tmp_path.rglob("*")) == before


def test_old_versions_are_swept_unless_somebody_uses_them(tmp_path, version):
    old = look_up(tmp_path, "cog")
    unused = add_version(tmp_path, hexes="11111111")
    keep = add_version(tmp_path, hexes="22222222")
    with using(old):
        assert list(sweep_versions(tmp_path, "cog", keep)) == [unused.name]
    assert list(sweep_versions(tmp_path, "cog", keep)) == [version.name]
    assert look_up(tmp_path, "cog").folder == keep


def test_unfinished_work_is_seen_unless_somebody_goes_on_with_it(tmp_path, version):
    assert not is_unfinished(tmp_path, "cog")
    (tmp_path / "cog" / ".work").mkdir()
    (tmp_path / "cog" / ".work" / PLAN).write_text("{}")
    assert is_unfinished(tmp_path, "cog")
    with changing(tmp_path, "cog"):
        assert is_changing(tmp_path, "cog")
        assert not is_unfinished(tmp_path, "cog")
    assert not is_changing(tmp_path, "cog")


def test_a_plan_is_read_as_it_was_written(tmp_path):
    plan = Plan(Published("1", None, MappingProxyType({})))
    plan = plan.with_fetched(SourceFile("a", "https://example.org/a", 3, "", "5" * 64))
    write_plan(tmp_path, plan)
    assert read_plan(tmp_path) == plan
    assert read_plan(tmp_path).published != Published("2", None, {})


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": 7}', '{"format": 1}'])
def test_a_plan_that_cannot_be_read_is_none(tmp_path, content):
    (tmp_path / PLAN).write_text(content)
    assert read_plan(tmp_path) is None
