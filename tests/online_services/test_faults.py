"""The fake services misbehave where and when they are told to, and recover."""

from __future__ import annotations

import asyncio
import json

import aiohttp
import pytest

from tests.online_services import (
    Services,
    bad_gzip,
    body,
    broken_off,
    content_type,
    cut_json,
    deep_json,
    drip,
    endless,
    foreign_next,
    good,
    gzip_bomb,
    hang_up,
    header,
    huge_numbers,
    nan,
    no_content,
    outage_page,
    redirect,
    repeated_keys,
    rewritten,
    same_next,
    silence,
    status,
    too_many_requests,
    with_value,
    without,
)
from tests.online_services.asking import Asking
from tests.online_services.faults import Fault
from tests.online_services.samples import EXPERIMENTAL, TAXON

INFO, SEARCH = "interpro/info", "uniprot/uniprotkb/search"
MATCH = f"interpro/matches/{EXPERIMENTAL.md5}"


async def statuses(ask: Asking, place: str, number: int) -> list[int]:
    return [(await ask.get(place)).status for _ in range(number)]


async def test_a_fault_strikes_its_place_alone(services: Services, ask: Asking):
    services.misbehave("interpro/info", status(404))
    assert await statuses(ask, INFO, 2) == [404, 404]
    assert await statuses(ask, "interpro/health", 1) == [200]
    assert await statuses(ask, "interpro_go/interpro2go", 1) == [200]


async def test_a_fault_begins_late_and_ends_after_its_times(services: Services, ask: Asking):
    services.misbehave("interpro", outage_page(), after=1, times=2)
    assert await statuses(ask, INFO, 5) == [200, 503, 503, 200, 200]


async def test_several_faults_strike_one_after_the_other(services: Services, ask: Asking):
    services.misbehave("interpro", status(500), good(), status(408), no_content(), after=1)
    assert await statuses(ask, INFO, 6) == [200, 500, 200, 408, 204, 200]


async def test_recovering_ends_faults_and_delays_of_a_prefix(services: Services, ask: Asking):
    services.misbehave("interpro/info", status(500))
    services.misbehave("uniprot", status(500))
    services.slow("interpro", 60)
    services.recover("interpro")
    assert await statuses(ask, INFO, 1) == [200]
    assert await statuses(ask, SEARCH, 1) == [500]


async def test_delays_are_drawn_from_their_range_the_same_each_time(services: Services):
    services.slow("uniprot", 0.3, 3.0, seed=7)
    first = [services.faults.delay_s(SEARCH) for _ in range(50)]
    services.recover()
    services.slow("uniprot", 0.3, 3.0, seed=7)
    assert first == [services.faults.delay_s(SEARCH) for _ in range(50)]
    assert 0.3 <= min(first) < 1.0
    assert 2.0 < max(first) <= 3.0
    assert services.faults.delay_s(INFO) == 0


@pytest.mark.parametrize("after", [None, 7, "Wed, 25 Nov 2026 10:00:00 GMT"])
async def test_429_says_when_to_come_again_or_not(
    services: Services, ask: Asking, after: int | str | None
):
    services.misbehave("uniprot", too_many_requests(after))
    heard = await ask.get(SEARCH)
    assert heard.status == 429
    assert heard.headers.get("Retry-After") == (None if after is None else str(after))
    assert heard.json["messages"][0].startswith("Too Many Requests: ")


async def test_an_outage_is_a_page_of_html(services: Services, ask: Asking):
    services.misbehave("", outage_page())
    heard = await ask.get(SEARCH)
    assert (heard.status, heard.headers["Content-Type"]) == (503, "text/html; charset=utf-8")
    assert heard.text.startswith("<!DOCTYPE HTML")


async def test_a_redirect_leads_to_the_canary_which_counts(services: Services, ask: Asking):
    services.misbehave("uniprot", redirect(f"{services.canary_url}/x"))
    heard = await ask.get(SEARCH)
    assert heard.status == 302
    assert services.record.count("canary") == 0
    await ask.send("GET", heard.headers["Location"])
    assert services.record.count("canary") == 1
    assert services.record.count() == 1  # the canary is none of the services


async def test_a_next_link_may_lead_elsewhere_or_nowhere(services: Services, ask: Asking):
    services.misbehave("uniprot", foreign_next(services.canary_url), same_next())
    heard = [await ask.get(SEARCH, query=f"organism_id:{TAXON}") for _ in range(2)]
    assert services.canary_url in heard[0].headers["Link"]
    assert heard[1].headers["Link"].startswith(f"<{ask.url(SEARCH)}?query=")


@pytest.mark.parametrize(
    "fault", [hang_up(), broken_off(), broken_off(reset=False)], ids=["at once", "reset", "closed"]
)
async def test_connections_break(services: Services, ask: Asking, fault: Fault):
    services.misbehave("interpro", fault, times=2)  # aiohttp asks a second time by itself
    with pytest.raises((aiohttp.ClientPayloadError, aiohttp.ClientOSError)):
        await ask.get(MATCH)
    services.recover()
    assert (await ask.get(MATCH)).status == 200


async def test_a_dead_service_refuses_until_it_lives_again(services: Services, ask: Asking):
    await services.die("uniprot")
    with pytest.raises(aiohttp.ClientConnectorError):
        await ask.get(SEARCH)
    assert await statuses(ask, INFO, 1) == [200]
    await services.revive("uniprot")
    assert (await ask.get(SEARCH, query="gene:x")).status == 200


async def test_a_body_may_be_cut_although_the_answer_is_whole(services: Services, ask: Asking):
    services.misbehave("interpro", cut_json())
    with pytest.raises(json.JSONDecodeError):
        await ask.get(MATCH)


@pytest.mark.parametrize("written", ["text/html", "application/octet-stream"])
async def test_a_content_type_may_be_wrong(services: Services, ask: Asking, written: str):
    right = (await ask.get(INFO)).text
    services.misbehave("interpro", content_type(written))
    heard = await ask.get(INFO)
    assert (heard.headers["Content-Type"], heard.text) == (written, right)


async def test_keys_may_be_missing_and_values_of_other_types(services: Services, ask: Asking):
    services.misbehave("interpro", without("signature", "md5"), with_value("matches", "none"))
    first, second = [(await ask.get(MATCH)).json for _ in range(2)]
    assert set(first) == {"matches"}
    assert all("signature" not in one for one in first["matches"])
    assert second == {"md5": EXPERIMENTAL.md5, "matches": "none"}


async def test_numbers_may_be_none_and_keys_repeated(services: Services, ask: Asking):
    services.misbehave("interpro", nan(), huge_numbers(5000), repeated_keys())
    heard = [await ask.send("GET", ask.url(MATCH), headers={"Accept": "*/*"})]
    assert '"evalue":NaN' in heard[0].text
    with pytest.raises(ValueError, match="4300"):  # digits that Python reads at most
        await ask.get(MATCH)
    assert '"md5":"twice","md5":"' in (await ask.get(MATCH)).text


async def test_json_may_be_as_deep_as_a_million(services: Services, ask: Asking):
    services.misbehave("interpro", deep_json())
    with pytest.raises(RecursionError):
        await ask.get(INFO)


async def test_a_small_body_may_become_large(services: Services):
    services.misbehave("interpro", gzip_bomb(20_000_000))
    async with (
        aiohttp.ClientSession(auto_decompress=False) as session,
        session.get(f"{services.url('interpro')}/info") as answer,
    ):
        assert len(await answer.read()) < 50_000


async def test_a_gzipped_body_may_be_damaged(services: Services, ask: Asking):
    services.misbehave("interpro", bad_gzip())
    with pytest.raises((json.JSONDecodeError, aiohttp.ClientPayloadError)):
        await ask.get(MATCH)


async def test_an_endless_body_ends_when_nobody_reads_on(services: Services):
    services.misbehave("interpro", endless(2**40))
    async with aiohttp.ClientSession() as session:
        async with session.get(f"{services.url('interpro')}/info") as answer:
            await answer.content.readexactly(1_000_000)
            answer.close()
        for _ in range(1000):
            if services.record.visits[0].ended_s is not None:
                break
            await asyncio.sleep(0.01)
    assert 1_000_000 <= services.record.visits[0].sent_bytes < 100_000_000


async def test_a_body_may_come_in_drops(services: Services, ask: Asking):
    right = (await ask.get(INFO)).text
    services.misbehave("interpro", drip(100, 0.001))
    assert (await ask.get(INFO)).text == right


async def test_a_silent_service_is_given_up_by_its_client(services: Services, ask: Asking):
    services.misbehave("interpro", silence())
    with pytest.raises(TimeoutError):
        await ask.send("GET", ask.url(INFO), timeout=aiohttp.ClientTimeout(total=0.1))
    for _ in range(1000):
        if not services.record.under_way["interpro"]:
            break
        await asyncio.sleep(0.01)
    assert services.record.under_way["interpro"] == 0


async def test_any_body_and_any_header_may_be_put(services: Services, ask: Asking):
    services.misbehave("interpro/info", body("null"))
    services.misbehave("uniprot", header("X-UniProt-Release", "1999_01"))
    assert (await ask.get(INFO)).text == "null"
    heard = await ask.get(SEARCH, query="gene:x")
    assert heard.headers["X-UniProt-Release"] == "1999_01"


async def test_a_release_comes_out_after_some_requests(services: Services, ask: Asking):
    services.release(uniprot="2026_04", after=2)
    seen = [(await ask.get(SEARCH)).headers["X-UniProt-Release"] for _ in range(4)]
    assert seen == ["2026_03", "2026_03", "2026_04", "2026_04"]
    assert (await ask.get(INFO)).json["release"] == "109.0"


async def test_a_mistake_of_the_services_themselves_does_not_stay_unseen():
    def broken(_value: object) -> object:
        raise ZeroDivisionError

    services = Services()
    await services.start()
    services.misbehave("interpro", rewritten(broken))
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"{services.url('interpro')}/info") as answer,
    ):
        assert answer.status == 500
    with pytest.raises(RuntimeError, match="mistake of its own"):
        await services.stop()
