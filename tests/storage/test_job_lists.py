"""Lists of jobs on both databases: pages that join up whatever arrives."""

from __future__ import annotations

import pytest

from genint.errors import InvalidRequest
from genint.model import JobStatus

PLENTY = 100_000
COPY_1200_TIMES = {
    "sqlite": """
        WITH RECURSIVE n (number) AS (
            SELECT 1 UNION ALL SELECT number + 1 FROM n WHERE number < 1200
        )
        INSERT INTO jobs (id, user_id, filename, upload, phage_mode, mode, fingerprint, status,
            created_at, queued_at)
        SELECT 'job' || n.number, user_id, filename, upload, phage_mode, mode, fingerprint,
            status, n.number, queued_at
        FROM jobs, n
        """,
    "postgresql": """
        INSERT INTO jobs (id, user_id, filename, upload, phage_mode, mode, fingerprint, status,
            created_at, queued_at)
        SELECT 'job' || number, user_id, filename, upload, phage_mode, mode, fingerprint,
            status, number, queued_at
        FROM jobs, generate_series(1, 1200) AS number
        """,
}


async def test_jobs_are_listed_newest_first(storage, new_job, user_id):
    wanted = [new_job() for _ in range(4)]
    for job in wanted:
        await storage.jobs.submit(job, max_pending=PLENTY)
    page = await storage.jobs.list(user_id)
    assert [job.id for job in page.jobs] == [job.id for job in reversed(wanted)]
    assert page.next_cursor is None


@pytest.mark.parametrize("status", [None, JobStatus.PENDING])
async def test_pages_of_jobs_join_up_while_others_arrive(storage, new_job, user_id, status):
    wanted = [new_job() for _ in range(25)]
    for job in wanted:
        await storage.jobs.submit(job, max_pending=PLENTY)
    seen, cursor = [], None
    while True:
        page = await storage.jobs.list(user_id, status=status, limit=10, cursor=cursor)
        seen.extend(job.id for job in page.jobs)
        await storage.jobs.submit(new_job(), max_pending=PLENTY)
        cursor = page.next_cursor
        if cursor is None:
            break
    assert seen == [job.id for job in reversed(wanted)]


async def test_jobs_made_in_the_same_microsecond_are_each_listed_once(
    storage, run_sql, new_job, user_id
):
    for _ in range(7):
        await storage.jobs.submit(new_job(), max_pending=PLENTY)
    await run_sql("UPDATE jobs SET created_at = 1")
    seen, cursor = [], None
    for _ in range(4):
        page = await storage.jobs.list(user_id, status=None, limit=2, cursor=cursor)
        seen.extend(job.id for job in page.jobs)
        cursor = page.next_cursor
    assert cursor is None
    assert len(seen) == len(set(seen)) == 7


async def test_a_list_without_limit_has_500_and_the_cursor_of_the_rest(
    storage, run_sql, new_job, user_id, engine
):
    await storage.jobs.submit(new_job(), max_pending=PLENTY)
    await run_sql(COPY_1200_TIMES[engine])
    page = await storage.jobs.list(user_id)
    seen = [len(page.jobs)]
    while page.next_cursor:
        assert page.total == 1201
        page = await storage.jobs.list(user_id, cursor=page.next_cursor)
        seen.append(len(page.jobs))
    assert seen == [500, 500, 201]
    assert page.jobs[-1].id == "job1"


async def test_a_status_selects(storage, reach, user_id):
    made = {status: (await reach(status)).id for status in JobStatus if status != "PENDING"}
    made[JobStatus.PENDING] = (await reach(JobStatus.PENDING)).id
    for status, job_id in made.items():
        page = await storage.jobs.list(user_id, status=status)
        assert (page.total, [job.id for job in page.jobs]) == (1, [job_id])


async def test_jobs_of_others_are_not_listed(storage, reach, another_user):
    await reach(JobStatus.PENDING)
    page = await storage.jobs.list(await another_user())
    assert page == (0, (), None)


async def test_a_cursor_that_is_not_ours_is_refused(storage, user_id):
    with pytest.raises(InvalidRequest) as caught:
        await storage.jobs.list(user_id, status=None, limit=1, cursor="' OR 1=1 --")
    (value,) = caught.value.values
    assert value.location == ("query", "cursor")


async def add_named(storage, new_job, *names):
    for name in names:
        await storage.jobs.submit(new_job(filename=name), max_pending=PLENTY)


async def names_of(storage, user_id, **wanted):
    page = await storage.jobs.list(user_id, **wanted)
    assert page.total == len(page.jobs)
    return [job.filename for job in page.jobs]


async def test_a_list_is_searched_by_any_text_of_the_name(storage, new_job, user_id, another_user):
    await add_named(storage, new_job, "Lambda.gb", "T4_phage.fa", "T4-like.fa", "100%.fa")
    theirs = new_job(filename="lambda.gb", user_id=await another_user())
    await storage.jobs.submit(theirs, max_pending=PLENTY)
    assert await names_of(storage, user_id, search="LAMBDA") == ["Lambda.gb"]
    assert await names_of(storage, user_id, search="t4") == ["T4-like.fa", "T4_phage.fa"]
    assert await names_of(storage, user_id, search="t4_") == ["T4_phage.fa"]
    assert await names_of(storage, user_id, search="%") == ["100%.fa"]
    assert await names_of(storage, user_id, search="fa", status=JobStatus.FAILED) == []


async def test_a_list_is_sorted_by_what_is_named_and_its_pages_join_up(
    storage, new_job, reach, user_id
):
    await reach(JobStatus.COMPLETED)
    await add_named(storage, new_job, "b.gb", "C.gb", "a.gb")
    assert await names_of(storage, user_id, sort="filename", search=".gb") == [
        *("a.gb", "b.gb", "C.gb", "lambda.gb")
    ]
    assert await names_of(storage, user_id, sort="-filename") == [
        *("lambda.gb", "C.gb", "b.gb", "a.gb")
    ]
    assert (await names_of(storage, user_id, sort="-total_genes"))[0] == "lambda.gb"
    assert (await names_of(storage, user_id, sort="dark_count"))[-1] == "lambda.gb"
    assert await names_of(storage, user_id, sort="created_at") == [
        *("lambda.gb", "b.gb", "C.gb", "a.gb")
    ]
    first = await storage.jobs.list(user_id, sort="filename", limit=3)
    rest = await storage.jobs.list(user_id, sort="filename", limit=3, cursor=first.next_cursor)
    assert [job.filename for job in (*first.jobs, *rest.jobs)] == [
        *("a.gb", "b.gb", "C.gb", "lambda.gb")
    ]
    assert (first.total, rest.next_cursor) == (4, None)
    with pytest.raises(InvalidRequest):
        await storage.jobs.list(user_id, sort="-filename", cursor=first.next_cursor)
