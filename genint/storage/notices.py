"""Word between processes, or within one, that a job is queued or has ended."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Notice(NamedTuple):
    """Something happened to a job.

    ``queued``: it waits for a worker. ``ended``: it was cancelled, completed or failed.
    """

    kind: Literal["queued", "ended"]
    job_id: str
