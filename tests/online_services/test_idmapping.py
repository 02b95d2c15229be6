"""The fake ID mapping takes a job through all that the real one may do with it."""

from __future__ import annotations

from io import BytesIO
from urllib.parse import urlencode

import pytest

from tests.online_services import PROTEINS, Services
from tests.online_services.asking import Asking
from tests.online_services.samples import EXPERIMENTAL

IDS = [one.ids.refseq for one in PROTEINS if one.ids.refseq]
FORM = {"from": "RefSeq_Protein", "to": "UniProtKB", "ids": ",".join(IDS)}
RUN = "uniprot/idmapping/run"


async def job(ask: Asking) -> str:
    return (await ask.post(RUN, form=FORM)).json["jobId"]


async def test_a_job_is_new_then_running_then_leads_to_its_results(ask: Asking):
    number = await job(ask)
    heard = [await ask.get(f"uniprot/idmapping/status/{number}") for _ in range(3)]
    assert [one.status for one in heard] == [200, 200, 303]
    assert [one.json["jobStatus"] for one in heard] == ["NEW", "RUNNING", "FINISHED"]
    results = await ask.send("GET", heard[2].headers["Location"])
    assert {one["from"] for one in results.json["results"]} < set(IDS)
    assert set(results.json["failedIds"]) == {"NP_900007.1", "NP_900008.1", "NP_900009.1"}


async def test_the_same_request_is_the_same_job(ask: Asking):
    assert await job(ask) == await job(ask)


async def test_results_of_an_unfinished_job_are_not_there(ask: Asking):
    number = await job(ask)
    assert (await ask.get(f"uniprot/idmapping/uniprotkb/results/{number}")).status == 404


async def test_results_come_in_pages_of_whole_entries(ask: Asking):
    await ask.mapped("RefSeq_Protein", IDS)
    number = await job(ask)
    heard = await ask.get(f"uniprot/idmapping/uniprotkb/results/{number}", size=4)
    assert len(heard.json["results"]) == 4
    assert heard.json["results"][0]["to"]["primaryAccession"]
    assert f"/idmapping/uniprotkb/results/{number}?" in heard.headers["Link"]


@pytest.mark.parametrize(
    ("end", "status", "body"),
    [
        ("plain", 200, {"jobStatus": "FINISHED"}),
        ("failure", 500, {"jobStatus": "ERROR"}),
    ],
)
async def test_a_job_may_end_otherwise(
    services: Services, ask: Asking, end: str, status: int, body: object
):
    services.behave(job_end=end, polls=0)
    heard = await ask.get(f"uniprot/idmapping/status/{await job(ask)}")
    assert (heard.status, heard.json) == (status, body)


async def test_a_job_may_fail_with_a_reason_or_be_forgotten(services: Services, ask: Asking):
    number = await job(ask)
    services.behave(job_end="error", polls=0)
    failed = await ask.get(f"uniprot/idmapping/status/{number}")
    assert (failed.status, failed.json["errors"][0]["code"]) == (400, 40)
    services.behave(job_end="forgotten")
    assert (await ask.get(f"uniprot/idmapping/status/{number}")).status == 404


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"from": "RefSeq"}, "The parameter 'from' has an invalid value 'RefSeq'."),
        ({"to": "UniRef"}, "The parameter 'to' has an invalid value 'UniRef'."),
        ({"ids": ""}, "'ids' is a required parameter"),
    ],
)
async def test_wrong_jobs_are_refused(ask: Asking, change: dict[str, str], message: str):
    heard = await ask.post(RUN, form={**FORM, **change})
    assert (heard.status, heard.json["messages"]) == (400, [message])


async def test_more_than_100000_ids_are_refused(ask: Asking):
    ids = ",".join(f"NP_{number}" for number in range(100_001))
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    body = BytesIO(urlencode({**FORM, "ids": ids}).encode())
    heard = await ask.send("POST", ask.url(RUN), data=body, headers=kind)
    assert heard.json["messages"] == [
        "'100000' is the maximum count limit of comma separated items for 'ids' param. "
        "You have passed '100001' items."
    ]


async def test_checksums_are_mapped_or_refused_or_map_to_nothing(services: Services, ask: Asking):
    found = await ask.mapped("CRC64", [EXPERIMENTAL.crc64])
    assert found.json["results"][0]["to"]["sequence"]["md5"] == EXPERIMENTAL.md5
    services.behave(crc64_mapping="finds_nothing")
    nothing = await ask.mapped("CRC64", [EXPERIMENTAL.crc64, "0" * 16])
    assert nothing.json["results"] == []
    services.behave(crc64_mapping="refused")
    form = {"from": "CRC64", "to": "UniProtKB", "ids": "0" * 16}
    assert (await ask.post(RUN, form=form)).status == 400


@pytest.mark.parametrize(("which", "number"), [("versioned", "NP_900001"), ("unversioned", IDS[0])])
async def test_ids_may_be_mapped_in_one_form_only(
    services: Services, ask: Asking, which: str, number: str
):
    services.behave(mapped_ids=which)
    assert (await ask.mapped("RefSeq_Protein", [number])).json["failedIds"] == [number]


async def test_one_id_may_lead_to_two_entries(services: Services, ask: Asking):
    twin = {**services.world.entries[0], "primaryAccession": "A0A111AAA1"}
    services.world += type(services.world)(entries=(twin,))
    heard = await ask.mapped("RefSeq_Protein", [IDS[0]])
    assert len(heard.json["results"]) == 2
