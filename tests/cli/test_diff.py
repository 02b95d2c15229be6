"""Two results side by side, as the command line shows them."""

from __future__ import annotations

import csv
import gzip
import json
import shutil
from html.parser import HTMLParser

import pytest

from genint.cli.main import run


@pytest.fixture(scope="module")
def results(tmp_path_factory, examples, cache_of_commands):
    """phiX174 by its annotation and without it, and its GenBank file."""
    folder = tmp_path_factory.mktemp("diff")
    shutil.copy(examples / "phiX174.gbk", folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GENINT_CACHE_DIR", str(cache_of_commands))
        start = ["interpret", f"{folder}/phiX174.gbk", "--format", "json", "-o"]
        assert run([*start, f"{folder}/a.json"]) == 0
        assert run([*start, f"{folder}/b.json", "--ignore-annotations"]) == 0
    return folder


def test_a_result_does_not_differ_from_itself(results, capsys):
    assert run(["diff", f"{results}/a.json", f"{results}/a.json", "--exit-code"]) == 0
    assert "11 of them without a difference." in capsys.readouterr().out


def test_the_exit_code_tells_a_difference_where_that_is_asked_for(results, capsys):
    both = [f"{results}/a.json", f"{results}/b.json"]
    assert run(["diff", *both]) == 0
    assert run(["diff", *both, "--exit-code"]) == 1
    told = capsys.readouterr().out
    assert "only here: annotations ignored" in told


def test_a_compressed_result_is_read(results, tmp_path, capsys):
    packed = tmp_path / "a.json.gz"
    packed.write_bytes(gzip.compress((results / "a.json").read_bytes()))
    assert run(["diff", str(packed), f"{results}/a.json", "--exit-code"]) == 0
    assert "a.json.gz" in capsys.readouterr().out


def test_a_result_is_compared_with_the_file_of_another_program(results, capsys):
    assert run(["diff", f"{results}/phiX174.gbk", f"{results}/b.json"]) == 0
    told = capsys.readouterr().out
    assert "phiX174.gbk (genbank file), 11 genes" in told


def test_all_formats_have_the_same_genes(results, tmp_path):
    both = [f"{results}/a.json", f"{results}/b.json"]
    for name in ("tsv", "json", "html"):
        assert run(["diff", *both, "--format", name, "-o", f"{tmp_path}/d.{name}"]) == 0
    with (tmp_path / "d.tsv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    content = json.loads((tmp_path / "d.json").read_text("utf-8"))
    page = (tmp_path / "d.html").read_text("utf-8")
    assert len(rows) == len(content["changes"]) > 0
    assert page.count("<tr class=") == len(rows)
    for row, change in zip(rows, content["changes"], strict=True):
        assert row["changes"].split("; ") == change["kinds"]
        assert row["function_b"] == ((change["b"] or {}).get("function") or "")


def test_the_page_runs_nothing_and_loads_nothing(results, tmp_path):
    """Names of a hostile file are text."""
    hostile = json.loads((results / "b.json").read_text("utf-8"))
    for gene in hostile["genes"]:
        if not gene["is_dark"]:
            gene["function"] = "<script>alert(1)</script><img src=x onerror=alert(2)>"
    assert not all(gene["is_dark"] for gene in hostile["genes"])
    (tmp_path / "h.json").write_text(json.dumps(hostile), "utf-8")
    command = ["diff", f"{results}/a.json", f"{tmp_path}/h.json", "--format", "html"]
    assert run([*command, "-o", f"{tmp_path}/d.html"]) == 0
    found: list[str] = []

    class Tags(HTMLParser):
        def handle_starttag(self, tag, attrs):
            found.append(tag)
            found.extend(name for name, _ in attrs if name in {"src", "href"} or name[:2] == "on")

    Tags().feed((tmp_path / "d.html").read_text("utf-8"))
    assert not {"script", "img", "src", "href", "onerror", "link"} & set(found)


@pytest.mark.parametrize(
    ("second", "told"),
    [
        ("missing.json", "no such file"),
        ("broken.json", "broken.json"),
        ("bare.fasta", "has no genes to compare"),
        ("other.json", "schema"),
    ],
)
def test_what_cannot_be_compared_is_told_in_one_line(results, tmp_path, capsys, second, told):
    (tmp_path / "broken.json").write_text('{"schema_version": "1.', "utf-8")
    (tmp_path / "bare.fasta").write_text(">x\nACGTACGTACGT\n", "utf-8")
    (tmp_path / "other.json").write_text('{"a": 1}', "utf-8")
    assert run(["diff", f"{results}/a.json", f"{tmp_path}/{second}"]) == 2
    said = capsys.readouterr().err
    assert told in said
    assert said.count("\n") == 1


def test_an_input_is_never_overwritten(results, capsys):
    one = f"{results}/a.json"
    assert run(["diff", one, f"{results}/b.json", "-o", one]) == 2
    assert "is one of the files" in capsys.readouterr().err
