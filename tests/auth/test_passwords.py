from __future__ import annotations

import asyncio
import threading
import unicodedata

import argon2
import pytest

from genint.auth import MEMORY_KIB, PARALLELISM, PASSES, PasswordHasher
from genint.errors import BusyError

WEAKER = argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
SLOW = argon2.PasswordHasher(time_cost=20, memory_cost=19_456, parallelism=1)


@pytest.fixture(scope="module")
def slow_hash():
    """A hash that takes a third of a second to verify."""
    return SLOW.hash("anything")


@pytest.fixture
def hasher():
    made = PasswordHasher()
    yield made
    made.close()


async def test_the_right_password_is_right_and_another_is_not(hasher):
    stored = await hasher.hash("correct horse")
    assert await hasher.verify("correct horse", stored) == (True, False)
    assert await hasher.verify("correct horsf", stored) == (False, False)


async def test_a_hash_is_argon2id_with_the_stated_parameters_and_a_salt(hasher):
    first, second = await hasher.hash("same"), await hasher.hash("same")
    assert first.startswith(f"$argon2id$v=19$m={MEMORY_KIB},t={PASSES},p={PARALLELISM}$")
    assert (MEMORY_KIB, PASSES, PARALLELISM) == (19_456, 2, 1)
    assert first != second


async def test_a_hash_with_other_parameters_is_right_and_is_to_be_renewed(hasher):
    old = WEAKER.hash("correct horse")
    assert await hasher.verify("correct horse", old) == (True, True)
    assert await hasher.verify("wrong", old) == (False, False)


@pytest.mark.parametrize("password", ["", "secret", "x" * 128])
async def test_without_an_account_no_password_is_right(hasher, password):
    assert await hasher.verify(password, None) == (False, False)


@pytest.mark.parametrize("stored", ["", "junk", "$argon2id$v=19$m=8", "$2b$12$" + "a" * 53])
async def test_a_damaged_hash_lets_nobody_in(hasher, stored):
    assert await hasher.verify("junk", stored) == (False, False)


@pytest.mark.parametrize(
    "password",
    ["p" * 128, " leading and trailing ", "nul\0inside", "\ud800 lone surrogate", "\U0001f9ec" * 8],
    ids=["128 letters", "blanks", "NUL", "surrogate", "emoji"],
)
async def test_every_character_of_a_password_counts(hasher, password):
    stored = await hasher.hash(password)
    assert (await hasher.verify(password, stored)).is_right
    assert not (await hasher.verify(password[:-1], stored)).is_right
    assert not (await hasher.verify(password + "x", stored)).is_right


async def test_an_accent_is_the_same_accent_however_it_was_typed(hasher):
    stored = await hasher.hash(unicodedata.normalize("NFC", "gen\u00e9tica"))
    assert (await hasher.verify(unicodedata.normalize("NFD", "gen\u00e9tica"), stored)).is_right


async def test_who_comes_when_too_many_wait_is_told_when_to_come_back(slow_hash):
    hasher = PasswordHasher(threads=1, most_waiting=2)
    waiting = [asyncio.create_task(hasher.verify("x", slow_hash)) for _ in range(3)]
    await asyncio.sleep(0)  # lets them queue
    with pytest.raises(BusyError) as refused:
        await hasher.verify("x", slow_hash)
    assert refused.value.retry_after_s >= 1
    assert [found.is_right for found in await asyncio.gather(*waiting)] == [False] * 3
    assert not (await hasher.verify("x", None)).is_right  # there is room again
    hasher.close()


async def test_a_waiter_that_gives_up_frees_its_place_and_is_not_computed(slow_hash):
    hasher = PasswordHasher(threads=1, most_waiting=1)
    running = asyncio.create_task(hasher.verify("anything", slow_hash))
    waiting = asyncio.create_task(hasher.verify("x", slow_hash))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert not (await hasher.verify("x", None)).is_right
    assert (await running).is_right
    hasher.close()


async def test_cancelling_what_is_being_computed_frees_its_place_when_it_has_ended(slow_hash):
    hasher = PasswordHasher(threads=1, most_waiting=0)
    running = asyncio.create_task(hasher.verify("x", slow_hash))
    await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    async with asyncio.timeout(20):
        while True:
            try:
                found = await hasher.verify("x", None)
            except BusyError:
                await asyncio.sleep(0.005)  # the thread is still at it
            else:
                break
    assert not found.is_right
    hasher.close()


async def test_closing_answers_who_waits_with_busy(slow_hash):
    hasher = PasswordHasher(threads=1)
    tasks = [asyncio.create_task(hasher.verify("anything", slow_hash)) for _ in range(4)]
    await asyncio.sleep(0)
    await asyncio.to_thread(hasher.close)
    outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    answered = [outcome for outcome in outcomes if not isinstance(outcome, BusyError)]
    # What was being computed is answered; on a busy machine the second may have begun by then.
    assert answered in ([(True, True)], [(True, True)] * 2)
    with pytest.raises(BusyError):
        await hasher.hash("later")


async def test_no_more_than_two_hashes_are_computed_at_a_time(hasher):
    peak = 0

    def password_threads():
        return sum(thread.name.startswith("genint-password") for thread in threading.enumerate())

    tasks = [asyncio.create_task(hasher.verify("x", None)) for _ in range(8)]
    while not all(task.done() for task in tasks):
        peak = max(peak, password_threads())
        await asyncio.sleep(0.002)
    assert peak == 2
