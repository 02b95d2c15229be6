"""Proteins asked about by the hundred."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from http import HTTPStatus
from typing import Final

from genint.online.interpro.answers import Batch, read_matches
from genint.online.interpro.releases import Releases
from genint.online.ports import Call, Caller, CallLost, Host, MalformedAnswer
from genint.online.turns import in_turns

_MOST: Final = 100
"""More are refused (since 0.5 of the service)."""
_FEWEST: Final = 6
"""Where so few are refused it is not for their number."""
_AT_ONCE: Final = 4
_TOO_MANY: Final = frozenset(
    {HTTPStatus.UNPROCESSABLE_ENTITY.value, HTTPStatus.REQUEST_ENTITY_TOO_LARGE.value}
)


class Batches:
    """What came of asking.

    Attributes:
        read: Answers, in the order in which they came.
        lost: MD5 -> why nothing came.
    """

    def __init__(self, caller: Caller, releases: Releases) -> None:
        self._caller = caller
        self._releases = releases
        self._most = _MOST
        self._refused: CallLost | None = None
        self.read: list[Batch] = []
        self.lost: dict[str, CallLost] = {}

    async def ask(self, md5s: Sequence[str]) -> None:
        """Ask about proteins, each once.

        Cost: a request for 100; 600 kB each.
        """
        await in_turns(md5s, lambda: self._most, self._ask_batch, at_once=_AT_ONCE)

    async def _ask_batch(self, batch: Sequence[str]) -> bool:
        if self._refused is not None:
            self.lost.update(dict.fromkeys(batch, self._refused))
            return True
        call = Call(Host.INTERPRO, "/matches", method="POST", json={"md5": list(batch)})
        try:
            reply = await self._caller.call(call)
            answer = await asyncio.to_thread(read_matches, reply.body, batch)
        except MalformedAnswer:
            unread = CallLost("the answer could not be read", was_tried=True)
            self.lost.update(dict.fromkeys(batch, unread))
            return True
        except CallLost as lost:
            return self._is_done(batch, lost)
        self.read.append(answer)
        await self._releases.notice(answer.versions)
        return True

    def _is_done(self, batch: Sequence[str], lost: CallLost) -> bool:
        """Whether a batch that was lost is not to be asked for again in smaller ones."""
        if lost.status in _TOO_MANY and len(batch) > _FEWEST:
            self._most = min(self._most, len(batch) // 2)
            return False
        if lost.status in _TOO_MANY:
            self._refused = CallLost(lost.reason, was_tried=False, status=lost.status)
        self.lost.update(dict.fromkeys(batch, lost))
        return True
