"""Progress is the share of a job's time that is over, written forward only and seldom."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from genint.model import JobStatus
from genint.pipeline.run import Progress
from genint.worker.progress import ProgressWriter, reached, stage_shares

PHAGE = stage_shares(50_000)


def searched(done, total):
    return Progress("searching", done, total)


def share_of(step):
    return reached(step, PHAGE).share


def test_the_stages_follow_each_other_up_to_less_than_one():
    stages = [Progress("reading", 0, 1), Progress("finding genes", 0, 1)]
    stages += [*(searched(done, 7) for done in range(8)), Progress("interpreting", 0, 1)]
    shares = [share_of(stage) for stage in stages]
    assert shares == sorted(shares)
    assert shares[2] == PHAGE.searching
    assert shares[-1] == PHAGE.interpreting < 1


def test_stages_beside_others_are_no_progress():
    assert reached(Progress("querying UniProt and InterPro", 1, 1), PHAGE) is None


def test_the_time_of_a_bacterium_is_shared_out_otherwise_than_that_of_a_phage():
    assert stage_shares(None) == stage_shares(1_000) == PHAGE
    assert stage_shares(9_000_000) == stage_shares(1_500_000) != PHAGE
    low, middle, high = sorted((PHAGE, stage_shares(300_000), stage_shares(9_000_000)))
    assert low < middle < high


def test_nothing_is_extrapolated_from_the_start_or_from_a_search_in_few_parts():
    steps = (searched(0, 9), searched(1, 2), Progress("finding genes", 0, 1))
    assert not any(reached(step, PHAGE).can_be_extrapolated for step in steps)
    assert reached(searched(1, 9), PHAGE).can_be_extrapolated


async def test_it_is_written_at_once_then_at_most_twice_a_second_and_the_last_is_kept(desk):
    job_id = await desk.submit(b">one\nACGT\n")
    claimed = await desk.jobs.claim("me")

    async def progress():
        return (await desk.job(job_id)).progress

    async with ProgressWriter(desk.jobs, claimed) as report:
        report(searched(1, 9))
        async with asyncio.timeout(5):
            while await progress() != share_of(searched(1, 9)):
                await asyncio.sleep(0)
        report(searched(3, 9))
        report(searched(2, 9))
        assert await progress() == share_of(searched(1, 9))
        async with asyncio.timeout(5):
            while await progress() == share_of(searched(1, 9)):
                await asyncio.sleep(0.01)
        assert await progress() == share_of(searched(3, 9))
    job = await desk.job(job_id)
    assert job.stage == "searching"
    assert job.remaining_seconds >= 0


async def test_what_waits_for_services_has_no_remaining_time(desk):
    job_id = await desk.submit(b">one\nACGT\n", mode="online")
    claimed = await desk.jobs.claim("me")
    async with ProgressWriter(desk.jobs, claimed) as report:
        report(searched(9, 9))
        report(Progress("querying UniProt and InterPro", 0, 1, is_waiting=True))
        async with asyncio.timeout(5):
            while (await desk.job(job_id)).stage in (None, "searching"):
                await asyncio.sleep(0)
    job = await desk.job(job_id)
    assert job.stage == "querying UniProt and InterPro"
    assert job.remaining_seconds is None


async def test_a_new_attempt_begins_with_no_stage(desk):
    await desk.submit(b">one\nACGT\n")
    claimed = await desk.jobs.claim("me")
    assert await desk.jobs.set_progress(claimed.lease, 0.5, stage="searching", remaining_s=7.4)
    held = await desk.job(claimed.id)
    assert (held.stage, held.remaining_seconds) == ("searching", 7)
    await desk.jobs.requeue_running()
    again = await desk.jobs.claim("another")
    assert again.status is JobStatus.RUNNING
    assert (again.progress, again.stage, again.remaining_seconds) == (0, None, None)


async def test_it_never_touches_a_job_that_another_worker_holds(desk):
    job_id = await desk.submit(b">one\nACGT\n")
    lost = await desk.jobs.claim("me")
    await desk.jobs.requeue_running()
    await desk.jobs.claim("another")
    async with ProgressWriter(desk.jobs, lost) as report:
        report(searched(1, 2))
    assert (await desk.job(job_id)).progress == 0


STAGES = Path(__file__).resolve().parents[2] / "benchmarks/service/stages.json"
SIZES = {"phiX174.gbk": 5_386, "lambda.fasta": 48_502, "SAOMS1_MW460250.fasta": 140_135}


def test_shares_of_stages_are_those_that_were_measured():
    measured = json.loads(STAGES.read_text("utf-8"))["runs"]
    for run in measured:
        shares = stage_shares(SIZES.get(run["genome"], 1_580_000))
        began = run["begins_at"]
        assert shares.searching == pytest.approx(began["searching"], abs=0.08)
        assert shares.interpreting == pytest.approx(began["interpreting"], abs=0.08)
