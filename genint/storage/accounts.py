"""Users, API keys and the waiting list."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

from genint.model.account import Account, ApiKey, User


class KeyInUse(NamedTuple):
    """An API key with its owner; not valid when revoked or expired by the database's clock."""

    key: ApiKey
    user: User
    is_valid: bool


def email_identity(email: str) -> str:
    """What two spellings of one e-mail address have in common: NFKC, lower case."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", email.strip()).lower())


class AccountStore:
    """Accounts in the database."""

    async def add_user(self, user: User, password_hash: str) -> bool:
        """Add a user; False where the e-mail address is taken."""
        raise NotImplementedError

    async def account_by_email(self, email: str) -> Account | None:
        """The account of an e-mail address in any spelling."""
        raise NotImplementedError

    async def user(self, user_id: str) -> User | None:
        """A user by id."""
        raise NotImplementedError

    async def set_password_hash(self, user_id: str, password_hash: str) -> None:
        """Replace the password hash of a user."""
        raise NotImplementedError

    async def add_key(self, key: ApiKey) -> ApiKey:
        """Add a key; with the database's times."""
        raise NotImplementedError

    async def keys(self, user_id: str) -> tuple[ApiKey, ...]:
        """Keys of a user, newest first."""
        raise NotImplementedError

    async def key_by_prefix(self, key_prefix: str) -> KeyInUse | None:
        """A key with its owner by the key's prefix."""
        raise NotImplementedError

    async def revoke_key(self, user_id: str, key_id: str) -> bool:
        """Revoke a key, at once; False where the user has no such key."""
        raise NotImplementedError

    async def touch_key(self, key_id: str) -> None:
        """Note the use of a key, at most once a minute."""
        raise NotImplementedError

    async def join_waitlist(self, email: str) -> bool:
        """Add an e-mail address to the waiting list; False where it was there."""
        raise NotImplementedError
