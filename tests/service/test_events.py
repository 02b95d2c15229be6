"""Server-sent events of a job: its state at once, each change, and an end."""

from __future__ import annotations

import asyncio
import json

import pytest
from aiohttp import ClientResponse
from pydantic import SecretStr

from genint.errors import BusyError
from genint.service.endpoint import SERVICE
from genint.service.events import MOST_STREAMS_PER_USER
from tests.service.conftest import person

WITHIN_S = 90


async def opened(someone, job_id) -> ClientResponse:
    answer = await someone.get(f"/api/v1/jobs/{job_id}/events", timeout=WITHIN_S)
    assert answer.status == 200, await answer.text()
    return answer


async def next_event(answer: ClientResponse) -> tuple[str, dict] | None:
    """Name and data of the next event; None at the end of the stream."""
    name = ""
    async with asyncio.timeout(WITHIN_S):
        async for line in answer.content:
            field, _, value = line.decode().rstrip("\n").partition(": ")
            if field == "event":
                name = value
            if field == "data":
                return name, json.loads(value)
    return None


async def events_of(answer: ClientResponse) -> list[tuple[str, dict]]:
    found = []
    while event := await next_event(answer):
        found.append(event)
    return found


async def test_the_state_comes_at_once_then_changes_and_the_stream_ends_with_the_job(ada):
    stream = await opened(ada, await ada.submitted())
    assert stream.headers["Content-Type"].startswith("text/event-stream")
    assert stream.headers["Cache-Control"] == "no-store"
    found = await events_of(stream)
    assert {name for name, _ in found} == {"job"}
    states = [data["status"] for _, data in found]
    assert states[-1] == "COMPLETED"
    progress = [data["progress"] for _, data in found]
    assert progress == sorted(progress)
    listed = (await (await ada.get("/api/v1/jobs")).json())["jobs"][0]
    assert found[-1][1] == listed
    assert listed["bases"] == 528


@pytest.mark.finished_job("tiny.fasta")
async def test_a_job_that_has_ended_says_so_and_no_more(ada, finished):
    found = await events_of(await opened(ada, finished["job_id"]))
    assert [(name, data["status"]) for name, data in found] == [("job", "COMPLETED")]
    head = await ada.client.head(f"/api/v1/jobs/{finished['job_id']}/events", headers=ada.headers)
    assert head.status == 200


@pytest.fixture
async def idle(open_service, service_settings, postgresql_url):
    """A service without workers, on PostgreSQL: jobs wait."""
    database = {"database": SecretStr(postgresql_url)}
    return await open_service(service_settings.model_copy(update=database), workers=0)


async def test_who_waits_is_told_the_place_in_the_queue_and_the_end_of_the_job(idle):
    someone = await person(idle)
    first, second = await someone.submitted(), await someone.submitted()
    stream = await opened(someone, second)
    assert (await next_event(stream))[1]["queue_position"] == 2
    await someone.post(f"/api/v1/jobs/{first}/cancel")
    assert (await next_event(stream))[1]["queue_position"] == 1
    await someone.delete(f"/api/v1/jobs/{second}")
    assert await next_event(stream) == ("deleted", {})
    assert await next_event(stream) is None


async def test_a_user_has_a_limit_of_streams_and_a_closed_one_makes_room(idle):
    someone = await person(idle)
    job_id = await someone.submitted()
    streams = [await opened(someone, job_id) for _ in range(MOST_STREAMS_PER_USER)]
    refused = await someone.get(f"/api/v1/jobs/{job_id}/events")
    assert refused.status == 429
    assert "Retry-After" in refused.headers
    other = await person(idle)
    await opened(other, await other.submitted())
    await someone.post(f"/api/v1/jobs/{job_id}/cancel")
    for stream in streams:
        assert [data["status"] for _, data in await events_of(stream)] == ["PENDING", "CANCELLED"]
    assert (await someone.get(f"/api/v1/jobs/{job_id}/events")).status == 200


async def test_a_stream_ends_once_its_credential_is_refused(idle, monkeypatch):
    monkeypatch.setattr("genint.service.routes.events.HEARTBEAT_S", 0.2)
    someone = await person(idle)
    job_id = await someone.submitted()
    key = (await (await someone.post("/api/v1/keys", json={"name": "k"})).json())["key"]
    by_key = await idle.get(f"/api/v1/jobs/{job_id}/events", headers={"X-API-Key": key})
    by_token = await opened(someone, job_id)
    assert await next_event(by_key)
    assert await next_event(by_token)
    await someone.post("/api/v1/auth/logout-everywhere")
    assert await next_event(by_token) is None
    by_key.close()  # a key stays valid: its stream would go on


async def test_the_end_of_the_service_ends_the_streams(open_service, service_settings):
    client = await open_service(service_settings)
    someone = await person(client)
    events = client.app[SERVICE].events
    job = await client.app[SERVICE].storage.jobs.get(await someone.submitted())
    with events.follow(job) as follower:
        events.close()
        assert await follower.next_within(60) is None
    with pytest.raises(BusyError), events.follow(job):
        pass


async def test_others_may_not_follow_a_job_and_nobody_one_that_is_not_there(ada, bob):
    job_id = await ada.submitted()
    assert (await bob.get(f"/api/v1/jobs/{job_id}/events")).status == 403
    assert (await ada.client.get(f"/api/v1/jobs/{job_id}/events")).status == 401
    assert (await ada.get("/api/v1/jobs/none/events")).status == 404
