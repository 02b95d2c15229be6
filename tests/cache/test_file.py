"""A file of the cache: what it is called, and when it may be begun anew."""

from __future__ import annotations

import pytest

from genint.cache.sqlite_file import CacheFile, DamagedError

_MARK_TEXT = "genint: a file of tests"
FILE = CacheFile(
    name="tests",
    format=12,
    mark=0x74_65_73_74,
    mark_text=_MARK_TEXT,
    schema=f"CREATE TABLE one ( -- {_MARK_TEXT}\n id INTEGER PRIMARY KEY);",
)


def write(folder):
    with FILE.opened(folder, create=True) as connection:
        connection.execute("INSERT INTO one DEFAULT VALUES")


def rows(folder):
    with FILE.opened(folder, create=False) as connection:
        return connection.execute("SELECT count(*) FROM one").fetchone()[0]


def test_its_names_hold_its_format(tmp_path):
    write(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"tests-12.sqlite3", "tests-12.lock"}


def test_nobody_but_its_owner_may_read_it(tmp_path):
    write(tmp_path)
    assert (tmp_path / FILE.file_name).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("name", "is_other"),
    [
        ("tests-11.sqlite3", True),
        ("tests-1.lock", True),
        ("tests-13.sqlite3-journal", True),
        ("tests-12.sqlite3", False),
        ("tests-12.lock", False),
        ("tests-11.set-aside", False),
        ("tests-.sqlite3", False),
        ("my-tests-11.sqlite3", False),
        ("tests-11.sqlite3.bak", False),
    ],
)
def test_files_of_other_formats_are_told_by_their_names(name, is_other):
    assert FILE.is_other_format(name) is is_other


def test_of_many_who_saw_one_damage_only_the_first_begins_anew(tmp_path):
    (tmp_path / FILE.file_name).write_bytes(_MARK_TEXT.encode() + b"damaged" * 1_000)
    seen = []
    for _ in range(2):
        with pytest.raises(DamagedError) as caught:
            rows(tmp_path)
        seen.append(caught.value.generation)
    FILE.begin_anew(tmp_path, seen[0])
    write(tmp_path)
    FILE.begin_anew(tmp_path, seen[1])
    assert rows(tmp_path) == 1


def test_another_format_of_the_same_name_is_another_file(tmp_path):
    write(tmp_path)
    later = CacheFile("tests", 13, FILE.mark, FILE.mark_text, FILE.schema)
    with later.opened(tmp_path, create=True) as connection:
        assert connection.execute("SELECT count(*) FROM one").fetchone() == (0,)
    assert rows(tmp_path) == 1


def test_a_file_of_another_format_under_our_name_is_not_read(tmp_path):
    write(tmp_path)
    later = CacheFile("tests", 13, FILE.mark, FILE.mark_text, FILE.schema)
    (tmp_path / FILE.file_name).rename(tmp_path / later.file_name)
    with pytest.raises(DamagedError), later.opened(tmp_path, create=False):
        pass
