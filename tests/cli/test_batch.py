from pathlib import Path

import pytest

from genint.cli.journal import MANIFEST, Journal
from genint.cli.output import Job, Output


@pytest.fixture
def job(tmp_path) -> Job:
    report = tmp_path / "x_report.md"
    report.write_text("report")
    return Job(Path("x.gb"), (Output("md", report),))


def test_a_recorded_job_is_done_when_opened_again(tmp_path, job):
    Journal.open(tmp_path, "key").record(job, "input")
    assert Journal.open(tmp_path, "key").is_done(job, "input")


@pytest.mark.parametrize(("key", "given"), [("other", "input"), ("key", "changed")])
def test_other_parameters_or_another_input_mean_work(tmp_path, job, key, given):
    Journal.open(tmp_path, "key").record(job, "input")
    assert not Journal.open(tmp_path, key).is_done(job, given)


def test_a_changed_or_missing_report_means_work(tmp_path, job):
    Journal.open(tmp_path, "key").record(job, "input")
    job.outputs[0].path.write_text("edited")
    assert not Journal.open(tmp_path, "key").is_done(job, "input")
    job.outputs[0].path.unlink()
    assert not Journal.open(tmp_path, "key").is_done(job, "input")


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"reports": 1}', "\x00", '{"reports": {"x": 1}}']
)
def test_a_damaged_journal_means_that_nothing_is_done(tmp_path, job, content):
    (tmp_path / MANIFEST).write_text(content)
    assert not Journal.open(tmp_path, "key").is_done(job, "input")
