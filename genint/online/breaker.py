"""When a server counts as down, and when it is tried again."""

from __future__ import annotations

from genint.online.hosts import Policy


class Breaker:
    """What is known of a server's health, shared by all runs of a process.

    Times are seconds of one clock that never goes back.
    """

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._lost = 0
        self._unconnected = 0
        self._cool_down_s = policy.cool_down_s
        self._probe_at_s = 0.0
        self._is_probed = False
        self.reason: str | None = None
        """Why the server counts as down; None where it does not."""

    def note_answer(self) -> None:
        """It answered: it is up."""
        self._lost = self._unconnected = 0
        self._cool_down_s = self._policy.cool_down_s
        self.reason = None

    def note_connected(self) -> None:
        """It could be connected to, whatever it said."""
        self._unconnected = 0

    def note_unconnected(self, reason: str, now_s: float) -> None:
        """An attempt to connect failed."""
        self._unconnected += 1
        if self._unconnected >= self._policy.unconnected_in_a_row:
            self._open(f"{reason} after {self._unconnected} attempts", now_s)

    def note_lost(self, reason: str, now_s: float) -> None:
        """A call was lost after all its attempts."""
        self._lost += 1
        if self._lost >= self._policy.lost_in_a_row:
            self._open(reason, now_s)

    def begins_probe(self, now_s: float) -> bool:
        """Whether it is time to look; True once, until the outcome is noted."""
        if self.reason is None or self._is_probed or now_s < self._probe_at_s:
            return False
        self._is_probed = True
        return True

    def note_probe(self, *, is_up: bool, now_s: float) -> None:
        """Note the outcome of a probe."""
        self._is_probed = False
        if is_up:
            # The cool-down is forgotten with the first call that is answered, not here: a
            # server that answers nothing but probes is left alone longer each time.
            self._lost = self._unconnected = 0
            self.reason = None
        self._cool_down_s = min(2 * self._cool_down_s, self._policy.longest_cool_down_s)
        self._probe_at_s = now_s + self._cool_down_s

    def _open(self, reason: str, now_s: float) -> None:
        if self.reason is None:
            self._probe_at_s = now_s + self._cool_down_s
            self.reason = reason
