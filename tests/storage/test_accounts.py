"""Accounts in both databases: one per address, keys that end when they should."""

from __future__ import annotations

import asyncio
import uuid
from datetime import UTC, datetime, timedelta

import pytest

from genint.errors import InvalidRequest
from genint.model import Account, ApiKey, User
from genint.storage import email_identity

LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


def user(email: str = "ada@example.org") -> User:
    return User(str(uuid.uuid4()), email, "Ada", "Phage")


def key(user_id: str, *, valid: timedelta | None = None, prefix: str = "gi_1") -> ApiKey:
    expires_at = None if valid is None else LONG_AGO + valid
    return ApiKey(
        *(str(uuid.uuid4()), user_id, "laptop", prefix, "digest"),
        *(LONG_AGO, expires_at, None, None),
    )


@pytest.mark.parametrize(
    "spelling",
    ["ada@example.org", "ADA@EXAMPLE.ORG", " Ada@Example.org ", "\uff41da@example.org"],
)
def test_spellings_of_one_address_have_one_identity(spelling):
    assert email_identity(spelling) == "ada@example.org"


def test_an_identity_is_its_own_identity():
    for letter in map(chr, range(0x20, 0x3000)):
        assert email_identity(email_identity(letter)) == email_identity(letter), hex(ord(letter))


def test_different_addresses_have_different_identities():
    assert email_identity("ada@example.org") != email_identity("ada.@example.org")


async def test_a_user_is_found_by_id_and_by_any_spelling_of_the_address(storage):
    ada = user("Ada@Example.org")
    assert await storage.accounts.add_user(ada, "hash")
    assert await storage.accounts.user(ada.id) == ada
    assert await storage.accounts.account_by_email("ADA@example.ORG") == Account(ada, "hash")


async def test_an_unknown_user_is_none(storage):
    assert await storage.accounts.user("nobody") is None
    assert await storage.accounts.account_by_email("nobody@example.org") is None
    assert await storage.accounts.account_by_email("nobody\0\ud800@example.org") is None


async def test_of_many_signups_at_once_in_five_spellings_one_succeeds(storage, run_sql):
    spellings = [
        *("ada@example.org", "ADA@example.org", "ada@EXAMPLE.org", "Ada@Example.Org"),
        "\uff41da@example.org",
    ]
    answers = await asyncio.gather(
        *(storage.accounts.add_user(user(spelling), "hash") for spelling in spellings * 10)
    )
    assert answers.count(True) == 1
    assert len(await run_sql("SELECT id FROM users")) == 1


async def test_a_password_hash_is_replaced(storage):
    ada = user()
    await storage.accounts.add_user(ada, "old")
    assert await storage.accounts.set_password_hash(ada.id, "new", expected="old")
    assert not await storage.accounts.set_password_hash(ada.id, "newer", expected="old")
    assert await storage.accounts.account(ada.id) == Account(ada, "new")


async def test_a_key_has_the_times_of_the_database(storage, user_id):
    given = key(user_id, valid=timedelta(days=3))
    added = await storage.accounts.add_key(given)
    assert added.created_at > LONG_AGO + timedelta(days=365)
    assert added.expires_at - added.created_at == timedelta(days=3)
    assert added.last_used_at is added.revoked_at is None
    assert (added.id, added.name, added.digest) == (given.id, given.name, given.digest)
    assert await storage.accounts.keys(user_id) == ((added,), None)


async def test_keys_are_listed_newest_first_and_only_to_their_owner(storage, user_id, another_user):
    added = [await storage.accounts.add_key(key(user_id, prefix=f"gi_{n}")) for n in range(3)]
    assert await storage.accounts.keys(user_id) == (tuple(reversed(added)), None)
    assert await storage.accounts.keys(await another_user()) == ((), None)


async def test_pages_of_keys_join_up_while_others_are_made_in_the_same_microsecond_too(
    storage, run_sql, user_id
):
    added = [await storage.accounts.add_key(key(user_id, prefix=f"gi_{n}")) for n in range(7)]
    await run_sql("UPDATE api_keys SET created_at = 1")
    seen, cursor = [], None
    for number in range(4):
        page = await storage.accounts.keys(user_id, limit=2, cursor=cursor)
        seen.extend(each.id for each in page.keys)
        await storage.accounts.add_key(key(user_id, prefix=f"gi_later_{number}"))
        cursor = page.next_cursor
    assert cursor is None
    assert seen == sorted((each.id for each in added), reverse=True)


async def test_a_page_that_ends_with_the_last_key_has_no_cursor(storage, user_id):
    for number in range(4):
        await storage.accounts.add_key(key(user_id, prefix=f"gi_{number}"))
    assert (await storage.accounts.keys(user_id, limit=4)).next_cursor is None
    assert (await storage.accounts.keys(user_id, limit=3)).next_cursor is not None


async def test_a_cursor_that_is_not_ours_is_refused_for_keys(storage, user_id):
    with pytest.raises(InvalidRequest) as caught:
        await storage.accounts.keys(user_id, limit=1, cursor="' OR 1=1 --")
    (value,) = caught.value.values
    assert value.location == ("query", "cursor")


async def test_a_key_is_found_with_its_owner_by_its_prefix(storage, user_id):
    added = await storage.accounts.add_key(key(user_id))
    found = await storage.accounts.key_by_prefix("gi_1")
    assert found == (added, await storage.accounts.user(user_id), True)
    assert await storage.accounts.key_by_prefix("gi_2") is None


@pytest.mark.parametrize(
    ("valid", "is_valid"),
    [(None, True), (timedelta(hours=1), True), (timedelta(0), False), (timedelta(-1), False)],
)
async def test_a_key_expires_by_the_clock_of_the_database(storage, user_id, valid, is_valid):
    await storage.accounts.add_key(key(user_id, valid=valid))
    assert (await storage.accounts.key_by_prefix("gi_1")).is_valid is is_valid


async def test_a_revoked_key_is_not_valid_from_the_answer_on(storage, user_id):
    added = await storage.accounts.add_key(key(user_id))
    assert await storage.accounts.revoke_key(user_id, added.id)
    found = await asyncio.gather(*(storage.accounts.key_by_prefix("gi_1") for _ in range(20)))
    assert {key_in_use.is_valid for key_in_use in found} == {False}


async def test_revoking_again_is_as_good_and_changes_nothing(storage, user_id):
    added = await storage.accounts.add_key(key(user_id))
    answers = await asyncio.gather(
        *(storage.accounts.revoke_key(user_id, added.id) for _ in range(20))
    )
    assert set(answers) == {True}
    first = await storage.accounts.keys(user_id)
    assert await storage.accounts.revoke_key(user_id, added.id)
    assert await storage.accounts.keys(user_id) == first


async def test_a_key_of_another_user_is_not_revoked(storage, user_id, another_user):
    added = await storage.accounts.add_key(key(user_id))
    assert not await storage.accounts.revoke_key(await another_user(), added.id)
    assert not await storage.accounts.revoke_key(user_id, "no such key")
    assert (await storage.accounts.key_by_prefix("gi_1")).is_valid


async def test_the_use_of_a_key_is_noted_at_once_and_then_once_a_minute(storage, run_sql, user_id):
    added = await storage.accounts.add_key(key(user_id))

    async def last_used() -> datetime:
        await storage.accounts.touch_key(added.id)
        return (await storage.accounts.key_by_prefix("gi_1")).key.last_used_at

    first = await last_used()
    assert first >= added.created_at
    assert await last_used() == first
    await run_sql("UPDATE api_keys SET last_used_at = last_used_at - 61000000")
    assert await last_used() > first


async def test_an_address_joins_the_waiting_list_once(storage, run_sql):
    answers = await asyncio.gather(
        *(storage.accounts.join_waitlist(email) for email in ("a@x.org", "A@X.org") * 10)
    )
    assert answers.count(True) == 1
    assert len(await run_sql("SELECT email FROM waitlist")) == 1
