"""API keys: make, list, revoke."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from uuid import uuid4

from genint.auth.keys import new_key
from genint.auth.tokens import INVALID_CREDENTIAL
from genint.errors import NotAllowed, NotAuthenticated, NotFound
from genint.model.job import ApiKey
from genint.service.endpoint import Call, Endpoint
from genint.service.schemas import CreatedKey, KeyEntry, KeyList, NewKeyBody, PageQuery


async def create_key(call: Call, body: NewKeyBody) -> CreatedKey:
    """Make a key; this answer alone shows it.

    A key that is made with another key is revoked with it, and expires no later.
    """
    if call.caller.is_guest:
        raise NotAllowed("A guest has no API keys: create an account")
    made, now = new_key(), datetime.now(UTC)
    days = body.expires_in_days
    key = ApiKey(
        id=str(uuid4()),
        user_id=call.caller.id,
        name=body.name,
        key_prefix=made.key_prefix,
        digest=made.digest,
        created_at=now,
        expires_at=None if days is None else now + timedelta(days=days),
        last_used_at=None,
        revoked_at=None,
        scope=body.scope,
        parent_id=None if call.key is None else call.key.id,
    )
    try:
        stored = await call.service.storage.accounts.add_key(key)
    except NotFound:  # the account or the key of the request went since it was looked at
        raise NotAuthenticated(INVALID_CREDENTIAL, was_given=True) from None
    return CreatedKey.made_of(stored, key=made.raw)


async def list_keys(call: Call, query: PageQuery) -> KeyList:
    """Keys of the caller, newest first, revoked ones too."""
    page = await call.service.storage.accounts.keys(
        call.caller.id, limit=query.limit, cursor=query.cursor
    )
    return KeyList(keys=tuple(map(KeyEntry.of, page.keys)), next_cursor=page.next_cursor)


async def revoke_key(call: Call) -> None:
    """Revoke a key, and those that were made with it, at once; again does nothing."""
    accounts = call.service.storage.accounts
    if not await accounts.revoke_key(call.caller.id, call.path("key_id")):
        raise NotFound("There is no such key")


ENDPOINTS = (
    Endpoint(
        "POST",
        "/api/v1/keys",
        create_key,
        "Make an API key",
        "keys",
        status=HTTPStatus.CREATED,
        needs_login=True,
        errors={409: "There are 100 valid keys already"},
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
