"""The end of jobs is announced: signed, until it is taken, and to public addresses only."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import time
from collections.abc import AsyncIterator
from datetime import UTC
from ipaddress import ip_address

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from genint.auth.keys import new_signing_secret
from genint.model import JobStatus
from genint.storage import Storage, StorageAddress, open_storage
from genint.worker.webhooks import is_public, open_webhooks, wait_s

FASTA = b">one\nACGT\n"


class Receiver:
    """Keeps what is sent to it, and answers with a status."""

    def __init__(self) -> None:
        self.status = 204
        self.came: list[tuple[dict[str, str], bytes]] = []
        app = web.Application()
        app.router.add_route("*", "/{place:.*}", self._take)
        self.server = TestServer(app)

    async def _take(self, request: web.Request) -> web.Response:
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.came.append((headers, await request.read()))
        return web.Response(status=self.status, headers={"Location": "/elsewhere"})

    @property
    def url(self) -> str:
        return str(self.server.make_url("/ended"))


@pytest.fixture(params=["sqlite", "postgresql"])
async def storage(request, tmp_path) -> AsyncIterator[Storage]:
    """On either database."""
    url = request.getfixturevalue("postgresql_url") if request.param == "postgresql" else None
    async with open_storage(StorageAddress(tmp_path, tmp_path / "db", url)) as opened:
        yield opened


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    made = Receiver()
    await made.server.start_server()
    yield made
    await made.server.close()


@pytest.fixture
def hooked(desk, storage):
    """Hands in a job whose owner has a webhook; the job and the webhook's secret."""

    async def hook(url: str):
        job = await desk.job(await desk.submit(FASTA))
        secret = new_signing_secret()
        assert await storage.webhooks.set(job.user_id, url, secret)
        return job, secret

    return hook


def at_home(storage, **options):
    """A sender that also sends to this machine."""
    return open_webhooks(storage.webhooks, is_allowed=lambda _: True, **options)


async def test_each_end_of_a_job_is_announced_once_with_a_signature(
    storage, hooked, receiver, supervising
):
    job, secret = await hooked(receiver.url)
    async with at_home(storage) as sender:
        claimed = await storage.jobs.claim("me")
        await storage.jobs.fail(claimed.lease, "unreadable")
        async with supervising(webhooks=sender), asyncio.timeout(10):
            while (await storage.webhooks.get(job.user_id)).waiting:
                await asyncio.sleep(0.02)
        await storage.jobs.rerun(job.id)
        await storage.jobs.cancel(job.id)
        await sender.send_due()
        await sender.send_due()
    ended = await storage.jobs.get(job.id)
    bodies = [json.loads(body) for _, body in receiver.came]
    assert [body["data"] for body in bodies] == [
        {"job_id": job.id, "status": status} for status in ("FAILED", "CANCELLED")
    ]
    assert bodies[1]["type"] == "job.ended"
    stamp = bodies[1]["timestamp"].replace("Z", "+00:00")
    assert stamp == ended.finished_at.astimezone(UTC).isoformat()
    key = base64.b64decode(secret.removeprefix("whsec_"))
    assert len(key) == 32
    for headers, body in receiver.came:
        assert abs(int(headers["webhook-timestamp"]) - time.time()) < 60
        signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
        right = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        assert headers["webhook-signature"] == f"v1,{right}"
    assert len({headers["webhook-id"] for headers, _ in receiver.came}) == 2
    state = await storage.webhooks.get(job.user_id)
    assert (state.waiting, state.last_error) == (0, None)
    assert state.last_delivered_at is not None


async def test_what_was_not_taken_is_sent_again_also_after_a_restart_with_the_same_id(
    storage, hooked, receiver
):
    job, _ = await hooked(receiver.url)
    await storage.jobs.cancel(job.id)
    receiver.status = 307
    async with at_home(storage, first_wait_s=0) as sender:
        await sender.send_due()
    state = await storage.webhooks.get(job.user_id)
    assert (state.waiting, state.last_error) == (1, "answered with 307")  # and not followed
    async with at_home(storage) as sender:
        await sender.send_due()
        await sender.send_due()  # not due yet
    assert len(receiver.came) == 2
    assert len(set(map(same_each_time, receiver.came))) == 1


async def test_what_was_being_sent_when_the_process_died_is_sent_again(
    storage, hooked, receiver, monkeypatch
):
    monkeypatch.setattr("genint.storage.webhooks.CLAIM_S", 0.0)
    job, _ = await hooked(receiver.url)
    await storage.jobs.cancel(job.id)
    (due,) = await storage.webhooks.due(8)
    assert await storage.webhooks.claim(due)  # and then nothing more was heard
    async with at_home(storage) as sender:
        await sender.send_due()
    assert [headers["webhook-id"] for headers, _ in receiver.came] == [due]


def same_each_time(came):
    headers, body = came
    return headers["webhook-id"], body


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]"])
async def test_nothing_is_sent_to_the_network_of_the_service(storage, hooked, receiver, host):
    job, _ = await hooked(f"http://{host}:{receiver.server.port}/ended")
    await storage.jobs.cancel(job.id)
    async with open_webhooks(storage.webhooks) as sender:
        await sender.send_due()
    assert receiver.came == []
    state = await storage.webhooks.get(job.user_id)
    assert (state.waiting, state.last_error) == (1, "no connection to a public address")


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("8.8.8.8", True),
        ("2606:4700::1111", True),
        ("64:ff9b::808:808", True),
        ("127.0.0.1", False),
        ("192.0.0.192", False),
        ("192.88.99.1", False),
        ("168.63.129.16", False),
        ("64:ff9b::c000:c0", False),
        ("2620:4f:8000::1", False),
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("100.100.100.200", False),
        ("169.254.169.254", False),
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("::1", False),
        ("::", False),
        ("::8.8.8.8", False),
        ("::ffff:8.8.8.8", False),
        ("fe80::1", False),
        ("fd00:ec2::254", False),
        ("fec0::1", False),
        ("ff0e::1", False),
        ("2002:7f00:1::", False),
        ("2001:0:1::1", False),
        ("64:ff9b::7f00:1", False),
        ("64:ff9b:1::1", False),
    ],
)
def test_an_address_is_public_where_it_leads_into_the_internet(address, expected):
    assert is_public(ip_address(address)) is expected


def test_waits_double_up_to_six_hours():
    waits = [wait_s(tries, 30) for tries in (1, 2, 3, 10, 11, 99)]
    assert waits == [30, 60, 120, 15_360, 21_600, 21_600]


async def test_an_address_that_takes_nothing_keeps_no_other_user_waiting(desk, storage, receiver):
    jobs = [await desk.job(await desk.submit(FASTA, by=name)) for name in ("ann", "ann", "bob")]
    for job in jobs:
        await storage.webhooks.set(job.user_id, receiver.url, new_signing_secret())
        await storage.jobs.cancel(job.id)
    first, other = await storage.webhooks.due(8)
    delivery = await storage.webhooks.claim(first)
    assert await storage.webhooks.claim(first) is None
    assert delivery.job_id == jobs[0].id
    assert delivery.secret not in repr(delivery)
    assert await storage.webhooks.due(8) == (other,)  # nothing else of ann meanwhile
    await storage.webhooks.note_failed(delivery, "no answer", wait_s=30, give_up_s=60)
    assert await storage.webhooks.due(8) == (other,)
    assert await storage.webhooks.note_failed(delivery, "no answer", wait_s=0, give_up_s=-60) == 2


async def test_what_was_deleted_is_not_announced(desk, storage, hooked, receiver):
    job, secret = await hooked(receiver.url)
    await storage.jobs.delete(job.id)
    second = await desk.submit(FASTA)
    await storage.jobs.cancel(second)
    await storage.jobs.delete(second)
    assert await storage.webhooks.due(8) == ()
    third = await desk.submit(FASTA)
    await storage.jobs.cancel(third)
    assert await storage.webhooks.delete(job.user_id)
    assert await storage.webhooks.get(job.user_id) is None
    assert not await storage.webhooks.delete(job.user_id)
    await storage.webhooks.set(job.user_id, receiver.url, secret)
    assert await storage.webhooks.due(8) == ()
    assert await storage.webhooks.set("nobody", receiver.url, secret) is None
    assert (await desk.job(third)).status is JobStatus.CANCELLED
