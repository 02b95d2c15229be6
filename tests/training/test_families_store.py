"""What a build remembers, and the report that it leaves."""

from __future__ import annotations

import json

from training.families.report import Log
from training.families.store import Store, content_key


def test_results_are_found_again_under_their_key(tmp_path):
    store = Store(tmp_path / "work" / "results.sqlite")
    store.save({"a": b"1", "b": b""})
    again = Store(tmp_path / "work" / "results.sqlite")
    assert again.load(["a", "b", "c"]) == {"a": b"1", "b": b""}
    assert again.known(["b", "c"]) == {"b"}


def test_more_keys_than_one_question_can_hold_are_found(tmp_path):
    store = Store(tmp_path / "results.sqlite")
    results = {content_key(at): str(at).encode() for at in range(1200)}
    store.save(results)
    assert store.load(results) == results
    assert store.known(list(results)) == set(results)


def test_keys_tell_parts_apart():
    assert content_key("ab", "c") != content_key("a", "bc")
    assert content_key("a", 1) == content_key("a", "1")


def test_the_report_keeps_all_names_and_the_screen_the_first(tmp_path, capsys):
    log = Log()
    with log.step("search"):
        log.count("families", 7)
        log.count("input", "abc", shown=False)
    log.names("dropped", [f"GF{at}" for at in range(9)])
    log.write(tmp_path / "report.json")
    report = json.loads((tmp_path / "report.json").read_text())
    largest_mb = report["counts"].pop("memory of the largest process, MB")
    assert largest_mb > 0
    assert report["counts"] == {"families": 7, "input": "abc"}
    assert len(report["names"]["dropped"]) == 9
    assert list(report["seconds"]) == ["in all", "search"]
    shown = capsys.readouterr().out
    assert "dropped: 9 GF0 GF1 GF2 GF3 GF4 ..." in shown
    assert "abc" not in shown
    assert f"largest process: {largest_mb} MB" in shown
