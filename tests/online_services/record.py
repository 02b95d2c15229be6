"""What was asked of the fake services: every request with its times, for tests and figures."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, unquote_plus

from aiohttp import web


@dataclass
class Visit:
    """One request.

    Attributes:
        service: ``uniprot``, ``interpro``, ``interpro_go`` or ``canary``.
        path: Below the base address of the service.
        query, headers: As they came; names of headers in lower case.
        body: As it came.
        started_s, ended_s: Of a clock that only goes forward; None while it is under way.
        in_flight: Requests of that service under way when it came, itself included.
        status: Of the answer; 0 where the connection was broken.
        sent_bytes: Of a streamed body, that the client's machine took.
        answer: Body of the answer where it was not streamed.
    """

    service: str
    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    body: bytes
    started_s: float
    in_flight: int
    ended_s: float | None = None
    status: int = 0
    sent_bytes: int = 0
    answer: bytes = field(default=b"", repr=False)

    @property
    def route(self) -> str:
        """Method, service and path, with the changing part of the path left out."""
        parts = self.path.strip("/").split("/")
        if parts[:2] in (["idmapping", "status"], ["idmapping", "details"]):
            parts[2:] = ["*"]
        elif parts[0] == "idmapping" and "results" in parts:
            parts[-1] = "*"
        return f"{self.method} {self.service}/{'/'.join(parts)}"

    @property
    def params(self) -> dict[str, str]:
        """Of the query, and of a form."""
        return dict(parse_qsl(self.query) + parse_qsl(self.body.decode("latin-1")))

    @property
    def json(self) -> object:
        """The body."""
        return json.loads(self.body)

    @property
    def everything(self) -> str:
        """All that was sent, decoded, in upper case: for proofs of what was not sent."""
        sent = [self.path, self.query, self.body.decode("utf-8", "replace")]
        sent += [f"{name}: {value}" for name, value in self.headers.items()]
        return unquote_plus("\n".join(sent)).upper()


VISIT = web.RequestKey("visit", Visit)
"""Where a request has its visit."""


@dataclass
class Record:
    """All requests, in the order in which they came."""

    visits: list[Visit] = field(default_factory=list)
    under_way: dict[str, int] = field(default_factory=dict)

    def clear(self) -> None:
        """Forget what was; requests under way are still counted as such."""
        self.visits.clear()

    def of(self, prefix: str = "") -> list[Visit]:
        """Those whose ``service/path`` begins so, without the canary's where none is given."""
        return [
            visit
            for visit in self.visits
            if (f"{visit.service}{visit.path}".startswith(prefix) if prefix else True)
            and (visit.service != "canary" or prefix.startswith("canary"))
        ]

    def count(self, prefix: str = "") -> int:
        """How many of them there were."""
        return len(self.of(prefix))

    def routes(self, prefix: str = "") -> dict[str, int]:
        """Requests by route, such as ``POST interpro/matches``."""
        counts: dict[str, int] = {}
        for visit in self.of(prefix):
            counts[visit.route] = counts.get(visit.route, 0) + 1
        return counts

    def most_in_flight(self, prefix: str) -> int:
        """Highest number of requests under way at once."""
        return max((visit.in_flight for visit in self.of(prefix)), default=0)

    def most_in(self, prefix: str, window_s: float = 1.0) -> int:
        """Most requests that came within so many seconds."""
        times = [visit.started_s for visit in self.of(prefix)]
        return max(
            (sum(start <= one < start + window_s for one in times) for start in times), default=0
        )

    def spoken_of(self, text: str) -> list[Visit]:
        """Requests in which a text stands, anywhere, whatever its case and encoding."""
        return [visit for visit in self.visits if text.upper() in visit.everything]


def covered_s(intervals: Iterable[tuple[float, float]]) -> float:
    """Seconds that at least one of the intervals covers."""
    total, end = 0.0, float("-inf")
    for start, stop in sorted(intervals):
        if stop > end:
            total += stop - max(start, end)
            end = stop
    return total
