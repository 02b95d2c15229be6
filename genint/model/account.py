"""Accounts of the service: users and API keys."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class User:
    """Somebody with an account; ``email`` is as it was given at signup."""

    id: str
    email: str
    first_name: str
    last_name: str


@dataclass(frozen=True, slots=True)
class Account:
    """A user with the argon2id hash of the password."""

    user: User
    password_hash: str


@dataclass(frozen=True, slots=True)
class ApiKey:
    """An API key without its secret.

    Attributes:
        key_prefix: Leading part of the key, unique, by which it is looked up.
        digest: SHA-256 of the whole raw key, hex.
    """

    id: str
    user_id: str
    name: str
    key_prefix: str
    digest: str
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    revoked_at: datetime | None
