"""How often, and after which wait, a source is asked again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from random import SystemRandom

from tenacity import AsyncRetrying, RetryCallState, retry_if_result

from genint.databases.answers import Setback, SetbackKind

_MOST_DOUBLINGS = 30
_CHANCE = SystemRandom()


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Limits of a download.

    Attributes:
        attempts: At how many attempts in a row without a new byte a source is given up.
        most_attempts: At how many attempts it is given up in any case.
        first_wait_s: Wait after the first failure; doubles with each that follows, and is
            shortened by up to a half at random.
        longest_wait_s: Longest such wait.
        longest_retry_after_s: Longest wait that a server is granted by ``Retry-After``.
        connect_timeout_s: Longest time to connect.
        stall_timeout_s: Longest silence of a server before the connection is given up.
        most_redirects: Of one request.
        connections: At the same time.
        largest_file_bytes: Size above which a file is refused.
    """

    attempts: int = 5
    most_attempts: int = 1000
    first_wait_s: float = 1.0
    longest_wait_s: float = 60.0
    longest_retry_after_s: float = 120.0
    connect_timeout_s: float = 30.0
    stall_timeout_s: float = 60.0
    most_redirects: int = 5
    connections: int = 3
    largest_file_bytes: int = 50_000_000_000


class Patience:
    """Attempts at one source of a file: new bytes make it patient again."""

    def __init__(
        self, policy: RetryPolicy, sleep: Callable[[float], Awaitable[None]], size: int
    ) -> None:
        """Begin with what is there already.

        Args:
            policy: Limits.
            sleep: How to wait.
            size: Bytes that are there.
        """
        self._policy = policy
        self._sleep = sleep
        self._best = size
        self._fruitless = 0

    async def insist(self, attempt: Callable[[], Awaitable[Setback | None]]) -> Setback | None:
        """Repeat an attempt while that is worth it; its last result."""
        retrying = AsyncRetrying(
            retry=retry_if_result(_is_worth_another),
            stop=self._is_enough,
            wait=self._wait_s,
            sleep=self._sleep,
            retry_error_callback=_result_of,
        )
        result: Setback | None = await retrying(attempt)
        return result

    def note(self, size: int) -> None:
        """Note how many bytes are there after an attempt."""
        self._fruitless = 0 if size > self._best else self._fruitless + 1
        self._best = max(self._best, size)

    def _is_enough(self, state: RetryCallState) -> bool:
        policy = self._policy
        return self._fruitless >= policy.attempts or state.attempt_number >= policy.most_attempts

    def _wait_s(self, state: RetryCallState) -> float:
        """Seconds until the next attempt: what the server asks for, else ever longer."""
        policy, setback = self._policy, _result_of(state)
        if setback is not None and setback.retry_after_s is not None:
            return min(setback.retry_after_s, policy.longest_retry_after_s)
        doublings = min(max(self._fruitless - 1, 0), _MOST_DOUBLINGS)
        wait_s: float = min(policy.first_wait_s * 2**doublings, policy.longest_wait_s)
        return wait_s * _CHANCE.uniform(0.5, 1.0)


def _is_worth_another(setback: Setback | None) -> bool:
    return setback is not None and setback.kind is SetbackKind.AGAIN


def _result_of(state: RetryCallState) -> Setback | None:
    result: Setback | None = state.outcome.result() if state.outcome is not None else None
    return result
