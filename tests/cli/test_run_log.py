"""The log of a run says what was done when, by what, and what was remarked or failed."""

from __future__ import annotations

import hashlib
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from genint.cli.main import run
from genint.version import __version__

LINE = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)Z (INFO|WARNING|ERROR) +(\S.*)")


@pytest.fixture
def phix(examples) -> Path:
    path = Path("phi.fasta")
    bases = "".join((examples / "lambda.fasta").read_text().split("\n")[1:])[:9000]
    path.write_text(f">phi\x1b[31m one\n{bases}\n>short\nACGTN\n")
    return path


def lines(path: str = "run.log") -> list[tuple[datetime, str, str]]:
    found = [LINE.fullmatch(line) for line in Path(path).read_text("utf-8").splitlines()]
    assert all(found)
    return [(datetime.fromisoformat(one[1]).replace(tzinfo=UTC), one[2], one[3]) for one in found]


def test_a_log_holds_versions_databases_records_and_the_summary(phix, capsys):
    before = datetime.now(UTC) - timedelta(seconds=2)
    assert run(["interpret", str(phix), "--locus-tag", "ABC", "--log", "run.log"]) == 0
    said = capsys.readouterr().out.strip()
    told = lines()
    times = [time for time, _, _ in told]
    assert times == sorted(times)
    assert before <= times[0] <= times[-1] <= datetime.now(UTC)
    text = "\n".join(line for _, _, line in told)
    assert told[0][2].startswith(f"genint {__version__}, Python ")
    assert "locus_tag_prefix ABC" in text
    assert hashlib.sha256(phix.read_bytes()).hexdigest() in text
    for what in ("program pyrodigal ", "program pyhmmer ", "database Pfam ", "families of phages"):
        assert what in text
    for stage in ("reading", "finding genes", "searching", "interpreting"):
        assert text.count(f"phi.fasta: {stage}\n") == 1
    assert "record short: 5 bp, linear" in text
    assert f"phi.fasta: {said}" in text
    assert re.fullmatch(r"ended after \d+\.\d s", told[-1][2])
    assert "\x1b" not in Path("run.log").read_text()


def test_remarks_of_the_report_are_warnings_of_the_log(examples):
    bases = "".join((examples / "lambda.fasta").read_text().split("\n")[1:])[:3000]
    Path("odd.fasta").write_text(f">a\n{bases}\n>a\n{bases}\n")
    assert run(["interpret", "odd.fasta", "--format", "json", "--log", "run.log"]) == 0
    warned = [line for _, level, line in lines() if level == "WARNING"]
    assert any("[" in line and line.startswith("odd.fasta:") for line in warned)


def test_a_file_that_fails_is_an_error_and_the_others_go_on(phix, capsys):
    Path("bad.fa").write_text(">x\nACGT!\n")
    Path("logs").mkdir()
    assert run(["interpret", "bad.fa", str(phix), "-o", "out", "--log", "logs/run.log"]) == 2
    told = lines("logs/run.log")
    errors = [line for _, level, line in told if level == "ERROR"]
    assert len(errors) == 1
    assert errors[0].startswith("bad.fa, line 2")
    assert any(line.startswith("phi.fasta: Interpreted ") for _, _, line in told)
    assert run(["interpret", "bad.fa", str(phix), "-o", "out", "--log", "logs/run.log"]) == 2
    assert "phi.fasta: kept, its reports are there" in Path("logs/run.log").read_text()
    capsys.readouterr()


def test_a_log_changes_no_report_and_is_none_without_the_option(phix):
    assert run(["interpret", str(phix), "--format", "json", "-o", "a.json"]) == 0
    assert not Path("run.log").exists()
    assert run(["interpret", str(phix), "--format", "json", "-o", "b.json", "--log", "l"]) == 0
    assert Path("a.json").read_bytes() == Path("b.json").read_bytes()


def test_a_log_may_lie_in_the_folder_that_the_reports_make(phix):
    arguments = ["interpret", str(phix), "--format", "faa", "--format", "fna", "-o", "new"]
    assert run([*arguments, "--log", "new/run.log"]) == 0
    assert {path.suffix for path in Path("new").iterdir()} == {".faa", ".fna", ".log"}


@pytest.mark.parametrize(
    ("log", "words"),
    [
        ("phi.fasta", "is a file that is read or a report"),
        ("phi_report.md", "is a file that is read or a report"),
        ("-", "--log takes the name of a file"),
        ("phi.fasta/run.log", "cannot write"),
        ("absent/run.log", "there is no folder absent"),
    ],
)
def test_a_log_that_cannot_be_is_refused_before_anything_is_done(phix, log, words, capsys):
    before = phix.read_bytes()
    assert run(["interpret", str(phix), "--log", log]) == 2
    (complaint,) = capsys.readouterr().err.splitlines()
    assert words in complaint
    assert phix.read_bytes() == before
    assert not Path("phi_report.md").exists()
    assert not Path("absent").exists()
