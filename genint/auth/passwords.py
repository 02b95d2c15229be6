"""Password hashes: argon2id, in threads of its own, with a bounded queue.

A hash costs some 30 ms of a core and 19 MiB on purpose. Beside the event loop, two at
a time, a flood of logins can neither freeze the service nor fill its memory; when too many
wait, others get BusyError.
"""

from __future__ import annotations

import asyncio
import math
import secrets
import threading
import unicodedata
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import NamedTuple, TypeVar

import argon2
from argon2.exceptions import Argon2Error, InvalidHashError, VerifyMismatchError

from genint.errors import BusyError

MEMORY_KIB = 19_456
PASSES = 2
PARALLELISM = 1
"""Floor of the OWASP Password Storage Cheat Sheet for argon2id (RFC 9106)."""

_HASH_S = 0.05
"""Rough duration of one hash, for Retry-After."""

_Value = TypeVar("_Value")


class Verified(NamedTuple):
    """Outcome of comparing a password with a hash.

    Attributes:
        is_right: The password is the one that was hashed.
        needs_rehash: It is right, and its hash was made with other parameters than
            today's: hash it again and store that.
    """

    is_right: bool
    needs_rehash: bool


class PasswordHasher:
    """Hashes and verifies passwords off the event loop.

    Making one takes as long as one hash. Passwords are compared after Unicode
    normalisation NFC (RFC 8265, section 4.2), so an accent typed on another keyboard
    is the same accent; nothing else of them is changed or cut.

    Args:
        threads: How many hashes are computed at a time.
        most_waiting: How many more may wait for their turn.
    """

    def __init__(self, *, threads: int = 2, most_waiting: int = 200) -> None:
        self._argon2 = argon2.PasswordHasher(
            time_cost=PASSES, memory_cost=MEMORY_KIB, parallelism=PARALLELISM
        )
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix="genint-password")
        self._threads = threads
        self._most = threads + most_waiting
        self._under_way = 0
        self._counting = threading.Lock()
        self._dummy = self._argon2.hash(secrets.token_bytes(32))

    async def hash(self, password: str) -> str:
        """Hash of a new password, with its parameters and salt in it.

        Raises:
            BusyError: too many wait already, or the hasher is closed.
        """
        return await self._run(lambda: self._argon2.hash(_content(password)))

    async def verify(self, password: str, password_hash: str | None) -> Verified:
        """Compare a password with a hash.

        Args:
            password: As it was sent.
            password_hash: The stored one; None where there is no such account. That
                takes as long as a wrong password, so the time does not reveal which accounts exist.

        Raises:
            BusyError: too many wait already, or the hasher is closed.
        """
        return await self._run(lambda: self._verified(_content(password), password_hash))

    def close(self) -> None:
        """Cancel what waits (with BusyError) and wait for what is being computed."""
        self._executor.shutdown(wait=True, cancel_futures=True)

    def _verified(self, password: bytes, password_hash: str | None) -> Verified:
        known = self._dummy if password_hash is None else password_hash
        try:
            argon2.extract_parameters(known)  # a damaged hash is no lack of memory
            self._argon2.verify(known, password)
        except (VerifyMismatchError, InvalidHashError):
            return Verified(is_right=False, needs_rehash=False)
        if password_hash is None:
            return Verified(is_right=False, needs_rehash=False)
        return Verified(is_right=True, needs_rehash=self._argon2.check_needs_rehash(known))

    async def _run(self, work: Callable[[], _Value]) -> _Value:
        future = self._submitted(work)
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if future.cancelled() and task is not None and not task.cancelling():
                # It was not the caller who gave up: close() dropped what waited.
                raise self._busy("The service is stopping") from None
            raise
        except Argon2Error as cause:
            raise self._busy("No memory for hashing a password") from cause

    def _submitted(self, work: Callable[[], _Value]) -> Future[_Value]:
        with self._counting:
            if self._under_way >= self._most:
                raise self._busy("Too many logins at once")
            self._under_way += 1
        try:
            future = self._executor.submit(work)
        except RuntimeError as cause:
            self._leave()
            raise self._busy("The service is stopping") from cause
        # Also called where a waiter is cancelled, and then its place is free at once.
        future.add_done_callback(self._leave)
        return future

    def _leave(self, _: object = None) -> None:
        with self._counting:
            self._under_way -= 1

    def _busy(self, message: str) -> BusyError:
        wait_s = math.ceil(self._most / self._threads * _HASH_S)
        return BusyError(message, retry_after_s=wait_s)


def _content(password: str) -> bytes:
    # A lone surrogate, which JSON can hold, is a character as good as any other here.
    return unicodedata.normalize("NFC", password).encode("utf-8", "surrogatepass")
