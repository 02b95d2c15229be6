"""Jobs in the database: every change of a status is one guarded statement."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import asdict
from typing import Literal, NamedTuple

from genint.errors import (
    InvalidRequest,
    InvalidValue,
    NotAllowed,
    NotFound,
    RequestError,
    TooLarge,
    TooManyRequests,
)
from genint.model.job import (
    MAX_RESTARTS,
    MAX_STRIKES,
    DarkGene,
    DarkGeneEntry,
    Job,
    JobLease,
    JobStatus,
    NewJob,
    Outcome,
)
from genint.storage.database import Database, Notice, NoticeKind, Row, Session
from genint.storage.listings import (
    MICROSECONDS,
    MOST_LISTED,
    Cursor,
    Listing,
    existing_job,
    job_from_row,
    read_list,
)
from genint.storage.statements import storable


class Submitted(NamedTuple):
    """A job that was submitted, or the first one with the same idempotency key."""

    job: Job
    is_new: bool


class JobPage(NamedTuple):
    """Some of a user's jobs, newest first; ``total`` counts all of them. No cursor at the end."""

    total: int
    jobs: tuple[Job, ...]
    next_cursor: str | None


class DarkGenePage(NamedTuple):
    """Some of a user's dark genes; ``total`` counts all of them. No cursor at the end."""

    total: int
    genes: tuple[DarkGeneEntry, ...]
    next_cursor: str | None


class QueueState(NamedTuple):
    """Jobs of all users.

    Attributes:
        waiting: Those that no worker has taken yet.
        running: Those that a worker holds.
        oldest_waiting_s: How long the first of those that wait has waited; None: none waits.
    """

    waiting: int
    running: int
    oldest_waiting_s: float | None


JobSort = Literal[
    "created_at",
    "-created_at",
    "filename",
    "-filename",
    "total_genes",
    "-total_genes",
    "high_confidence_count",
    "-high_confidence_count",
    "dark_count",
    "-dark_count",
    "processing_time_seconds",
    "-processing_time_seconds",
]
"""By what jobs can be sorted, with - in front for descending."""
NEWEST_FIRST: JobSort = "-created_at"

LEASE_S = 30
"""How long a lease lasts without a heartbeat of its supervisor."""

IDS_AT_ONCE = 250
"""Ids that one statement looks up."""

DARK_GENES_AT_ONCE = 1_000
"""Genes that one statement writes, so that making it never keeps the event loop."""

MOST_DELETED = 250
"""Jobs deleted at a time, so that no request waits long for it."""

MOST_PROGRESS = 0.999
"""Progress is 1 exactly when a job is COMPLETED."""

GIVEN_UP = (
    f"The service stopped more than {MAX_RESTARTS} times while this job ran, "
    "so it was given up. It can be run again."
)
NO_JOB_LEFT = "A guest may submit three genomes: create an account to go on, which keeps them"
_LIKE_SIGNS = re.compile(r"[\\%_]")
"""What means something in a pattern of LIKE."""
_PRIORITY_DECIMALS = 4
_DAY_US = 86_400 * MICROSECONDS
_EVERY_LEASE_US = 1_000 * 365 * _DAY_US


class JobStore:
    """Jobs in the database.

    What a worker does needs its claim (``JobLease``): a claim that was lost, because its
    lease ended, or the job was cancelled, is refused without effect. Every method
    raises DatabaseAway where the database does not answer.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def submit(
        self, job: NewJob, *, max_pending: int, max_stored_bytes: int | None = None
    ) -> Submitted:
        """Add a job to the queue.

        Submissions of one user come one after another, so that counting and adding is one
        step.

        Args:
            job: What is submitted; its upload lasts already.
            max_pending: How many jobs of the user may wait.
            max_stored_bytes: What uploads and results of the user may take; None: anything.

        Returns:
            The new job; or the first one of this user with the same idempotency key,
            whose fingerprint the caller compares.

        Raises:
            TooManyRequests: ``max_pending`` jobs of the user wait already.
            TooLarge: the user would store more than ``max_stored_bytes``.
            NotAllowed: a guest has submitted as many as guests may.
            NotFound: there is no such user.
        """

        async def work(session: Session) -> Submitted | RequestError:
            user = await session.fetch_one("lock_user", id=job.user_id)
            if user is None:
                raise NotFound("There is no such user.")
            if first := await _first_with_key(session, job.user_id, job.idempotency_key):
                return Submitted(job_from_row(first), is_new=False)
            limits = max_pending, max_stored_bytes
            if refusal := await _refusal(session, job.user_id, job.upload_bytes or 0, *limits):
                return refusal  # an error would cost the connection
            if user["jobs_left"] is not None:
                if user["jobs_left"] <= 0:
                    return NotAllowed(NO_JOB_LEFT)
                await session.execute("use_guest_job", id=job.user_id)
            dated = job.run_date.isoformat() if job.run_date else None
            stored = {"run_date": dated, "ignore_annotations": int(job.ignore_annotations)}
            await session.execute("add_job", **asdict(job) | stored)
            await session.announce(Notice("queued", job.id))
            return Submitted(await existing_job(session, job.id), is_new=True)

        submitted = await self._database.transact(work)
        if isinstance(submitted, RequestError):
            raise submitted
        return submitted

    async def check_room(
        self,
        user_id: str,
        *,
        idempotency_key: str | None,
        upload_bytes: int,
        max_pending: int,
        max_stored_bytes: int,
    ) -> None:
        """Refuse an upload that ``submit`` would refuse, before it is received.

        A request that repeats an earlier one passes.

        Args:
            user_id: Who sends it.
            idempotency_key: Of the request.
            upload_bytes: How large it may be, as far as that is known.
            max_pending: As for ``submit``.
            max_stored_bytes: As for ``submit``.

        Raises:
            TooManyRequests, TooLarge: as ``submit``.
        """
        if await _first_with_key(self._database, user_id, idempotency_key):
            return
        limits = max_pending, max_stored_bytes
        if refusal := await _refusal(self._database, user_id, upload_bytes, *limits):
            raise refusal

    async def claim(self, owner: str) -> Job | None:
        """Take a waiting job for ``LEASE_S``; None where none waits.

        The user with the fewest running jobs is served first; of several the one whose last
        start is longest ago; then the oldest job. (With PostgreSQL, two claims at the very
        same moment may take two jobs of one user.)
        """

        async def work(session: Session) -> Job | None:
            claimed = await session.fetch_one(
                "claim_job", owner=owner, lease_us=LEASE_S * MICROSECONDS
            )
            if claimed is None:
                return None
            await session.execute("note_start", user_id=claimed["user_id"])
            return await existing_job(session, claimed["id"])

        return await self._database.transact(work)

    async def extend(self, owner: str) -> frozenset[JobLease]:
        """Renew all leases of an owner; the claims that it still has."""
        rows = await self._database.execute(
            "extend_leases", owner=owner, lease_us=LEASE_S * MICROSECONDS
        )
        return _leases(rows, owner)

    async def held_by(self, owner: str) -> frozenset[JobLease]:
        """The claims that an owner still has."""
        return _leases(await self._database.fetch_all("list_held", owner=owner), owner)

    async def set_progress(
        self,
        lease: JobLease,
        progress: float,
        *,
        stage: str | None = None,
        remaining_s: float | None = None,
    ) -> bool:
        """Note how far a job is.

        Args:
            lease: The claim on it.
            progress: 0..1.
            stage: What is being done.
            remaining_s: What the rest will take; None where that cannot be estimated.

        Returns:
            False where the claim was lost.
        """
        shown = min(max(float(progress), 0.0), MOST_PROGRESS)
        remaining = None if remaining_s is None else round(remaining_s)
        about = {"progress": shown, "stage": stage, "remaining": remaining}
        return bool(await self._database.execute("set_progress", **_claim(lease), **about))

    async def finish(self, lease: JobLease, outcome: Outcome) -> bool:
        """Complete a job, with counts and dark genes in place of older ones.

        Its files must be published before. False where the claim was lost.
        """

        async def work(session: Session) -> bool:
            counts = outcome.counts
            finished = await session.fetch_one(
                "finish_job",
                **_claim(lease),
                version=outcome.report_version,
                total=counts.total_genes,
                named=counts.interpreted_genes,
                supported=counts.supported_genes,
                repeated=counts.file_only_genes,
                high=counts.high_confidence,
                dark=counts.dark,
                bytes=outcome.result_bytes,
            )
            if finished is None:
                return False
            await _replace_dark_genes(session, lease.job_id, outcome.dark_genes)
            return True

        return await self._database.transact(work)

    async def fail(self, lease: JobLease, message: str) -> bool:
        """End a job whose input cannot be interpreted; False where the claim was lost."""
        return bool(await self._database.execute("fail_job", **_claim(lease), message=message))

    async def strike(self, lease: JobLease, message: str) -> JobStatus | None:
        """Put a job back in its place whose own worker process died.

        Returns:
            PENDING; FAILED, with the message, at the last strike that is allowed; None
            where the claim was lost.
        """
        return await self._put_back("strike_job", lease, max_strikes=MAX_STRIKES, message=message)

    async def release(self, lease: JobLease) -> JobStatus | None:
        """Put a job back in its place whose supervisor shuts down.

        Returns:
            PENDING; FAILED if it was put back too often; None where the claim was lost.
        """
        return await self._put_back(
            "release_job", lease, max_restarts=MAX_RESTARTS, message=GIVEN_UP
        )

    async def sweep(self) -> tuple[str, ...]:
        """Put jobs back whose lease ended; their ids."""
        return await self._release_unheld(early_us=0)

    async def requeue_running(self) -> tuple[str, ...]:
        """Put all running jobs back; their ids.

        Only for a process that has the database to itself, at its start.
        """
        return await self._release_unheld(early_us=_EVERY_LEASE_US)

    async def cancel(self, job_id: str) -> Job | None:
        """Cancel a job that waits or runs, at once; None where it does neither."""
        return await self._change("cancel_job", job_id, "ended")

    async def rerun(
        self,
        job_id: str,
        *,
        max_pending: int | None = None,
        max_stored_bytes: int | None = None,
    ) -> Job | None:
        """Queue an ended job anew, behind all others.

        Args:
            job_id: Which.
            max_pending: How many of its owner's jobs may wait; None: any number.
            max_stored_bytes: As for ``submit``.

        Returns:
            The job; None where it has not ended, or its upload was removed.

        Raises:
            TooManyRequests, TooLarge: as ``submit``.
        """

        async def work(session: Session) -> Job | RequestError | None:
            job = await session.fetch_one("get_job", id=job_id)
            if job is None:
                return None
            await session.fetch_one("lock_user", id=job["user_id"])
            limits = max_pending, max_stored_bytes
            if refusal := await _refusal(session, job["user_id"], None, *limits):
                return refusal  # an error would cost the connection
            if await session.fetch_one("rerun_job", id=job_id) is None:
                return None
            await session.announce(Notice("queued", job_id))
            return await existing_job(session, job_id)

        again = await self._database.transact(work)
        if isinstance(again, RequestError):
            raise again
        return again

    async def delete(self, job_id: str) -> bool:
        """Delete a job with its dark genes; one that waits or runs is cancelled by that.

        Its files are left to the caller. False where there is no such job.
        """

        async def work(session: Session) -> bool:
            if await session.fetch_one("cancel_job", id=job_id) is not None:
                await session.announce(Notice("ended", job_id))
            return await session.fetch_one("delete_job", id=job_id) is not None

        return await self._database.transact(work)

    async def get(self, job_id: str) -> Job | None:
        """A job by id."""
        row = await self._database.fetch_one("get_job", id=job_id)
        return None if row is None else job_from_row(row)

    async def get_many(self, job_ids: Collection[str]) -> dict[str, Job]:
        """Jobs by id; those that do not exist are left out."""
        rows = await self._of_ids("list_jobs_by_id", job_ids)
        return {row["id"]: job_from_row(row) for row in rows}

    async def queue_places(self, job_ids: Collection[str]) -> dict[str, int]:
        """Places of those of some jobs that wait, 1 for the next, in the order of ``claim``.

        They hold as long as no job is added and none ends: a user whose job ends may come
        before others then.
        """
        rows = await self._of_ids("list_queue_places", job_ids)
        return {row["id"]: row["place"] for row in rows}

    async def list(  # noqa: PLR0913 - what a list can be narrowed by, all by keyword
        self,
        user_id: str,
        *,
        status: JobStatus | None = None,
        search: str = "",
        sort: JobSort = NEWEST_FIRST,
        limit: int = MOST_LISTED,
        cursor: str | None = None,
    ) -> JobPage:
        """Up to ``limit`` jobs of a user.

        Args:
            user_id: Whose.
            status: Only those in this state.
            search: Only those with this text in the name of their file, in large or small
                letters (with SQLite, of ASCII letters alone).
            sort: Which come first; of equal ones the newest.
            limit: How many at most.
            cursor: Where to go on. Pages of a list that is searched or sorted are counted off,
                so one that comes or goes meanwhile shifts the others.

        Raises:
            InvalidRequest: the cursor does not come from such a list.
        """
        if search or sort != NEWEST_FIRST:
            wanted = {
                "user_id": user_id,
                "status": "" if status is None else status.value,
                "pattern": _containing(search.lower()),
            }
            return await self._found(wanted, sort, limit=limit, cursor=cursor)
        statement, counting, values = "list_jobs", "count_jobs", {"user_id": user_id}
        if status is not None:
            statement, counting = "list_jobs_in_status", "count_jobs_in_status"
            values["status"] = status.value
        listing = Listing(job_from_row)
        page = await read_list(
            self._database, statement, listing, limit=limit, cursor=cursor, **values
        )
        return JobPage(await self._total(counting, **values), *page)

    async def dark_genes(
        self, user_id: str, *, limit: int = MOST_LISTED, cursor: str | None = None
    ) -> DarkGenePage:
        """Up to ``limit`` dark genes of a user's COMPLETED jobs, newest job first.

        Raises:
            InvalidRequest: the cursor does not come from such a list.
        """
        listing = Listing(_dark_gene, has_positions=True)
        page = await read_list(
            self._database, "list_dark_genes", listing, limit=limit, cursor=cursor, user_id=user_id
        )
        return DarkGenePage(await self._total("count_dark_genes", user_id=user_id), *page)

    async def set_report_version(self, job_id: str, attempt: int, version: str) -> bool:
        """Note which program rendered a report anew; False where another attempt is served."""
        return bool(
            await self._database.execute(
                "set_report_version", id=job_id, attempt=attempt, version=version
            )
        )

    async def delete_ended_before(self, days: int) -> tuple[Job, ...]:
        """Delete jobs that ended more than so many days ago; what was deleted.

        Their files are left to the caller.
        """
        deleted: list[Job] = []
        while True:
            rows = await self._database.execute(
                "delete_ended_jobs", age_us=days * _DAY_US, most=MOST_DELETED
            )
            deleted.extend(job_from_row(row) for row in rows)
            if len(rows) < MOST_DELETED:
                return tuple(deleted)

    async def delete_of_user(self, user_id: str) -> tuple[str, ...]:
        """Delete some jobs of a user, whatever their state; their ids, none at the end.

        Those that wait or run are cancelled by that. Their files are left to the caller.
        """

        async def work(session: Session) -> tuple[str, ...]:
            rows = await session.fetch_all(
                "delete_jobs_of_user", user_id=user_id, most=MOST_DELETED
            )
            for row in rows:
                if not JobStatus(row["status"]).is_terminal:
                    await session.announce(Notice("ended", row["id"]))
            return tuple(row["id"] for row in rows)

        return await self._database.transact(work)

    async def drop_cancelled_uploads(self, days: int) -> tuple[str, ...]:
        """Give up the uploads of jobs that were cancelled so many days ago, without a result.

        Such a job cannot be run again. The files, by their names, are left to the caller.
        """
        dropped: list[str] = []
        while True:
            rows = await self._database.execute(
                "drop_cancelled_uploads", age_us=days * _DAY_US, most=MOST_DELETED
            )
            dropped.extend(row["upload"] for row in rows)
            if len(rows) < MOST_DELETED:
                return tuple(dropped)

    async def queue_state(self) -> QueueState:
        """How many jobs wait and run, and how long the oldest has waited."""
        row = await self._database.fetch_one("queue_state")
        if row is None:
            return QueueState(0, 0, None)
        oldest_us = row["oldest_us"]
        oldest_s = None if oldest_us is None else max(0.0, oldest_us / MICROSECONDS)
        return QueueState(row["waiting"], row["running"], oldest_s)

    async def known_ids(self, job_ids: Sequence[str]) -> frozenset[str]:
        """Those of some ids that are jobs."""
        return frozenset(row["id"] for row in await self._of_ids("list_known_jobs", job_ids))

    def notices(self) -> AbstractAsyncContextManager[AsyncIterator[Notice]]:
        """What is queued, cancelled or given up from now on, by any process.

        A notice may be lost: it saves time, nothing else may depend on it.
        """
        return self._database.notices()

    async def _found(
        self, wanted: Mapping[str, str], sort: JobSort, *, limit: int, cursor: str | None
    ) -> JobPage:
        """A page of a list that is searched or sorted; its cursor counts what was before."""
        at = Cursor(0, sort) if cursor is None else Cursor.parse(cursor)
        if at.before_id != sort:
            raise InvalidRequest(
                InvalidValue(("query", "cursor"), "is not a cursor of this list", "cursor")
            )
        rows = await self._database.fetch_all(
            "find_jobs", **wanted, sort=sort, skip=at.before_us, most=limit + 1
        )
        jobs = await asyncio.to_thread(lambda: tuple(map(job_from_row, rows[:limit])))
        behind = str(Cursor(at.before_us + limit, sort)) if len(rows) > limit else None
        return JobPage(await self._total("count_found_jobs", **wanted), jobs, behind)

    async def _of_ids(self, statement: str, job_ids: Collection[str]) -> Sequence[Row]:
        """Rows of a statement that takes a list of ids."""
        ids = tuple(job_ids)
        found: list[Row] = []
        for first in range(0, len(ids), IDS_AT_ONCE):
            some = json.dumps(ids[first : first + IDS_AT_ONCE])
            found.extend(await self._database.fetch_all(statement, ids=some))
        return found

    async def _total(self, statement: str, **values: str) -> int:
        row = await self._database.fetch_one(statement, **values)
        return 0 if row is None else int(row["total"])

    async def _put_back(
        self, statement: str, lease: JobLease, **values: int | str
    ) -> JobStatus | None:
        async def work(session: Session) -> JobStatus | None:
            row = await session.fetch_one(statement, **_claim(lease), **values)
            return None if row is None else await _announced(session, row)

        return await self._database.transact(work)

    async def _release_unheld(self, *, early_us: int) -> tuple[str, ...]:
        async def work(session: Session) -> tuple[str, ...]:
            rows = await session.fetch_all(
                "release_unheld", early_us=early_us, max_restarts=MAX_RESTARTS, message=GIVEN_UP
            )
            for row in rows:
                await _announced(session, row)
            return tuple(row["id"] for row in rows)

        return await self._database.transact(work)

    async def _change(self, statement: str, job_id: str, kind: NoticeKind) -> Job | None:
        async def work(session: Session) -> Job | None:
            if await session.fetch_one(statement, id=job_id) is None:
                return None
            await session.announce(Notice(kind, job_id))
            return await existing_job(session, job_id)

        return await self._database.transact(work)


async def _first_with_key(
    source: Session | Database, user_id: str, idempotency_key: str | None
) -> Row | None:
    """The job of an earlier request with the same key."""
    if idempotency_key is None:
        return None
    return await source.fetch_one(
        "get_job_by_key", user_id=user_id, idempotency_key=idempotency_key
    )


async def _refusal(
    source: Session | Database,
    user_id: str,
    upload_bytes: int | None,
    max_pending: int | None,
    max_stored_bytes: int | None,
) -> RequestError | None:
    """Why a user may not submit an upload of that size, or (None) run one again; None: may."""
    counted = await source.fetch_one("count_pending", user_id=user_id)
    if max_pending is not None and (counted is None or counted["pending"] >= max_pending):
        return TooManyRequests(
            f"{max_pending} of your jobs are waiting already; wait until one of them starts."
        )
    stored = await source.fetch_one("count_stored", user_id=user_id)
    total = 0 if stored is None else stored["total"]
    if max_stored_bytes is not None and total + (upload_bytes or 0) > max_stored_bytes:
        file = "" if upload_bytes is None else f", and this file has {upload_bytes / 1e6:,.1f} MB"
        return TooLarge(
            f"Your uploads and results take {total / 1e6:,.1f} MB of the "
            f"{max_stored_bytes / 1e6:,g} MB that you may store{file}; "
            "delete jobs that you no longer need."
        )
    return None


def _containing(text: str) -> str:
    """A pattern for LIKE that finds a text anywhere."""
    return "%" + _LIKE_SIGNS.sub(r"\\\g<0>", text) + "%"


def _dark_gene(row: Row) -> DarkGeneEntry:
    priority = row["priority"]
    return DarkGeneEntry(
        *(row["id"], row["name"], row["locus"], row["filename"], row["job_id"], row["rank"]),
        None if priority is None else round(priority, _PRIORITY_DECIMALS),
    )


async def _replace_dark_genes(
    session: Session, job_id: str, dark_genes: Sequence[DarkGene]
) -> None:
    """Put the dark genes of a job in the place of those it had."""
    await session.execute("delete_dark_genes", job_id=job_id)
    for first in range(0, len(dark_genes), DARK_GENES_AT_ONCE):
        some = [
            [*map(storable, (gene.id, gene.name, gene.locus)), gene.rank, gene.priority]
            for gene in dark_genes[first : first + DARK_GENES_AT_ONCE]
        ]
        await session.execute(
            "add_dark_genes", job_id=job_id, first_position=first + 1, genes=json.dumps(some)
        )


def _claim(lease: JobLease) -> dict[str, str | int]:
    return {"id": lease.job_id, "attempt": lease.attempt, "owner": lease.owner}


def _leases(rows: Sequence[Row], owner: str) -> frozenset[JobLease]:
    return frozenset(JobLease(row["id"], row["attempt"], owner) for row in rows)


async def _announced(session: Session, row: Row) -> JobStatus:
    """Status of a job that was put back, announced to all listeners."""
    status = JobStatus(row["status"])
    await session.announce(Notice("ended" if status.is_terminal else "queued", row["id"]))
    return status
