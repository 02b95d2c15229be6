"""Folders that are made once: whole or not at all, and made anew when damaged."""

from __future__ import annotations

import json
import os
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from genint.cache.profiles import MANIFEST, last_used, made_once, remove_folder
from genint.errors import UnavailableError

NAME = "proteins-0123456789abcdef-1"
DAY_S = 86_400


class Make:
    """Makes three files, one in a folder of its own and one empty; counts its calls."""

    def __init__(self):
        self.calls = 0

    def __call__(self, folder):
        self.calls += 1
        (folder / "below").mkdir()
        (folder / "below" / "large.bin").write_bytes(bytes(range(256)) * 40_000)
        (folder / "small.tsv").write_text("one\ttwo\n")
        (folder / "empty").touch()


@pytest.fixture
def make():
    return Make()


def test_it_is_made_once_with_all_its_files(tmp_path, make):
    folder = made_once(tmp_path / "on" / "the way", NAME, make)
    assert folder == tmp_path / "on" / "the way" / NAME
    assert made_once(tmp_path / "on" / "the way", NAME, make) == folder
    assert make.calls == 1
    assert (folder / "small.tsv").read_text() == "one\ttwo\n"
    assert (folder / "below" / "large.bin").stat().st_size == 256 * 40_000
    assert list(folder.parent.iterdir()) == [folder]


@pytest.mark.parametrize(
    "damage",
    [
        lambda folder: (folder / "small.tsv").write_text("one\ttwo!\n"),
        lambda folder: (folder / "small.tsv").unlink(),
        lambda folder: (folder / "empty").unlink(),
        lambda folder: (folder / "one too many").touch(),
        lambda folder: os.truncate(folder / "below" / "large.bin", 5_000),
        lambda folder: os.utime(folder / "small.tsv"),
        lambda folder: (folder / MANIFEST).unlink(),
        lambda folder: (folder / MANIFEST).write_text("[" * 100_000),
        lambda folder: (folder / MANIFEST).write_bytes(b"\xff\xfe"),
        lambda folder: (folder / MANIFEST).write_text('{"small.tsv": null}'),
        lambda folder: (
            (folder / "small.tsv").rename(folder.parent / "elsewhere"),
            (folder / "small.tsv").symlink_to(folder.parent / "elsewhere"),
        ),
    ],
)
def test_any_damage_is_noticed_and_made_anew(tmp_path, make, damage):
    folder = made_once(tmp_path, NAME, make)
    damage(folder)
    assert made_once(tmp_path, NAME, make) == folder
    assert make.calls == 2
    assert (folder / "small.tsv").read_text() == "one\ttwo\n"
    assert made_once(tmp_path, NAME, make) == folder
    assert make.calls == 2


@pytest.mark.parametrize("at", [0, 4095, 1 << 22, (1 << 22) + 4000, 1 << 23])
def test_a_byte_changed_where_samples_are_taken_is_noticed(tmp_path, make, at):
    path = made_once(tmp_path, NAME, make) / "below" / "large.bin"
    before = path.stat()
    with path.open("rb+") as stream:
        stream.seek(at)
        stream.write(b"\x77" if at % 256 != 0x77 else b"\x78")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    made_once(tmp_path, NAME, make)
    assert make.calls == 2


@pytest.mark.parametrize("kind", ["file", "link"])
def test_what_else_bears_the_name_makes_way_and_what_a_link_means_stays(tmp_path, make, kind):
    target = tmp_path / "target"
    target.mkdir()
    (target / "precious").write_text("mine")
    cache = tmp_path / "cache"
    cache.mkdir()
    if kind == "file":
        (cache / NAME).write_text("in the way")
    else:
        (cache / NAME).symlink_to(target)
    assert made_once(cache, NAME, make) == cache / NAME
    assert (cache / NAME / "small.tsv").exists()
    assert (target / "precious").read_text() == "mine"
    assert [path.name for path in cache.iterdir()] == [NAME]


@pytest.mark.parametrize(
    "name",
    ["", "../x", "notes", "pressed", "proteins-xyz-1", "proteins-0123456789abcdef", f"a/{NAME}"],
)
def test_only_names_of_the_cache_are_taken(tmp_path, make, name):
    with pytest.raises(ValueError, match="no folder of the cache"):
        made_once(tmp_path, name, make)
    assert list(tmp_path.iterdir()) == []


def test_no_cache_a_closed_one_and_a_full_disk_give_none(tmp_path, make):
    (tmp_path / "file").write_text("no folder")

    def full(folder):
        (folder / "half").write_text("half")
        raise OSError(28, "No space left on device")

    assert made_once(None, NAME, make) is None
    assert made_once(tmp_path / "file", NAME, make) is None
    assert made_once(tmp_path / "file" / "below", NAME, make) is None
    assert made_once(tmp_path / "new", NAME, full) is None
    assert list((tmp_path / "new").iterdir()) == []


def test_what_the_maker_raises_is_passed_on_and_nothing_stays(tmp_path):
    def fails(folder):
        (folder / "half").write_text("half")
        raise UnavailableError("the pack is damaged")

    with pytest.raises(UnavailableError, match="damaged"):
        made_once(tmp_path, NAME, fails)
    assert list(tmp_path.iterdir()) == []


def test_racing_callers_all_get_a_sound_folder(tmp_path):
    with ThreadPoolExecutor(8) as executor:
        for at in range(10):
            cache = tmp_path / str(at)
            folders = list(
                executor.map(lambda _, cache=cache: made_once(cache, NAME, Make()), range(8))
            )
            assert folders == [cache / NAME] * 8
            assert list(cache.iterdir()) == [cache / NAME]


def test_use_is_remembered_to_the_day(tmp_path, make):
    folder = made_once(tmp_path, NAME, make)
    now = time.time()
    os.utime(folder / MANIFEST, (now - 3 * DAY_S, now - 3 * DAY_S))
    assert last_used(folder) < now - 2 * DAY_S
    made_once(tmp_path, NAME, make)
    assert last_used(folder) > now - DAY_S
    assert make.calls == 1


def test_removing_leaves_nothing_and_what_is_not_there_is_no_error(tmp_path, make):
    remove_folder(made_once(tmp_path, NAME, make))
    remove_folder(tmp_path / NAME)
    remove_folder(tmp_path / "nowhere" / NAME)
    assert list(tmp_path.iterdir()) == []


def test_the_manifest_says_what_every_file_looks_like(tmp_path, make):
    manifest = json.loads((made_once(tmp_path, NAME, make) / MANIFEST).read_text())
    assert set(manifest) == {"below/large.bin", "small.tsv", "empty"}
    assert manifest["small.tsv"][0] == 8
