from __future__ import annotations

from datetime import UTC, datetime

import pytest

from genint.auth.policy import Allowed, Denied, may_change_job, may_revoke_key, may_see_job
from genint.model.job import ApiKey, GeneCounts, Job, JobStatus, User

NOW = datetime(2026, 1, 1, tzinfo=UTC)
OWNER = User("user-a", "a@example.org", "", "")
OTHER = User("user-b", "b@example.org", "", "")
SAME_ADDRESS = User("user-c", "a@example.org", "", "")
NOBODY = User("", "", "", "")
FORBIDDEN = Denied("the job belongs to another user", is_hidden=False)
HIDDEN = Denied("the key belongs to another user", is_hidden=True)


def job(status):
    return Job(
        id="job",
        user_id=OWNER.id,
        filename="lambda.gb",
        upload="job.gb",
        phage_mode=False,
        mode="offline",
        status=status,
        attempt=1,
        owner="worker" if status is JobStatus.RUNNING else None,
        strikes=0,
        restarts=0,
        progress=0.0,
        error_message=None,
        report_attempt=None,
        report_version=None,
        counts=GeneCounts(),
        processing_time_seconds=0,
        created_at=NOW,
        queued_at=NOW,
        started_at=None,
        finished_at=None,
    )


def key(revoked_at=None):
    return ApiKey("key", OWNER.id, "mine", "gi_x", "00", NOW, None, None, revoked_at)


TABLE = [
    # caller, what may be done, with what, verdict
    *[
        (caller, rule, job(status), verdict)
        for status in JobStatus
        for rule in (may_see_job, may_change_job)
        for caller, verdict in (
            (OWNER, Allowed()),
            (OTHER, FORBIDDEN),
            (SAME_ADDRESS, FORBIDDEN),
            (NOBODY, FORBIDDEN),
        )
    ],
    *[
        (caller, may_revoke_key, thing, verdict)
        for thing in (key(), key(revoked_at=NOW))
        for caller, verdict in (
            (OWNER, Allowed()),
            (OTHER, HIDDEN),
            (SAME_ADDRESS, HIDDEN),
            (NOBODY, HIDDEN),
        )
    ],
]


@pytest.mark.parametrize(("caller", "rule", "thing", "verdict"), TABLE)
def test_the_owner_may_and_nobody_else(caller, rule, thing, verdict):
    assert rule(caller, thing) == verdict
