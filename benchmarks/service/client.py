"""Somebody with an account who uses the service."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Collection
from itertools import count
from typing import Any, Self
from urllib.parse import urlsplit

from benchmarks.service.load import Request, upload
from benchmarks.service.running import Failed

PASSWORD = "a long enough password"  # noqa: S105 - of an account that lives for one run
_NUMBERS = count()
_TIMEOUT_S = 60
_POLL_S = 0.02
_IDLE_S = 5


class Client:
    """Sends one request after the other over one connection."""

    def __init__(self, url: str, token: str) -> None:
        self.url = url
        self.headers = {"Authorization": f"Bearer {token}"}
        self._connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=_TIMEOUT_S)
        self._used_at = 0.0

    @classmethod
    def signed_up(cls, url: str) -> Self:
        """Somebody new."""
        client = cls(url, "")
        body = {"email": f"user{next(_NUMBERS)}@example.org", "password": PASSWORD}
        told = client.call(
            Request(
                url + "/api/v1/auth/signup",
                {"Content-Type": "application/json"},
                json.dumps(body).encode(),
            )
        )
        client.email, client.user_id = body["email"], told["user"]["id"]
        client.headers = {"Authorization": f"Bearer {told['access_token']}"}
        return client

    email = ""
    user_id = ""

    def close(self) -> None:
        """Close the connection; it is opened again when it is needed."""
        self._connection.close()

    def moved(self, url: str) -> Client:
        """The same person at another address (the service was started again)."""
        other = Client(url, "")
        other.headers, other.email, other.user_id = self.headers, self.email, self.user_id
        return other

    def request(self, path: str) -> Request:
        """A GET request of this person, to be sent by somebody else."""
        return Request(self.url + path, self.headers)

    def login(self) -> Request:
        """A request that logs this person in."""
        body = json.dumps({"email": self.email, "password": PASSWORD}).encode()
        return Request(self.url + "/api/v1/auth/login", {"Content-Type": "application/json"}, body)

    def submission(self, content: bytes, name: str = "some.fasta") -> Request:
        """A request that submits a file."""
        return upload(self.url + "/api/v1/jobs", self.headers, content, name)

    def call(self, request: Request) -> Any:
        """Send a request; what was answered, as JSON.

        Raises:
            Failed: the answer is no success.
        """
        content = self.content(request)
        return json.loads(content) if content else None

    def content(self, request: Request) -> bytes:
        """Send a request; what was answered.

        Raises:
            Failed: the answer is no success.
        """
        if time.monotonic() - self._used_at > _IDLE_S:
            self._connection.close()  # the service will have closed it, or is about to
        path = request.url.removeprefix(self.url)
        self._connection.request(request.method, path, request.body, dict(request.headers))
        answer = self._connection.getresponse()
        content = answer.read()
        self._used_at = time.monotonic()
        if answer.status >= 300:
            raise Failed(f"{request.method} {path}: {answer.status} {content[:200]!r}")
        return content

    def get(self, path: str) -> Any:
        """What is answered to a GET request."""
        return self.call(self.request(path))

    def submit(self, content: bytes, name: str = "some.fasta") -> str:
        """Submit a file; id of the job."""
        job_id: str = self.call(self.submission(content, name))["job_id"]
        return job_id

    def cancel(self, job_id: str) -> None:
        """Cancel a job."""
        self.call(Request(f"{self.url}/api/v1/jobs/{job_id}/cancel", self.headers, b""))

    def job(self, job_id: str) -> dict[str, Any]:
        """Detail of a job."""
        told: dict[str, Any] = self.get(f"/api/v1/jobs/{job_id}")
        return told

    def jobs(self) -> list[dict[str, Any]]:
        """All jobs, page by page."""
        found: list[dict[str, Any]] = []
        cursor = ""
        while True:
            page = self.get(f"/api/v1/jobs?limit=500{cursor}")
            found += page["jobs"]
            if page["next_cursor"] is None:
                return found
            cursor = f"&cursor={page['next_cursor']}"

    def newest(self, status: str, *, limit_s: float = 30) -> dict[str, Any]:
        """The newest job once it has a state, as the list shows it (without genes).

        Raises:
            Failed: it has not within the limit.
        """
        give_up = time.monotonic() + limit_s
        while (job := self.get("/api/v1/jobs?limit=1")["jobs"][0])["status"] != status:
            if time.monotonic() > give_up:
                raise Failed(f"a job is still {job['status']} after {limit_s:g} s")
            time.sleep(_POLL_S)
        found: dict[str, Any] = job
        return found

    def until(self, job_id: str, *statuses: str, limit_s: float = 120) -> dict[str, Any]:
        """Detail of a job once it has one of these states.

        Raises:
            Failed: it has not within the limit.
        """
        give_up = time.monotonic() + limit_s
        while (job := self.job(job_id))["status"] not in statuses:
            if time.monotonic() > give_up:
                raise Failed(f"a job is still {job['status']} after {limit_s:g} s")
            time.sleep(_POLL_S)
        return job

    def all_ended(self, *, limit_s: float, poll_s: float = _POLL_S) -> None:
        """Wait until no job waits or runs.

        Args:
            limit_s: How long at most.
            poll_s: Between two looks, which cost the service some 10 ms of CPU each.

        Raises:
            Failed: some still do after the limit.
        """
        give_up = time.monotonic() + limit_s
        while self.has_any(("PENDING", "RUNNING")):
            if time.monotonic() > give_up:
                raise Failed(f"jobs still wait after {limit_s:g} s")
            time.sleep(poll_s)

    def has_any(self, statuses: Collection[str]) -> bool:
        """Whether any job has one of these states."""
        return any(self.get(f"/api/v1/jobs?limit=1&status={status}")["jobs"] for status in statuses)
