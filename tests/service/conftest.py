"""The real application on real databases, and somebody who uses it."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from io import BytesIO
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from aiohttp import FormData, web
from aiohttp.test_utils import TestClient, TestServer
from pydantic import SecretStr

from genint.service.app import create_app
from genint.service.server import CONNECTION
from genint.settings import Settings
from tests.conftest import once_per_run
from tests.servers.service_in_process import stop_jobs

SECRET = "a secret of the tests that is long enough"
PASSWORD = "a long enough password"
FASTA = (
    b">tiny\n" + b"ATGAAACGTATTAGCACCACCATTACCACCACCATCACCATTACCACAGGTAACGGTGCGGGCTGA" * 8 + b"\n"
)
TINY = "tiny.fasta"
ADA = {"first_name": "Ada", "last_name": "Lovelace"}
_NUMBERS = count()
_JOB_ENDS_S = 90
_POLL_S = 0.05

OpenService = Callable[..., Awaitable[TestClient]]


def settings_of(data: Path, cache: Path) -> Settings:
    """Settings of a service on SQLite."""
    folders = {"GENINT_DATA_DIR": str(data), "GENINT_CACHE_DIR": str(cache)}
    return Settings.from_environment(folders | {"JWT_SECRET": SECRET})


@pytest.fixture
def service_settings(tmp_path: Path, pressed: Path, request: pytest.FixtureRequest) -> Settings:
    """Settings of a service with a data folder of its own, on SQLite.

    Where a test is marked with ``finished_job``, Ada's job about that genome is COMPLETED there.
    """
    if request.node.get_closest_marker("finished_job"):
        shutil.copytree(request.getfixturevalue("ended_job").folder, tmp_path / "data")
    return settings_of(tmp_path / "data", pressed)


@pytest.fixture(params=["sqlite", "postgresql"])
def any_settings(request: pytest.FixtureRequest, service_settings: Settings) -> Settings:
    """The same on each of the two databases."""
    if request.param == "sqlite":
        return service_settings
    url = SecretStr(request.getfixturevalue("postgresql_url"))
    return service_settings.model_copy(update={"database": url})


@pytest.fixture
async def open_service(aiohttp_client) -> AsyncIterator[OpenService]:
    """Starts the application with given settings; it is stopped after the test."""
    started: list[web.Application] = []

    async def start(settings: Settings, *, workers: int = 1) -> TestClient:
        started.append(create_app(settings, workers=workers))
        server = TestServer(started[-1])
        await server.start_server(**CONNECTION)
        client: TestClient = await aiohttp_client(server)
        return client

    yield start
    for app in started:
        await stop_jobs(app)


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
async def ada(client: TestClient, request: pytest.FixtureRequest) -> Person:
    """A user."""
    if request.node.get_closest_marker("finished_job"):
        return request.getfixturevalue("ended_job").ada(client)
    return await person(client, **ADA)


@dataclass(frozen=True)
class EndedJob:
    """A data folder with a user and her one job, which is COMPLETED."""

    folder: Path

    async def make(self, cache: Path, content: bytes, filename: str) -> None:
        """Let a service do the job; it is closed afterwards."""
        app = create_app(settings_of(self.folder, cache), workers=1)
        async with TestClient(TestServer(app)) as client:
            ada = await person(client, **ADA)
            job = await ada.ended(await ada.submitted(content, filename))
            assert job["status"] == "COMPLETED"
            facts = {"email": ada.email, "token": ada.token, "id": ada.id, "job": job["job_id"]}
        self._facts.write_text(json.dumps(facts))

    @property
    def _facts(self) -> Path:
        return self.folder / "facts.json"

    def ada(self, client: TestClient) -> Person:
        """The user, at a service on a copy of the folder."""
        facts = json.loads(self._facts.read_text())
        return Person(client, facts["email"], facts["token"], facts["id"])

    @property
    def job_id(self) -> str:
        return json.loads(self._facts.read_text())["job"]


@pytest.fixture
def ended_job(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    pressed: Path,
    examples: Path,
) -> EndedJob:
    """What the mark ``finished_job`` names: an example genome, or a tiny one that is made up."""
    (filename,) = request.node.get_closest_marker("finished_job").args
    content = FASTA if filename == TINY else (examples / filename).read_bytes()

    def make(folder: Path) -> None:
        with ThreadPoolExecutor(1) as thread:  # the loop of the test is not disturbed
            thread.submit(asyncio.run, EndedJob(folder).make(pressed, content, filename)).result()

    return EndedJob(once_per_run(tmp_path_factory, f"job_{filename}", make))


@pytest.fixture
async def finished(ada: Person, ended_job: EndedJob) -> dict[str, Any]:
    """Detail of the job that is COMPLETED."""
    return await ada.job(ended_job.job_id)


@pytest.fixture
async def bob(client: TestClient) -> Person:
    """Another user of the same service."""
    return await person(client, first_name="Bob")
