"""The real application on real databases, and somebody who uses it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from io import BytesIO
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from aiohttp import FormData
from aiohttp.test_utils import TestClient, TestServer
from pydantic import SecretStr

from genint.service.app import create_app
from genint.service.server import CONNECTION
from genint.settings import Settings

SECRET = "a secret of the tests that is long enough"
PASSWORD = "a long enough password"
FASTA = (
    b">tiny\n" + b"ATGAAACGTATTAGCACCACCATTACCACCACCATCACCATTACCACAGGTAACGGTGCGGGCTGA" * 8 + b"\n"
)
_NUMBERS = count()
_JOB_ENDS_S = 60
_POLL_S = 0.05

OpenService = Callable[..., Awaitable[TestClient]]


@pytest.fixture
def service_settings(tmp_path: Path, pressed: Path) -> Settings:
    """Settings of a service with a data folder of its own, on SQLite."""
    folders = {"GENINT_DATA_DIR": str(tmp_path / "data"), "GENINT_CACHE_DIR": str(pressed)}
    return Settings.from_environment(folders | {"JWT_SECRET": SECRET})


@pytest.fixture(params=["sqlite", "postgresql"])
def any_settings(request: pytest.FixtureRequest, service_settings: Settings) -> Settings:
    """The same on each of the two databases."""
    if request.param == "sqlite":
        return service_settings
    url = SecretStr(request.getfixturevalue("postgresql_url"))
    return service_settings.model_copy(update={"database": url})


@pytest.fixture
async def open_service(aiohttp_client) -> OpenService:
    """Starts the application with given settings; it is stopped after the test."""

    async def start(settings: Settings, *, workers: int = 1) -> TestClient:
        server = TestServer(create_app(settings, workers=workers))
        await server.start_server(**CONNECTION)
        client: TestClient = await aiohttp_client(server)
        return client

    return start


@pytest.fixture
async def client(open_service: OpenService, service_settings: Settings) -> TestClient:
    """The application on SQLite, with one worker."""
    return await open_service(service_settings)


@dataclass
class Person:
    """Somebody with an account, who sends a bearer token unless told otherwise."""

    client: TestClient
    email: str
    token: str
    id: str
    headers: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.headers = self.headers or {"Authorization": f"Bearer {self.token}"}

    async def get(self, path: str, **more: Any) -> Any:
        return await self.client.get(path, headers=self.headers, **more)

    async def post(self, path: str, **more: Any) -> Any:
        headers = self.headers | more.pop("headers", {})
        return await self.client.post(path, headers=headers, **more)

    async def delete(self, path: str) -> Any:
        return await self.client.delete(path, headers=self.headers)

    async def submit(
        self, content: bytes = FASTA, filename: str = "tiny.fasta", **fields: str
    ) -> Any:
        """The answer to an upload."""
        headers = (
            {"Idempotency-Key": fields.pop("idempotency_key")}
            if fields.get("idempotency_key")
            else {}
        )
        return await self.post(
            "/api/v1/jobs", data=form(content, filename, **fields), headers=headers
        )

    async def submitted(
        self, content: bytes = FASTA, filename: str = "tiny.fasta", **fields: str
    ) -> str:
        """Id of a job that was accepted."""
        answer = await self.submit(content, filename, **fields)
        assert answer.status == 200, await answer.text()
        return (await answer.json())["job_id"]

    async def job(self, job_id: str) -> dict[str, Any]:
        """Detail of a job."""
        answer = await self.get(f"/api/v1/jobs/{job_id}")
        assert answer.status == 200, await answer.text()
        return await answer.json()

    async def ended(self, job_id: str) -> dict[str, Any]:
        """Detail of a job once it has ended."""
        return await self.until(job_id, "COMPLETED", "FAILED", "CANCELLED")

    async def until(self, job_id: str, *statuses: str) -> dict[str, Any]:
        """Detail of a job once it has one of these states."""
        async with asyncio.timeout(_JOB_ENDS_S):
            while (job := await self.job(job_id))["status"] not in statuses:
                await asyncio.sleep(_POLL_S)
        return job


def form(content: bytes, filename: str, **fields: str) -> FormData:
    """A form with a file and more fields."""
    data = FormData()
    for name, value in fields.items():
        data.add_field(name, value)
    data.add_field(
        "file", BytesIO(content), filename=filename, content_type="application/octet-stream"
    )
    return data


async def person(client: TestClient, **more: str) -> Person:
    """Somebody new."""
    email = f"person{next(_NUMBERS)}@example.org"
    body = {"email": email, "password": PASSWORD} | more
    answer = await client.post("/api/v1/auth/signup", json=body)
    assert answer.status == 201, await answer.text()
    told = await answer.json()
    return Person(client, email, told["access_token"], told["user"]["id"])


@pytest.fixture
async def ada(client: TestClient) -> Person:
    """A user."""
    return await person(client, first_name="Ada", last_name="Lovelace")


@pytest.fixture
async def bob(client: TestClient) -> Person:
    """Another user of the same service."""
    return await person(client, first_name="Bob")
