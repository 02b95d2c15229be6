"""A call sent again and again, as long as that is worth it and polite."""

from __future__ import annotations

from collections.abc import Callable

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, wait_exponential
from yarl import URL

from genint.online.hosts import Policy
from genint.online.lane import Lane
from genint.online.ports import Call, Reply
from genint.online.sending import Sender
from genint.online.setbacks import Blame, Setback


class Insistence:
    """The attempts of one call.

    Attributes:
        attempts: Requests sent so far.
        last: Why the last of them brought nothing; None while nothing went wrong.
    """

    def __init__(  # noqa: PLR0913 - a call and all that limits it
        self,
        lane: Lane,
        sender: Sender,
        policy: Policy,
        call: Call,
        url: URL,
        *,
        ends_at_s: float,
        chance: Callable[[], float],
    ) -> None:
        """Prepare a call.

        Args:
            lane: The way to its server.
            sender: Sends requests.
            policy: Limits.
            call: What is asked.
            url: Where.
            ends_at_s: When the run ends, on the clock of the lane.
            chance: Gives numbers from 0 to 1.
        """
        self.attempts = 0
        self.last: Setback | None = None
        self._lane = lane
        self._sender = sender
        self._policy = policy
        self._call = call
        self._url = url
        self._ends_at_s = ends_at_s
        self._chance = chance
        self._spent_s = 0.0

    async def ask(self, on_sent: Callable[[int], None]) -> Reply:
        """Send the call until it is answered or that is not worth it any more.

        Args:
            on_sent: Told the number of each attempt, from 1.

        Raises:
            Setback: it was not answered; ``words`` says why.
            Closed: the server is not asked now.
        """

        async def attempt() -> Reply:
            async with self._lane.turn(self._ends_at_s):
                self.attempts += 1
                on_sent(self.attempts)
                return await self._attempt()

        retrying = AsyncRetrying(
            retry=retry_if_exception(self._is_worth_another),
            wait=self._wait_s,
            sleep=self._lane.sleep,
            reraise=True,
        )
        try:
            async with self._lane.place():
                reply: Reply = await retrying(attempt)
        except Setback as setback:
            self._note_lost(setback)
            raise
        self._lane.note_answer()
        return reply

    def note_out_of_time(self) -> None:
        """Note that the run's time ended before an answer came.

        That is the server's fault only where it was silent for long: runs may be short.
        """
        if self._spent_s >= self._lane.limits.total_s / 2:
            self._lane.note_lost("no answer")

    @property
    def words(self) -> str:
        """Why there is no answer."""
        if self.last is None:
            return ""
        if self.last.retry_after_s is not None and (
            pause := self._lane.reason_not_to_wait(self._ends_at_s)
        ):
            return pause
        if self._left_s <= 0:
            return f"no answer within {self._lane.limits.total_s:,.0f} s"
        if not self.last.is_worth_another:
            return self.last.reason
        return f"{self.last.reason} after {self.attempts} attempt{'s'[: self.attempts > 1]}"

    @property
    def _left_s(self) -> float:
        return self._lane.limits.total_s - self._spent_s

    async def _attempt(self) -> Reply:
        lane, began_at_s = self._lane, self._lane.now_s
        try:
            return await self._sender.send(self._call, self._url, self._left_s)
        except Setback as setback:
            self.last = setback
            if setback.retry_after_s is not None:
                lane.pause(setback.retry_after_s, setback.reason)
            if setback.blame is Blame.CONNECTION:
                lane.note_unconnected(setback.reason)
            else:
                lane.breaker.note_connected()
            raise
        finally:
            self._spent_s += lane.now_s - began_at_s

    def _note_lost(self, setback: Setback) -> None:
        if setback.blame is Blame.NONE:
            self._lane.note_answer()
        else:
            self._lane.note_lost(self.words)

    def _is_worth_another(self, problem: BaseException) -> bool:
        return (
            isinstance(problem, Setback)
            and problem.is_worth_another
            and self.attempts < self._lane.limits.attempts
            and self._left_s > 0
            and self._lane.reason_not_to_ask(self._ends_at_s) is None
        )

    def _wait_s(self, state: RetryCallState) -> float:
        """Full jitter: anything from nothing to an ever longer wait."""
        policy = self._policy
        longest = wait_exponential(multiplier=policy.first_wait_s, max=policy.longest_wait_s)
        return self._chance() * longest(state)
