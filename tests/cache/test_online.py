"""The cache of online answers: what services said comes back, and nothing else ever does."""

from __future__ import annotations

import hashlib
import os
import pickle
import sqlite3
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from genint.cache.online import MD5_KIND, ONLINE, OnlineCache, StoredAnswer
from genint.model.online import AnswerState

FILE, LOCK = ONLINE.file_name, ONLINE.lock_name
HIT, NO_MATCH, NOT_IN_DATABASE = (
    AnswerState.HIT,
    AnswerState.NO_MATCH,
    AnswerState.NOT_IN_DATABASE,
)
MD5S = tuple(hashlib.md5(f"M{at}".encode()).hexdigest().upper() for at in range(3_000))  # noqa: S324 - an identifier
DAY_S = 86_400
MD5 = MD5_KIND


def hits(*keys, payload="{}"):
    return dict.fromkeys(keys, (HIT, payload))


def states(found):
    return {key: kept.state for key, kept in found.items()}


def everything_in(file):
    """All that the file holds, packed rows unpacked: where a residue would be seen."""
    connection = sqlite3.connect(file)
    connection.text_factory = bytes
    held = []
    for (table,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'"):
        for row in connection.execute(f"SELECT * FROM {table.decode()}"):  # noqa: S608 - its own
            for value in row:
                held.append(value if isinstance(value, bytes) else str(value).encode())
                if isinstance(value, bytes) and value[8:9] == b"\1":
                    held.append(zlib.decompress(value[9:]))
    connection.close()
    return held


# --- states, keys, releases ---


@pytest.mark.parametrize("state", [HIT, NO_MATCH, NOT_IN_DATABASE])
@pytest.mark.parametrize("payload", ["", '{"entries": []}', '{"x": "\N{GREEK SMALL LETTER MU}"}\n'])
def test_an_answer_comes_back_as_it_was_kept(tmp_path, state, payload, clock):
    cache = OnlineCache(tmp_path, clock=clock)
    cache.keep("uniprot", MD5, "2026_03", {MD5S[0]: (state, payload)})
    expected = {MD5S[0]: StoredAnswer(state, payload, "2026_03", 20_000.0 * DAY_S)}
    assert cache.find("uniprot", MD5, MD5S[:1], "2026_03") == expected


@pytest.mark.parametrize("state", [AnswerState.ERROR, AnswerState.NOT_ASKED])
@pytest.mark.parametrize("with_folder", [True, False])
def test_what_is_no_answer_is_refused_and_nothing_beside_it_is_kept(tmp_path, state, with_folder):
    cache = OnlineCache(tmp_path if with_folder else None)
    with pytest.raises(ValueError, match=str(state)):
        cache.keep("uniprot", MD5, "2026_03", {MD5S[0]: (HIT, "{}"), MD5S[1]: (state, "")})
    assert cache.find("uniprot", MD5, MD5S, "2026_03") == {}
    assert list(tmp_path.iterdir()) == []


def test_negative_answers_and_what_was_never_asked_stay_apart(tmp_path):
    cache = OnlineCache(tmp_path)
    cache.keep("interpro", MD5, "108.0", {MD5S[0]: (NO_MATCH, ""), MD5S[1]: (NOT_IN_DATABASE, "")})
    found = cache.find("interpro", MD5, MD5S[:3], "108.0")
    assert states(found) == {MD5S[0]: NO_MATCH, MD5S[1]: NOT_IN_DATABASE}


def test_services_kinds_keys_and_releases_are_told_apart_to_the_letter(tmp_path):
    cache = OnlineCache(tmp_path)
    cache.keep("uniprot", "md5-1", "2026_03", hits("KEY", payload="mine"))
    for question in (
        ("uniparc", "md5-1", ["KEY"], "2026_03"),
        ("uniprot", "md5-2", ["KEY"], "2026_03"),
        ("uniprot", "md5-1", ["key", "KEY ", "KE", "KEY\0"], "2026_03"),
        ("uniprot", "md5-1", ["KEY"], "2026_0"),
        ("uniprot", "md5-1", ["KEY"], ""),
        ("uniprotmd5-1", "", ["KEY"], "2026_03"),
        ("uniparc", "md5-1", ["KEY"], None),
        ("uniprot", "md5-2", ["KEY"], None),
    ):
        assert cache.find(*question) == {}, question
    assert cache.find("uniprot", "md5-1", ["KEY"], "2026_03")["KEY"].payload == "mine"


def test_only_what_is_asked_for_is_answered_in_any_number(tmp_path):
    cache = OnlineCache(tmp_path)
    cache.keep("uniprot", MD5, "2026_03", {key: (HIT, key) for key in MD5S})
    asked = [*MD5S[100:1_700], "unknown", MD5S[100]]
    found = cache.find("uniprot", MD5, iter(asked), "2026_03")
    assert {key: kept.payload for key, kept in found.items()} == {
        key: key for key in MD5S[100:1_700]
    }
    assert cache.find("uniprot", MD5, [], "2026_03") == {}


def test_a_later_answer_replaces_an_earlier_one_of_its_release(tmp_path):
    cache = OnlineCache(tmp_path)
    cache.keep("uniprot", MD5, "2026_03", {"A": (NOT_IN_DATABASE, ""), "B": (HIT, "b")})
    cache.keep("uniprot", MD5, "2026_03", {"A": (HIT, "a")})
    found = cache.find("uniprot", MD5, "AB", "2026_03")
    assert {key: kept.payload for key, kept in found.items()} == {"A": "a", "B": "b"}


def test_without_a_release_each_key_has_its_newest_answer(tmp_path, clock):
    cache = OnlineCache(tmp_path, clock=clock)
    cache.keep("uniprot", MD5, "2026_03", hits("A", "B", payload="first"))
    clock.day += 1
    cache.keep("uniprot", MD5, "2026_02", hits("B", "C", payload="second"))  # a mirror lags
    clock.day += 1
    cache.keep("uniprot", MD5, "", hits("D", payload="third"))
    found = cache.find("uniprot", MD5, "ABCDE", None)
    assert {key: (kept.release, kept.payload) for key, kept in found.items()} == {
        "A": ("2026_03", "first"),
        "B": ("2026_02", "second"),
        "C": ("2026_02", "second"),
        "D": ("", "third"),
    }
    assert list(cache.find("uniprot", MD5, "ABCD", "2026_03")) == ["A", "B"]


def test_of_two_answers_of_one_moment_the_one_kept_last_is_the_newest(tmp_path, clock):
    cache = OnlineCache(tmp_path, clock=clock)
    for release in ("107.0", "108.0"):
        cache.keep("interpro", MD5, release, hits("A"))
    assert cache.find("interpro", MD5, "A", None)["A"].release == "108.0"


# --- privacy ---


def test_the_file_holds_no_residues_where_none_are_given(tmp_path):
    residues = "MKVLAAGIVGLLLAQPSWADEWCH"
    md5 = hashlib.md5(residues.encode()).hexdigest().upper()  # noqa: S324 - an identifier
    cache = OnlineCache(tmp_path)
    given = {
        "uniprot",
        "md5",
        "2026_03",
        md5,
        '{"accession": "P12345"}',
        '{"entries": [' + '"P12345", ' * 100 + '""]}',
        "interpro2go",
        "!version date: 2026/09/02",
    }
    cache.keep("uniprot", MD5, "2026_03", {md5: (HIT, '{"accession": "P12345"}')})
    long = '{"entries": [' + '"P12345", ' * 100 + '""]}'
    cache.keep("uniprot", MD5, "2026_03", {"P12345": (HIT, long)})
    cache.keep("interpro", MD5, "108.0", {md5: (NOT_IN_DATABASE, "")})
    lines = {"interpro2go": (HIT, "!version date: 2026/09/02")}
    cache.keep("interpro", "interpro2go-1", "108.0", lines)
    held = everything_in(tmp_path / FILE)
    for text in given:  # the look at the file would have found residues
        assert any(text.encode() in value for value in held), text
    for start in range(len(residues) - 5):
        piece = residues[start : start + 6].encode()
        assert not any(piece in value or piece.lower() in value for value in held)


# --- folders, objects, threads ---


def test_a_cache_of_no_size_or_no_folder_touches_nothing(tmp_path):
    for cache in (OnlineCache(tmp_path / "new", limit_bytes=0), OnlineCache(None)):
        cache.keep("uniprot", MD5, "2026_03", hits("A"))
        assert cache.find("uniprot", MD5, "A", None) == {}
    assert list(tmp_path.iterdir()) == []


def test_asking_an_empty_folder_or_keeping_nothing_leaves_it_empty(tmp_path):
    cache = OnlineCache(tmp_path)
    cache.keep("uniprot", MD5, "2026_03", {})
    cache.keep("uniprot", MD5, "2026_03", hits("A", payload=os.urandom(20_000_000).hex()))
    assert cache.find("uniprot", MD5, MD5S, "2026_03") == {}
    assert list(tmp_path.iterdir()) == []


def test_another_object_pickled_or_made_later_knows_the_same(tmp_path):
    folder = tmp_path / "made" / "on the way %20 ?#"
    cache = OnlineCache(folder)
    cache.keep("uniprot", MD5, "2026_03", hits("A"))
    copy = pickle.loads(pickle.dumps(cache))  # noqa: S301 - our own
    question = ("uniprot", MD5, "A", "2026_03")
    assert states(copy.find(*question)) == states(OnlineCache(folder).find(*question)) == {"A": HIT}


def test_between_calls_nothing_is_open_and_two_files_lie_there(tmp_path):
    cache = OnlineCache(tmp_path)
    cache.keep("uniprot", MD5, "2026_03", hits("A"))
    cache.find("uniprot", MD5, "A", "2026_03")
    assert {path.name for path in tmp_path.iterdir()} == {FILE, LOCK}
    open_files = [os.path.realpath(each) for each in Path("/proc/self/fd").iterdir()]
    assert not [each for each in open_files if each.startswith(os.path.realpath(tmp_path))]


def test_threads_share_one_object(tmp_path):
    cache = OnlineCache(tmp_path)

    def work(thread):
        for at in range(20):
            keys = MD5S[thread * 40 + at : thread * 40 + at + 30]
            cache.keep("uniprot", MD5, "2026_03", {key: (HIT, key) for key in keys})
            found = cache.find("uniprot", MD5, MD5S[:200], "2026_03")
            assert all(kept.payload == key for key, kept in found.items())

    with ThreadPoolExecutor(4) as executor:
        list(executor.map(work, range(4)))
    assert set(cache.find("uniprot", MD5, MD5S[:160], "2026_03")) == set(MD5S[:160])
