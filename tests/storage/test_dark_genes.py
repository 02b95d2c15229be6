"""The index of dark genes on both databases."""

from __future__ import annotations

from genint.model import DarkGene, GeneCounts, JobStatus, Outcome

PLENTY = 100_000


async def finish_new(storage, new_job, outcome, **values):
    await storage.jobs.submit(new_job(**values), max_pending=PLENTY)
    job = await storage.jobs.claim("worker")
    assert await storage.jobs.finish(job.lease, outcome)
    return job


async def test_dark_genes_come_newest_job_first_in_the_order_of_the_genome(
    storage, new_job, user_id, outcome
):
    for name in ("old.gb", "new.gb"):
        await finish_new(storage, new_job, outcome, filename=name)
    page = await storage.jobs.dark_genes(user_id)
    assert [(gene.organism, gene.id, gene.name, gene.locus) for gene in page.genes] == [
        ("new.gb", "g1", "orf1", "L_1"),
        ("new.gb", "g2", "orf2", "L_2"),
        ("old.gb", "g1", "orf1", "L_1"),
        ("old.gb", "g2", "orf2", "L_2"),
    ]
    assert (page.total, page.next_cursor) == (4, None)


async def test_dark_genes_keep_their_rank_or_none(storage, new_job, user_id, outcome):
    await finish_new(storage, new_job, outcome)
    page = await storage.jobs.dark_genes(user_id)
    assert [(gene.rank, gene.priority) for gene in page.genes] == [(2, 0.4375), (None, None)]


async def test_dark_genes_come_in_pages_that_join_up(storage, new_job, user_id, outcome):
    for _ in range(3):
        await finish_new(storage, new_job, outcome)
    whole = await storage.jobs.dark_genes(user_id)
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
    assert (await storage.jobs.dark_genes(user_id)) == (0, (), None)
    again = await storage.jobs.claim("worker")
    await storage.jobs.finish(
        again.lease, Outcome(GeneCounts(1, 0, 0, 1), (DarkGene("n", "new", "N"),), "1.1")
    )
    page = await storage.jobs.dark_genes(user_id)
    assert [gene.id for gene in page.genes] == ["n"]


async def test_thousands_of_dark_genes_are_kept(storage, reach, user_id):
    lease = (await reach(JobStatus.RUNNING)).lease
    genes = tuple(DarkGene(f"g{number}", "n\0\ud800'\"\\", "l") for number in range(2_345))
    assert await storage.jobs.finish(lease, Outcome(GeneCounts(), genes, "1.0"))
    page = await storage.jobs.dark_genes(user_id)
    listed = list(page.genes)
    assert len(listed) == 500
    while page.next_cursor:
        page = await storage.jobs.dark_genes(user_id, cursor=page.next_cursor)
        listed.extend(page.genes)
    assert [gene.id for gene in listed] == [gene.id for gene in genes]
    assert listed[0].name == "n\ufffd\ufffd'\"\\"


async def test_dark_genes_of_others_are_not_seen(storage, reach, another_user):
    await reach(JobStatus.COMPLETED)
    page = await storage.jobs.dark_genes(await another_user())
    assert page == (0, (), None)
