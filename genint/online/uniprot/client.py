"""Requests to UniProt: pages, their links, and the release that each answer is of."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Final, NamedTuple

from genint.http_errors import RequestFailed
from genint.online.client import RunClient
from genint.online.identifiers import is_release
from genint.online.protocol import Host, JsonValue, MalformedResponse, Request, Response
from genint.online.request import parsed

_ACCEPTED: Final = frozenset({HTTPStatus.OK.value, HTTPStatus.BAD_REQUEST.value})
_MAX_TERMS: Final = 50
"""A query with more alternatives is refused (since June 2025)."""
_MAX_RECORDS: Final = 500
"""Of a page: no request wants more, and the server gives no more."""
_NEXT: Final = re.compile(r"<([^<>]+)>\s*;\s*rel=\"?next\"?", re.IGNORECASE)
_TOTAL: Final = re.compile("[0-9]{1,12}")
_LONGEST_MESSAGE: Final = 200

Wait = Callable[[float], Awaitable[None]]
"""Waits so many seconds."""


class UniProtResponse(NamedTuple):
    """An answer, parsed.

    Attributes:
        request: What it answers.
        status: 200, 400, or another that the request accepts.
        body: The JSON object; empty where there is none and none was needed.
        release: That the answer is of; None where it does not say.
        total: Results on all pages; None where it does not say.
        link: To the next page; None on the last one.
    """

    request: Request
    status: int
    body: Mapping[str, JsonValue]
    release: str | None
    total: int | None
    link: str | None

    @property
    def results(self) -> list[JsonValue]:
        """Records of a page.

        Raises:
            MalformedResponse: it is no page, or has more records than a page can have.
        """
        found = self.body.get("results")
        if not isinstance(found, list) or len(found) > _MAX_RECORDS:
            raise MalformedResponse
        return found

    @property
    def message(self) -> str:
        """What the server says of a request that it refused; may be empty."""
        found = self.body.get("messages")
        texts = [one for one in found if isinstance(one, str)] if isinstance(found, list) else []
        return " ".join(" ".join(texts).split())[:_LONGEST_MESSAGE]

    def refusal(self) -> RequestFailed:
        """The failure of a request that the server does not accept."""
        message = self.message
        return RequestFailed(
            f"{self.status}: {message}" if message else f"{self.status}",
            may_retry=False,
            status=self.status,
            message=message,
        )


class UniProtClient:
    """Sends the requests of one run to UniProt.

    Attributes:
        left: Requests that the run may still send, retries not counted; set by who plans them.
        release: Of the first answer that named one; None before.
        max_terms: Alternatives of one query; fewer once the server has refused more.
        wait: Between two looks at a job.
    """

    def __init__(self, client: RunClient, wait: Wait = asyncio.sleep) -> None:
        self._client = client
        self._without_fields: set[str] = set()
        self.left = 0
        self.release: str | None = None
        self.max_terms = _MAX_TERMS
        self.wait = wait

    async def send(self, request: Request) -> UniProtResponse:
        """Send a request.

        Raises:
            RequestFailed: it brought no answer, or one that cannot be read.
        """
        self.left -= 1
        return await self._read(request, await self._client.send(request))

    async def page(self, path: str, *params: tuple[str, str], fields: str = "") -> UniProtResponse:
        """The first page of an answer.

        Args:
            path: Below the server's base address.
            params: Of the query.
            fields: Parts that records shall have; left out where the server does not know them.

        Raises:
            RequestFailed: as for :meth:`send`; status 400 where the server refused the request.
        """
        wanted = "" if path in self._without_fields else fields
        query = (*params, ("fields", wanted)) if wanted else params
        answer = await self.send(Request(Host.UNIPROT, path, params=query, accepts=_ACCEPTED))
        if answer.status == HTTPStatus.OK:
            return answer
        if wanted and "fields" in answer.message.lower():
            return await self.page_without_fields(path, *params)
        raise answer.refusal()

    async def page_without_fields(self, path: str, *params: tuple[str, str]) -> UniProtResponse:
        """The same with whole records, from now on too: the names of their parts are others."""
        self._without_fields.add(path)
        return await self.page(path, *params)

    async def next_page(self, page: UniProtResponse) -> UniProtResponse | None:
        """The page after one; None after the last.

        Raises:
            RequestFailed: as for :meth:`send`, or the link leads elsewhere.
        """
        if page.link is None:
            return None
        self.left -= 1
        answer = await self._read(page.request, await self._client.follow(page.request, page.link))
        if answer.status != HTTPStatus.OK:
            raise answer.refusal()
        return answer

    def is_too_wide(self, failure: RequestFailed, terms: int) -> bool:
        """Whether a query was refused for its alternatives; later ones then have fewer."""
        is_refused = failure.status == HTTPStatus.BAD_REQUEST and "OR conditions" in failure.message
        if not is_refused or terms <= 1:
            return False
        self.max_terms = min(self.max_terms, terms // 2)
        return True

    async def _read(self, request: Request, answer: Response) -> UniProtResponse:
        named = answer.headers.get("x-uniprot-release", "").strip()
        release = named if is_release(named) else None
        self.release = self.release or release
        total = _TOTAL.fullmatch(answer.headers.get("x-total-results", "").strip())
        link = _NEXT.search(answer.headers.get("link", ""))
        return UniProtResponse(
            request=request,
            status=answer.status,
            body=await _object(answer),
            release=release,
            total=int(total[0]) if total else None,
            link=link[1] if link else None,
        )


async def _object(answer: Response) -> Mapping[str, JsonValue]:
    """The body as an object; of other statuses than 200 it may be anything."""
    try:
        body = await parsed(answer.body)
    except MalformedResponse:
        body = None
    if isinstance(body, dict):
        return body
    if answer.status == HTTPStatus.OK:
        raise MalformedResponse
    return {}
