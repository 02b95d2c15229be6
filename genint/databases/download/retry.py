"""How often, and after which wait, a source is tried again."""

from __future__ import annotations

import time
from dataclasses import dataclass
from random import SystemRandom

from genint.http_errors import RequestFailed

_MOST_DOUBLINGS = 30
_CHANCE = SystemRandom()


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Limits of a download.

    Attributes:
        attempts: At how many attempts in a row that brought next to nothing a source is
            given up.
        attempts_without_a_byte: At how many attempts a source is given up that never gave
            a byte.
        most_attempts: At how many attempts it is given up in any case.
        first_wait_s: Wait after the first failure; doubles with each that follows, and is
            shortened by up to a half at random.
        longest_wait_s: Longest such wait.
        longest_retry_after_s: Longest wait that a server is granted by ``Retry-After``; one
            that wants more is given up at once.
        connect_timeout_s: Longest time to connect.
        head_timeout_s: Longest time from a request to the whole head of its answer.
        stall_timeout_s: Longest silence of a server before the connection is given up.
        slowest_bytes_per_s: Bytes a second below which a server is as good as silent.
        slow_window_s: Seconds over which they are counted.
        most_redirects: Of one request.
        connections: At the same time.
        largest_file_bytes: Size above which a file is refused.
    """

    attempts: int = 5
    attempts_without_a_byte: int = 3
    most_attempts: int = 1000
    first_wait_s: float = 1.0
    longest_wait_s: float = 60.0
    longest_retry_after_s: float = 60.0
    connect_timeout_s: float = 30.0
    head_timeout_s: float = 60.0
    stall_timeout_s: float = 30.0
    slowest_bytes_per_s: float = 1000.0
    slow_window_s: float = 60.0
    most_redirects: int = 5
    connections: int = 3
    largest_file_bytes: int = 50_000_000_000


class RetryState:
    """Attempts at one source of a file.

    An attempt that brought bytes, and not too slowly, starts the count anew.
    """

    def __init__(self, policy: RetryPolicy, size: int) -> None:
        """Begin the first attempt.

        Args:
            policy: Limits.
            size: Bytes that are there already.
        """
        self._policy = policy
        self._largest = size
        self._has_given = False
        self._attempts = 0
        self._fruitless = 0
        self._began_at = time.monotonic()

    def begin(self) -> None:
        """Begin another attempt."""
        self._began_at = time.monotonic()

    def wait_s(self, failure: RequestFailed, size: int) -> float | None:
        """Seconds until the next attempt: what the server wants, else ever longer.

        Args:
            failure: Of the attempt.
            size: Bytes that are there after it.

        Returns:
            None: the source is given up.
        """
        self._count(size)
        policy, wanted_s = self._policy, failure.retry_after_s
        is_last = self._attempts >= policy.most_attempts or self._fruitless >= self._allowed
        if is_last or not failure.may_retry or (wanted_s or 0.0) > policy.longest_retry_after_s:
            return None
        if wanted_s is not None:
            return wanted_s
        doublings = min(max(self._fruitless - 1, 0), _MOST_DOUBLINGS)
        wait_s: float = min(policy.first_wait_s * 2**doublings, policy.longest_wait_s)
        return wait_s * _CHANCE.uniform(0.5, 1.0)

    def __str__(self) -> str:
        """The next attempt among those that may bring next to nothing: ``2 of 3``."""
        return f"{self._fruitless + 1} of {self._allowed}"

    def _count(self, size: int) -> None:
        gained = size - self._largest
        needed = (time.monotonic() - self._began_at) * self._policy.slowest_bytes_per_s
        self._attempts += 1
        self._has_given |= gained > 0
        self._fruitless = 0 if gained > 0 and gained >= needed else self._fruitless + 1
        self._largest = max(self._largest, size)

    @property
    def _allowed(self) -> int:
        """Attempts in a row that may bring next to nothing."""
        policy = self._policy
        if self._has_given:
            return policy.attempts
        return min(policy.attempts, policy.attempts_without_a_byte)
