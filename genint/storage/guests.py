"""Guests: accounts without address and password, which vanish after a day with all their data."""

from __future__ import annotations

from typing import Final
from uuid import uuid4

from genint.errors import TooManyRequests
from genint.model.job import User
from genint.storage.accounts import email_identity, user_from_row
from genint.storage.database import Database, Row, Session
from genint.storage.listings import MICROSECONDS, us_from_s

GUEST_S: Final = 24 * 3600
"""How long a guest stays, in seconds."""
GUEST_JOBS: Final = 3
GUESTS_OF_ADDRESS: Final = 5
"""How many guests may come from one address within ``GUEST_S``."""
_DOMAIN: Final = "guest.invalid"
"""No mail is ever sent there (RFC 2606, section 2)."""


class GuestStore:
    """Guests in the database. Every method raises DatabaseAway where it does not answer."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, address: str) -> User:
        """Open an account for a guest.

        Args:
            address: Where the guest comes from; kept as long as the guest is there.

        Raises:
            TooManyRequests: ``GUESTS_OF_ADDRESS`` came from there within a day.
        """
        user_id = str(uuid4())
        new = {"id": user_id, "email": f"{user_id}@{_DOMAIN}", "address": address}
        span_us = us_from_s(GUEST_S)

        async def work(session: Session) -> Row | int:
            await session.execute("lock_attempts", address=address)
            found = await session.fetch_one("count_guests", address=address, within_us=span_us)
            if found is not None and found["total"] >= GUESTS_OF_ADDRESS:
                return int(found["left_us"])
            row = await session.fetch_one("add_guest", **new, valid_us=span_us, jobs=GUEST_JOBS)
            if row is None:
                raise AssertionError("an insertion without condition gives a row")
            return row

        added = await self._database.transact(work)
        if isinstance(added, int):
            raise TooManyRequests(
                f"{GUESTS_OF_ADDRESS} guests came from this address within a day, which is the "
                "most: sign up instead, or come back later",
                retry_after_s=1 + max(0, added) // MICROSECONDS,
            )
        return user_from_row(added)

    async def keep(self, user: User, password_hash: str) -> User | None:
        """Make a guest an account like others, with all data.

        The generation of its tokens rises by one: tokens and sessions of before are refused.

        Args:
            user: Id of the guest, and address and names of the account.
            password_hash: Of the new password.

        Returns:
            None where the guest is gone, or the e-mail address is taken.
        """
        row = await self._database.transact(
            lambda session: session.fetch_one(
                "keep_guest",
                id=user.id,
                email=user.email,
                email_identity=email_identity(user.email),
                first_name=user.first_name,
                last_name=user.last_name,
                password_hash=password_hash,
            )
        )
        return None if row is None else user_from_row(row)

    async def expired_ids(self) -> tuple[str, ...]:
        """Guests whose time is over."""
        return tuple(row["id"] for row in await self._database.fetch_all("list_expired_guests"))
