"""Which release of InterPro answers are of.

Answers do not name their release, only the versions of the libraries that were matched. So it
is asked for first; and where a version is not the one that was told, a release has come out
meanwhile, and it is asked for once more.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from http import HTTPStatus

from genint.online.interpro.answers import Info, read_info
from genint.online.ports import Call, Caller, CallLost, Host, MalformedAnswer

UNKNOWN = ""
"""Stands for the release where the service does not tell it."""


class Releases:
    """What a run learns of the release.

    Attributes:
        told: What the service said of itself, each release once, in order.
        lost: Why it could not be asked; None where it answered, be it without saying.
    """

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._again = asyncio.Lock()
        self._was_asked_again = False
        self._is_doubtful = False
        self.told: list[Info] = []
        self.lost: CallLost | None = None

    @property
    def newest(self) -> str:
        """The release as it is now; empty where that is unknown."""
        return self.told[-1].release if self.told else UNKNOWN

    async def ask(self) -> None:
        """Ask for the release; where it is not told the run goes on without."""
        try:
            info = await self._info()
        except MalformedAnswer:
            return
        except CallLost as lost:
            # No document promises this address: that it is gone is an answer.
            if lost.status not in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE):
                self.lost = lost
            return
        self.told.append(info)

    async def _info(self) -> Info:
        reply = await self._caller.call(Call(Host.INTERPRO, "/info"))
        return read_info(reply.body)

    async def notice(self, versions: Mapping[str, str]) -> None:
        """Look at the library versions of an answer, and ask again where they are not known.

        Cost: one request in a run.
        """
        async with self._again:
            if self._was_asked_again or not self.told or _agree(self.told[0], versions):
                return
            self._was_asked_again = True
            try:
                info = await self._info()
            except (CallLost, MalformedAnswer):
                self._is_doubtful = True
                return
            if info.release != self.told[0].release:
                self.told.append(info)

    def release_of(self, versions: Mapping[str, str]) -> str | None:
        """The release of an answer, once all have come.

        Returns:
            Empty where the service told none; None where it cannot be known which of two it is.
        """
        if not self.told:
            return UNKNOWN
        if len(self.told) == 1 and not self._is_doubtful:
            # Asked before and after, it was the same: so were the answers in between.
            return self.newest
        possible = [info.release for info in self.told if _agree(info, versions)]
        return possible[0] if len(possible) == 1 else None


def _agree(info: Info, versions: Mapping[str, str]) -> bool:
    return all(info.versions.get(library, one) == one for library, one in versions.items())
