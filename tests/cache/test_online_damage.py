"""The cache of online answers and files that are damaged, locked, closed or not ours."""

from __future__ import annotations

import random
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from genint.cache.info import cache_info
from genint.cache.online import MD5_KIND, ONLINE, OnlineCache
from genint.cache.search_results import RESULTS, ResultCache, protein_key
from genint.model import AnswerState

FILE, LOCK, SET_ASIDE = ONLINE.file_name, ONLINE.lock_name, ONLINE.set_aside_name
STATES = tuple(state for state in AnswerState if state.is_answer)
KEYS = tuple(f"KEY{at:04}" for at in range(400))
MD5 = MD5_KIND
SETS = tuple(
    (service, release) for service in ("uniprot", "interpro") for release in ("2026_02", "2026_03")
)
NOON_S = 20_000.5 * 86_400


@cache
def row(key, service, release, characters=300):
    """What is kept of a key; nothing like it is kept of another."""
    chance = random.Random(f"{key} {service} {release}")
    return chance.choice(STATES), chance.randbytes(characters // 2).hex()


def rows(keys, service, release, characters=300):
    return {key: row(key, service, release, characters) for key in keys}


@cache
def hits(*keys):
    return dict.fromkeys(keys, (AnswerState.HIT, "{}"))


@pytest.fixture(scope="module")
def sound_file(tmp_path_factory):
    """Content of a file with free pages and long answers on pages of their own."""
    folder = tmp_path_factory.mktemp("sound")
    cache = OnlineCache(folder, limit_bytes=400_000, clock=lambda: NOON_S)
    cache.keep("gone", MD5, "1", rows(KEYS, "gone", "1", 3_000))
    for service, release in SETS:
        cache.keep(service, MD5, release, rows(KEYS[:120], service, release))
    cache.keep("uniprot", MD5, "2026_03", rows(KEYS[120:124], "uniprot", "2026_03", 12_000))
    assert len(cache.find("uniprot", MD5, KEYS, "2026_03")) == 124
    return (folder / FILE).read_bytes()


def sound(found, service, releases):
    """Every answer is one that was kept under that key, service and release."""
    for key, kept in found.items():
        assert kept.release in releases
        assert kept.fetched_at in (NOON_S, NOON_S + 86_400)
        of_any_length = [row(key, service, kept.release, each) for each in (300, 12_000)]
        assert (kept.state, kept.payload) in of_any_length, key


def check_damaged(folder):
    """Whatever the file holds: only sound answers, no error, and afterwards it works again."""
    cache = OnlineCache(folder, limit_bytes=400_000, clock=lambda: NOON_S + 86_400)
    releases = {release for _, release in SETS}
    for service, release in SETS:
        sound(cache.find(service, MD5, KEYS, release), service, {release})
        sound(cache.find(service, MD5, KEYS, None), service, releases)
    assert cache.find("uniprot", "md5-2", KEYS, None) == {}
    for _ in range(2):  # the first may still find damage
        cache.keep("uniprot", MD5, "2026_03", rows(KEYS[:20], "uniprot", "2026_03"))
    sound(cache.find("uniprot", MD5, KEYS[:20], "2026_03"), "uniprot", {"2026_03"})
    return cache


@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_flipped_bits_are_misses_and_never_wrong_answers(tmp_path_factory, sound_file, data):
    content = bytearray(sound_file)
    page = data.draw(st.integers(0, len(content) // 4096 - 1))
    within = st.one_of(st.integers(0, 4095), st.integers(0, 110))
    for _ in range(data.draw(st.integers(1, 4))):
        content[page * 4096 + data.draw(within)] ^= data.draw(st.integers(1, 255))
    folder = tmp_path_factory.mktemp("flipped")
    (folder / FILE).write_bytes(content)
    check_damaged(folder)


@pytest.mark.parametrize("at", [*range(0, 32), *range(40, 72), *range(92, 112)])
def test_no_byte_of_the_head_can_switch_the_cache_off(tmp_path, sound_file, at):
    content = bytearray(sound_file)
    content[at] ^= 0xFF
    (tmp_path / FILE).write_bytes(content)
    cache = check_damaged(tmp_path)
    assert len(cache.find("uniprot", MD5, KEYS[:20], "2026_03")) == 20
    assert not (tmp_path / SET_ASIDE).exists(), "it is ours, whatever its mark"


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
        assert not (tmp_path / SET_ASIDE).exists(), "zeros are nobody's"


EXCHANGES = {
    "key": "UPDATE answers SET key = x'4B455933' WHERE key = x'4B455931'",
    "release": "UPDATE sources SET name = replace(name, '2026_02', '2026_09')",
    "service": "UPDATE sources SET name = replace(name, 'uniprot', 'unipros')",
    "set of answers": "UPDATE answers SET source = 2 WHERE key = x'4B455932'",
    "answer": "UPDATE answers SET answer = (SELECT answer FROM answers WHERE key = x'4B455932')"
    " WHERE key = x'4B455931'",
}


@pytest.mark.parametrize("exchange", EXCHANGES)
def test_whole_rows_in_a_wrong_place_are_misses(tmp_path, exchange):
    cache = OnlineCache(tmp_path)
    kept = {key: (AnswerState.HIT, f"of {key}") for key in ("KEY1", "KEY2")}
    cache.keep("uniprot", MD5, "2026_02", kept)
    cache.keep("uniprot", MD5, "2026_03", {"KEY1": (AnswerState.NO_MATCH, "")})
    connection = sqlite3.connect(tmp_path / FILE)
    assert connection.execute(EXCHANGES[exchange]).rowcount
    connection.commit()
    connection.close()
    for release in ("2026_02", "2026_03", "2026_09", None):
        for service in ("uniprot", "unipros"):
            for key, found in cache.find(service, MD5, ["KEY1", "KEY2", "KEY3"], release).items():
                said = (found.state, found.payload)
                expected = {
                    ("KEY1", "2026_02"): (AnswerState.HIT, "of KEY1"),
                    ("KEY2", "2026_02"): (AnswerState.HIT, "of KEY2"),
                    ("KEY1", "2026_03"): (AnswerState.NO_MATCH, ""),
                }
                assert service == "uniprot"
                assert said == expected[key, found.release]


@pytest.mark.parametrize("name", [b"\xff{", b"7", b"null", b'["uniprot", "md5", 7]', b'["md5"]', 7])
def test_a_name_that_is_none_hides_no_other(tmp_path, name):
    cache = OnlineCache(tmp_path)
    for release in ("2026_02", "2026_03"):
        cache.keep("uniprot", MD5, release, hits("A"))
    connection = sqlite3.connect(tmp_path / FILE)
    connection.execute("UPDATE sources SET name = ? WHERE id = 2", (name,))
    connection.commit()
    connection.close()
    assert cache.find("uniprot", MD5, "A", None)["A"].release == "2026_02"
    assert cache.find("uniprot", MD5, "A", "2026_03") == {}
    assert [kept[:3] for kept in cache_info(tmp_path).online.services] == [("uniprot", 1, 1)]


# --- files that are not ours, folders that are closed, others who do not let go ---


@pytest.mark.parametrize("asked_first", [True, False])
@pytest.mark.parametrize("table", ["answers", "notes"])
def test_a_foreign_database_is_moved_aside_and_stays_whole(tmp_path, table, asked_first):
    foreign = sqlite3.connect(tmp_path / FILE)
    foreign.execute(f"CREATE TABLE {table} (key, note)")
    foreign.execute(f"INSERT INTO {table} VALUES ('mine', 'dear to me')")  # noqa: S608 - ours
    foreign.commit()
    foreign.close()
    content = (tmp_path / FILE).read_bytes()
    cache = OnlineCache(tmp_path)
    if asked_first:
        assert cache.find("uniprot", MD5, "A", None) == {}
    cache.keep("uniprot", MD5, "2026_03", hits("A"))
    assert list(cache.find("uniprot", MD5, "A", None)) == ["A"]
    assert (tmp_path / SET_ASIDE).read_bytes() == content


def test_a_second_foreign_file_stays_where_it_is(tmp_path):
    (tmp_path / SET_ASIDE).write_text("the first")
    (tmp_path / FILE).write_text("the second, which is no database at all")
    cache = OnlineCache(tmp_path)
    cache.keep("uniprot", MD5, "2026_03", hits("A"))
    assert cache.find("uniprot", MD5, "A", None) == {}
    assert (tmp_path / SET_ASIDE).read_text() == "the first"
    assert (tmp_path / FILE).read_text().startswith("the second")


def test_a_file_of_results_under_our_name_is_foreign(tmp_path):
    ResultCache(tmp_path).keep("source", {protein_key("M"): "found"})
    (tmp_path / RESULTS.file_name).rename(tmp_path / FILE)
    cache = OnlineCache(tmp_path)
    cache.keep("uniprot", MD5, "2026_03", hits("A"))
    assert list(cache.find("uniprot", MD5, "A", None)) == ["A"]
    assert (tmp_path / SET_ASIDE).exists()


@pytest.mark.parametrize("name", [FILE, LOCK])
def test_a_folder_under_our_name_closes_the_cache(tmp_path, name):
    (tmp_path / name).mkdir()
    cache = OnlineCache(tmp_path)
    cache.keep("uniprot", MD5, "2026_03", hits("A"))
    assert cache.find("uniprot", MD5, "A", None) == {}


def test_while_another_program_holds_the_file_nobody_waits_longer_than_seconds(tmp_path):
    cache = OnlineCache(tmp_path)
    cache.keep("uniprot", MD5, "2026_03", hits("A"))
    other = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    started = time.monotonic()
    for _ in range(100):
        assert cache.find("uniprot", MD5, "A", "2026_03") == {}
        cache.keep("uniprot", MD5, "2026_03", hits("B"))
    assert time.monotonic() - started < 8
    other.execute("ROLLBACK")
    other.close()
    assert list(OnlineCache(tmp_path).find("uniprot", MD5, "AB", None)) == ["A"]


def test_a_reader_elsewhere_does_not_keep_answers_from_being_found(tmp_path):
    """Only the day of use is not written then."""
    cache = OnlineCache(tmp_path, clock=lambda: NOON_S)
    cache.keep("uniprot", MD5, "2026_03", hits("A"))
    other = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    other.execute("BEGIN")
    other.execute("SELECT * FROM answers").fetchall()
    later = OnlineCache(tmp_path, clock=lambda: NOON_S + 86_400)
    started = time.monotonic()
    assert later.find("uniprot", MD5, "A", None)
    assert time.monotonic() - started < 2
    other.close()


def test_threads_that_all_meet_damage_lose_nothing_that_came_after(tmp_path, sound_file):
    content = bytearray(sound_file)
    content[4096:] = bytes(len(content) - 4096)
    (tmp_path / FILE).write_bytes(content)
    cache = OnlineCache(tmp_path)

    def work(thread):
        keys = KEYS[thread * 10 : thread * 10 + 10]
        cache.keep("uniprot", MD5, "2026_03", hits(*keys))
        return cache.find("uniprot", MD5, keys, "2026_03")

    with ThreadPoolExecutor(8) as executor:
        found = list(executor.map(work, range(8)))
    assert [len(each) for each in found] == [10] * 8
