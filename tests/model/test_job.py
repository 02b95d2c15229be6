"""Jobs: their ends and their claims."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from genint.model.job import GeneCounts, Job, JobLease, JobStatus

PENDING, RUNNING = JobStatus.PENDING, JobStatus.RUNNING
COMPLETED, FAILED, CANCELLED = JobStatus.COMPLETED, JobStatus.FAILED, JobStatus.CANCELLED


def test_the_terminal_states_are_the_three_ends():
    assert {status for status in JobStatus if status.is_terminal} == {COMPLETED, FAILED, CANCELLED}


def job(owner: str | None) -> Job:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    return Job(
        *("id", "user", "phage.gb", "id.gb", False, "offline"),
        status=RUNNING if owner else PENDING,
        attempt=2,
        owner=owner,
        strikes=0,
        restarts=0,
        progress=0.0,
        error_message=None,
        report_attempt=None,
        report_version=None,
        counts=GeneCounts(),
        processing_time_seconds=0,
        created_at=now,
        queued_at=now,
        started_at=None,
        finished_at=None,
    )


def test_a_running_job_tells_its_claim():
    assert job("worker").lease == JobLease("id", 2, "worker")


def test_a_job_that_nobody_holds_has_no_claim():
    with pytest.raises(ValueError, match="not held"):
        _ = job(None).lease
