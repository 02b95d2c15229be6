"""How often, and after which wait, a source is asked again."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from random import SystemRandom

from tenacity import AsyncRetrying, RetryCallState, retry_if_result

from genint.databases.download.http import DownloadFailure, FailureKind

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
            that asks for more is given up at once.
        connect_timeout_s: Longest time to connect.
        head_timeout_s: Longest time from asking to the whole head of an answer.
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
    """Attempts at one source of a file: new bytes make it patient again."""

    def __init__(
        self,
        policy: RetryPolicy,
        sleep: Callable[[float], Awaitable[None]],
        size: int,
        tell: Callable[[str], None],
    ) -> None:
        """Begin with what is there already.

        Args:
            policy: Limits.
            sleep: How to wait.
            size: Bytes that are there.
            tell: Told, in words that follow the name of the source, before each wait.
        """
        self._policy = policy
        self._sleep = sleep
        self._tell = tell
        self._best = size
        self._has_given = False
        self._fruitless = 0
        self._began_at = 0.0

    async def insist(
        self, attempt: Callable[[], Awaitable[DownloadFailure | None]]
    ) -> DownloadFailure | None:
        """Repeat an attempt while that is worth it; its last result."""
        retrying = AsyncRetrying(
            retry=retry_if_result(self._is_worth_another),
            before=self._begin,
            before_sleep=self._say,
            stop=self._is_enough,
            wait=self._wait_s,
            sleep=self._sleep,
            retry_error_callback=_result_of,
        )
        result: DownloadFailure | None = await retrying(attempt)
        return result

    def note(self, size: int) -> None:
        """Note how many bytes are there after an attempt."""
        gained = size - self._best
        needed = (time.monotonic() - self._began_at) * self._policy.slowest_bytes_per_s
        self._has_given |= gained > 0
        self._fruitless = 0 if gained > 0 and gained >= needed else self._fruitless + 1
        self._best = max(self._best, size)

    def _begin(self, _: RetryCallState) -> None:
        self._began_at = time.monotonic()

    def _say(self, state: RetryCallState) -> None:
        """Say what is wrong and what is done about it."""
        setback, action = _result_of(state), state.next_action
        if setback is None or action is None:
            return
        wait = f" in {action.sleep:.0f} s" if action.sleep >= 1 else ""
        times = f"{self._fruitless + 1} of {self._most}"
        self._tell(f"{setback.reason}, trying again{wait} ({times})")

    @property
    def _most(self) -> int:
        """Attempts in a row that may bring next to nothing."""
        policy = self._policy
        if self._has_given:
            return policy.attempts
        return min(policy.attempts, policy.attempts_without_a_byte)

    def _is_enough(self, state: RetryCallState) -> bool:
        is_last = state.attempt_number >= self._policy.most_attempts
        return is_last or self._fruitless >= self._most

    def _is_worth_another(self, setback: DownloadFailure | None) -> bool:
        if setback is None or setback.kind is not FailureKind.AGAIN:
            return False
        return (setback.retry_after_s or 0.0) <= self._policy.longest_retry_after_s

    def _wait_s(self, state: RetryCallState) -> float:
        """Seconds until the next attempt: what the server asks for, else ever longer."""
        policy, setback = self._policy, _result_of(state)
        if setback is not None and setback.retry_after_s is not None:
            return setback.retry_after_s
        doublings = min(max(self._fruitless - 1, 0), _MOST_DOUBLINGS)
        wait_s: float = min(policy.first_wait_s * 2**doublings, policy.longest_wait_s)
        return wait_s * _CHANCE.uniform(0.5, 1.0)


def _result_of(state: RetryCallState) -> DownloadFailure | None:
    result: DownloadFailure | None = state.outcome.result() if state.outcome is not None else None
    return result
