"""The cache of online answers in time: age, releases, files, use and size."""

from __future__ import annotations

import os
import random
import sqlite3

import pytest

from genint.cache.entries import packed_rows
from genint.cache.online import (
    DEFAULT_LIMIT_BYTES,
    MD5_KIND,
    ONLINE,
    TABLE,
    OnlineCache,
    Source,
)
from genint.model import AnswerState

FILE = ONLINE.file_name
HIT, NO_MATCH, NOT_IN_DATABASE = (
    AnswerState.HIT,
    AnswerState.NO_MATCH,
    AnswerState.NOT_IN_DATABASE,
)
KEYS = tuple(f"KEY{at:04}" for at in range(3_000))
DAY_S = 86_400
MD5 = MD5_KIND


def hits(*keys, payload="{}"):
    return dict.fromkeys(keys, (HIT, payload))


def long_hits(keys, characters=300):
    """Payloads that compress as badly as any."""
    return {key: (HIT, random.Random(key).randbytes(characters // 2).hex()) for key in keys}


def days_in(folder, column="key", table="answers"):
    """What -> day of its last use, read past the cache."""
    connection = sqlite3.connect(folder / FILE)
    rows = connection.execute(f"SELECT CAST({column} AS BLOB), day FROM {table}").fetchall()  # noqa: S608 - ours
    connection.close()
    return {what.decode(): day for what, day in rows}


# --- age ---


@pytest.mark.parametrize(
    ("state", "days", "is_there"),
    [
        (HIT, 90, True),
        (HIT, 90.1, False),
        (NO_MATCH, 30, True),
        (NO_MATCH, 30.1, False),
        (NOT_IN_DATABASE, 30, True),
        (NOT_IN_DATABASE, 30.1, False),
        (HIT, -0.9, True),  # clocks differ a little
        (HIT, -1.1, False),
    ],
)
@pytest.mark.parametrize("release", ["2026_03", None])
def test_hits_are_believed_for_90_days_and_others_for_30(
    tmp_path, state, days, is_there, release, clock
):
    cache = OnlineCache(tmp_path, clock=clock)
    cache.keep("uniprot", MD5, "2026_03", {"A": (state, "")})
    clock.day += days
    assert bool(cache.find("uniprot", MD5, "A", release)) is is_there


def test_where_the_newest_answer_is_too_old_an_older_one_does_not_stand_in(tmp_path, clock):
    cache = OnlineCache(tmp_path, clock=clock)
    cache.keep("uniprot", MD5, "2026_02", hits("A"))
    clock.day += 5
    cache.keep("uniprot", MD5, "2026_03", {"A": (NOT_IN_DATABASE, "")})
    clock.day += 40
    assert cache.find("uniprot", MD5, "A", "2026_02")
    assert cache.find("uniprot", MD5, "A", None) == {}


def test_an_answer_dated_in_the_future_hides_no_sound_one(tmp_path, clock):
    clock.day = 21_000  # was wrong once
    cache = OnlineCache(tmp_path, clock=clock)
    cache.keep("uniprot", MD5, "2026_02", hits("A"))
    clock.day = 20_000
    cache.keep("uniprot", MD5, "2026_03", hits("A"))
    assert cache.find("uniprot", MD5, "A", None)["A"].release == "2026_03"


def test_a_state_of_a_later_version_is_not_known(tmp_path, clock):
    source = Source("uniprot", MD5, "2026_03").name()
    rows = packed_rows(source, {b"A": f"retired\n{clock()}\n", b"B": f"error\n{clock()}\n"})
    with ONLINE.opened(tmp_path, create=True) as connection:
        TABLE.write(connection, source, rows, 20_000)
    assert OnlineCache(tmp_path, clock=clock).find("uniprot", MD5, "AB", None) == {}


# --- use ---


def test_what_is_beyond_any_measure_is_not_kept_and_spoils_nothing(tmp_path):
    cache = OnlineCache(tmp_path)
    huge = os.urandom(20_000_000).hex()
    cache.keep("uniprot", MD5, "2026_03", {"A": (HIT, huge), "B": (HIT, "small")})
    assert list(cache.find("uniprot", MD5, "AB", "2026_03")) == ["B"]


def test_use_is_remembered_once_a_day(tmp_path, clock):
    cache = OnlineCache(tmp_path, clock=clock)
    cache.keep("uniprot", MD5, "2026_03", hits(*"ABCD"))
    clock.day += 3
    cache.find("uniprot", MD5, "A", "2026_03")
    cache.find("uniprot", MD5, "B", None)
    assert days_in(tmp_path) == {"A": 20_003, "B": 20_003, "C": 20_000, "D": 20_000}
    before = (tmp_path / FILE).read_bytes()
    assert cache.find("uniprot", MD5, "AB", "2026_03")
    assert (tmp_path / FILE).read_bytes() == before


def test_an_answer_that_is_not_given_is_not_in_use(tmp_path, clock):
    cache = OnlineCache(tmp_path, clock=clock)
    cache.keep("uniprot", MD5, "2026_02", hits("A"))
    cache.keep("uniprot", MD5, "2026_03", hits("A"))
    cache.keep("uniprot", MD5, "2026_03", {"B": (NO_MATCH, "")})
    clock.day += 40
    cache.find("uniprot", MD5, "AB", None)  # A of the newer release; B is too old
    days = days_in(tmp_path, "key || source")
    assert sorted(days.values()) == [20_000, 20_000, 20_040]


def test_releases_and_kinds_that_were_not_used_for_90_days_are_swept_by_who_writes(tmp_path, clock):
    cache = OnlineCache(tmp_path, clock=clock)
    for kind, release in (("md5-1", "2026_02"), ("md5-2", "2026_02"), ("md5-1", "2026_03")):
        cache.keep("uniprot", kind, release, hits("A"))
    clock.day += 50
    assert cache.find("uniprot", "md5-1", "A", "2026_03")
    clock.day += 40
    cache.keep("uniprot", "md5-2", "2026_04", hits("B"))
    assert len(days_in(tmp_path, "key || source")) == 4, "90 days are not more than 90 days"
    clock.day += 1
    cache.keep("uniprot", "md5-2", "2026_04", hits("C"))
    assert len(days_in(tmp_path, "key || source")) == 3
    assert set(days_in(tmp_path, "name", "sources")) == {
        '["uniprot", "md5-1", "2026_03"]',
        '["uniprot", "md5-2", "2026_04"]',
    }


# --- size ---


def test_the_bound_holds_and_what_was_not_used_for_longest_goes_first(tmp_path, clock):
    limit_bytes = 1_000_000
    cache = OnlineCache(tmp_path, limit_bytes=limit_bytes, clock=clock)
    for start in range(0, 1_500, 100):
        clock.day += 1
        cache.keep("uniprot", MD5, "2026_03", long_hits(KEYS[start : start + 100]))
    clock.day += 1
    assert len(cache.find("uniprot", MD5, KEYS[:100], "2026_03")) == 100  # old, but used
    for start in range(1_500, 3_000, 100):
        cache.keep("uniprot", MD5, "2026_03", long_hits(KEYS[start : start + 100]))
        assert (tmp_path / FILE).stat().st_size <= limit_bytes
    days = days_in(tmp_path)
    gone = [at for at, key in enumerate(KEYS) if key not in days]
    assert gone == list(range(100, 100 + len(gone)))
    assert limit_bytes * 0.5 < len(days) * 330 < limit_bytes
    assert set(cache.find("uniprot", MD5, KEYS, "2026_03")) == set(days)


def test_a_whole_file_takes_the_room_of_answers(tmp_path):
    cache = OnlineCache(tmp_path, limit_bytes=300_000)
    cache.keep("uniprot", MD5, "2026_03", long_hits(KEYS[:600]))
    assert len(cache.find("uniprot", MD5, KEYS, None)) == 600
    whole = {"interpro2go": (HIT, random.Random(1).randbytes(100_000).hex())}
    cache.keep("interpro", "interpro2go-1", "108.0", whole)
    assert (tmp_path / FILE).stat().st_size <= 300_000
    assert cache.find("interpro", "interpro2go-1", ["interpro2go"], "108.0")
    assert 100 < len(cache.find("uniprot", MD5, KEYS, None)) < 500


def test_the_bound_is_500_mb_unless_it_is_said(tmp_path):
    cache = OnlineCache(tmp_path, limit_bytes=60_000)
    cache.keep("uniprot", MD5, "2026_03", long_hits(KEYS))
    assert (tmp_path / FILE).stat().st_size <= 60_000
    OnlineCache(tmp_path).keep("uniprot", MD5, "2026_03", long_hits(KEYS))
    assert (tmp_path / FILE).stat().st_size > 500_000
    assert DEFAULT_LIMIT_BYTES == 500_000_000
