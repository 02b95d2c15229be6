"""Where the end of jobs is announced, and what of that has not arrived yet."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, NamedTuple

from genint.storage.database import Database, Row, Session
from genint.storage.listings import optional_time, time_from_us, us_from_s

CLAIM_S: Final = 60.0
"""How long nobody else sends what somebody began to send; it is sent again then."""


class Webhook(NamedTuple):
    """Where the end of a user's jobs is announced, without the secret.

    Attributes:
        last_delivered_at: When an announcement was taken last; None: none yet.
        last_error: Why the last one was not taken, in words; None: it was.
        waiting: Announcements that have not arrived.
    """

    url: str
    created_at: datetime
    last_delivered_at: datetime | None
    last_error: str | None
    waiting: int


@dataclass(frozen=True, slots=True)
class Delivery:
    """An announcement that a job has ended, on its way.

    Attributes:
        id: The same at each try.
        status: How the job ended.
        tries: This one included.
        secret: Signs it.
    """

    id: str
    user_id: str
    job_id: str
    status: str
    ended_at: datetime
    tries: int
    url: str
    secret: str = field(repr=False)


class WebhookStore:
    """Webhooks in the database; that a job ends puts an announcement there by itself.

    Every method raises DatabaseAway where the database does not answer.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def set(self, user_id: str, url: str, secret: str) -> Webhook | None:
        """Set or replace the webhook of a user; None where there is no such user."""
        values = {"user_id": user_id, "url": url, "secret": secret}
        rows = await self._database.execute("set_webhook", **values)
        return await self.get(user_id) if rows else None

    async def get(self, user_id: str) -> Webhook | None:
        """The webhook of a user, if there is one."""
        row = await self._database.fetch_one("get_webhook", user_id=user_id)
        return None if row is None else _webhook(row)

    async def delete(self, user_id: str) -> bool:
        """Delete the webhook of a user with what has not arrived; False where there is none."""
        return bool(await self._database.execute("delete_webhook", user_id=user_id))

    async def due(self, most: int) -> tuple[str, ...]:
        """Ids of announcements that may be sent now, one of each user."""
        rows = await self._database.fetch_all("list_due_deliveries", most=most)
        return tuple(row["id"] for row in rows)

    async def claim(self, delivery_id: str) -> Delivery | None:
        """Take an announcement to send it; None where another process did, or it is gone."""

        async def work(session: Session) -> Row | None:
            claim_us = us_from_s(CLAIM_S)
            if not await session.fetch_one("claim_delivery", id=delivery_id, claim_us=claim_us):
                return None
            return await session.fetch_one("get_delivery", id=delivery_id)

        row = await self._database.transact(work)
        return None if row is None else _delivery(row)

    async def note_delivered(self, delivery: Delivery) -> None:
        """It was taken: it is not sent again."""

        async def work(session: Session) -> None:
            await session.execute("drop_delivery", id=delivery.id)
            await session.execute("note_delivered", user_id=delivery.user_id)

        await self._database.transact(work)

    async def note_failed(
        self, delivery: Delivery, reason: str, *, wait_s: float, give_up_s: float
    ) -> int:
        """It was not taken: all announcements of that user wait, and old ones are given up.

        Args:
            delivery: As claimed.
            reason: In words, for its owner.
            wait_s: Until the next try.
            give_up_s: How long after the end of its job an announcement is still sent.

        Returns:
            How many were given up.
        """
        user_id = delivery.user_id

        async def work(session: Session) -> int:
            await session.execute("note_not_delivered", user_id=user_id, reason=reason)
            await session.execute("postpone_deliveries", user_id=user_id, wait_us=us_from_s(wait_s))
            given_up = await session.fetch_all(
                "drop_old_deliveries", user_id=user_id, age_us=us_from_s(give_up_s)
            )
            return len(given_up)

        return await self._database.transact(work)


def _webhook(row: Row) -> Webhook:
    return Webhook(
        row["url"],
        time_from_us(row["created_at"]),
        optional_time(row["last_delivered_at"]),
        row["last_error"],
        int(row["waiting"]),
    )


def _delivery(row: Row) -> Delivery:
    return Delivery(
        id=row["id"],
        user_id=row["user_id"],
        job_id=row["job_id"],
        status=row["status"],
        ended_at=time_from_us(row["ended_at"]),
        tries=int(row["tries"]),
        url=row["url"],
        secret=row["secret"],
    )
