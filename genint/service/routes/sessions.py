"""Sessions of browsers, and guests: what the pages need besides the API."""

from __future__ import annotations

from http import HTTPStatus

from aiohttp import web

from genint.errors import NotAllowed
from genint.service.endpoint import Call, Endpoint
from genint.service.routes.accounts import access_token, client_network, logged_in
from genint.service.schemas import SessionAnswer, Token, UserAnswer
from genint.service.sessions import end_session, live_session
from genint.storage import SessionInUse


async def open_guest(call: Call) -> Token | web.Response:
    """Try the service without an account: a guest, who vanishes after a day with all data.

    A guest may submit three genomes of 1,000,000 bases at most, has no keys and no password, and
    becomes an account by signing up in the same browser. A browser that has a session already,
    of a guest or of an account, keeps it: the answer is a token of that user.
    """
    service = call.service
    if not service.settings.guests:
        raise NotAllowed("This service takes no guests: create an account")
    found = await _session_of(call)
    if found is not None:  # a second click must not cost anybody's genomes
        token = access_token(service, found.user, generation=found.generation)
        return web.Response(body=token.model_dump_json(), content_type="application/json")
    user = await service.storage.guests.add(client_network(call))
    return await logged_in(call, user, generation=0)


async def who_uses_this_browser(call: Call) -> SessionAnswer:
    """Whose session the cookie of this browser is; for pages, which cannot read it."""
    found = await _session_of(call)
    if found is None:
        return SessionAnswer(user=None, guest_until=None)
    return SessionAnswer(user=UserAnswer.of(found.user), guest_until=found.user.guest_until)


async def _session_of(call: Call) -> SessionInUse | None:
    """The session of this browser, if it has one."""
    service = call.service
    lifetime_s = service.settings.session_lifetime_s
    return await live_session(call.request, service.storage.sessions, lifetime_s=lifetime_s)


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
        other_successes={HTTPStatus.OK: "This browser has a session already, which goes on"},
        answer=Token,
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
