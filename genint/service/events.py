"""Events of jobs: one watcher looks at the database for all streams of this process."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Final, NamedTuple

from genint.errors import BusyError, TooManyRequests
from genint.model.job import Job, JobStatus
from genint.service.schemas import JobEntry
from genint.storage import JobStore
from genint.worker.supervisor import end_tasks, repeat

LOOK_EVERY_S: Final = 1.0
"""How old an event can be when it is sent."""
MOST_STREAMS_PER_USER: Final = 20
MOST_STREAMS: Final = 2_000
"""Of one process; each is a connection."""
_AGAIN_S: Final = 10


class JobEvent(NamedTuple):
    """The state of a job.

    Attributes:
        data: A :class:`~genint.service.schemas.JobEntry` as JSON; None once the job is deleted.
        is_last: Nothing more comes: the job has ended or is deleted.
    """

    data: bytes | None
    is_last: bool

    @classmethod
    def of(cls, job: Job, queue_position: int | None = None) -> JobEvent:
        """The event of a job as it is stored."""
        entry = JobEntry.of(job, queue_position)
        return cls(entry.model_dump_json().encode(), job.status.is_terminal)


DELETED: Final = JobEvent(None, is_last=True)


class Follower:
    """The newest event of a job; of those that come while nobody waits only the last is kept."""

    def __init__(self) -> None:
        self._newest: JobEvent | None = None
        self._is_new = asyncio.Event()
        self.is_closed = False

    async def next_within(self, seconds: float) -> JobEvent | None:
        """The next event; None where none came in that time, or the service ends."""
        try:
            async with asyncio.timeout(seconds):
                await self._is_new.wait()
        except TimeoutError:
            return None
        self._is_new.clear()
        newest, self._newest = self._newest, None
        return newest

    def put(self, event: JobEvent) -> None:
        """Replace the event that waits."""
        self._newest = event
        self._is_new.set()

    def close(self) -> None:
        """Wake who waits: nothing comes any more."""
        self.is_closed = True
        self._is_new.set()


class _Seen(NamedTuple):
    """What was last seen of a job; a change of it is an event."""

    job: Job
    place: int | None


class JobEvents:
    """Sends events of jobs to those who follow them.

    One query a second looks at all jobs that are followed, however many followers there are;
    none while there are none.

    Args:
        jobs: Of all users; who may follow a job is checked by the caller.
    """

    def __init__(self, jobs: JobStore) -> None:
        self._jobs = jobs
        self._followers: defaultdict[str, set[Follower]] = defaultdict(set)
        self._streams: Counter[str] = Counter()
        self._seen: dict[str, _Seen] = {}
        self._is_closed = False

    @contextmanager
    def follow(self, job: Job) -> Iterator[Follower]:
        """Follow a job until the end of the block.

        Raises:
            TooManyRequests: its owner follows jobs by too many streams.
            BusyError: there are too many streams, or the service ends.
        """
        if self._streams[job.user_id] >= MOST_STREAMS_PER_USER:
            raise TooManyRequests(
                f"{MOST_STREAMS_PER_USER} event streams of yours are open already; "
                "close one, or ask for the job now and then",
                retry_after_s=_AGAIN_S,
            )
        if self._is_closed or self._streams.total() >= MOST_STREAMS:
            raise BusyError("too many event streams are open")
        follower = Follower()
        self._streams[job.user_id] += 1
        self._followers[job.id].add(follower)
        try:
            yield follower
        finally:
            self._streams -= Counter({job.user_id: 1})  # drops those of which none is left
            self._followers[job.id].discard(follower)
            if not self._followers[job.id]:
                del self._followers[job.id]
                self._seen.pop(job.id, None)

    def close(self) -> None:
        """End all streams: the service stops."""
        self._is_closed = True
        for followers in self._followers.values():
            for follower in followers:
                follower.close()

    async def look(self) -> None:
        """Send what has changed since the last look.

        Raises:
            DatabaseAway: the next look reports what changed meanwhile.
        """
        if not self._followers:
            return
        followed = tuple(self._followers)
        jobs = await self._jobs.get_many(followed)
        waiting = [id for id, job in jobs.items() if job.status is JobStatus.PENDING]
        places = await self._jobs.queue_places(waiting) if waiting else {}
        for id in followed:
            self._publish(id, _Seen(jobs[id], places.get(id)) if id in jobs else None)

    def _publish(self, id: str, now: _Seen | None) -> None:
        """Send the state of a job to its followers, if it changed since the last look."""
        if id not in self._followers or (now is not None and now == self._seen.get(id)):
            return
        event = DELETED if now is None else JobEvent.of(*now)
        for follower in self._followers[id]:
            follower.put(event)
        if now is not None:
            self._seen[id] = now


@asynccontextmanager
async def open_events(jobs: JobStore) -> AsyncIterator[JobEvents]:
    """Watch jobs and publish their events while the block runs."""
    events = JobEvents(jobs)
    watcher = asyncio.create_task(repeat(events.look, name="job events", every_s=LOOK_EVERY_S))
    try:
        yield events
    finally:
        events.close()
        await end_tasks([watcher])
