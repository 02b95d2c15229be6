"""Signup, login, who am I, waiting list."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from uuid import uuid4

from genint.auth.keys import new_key
from genint.errors import Conflict, NotAuthenticated, NotFound
from genint.model.job import ApiKey, User
from genint.service.endpoint import Call, Endpoint, Service
from genint.service.schemas import (
    CreatedKey,
    KeyEntry,
    KeyList,
    LoginBody,
    NewKeyBody,
    PageQuery,
    SignupBody,
    Token,
    UserAnswer,
    WaitlistAnswer,
    WaitlistBody,
)


async def create_key(call: Call, body: NewKeyBody) -> CreatedKey:
    """Make a key; this answer alone shows it."""
    made, now = new_key(), datetime.now(UTC)
    days = body.expires_in_days
    stored = await call.service.storage.accounts.add_key(
        ApiKey(
            id=str(uuid4()),
            user_id=call.caller.id,
            name=body.name,
            key_prefix=made.key_prefix,
            digest=made.digest,
            created_at=now,
            expires_at=None if days is None else now + timedelta(days=days),
            last_used_at=None,
            revoked_at=None,
        )
    )
    return CreatedKey(
        id=stored.id,
        name=stored.name,
        key_prefix=stored.key_prefix,
        key=made.raw,
        expires_at=stored.expires_at,
        created_at=stored.created_at,
    )


async def list_keys(call: Call, query: PageQuery) -> KeyList:
    """Keys of the caller, newest first, revoked ones too."""
    page = await call.service.storage.accounts.keys(
        call.caller.id, limit=query.limit, cursor=query.cursor
    )
    return KeyList(keys=tuple(map(KeyEntry.of, page.keys)), next_cursor=page.next_cursor)


async def revoke_key(call: Call) -> None:
    """Revoke a key at once; again does nothing."""
    accounts = call.service.storage.accounts
    if not await accounts.revoke_key(call.caller.id, call.path("key_id")):
        raise NotFound("There is no such key")


API_KEY_ENDPOINTS = (
    Endpoint(
        "POST",
        "/api/v1/keys",
        create_key,
        "Make an API key",
        "keys",
        status=HTTPStatus.CREATED,
        needs_login=True,
        links={"revoke_key": ("key_id", "id")},
    ),
    Endpoint("GET", "/api/v1/keys", list_keys, "List API keys", "keys", needs_login=True),
    Endpoint(
        "DELETE",
        "/api/v1/keys/{key_id}",
        revoke_key,
        "Revoke an API key",
        "keys",
        status=HTTPStatus.NO_CONTENT,
        needs_login=True,
        errors={404: "There is no such key, or it belongs to another user"},
    ),
)


async def signup(call: Call, body: SignupBody) -> Token:
    """Open an account and log in."""
    service = call.service
    if await service.storage.accounts.account_by_email(body.email) is not None:
        raise _taken()  # before the costly hash; the index decides if two come at once
    hashed = await service.passwords.hash(body.password)
    user = User(str(uuid4()), body.email, body.first_name, body.last_name)
    if not await service.storage.accounts.add_user(user, hashed):
        raise _taken()
    return _token(service, user)


def _taken() -> Conflict:
    return Conflict("This e-mail address is registered already")


async def login(call: Call, body: LoginBody) -> Token:
    """Log in; takes as long for an unknown address as for a wrong password."""
    service = call.service
    account = await service.storage.accounts.account_by_email(body.email.strip())
    stored = None if account is None else account.password_hash
    found = await service.passwords.verify(body.password, stored)
    if account is None or not found.is_right:
        raise NotAuthenticated("Incorrect email or password", was_given=False)
    if found.needs_rehash:
        renewed = await service.passwords.hash(body.password)
        await service.storage.accounts.set_password_hash(account.user.id, renewed)
    return _token(service, account.user)


def _token(service: Service, user: User) -> Token:
    return Token(
        access_token=service.tokens.issue(user.id),
        expires_in=service.settings.token_lifetime_s,
        user=UserAnswer.of(user),
    )


async def me(call: Call) -> UserAnswer:
    """Whose token or key this is."""
    return UserAnswer.of(call.caller)


async def join_waitlist(call: Call, body: WaitlistBody) -> WaitlistAnswer:
    """Put an address on the waiting list; again does nothing."""
    is_new = await call.service.storage.accounts.join_waitlist(body.email)
    return WaitlistAnswer(status="ok" if is_new else "already_registered")


_SIGNUP_ERRORS = {409: "The e-mail address is registered already"}

ENDPOINTS = (
    Endpoint(
        "POST",
        "/api/v1/auth/signup",
        signup,
        "Open an account",
        "accounts",
        status=HTTPStatus.CREATED,
        errors=_SIGNUP_ERRORS,
    ),
    Endpoint(
        "POST",
        "/api/v1/auth/register",
        signup,
        "Open an account (older name of signup)",
        "accounts",
        status=HTTPStatus.CREATED,
        errors=_SIGNUP_ERRORS,
    ),
    Endpoint(
        "POST",
        "/api/v1/auth/login",
        login,
        "Log in",
        "accounts",
        errors={401: "Incorrect email or password"},
    ),
    Endpoint("GET", "/api/v1/auth/me", me, "Who am I", "accounts", needs_login=True),
    Endpoint(
        "POST",
        "/api/v1/waitlist",
        join_waitlist,
        "Join the waiting list",
        "accounts",
        status=HTTPStatus.CREATED,
    ),
)
