"""Accounts in both databases: one per address, keys that end when they should."""

from __future__ import annotations

import asyncio
import uuid
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from genint.errors import Conflict, InvalidRequest, NotFound
from genint.model import Account, ApiKey, JobStatus, User
from genint.storage import MOST_LIVE_KEYS, Notice, email_identity

from .conftest import OUTCOME

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


async def test_a_user_has_at_most_so_many_keys_that_are_valid(storage, run_sql, user_id):
    first = await storage.accounts.add_key(key(user_id, prefix="gi_first"))
    columns = "id, user_id, name, key_prefix, digest, created_at"
    for number in range(2, MOST_LIVE_KEYS):
        values = f"'k{number}', '{user_id}', 'k', 'gi_{number}', 'd', {number}"
        await run_sql(f"INSERT INTO api_keys ({columns}) VALUES ({values})")  # noqa: S608 - ours
    await storage.accounts.add_key(key(user_id, prefix="gi_old", valid=timedelta(0)))
    more = [storage.accounts.add_key(key(user_id, prefix=f"gi_more{n}")) for n in range(4)]
    made = await asyncio.gather(*more, return_exceptions=True)
    refused = [one for one in made if isinstance(one, Conflict)]
    assert len(refused) == 3
    assert "100 API keys" in str(refused[0])
    await storage.accounts.revoke_key(user_id, first.id)
    assert await storage.accounts.add_key(key(user_id, prefix="gi_next"))


async def test_no_key_slips_through_while_its_parent_is_revoked(storage, user_id):
    parent = await storage.accounts.add_key(key(user_id, prefix="gi_parent"))

    async def made(number: int) -> ApiKey | None:
        child = replace(key(user_id, prefix=f"gi_{number}"), parent_id=parent.id)
        try:
            return await storage.accounts.add_key(child)
        except NotFound:
            return None

    await asyncio.gather(
        *map(made, range(5)),
        storage.accounts.revoke_key(user_id, parent.id),
        *map(made, range(5, 10)),
    )
    assert all(one.revoked_at for one in (await storage.accounts.keys(user_id)).keys)
    assert await made(10) is None


async def test_of_two_changes_of_a_password_at_once_one_succeeds(storage):
    ada = user()
    await storage.accounts.add_user(ada, "old")
    changes = await asyncio.gather(
        *(storage.accounts.change_password(ada.id, f"new{n}", expected="old") for n in range(6))
    )
    assert sorted(changes, key=str) == [1, *[None] * 5]
    winner = changes.index(1)
    changed = Account(ada, f"new{winner}", token_generation=1)
    assert await storage.accounts.account(ada.id) == changed
    assert await storage.accounts.user(ada.id) is None
    assert await storage.accounts.user(ada.id, generation=1) == ada


async def test_a_link_works_once_and_takes_all_others_along(storage):
    ada = user()
    accounts = storage.accounts
    await accounts.add_user(ada, "old")
    for digest in ("first", "second"):
        assert await accounts.add_reset(ada.id, digest, valid_s=60)
    answers = await asyncio.gather(*(accounts.reset_password("first", "new") for _ in range(6)))
    assert answers.count(ada) == 1
    assert answers.count(None) == 5
    assert await accounts.account(ada.id) == Account(ada, "new", token_generation=1)
    assert not await accounts.has_reset("second")
    assert await accounts.reset_password("second", "newer") is None


async def test_a_link_expires_and_ends_with_a_change_of_the_password(storage):
    ada = user()
    accounts = storage.accounts
    await accounts.add_user(ada, "old")
    await accounts.add_reset(ada.id, "late", valid_s=0)
    assert not await accounts.has_reset("late")
    assert await accounts.reset_password("late", "new") is None
    await accounts.add_reset(ada.id, "link", valid_s=60)
    await accounts.change_password(ada.id, "new", expected="old")
    assert await accounts.reset_password("link", "newer") is None


async def test_links_that_anybody_may_request_are_few(storage, user_id):
    made = [
        await storage.accounts.add_reset(user_id, f"{n}", valid_s=60, is_limited=True)
        for n in range(4)
    ]
    assert made == [True, True, True, False]
    assert await storage.accounts.add_reset(user_id, "of an operator", valid_s=60)
    assert not await storage.accounts.add_reset("nobody", "x", valid_s=60)


async def test_a_disabled_account_can_do_nothing_until_it_is_enabled(storage, new_job, user_id):
    accounts = storage.accounts
    await accounts.add_key(key(user_id))
    await accounts.add_reset(user_id, "link", valid_s=60)
    assert await accounts.set_disabled(user_id, is_disabled=True)
    assert await accounts.user(user_id) is None
    assert not (await accounts.key_by_prefix("gi_1")).is_valid
    assert (await accounts.account(user_id)).is_disabled
    assert await accounts.reset_password("link", "new") is None
    assert await accounts.change_password(user_id, "new", expected="hash") is None
    with pytest.raises(NotFound):
        await storage.jobs.submit(new_job(), max_pending=9)
    with pytest.raises(NotFound):
        await accounts.add_key(key(user_id, prefix="gi_2"))
    assert await accounts.set_disabled(user_id, is_disabled=False)
    assert await accounts.user(user_id) is None  # tokens of before stay refused
    assert await accounts.user(user_id, generation=1)
    assert (await accounts.key_by_prefix("gi_1")).is_valid
    assert not await accounts.set_disabled("nobody", is_disabled=True)


async def test_a_deleted_account_leaves_nothing(storage, run_sql, user_id, another_user, reach):
    accounts = storage.accounts
    done, running = await reach(JobStatus.COMPLETED), await reach(JobStatus.RUNNING)
    (storage.files.uploads / done.upload).write_text("x")
    parent = await accounts.add_key(key(user_id))
    await accounts.add_key(replace(key(user_id, prefix="gi_2"), parent_id=parent.id))
    await accounts.add_reset(user_id, "link", valid_s=60)
    email = (await accounts.account(user_id)).user.email
    await accounts.join_waitlist(email.upper())
    other = await another_user()
    async with storage.jobs.notices() as notices:
        assert await storage.delete_account(user_id)
        assert await anext(notices) == Notice("ended", running.id)
    for table in ("jobs", "dark_genes", "api_keys", "password_resets", "waitlist"):
        assert await run_sql(f"SELECT * FROM {table}") == [], table  # noqa: S608 - ours
    assert [tuple(row) for row in await run_sql("SELECT id FROM users")] == [(other,)]
    assert not (storage.files.uploads / done.upload).exists()
    assert not await storage.jobs.finish(running.lease, OUTCOME)
    assert not await storage.delete_account(user_id)
    assert await accounts.add_user(user(email), "hash")


async def test_a_deletion_that_was_interrupted_is_finished(storage, run_sql, user_id, reach):
    await reach(JobStatus.COMPLETED)
    email = (await storage.accounts.account(user_id)).user.email
    assert await storage.accounts.mark_deleted(user_id)
    assert await storage.accounts.account(user_id) is None
    assert (await storage.accounts.users()).users == ()
    assert not await storage.accounts.set_disabled(user_id, is_disabled=False)
    assert await storage.accounts.add_user(user(email), "hash")  # the address is free at once
    assert await storage.finish_deletions() == 1
    assert await storage.finish_deletions() == 0
    assert await run_sql("SELECT id FROM jobs") == []
    assert len((await storage.accounts.users()).users) == 1


async def test_users_are_listed_newest_first_with_their_jobs(storage, user_id, another_user, reach):
    await reach(JobStatus.PENDING)
    other = await another_user()
    await storage.accounts.set_disabled(other, is_disabled=True)
    first = await storage.accounts.users(limit=1)
    second = await storage.accounts.users(limit=1, cursor=first.next_cursor)
    (newest,), (oldest,) = first.users, second.users
    assert (newest.user.id, newest.disabled_at is None, newest.jobs) == (other, False, 0)
    assert (oldest.user.id, oldest.disabled_at is None, oldest.jobs) == (user_id, True, 1)
    assert second.next_cursor is None
