"""A long list asked in batches, a few at a time, so that a run never floods the queue."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import Enum, StrEnum, auto
from typing import Literal, NamedTuple, Protocol, TypeVar

from genint.errors import UnavailableError

AGAIN_STATUSES = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Answers of servers that are busy or broken for the moment."""

_ABOUT_THE_QUESTION = frozenset({400, 404, 410, 413, 414, 422})
"""Refusals that say nothing of the server's health. Others (401, 403, ...) are about us, and
who is not welcome does not go on asking."""


class Blame(Enum):
    """What an attempt that failed says of the server."""

    NONE = auto()
    """It is well: the question was refused."""
    SERVER = auto()
    """It gave no usable answer."""
    CONNECTION = auto()
    """It could not be connected to."""


class RequestFailed(Exception):
    """An attempt that brought no answer.

    Attributes:
        reason: In words, without address or body.
        is_worth_another: The same call may succeed later.
        blame: What this says of the server.
        status: Of the answer; None where there was none.
        message: The server's own words; may be empty.
        retry_after_s: How long the server wants to be left alone; None if it does not say.
    """

    def __init__(  # noqa: PLR0913 - a record
        self,
        reason: str,
        *,
        is_worth_another: bool = True,
        blame: Blame = Blame.SERVER,
        status: int | None = None,
        message: str = "",
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.is_worth_another = is_worth_another
        self.blame = blame
        self.status = status
        self.message = message
        self.retry_after_s = retry_after_s


def failure_of_status(status: int, headers: Mapping[str, str], message: str = "") -> RequestFailed:
    """What an answer with a status that nobody wants amounts to."""
    if status in AGAIN_STATUSES:
        return RequestFailed(str(status), status=status, retry_after_s=retry_after_s(headers))
    if 300 <= status < 400:  # noqa: PLR2004 - redirects
        reason = "redirected to another address"
        return RequestFailed(reason, is_worth_another=False, status=status)
    blame = Blame.NONE if status in _ABOUT_THE_QUESTION else Blame.SERVER
    reason = f"refused with {status}" if 400 <= status < 500 else f"answered with {status}"  # noqa: PLR2004
    return RequestFailed(
        reason, is_worth_another=False, blame=blame, status=status, message=message
    )


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Seconds of ``Retry-After``, which holds seconds or a date; None where it holds neither.

    A date is compared with the server's own clock where the answer tells it.
    """
    value = headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit():
        return float(value[:9])
    date = _date(value)
    if date is None:
        return None
    now = _date(headers.get("date", "")) or datetime.now(UTC)
    return max(0.0, (date - now).total_seconds())


def _date(text: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(text)
    except ValueError:
        return None
    return date if date.tzinfo is not None else date.replace(tzinfo=UTC)


JsonValue = None | bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"]


class Host(StrEnum):
    """A server with limits of its own."""

    UNIPROT = "uniprot"
    """REST services of UniProt."""
    INTERPRO = "interpro"
    """Matches API of InterPro."""
    INTERPRO_GO = "interpro_go"
    """Where interpro2go is published."""


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a server; asking it twice does no harm.

    Attributes:
        host: Which server.
        path: Below the server's base address, with a leading slash; never made from what a
            genome file says without being checked.
        method: ``GET`` or ``POST``.
        params: Of the query.
        json: Body of a POST as JSON.
        form: Body of a POST as a form.
        accepts: Statuses that are an answer; all others are a reason to try again or to give up.
        wants: Kind of body that an answer with status 200 must have by its Content-Type.
    """

    host: Host
    path: str
    method: Literal["GET", "POST"] = "GET"
    params: tuple[tuple[str, str], ...] = ()
    json: JsonValue = None
    form: tuple[tuple[str, str], ...] = ()
    accepts: frozenset[int] = frozenset({200})
    wants: Literal["json", "text"] = "json"


class Response(NamedTuple):
    """An answer, read to its end.

    Attributes:
        status: One of those that the call accepts.
        headers: Names in lower case.
        body: Decompressed bytes.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes


class RequestLost(UnavailableError):
    """A call that brought no answer, whatever was tried.

    Attributes:
        reason: In words for a report, without address or body: ``503 after 4 attempts``.
        was_tried: A request was sent; False where the service was down or the time over.
        status: Of the last answer; None where there was none.
        message: The server's own words in a JSON error body, cut to 200 characters; may be empty.
    """

    def __init__(
        self, reason: str, *, was_tried: bool, status: int | None = None, message: str = ""
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.was_tried = was_tried
        self.status = status
        self.message = message


class MalformedResponse(ValueError):
    """A body that is not what the service's documents promise."""


class Caller(Protocol):
    """Sends the calls of one run, within its time.

    When the run's time is over, calls under way end and later ones are lost at once, so that
    nobody has to be cancelled to keep what came.
    """

    async def call(self, call: Request) -> Response:
        """Send a call until it is answered.

        Raises:
            CallLost: it was not.
        """
        ...

    async def follow(self, call: Request, link: str) -> Response:
        """Get the page that an answer to ``call`` links to.

        Raises:
            CallLost: the link leads elsewhere than to the server of the call, or as for calls.
        """
        ...

    def requests(self, host: Host) -> int:
        """Requests sent so far, retries included."""
        ...

    def retries(self, host: Host) -> int:
        """Those of them that repeated an earlier one."""
        ...


_T = TypeVar("_T")


async def in_batches(
    items: Iterable[_T],
    most: Callable[[], int],
    ask: Callable[[Sequence[_T]], Awaitable[bool]],
    at_once: int = 2,
) -> None:
    """Ask for all items in batches.

    Args:
        items: Asked for in this order.
        most: Items of the next batch, at least 1; may shrink meanwhile.
        ask: Asks for a batch; False: it was too large and is to be asked for again in smaller
            ones. It must not raise.
        at_once: Batches under way.
    """
    left = deque(items)

    async def worker() -> None:
        while left:
            batch = [left.popleft() for _ in range(min(most(), len(left)))]
            if not await ask(batch):
                left.extendleft(reversed(batch))

    async with asyncio.TaskGroup() as group:
        for _ in range(at_once):
            group.create_task(worker())
