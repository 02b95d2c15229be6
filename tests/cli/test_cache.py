"""``genint cache``: what it shows, what it clears."""

from __future__ import annotations

import pytest

from genint.cache.online import ONLINE, OnlineCache
from genint.cache.profiles import made_once
from genint.cache.search_results import RESULTS, ResultCache, protein_key
from genint.cli.main import run
from genint.files import locked
from genint.model import AnswerState

FILE = RESULTS.file_name
ONLINE_FILE = ONLINE.file_name
PRESSED = "pressed-0123456789abcdef-pyhmmer0.11.1-2"


@pytest.fixture
def cache(tmp_path, monkeypatch):
    folder = tmp_path / "my cache"
    monkeypatch.setenv("GENINT_CACHE_DIR", str(folder))
    monkeypatch.delenv("GENINT_CACHE_MB", raising=False)
    return folder


@pytest.fixture
def filled(cache):
    made_once(cache, PRESSED, lambda folder: (folder / "file").write_bytes(bytes(3_000_000)))
    ResultCache(cache).keep("source", {protein_key("M"): "x", protein_key("MK"): "y"})
    online = OnlineCache(cache)
    online.keep("uniprot", "md5-1", "2026_02", dict.fromkeys("AB", (AnswerState.HIT, "{}")))
    online.keep("uniprot", "md5-1", "2026_03", dict.fromkeys("BC", (AnswerState.HIT, "{}")))
    online.keep("interpro", "md5-1", "108.0", {"A": (AnswerState.NO_MATCH, "")})
    (cache / "notes.txt").write_text("mine")
    return cache


def test_info_shows_every_kind_with_number_size_and_limit(filled, capsys):
    assert run(["cache", "info"]) == 0
    lines = dict(line.split("  ", 1) for line in capsys.readouterr().out.splitlines())
    assert lines["folder"].strip() == str(filled)
    assert lines["profiles"].strip().startswith("1 folder, 4 MB, oldest use 20")
    assert lines["protein indexes"].strip() == "none"
    assert (
        lines["results"]
        .strip()
        .startswith("2 answers for 2 proteins from 1 source, 29 kB (limit 1,000 MB)")
    )
    assert (
        lines["online answers"]
        .strip()
        .startswith(
            "InterPro 1 protein (release 108.0);"
            " UniProt 3 proteins (releases 2026_02, 2026_03); 46 kB (limit 500 MB), oldest use 20"
        )
    )
    assert lines["in all"].strip() == "4 MB"


def test_info_of_nothing_is_no_error_and_makes_nothing(cache, capsys):
    assert run(["cache", "info"]) == 0
    said = capsys.readouterr().out
    assert "none, 0 kB (limit 1,000 MB)" in said
    assert "none, 0 kB (limit 500 MB)" in said
    assert not cache.exists()


def test_info_says_that_results_are_switched_off(cache, monkeypatch, capsys):
    monkeypatch.setenv("GENINT_CACHE_MB", "0")
    assert run(["cache", "info"]) == 0
    assert "switched off" in capsys.readouterr().out


def test_info_says_that_damaged_results_cannot_be_read(filled, capsys):
    (filled / FILE).write_bytes(b"damaged" * 1_000)
    assert run(["cache", "info"]) == 0
    assert "7 kB (limit 1,000 MB), cannot be read now" in capsys.readouterr().out


def test_info_says_that_damaged_online_answers_cannot_be_read(filled, capsys):
    (filled / ONLINE_FILE).write_bytes(b"damaged" * 1_000)
    assert run(["cache", "info"]) == 0
    assert "7 kB (limit 500 MB), cannot be read now" in capsys.readouterr().out


def test_info_names_the_number_of_answers_where_none_is_of_a_protein(cache, capsys):
    online = OnlineCache(cache)
    online.keep("somewhere", "taxon_page", "", dict.fromkeys("AB", (AnswerState.HIT, "{}")))
    assert run(["cache", "info"]) == 0
    assert "somewhere 2 answers (release unknown); " in capsys.readouterr().out


def test_a_limit_that_is_no_number_is_one_line_and_exit_2(cache, monkeypatch, capsys):
    monkeypatch.setenv("GENINT_CACHE_MB", "much")
    assert run(["cache", "info"]) == 2
    assert "GENINT_CACHE_MB" in capsys.readouterr().err


def test_clear_takes_everything_but_what_is_not_ours(filled, capsys):
    assert run(["cache", "clear"]) == 0
    assert capsys.readouterr().out == "Freed 4 MB: 1 folder, the results and the online answers.\n"
    assert (filled / "notes.txt").read_text() == "mine"
    assert not (filled / FILE).exists()
    assert not (filled / ONLINE_FILE).exists()
    assert run(["cache", "clear"]) == 0
    assert capsys.readouterr().out == "Nothing to clear.\n"


@pytest.mark.parametrize(
    ("options", "gone", "said"),
    [
        (["--results"], {FILE}, "the results"),
        (["--profiles"], {PRESSED}, "1 folder"),
        (["--online"], {ONLINE_FILE}, "the online answers"),
        (["--online", "--results"], {FILE, ONLINE_FILE}, "the results and the online answers"),
        (["--old"], set(), None),
    ],
)
def test_an_option_says_what_to_clear(filled, capsys, options, gone, said):
    before = {path.name for path in filled.iterdir()}
    assert run(["cache", "clear", *options]) == 0
    assert before - {path.name for path in filled.iterdir()} == gone
    printed = capsys.readouterr().out
    assert f": {said}.\n" in printed if said else printed == "Nothing to clear.\n"


@pytest.mark.parametrize("file", [RESULTS, ONLINE])
def test_what_others_do_not_let_go_of_is_named_and_exit_1(filled, capsys, file):
    with locked(filled / file.lock_name):
        assert run(["cache", "clear"]) == 1
    said = capsys.readouterr()
    left = "the online answers" if file is RESULTS else "the results"
    assert f"Freed 4 MB: 1 folder and {left}." in said.out
    assert f"not removed: {file.file_name}" in said.err
