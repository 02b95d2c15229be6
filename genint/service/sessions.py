"""Sessions of browsers: a cookie by which the pages of this service know who uses them.

No script can read the cookie (``HttpOnly``), so none can take it away. That other sites cannot act
in a user's name with it (CSRF) has three reasons. Browsers do not send it with requests that other
sites cause, except when a user follows a link to a page (``SameSite=Lax``), and no GET changes
anything. It counts for the API only beside the header ``X-Requested-With``, which scripts of
another origin cannot send unless this service allows it in advance (CORS), and it does not: that
also stops sites that browsers take for the same, such as another port of this host. And answers
never allow other origins to use credentials.
"""

from __future__ import annotations

from http.cookies import SimpleCookie
from typing import Final

from aiohttp import web

from genint.auth.keys import digest, new_secret
from genint.storage import SessionInUse, SessionStore

PAGE_HEADER: Final = "X-Requested-With"
"""Sent by scripts of our own pages, with any value."""
NEW_COOKIE: Final = web.RequestKey("new_cookie", str)
"""Value of ``Set-Cookie`` for the answer to a request."""
_NAME: Final = "genint_session"
_SECRET_CHARACTERS: Final = 43


async def live_session(
    request: web.Request, sessions: SessionStore, *, lifetime_s: int, needs_header: bool = True
) -> SessionInUse | None:
    """The session that a request belongs to, with its user; one that is used is renewed.

    Args:
        request: With the cookie, or without one.
        sessions: Where to look.
        lifetime_s: How long a session lasts after it was used last.
        needs_header: Whether the cookie counts only beside ``PAGE_HEADER``; without it where a
            link is followed, and nothing can be changed.

    Returns:
        None without a cookie that counts, or where its session has ended.
    """
    secret = given_secret(request, needs_header=needs_header)
    if secret is None:
        return None
    found = await sessions.find(digest(secret))
    if found is None:
        return None
    if found.is_old:
        await sessions.renew(digest(secret), valid_s=lifetime_s)
        _set_cookie(request, secret, lifetime_s)
    return found


async def begin_session(
    request: web.Request, sessions: SessionStore, user_id: str, *, generation: int, lifetime_s: int
) -> None:
    """Have the answer begin a session, where a page of ours sent the request.

    A session of the same browser from before ends by that.
    """
    if PAGE_HEADER not in request.headers:
        return
    await end_session(request, sessions)
    secret = new_secret()
    await sessions.add(secret.digest, user_id, generation=generation, valid_s=lifetime_s)
    _set_cookie(request, secret.raw, lifetime_s)


async def end_session(request: web.Request, sessions: SessionStore) -> None:
    """End the session of a request for good, and have the answer take its cookie back."""
    secret = given_secret(request)
    if secret is not None:
        await sessions.end(digest(secret))
        _set_cookie(request, "", 0)


def given_secret(request: web.Request, *, needs_header: bool = True) -> str | None:
    """The secret in the cookie of a request, where it counts and can be one of ours."""
    if needs_header and PAGE_HEADER not in request.headers:
        return None
    secret = request.cookies.get(_cookie_name(request), "")
    return secret if len(secret) == _SECRET_CHARACTERS else None


def _set_cookie(request: web.Request, secret: str, lifetime_s: int) -> None:
    name = _cookie_name(request)
    cookie: SimpleCookie = SimpleCookie({name: secret})
    morsel = cookie[name]
    morsel["path"], morsel["max-age"] = "/", lifetime_s
    morsel["httponly"], morsel["samesite"] = True, "Lax"
    morsel["secure"] = _is_encrypted(request)
    request[NEW_COOKIE] = morsel.OutputString()


def _cookie_name(request: web.Request) -> str:
    """With a prefix by which browsers refuse it from other hosts of the same domain."""
    return f"__Host-{_NAME}" if _is_encrypted(request) else _NAME


def _is_encrypted(request: web.Request) -> bool:
    """Whether the browser uses HTTPS. A proxy says so; who claims it falsely harms himself."""
    return request.secure or request.headers.get("X-Forwarded-Proto", "").lower() == "https"
