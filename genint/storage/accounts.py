"""Users, API keys and the waiting list."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

from genint.model.job import Account, ApiKey, User
from genint.storage.database import Database, Row
from genint.storage.listings import (
    MICROSECONDS,
    MOST_LISTED,
    Listing,
    optional_time,
    read_list,
    time_from_us,
    us_from_s,
)

TOUCH_EVERY_US = 60 * MICROSECONDS
"""Least time between two notes of the use of a key."""


class KeyPage(NamedTuple):
    """Some of a user's API keys, newest first; no cursor at the end."""

    keys: tuple[ApiKey, ...]
    next_cursor: str | None


class KeyInUse(NamedTuple):
    """An API key with its owner; not valid when revoked or expired by the database's clock."""

    key: ApiKey
    user: User
    is_valid: bool


def email_identity(email: str) -> str:
    """What two spellings of one e-mail address have in common: NFKC, lower case."""
    lower = unicodedata.normalize("NFKC", email).lower()
    return unicodedata.normalize("NFKC", lower).strip()  # some lower case is not normal itself


class AccountStore:
    """Accounts in the database.

    Every method raises DatabaseAway where the database does not answer.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add_user(self, user: User, password_hash: str) -> bool:
        """Add a user; False where the e-mail address is taken, in whatever spelling."""
        return bool(
            await self._database.execute(
                "add_user",
                id=user.id,
                email=user.email,
                email_identity=email_identity(user.email),
                first_name=user.first_name,
                last_name=user.last_name,
                password_hash=password_hash,
            )
        )

    async def account_by_email(self, email: str) -> Account | None:
        """The account of an e-mail address in any spelling."""
        row = await self._database.fetch_one("get_account", email_identity=email_identity(email))
        return None if row is None else Account(_user(row), row["password_hash"])

    async def user(self, user_id: str) -> User | None:
        """A user by id."""
        row = await self._database.fetch_one("get_user", id=user_id)
        return None if row is None else _user(row)

    async def set_password_hash(self, user_id: str, password_hash: str) -> None:
        """Replace the password hash of a user."""
        await self._database.execute("set_password_hash", id=user_id, password_hash=password_hash)

    async def add_key(self, key: ApiKey) -> ApiKey:
        """Add a key.

        Returns:
            The key with the database's times: made now, valid as long as the difference
            of the given times says. The other times of the key are not stored.
        """
        valid = None if key.expires_at is None else key.expires_at - key.created_at
        (row,) = await self._database.execute(
            "add_key",
            id=key.id,
            user_id=key.user_id,
            name=key.name,
            key_prefix=key.key_prefix,
            digest=key.digest,
            valid_us=None if valid is None else us_from_s(valid.total_seconds()),
        )
        return _key(row)

    async def keys(
        self, user_id: str, *, limit: int = MOST_LISTED, cursor: str | None = None
    ) -> KeyPage:
        """Up to ``limit`` keys of a user, newest first, revoked and expired ones too.

        Raises:
            InvalidRequest: the cursor does not come from such a list.
        """
        listing = Listing(_key)
        page = await read_list(
            self._database, "list_keys", listing, limit=limit, cursor=cursor, user_id=user_id
        )
        return KeyPage(*page)

    async def key_by_prefix(self, key_prefix: str) -> KeyInUse | None:
        """A key with its owner by the key's prefix."""
        row = await self._database.fetch_one("get_key", key_prefix=key_prefix)
        if row is None:
            return None
        user = User(row["user_id"], row["email"], row["first_name"], row["last_name"])
        return KeyInUse(_key(row), user, bool(row["is_valid"]))

    async def revoke_key(self, user_id: str, key_id: str) -> bool:
        """Revoke a key, at once and for good; False where the user has no such key."""
        return bool(await self._database.execute("revoke_key", id=key_id, user_id=user_id))

    async def touch_key(self, key_id: str) -> None:
        """Note the use of a key, unless one was noted less than a minute ago."""
        if await self._database.fetch_one("find_key_to_touch", id=key_id, every_us=TOUCH_EVERY_US):
            await self._database.execute("touch_key", id=key_id, every_us=TOUCH_EVERY_US)

    async def join_waitlist(self, email: str) -> bool:
        """Add an e-mail address to the waiting list; False where it was there."""
        return bool(
            await self._database.execute(
                "join_waitlist", email=email, email_identity=email_identity(email)
            )
        )


def _user(row: Row) -> User:
    return User(row["id"], row["email"], row["first_name"], row["last_name"])


def _key(row: Row) -> ApiKey:
    return ApiKey(
        id=row["id"],
        user_id=row["user_id"],
        name=row["name"],
        key_prefix=row["key_prefix"],
        digest=row["digest"],
        created_at=time_from_us(row["created_at"]),
        expires_at=optional_time(row["expires_at"]),
        last_used_at=optional_time(row["last_used_at"]),
        revoked_at=optional_time(row["revoked_at"]),
    )
