"""The cache of results: what was kept comes back, and nothing else ever does."""

from __future__ import annotations

import os
import pickle
import random
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from genint.cache.search_results import RESULTS, ResultCache, protein_key

FILE = RESULTS.file_name
LOCK = RESULTS.lock_name
SET_ASIDE = RESULTS.set_aside_name
DAY_S = 86_400
KEYS = tuple(protein_key(f"M{at}") for at in range(3_000))


class Clock:
    """Says the day that it is told."""

    def __init__(self, day=20_000):
        self.day = day

    def __call__(self):
        return self.day * DAY_S + 5.0


def kept_days(folder):
    """Key -> day of its last use, read past the cache."""
    connection = sqlite3.connect(folder / FILE)
    rows = connection.execute("SELECT protein, day FROM results").fetchall()
    connection.close()
    return dict(rows)


def answer(key, characters=300, salt=""):
    """A text that compresses as badly as any."""
    return random.Random(key.hex() + salt).randbytes(characters // 2).hex()


answers = st.dictionaries(st.sampled_from(KEYS[:40]), st.text(max_size=600), max_size=30)


def test_the_key_of_a_protein_is_16_bytes_and_blind_to_case():
    assert protein_key("MKV") == protein_key("mkv")
    assert protein_key("MKV") != protein_key("MKVL")
    assert len(protein_key("")) == 16


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(kept=st.lists(st.tuples(st.sampled_from(("a", "b", "\N{GREEK SMALL LETTER PI}")), answers)))
def test_it_answers_as_a_dictionary_does(tmp_path_factory, kept):
    cache = ResultCache(tmp_path_factory.mktemp("cache"))
    expected: dict[str, dict[bytes, str]] = {}
    for source, given_answers in kept:
        cache.keep(source, given_answers)
        expected.setdefault(source, {}).update(given_answers)
    for source in ("a", "b", "\N{GREEK SMALL LETTER PI}", "never kept"):
        assert cache.known(source, KEYS[:40]) == expected.get(source, {})


@pytest.mark.parametrize("text", ["", "x" * 100_000, "\ud800 alone", "\0", '{"hits": []}' * 50])
def test_any_text_comes_back_as_it_was(tmp_path, text):
    cache = ResultCache(tmp_path)
    cache.keep("source", {KEYS[0]: text})
    assert cache.known("source", KEYS[:1]) == {KEYS[0]: text}


def test_sources_are_told_apart_to_the_last_character(tmp_path):
    cache = ResultCache(tmp_path)
    cache.keep("pfam 38.0", {KEYS[0]: "old"})
    assert cache.known("pfam 38.1", KEYS[:1]) == {}
    assert cache.known("pfam 38.0 ", KEYS[:1]) == {}


def test_only_what_is_asked_for_is_answered(tmp_path):
    cache = ResultCache(tmp_path)
    cache.keep("source", {key: key.hex() for key in KEYS})
    asked = [*KEYS[100:1_700], b"unknown" * 2, KEYS[100]]
    assert cache.known("source", iter(asked)) == {key: key.hex() for key in KEYS[100:1_700]}


def test_a_later_answer_replaces_an_earlier_one(tmp_path):
    cache = ResultCache(tmp_path)
    cache.keep("source", {KEYS[0]: "one", KEYS[1]: "two"})
    cache.keep("source", {KEYS[0]: "three"})
    assert cache.known("source", KEYS[:2]) == {KEYS[0]: "three", KEYS[1]: "two"}


def test_another_object_pickled_or_made_later_knows_the_same(tmp_path):
    cache = ResultCache(tmp_path / "made" / "on the way %20 ?#")
    cache.keep("source", {KEYS[0]: "found"})
    copy = pickle.loads(pickle.dumps(cache))  # noqa: S301 - our own
    later = ResultCache(tmp_path / "made" / "on the way %20 ?#")
    assert copy.known("source", KEYS[:1]) == later.known("source", KEYS[:1]) == {KEYS[0]: "found"}


def test_a_cache_of_no_size_or_no_folder_touches_nothing(tmp_path):
    for cache in (ResultCache(tmp_path / "new", limit_bytes=0), ResultCache(None)):
        cache.keep("source", {KEYS[0]: "found"})
        assert cache.known("source", KEYS[:1]) == {}
    assert list(tmp_path.iterdir()) == []


def test_asking_an_empty_folder_leaves_it_empty(tmp_path):
    assert ResultCache(tmp_path).known("source", KEYS) == {}
    assert list(tmp_path.iterdir()) == []


def test_between_calls_nothing_is_open_and_two_files_lie_there(tmp_path):
    cache = ResultCache(tmp_path)
    cache.keep("source", {KEYS[0]: "found"})
    cache.known("source", KEYS)
    assert {path.name for path in tmp_path.iterdir()} == {FILE, LOCK}
    open_files = [os.path.realpath(each) for each in Path("/proc/self/fd").iterdir()]
    assert not [each for each in open_files if each.startswith(os.path.realpath(tmp_path))]


def test_an_answer_beyond_any_measure_is_not_kept_and_spoils_nothing(tmp_path):
    cache = ResultCache(tmp_path)
    huge = random.Random(1).randbytes(20_000_000).hex()
    cache.keep("source", {KEYS[0]: huge, KEYS[1]: "small"})
    assert cache.known("source", KEYS[:2]) == {KEYS[1]: "small"}


# --- day of use, and size ---


def test_use_is_remembered_once_a_day(tmp_path):
    clock = Clock(20_000)
    cache = ResultCache(tmp_path, clock=clock)
    cache.keep("source", dict.fromkeys(KEYS[:4], "x"))
    clock.day = 20_003
    cache.known("source", KEYS[:2])
    days = kept_days(tmp_path)
    assert [days[key] for key in KEYS[:4]] == [20_003, 20_003, 20_000, 20_000]
    before = (tmp_path / FILE).read_bytes()
    assert cache.known("source", KEYS[:2])
    assert (tmp_path / FILE).read_bytes() == before


def test_what_was_not_used_for_longest_goes_first_and_80_percent_stay(tmp_path):
    clock = Clock(20_000)
    limit_bytes = 1_000_000
    cache = ResultCache(tmp_path, limit_bytes=limit_bytes, clock=clock)
    for day, start in enumerate(range(0, 1_500, 100)):
        clock.day = 20_000 + day
        cache.keep("source", {key: answer(key) for key in KEYS[start : start + 100]})
    clock.day = 20_020
    assert len(cache.known("source", KEYS[:100])) == 100  # old, but used
    for start in range(1_500, 3_000, 100):
        cache.keep("source", {key: answer(key) for key in KEYS[start : start + 100]})
        assert (tmp_path / FILE).stat().st_size <= limit_bytes
    days = kept_days(tmp_path)
    gone = [at for at, key in enumerate(KEYS) if key not in days]
    assert gone == list(range(100, 100 + len(gone)))
    assert limit_bytes * 0.5 < len(days) * 330 < limit_bytes
    assert cache.known("source", KEYS) == {key: answer(key) for key in days}


def test_a_smaller_bound_gives_space_back_to_the_disk(tmp_path):
    clock = Clock()
    cache = ResultCache(tmp_path, clock=clock)
    cache.keep("source", {key: answer(key, 2_000) for key in KEYS})
    assert (tmp_path / FILE).stat().st_size > 3_000_000
    clock.day += 1
    small = ResultCache(tmp_path, limit_bytes=500_000, clock=clock)
    small.keep("source", {KEYS[0]: "new"})
    assert (tmp_path / FILE).stat().st_size <= 500_000
    left = small.known("source", KEYS)
    assert left[KEYS[0]] == "new"
    assert 100 < len(left) < 500
    assert all(text == answer(key, 2_000) for key, text in left.items() if key != KEYS[0])


def test_one_batch_larger_than_the_bound_stays_within_it(tmp_path):
    cache = ResultCache(tmp_path, limit_bytes=200_000)
    cache.keep("source", {key: answer(key, 1_000) for key in KEYS})
    assert (tmp_path / FILE).stat().st_size <= 200_000
    assert len(cache.known("source", KEYS)) > 150


def test_sources_whose_answers_are_all_gone_go_too(tmp_path):
    clock = Clock(20_000)
    cache = ResultCache(tmp_path, limit_bytes=300_000, clock=clock)
    for release in range(20):
        clock.day += 1
        cache.keep(f"release {release}", {key: answer(key) for key in KEYS[:500]})
    connection = sqlite3.connect(tmp_path / FILE)
    (sources,) = connection.execute("SELECT count(*) FROM sources").fetchone()
    connection.close()
    assert sources <= 5
    assert cache.known("release 19", KEYS[:500])


# --- damage ---


@pytest.fixture(scope="module")
def sound_file(tmp_path_factory):
    """Content of a file with free pages, two sources, and long answers on pages of their own."""
    folder = tmp_path_factory.mktemp("sound")
    cache = ResultCache(folder, limit_bytes=400_000, clock=Clock())
    cache.keep("gone", {key: answer(key) for key in KEYS[:1_200]})
    for source in ("one", "two"):
        cache.keep(source, {key: answer(key, salt=source) for key in KEYS[:300]})
    cache.keep("one", {key: answer(key, 12_000, "one") for key in KEYS[300:305]})
    assert cache.known("one", KEYS[300:305])
    return (folder / FILE).read_bytes()


def check_damaged(folder):
    """Whatever the file holds: only sound answers, no error, and afterwards it works again."""
    clock = Clock(20_001)  # another day: uses are written, too
    cache = ResultCache(folder, limit_bytes=400_000, clock=clock)
    for source in ("one", "two"):
        for key, text in cache.known(source, KEYS[:305]).items():
            assert text in (answer(key, 300, source), answer(key, 12_000, source))
    assert cache.known("three", KEYS[:305]) == {}
    for at in range(2):  # the first may still find damage
        cache.keep("new", {key: f"new {at}" for key in KEYS[:50]})
    for key, text in cache.known("new", KEYS[:50]).items():
        assert text in ("new 0", "new 1"), key
    return cache


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150, deadline=None
)
@given(data=st.data())
def test_flipped_bits_are_misses_and_never_wrong_answers(tmp_path_factory, sound_file, data):
    content = bytearray(sound_file)
    page = data.draw(st.integers(0, len(content) // 4096 - 1))
    within = st.one_of(st.integers(0, 4095), st.integers(0, 110))
    for _ in range(data.draw(st.integers(1, 4))):
        at = page * 4096 + data.draw(within)
        content[at] ^= data.draw(st.integers(1, 255))
    folder = tmp_path_factory.mktemp("flipped")
    (folder / FILE).write_bytes(content)
    check_damaged(folder)


@pytest.mark.parametrize("at", range(0, 200))
def test_no_byte_of_the_head_can_switch_the_cache_off(tmp_path, sound_file, at):
    content = bytearray(sound_file)
    content[at] ^= 0xFF
    (tmp_path / FILE).write_bytes(content)
    cache = check_damaged(tmp_path)
    assert len(cache.known("new", KEYS[:50])) == 50


@pytest.mark.parametrize("share", [0.0, 0.001, 0.01, 0.3, 0.7, 0.99])
def test_a_file_cut_short_is_begun_anew(tmp_path, sound_file, share):
    (tmp_path / FILE).write_bytes(sound_file[: int(len(sound_file) * share)])
    check_damaged(tmp_path)


def test_zeroed_pages_are_misses(tmp_path, sound_file):
    for page in range(len(sound_file) // 4096):
        content = bytearray(sound_file)
        content[page * 4096 : (page + 1) * 4096] = bytes(4096)
        (tmp_path / FILE).write_bytes(content)
        check_damaged(tmp_path)
        (tmp_path / FILE).unlink(missing_ok=True)
        (tmp_path / SET_ASIDE).unlink(missing_ok=True)


def test_rows_exchanged_in_the_file_are_misses(tmp_path):
    """Whole and sound rows under another protein or source."""
    cache = ResultCache(tmp_path)
    cache.keep("one", {KEYS[0]: "of the first", KEYS[1]: "of the second"})
    cache.keep("two", {KEYS[2]: "of the third"})
    connection = sqlite3.connect(tmp_path / FILE)
    connection.execute("UPDATE results SET protein = zeroblob(16) WHERE protein = ?", (KEYS[0],))
    connection.execute("UPDATE results SET protein = ? WHERE protein = ?", (KEYS[0], KEYS[1]))
    connection.execute("UPDATE results SET source = 1 WHERE protein = ?", (KEYS[2],))
    connection.commit()
    connection.close()
    assert cache.known("one", KEYS[:3]) == {}


# --- folders that are closed, and files that are not ours ---


def test_a_foreign_database_under_our_name_is_moved_aside_and_stays_whole(tmp_path):
    foreign = sqlite3.connect(tmp_path / FILE)
    foreign.execute("CREATE TABLE results (protein, note)")
    foreign.execute("INSERT INTO results VALUES ('mine', 'dear to me')")
    foreign.commit()
    foreign.close()
    content = (tmp_path / FILE).read_bytes()
    cache = ResultCache(tmp_path)
    assert cache.known("source", KEYS[:1]) == {}
    cache.keep("source", {KEYS[0]: "found"})
    assert cache.known("source", KEYS[:1]) == {KEYS[0]: "found"}
    assert (tmp_path / SET_ASIDE).read_bytes() == content


def test_a_second_foreign_file_stays_where_it_is(tmp_path):
    (tmp_path / SET_ASIDE).write_text("the first")
    (tmp_path / FILE).write_text("the second, which is no database at all")
    cache = ResultCache(tmp_path)
    cache.keep("source", {KEYS[0]: "found"})
    assert cache.known("source", KEYS[:1]) == {}
    assert (tmp_path / SET_ASIDE).read_text() == "the first"
    assert (tmp_path / FILE).read_text().startswith("the second")


@pytest.mark.parametrize("size_bytes", [1, 5_000])
def test_a_file_of_zeros_is_begun_anew_as_often_as_it_happens(tmp_path, size_bytes):
    cache = ResultCache(tmp_path)
    for at in range(3):
        (tmp_path / FILE).write_bytes(bytes(size_bytes))
        cache.keep("source", {KEYS[at]: "found"})
        assert cache.known("source", KEYS[:5]) == {KEYS[at]: "found"}
    assert not (tmp_path / SET_ASIDE).exists()


@pytest.mark.parametrize("name", [FILE, LOCK])
def test_a_folder_under_our_name_closes_the_cache(tmp_path, name):
    (tmp_path / name).mkdir()
    cache = ResultCache(tmp_path)
    cache.keep("source", {KEYS[0]: "found"})
    assert cache.known("source", KEYS[:1]) == {}


def test_a_folder_that_cannot_be_closes_the_cache(tmp_path):
    (tmp_path / "file").write_text("no folder")
    cache = ResultCache(tmp_path / "file" / "below")
    cache.keep("source", {KEYS[0]: "found"})
    assert cache.known("source", KEYS[:1]) == {}


def test_a_link_in_place_of_the_lock_is_not_followed(tmp_path):
    target = tmp_path / "target"
    folder = tmp_path / "cache"
    folder.mkdir()
    (folder / LOCK).symlink_to(target)
    ResultCache(folder).keep("source", {KEYS[0]: "found"})
    assert not target.exists()


def test_a_linked_folder_works(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    ResultCache(tmp_path / "link").keep("source", {KEYS[0]: "found"})
    assert ResultCache(tmp_path / "elsewhere").known("source", KEYS[:1])


def test_while_another_program_holds_the_file_nothing_is_known_and_nobody_waits_again(tmp_path):
    cache = ResultCache(tmp_path)
    cache.keep("source", {KEYS[0]: "found"})
    other = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    for _ in range(100):  # were each to wait its seconds, the run would time out
        assert cache.known("source", KEYS[:1]) == {}
        cache.keep("source", {KEYS[1]: "new"})
    other.execute("ROLLBACK")
    other.close()
    assert ResultCache(tmp_path).known("source", KEYS[:2]) == {KEYS[0]: "found"}


def test_threads_share_one_object(tmp_path):
    cache = ResultCache(tmp_path)

    def work(thread):
        for at in range(20):
            keys = KEYS[thread * 40 + at : thread * 40 + at + 30]
            cache.keep("source", {key: key.hex() for key in keys})
            assert all(text == key.hex() for key, text in cache.known("source", KEYS[:200]).items())

    with ThreadPoolExecutor(4) as executor:
        list(executor.map(work, range(4)))
    assert cache.known("source", KEYS[:160]) == {key: key.hex() for key in KEYS[:160]}


def test_threads_that_all_meet_damage_lose_nothing_that_came_after(tmp_path, sound_file):
    content = bytearray(sound_file)
    content[4096:] = bytes(len(content) - 4096)
    (tmp_path / FILE).write_bytes(content)
    cache = ResultCache(tmp_path)

    def work(thread):
        keys = KEYS[thread * 10 : thread * 10 + 10]
        cache.keep("source", {key: key.hex() for key in keys})
        return cache.known("source", keys)

    with ThreadPoolExecutor(8) as executor:
        found = list(executor.map(work, range(8)))
    assert [len(each) for each in found] == [10] * 8
