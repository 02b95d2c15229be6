"""Looking at the cache and clearing it: all that is ours, and nothing else."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from genint.cache.info import Cleared, cache_info, clear_cache, sweep
from genint.cache.online import ONLINE, OnlineCache
from genint.cache.profiles import MANIFEST, made_once
from genint.cache.search_results import RESULTS, ResultCache, protein_key
from genint.model import AnswerState

FILE = RESULTS.file_name
LOCK = RESULTS.lock_name
ONLINE_FILE, ONLINE_LOCK = ONLINE.file_name, ONLINE.lock_name
PRESSED = "pressed-0123456789abcdef-pyhmmer0.11.1-2"
OTHER = "pressed-fedcba9876543210-pyhmmer0.11.1-2"
INDEX = "proteins-0123456789abcdef-1"
MD5 = "0123456789ABCDEF0123456789ABCDEF"
DAY_S = 86_400
FOREIGN = (
    "notes.txt",
    "pressed",
    "pressed-plum-recipes-2",
    "pressed-0123456789abcdef",
    "proteins-of-mine.faa",
    ".making-bread",
    ".making-abcdefgh-new",
    "results.sqlite3",
    "results-1.sqlite3.bak",
    "results-2.set-aside",
    "old-results-0.sqlite3",
    "online.sqlite3",
    "online-2.set-aside",
    "online-answers-1.sqlite3",
    "manifest.json",
)
"""What others might have put there, with names as near as can be."""


def make(folder):
    (folder / "file").write_bytes(bytes(5_000))


def age(path, days):
    """Make a folder, its files or a file look as if untouched for so long."""
    then = time.time() - days * DAY_S
    for each in [*path.rglob("*"), path]:
        os.utime(each, (then, then), follow_symlinks=False)


def aged_folder(cache, name, days):
    """A sound folder that was used last so many days ago."""
    folder = made_once(cache, name, make)
    then = time.time() - days * DAY_S
    os.utime(folder / MANIFEST, (then, then))
    return folder


@pytest.fixture
def cache(tmp_path):
    """A cache of everything, among files and folders of others."""
    for name in FOREIGN:
        if "." in name[1:]:
            (tmp_path / name).write_text("dear to me")
        else:
            (tmp_path / name).mkdir()
            (tmp_path / name / "precious").write_text("dear to me")
    made_once(tmp_path, PRESSED, make)
    made_once(tmp_path, INDEX, make)
    results = ResultCache(tmp_path)
    results.keep("a", {protein_key("M"): "x", protein_key("MK"): "y"})
    results.keep("b", {protein_key("M"): "z"})
    online = OnlineCache(tmp_path)
    online.keep("uniprot", "md5-1", "2026_02", answers(MD5))
    online.keep("uniprot", "md5-1", "2026_03", answers(f"{MD5}|562|AAC1.1", "M2"))
    online.keep("uniprot", "acc-1", "2026_03", answers("P12345"))
    online.keep("interpro", "md5-1", "", answers(MD5))
    online.keep("other", "taxon_page", "7", answers("562"))
    return tmp_path


def answers(*keys):
    return dict.fromkeys(keys, (AnswerState.NO_MATCH, ""))


def names(folder):
    return {path.name for path in folder.iterdir()}


def test_all_kinds_are_counted_with_sizes_and_first_use(cache):
    info = cache_info(cache)
    today = datetime.now(UTC).date()
    assert (info.pressed.folders, info.indexes.folders, info.unfinished.folders) == (1, 1, 0)
    assert info.pressed.size_bytes > 5_000
    assert info.pressed.oldest_use == today
    assert info.results[:3] == (2, 3, 2)
    assert info.results.size_bytes == (cache / FILE).stat().st_size
    assert info.results.oldest_use == today
    assert info.online.services == (
        ("interpro", 1, 1, ("",)),
        ("other", 0, 1, ("7",)),
        ("uniprot", 2, 4, ("2026_02", "2026_03")),
    )
    assert info.online.size_bytes == (cache / ONLINE_FILE).stat().st_size
    assert info.online.oldest_use == today
    assert info.size_bytes == sum(
        part.size_bytes for part in (info.pressed, info.indexes, info.results, info.online)
    )


def test_a_missing_folder_holds_nothing_and_stays_missing(tmp_path):
    info = cache_info(tmp_path / "none")
    assert info.size_bytes == 0
    assert info.results.readable
    assert info.online.readable
    assert clear_cache(tmp_path / "none") == Cleared() == sweep(tmp_path / "none")
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("name", [FILE, ONLINE_FILE])
def test_a_damaged_file_is_said_to_be_unreadable_and_cleared(cache, name):
    os.truncate(cache / name, 5_000)
    info = cache_info(cache)
    assert (info.results.readable, info.online.readable) == (name != FILE, name != ONLINE_FILE)
    cleared = clear_cache(cache)
    assert cleared.results
    assert cleared.online
    assert not (cache / name).exists()


def test_clearing_takes_all_of_ours_and_nothing_else(cache):
    size_bytes = cache_info(cache).size_bytes
    assert clear_cache(cache) == Cleared(
        folders=2, results=True, online=True, freed_bytes=size_bytes
    )
    assert names(cache) == {*FOREIGN, LOCK, ONLINE_LOCK}
    for name in FOREIGN:
        path = cache / name
        assert (path / "precious" if path.is_dir() else path).read_text() == "dear to me"


def test_one_kind_can_be_cleared_alone(cache):
    kinds = {
        "folders": {PRESSED, INDEX},
        "results": {FILE},
        "online": {ONLINE_FILE},
    }
    for kind, gone in kinds.items():
        before = names(cache)
        choice = {each: each == kind for each in kinds}
        cleared = clear_cache(cache, **choice)
        assert before - names(cache) == gone
        expected = Cleared(2 * choice["folders"], choice["results"], choice["online"])
        assert replace(cleared, freed_bytes=0) == expected


def test_both_caches_live_in_one_folder_and_are_cleared_apart(tmp_path):
    results, online = ResultCache(tmp_path), OnlineCache(tmp_path)
    results.keep("source", {protein_key("M"): "found"})
    online.keep("uniprot", "md5-1", "2026_03", answers("A"))
    assert clear_cache(tmp_path, results=False).online
    assert results.known("source", [protein_key("M")])
    assert online.find("uniprot", "md5-1", "A", None) == {}
    online.keep("uniprot", "md5-1", "2026_03", answers("A"))
    assert clear_cache(tmp_path, online=False).results
    assert online.find("uniprot", "md5-1", "A", None)


def test_clearing_does_not_follow_links(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "precious").write_text("dear to me")
    folder = tmp_path / "cache"
    made_once(folder, PRESSED, make)
    (folder / PRESSED / "link").symlink_to(outside)
    (folder / OTHER).symlink_to(outside)
    (folder / INDEX).symlink_to(outside / "precious")
    (folder / FILE).symlink_to(outside / "precious")
    (folder / ONLINE_FILE).symlink_to(outside / "precious")
    assert cache_info(folder).pressed.size_bytes < 6_000
    assert clear_cache(folder).folders == 2
    age(outside, 100)
    sweep(folder)
    assert (outside / "precious").read_text() == "dear to me"
    assert not (folder / OTHER).is_symlink()


def test_the_cache_folder_may_be_a_link(cache, tmp_path_factory):
    link = tmp_path_factory.mktemp("links") / "cache"
    link.symlink_to(cache)
    assert cache_info(link).pressed.folders == 1
    assert clear_cache(link).folders == 2
    assert link.is_symlink()
    assert names(cache) == {*FOREIGN, LOCK, ONLINE_LOCK}


@pytest.mark.parametrize("name", [FILE, ONLINE_FILE])
def test_a_foreign_file_under_our_name_is_not_cleared(tmp_path, name):
    (tmp_path / name).write_text("dear to me")
    assert clear_cache(tmp_path) == Cleared()
    assert (tmp_path / name).read_text() == "dear to me"


def test_after_clearing_results_are_kept_again(cache):
    clear_cache(cache)
    results = ResultCache(cache)
    results.keep("a", {protein_key("M"): "new"})
    assert results.known("a", [protein_key("M"), protein_key("MK")]) == {protein_key("M"): "new"}


def test_sweeping_takes_what_was_not_used_for_30_days_unless_it_is_to_be_kept(tmp_path):
    aged_folder(tmp_path, PRESSED, 31)
    aged_folder(tmp_path, INDEX, 31)
    aged_folder(tmp_path, OTHER, 29)
    assert sweep(tmp_path, keep={INDEX}).folders == 1
    assert names(tmp_path) == {OTHER, INDEX}
    assert cache_info(tmp_path).indexes.oldest_use < date.today()


def test_sweeping_takes_what_killed_runs_left_and_nothing_that_is_in_use(tmp_path):
    for name in (".making-abcd_123", ".pressing-abcd1234-old", ".making-young123"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "half").write_text("half")
    age(tmp_path / ".making-abcd_123", 0.01)
    age(tmp_path / ".pressing-abcd1234-old", 2)
    growing = tmp_path / ".making-growing1"
    growing.mkdir()
    (growing / "file").write_text("still written to")
    os.utime(growing, (0, 0))
    assert cache_info(tmp_path).unfinished.folders == 4
    assert sweep(tmp_path).folders == 2
    assert names(tmp_path) == {".making-young123", ".making-growing1"}


def test_sweeping_leaves_what_a_process_fills_and_takes_it_when_that_is_gone(tmp_path):
    def filled(folder):
        make(folder)
        age(folder, 0.5)
        assert sweep(tmp_path).folders == 0
        (tmp_path / ".making-orphan12").mkdir()
        age(tmp_path / ".making-orphan12", 0.5)
        assert sweep(tmp_path).folders == 1

    assert made_once(tmp_path, PRESSED, filled) is not None
    assert names(tmp_path) == {PRESSED}


def test_sweeping_takes_files_of_other_formats_that_nobody_uses(cache):
    for name, days in (
        ("results-0.sqlite3", 40),
        ("results-2.sqlite3", 40),
        ("results-3.sqlite3", 1),
        ("online-0.sqlite3", 40),
        ("online-12.sqlite3", 1),
    ):
        (cache / name).write_bytes(bytes(1_000))
        age(cache / name, days)
    age(cache / FILE, 40)
    age(cache / ONLINE_FILE, 40)
    before = names(cache)
    assert sweep(cache) == Cleared(freed_bytes=3_000)
    gone = {"results-0.sqlite3", "results-2.sqlite3", "online-0.sqlite3"}
    assert before - names(cache) == gone


def test_sweeping_a_cache_in_use_changes_nothing(cache):
    before = names(cache)
    assert sweep(cache) == Cleared()
    assert names(cache) == before


def test_a_damaged_folder_without_its_manifest_is_ours_all_the_same(tmp_path):
    (made_once(tmp_path, PRESSED, make) / MANIFEST).unlink()
    assert cache_info(tmp_path).pressed.folders == 1
    assert clear_cache(tmp_path).folders == 1
    assert names(tmp_path) <= {LOCK}
