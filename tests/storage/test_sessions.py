"""Sessions of browsers, and guests, on both databases."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from genint.errors import NotAllowed, TooManyRequests
from genint.model import User
from genint.storage import GUEST_JOBS, GUESTS_OF_ADDRESS
from genint.storage.sessions import MOST_SESSIONS


async def test_a_session_lasts_until_it_ends_or_was_not_used_for_long(storage, user_id, run_sql):
    sessions = storage.sessions
    await sessions.add("used", user_id, generation=0, valid_s=60)
    await sessions.add("over", user_id, generation=0, valid_s=-1)
    assert await sessions.find("over") is None
    assert not (await sessions.find("used")).is_old
    await run_sql("UPDATE sessions SET renewed_at = renewed_at - 3600000000")
    assert (await sessions.find("used")).is_old
    await sessions.renew("used", valid_s=60)
    assert not (await sessions.find("used")).is_old
    await sessions.end("used")
    assert await sessions.find("used") is None


async def test_a_session_ends_with_the_tokens_of_its_generation(storage, user_id):
    await storage.sessions.add("first", user_id, generation=0, valid_s=60)
    await storage.accounts.refuse_tokens(user_id)
    assert await storage.sessions.find("first") is None
    await storage.sessions.add("late", user_id, generation=0, valid_s=60)
    assert await storage.sessions.find("late") is None
    await storage.sessions.add("second", user_id, generation=1, valid_s=60)
    assert (await storage.sessions.find("second")).user.id == user_id
    await storage.accounts.set_disabled(user_id, is_disabled=True)
    assert await storage.sessions.find("second") is None


async def test_of_too_many_sessions_the_ones_used_last_stay(storage, user_id):
    for number in range(MOST_SESSIONS + 1):
        await storage.sessions.add(str(number), user_id, generation=0, valid_s=60)
    assert await storage.sessions.find("0") is None
    assert await storage.sessions.find("1")


async def test_a_guest_has_so_many_jobs_and_is_gone_with_them_after_a_day(
    storage, new_job, run_sql
):
    guest = await storage.guests.add("192.0.2.1")
    assert guest.is_guest
    for _ in range(GUEST_JOBS):
        await storage.jobs.submit(replace(new_job(), user_id=guest.id), max_pending=9)
    with pytest.raises(NotAllowed, match="three genomes"):
        await storage.jobs.submit(replace(new_job(), user_id=guest.id), max_pending=9)
    await storage.sessions.add("tab", guest.id, generation=0, valid_s=60)
    assert await storage.accounts.account_by_email(guest.email) is None
    assert await storage.delete_expired_guests() == 0
    await run_sql("UPDATE users SET guest_until = guest_until - 86400000001")
    assert await storage.accounts.user(guest.id) is None
    assert await storage.sessions.find("tab") is None
    assert await storage.delete_expired_guests() == 1
    left = "(SELECT count(*) FROM users WHERE guest_until > 0), (SELECT count(*) FROM sessions)"
    rows = await run_sql(f"SELECT count(*), {left} FROM jobs")  # noqa: S608 - our own text
    assert [tuple(row) for row in rows] == [(0, 0, 0)]


async def test_guests_of_one_address_are_limited_also_when_they_come_at_once(storage):
    come = [storage.guests.add("192.0.2.1") for _ in range(GUESTS_OF_ADDRESS + 2)]
    came = await asyncio.gather(*come, return_exceptions=True)
    assert sum(isinstance(one, TooManyRequests) for one in came) == 2
    assert await storage.guests.add("192.0.2.2")


async def test_a_guest_becomes_an_account_whose_address_nobody_has(storage, user_id):
    taken = (await storage.accounts.account(user_id)).user.email
    guest = await storage.guests.add("192.0.2.1")
    await storage.sessions.add("tab", guest.id, generation=0, valid_s=60)
    assert await storage.guests.keep(User(guest.id, taken.upper(), "", ""), "hash") is None
    kept = await storage.guests.keep(User(guest.id, "new@example.org", "N", ""), "hash")
    assert kept == User(guest.id, "new@example.org", "N", "")
    assert await storage.sessions.find("tab") is None
    assert await storage.accounts.user(guest.id, generation=1) == kept
    assert (await storage.accounts.account_by_email("New@example.org")).user == kept
