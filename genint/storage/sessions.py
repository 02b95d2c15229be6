"""Sessions of browsers: a cookie in place of an access token."""

from __future__ import annotations

from typing import Final, NamedTuple

from genint.model.job import User
from genint.storage.accounts import user_from_row
from genint.storage.database import Database, Session
from genint.storage.listings import us_from_s

RENEW_EVERY_S: Final = 15 * 60
"""Least time between two renewals of one session, so that few requests write."""
MOST_SESSIONS: Final = 50
"""Of one user; beyond them the ones that were not used for longest end."""


class SessionInUse(NamedTuple):
    """A session that is valid.

    Attributes:
        user: Whose it is.
        generation: Of the user's access tokens.
        is_old: It was not renewed for ``RENEW_EVERY_S``.
    """

    user: User
    generation: int
    is_old: bool


class SessionStore:
    """Sessions in the database, which knows digests of their secrets only.

    A session belongs to a generation of its user's access tokens: what refuses those (a new
    password, logging out everywhere) ends it too. Every method raises DatabaseAway where the
    database does not answer.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, digest: str, user_id: str, *, generation: int, valid_s: float) -> None:
        """Begin a session; nothing where the user has another generation of tokens by now.

        Args:
            digest: Of the secret in the cookie.
            user_id: Whose session.
            generation: Of the user's tokens, when the password was checked.
            valid_s: How long it is valid without being used.
        """
        span_us = us_from_s(valid_s)

        async def work(session: Session) -> None:
            await session.execute("delete_expired_sessions")
            await session.fetch_one(
                "add_session",
                digest=digest,
                user_id=user_id,
                generation=generation,
                valid_us=span_us,
            )
            await session.execute("drop_surplus_sessions", user_id=user_id, most=MOST_SESSIONS)

        await self._database.transact(work)

    async def find(self, digest: str) -> SessionInUse | None:
        """The session of a secret; None where it has ended, or its user is gone."""
        every_us = us_from_s(RENEW_EVERY_S)
        row = await self._database.fetch_one("find_session", digest=digest, every_us=every_us)
        if row is None:
            return None
        return SessionInUse(user_from_row(row), row["token_generation"], bool(row["is_old"]))

    async def renew(self, digest: str, *, valid_s: float) -> None:
        """Have a session last so long from now on."""
        await self._database.execute("renew_session", digest=digest, valid_us=us_from_s(valid_s))

    async def end(self, digest: str) -> None:
        """End a session, if there is one."""
        await self._database.execute("delete_session", digest=digest)
