"""Who may do what: pure functions from a caller and a thing to a verdict.

A job's existence is no secret (its id cannot be guessed and its report is public), so
somebody else is told that it is not theirs (403). A key's existence is one (404).
"""

from __future__ import annotations

from dataclasses import dataclass

from genint.model.job import ApiKey, Job, User


@dataclass(frozen=True, slots=True)
class Allowed:
    """The caller may."""


@dataclass(frozen=True, slots=True)
class Denied:
    """The caller may not.

    Attributes:
        reason: For whoever runs the service.
        is_hidden: The caller must not learn that the thing exists.
    """

    reason: str
    is_hidden: bool


Verdict = Allowed | Denied


def may_see_job(user: User, job: Job) -> Verdict:
    """Status, counts and genes of a job: its owner's."""
    if user.id != job.user_id:
        return Denied("the job belongs to another user", is_hidden=False)
    return Allowed()


def may_change_job(user: User, job: Job) -> Verdict:
    """Cancel or run again: who may see it. Whether its state allows it, is asked elsewhere."""
    return may_see_job(user, job)


def may_revoke_key(user: User, key: ApiKey) -> Verdict:
    """A key is its owner's alone."""
    if user.id != key.user_id:
        return Denied("the key belongs to another user", is_hidden=True)
    return Allowed()
