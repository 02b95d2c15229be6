"""Sessions of browsers, and guests: what the pages need besides the API."""

from __future__ import annotations

from http import HTTPStatus

from genint.errors import NotAllowed
from genint.service.endpoint import Call, Endpoint
from genint.service.routes.accounts import client_network, logged_in
from genint.service.schemas import SessionAnswer, Token, UserAnswer
from genint.service.sessions import end_session, session_user


async def open_guest(call: Call) -> Token:
    """Try the service without an account: a guest, who vanishes after a day with all data.

    A guest may submit three genomes of 1,000,000 bases at most, has no keys and no password, and
    becomes an account by signing up in the same browser.
    """
    service = call.service
    if not service.settings.guests:
        raise NotAllowed("This service takes no guests: create an account")
    user = await service.storage.guests.add(client_network(call))
    return await logged_in(call, user, generation=0)


async def who_uses_this_browser(call: Call) -> SessionAnswer:
    """Whose session the cookie of this browser is; for pages, which cannot read it."""
    service = call.service
    user = await session_user(
        call.request, service.storage.sessions, lifetime_s=service.settings.session_lifetime_s
    )
    if user is None:
        return SessionAnswer(user=None, guest_until=None)
    return SessionAnswer(user=UserAnswer.of(user), guest_until=user.guest_until)


async def log_out(call: Call) -> None:
    """End the session of this browser for good; without one nothing happens."""
    await end_session(call.request, call.service.storage.sessions)


ENDPOINTS = (
    Endpoint(
        "POST",
        "/api/v1/auth/guest",
        open_guest,
        "Try the service without an account",
        "accounts",
        status=HTTPStatus.CREATED,
        errors={
            403: "This service takes no guests",
            429: "Too many guests came from this address within a day",
        },
    ),
    Endpoint(
        "GET",
        "/api/v1/auth/session",
        who_uses_this_browser,
        "Whose session this browser has",
        "accounts",
    ),
    Endpoint(
        "DELETE",
        "/api/v1/auth/session",
        log_out,
        "Log out in this browser",
        "accounts",
        status=HTTPStatus.NO_CONTENT,
    ),
)
