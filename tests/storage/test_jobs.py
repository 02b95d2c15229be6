"""Jobs in both databases: transitions, races, fencing, fairness, lists."""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter

import pytest

from genint.errors import InvalidRequest, NotFound, TooManyRequests
from genint.model.job import (
    MAX_RESTARTS,
    MAX_STRIKES,
    DarkGene,
    GeneCounts,
    Held,
    JobStatus,
    Outcome,
    Trigger,
    after,
)

PLENTY = 100_000
EVERY_PAIR = list(itertools.product(JobStatus, Trigger))
SPENT = "UPDATE jobs SET strikes = 2, restarts = 20"
"""The next strike or restart is one too many."""

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


async def pull(storage, run_sql, trigger: Trigger, job_id: str, held: Held, outcome) -> None:
    """Let something happen to a job, whatever its status."""
    jobs = storage.jobs
    match trigger:
        case Trigger.CLAIM:
            await jobs.claim("another worker")
        case Trigger.CANCEL:
            await jobs.cancel(job_id)
        case Trigger.RERUN:
            await jobs.rerun(job_id)
        case Trigger.SUCCEED:
            await jobs.finish(held, outcome)
        case Trigger.FAIL:
            await jobs.fail(held, "it is no genome")
        case Trigger.STRIKE:
            await jobs.strike(held, "it died")
        case Trigger.STRIKE_OUT:
            await run_sql(SPENT)
            await jobs.strike(held, "it died")
        case Trigger.RELEASE:
            await jobs.release(held)
        case Trigger.RELEASE_OUT:
            await run_sql(SPENT)
            await jobs.release(held)


async def test_every_trigger_does_in_every_status_what_the_table_says(
    storage, run_sql, reach, outcome
):
    seen = {}
    for status, trigger in EVERY_PAIR:
        job = await reach(status)
        held = Held(job.id, job.attempt, job.owner or "worker")
        await pull(storage, run_sql, trigger, job.id, held, outcome)
        seen[status, trigger] = (await storage.jobs.get(job.id)).status
        await storage.jobs.cancel(job.id)  # so that the next claim finds the next job
    assert seen == {
        (status, trigger): after(status, trigger) or status for status, trigger in EVERY_PAIR
    }


async def test_a_trigger_that_does_not_apply_changes_nothing(storage, run_sql, reach, outcome):
    for status, trigger in EVERY_PAIR:
        if after(status, trigger) is None:
            job = await reach(status)
            await run_sql(SPENT)
            before = await storage.jobs.get(job.id)
            held = Held(job.id, job.attempt, job.owner or "worker")
            await pull(storage, run_sql, trigger, job.id, held, outcome)
            assert await storage.jobs.get(job.id) == before, (status, trigger)
            await storage.jobs.cancel(job.id)


async def test_a_new_job_waits_with_what_was_handed_in(storage, new_job, user_id):
    new = new_job(phage_mode=True, mode="local", idempotency_key="k", fingerprint="f")
    job, is_new = await storage.jobs.submit(new, max_pending=1)
    assert is_new
    assert job == await storage.jobs.get(new.id)
    assert (job.id, job.user_id, job.filename, job.upload) == (
        *(new.id, user_id, new.filename, new.upload),
    )
    assert (job.phage_mode, job.mode, job.idempotency_key, job.fingerprint) == (
        *(True, "local", "k", "f"),
    )
    assert (job.status, job.attempt, job.owner, job.progress) == (JobStatus.PENDING, 0, None, 0)
    assert job.created_at.tzinfo is not None
    assert job.queued_at == job.created_at
    assert job.started_at is job.finished_at is job.report_attempt is job.error_message is None


async def test_a_job_of_nobody_is_refused(storage, new_job):
    with pytest.raises(NotFound):
        await storage.jobs.submit(new_job(user_id="nobody"), max_pending=1)


async def test_text_that_no_database_stores_is_stored_legibly(storage, new_job):
    job, _ = await storage.jobs.submit(new_job(filename="a\0b\ud800c\U0001f9ecd"), max_pending=1)
    assert job.filename == "a\ufffdb\ufffdc\U0001f9ecd"


# --- quota and idempotency ---------------------------------------------------


async def test_of_many_submissions_at_once_exactly_the_quota_gets_in(storage, new_job):
    answers = await asyncio.gather(
        *(storage.jobs.submit(new_job(), max_pending=20) for _ in range(60)),
        return_exceptions=True,
    )
    refused = [answer for answer in answers if isinstance(answer, TooManyRequests)]
    assert (len(answers) - len(refused), len(refused)) == (20, 40)


async def test_running_jobs_do_not_count_against_the_quota(storage, new_job, reach):
    await reach(JobStatus.RUNNING)
    assert (await storage.jobs.submit(new_job(), max_pending=1)).is_new


async def test_the_quota_of_one_user_is_not_that_of_another(storage, new_job, another_user):
    await storage.jobs.submit(new_job(), max_pending=1)
    other = new_job(user_id=await another_user())
    assert (await storage.jobs.submit(other, max_pending=1)).is_new


async def test_the_same_request_many_times_at_once_is_one_job(storage, new_job, user_id):
    answers = await asyncio.gather(
        *(
            storage.jobs.submit(new_job(idempotency_key="once"), max_pending=PLENTY)
            for _ in range(20)
        )
    )
    assert len({answer.job.id for answer in answers}) == 1
    assert [answer.is_new for answer in answers].count(True) == 1
    page = await storage.jobs.list(user_id, status=None, limit=None, cursor=None)
    assert len(page.jobs) == 1


async def test_a_repeated_request_is_answered_although_the_quota_is_used_up(storage, new_job):
    first = await storage.jobs.submit(new_job(idempotency_key="once"), max_pending=1)
    again = await storage.jobs.submit(new_job(idempotency_key="once"), max_pending=1)
    assert again == (first.job, False)


async def test_two_users_may_use_the_same_idempotency_key(storage, new_job, another_user):
    await storage.jobs.submit(new_job(idempotency_key="once"), max_pending=1)
    other = new_job(idempotency_key="once", user_id=await another_user())
    assert (await storage.jobs.submit(other, max_pending=1)).is_new


# --- claims --------------------------------------------------------------------


async def test_fifty_claimers_take_every_job_once(storage, new_job):
    wanted = [new_job() for _ in range(150)]
    for job in wanted:
        await storage.jobs.submit(job, max_pending=PLENTY)
    taken: Counter[str] = Counter()

    async def take_all(owner: str) -> None:
        while (job := await storage.jobs.claim(owner)) is not None:
            assert job.held == Held(job.id, 1, owner)
            taken[job.id] += 1

    async with asyncio.TaskGroup() as group:
        for number in range(50):
            group.create_task(take_all(f"worker {number}"))
    assert taken == Counter(job.id for job in wanted)


async def test_nothing_is_claimed_where_nothing_waits(storage, reach):
    await reach(JobStatus.RUNNING)
    assert await storage.jobs.claim("another worker") is None


async def test_jobs_of_one_user_are_claimed_in_the_order_of_arrival(storage, new_job):
    wanted = [new_job() for _ in range(5)]
    for job in wanted:
        await storage.jobs.submit(job, max_pending=PLENTY)
    claimed = [(await storage.jobs.claim("worker")).id for _ in wanted]
    assert claimed == [job.id for job in wanted]


async def test_the_user_with_the_fewest_running_jobs_is_served_first(
    storage, new_job, another_user
):
    for _ in range(6):
        await storage.jobs.submit(new_job(), max_pending=PLENTY)
    modest = await another_user()
    await storage.jobs.submit(new_job(user_id=modest), max_pending=PLENTY)
    await storage.jobs.submit(new_job(user_id=modest), max_pending=PLENTY)
    claimed = [(await storage.jobs.claim("worker")).user_id == modest for _ in range(6)]
    assert claimed == [False, True, False, True, False, False]


async def test_a_job_that_was_put_back_keeps_its_place(storage, new_job):
    first, second = new_job(), new_job()
    for job in (first, second):
        await storage.jobs.submit(job, max_pending=PLENTY)
    for put_back in (storage.jobs.release, lambda held: storage.jobs.strike(held, "it died")):
        await put_back((await storage.jobs.claim("worker")).held)
    assert (await storage.jobs.claim("worker")).id == first.id


async def test_a_rerun_queues_behind_those_who_wait(storage, new_job, reach):
    old = await reach(JobStatus.COMPLETED)
    waiting, _ = await storage.jobs.submit(new_job(), max_pending=PLENTY)
    rerun = await storage.jobs.rerun(old.id)
    assert rerun.created_at == old.created_at
    assert rerun.queued_at > waiting.queued_at
    assert (await storage.jobs.claim("worker")).id == waiting.id


# --- leases and fencing ----------------------------------------------------------


async def test_a_lease_that_ended_puts_the_job_back(storage, run_sql, reach):
    job = await reach(JobStatus.RUNNING)
    assert await storage.jobs.sweep() == ()
    await run_sql("UPDATE jobs SET lease_until = 1")
    assert await storage.jobs.sweep() == (job.id,)
    assert await storage.jobs.sweep() == ()
    back = await storage.jobs.get(job.id)
    assert (back.status, back.owner, back.restarts, back.strikes, back.progress) == (
        *(JobStatus.PENDING, None, 1, 0, 0),
    )
    assert back.queued_at == job.queued_at


async def test_a_lease_lasts_thirty_seconds_and_is_renewed(storage, run_sql, reach):
    job = await reach(JobStatus.RUNNING)
    await run_sql("UPDATE jobs SET lease_until = 1")
    assert await storage.jobs.extend("worker") == {job.held}
    ((until,),) = await run_sql("SELECT lease_until FROM jobs")
    ((began,),) = await run_sql("SELECT started_at FROM jobs")
    assert 30_000_000 <= until - began < 40_000_000
    assert await storage.jobs.sweep() == ()


async def test_who_held_a_job_is_refused_once_another_does(storage, run_sql, reach, outcome):
    old = (await reach(JobStatus.RUNNING)).held
    await run_sql("UPDATE jobs SET lease_until = 1")
    await storage.jobs.sweep()
    new = (await storage.jobs.claim("another worker")).held
    assert new.attempt == old.attempt + 1
    before = await storage.jobs.get(old.job_id)
    refused = [
        await storage.jobs.set_progress(old, 0.5),
        await storage.jobs.finish(old, outcome),
        await storage.jobs.fail(old, "late"),
        await storage.jobs.strike(old, "late"),
        await storage.jobs.release(old),
    ]
    assert refused == [False, False, False, None, None]
    assert await storage.jobs.extend(old.owner) == frozenset()
    assert await storage.jobs.get(old.job_id) == before
    assert await storage.jobs.finish(new, outcome)


async def test_the_same_worker_is_refused_for_an_older_attempt(storage, reach, outcome):
    old = (await reach(JobStatus.RUNNING)).held
    await storage.jobs.release(old)
    new = (await storage.jobs.claim("worker")).held
    assert not await storage.jobs.finish(old, outcome)
    assert await storage.jobs.held_by("worker") == {new}


async def test_a_job_that_was_cancelled_is_no_longer_held(storage, reach):
    kept, cancelled = await reach(JobStatus.RUNNING), await reach(JobStatus.RUNNING)
    await storage.jobs.cancel(cancelled.id)
    assert await storage.jobs.held_by("worker") == {kept.held}
    assert await storage.jobs.extend("worker") == {kept.held}
    assert await storage.jobs.extend("another worker") == frozenset()


async def test_all_running_jobs_are_put_back_at_once(storage, reach):
    running = {(await reach(JobStatus.RUNNING)).id for _ in range(3)}
    await reach(JobStatus.COMPLETED)
    assert set(await storage.jobs.requeue_running()) == running
    assert await storage.jobs.requeue_running() == ()


async def test_of_cancel_and_finish_at_once_one_wins_and_says_so(storage, new_job, outcome):
    for _ in range(20):
        await storage.jobs.submit(new_job(), max_pending=PLENTY)
        job = await storage.jobs.claim("worker")
        finished, cancelled = await asyncio.gather(
            storage.jobs.finish(job.held, outcome), storage.jobs.cancel(job.id)
        )
        status = (await storage.jobs.get(job.id)).status
        assert finished is (cancelled is None)
        assert status is (JobStatus.COMPLETED if finished else JobStatus.CANCELLED)
        page = await storage.jobs.dark_genes(job.user_id, limit=None, cursor=None)
        assert (job.id in {gene.job_id for gene in page.genes}) is finished


async def test_of_many_reruns_at_once_one_wins(storage, reach):
    job = await reach(JobStatus.COMPLETED)
    answers = await asyncio.gather(*(storage.jobs.rerun(job.id) for _ in range(20)))
    assert len([answer for answer in answers if answer is not None]) == 1
    assert (await storage.jobs.claim("worker")).attempt == job.attempt + 1


async def test_of_many_cancellations_at_once_one_wins(storage, reach):
    job = await reach(JobStatus.RUNNING)
    answers = await asyncio.gather(*(storage.jobs.cancel(job.id) for _ in range(20)))
    assert len([answer for answer in answers if answer is not None]) == 1


# --- strikes and restarts ----------------------------------------------------------


async def test_the_third_strike_fails_the_job(storage, new_job):
    await storage.jobs.submit(new_job(), max_pending=1)
    seen = []
    for number in range(1, MAX_STRIKES + 1):
        job = await storage.jobs.claim("worker")
        seen.append(await storage.jobs.strike(job.held, f"it died {number} times"))
    assert seen == [JobStatus.PENDING, JobStatus.PENDING, JobStatus.FAILED]
    job = await storage.jobs.get(job.id)
    assert (job.error_message, job.attempt, job.strikes) == ("it died 3 times", 3, 3)


async def test_a_job_is_started_again_twenty_times_after_shutdowns(storage, new_job):
    await storage.jobs.submit(new_job(), max_pending=1)
    seen = []
    while (job := await storage.jobs.claim("worker")) is not None:
        seen.append(await storage.jobs.release(job.held))
    assert seen == [JobStatus.PENDING] * MAX_RESTARTS + [JobStatus.FAILED]
    (page,) = (await storage.jobs.list(new_job().user_id, status=None, limit=1, cursor=None)).jobs
    assert "given up" in page.error_message
    assert page.strikes == 0


async def test_a_rerun_begins_anew_and_keeps_the_old_report(storage, reach):
    job = await reach(JobStatus.COMPLETED)
    rerun = await storage.jobs.rerun(job.id)
    assert (rerun.report_attempt, rerun.report_version, rerun.counts, rerun.attempt) == (
        *(job.report_attempt, job.report_version, job.counts, job.attempt),
    )
    assert (rerun.progress, rerun.strikes, rerun.restarts) == (0, 0, 0)
    assert rerun.error_message is rerun.started_at is rerun.finished_at is None
    cancelled = await storage.jobs.cancel(job.id)
    assert cancelled.report_attempt == job.report_attempt


async def test_a_rerun_forgives_strikes_and_restarts(storage, run_sql, reach):
    job = await reach(JobStatus.FAILED)
    await run_sql("UPDATE jobs SET strikes = 3, restarts = 20")
    rerun = await storage.jobs.rerun(job.id)
    assert (rerun.strikes, rerun.restarts, rerun.error_message) == (0, 0, None)


# --- results -------------------------------------------------------------------------


async def test_progress_is_one_exactly_when_a_job_is_completed(storage, reach, outcome):
    held = (await reach(JobStatus.RUNNING)).held
    for given, shown in ((0.25, 0.25), (-1, 0), (1, 0.999), (7, 0.999)):
        assert await storage.jobs.set_progress(held, given)
        assert (await storage.jobs.get(held.job_id)).progress == pytest.approx(shown)
    await storage.jobs.finish(held, outcome)
    assert (await storage.jobs.get(held.job_id)).progress == 1


async def test_a_finished_job_shows_its_counts_and_times(storage, run_sql, reach, outcome):
    held = (await reach(JobStatus.RUNNING)).held
    await run_sql("UPDATE jobs SET started_at = started_at - 2600000")
    await storage.jobs.finish(held, outcome)
    job = await storage.jobs.get(held.job_id)
    assert (job.counts, job.report_attempt, job.report_version) == (outcome.counts, 1, "1.0")
    assert job.processing_time_seconds == 3
    assert job.created_at <= job.queued_at <= job.finished_at
    assert job.owner is None


async def test_a_failed_job_says_why(storage, reach):
    job = await reach(JobStatus.FAILED)
    assert job.error_message == "it is no genome"


async def test_only_the_report_that_is_served_gets_another_version(storage, reach):
    job = await reach(JobStatus.COMPLETED)
    assert not await storage.jobs.set_report_version(job.id, job.attempt + 1, "2.0")
    assert await storage.jobs.set_report_version(job.id, job.attempt, "1.1")
    assert (await storage.jobs.get(job.id)).report_version == "1.1"


# --- dark genes ------------------------------------------------------------------------


async def finish_new(storage, new_job, outcome, **values):
    await storage.jobs.submit(new_job(**values), max_pending=PLENTY)
    job = await storage.jobs.claim("worker")
    assert await storage.jobs.finish(job.held, outcome)
    return job


async def test_dark_genes_come_newest_job_first_in_the_order_of_the_genome(
    storage, new_job, user_id, outcome
):
    for name in ("old.gb", "new.gb"):
        await finish_new(storage, new_job, outcome, filename=name)
    page = await storage.jobs.dark_genes(user_id, limit=None, cursor=None)
    assert [(gene.organism, gene.id, gene.name, gene.locus) for gene in page.genes] == [
        ("new.gb", "g1", "orf1", "L_1"),
        ("new.gb", "g2", "orf2", "L_2"),
        ("old.gb", "g1", "orf1", "L_1"),
        ("old.gb", "g2", "orf2", "L_2"),
    ]
    assert (page.total, page.next_cursor) == (4, None)


async def test_dark_genes_come_in_pages_that_join_up(storage, new_job, user_id, outcome):
    for _ in range(3):
        await finish_new(storage, new_job, outcome)
    whole = await storage.jobs.dark_genes(user_id, limit=None, cursor=None)
    for limit in (1, 2, 3, 4, 5, 6):
        genes, cursor = [], None
        while True:
            page = await storage.jobs.dark_genes(user_id, limit=limit, cursor=cursor)
            assert page.total == 6
            assert len(page.genes) <= limit
            genes.extend(page.genes)
            cursor = page.next_cursor
            if cursor is None:
                break
        assert tuple(genes) == whole.genes


async def test_dark_genes_of_a_job_that_runs_again_are_not_listed(storage, reach, user_id, outcome):
    job = await reach(JobStatus.COMPLETED)
    await storage.jobs.rerun(job.id)
    assert (await storage.jobs.dark_genes(user_id, limit=None, cursor=None)) == (0, (), None)
    again = await storage.jobs.claim("worker")
    await storage.jobs.finish(
        again.held, Outcome(GeneCounts(1, 0, 0, 1), (DarkGene("n", "new", "N"),), "1.1")
    )
    page = await storage.jobs.dark_genes(user_id, limit=None, cursor=None)
    assert [gene.id for gene in page.genes] == ["n"]


async def test_thousands_of_dark_genes_are_kept(storage, reach, user_id):
    held = (await reach(JobStatus.RUNNING)).held
    genes = tuple(DarkGene(f"g{number}", "n\0\ud800'\"\\", "l") for number in range(2_345))
    assert await storage.jobs.finish(held, Outcome(GeneCounts(), genes, "1.0"))
    page = await storage.jobs.dark_genes(user_id, limit=None, cursor=None)
    assert [gene.id for gene in page.genes] == [gene.id for gene in genes]
    assert page.genes[0].name == "n\ufffd\ufffd'\"\\"


async def test_dark_genes_of_others_are_not_seen(storage, reach, another_user):
    await reach(JobStatus.COMPLETED)
    page = await storage.jobs.dark_genes(await another_user(), limit=None, cursor=None)
    assert page == (0, (), None)


# --- lists -----------------------------------------------------------------------------


async def test_jobs_are_listed_newest_first(storage, new_job, user_id):
    wanted = [new_job() for _ in range(4)]
    for job in wanted:
        await storage.jobs.submit(job, max_pending=PLENTY)
    page = await storage.jobs.list(user_id, status=None, limit=None, cursor=None)
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


async def test_a_list_without_limit_has_them_all(storage, run_sql, new_job, user_id, engine):
    await storage.jobs.submit(new_job(), max_pending=PLENTY)
    await run_sql(COPY_1200_TIMES[engine])
    page = await storage.jobs.list(user_id, status=None, limit=None, cursor=None)
    assert len(page.jobs) == 1201
    assert page.jobs[1].id == "job1200"


async def test_a_status_selects(storage, reach, user_id):
    made = {status: (await reach(status)).id for status in JobStatus if status != "PENDING"}
    made[JobStatus.PENDING] = (await reach(JobStatus.PENDING)).id
    for status, job_id in made.items():
        page = await storage.jobs.list(user_id, status=status, limit=None, cursor=None)
        assert [job.id for job in page.jobs] == [job_id]


async def test_jobs_of_others_are_not_listed(storage, reach, another_user):
    await reach(JobStatus.PENDING)
    page = await storage.jobs.list(await another_user(), status=None, limit=None, cursor=None)
    assert page == ((), None)


async def test_a_cursor_that_is_not_ours_is_refused(storage, user_id):
    with pytest.raises(InvalidRequest) as caught:
        await storage.jobs.list(user_id, status=None, limit=1, cursor="' OR 1=1 --")
    (value,) = caught.value.values
    assert value.location == ("query", "cursor")


# --- retention ---------------------------------------------------------------------------


async def test_jobs_that_ended_long_ago_are_deleted_with_their_genes(
    storage, run_sql, reach, user_id
):
    old = await reach(JobStatus.COMPLETED)
    await run_sql("UPDATE jobs SET finished_at = finished_at - 86400000001 * 3")
    kept = {(await reach(status)).id for status in (JobStatus.FAILED, JobStatus.PENDING)}
    assert await storage.jobs.delete_ended_before(4) == ()
    assert [job.id for job in await storage.jobs.delete_ended_before(3)] == [old.id]
    page = await storage.jobs.list(user_id, status=None, limit=None, cursor=None)
    assert {job.id for job in page.jobs} == kept
    assert await run_sql("SELECT job_id FROM dark_genes") == []


async def test_known_ids_are_those_of_jobs(storage, reach):
    job = await reach(JobStatus.PENDING)
    asked = [job.id, "nobody's", *(f"x{number}" for number in range(1_000))]
    assert await storage.jobs.known_ids(asked) == {job.id}
    assert await storage.jobs.known_ids([]) == frozenset()


async def test_an_unknown_job_is_none_to_everything(storage, outcome):
    held = Held("no such job", 1, "worker")
    assert await storage.jobs.get(held.job_id) is None
    assert await storage.jobs.cancel(held.job_id) is None
    assert await storage.jobs.rerun(held.job_id) is None
    assert not await storage.jobs.finish(held, outcome)


# --- notices -----------------------------------------------------------------------------


async def test_who_listens_hears_what_is_queued_cancelled_and_given_up(storage, run_sql, new_job):
    jobs = storage.jobs
    heard = []
    async with asyncio.timeout(10), jobs.notices() as notices:
        job, _ = await jobs.submit(new_job(), max_pending=1)
        await jobs.release((await jobs.claim("worker")).held)
        await jobs.strike((await jobs.claim("worker")).held, "it died")
        await jobs.claim("worker")
        await run_sql("UPDATE jobs SET lease_until = 1")
        await jobs.sweep()
        await jobs.cancel(job.id)
        await jobs.rerun(job.id)
        await run_sql("UPDATE jobs SET strikes = 2")
        await jobs.strike((await jobs.claim("worker")).held, "it died")
        heard.extend([await anext(notices) for _ in range(7)])
    kinds = ["queued", "queued", "queued", "queued", "ended", "queued", "ended"]
    assert heard == [(kind, job.id) for kind in kinds]


async def test_a_refused_submission_is_not_announced(storage, new_job):
    async with asyncio.timeout(10), storage.jobs.notices() as notices:
        with pytest.raises(TooManyRequests):
            await storage.jobs.submit(new_job(), max_pending=0)
        job, _ = await storage.jobs.submit(new_job(), max_pending=1)
        assert await anext(notices) == ("queued", job.id)
