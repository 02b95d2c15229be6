"""What the two services need of a client: one call, its answer, or why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, NamedTuple, Protocol

from genint.errors import UnavailableError

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
class Call:
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


class Reply(NamedTuple):
    """An answer, read to its end.

    Attributes:
        status: One of those that the call accepts.
        headers: Names in lower case.
        body: Decompressed bytes.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes


class CallLost(UnavailableError):
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


class MalformedAnswer(ValueError):
    """A body that is not what the service's documents promise."""


class Caller(Protocol):
    """Sends the calls of one run, within its time.

    When the run's time is over, calls under way end and later ones are lost at once, so that
    nobody has to be cancelled to keep what came.
    """

    async def call(self, call: Call) -> Reply:
        """Send a call until it is answered.

        Raises:
            CallLost: it was not.
        """
        ...

    async def follow(self, call: Call, link: str) -> Reply:
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
