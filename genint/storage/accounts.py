"""Users, API keys and the waiting list."""

from __future__ import annotations

import hashlib
import unicodedata
from typing import Final, NamedTuple
from uuid import uuid4

from genint.errors import Conflict, NotFound, TooManyRequests
from genint.model.job import Account, ApiKey, KeyScope, User, UserEntry
from genint.storage.database import Database, Row, Session
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

MOST_LIVE_KEYS: Final = 100
"""Keys of one user that are neither revoked nor expired."""
ATTEMPTS_COUNT_S: Final = 15 * 60
"""How long a wrong password counts against an account and an address."""
ACCOUNTS_OF_ADDRESS: Final = 10
"""One address may try this many times as often as it may with one account."""
RESETS_WITHIN_S: Final = 15 * 60
MOST_RESETS: Final = 3
"""Links by e-mail to one user within that time."""


class UserPage(NamedTuple):
    """Some users, newest first; no cursor at the end."""

    users: tuple[UserEntry, ...]
    next_cursor: str | None


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
        """The account of an e-mail address in any spelling, disabled or not."""
        row = await self._database.fetch_one("get_account", email_identity=email_identity(email))
        return None if row is None else _account(row)

    async def account(self, user_id: str) -> Account | None:
        """The account of a user, disabled or not."""
        row = await self._database.fetch_one("get_account_of_user", id=user_id)
        return None if row is None else _account(row)

    async def user(self, user_id: str, *, generation: int = 0) -> User | None:
        """The user of an access token; None where it is not valid any more.

        Args:
            user_id: Whom the token names.
            generation: In which it was issued.
        """
        row = await self._database.fetch_one("get_user", id=user_id, generation=generation)
        return None if row is None else user_from_row(row)

    async def users(self, *, limit: int = MOST_LISTED, cursor: str | None = None) -> UserPage:
        """Up to ``limit`` users, newest first, disabled ones too.

        Raises:
            InvalidRequest: the cursor does not come from such a list.
        """
        listing = Listing(_user_entry)
        page = await read_list(self._database, "list_users", listing, limit=limit, cursor=cursor)
        return UserPage(*page)

    async def set_password_hash(self, user_id: str, password_hash: str, *, expected: str) -> bool:
        """Replace the hash of a password by another one of the same password.

        False where it is not the expected one any more: the password was changed meanwhile.
        """
        values = {"id": user_id, "password_hash": password_hash, "expected": expected}
        return bool(await self._database.execute("set_password_hash", **values))

    async def change_password(
        self, user_id: str, password_hash: str, *, expected: str
    ) -> int | None:
        """Set a new password, and refuse all tokens and links of before.

        Args:
            user_id: Whose password.
            password_hash: Of the new one.
            expected: Hash of the old one.

        Returns:
            The new generation of tokens; None where the hash is not the expected one any more,
            or the account was disabled.
        """

        async def work(session: Session) -> int | None:
            values = {"id": user_id, "password_hash": password_hash, "expected": expected}
            row = await session.fetch_one("change_password", **values)
            await session.execute("delete_resets", user_id=user_id)
            return None if row is None else int(row["token_generation"])

        return await self._database.transact(work)

    async def refuse_tokens(self, user_id: str) -> None:
        """Refuse all access tokens that were issued to a user until now."""
        await self._database.execute("refuse_tokens", id=user_id)

    async def set_disabled(self, user_id: str, *, is_disabled: bool) -> bool:
        """Disable or enable an account; False where there is none.

        Tokens and keys of a disabled one are refused. Tokens of before stay so for good.
        """
        statement = "disable_user" if is_disabled else "enable_user"
        return bool(await self._database.execute(statement, id=user_id))

    async def mark_deleted(self, user_id: str) -> bool:
        """Begin to delete an account: it is gone for everybody, and its address free again.

        Nothing can be added to it any more. False where there is none.
        """

        async def work(session: Session) -> bool:
            await session.execute("leave_waitlist", id=user_id)
            await session.execute("delete_resets", user_id=user_id)
            return await session.fetch_one("mark_user_deleted", id=user_id) is not None

        return await self._database.transact(work)

    async def deleted_ids(self) -> tuple[str, ...]:
        """Users whose data are being deleted."""
        return tuple(row["id"] for row in await self._database.fetch_all("list_deleted_users"))

    async def delete(self, user_id: str) -> None:
        """Delete what is left of a user that is marked as deleted and has no jobs any more."""

        async def work(session: Session) -> None:
            await session.execute("delete_keys", user_id=user_id)
            await session.execute("delete_user", id=user_id)

        await self._database.transact(work)

    async def add_reset(
        self, user_id: str, digest: str, *, valid_s: int, is_limited: bool = False
    ) -> bool:
        """Note a link by which a user may set a new password, once.

        Args:
            user_id: Whose password.
            digest: SHA-256 of the secret in the link, hex.
            valid_s: Until it expires.
            is_limited: Anybody may have requested it: not more than ``MOST_RESETS`` in
                ``RESETS_WITHIN_S``.

        Returns:
            False where there is no such user, or the account is disabled, or for the limit.
        """

        async def work(session: Session) -> bool:
            if await session.fetch_one("lock_user", id=user_id) is None:
                return False
            within_us = us_from_s(RESETS_WITHIN_S)
            recent = await session.fetch_one("count_resets", user_id=user_id, within_us=within_us)
            if is_limited and recent is not None and recent["total"] >= MOST_RESETS:
                return False
            await session.execute("delete_expired_resets")
            valid_us = us_from_s(valid_s)
            await session.execute("add_reset", digest=digest, user_id=user_id, valid_us=valid_us)
            return True

        return await self._database.transact(work)

    async def has_reset(self, digest: str) -> bool:
        """Whether a link can be used."""
        return await self._database.fetch_one("find_reset", digest=digest) is not None

    async def reset_password(self, digest: str, password_hash: str) -> User | None:
        """Set a new password by a link, which is used up by that, as are all others of the user.

        All tokens of before are refused. None where the link cannot be used.
        """

        async def work(session: Session) -> User | None:
            taken = await session.fetch_one("take_reset", digest=digest)
            if taken is None:
                return None
            user_id = taken["user_id"]
            await session.execute("delete_resets", user_id=user_id)
            values = {"id": user_id, "password_hash": password_hash}
            row = await session.fetch_one("reset_password", **values)
            return None if row is None else user_from_row(row)

        return await self._database.transact(work)

    async def note_attempt(self, email: str, address: str, *, limit: int) -> None:
        """Count an attempt to log in before its password is looked at.

        It counts for ``ATTEMPTS_COUNT_S`` against the account, known or not, from this address,
        and against the address with all accounts. ``forget_attempts`` takes it back.

        Args:
            email: In any spelling.
            address: Of the client.
            limit: How many are allowed with one account.

        Raises:
            TooManyRequests: with the time when the oldest one is forgotten.
        """
        account, within_us = _account_digest(email), us_from_s(ATTEMPTS_COUNT_S)

        async def work(session: Session) -> int:
            await session.execute("lock_attempts", address=address)
            await session.execute("delete_old_attempts", age_us=within_us)
            by = {"account": account, "address": address}
            found = await session.fetch_one("count_attempts", **by, within_us=within_us)
            wait_us = 0 if found is None else _wait_us(found, limit)
            if not wait_us:
                await session.execute("add_attempt", id=str(uuid4()), **by)
            return wait_us

        wait_us = await self._database.transact(work)
        if wait_us:
            raise TooManyRequests(
                "Too many attempts with a wrong password; try again later",
                retry_after_s=1 + wait_us // MICROSECONDS,
            )

    async def forget_attempts(self, email: str, address: str) -> None:
        """After the right password: nothing counts any more with this account and address."""
        account = _account_digest(email)
        await self._database.execute("delete_attempts", account=account, address=address)

    async def add_key(self, key: ApiKey) -> ApiKey:
        """Add a key; keys of one user come one after another, so that counting is exact.

        Returns:
            The key with the database's times: made now, valid as long as the difference
            of the given times says, but not longer than its parent. The other times of the
            key are not stored.

        Raises:
            NotFound: the user, or the parent, is not valid any more.
            Conflict: the user has ``MOST_LIVE_KEYS`` live keys.
        """

        async def work(session: Session) -> Row | NotFound | Conflict:
            if await session.fetch_one("lock_user", id=key.user_id) is None:
                return NotFound("There is no such user.")
            parent = None
            if key.parent_id is not None:
                values = {"id": key.parent_id, "user_id": key.user_id}
                parent = await session.fetch_one("get_live_key", **values)
                if parent is None:
                    return NotFound("There is no such key.")
            live = await session.fetch_one("count_live_keys", user_id=key.user_id)
            if live is not None and live["total"] >= MOST_LIVE_KEYS:
                return Conflict(
                    f"You have {MOST_LIVE_KEYS} API keys that are valid, which is the most: "
                    "revoke one that is not needed"
                )
            until_us = None if parent is None else parent["expires_at"]
            (row,) = await session.fetch_all("add_key", **_new_key(key), until_us=until_us)
            return row

        added = await self._database.transact(work)
        if isinstance(added, NotFound | Conflict):  # within, an error would cost the connection
            raise added
        return _key(added)

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
        """Revoke a key and all that were made with it, at once and for good.

        False where the user has no such key.
        """

        async def work(session: Session) -> bool:
            await session.execute("lock_user", id=user_id)  # after keys that are being made
            return bool(await session.fetch_all("revoke_key", id=key_id, user_id=user_id))

        return await self._database.transact(work)

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


def user_from_row(row: Row) -> User:
    """A user whose columns are all in the row."""
    names = row["email"], row["first_name"], row["last_name"]
    return User(row["id"], *names, optional_time(row["guest_until"]))


def _account(row: Row) -> Account:
    return Account(
        user_from_row(row), row["password_hash"], row["token_generation"], bool(row["is_disabled"])
    )


def _user_entry(row: Row) -> UserEntry:
    times = time_from_us(row["created_at"]), optional_time(row["disabled_at"])
    return UserEntry(user_from_row(row), *times, row["jobs"])


def _account_digest(email: str) -> str:
    """Key by which login attempts are counted; hashed, as people type passwords there too."""
    identity = email_identity(email).encode("utf-8", "surrogatepass")
    return hashlib.sha256(identity).hexdigest()


def _wait_us(found: Row, limit: int) -> int:
    """How long to wait for the next attempt; 0 where it may be made now."""
    if found["of_account"] >= limit:
        return int(found["account_left_us"])
    if found["of_address"] >= limit * ACCOUNTS_OF_ADDRESS:
        return int(found["address_left_us"])
    return 0


def _new_key(key: ApiKey) -> dict[str, str | int | None]:
    """Values of a key that is stored."""
    valid = None if key.expires_at is None else key.expires_at - key.created_at
    return {
        "id": key.id,
        "user_id": key.user_id,
        "name": key.name,
        "key_prefix": key.key_prefix,
        "digest": key.digest,
        "scope": key.scope.value,
        "parent_id": key.parent_id,
        "valid_us": None if valid is None else us_from_s(valid.total_seconds()),
    }


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
        scope=KeyScope(row["scope"]),
        parent_id=row["parent_id"],
    )
