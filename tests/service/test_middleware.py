from __future__ import annotations

import json
import logging

import pytest

from .conftest import FASTA, PASSWORD, SECRET, form, person

GOOD = "http://localhost:3000"


@pytest.mark.parametrize("path", ["/nowhere", "/api/v1/nowhere", "/reports", "/static/nothing.js"])
async def test_an_unknown_path_is_404_as_json(client, path):
    answer = await client.get(path)
    assert answer.status == 404
    assert answer.content_type == "application/json"
    assert set(await answer.json()) == {"detail"}


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "/api/v1/jobs", {"GET", "HEAD", "POST"}),
        ("DELETE", "/api/v1/health", {"GET", "HEAD"}),
        ("GET", "/api/v1/auth/login", {"POST"}),
        ("PATCH", "/api/v1/keys", {"GET", "HEAD", "POST"}),
        ("OPTIONS", "/api/v1/jobs", {"GET", "HEAD", "POST"}),
    ],
)
async def test_a_wrong_method_is_405_and_says_which_are_right(client, method, path, allowed):
    answer = await client.request(method, path)
    assert answer.status == 405
    assert set(answer.headers["Allow"].split(",")) == allowed
    assert await answer.json() == {"detail": "Method Not Allowed"}


@pytest.mark.parametrize(
    ("path", "status"),
    [("/api/v1/health", 200), ("/nowhere", 404), ("/api/v1/jobs", 401), ("/docs", 200)],
)
async def test_every_answer_names_an_allowed_origin(client, path, status):
    answer = await client.get(path, headers={"Origin": GOOD})
    assert answer.status == status
    assert answer.headers["Access-Control-Allow-Origin"] == GOOD
    assert "Origin" in answer.headers["Vary"]


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", f"{GOOD}.evil.example", "http://LOCALHOST:3000", ""]
)
async def test_no_other_origin_is_named(client, origin):
    answer = await client.get("/api/v1/health", headers={"Origin": origin})
    assert "Access-Control-Allow-Origin" not in answer.headers
    assert "Origin" in answer.headers["Vary"]


async def test_a_preflight_is_answered_without_a_login(client):
    answer = await client.options(
        "/api/v1/jobs",
        headers={"Origin": GOOD, "Access-Control-Request-Method": "POST"},
    )
    assert answer.status == 204
    assert answer.headers["Access-Control-Allow-Origin"] == GOOD
    assert "POST" in answer.headers["Access-Control-Allow-Methods"]
    for header in ("Authorization", "X-API-Key", "Content-Type", "Idempotency-Key"):
        assert header in answer.headers["Access-Control-Allow-Headers"]


async def test_every_answer_has_an_id_of_its_own(client):
    ids = {(await client.get(path)).headers["X-Request-ID"] for path in ["/api/v1/health", "/no"]}
    assert len(ids) == 2
    assert all(ids)


async def test_a_plain_request_id_is_kept_and_any_other_replaced(client):
    kept = await client.get("/api/v1/health", headers={"X-Request-ID": "trace-1.a_B"})
    assert kept.headers["X-Request-ID"] == "trace-1.a_B"
    for odd in ("a b", "x" * 65, "<script>", "é"):
        answer = await client.get("/api/v1/health", headers={"X-Request-ID": odd})
        assert answer.headers["X-Request-ID"] != odd


async def test_the_server_does_not_tell_its_versions(client):
    assert (await client.get("/api/v1/health")).headers["Server"] == "genint"


async def test_answers_are_not_to_be_guessed_at_nor_kept(client):
    answer = await client.get("/api/v1/health")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cache-Control"] == "no-store"
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "x"])
async def test_an_encoded_body_is_415(client, encoding):
    answer = await client.post(
        "/api/v1/auth/login", data=b"{}", headers={"Content-Encoding": encoding}
    )
    assert answer.status == 415
    assert set(await answer.json()) == {"detail"}


async def test_a_fault_of_ours_tells_nothing_of_the_inside(open_service, service_settings, caplog):
    client = await open_service(service_settings)
    ada = await person(client)
    reports = service_settings.data_folder / "uploads"
    reports.rename(reports.with_name("gone"))
    reports.write_text("no folder")
    answer = await ada.submit()
    assert answer.status in {500, 503}
    text = await answer.text()
    assert str(service_settings.data_folder) not in text
    assert set(json.loads(text)) == {"detail"}


async def test_a_request_is_one_line_without_secrets(open_service, service_settings, caplog):
    caplog.set_level(logging.INFO, logger="genint")
    client = await open_service(service_settings)
    ada = await person(client)
    made = await (await ada.post("/api/v1/keys", json={"name": "k"})).json()
    await client.get("/api/v1/auth/me?password=hidden", headers={"X-API-Key": made["key"]})
    await client.post("/api/v1/jobs", data=form(FASTA, "a.fa"), headers=ada.headers)
    lines = [record for record in caplog.records if record.name == "genint.service"]
    requests = [line for line in lines if line.__dict__.get("event") == "request"]
    assert len(requests) == 4
    assert [line.__dict__["status"] for line in requests] == [201, 201, 200, 200]
    assert requests[-1].__dict__["user_id"] == ada.id
    told = "".join(str(line.__dict__) for line in caplog.records)
    for secret in (PASSWORD, made["key"], ada.token, SECRET, "hidden", "ATGAAACG"):
        assert secret not in told
