"""Have a genint service interpret a genome, and download the result.

    export GENINT_API_KEY=gi_...
    python examples/service/client.py examples/lambda.fasta --phage --format gff3

Without a key, `--sign-up EMAIL` makes an account (the password is read from GENINT_PASSWORD) and a
key, which is printed. Only the standard library and aiohttp are needed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import aiohttp

ATTEMPTS = 5
FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 60.0
POLL_S = 1.0
ENDED = {"COMPLETED", "FAILED", "CANCELLED"}
PASSING = {429, 502, 503, 504}
"""Statuses after which the same request may succeed later."""


class ServiceError(Exception):
    """The service refused a request or does not answer; the text says why."""


class Service:
    """A genint service as the owner of a key sees it."""

    def __init__(self, session: aiohttp.ClientSession, key: str = "") -> None:
        self._session = session
        self._headers = {"X-API-Key": key} if key else {}

    async def sign_up(self, email: str, password: str) -> str:
        """Make an account and a key for programs; the key, which is shown once."""
        account = {"email": email, "password": password}
        made = await self._json("POST", "/api/v1/auth/signup", json=account)
        token = {"Authorization": f"Bearer {made['access_token']}"}
        key: str = (
            await self._json("POST", "/api/v1/keys", json={"name": "client"}, headers=token)
        )["key"]
        self._headers = {"X-API-Key": key}
        return key

    async def submit(self, file: Path, **fields: str) -> str:
        """Upload a genome; the id of its job.

        All attempts carry the same ``Idempotency-Key``: where the answer to one got lost, the
        next one gets the job that there is already, and no second one is made.
        """
        content = await asyncio.to_thread(file.read_bytes)
        once = {"Idempotency-Key": str(uuid.uuid4())}

        def form() -> aiohttp.FormData:  # a form can be sent once: each attempt needs a new one
            made = aiohttp.FormData(fields)
            made.add_field("file", content, filename=file.name)
            return made

        job_id: str = (await self._json("POST", "/api/v1/jobs", form=form, headers=once))["job_id"]
        return job_id

    async def ended(self, job_id: str) -> dict[str, Any]:
        """Wait for the end of a job; what the service says of it.

        Raises:
            ServiceError: the job failed or was cancelled.
        """
        job = await self._json("GET", f"/api/v1/jobs/{job_id}")
        while job["status"] not in ENDED:
            await asyncio.sleep(POLL_S)
            job = await self._json("GET", f"/api/v1/jobs/{job_id}")
        if job["status"] != "COMPLETED":
            raise ServiceError(f"job {job_id} is {job['status']}: {job['error_message'] or ''}")
        return dict(job)

    async def result(self, job_id: str, file_format: str) -> bytes:
        """The result of a job as a file; ``file_format`` is one of ``genint report --format``."""
        path = f"/api/v1/jobs/{job_id}/result"
        return await self._sent("GET", path, params={"format": file_format})

    async def _json(self, method: str, path: str, **request: Any) -> Any:
        return json.loads(await self._sent(method, path, **request))

    async def _sent(
        self,
        method: str,
        path: str,
        *,
        form: Callable[[], aiohttp.FormData] | None = None,
        headers: Mapping[str, str] | None = None,
        **request: Any,
    ) -> bytes:
        """Send a request until it is answered, with longer pauses each time; its body.

        Raises:
            ServiceError: it was refused, or all attempts failed.
        """
        said = {**self._headers, **(headers or {})}
        problem = ""
        for attempt in range(ATTEMPTS):
            pause_s = FIRST_PAUSE_S * 2**attempt
            try:
                async with self._session.request(
                    method, path, headers=said, data=form() if form else None, **request
                ) as answer:
                    content = await answer.read()
                    if answer.ok:
                        return content
                    problem = f"{answer.status}: {_detail(content)}"
                    if answer.status not in PASSING:
                        break
                    pause_s = float(answer.headers.get("Retry-After", pause_s))
            except (aiohttp.ClientError, TimeoutError) as lost:
                problem = f"no answer: {lost}"
            await asyncio.sleep(min(pause_s, LONGEST_PAUSE_S))
        raise ServiceError(f"{method} {path}: {problem}")


def _detail(content: bytes) -> str:
    """What a refusal says, in one line."""
    try:
        return str(json.loads(content)["detail"])
    except (ValueError, KeyError, TypeError):
        return content[:200].decode("utf-8", "replace")


async def run(arguments: argparse.Namespace) -> None:
    """Submit, wait, download."""
    file: Path = arguments.file
    output: Path = arguments.output or Path(f"{file.stem}.{arguments.format}")
    async with aiohttp.ClientSession(arguments.service) as session:
        service = Service(session, os.environ.get("GENINT_API_KEY", ""))
        if arguments.sign_up:
            key = await service.sign_up(arguments.sign_up, os.environ["GENINT_PASSWORD"])
            print(f"GENINT_API_KEY={key}")
        job_id = await service.submit(file, phage_mode="true" if arguments.phage else "false")
        job = await service.ended(job_id)
        content = await service.result(job_id, arguments.format)
    await asyncio.to_thread(output.write_bytes, content)
    print(f"{output}: {job['interpreted_genes']} of {job['total_genes']} genes interpreted")


def main() -> int:
    """Exit code: 1 where the service refused something, with the reason on standard error."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", type=Path, help="FASTA or GenBank")
    parser.add_argument("--service", default="http://127.0.0.1:8000", metavar="URL")
    parser.add_argument("--sign-up", metavar="EMAIL")
    parser.add_argument("--phage", action="store_true")
    parser.add_argument("--format", default="json")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE")
    try:
        asyncio.run(run(parser.parse_args()))
    except ServiceError as problem:
        print(f"client: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
