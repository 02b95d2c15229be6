"""Accounts: sign up, log in, who am I, passwords, deletion; the waiting list."""

from __future__ import annotations

from dataclasses import replace
from http import HTTPStatus
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final
from uuid import uuid4

from genint.auth import keys
from genint.errors import (
    Conflict,
    InvalidRequest,
    InvalidValue,
    NotAllowed,
    NotAuthenticated,
    NotFound,
    TooManyRequests,
)
from genint.model.job import Account, User
from genint.service.endpoint import (
    CLIENT_ADDRESS,
    REQUEST_ID,
    Call,
    Endpoint,
    Service,
    log_refusal,
)
from genint.service.schemas import (
    DeleteAccountBody,
    ForgotPasswordAnswer,
    ForgotPasswordBody,
    LoginBody,
    PasswordBody,
    ResetPasswordBody,
    SignupBody,
    Token,
    UserAnswer,
    WaitlistAnswer,
    WaitlistBody,
)
from genint.service.sessions import begin_session, end_session, live_session

_SHARED_PREFIX_BITS: Final = 64
"""Whoever has one IPv6 address has as a rule all that begin with the same 64 bits."""


async def signup(call: Call, body: SignupBody) -> Token:
    """Open an account and log in. A guest who does it in the same browser keeps all data.

    The guest's access tokens and sessions of before are refused.
    """
    service, storage = call.service, call.service.storage
    if await storage.accounts.account_by_email(body.email) is not None:
        raise _taken()  # before the costly hash; the index decides if two come at once
    lifetime_s = service.settings.session_lifetime_s
    found = await live_session(call.request, storage.sessions, lifetime_s=lifetime_s)
    hashed = await service.passwords.hash(body.password)
    user = User(str(uuid4()), body.email, body.first_name, body.last_name)
    if found is not None and found.user.is_guest:
        kept = await storage.guests.keep(replace(user, id=found.user.id), hashed)
        if kept is None:
            raise _taken()
        return await logged_in(call, kept, generation=found.generation + 1)
    if not await storage.accounts.add_user(user, hashed):
        raise _taken()
    return await logged_in(call, user, generation=0)


def _taken() -> Conflict:
    return Conflict("This e-mail address is registered already")


async def login(call: Call, body: LoginBody) -> Token:
    """Log in; takes as long for an unknown address as for a wrong password."""
    account = await _account_with_password(call, body.email, body.password)
    if account is None:
        raise NotAuthenticated("Incorrect email or password", was_given=False)
    return await logged_in(call, account.user, generation=account.token_generation)


async def _account_with_password(call: Call, email: str, password: str) -> Account | None:
    """The account of an address, if this is its password and it is not disabled.

    Raises:
        TooManyRequests: there were too many wrong ones for this account from this address,
            and a limit is set. The right one is not told from a wrong one then.
    """
    service, accounts = call.service, call.service.storage.accounts
    address, limit = client_network(call), service.settings.login_attempts
    account = await accounts.account_by_email(email)
    user_id = None if account is None else account.user.id
    if limit is not None:
        try:
            await accounts.note_attempt(email, address, limit=limit)
        except TooManyRequests:
            log_refusal(call.request, "too many attempts", user_id)
            raise
    stored = None if account is None else account.password_hash
    found = await service.passwords.verify(password, stored)
    if account is None or not found.is_right or account.is_disabled:
        is_closed = account is not None and found.is_right
        log_refusal(call.request, "account disabled" if is_closed else "password", user_id)
        return None
    if limit is not None:
        await accounts.forget_attempts(email, address)
    if found.needs_rehash:
        renewed = await service.passwords.hash(password)
        if await accounts.set_password_hash(account.user.id, renewed, expected=str(stored)):
            account = replace(account, password_hash=renewed)
    return account


def client_network(call: Call) -> str:
    """Key by which attempts of a client are counted: its address, of IPv6 the /64 network."""
    text = call.request[CLIENT_ADDRESS]
    try:
        address = ip_address(text)
    except ValueError:
        return text
    if isinstance(address, IPv6Address):
        return str(ip_network((address, _SHARED_PREFIX_BITS), strict=False))
    return text


async def logged_in(call: Call, user: User, *, generation: int) -> Token:
    """An access token; for a page of ours the answer begins a session of the browser too."""
    service = call.service
    await begin_session(
        call.request,
        service.storage.sessions,
        user.id,
        generation=generation,
        lifetime_s=service.settings.session_lifetime_s,
    )
    return access_token(service, user, generation=generation)


def access_token(service: Service, user: User, *, generation: int) -> Token:
    """An access token of that generation, with what it is for."""
    return Token(
        access_token=service.tokens.issue(user.id, generation=generation),
        expires_in=service.settings.token_lifetime_s,
        user=UserAnswer.of(user),
    )


async def me(call: Call) -> UserAnswer:
    """Whose token or key this is."""
    return UserAnswer.of(call.caller)


async def change_password(call: Call, body: PasswordBody) -> Token:
    """Set a new password, and get a new token: all tokens of before are refused.

    API keys stay valid.
    """
    service = call.service
    account = await _own_account(call, body.current_password)
    hashed = await service.passwords.hash(body.new_password)
    generation = await service.storage.accounts.change_password(
        account.user.id, hashed, expected=account.password_hash
    )
    if generation is None:
        raise Conflict("The password was changed by another request at the same time")
    return await logged_in(call, account.user, generation=generation)


async def _own_account(call: Call, password: str) -> Account:
    account = await _account_with_password(call, call.caller.email, password)
    if account is None or account.user.id != call.caller.id:
        raise NotAllowed("The password is not correct")
    return account


async def log_out_everywhere(call: Call) -> None:
    """Refuse all access tokens that were issued until now, this one too, and end all sessions.

    API keys stay valid.
    """
    await call.service.storage.accounts.refuse_tokens(call.caller.id)
    await end_session(call.request, call.service.storage.sessions)


async def delete_account(call: Call, body: DeleteAccountBody) -> None:
    """Delete the account with all its jobs, uploads, results, reports and keys, for good.

    Jobs that wait or run are cancelled by that. A guest has no password, and gives none.
    """
    if not call.caller.is_guest:
        if body.password is None:
            raise InvalidRequest(InvalidValue(("body", "password"), "Field required", "missing"))
        await _own_account(call, body.password)
    await call.service.storage.delete_account(call.caller.id)
    await end_session(call.request, call.service.storage.sessions)


async def forgot_password(call: Call, body: ForgotPasswordBody) -> ForgotPasswordAnswer:
    """Have a link sent by which a new password can be set.

    The answer is the same whether there is an account or not, and comes as soon.
    """
    service = call.service
    if service.mailer is None:
        return ForgotPasswordAnswer(
            sends_email=False,
            message="This service sends no e-mail: ask its operator for a link.",
        )
    service.mailer.send_reset_link(service.storage, body.email, call.request[REQUEST_ID])
    return ForgotPasswordAnswer(
        sends_email=True,
        message="If there is an account with this address, a link for a new password is on its "
        "way to it. The link is valid for an hour.",
    )


async def reset_password(call: Call, body: ResetPasswordBody) -> None:
    """Set a new password by the token of a link, which works once.

    All access tokens and links of before are refused. API keys stay valid.
    """
    service, digest = call.service, keys.digest(body.token)
    accounts = service.storage.accounts
    user = None
    if await accounts.has_reset(digest):  # before the costly hash
        hashed = await service.passwords.hash(body.new_password)
        user = await accounts.reset_password(digest, hashed)
    if user is None:
        log_refusal(call.request, "link for a new password")
        raise NotFound("This link does not work (any more): it was used, or is too old")
    await accounts.forget_attempts(user.email, client_network(call))
    await end_session(call.request, service.storage.sessions)


async def join_waitlist(call: Call, body: WaitlistBody) -> WaitlistAnswer:
    """Put an address on the waiting list; again does nothing."""
    is_new = await call.service.storage.accounts.join_waitlist(body.email)
    return WaitlistAnswer(status="ok" if is_new else "already_registered")


_SIGNUP_ERRORS = {409: "The e-mail address is registered already"}
_TOO_MANY = {429: "Too many wrong passwords, where the operator limits them"}
_OWN_PASSWORD = _TOO_MANY | {403: "The password is not correct"}

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
        errors=_TOO_MANY | {401: "Incorrect email or password"},
    ),
    Endpoint("GET", "/api/v1/auth/me", me, "Who am I", "accounts", needs_login=True),
    Endpoint(
        "DELETE",
        "/api/v1/auth/me",
        delete_account,
        "Delete the account with all its data",
        "accounts",
        status=HTTPStatus.NO_CONTENT,
        needs_login=True,
        errors=_OWN_PASSWORD,
    ),
    Endpoint(
        "POST",
        "/api/v1/auth/password",
        change_password,
        "Change the password",
        "accounts",
        needs_login=True,
        errors=_OWN_PASSWORD | {409: "Another request changed it at the same time"},
    ),
    Endpoint(
        "POST",
        "/api/v1/auth/logout-everywhere",
        log_out_everywhere,
        "Log out everywhere",
        "accounts",
        status=HTTPStatus.NO_CONTENT,
        needs_login=True,
    ),
    Endpoint(
        "POST",
        "/api/v1/auth/forgot-password",
        forgot_password,
        "Request a link for a new password",
        "accounts",
        status=HTTPStatus.ACCEPTED,
    ),
    Endpoint(
        "POST",
        "/api/v1/auth/reset-password",
        reset_password,
        "Set a new password by a link",
        "accounts",
        status=HTTPStatus.NO_CONTENT,
        errors={404: "The link was used, is too old, or never was"},
    ),
    Endpoint(
        "POST",
        "/api/v1/waitlist",
        join_waitlist,
        "Join the waiting list",
        "accounts",
        status=HTTPStatus.CREATED,
    ),
)
