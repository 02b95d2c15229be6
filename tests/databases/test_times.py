"""A version whose files were written since is not used before every byte was checked."""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from dataclasses import replace
from pathlib import Path

import pytest

from genint.databases.installed import TIMES, Installed, file_times, look_up, record_times, verify
from genint.databases.layout import DAMAGED
from genint.databases.manifest import BuiltFile, write_manifest
from tests.databases.test_installed import CONTENT, add_version
from tests.databases.test_manifest import WHOLE


@pytest.fixture
def version(tmp_path) -> Path:
    return add_version(tmp_path)


def test_a_file_that_was_written_since_is_not_used_until_every_byte_was_checked(tmp_path, version):
    (version / "definitions.tsv").write_bytes(CONTENT[::-1])
    problem = look_up(tmp_path, "cog")
    assert "changed after they were installed (definitions.tsv)" in problem.reason
    assert problem.cure == "run `genint db verify cog`"
    (found,) = verify(tmp_path, "cog")
    assert found.reason.startswith("definitions.tsv is damaged")
    assert look_up(tmp_path, "cog").cure == "run `genint db install cog`"
    assert (version / DAMAGED).exists()


def test_what_was_copied_without_its_times_is_good_once_it_was_verified(tmp_path, version):
    copied = tmp_path / "elsewhere"
    shutil.copytree(tmp_path / "cog", copied / "cog", copy_function=shutil.copyfile)
    assert look_up(copied, "cog").cure == "run `genint db verify cog`"
    assert verify(copied, "cog") == ()
    assert isinstance(look_up(copied, "cog"), Installed)


@pytest.mark.parametrize("precision_ns", [1, 100, 1_000, 1_000_000, 1_000_000_000])
def test_what_was_copied_with_its_times_is_good_at_once(tmp_path, version, precision_ns):
    copied = tmp_path / "elsewhere"
    shutil.copytree(tmp_path / "cog", copied / "cog")
    file = copied / "cog" / version.name / "definitions.tsv"
    kept = file.stat().st_mtime_ns // precision_ns * precision_ns
    os.utime(file, ns=(kept, kept))
    assert isinstance(look_up(copied, "cog"), Installed)


@pytest.mark.parametrize("content", [None, b"", b"{", b"[]", b"{}", b'{"definitions.tsv": "1"}'])
def test_times_that_cannot_be_read_are_recorded_by_verify(tmp_path, version, content):
    if content is None:
        (version / TIMES).unlink()
    else:
        (version / TIMES).write_bytes(content)
    assert look_up(tmp_path, "cog").cure == "run `genint db verify cog`"
    assert verify(tmp_path, "cog") == ()
    assert isinstance(look_up(tmp_path, "cog"), Installed)


def test_verify_says_where_it_cannot_note_that_a_version_is_sound(tmp_path, version):
    (version / TIMES).unlink()
    (version / TIMES).mkdir()
    (problem,) = verify(tmp_path, "cog")
    assert "is sound, but" in problem.reason
    assert "`genint db verify cog` as a user who may write there" in problem.cure


def test_looking_up_a_large_version_takes_milliseconds(tmp_path):
    folder = add_version(tmp_path)
    names = [f"{each:02}.h3{kind}" for each in range(10) for kind in "fpmi"]
    for name in names:
        (folder / name).write_bytes(b"")
    built = tuple(BuiltFile(name, 0, hashlib.sha256().hexdigest()) for name in names)
    manifest = replace(WHOLE, built=built)
    record_times(folder, file_times(folder, manifest))
    write_manifest(folder, manifest)
    times = []
    for _ in range(20):
        began = time.perf_counter()
        assert isinstance(look_up(tmp_path, "cog"), Installed)
        times.append(time.perf_counter() - began)
    assert min(times) < 0.02  # 3 ms where nothing else runs
