"""What is sent to online services and what comes back: hosts, requests, responses, batches."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, NamedTuple, TypeVar

from genint.http_errors import RequestFailed

JsonValue = None | bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"]
_T = TypeVar("_T")


class Host(StrEnum):
    """A server with limits of its own."""

    UNIPROT = "uniprot"
    """REST services of UniProt."""
    INTERPRO = "interpro"
    """Matches API of InterPro."""
    INTERPRO_GO = "interpro_go"
    """Where interpro2go is published."""


@dataclass(frozen=True, slots=True)
class ServiceAddresses:
    """Base addresses, without a slash at the end.

    Attributes:
        uniprot: REST services of UniProt.
        interpro: Matches API of InterPro.
        interpro_go: Folder that holds ``interpro2go``.
    """

    uniprot: str
    interpro: str
    interpro_go: str

    def base(self, host: Host) -> str:
        """Base address of a server."""
        return {
            Host.UNIPROT: self.uniprot,
            Host.INTERPRO: self.interpro,
            Host.INTERPRO_GO: self.interpro_go,
        }[host]


@dataclass(frozen=True, slots=True)
class Request:
    """One request; sending it twice does no harm.

    Attributes:
        host: Which server.
        path: Below the server's base address, with a leading slash; never made from what a
            genome file says without being checked.
        method: ``GET`` or ``POST``.
        params: Of the query.
        json: Body of a POST as JSON.
        form: Body of a POST as a form.
        accepts: Statuses that are an answer; all others are a reason to try again or to give up.
        expects: Kind of body that an answer with status 200 must have by its Content-Type.
    """

    host: Host
    path: str
    method: Literal["GET", "POST"] = "GET"
    params: tuple[tuple[str, str], ...] = ()
    json: JsonValue = None
    form: tuple[tuple[str, str], ...] = ()
    accepts: frozenset[int] = frozenset({200})
    expects: Literal["json", "text"] = "json"


class Response(NamedTuple):
    """An answer, read to its end.

    Attributes:
        status: One of those that the request accepts.
        headers: Names in lower case.
        body: Decompressed bytes.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes


class MalformedResponse(RequestFailed):
    """An answer that is not what the service's documents promise.

    Attributes:
        detail: What is wrong with it, without quoting it; may be empty.
    """

    def __init__(self, detail: str = "") -> None:
        super().__init__("the answer could not be read", may_retry=False)
        self.detail = detail


async def in_batches(
    items: Iterable[_T],
    batch_size: Callable[[], int],
    send: Callable[[Sequence[_T]], Awaitable[bool]],
    parallel: int = 2,
) -> None:
    """Send a long list in batches, a few at a time, so that a run never floods the queue.

    Args:
        items: Sent in this order.
        batch_size: Items of the next batch, at least 1; may shrink meanwhile.
        send: Sends a batch; False: it was too large, and is sent again in smaller ones. It must
            not raise.
        parallel: Batches under way.
    """
    left = deque(items)

    async def worker() -> None:
        while left:
            batch = [left.popleft() for _ in range(min(batch_size(), len(left)))]
            if not await send(batch):
                left.extendleft(reversed(batch))

    async with asyncio.TaskGroup() as group:
        for _ in range(parallel):
            group.create_task(worker())
