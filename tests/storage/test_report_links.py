"""Links to reports on both databases."""

from __future__ import annotations

import pytest

from genint.errors import Conflict
from genint.model import JobStatus
from genint.storage.report_links import MOST_LINKS


async def test_a_link_is_valid_for_its_job_until_it_is_revoked_or_expires(storage, reach):
    job, other = await reach(JobStatus.PENDING), await reach(JobStatus.PENDING)
    lasting = await storage.report_links.add(job.id, "lasting", valid_s=None)
    await storage.report_links.add(job.id, "over", valid_s=-1)
    assert await storage.report_links.is_valid(job.id, "lasting")
    assert not await storage.report_links.is_valid(other.id, "lasting")
    assert not await storage.report_links.is_valid(job.id, "over")
    assert await storage.report_links.list(job.id) == (lasting,)
    assert not await storage.report_links.revoke(other.id, lasting.id)
    assert await storage.report_links.revoke(job.id, lasting.id)
    assert not await storage.report_links.is_valid(job.id, "lasting")


async def test_links_are_limited_and_go_with_their_job(storage, reach, run_sql):
    job = await reach(JobStatus.PENDING)
    await storage.report_links.add(job.id, "over", valid_s=-1)
    for number in range(MOST_LINKS):
        await storage.report_links.add(job.id, str(number), valid_s=60)
    with pytest.raises(Conflict, match="100 links"):
        await storage.report_links.add(job.id, "one more", valid_s=60)
    await storage.jobs.delete(job.id)
    assert not await storage.report_links.is_valid(job.id, "1")
    assert [tuple(row) for row in await run_sql("SELECT count(*) FROM report_links")] == [(0,)]
