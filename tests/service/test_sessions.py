"""Sessions of browsers by a cookie, and what other sites cannot do with it; guests."""

from __future__ import annotations

from http.cookies import SimpleCookie
from uuid import uuid4

import pytest

from genint.storage import GUESTS_OF_ADDRESS

from .conftest import FASTA, PASSWORD, TINY, form

OURS = {"X-Requested-With": "genint"}
ORIGIN = "http://localhost:3000"
"""Allowed by CORS, and for browsers the same site as a service on this host."""
ME = "/api/v1/auth/me"
SESSION = "/api/v1/auth/session"


def cookie_in(answer, name="genint_session"):
    return SimpleCookie(answer.headers.get("Set-Cookie", "")).get(name)


def page_of(client, answer):
    """Headers that a page of ours sends after this answer, and nobody else of the test."""
    client.session.cookie_jar.clear()
    return OURS | {"Cookie": f"genint_session={cookie_in(answer).value}"}


async def logged_in(person):
    """Headers of a page of ours whose user has logged in."""
    body = {"email": person.email, "password": PASSWORD}
    answer = await person.client.post("/api/v1/auth/login", json=body, headers=OURS)
    return page_of(person.client, answer)


async def status_with(client, headers, path=ME):
    return (await client.get(path, headers=headers)).status


async def test_a_page_that_logs_in_gets_a_cookie_that_no_script_reads_and_a_program_none(ada):
    body = {"email": ada.email, "password": PASSWORD}
    answer = await ada.client.post("/api/v1/auth/login", json=body)
    assert "Set-Cookie" not in answer.headers
    answer = await ada.client.post("/api/v1/auth/login", json=body, headers=OURS)
    cookie = cookie_in(answer)
    assert cookie["httponly"]
    assert not cookie["secure"]
    assert (cookie["samesite"], cookie["path"], cookie["domain"]) == ("Lax", "/", "")
    assert cookie["max-age"] == str(7 * 86_400)
    encrypted = OURS | {"X-Forwarded-Proto": "https"}
    answer = await ada.client.post("/api/v1/auth/login", json=body, headers=encrypted)
    assert cookie_in(answer, "__Host-genint_session")["secure"]


async def test_the_cookie_alone_is_no_credential_and_other_sites_cannot_send_more(ada):
    page = await logged_in(ada)
    forged = {"Cookie": page["Cookie"], "Origin": ORIGIN}
    assert await status_with(ada.client, page) == 200
    assert await status_with(ada.client, forged) == 401
    answer = await ada.client.post(
        "/api/v1/jobs", data=form(FASTA, "a.fa"), headers=forged, allow_redirects=False
    )
    assert answer.status == 401
    await ada.client.delete(SESSION, headers=forged)  # nor does it log anybody out
    assert await status_with(ada.client, page) == 200
    # Scripts of other origins may send neither the header nor the cookie, allowed ones too.
    asked = {"Origin": ORIGIN, "Access-Control-Request-Method": "POST"}
    answer = await ada.client.options("/api/v1/jobs", headers=asked)
    assert answer.headers["Access-Control-Allow-Origin"] == ORIGIN
    assert "x-requested-with" not in answer.headers["Access-Control-Allow-Headers"].lower()
    assert "Access-Control-Allow-Credentials" not in answer.headers


async def test_tokens_and_keys_go_before_the_cookie(ada, bob):
    page = await logged_in(ada)
    answer = await ada.client.get(ME, headers=page | bob.headers)
    assert (await answer.json())["id"] == bob.id
    assert await status_with(ada.client, page | {"X-API-Key": "gi_none"}) == 401


async def test_logging_out_ends_the_session_of_this_browser_alone(ada):
    here, there = await logged_in(ada), await logged_in(ada)
    answer = await ada.client.delete(SESSION, headers=here)
    assert cookie_in(answer)["max-age"] == "0"
    assert await status_with(ada.client, here) == 401
    assert (await (await ada.client.get(SESSION, headers=here)).json())["user"] is None
    told = await (await ada.client.get(SESSION, headers=there)).json()
    assert told["user"]["email"] == ada.email


async def test_logging_out_everywhere_and_a_new_password_end_all_other_sessions(ada):
    here, there = await logged_in(ada), await logged_in(ada)
    body = {"current_password": PASSWORD, "new_password": "another long password"}
    answer = await ada.client.post("/api/v1/auth/password", json=body, headers=here)
    here = page_of(ada.client, answer)
    assert [await status_with(ada.client, one) for one in (here, there)] == [200, 401]
    await ada.client.post("/api/v1/auth/logout-everywhere", headers=here)
    assert await status_with(ada.client, here) == 401


@pytest.mark.finished_job(TINY)
async def test_a_report_that_is_not_public_opens_by_the_cookie(
    open_service, service_settings, ended_job
):
    settings = service_settings.model_copy(update={"public_reports": False})
    client = await open_service(settings)
    ada = ended_job.ada(client)
    page = await logged_in(ada)
    report = f"/reports/{ended_job.job_id}.html"
    assert await status_with(client, {"Cookie": page["Cookie"]}, report) == 200
    assert await status_with(client, {}, report) == 401
    assert await status_with(client, {"Cookie": "genint_session=" + "x" * 43}, report) == 401


async def test_a_guest_submits_three_small_genomes_and_keeps_them_by_signing_up(
    open_service, service_settings
):
    client = await open_service(service_settings.model_copy(update={"guests": True}))
    answer = await client.post("/api/v1/auth/guest", headers=OURS)
    guest = page_of(client, answer)
    assert answer.status == 201
    assert (await (await client.get(SESSION, headers=guest)).json())["guest_until"]

    async def submit(content):
        data = form(content, "a.fa")
        return (await client.post("/api/v1/jobs", data=data, headers=guest)).status

    assert await submit(b">a\n" + b"ACGT" * 250_001 + b"\n") == 422
    assert [await submit(FASTA) for _ in range(4)] == [200, 200, 200, 403]
    key = await client.post("/api/v1/keys", json={"name": "k"}, headers=guest)
    hook = {"url": "https://lab.example.org/"}
    webhook = await client.post("/api/v1/webhook", json=hook, headers=guest)
    assert (key.status, webhook.status) == (403, 403)
    jobs = (await (await client.get("/api/v1/jobs", headers=guest)).json())["jobs"]
    again = await client.post(f"/api/v1/jobs/{jobs[0]['job_id']}/rerun", headers=guest)
    assert again.status == 403

    body = {"email": f"{uuid4()}@example.org", "password": PASSWORD}
    assert (await client.post("/api/v1/auth/signup", json=body, headers=guest)).status == 201
    login = await client.post("/api/v1/auth/login", json=body, headers=OURS)
    kept = page_of(client, login)
    listed = await (await client.get("/api/v1/jobs", headers=kept)).json()
    assert listed["total"] == 3
    assert (await (await client.get(SESSION, headers=kept)).json())["guest_until"] is None

    answers = [await client.post("/api/v1/auth/guest") for _ in range(GUESTS_OF_ADDRESS + 1)]
    assert [answer.status for answer in answers] == [201] * GUESTS_OF_ADDRESS + [429]
    assert 86_000 < int(answers[-1].headers["Retry-After"]) <= 86_401
