"""Who is behind a request: a bearer token, else an API key."""

from __future__ import annotations

from typing import Final

from aiohttp import web

from genint.auth import keys
from genint.auth.tokens import INVALID_CREDENTIAL
from genint.errors import NotAuthenticated
from genint.model.account import User
from genint.service.context import Service

USER: Final = web.RequestKey("user", str)
"""Id of the user, for the log."""


async def authenticate(request: web.Request, service: Service) -> User:
    """The user of a request.

    A bearer token decides alone: where it is not valid, a key is not tried. The user is
    looked up every time, so a deleted account or a revoked key is out at once.

    Raises:
        NotAuthenticated: no credential, more than one of a kind, or one that is not
            valid, expired, revoked, or whose user is gone; one text for all of these.
    """
    headers = request.headers.getall("Authorization", [])
    if len(headers) > 1:
        raise NotAuthenticated(INVALID_CREDENTIAL, was_given=True)
    scheme, _, token = headers[0].strip().partition(" ") if headers else ("", "", "")
    if scheme.lower() == "bearer":
        user = await service.storage.accounts.user(service.tokens.subject(token.strip()))
    else:
        user = await _user_of_key(request, service)
    if user is None:
        raise NotAuthenticated(INVALID_CREDENTIAL, was_given=True)
    request[USER] = user.id
    return user


async def _user_of_key(request: web.Request, service: Service) -> User | None:
    given = request.headers.getall("X-API-Key", [])
    if not given:
        raise NotAuthenticated("Not authenticated", was_given=False)
    raw = given[0].strip()
    prefix = keys.parse_key(raw) if len(given) == 1 else None
    if prefix is None:  # a slip of the pen or a scan: not worth a query
        return None
    accounts = service.storage.accounts
    found = await accounts.key_by_prefix(prefix)
    is_right = keys.matches(raw, found.key.digest if found else None)
    if found is None or not is_right or not found.is_valid:
        return None
    await accounts.touch_key(found.key.id)
    return found.user
