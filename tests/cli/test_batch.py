"""Runs over several files: what is done again, and what an end in the middle leaves."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from genint.cli.journal import JOURNAL, Journal, Origin
from genint.cli.main import run
from genint.cli.output import Job, Outcome, Output, finish_all, remove_unfinished, write_atomically
from genint.errors import DiskFull, UsageError

ORIGIN = Origin("input", {"parameters": "a", "version of genint": "1"})


@pytest.fixture
def job(tmp_path) -> Job:
    report = tmp_path / "x_report.md"
    report.write_text("report")
    return Job(Path("x.gb"), (Output("md", report),))


def test_a_recorded_job_is_done_when_opened_again(tmp_path, job):
    Journal.open(tmp_path).record(job, ORIGIN)
    assert Journal.open(tmp_path).is_done(job, ORIGIN)


@pytest.mark.parametrize(
    ("origin", "changed"),
    [
        (ORIGIN._replace(input="other"), ("input",)),
        (Origin("input", {**ORIGIN.settings, "parameters": "b"}), ("parameters",)),
        (Origin("other", {"parameters": "a", "version of genint": "2"}),
         ("input", "version of genint")),
    ],
)  # fmt: skip
def test_another_origin_means_work_and_the_journal_says_what_is_other(
    tmp_path, job, origin, changed
):
    Journal.open(tmp_path).record(job, ORIGIN)
    assert not Journal.open(tmp_path).is_done(job, origin)
    assert Journal.open(tmp_path).changes(job, origin) == changed


def test_a_changed_or_missing_report_means_work(tmp_path, job):
    Journal.open(tmp_path).record(job, ORIGIN)
    job.outputs[0].path.write_text("edited")
    assert not Journal.open(tmp_path).is_done(job, ORIGIN)
    job.outputs[0].path.unlink()
    assert not Journal.open(tmp_path).is_done(job, ORIGIN)


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"reports": 1}', "\x00", "[" * 99_999, '{"input": "input"}']
)
def test_a_damaged_journal_means_that_nothing_is_done_until_it_is_recorded(tmp_path, job, content):
    (tmp_path / JOURNAL).write_text(content)
    journal = Journal.open(tmp_path)
    assert not journal.is_done(job, ORIGIN)
    journal.record(job, ORIGIN)
    assert Journal.open(tmp_path).is_done(job, ORIGIN)


def test_runs_side_by_side_keep_each_others_entries(tmp_path, job):
    other = Job(Path("y.gb"), (Output("md", tmp_path / "y_report.md"),))
    other.outputs[0].path.write_text("report")
    one, two = Journal.open(tmp_path), Journal.open(tmp_path)
    one.record(job, ORIGIN)
    two.record(other, ORIGIN)
    both = Journal.open(tmp_path)
    assert both.is_done(job, ORIGIN)
    assert both.is_done(other, ORIGIN)


def test_what_a_killed_run_was_writing_is_removed_and_nothing_else(tmp_path):
    gone = 2**22 + 1  # above the highest number of a process
    kept = [f".x.md.{os.getpid()}.part", f".other.md.{gone}.part", ".x.md.part", "x.md"]
    for name in (f".x.md.{gone}.part", *kept):
        (tmp_path / name).touch()
    remove_unfinished(tmp_path, {"x.md"})
    assert {path.name for path in tmp_path.iterdir()} == set(kept)


def test_an_interrupt_while_a_report_is_written_leaves_nothing_half_written(tmp_path, monkeypatch):
    def interrupted(self: Path, _: Path) -> None:
        assert self.exists()
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(tmp_path / "x.md", "report")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_an_error_of_its_own():
    with pytest.raises(DiskFull, match="No space left"):
        write_atomically(Path("/dev/full"), "report")


JOBS = tuple(Job(Path(f"{name}.gb"), ()) for name in "abc")


def test_a_full_disk_ends_the_run_and_the_last_line_says_what_was_not_done(capsys):
    def do(job: Job) -> Outcome:
        if job.name == "b.gb":
            raise DiskFull(f"cannot write b: {os.strerror(errno.ENOSPC)}")
        return Outcome(job.name, "done", (0,) * 7)

    assert finish_all(JOBS, "Interpreted", do) == 1
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "3 files: 1 done, 0 already there, 1 failed, 1 not done"


def test_an_interrupted_run_says_how_far_it_came(capsys):
    def do(job: Job) -> Outcome:
        if job.name == "b.gb":
            raise KeyboardInterrupt
        return Outcome(job.name, "kept")

    with pytest.raises(KeyboardInterrupt):
        finish_all(JOBS, "Interpreted", do)
    said = capsys.readouterr().err
    assert "interrupted in b.gb. 3 files: 0 done, 1 already there, 0 failed, 2 not done" in said


def test_an_interrupted_run_still_writes_what_is_computed_unless_it_is_interrupted_again(capsys):
    def do(job: Job) -> Outcome:
        if job.name in stopping:
            raise KeyboardInterrupt
        return Outcome(job.name, "kept")

    stopping = {"a.gb"}
    with pytest.raises(KeyboardInterrupt):
        finish_all(JOBS, "Interpreted", do, lambda job: job.name == "c.gb")
    said = capsys.readouterr().err
    assert "interrupted: writing 1 more that are computed; again to stop at once" in said
    assert "interrupted in a.gb. 3 files: 0 done, 1 already there, 0 failed, 2 not done" in said
    stopping = {"a.gb", "b.gb"}
    with pytest.raises(KeyboardInterrupt):
        finish_all(JOBS, "Interpreted", do, lambda job: True)
    said = capsys.readouterr().err
    assert "interrupted in a.gb. 3 files: 0 done, 0 already there, 0 failed, 3 not done" in said


@pytest.fixture
def two(examples) -> list[str]:
    """Two names of phiX174."""
    for name in ("a.gbk", "b.gbk"):
        Path(name).write_bytes((examples / "phiX174.gbk").read_bytes())
    return ["interpret", "a.gbk", "b.gbk", "--workers", "1", "-o", "out"]


def test_formats_that_are_missing_are_rendered_from_the_result_that_is_there(two, capsys):
    assert run([*two, "--format", "json"]) == 0
    before = Path("out/a_report.json").stat().st_mtime_ns
    capsys.readouterr()
    assert run([*two, "--format", "json", "--format", "tsv", "--format", "gbk"]) == 0
    printed = capsys.readouterr()
    assert "2 files: 0 done, 2 rendered from the results that were there" in printed.out
    assert "a.gbk: Rendered 10 of 11 genes" in printed.out
    assert "searching" not in printed.err
    assert Path("out/a_report.json").stat().st_mtime_ns == before
    rendered = Path("out/a_report.tsv").read_bytes()
    assert run([*two, "--format", "json", "--format", "tsv", "--format", "gbk"]) == 0
    assert "2 files: 0 done, 2 already there" in capsys.readouterr().out
    assert run(["report", "out/a_report.json", "--format", "tsv", "-o", "fresh.tsv"]) == 0
    assert Path("fresh.tsv").read_bytes() == rendered


def test_other_parameters_mean_a_new_interpretation_and_a_line_says_so(two, capsys):
    assert run([*two, "--format", "json"]) == 0
    Path("b.gbk").unlink()
    capsys.readouterr()
    assert run([*two, "--format", "json", "--ignore-annotations"]) == 2
    printed = capsys.readouterr()
    assert "a.gbk: other parameters than those of the reports that are there" in printed.err
    assert "b.gbk: no such file" in printed.err
    assert "2 files: 1 done, 0 already there, 1 failed" in printed.out


@pytest.mark.parametrize("name", ["bad\udcff.fasta", "m" * 250, "two\nlines\tand.fasta"])
def test_a_name_that_is_odd_or_too_long_is_no_end_of_the_others(name, two, capsys):
    Path(name).write_bytes(Path("a.gbk").read_bytes())
    is_too_long = len(name) == 250
    status = run(["interpret", name, *two[1:], "--format", "json"])
    printed = capsys.readouterr()
    assert status == (2 if is_too_long else 0)
    assert ("cannot write" in printed.err) == is_too_long
    assert len(list(Path("out").glob("*_report.json"))) == (2 if is_too_long else 3)
    rows = [
        line.split() for line in printed.out.splitlines() if "\N{REPLACEMENT CHARACTER}" in line
    ]
    assert bool(rows) != is_too_long


def test_a_fault_over_one_file_is_said_and_the_others_go_on(capsys):
    def do(job):
        if job.source == Path("b.gb"):
            raise ZeroDivisionError("of something")
        return Outcome(job.name, "kept", place="")

    jobs = [Job(Path(name), ()) for name in ("a.gb", "b.gb", "c.gb")]
    assert finish_all(jobs, "Interpreted", do) == 1
    printed = capsys.readouterr()
    assert printed.err.startswith("genint: b.gb: internal error: ZeroDivisionError: of something")
    assert "2 already there" in printed.out or "2 kept" in printed.out


def test_a_report_of_another_file_is_not_replaced_unless_it_is_forced(tmp_path, job):
    source = tmp_path / "x.gb"
    source.write_text("LOCUS")
    job = Job(source, job.outputs)
    Journal.open(tmp_path).record(job, ORIGIN)
    again = Journal.open(tmp_path)
    changed = ORIGIN._replace(input="other")
    elsewhere = Job(Path("elsewhere/x.gb"), job.outputs)
    again.refuse_others(job, changed)  # the same file, changed
    again.refuse_others(elsewhere, ORIGIN)  # the same content, moved
    with pytest.raises(UsageError, match="is the report of another file"):
        again.refuse_others(elsewhere, changed)
    source.unlink()
    again.refuse_others(elsewhere, changed)  # moved, then changed


def test_a_journal_that_cannot_be_written_is_told_before_the_work(tmp_path, examples, capsys):
    (tmp_path / JOURNAL).mkdir()
    files = [str(examples / "phiX174.gbk"), str(examples / "lambda.fasta")]
    assert run(["interpret", *files, "-o", f"{tmp_path}/"]) == 2
    told = capsys.readouterr()
    assert f"cannot write {tmp_path / JOURNAL}" in told.err
    assert "Interpreted" not in told.out
