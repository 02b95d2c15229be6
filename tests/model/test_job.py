"""Jobs: the table of transitions and what follows from it."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime

import pytest

from genint.model.job import TERMINAL, TRANSITIONS, GeneCounts, Held, Job, JobStatus, Trigger, after

PENDING, RUNNING = JobStatus.PENDING, JobStatus.RUNNING
COMPLETED, FAILED, CANCELLED = JobStatus.COMPLETED, JobStatus.FAILED, JobStatus.CANCELLED
NOWHERE = dict.fromkeys(Trigger)
EXPECTED = {
    PENDING: NOWHERE | {Trigger.CLAIM: RUNNING, Trigger.CANCEL: CANCELLED},
    RUNNING: NOWHERE
    | {
        Trigger.CANCEL: CANCELLED,
        Trigger.SUCCEED: COMPLETED,
        Trigger.FAIL: FAILED,
        Trigger.STRIKE: PENDING,
        Trigger.STRIKE_OUT: FAILED,
        Trigger.RELEASE: PENDING,
        Trigger.RELEASE_OUT: FAILED,
    },
    COMPLETED: NOWHERE | {Trigger.RERUN: PENDING},
    FAILED: NOWHERE | {Trigger.RERUN: PENDING},
    CANCELLED: NOWHERE | {Trigger.RERUN: PENDING},
}
EVERY_PAIR = list(itertools.product(JobStatus, Trigger))


@pytest.mark.parametrize(("status", "trigger"), EVERY_PAIR)
def test_every_trigger_does_in_every_status_what_is_laid_down(status, trigger):
    assert after(status, trigger) is EXPECTED[status][trigger]


def test_the_terminal_states_are_the_three_ends():
    assert {status for status in JobStatus if status.is_terminal} == {COMPLETED, FAILED, CANCELLED}


def test_a_terminal_state_is_left_by_a_rerun_alone():
    leaving = {trigger for (status, trigger) in TRANSITIONS if status in TERMINAL}
    assert leaving == {Trigger.RERUN}


@pytest.mark.parametrize("status", JobStatus)
def test_every_status_is_reached_from_a_new_job(status):
    reached = {PENDING}
    for _ in JobStatus:
        reached |= {end for (begin, _), end in TRANSITIONS.items() if begin in reached}
    assert status in reached


@pytest.mark.parametrize("status", JobStatus)
def test_from_every_status_a_job_can_end(status):
    ended = set(TERMINAL)
    for _ in JobStatus:
        ended |= {begin for (begin, _), end in TRANSITIONS.items() if end in ended}
    assert status in ended


def test_only_a_worker_that_claims_makes_a_job_run():
    assert {pair for pair, end in TRANSITIONS.items() if end is RUNNING} == {
        (PENDING, Trigger.CLAIM)
    }


def test_the_table_cannot_be_changed():
    with pytest.raises(TypeError):
        TRANSITIONS[(COMPLETED, Trigger.CANCEL)] = CANCELLED


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
    assert job("worker").held == Held("id", 2, "worker")


def test_a_job_that_nobody_holds_has_no_claim():
    with pytest.raises(ValueError, match="not held"):
        _ = job(None).held
