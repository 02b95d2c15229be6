"""Two users and a stranger, every route: who gets what, as one table."""

from __future__ import annotations

from typing import NamedTuple
from uuid import uuid4

import pytest

from genint.service.routes import ENDPOINTS

from .conftest import FASTA, PASSWORD, TINY, Person, form


class Row(NamedTuple):
    """A route, and the status that each kind of caller gets.

    ``owner`` owns the job and the key in the path, ``other`` is somebody else with an
    account, ``nobody`` sends no credential. ``missing`` is what the owner gets for an id
    that does not exist, None where the path has none.
    """

    method: str
    path: str
    owner: int
    other: int
    nobody: int
    missing: int | None = None

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


TABLE = (
    Row("GET", "/api/v1/health", 200, 200, 200),
    Row("GET", "/api/v1/ready", 200, 200, 200),
    Row("GET", "/api/v1/worker/status", 200, 200, 200),
    Row("POST", "/api/v1/auth/signup", 201, 201, 201),
    Row("POST", "/api/v1/auth/register", 201, 201, 201),
    Row("POST", "/api/v1/auth/login", 200, 200, 200),
    Row("GET", "/api/v1/auth/me", 200, 200, 401),
    Row("POST", "/api/v1/auth/password", 403, 403, 401),
    Row("POST", "/api/v1/auth/forgot-password", 202, 202, 202),
    Row("POST", "/api/v1/auth/reset-password", 404, 404, 404),
    Row("DELETE", "/api/v1/auth/me", 403, 403, 401),
    Row("POST", "/api/v1/auth/guest", 403, 403, 403),  # none are wanted; test_sessions has some
    Row("GET", "/api/v1/auth/session", 200, 200, 200),
    Row("DELETE", "/api/v1/auth/session", 204, 204, 204),
    Row("POST", "/api/v1/keys", 201, 201, 401),
    Row("GET", "/api/v1/keys", 200, 200, 401),
    Row("DELETE", "/api/v1/keys/{key_id}", 204, 404, 401, 404),
    Row("POST", "/api/v1/jobs", 200, 200, 401),
    Row("GET", "/api/v1/jobs", 200, 200, 401),
    Row("GET", "/api/v1/jobs/{job_id}", 200, 403, 401, 404),
    Row("GET", "/api/v1/jobs/{job_id}/result", 200, 403, 401, 404),
    Row("GET", "/api/v1/jobs/{job_id}/difference", 422, 422, 401, 422),  # see test_reports
    Row("GET", "/api/v1/jobs/{job_id}/events", 200, 403, 401, 404),
    Row("POST", "/api/v1/jobs/{job_id}/links", 201, 403, 401, 404),
    Row("GET", "/api/v1/jobs/{job_id}/links", 200, 403, 401, 404),
    Row("DELETE", "/api/v1/jobs/{job_id}/links/{link_id}", 404, 403, 401, 404),
    Row("GET", "/api/v1/webhook", 404, 404, 401),
    Row("POST", "/api/v1/webhook", 201, 201, 401),
    Row("DELETE", "/api/v1/webhook", 204, 204, 401),
    Row("GET", "/api/v1/results.zip", 422, 422, 401),  # names no job; test_archive names some
    Row("POST", "/api/v1/jobs/{job_id}/cancel", 409, 403, 401, 404),
    Row("GET", "/api/v1/dark-genes", 200, 200, 401),
    Row("GET", "/reports/{job_id}.html", 200, 200, 200, 404),
    Row("POST", "/api/v1/waitlist", 201, 201, 201),
    Row("GET", "/openapi.json", 200, 200, 200),
    Row("GET", "/docs", 200, 200, 200),
    Row("GET", "/redoc", 200, 200, 200),
    Row("GET", "/", 200, 200, 200),
    Row("GET", "/viewer", 200, 200, 200),
    Row("GET", "/app", 200, 200, 200),
    Row("GET", "/account", 200, 200, 200),
    Row("GET", "/forgot-password", 200, 200, 200),
    Row("GET", "/reset-password", 200, 200, 200),
    # Last, and in this order: they change the job, and end the session.
    Row("POST", "/api/v1/jobs/{job_id}/rerun", 200, 403, 401, 404),
    Row("DELETE", "/api/v1/jobs/{job_id}", 204, 403, 401, 404),
    Row("POST", "/api/v1/auth/logout-everywhere", 204, 204, 401),
)
CALLERS = ("owner", "other", "nobody", "owner's key", "other's key", "revoked key", "broken token")


def test_the_table_has_every_route():
    routes = {(endpoint.method, endpoint.path) for endpoint in ENDPOINTS}
    assert {(row.method, row.path) for row in TABLE} == {
        route for route in routes if not route[1].startswith(("/static/", "/example"))
    }


@pytest.mark.finished_job(TINY)
@pytest.mark.parametrize("caller", CALLERS)
async def test_everybody_gets_what_the_table_says(ada, bob, finished, caller):
    job_id = finished["job_id"]
    key_id = (await (await ada.post("/api/v1/keys", json={"name": "k"})).json())["id"]
    headers = await credentials(caller, ada, bob)
    expected, found = {}, {}
    for row in TABLE:
        kind = caller.partition("'")[0]
        expected[str(row)] = {"owner": row.owner, "other": row.other}.get(kind, row.nobody)
        path = row.path.format(job_id=job_id, key_id=key_id, link_id=uuid4())
        answer = await ask(ada, row, path, headers)
        found[str(row)] = answer.status
        if answer.status >= 400:
            assert set(await answer.json()) == {"detail"}
    assert found == expected


async def test_what_does_not_exist_is_404_for_everybody_with_an_account(ada):
    for row in TABLE:
        if row.missing:
            path = row.path.format(job_id=uuid4(), key_id=uuid4(), link_id=uuid4())
            assert (await ask(ada, row, path, ada.headers)).status == row.missing, row


async def credentials(caller: str, ada: Person, bob: Person) -> dict[str, str]:
    """Headers of one kind of caller."""
    if caller == "broken token":
        return {"Authorization": f"Bearer {ada.token[:-2]}xx"}
    if "key" in caller:
        owner = bob if caller.startswith("other") else ada
        made = await (await owner.post("/api/v1/keys", json={"name": "k"})).json()
        if caller == "revoked key":
            await owner.delete(f"/api/v1/keys/{made['id']}")
        return {"X-API-Key": made["key"]}
    return {"owner": ada.headers, "other": bob.headers}.get(caller, {})


async def ask(ada: Person, row: Row, path: str, headers: dict[str, str]):
    """The answer to a request that is right but for who sends it."""
    body: dict[str, object] = {}
    match path.rsplit("/", 1)[-1]:
        case "signup" | "register" | "waitlist":
            body = {"json": {"email": f"{uuid4().hex}@example.org", "password": PASSWORD}}
        case "me":
            body = {"json": {"password": "not this one"}} if row.method == "DELETE" else {}
        case "password":
            body = {"json": {"current_password": "not this one", "new_password": PASSWORD}}
        case "forgot-password" if row.path.startswith("/api"):
            body = {"json": {"email": ada.email}}
        case "reset-password" if row.path.startswith("/api"):
            body = {"json": {"token": "none", "new_password": PASSWORD}}
        case "login":
            body = {"json": {"email": ada.email, "password": PASSWORD}}
        case "keys" | "links" | "webhook":
            values = {"name": "a key", "url": "https://lab.example.org/"}
            body = {"json": values} if row.method == "POST" else {}
        case "jobs":
            body = {"data": form(FASTA, "a.fa")} if row.method == "POST" else {}
    return await ada.client.request(row.method, path, headers=headers, **body)
