"""Signup, login, who am I, waiting list."""

from __future__ import annotations

from http import HTTPStatus
from uuid import uuid4

from genint.errors import Conflict, NotAuthenticated
from genint.model.account import User
from genint.service.answers import Token, UserAnswer, WaitlistAnswer
from genint.service.bodies import LoginBody, SignupBody, WaitlistBody
from genint.service.context import Service
from genint.service.endpoint import Call, Endpoint


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
