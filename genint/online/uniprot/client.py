"""Calls to UniProt: sent, read, and the release noted that each answer is of."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Final, NamedTuple

from genint.online.identifiers import is_release
from genint.online.protocol import (
    Caller,
    Host,
    JsonValue,
    MalformedResponse,
    Request,
    RequestLost,
    Response,
)
from genint.online.request import parsed

_ANSWERED: Final = frozenset({HTTPStatus.OK.value, HTTPStatus.BAD_REQUEST.value})
_TERMS: Final = 50
"""A query with more alternatives is refused (since June 2025)."""
_MOST_RECORDS: Final = 500
"""Of a page: no call asks for more, and the server gives no more."""
_NEXT: Final = re.compile(r"<([^<>]+)>\s*;\s*rel=\"?next\"?", re.IGNORECASE)
_TOTAL: Final = re.compile("[0-9]{1,12}")
_LONGEST_MESSAGE: Final = 200

Wait = Callable[[float], Awaitable[None]]
"""Waits so many seconds."""


class UniProtResponse(NamedTuple):
    """A reply, read.

    Attributes:
        call: What was asked.
        status: 200, 400, or another that the call accepts.
        body: The JSON object; empty where there is none and none was needed.
        release: That the answer is of; None where it does not say.
        total: Results on all pages; None where it does not say.
        link: To the next page; None on the last one.
    """

    call: Request
    status: int
    body: Mapping[str, JsonValue]
    release: str | None
    total: int | None
    link: str | None

    @property
    def results(self) -> list[JsonValue]:
        """Records of a page.

        Raises:
            CallLost: it is none, or has more records than a page can have.
        """
        found = self.body.get("results")
        if not isinstance(found, list) or len(found) > _MOST_RECORDS:
            raise unreadable()
        return found

    @property
    def message(self) -> str:
        """The server's own words about a call that it refused; empty where it has none."""
        told = self.body.get("messages")
        words = [one for one in told if isinstance(one, str)] if isinstance(told, list) else []
        return " ".join(" ".join(words).split())[:_LONGEST_MESSAGE]


class UniProtClient:
    """What one run asks UniProt.

    Attributes:
        calls: Sent so far, without the client's retries.
        releases: Release -> its date, in the order in which they were met.
        most_terms: Alternatives of one query; fewer once the server has refused more.
        wait: Between two looks at a job.
    """

    def __init__(self, caller: Caller, wait: Wait = asyncio.sleep) -> None:
        self._caller = caller
        self._without_fields: set[str] = set()
        self.calls = 0
        self.releases: dict[str, str] = {}
        self.most_terms = _TERMS
        self.wait = wait

    async def ask(self, call: Request) -> UniProtResponse:
        """Send a call.

        Raises:
            CallLost: it brought no answer, or one that cannot be read.
        """
        self.calls += 1
        return await self._read(call, await self._caller.call(call))

    async def page(self, path: str, *params: tuple[str, str], fields: str = "") -> UniProtResponse:
        """The first page of an answer.

        Args:
            path: Below the server's base address.
            params: Of the query.
            fields: Parts that records shall have; left out where the server does not know them.

        Raises:
            CallLost: as for :meth:`ask`; status 400 where the server refused the call.
        """
        wanted = "" if path in self._without_fields else fields
        asked = (*params, ("fields", wanted)) if wanted else params
        answer = await self.ask(Request(Host.UNIPROT, path, params=asked, accepts=_ANSWERED))
        if answer.status == HTTPStatus.OK:
            return answer
        if wanted and "fields" in answer.message.lower():
            return await self.page_without_fields(path, *params)
        raise refused(answer)

    async def page_without_fields(self, path: str, *params: tuple[str, str]) -> UniProtResponse:
        """The same with whole records, from now on too: the names of their parts are others."""
        self._without_fields.add(path)
        return await self.page(path, *params)

    async def next_page(self, page: UniProtResponse) -> UniProtResponse | None:
        """The page after one; None after the last.

        Raises:
            CallLost: as for :meth:`ask`, or the link leads elsewhere.
        """
        if page.link is None:
            return None
        self.calls += 1
        answer = await self._read(page.call, await self._caller.follow(page.call, page.link))
        if answer.status != HTTPStatus.OK:
            raise refused(answer)
        return answer

    def is_too_wide(self, lost: RequestLost, terms: int) -> bool:
        """Whether a query was refused for its alternatives; later ones then have fewer."""
        said = lost.status == HTTPStatus.BAD_REQUEST and "OR conditions" in lost.message
        if not said or terms <= 1:
            return False
        self.most_terms = min(self.most_terms, terms // 2)
        return True

    async def _read(self, call: Request, reply: Response) -> UniProtResponse:
        release = reply.headers.get("x-uniprot-release", "").strip()
        if is_release(release):
            self.releases.setdefault(release, reply.headers.get("x-uniprot-release-date", ""))
        total = _TOTAL.fullmatch(reply.headers.get("x-total-results", "").strip())
        link = _NEXT.search(reply.headers.get("link", ""))
        return UniProtResponse(
            call=call,
            status=reply.status,
            body=await _object(reply),
            release=release if is_release(release) else None,
            total=int(total[0]) if total else None,
            link=link[1] if link else None,
        )


def unreadable() -> RequestLost:
    """What is lost by an answer that is not what the service's documents promise."""
    return RequestLost("the answer could not be read", was_tried=True)


def refused(answer: UniProtResponse) -> RequestLost:
    """What is lost by a call that the server does not accept."""
    words = f": {answer.message}" if answer.message else ""
    return RequestLost(
        f"{answer.status}{words}", was_tried=True, status=answer.status, message=answer.message
    )


async def _object(reply: Response) -> Mapping[str, JsonValue]:
    """The body as an object; of other statuses than 200 it may be anything."""
    try:
        body = await parsed(reply.body)
    except MalformedResponse:
        body = None
    if isinstance(body, dict):
        return body
    if reply.status == HTTPStatus.OK:
        raise unreadable()
    return {}
