"""InterPro asked while something is wrong: what is lost, what is saved, and what is said of it."""

from __future__ import annotations

import json

import pytest
from aiohttp import web

from genint.cache.online import OnlineCache
from genint.model.online import AnswerState
from genint.online.interpro.query import KIND, SERVICE
from tests.online.interpro_run import ONE_AT_A_TIME, asked, many, matched
from tests.online_services import (
    PROTEINS,
    Services,
    World,
    bad_gzip,
    broken_off,
    content_type,
    cut_json,
    deep_json,
    hang_up,
    huge_numbers,
    nan,
    no_content,
    outage_page,
    redirect,
    repeated_keys,
    rewritten,
    status,
    too_many_requests,
    with_value,
    without,
)
from tests.online_services.samples import (
    EXPERIMENTAL,
    SIMILAR,
    SPURIOUS,
    UNIPARC_ONLY,
    UNKNOWN,
    WITHOUT_SIGNATURE,
)

KNOWN = [one for one in PROTEINS if one is not UNKNOWN]


@pytest.fixture
def cache(tmp_path):
    return OnlineCache(tmp_path)


def states(findings):
    return {answer.state for answer in findings.answers.values()}


def without_uniparc(services):
    services.misbehave("uniprot", status(404))


# What passes by itself.


@pytest.mark.parametrize(
    "fault",
    [
        too_many_requests(retry_after=0),
        too_many_requests(),
        outage_page(503),
        outage_page(502),
        outage_page(200),
        status(408),
        status(500, {"detail": "Internal Server Error"}),
        broken_off(),
        hang_up(),
        bad_gzip(),
    ],
    ids=lambda fault: fault.__qualname__.split(".")[0],
)
@pytest.mark.parametrize("where", ["info", "matches"])
async def test_what_passes_costs_a_retry_and_nothing_else(services, where, fault):
    services.misbehave(f"interpro/{where}", fault, times=1)
    findings = await asked(services, PROTEINS)
    assert findings.use.problem == ""
    assert (findings.use.requests, findings.use.retries) == (4, 1)
    assert findings.answers[EXPERIMENTAL.md5].state is AnswerState.HIT
    assert findings.answers[EXPERIMENTAL.md5].release == "109.0"


# Batches.


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (cut_json(), "the answer could not be read"),
        (deep_json(), "the answer could not be read"),
        (nan(), "the answer could not be read"),
        (without("results"), "the answer could not be read"),
        (with_value("results", {}), "the answer could not be read"),
        (rewritten(lambda _: None), "the answer could not be read"),
        (content_type("text/plain"), "an answer that is not JSON"),
        (outage_page(503), "503 after 4 attempts"),
        (status(403, {"detail": "Forbidden"}), "refused with 403"),
        (no_content(), None),
        (redirect("http://127.0.0.1:9/"), None),
    ],
    ids=lambda value: getattr(value, "__qualname__", str(value)).split(".")[0],
)
async def test_a_lost_batch_is_told_in_words_and_never_raised(services, cache, fault, reason):
    services.misbehave("interpro/matches", fault)
    without_uniparc(services)
    findings = await asked(services, PROTEINS, cache)
    assert states(findings) <= {AnswerState.ERROR, AnswerState.NOT_ASKED}
    told = {answer.reason for answer in findings.answers.values()}
    assert len(told) == 1
    assert told.pop() == (reason or findings.use.problem.removeprefix("could not be queried: "))
    assert findings.use.problem.startswith("could not be queried: ")
    assert (findings.use.answered, findings.go) == (0, {})
    assert not cache.find(SERVICE, KIND, [one.md5 for one in PROTEINS], None)


async def test_some_lost_batches_cost_only_their_own_proteins():
    proteins = many(230)
    async with Services(matched(proteins)) as services:
        without_uniparc(services)
        services.misbehave("interpro/matches", status(403), after=2)
        findings = await asked(services, proteins, interpro=ONE_AT_A_TIME)
    found = [answer.state for answer in findings.answers.values()]
    assert (found.count(AnswerState.HIT), found.count(AnswerState.ERROR)) == (200, 30)
    assert findings.use.problem == "answered for 200 of 230 proteins only: refused with 403"


async def test_what_interpro_lost_is_read_from_uniparc_and_not_kept(services, cache):
    services.misbehave("interpro/matches", outage_page(503))
    findings = await asked(services, KNOWN, cache)
    answer = findings.answers[EXPERIMENTAL.md5]
    assert (answer.state, answer.through_uniparc) == (AnswerState.HIT, True)
    assert findings.answers[WITHOUT_SIGNATURE.md5].state is AnswerState.NO_MATCH
    assert findings.use.problem == (
        "could not be queried: 503 after 4 attempts; UniParc, queried instead, answered for 9"
    )
    assert findings.use.answered == len(KNOWN)
    assert services.record.count("interpro_go") == 0
    services.recover()
    services.forget()
    findings = await asked(services, KNOWN, cache)
    assert services.record.count("interpro/matches") == 1
    assert services.record.count("uniprot") == 0
    assert not findings.answers[EXPERIMENTAL.md5].through_uniparc


async def test_what_interpro_does_not_know_is_not_asked_of_uniparc(services):
    findings = await asked(services, [UNKNOWN])
    assert findings.answers[UNKNOWN.md5].state is AnswerState.NOT_IN_DATABASE
    assert services.record.count("uniprot") == 0


async def test_a_server_that_is_gone_loses_all_and_uniparc_is_asked(services):
    await services.die("interpro")
    findings = await asked(services, KNOWN)
    assert states(findings) == {AnswerState.HIT, AnswerState.NO_MATCH}
    assert all(answer.through_uniparc for answer in findings.answers.values())


async def test_without_time_nothing_is_asked_and_it_is_said(services):
    findings = await asked(services, PROTEINS, budget_s=0.0)
    assert states(findings) == {AnswerState.NOT_ASKED}
    assert findings.use.problem.startswith("could not be queried: ")
    assert services.record.count("interpro") == 0


# Refused for their number.


def at_most(number, refusals):
    """422 as the real server has it, at a limit of one's own."""

    async def answer(request, proceed):
        asked = json.loads(await request.read())["md5"]
        if len(asked) <= number:
            return await proceed()
        refusals.append(len(asked))
        message = f"List should have at most {number} items after validation, not {len(asked)}"
        detail = [{"type": "too_long", "loc": ["body", "md5"], "msg": message}]
        return web.json_response({"detail": detail}, status=422)

    return answer


async def test_batches_that_are_too_large_are_halved_for_all_that_follow():
    proteins, refusals = many(450), []
    async with Services(matched(proteins)) as services:
        services.misbehave("interpro/matches", at_most(30, refusals))
        findings = await asked(services, proteins)
        assert services.record.count("uniprot") == 0
    assert states(findings) == {AnswerState.HIT}
    assert findings.use.problem == ""
    assert len(refusals) <= 12
    assert findings.use.requests <= 1 + 12 + 450 // 25 + 5 + 1


async def test_a_service_that_refuses_everything_is_soon_left_alone():
    proteins, refusals = many(450), []
    async with Services(World()) as services:
        services.misbehave("interpro/matches", at_most(0, refusals))
        without_uniparc(services)
        findings = await asked(services, proteins)
    assert states(findings) == {AnswerState.ERROR, AnswerState.NOT_ASKED}
    assert len(refusals) <= 24
    assert findings.use.problem == "could not be queried: refused with 422"


# Records.


async def test_a_record_that_cannot_be_read_costs_its_own_protein_only(services, cache):
    def broken(answer):
        for record in answer["results"]:
            if record["md5"] == SIMILAR.md5:
                record["matches"] = "none"
        return answer

    services.misbehave("interpro/matches", rewritten(broken))
    findings = await asked(services, PROTEINS, cache)
    bad = findings.answers[SIMILAR.md5]
    assert (bad.state, bad.reason) == (AnswerState.ERROR, "its record could not be read")
    assert findings.use.problem == (
        "answered for 9 of 10 proteins only: its record could not be read"
    )
    assert findings.answers[EXPERIMENTAL.md5].state is AnswerState.HIT
    assert SIMILAR.md5 not in cache.find(SERVICE, KIND, [SIMILAR.md5], None)


async def test_a_missing_result_is_an_error_and_one_nobody_asked_for_is_nothing(services):
    def changed(answer):
        kept = [one for one in answer["results"] if one["md5"] != SIMILAR.md5]
        return {"results": [*kept, {"md5": "F" * 32, "found": True, "matches": []}, None, 7]}

    services.misbehave("interpro/matches", rewritten(changed))
    findings = await asked(services, PROTEINS)
    assert set(findings.answers) == {one.md5 for one in PROTEINS}
    bad = findings.answers[SIMILAR.md5]
    assert (bad.state, bad.reason) == (AnswerState.ERROR, "the answer had no result for it")


@pytest.mark.parametrize(
    "fault",
    [
        rewritten(lambda answer: json.loads(json.dumps(answer).replace('md5": "', 'md5": " '))),
        repeated_keys(),
        huge_numbers(),
        without("evalue", "score", "hmmStart", "model-ac", "source", "type", "name"),
        with_value("type", "HOMOLOGOUS_SUPERFAMILY"),
        with_value("locations", None),
        with_value("entry", "IPR000001"),
        with_value("version", 38),
    ],
    ids=["spaced", "twice", "huge", "left_out", "types", "no_places", "text_entry", "versions"],
)
async def test_strange_values_cost_what_they_stand_for_and_no_more(services, fault):
    services.misbehave("interpro/matches", fault)
    without_uniparc(services)
    findings = await asked(services, PROTEINS)
    assert findings.answers[EXPERIMENTAL.md5].state in (AnswerState.HIT, AnswerState.ERROR)
    assert findings.answers[SPURIOUS.md5].state in (AnswerState.HIT, AnswerState.ERROR)
    assert set(findings.answers) == {one.md5 for one in PROTEINS}


async def test_answers_in_lower_case_are_those_that_were_asked_for(services):
    def lower(answer):
        return {"results": [{**one, "md5": one["md5"].lower()} for one in answer["results"]]}

    services.misbehave("interpro/matches", rewritten(lower))
    findings = await asked(services, PROTEINS)
    assert findings.answers[UNIPARC_ONLY.md5].state is AnswerState.HIT


async def test_without_a_word_on_it_matches_are_a_hit_and_none_are_no_finding(services):
    services.misbehave("interpro/matches", without("found"))
    findings = await asked(services, PROTEINS)
    assert findings.answers[EXPERIMENTAL.md5].state is AnswerState.HIT
    assert findings.answers[WITHOUT_SIGNATURE.md5].state is AnswerState.NOT_IN_DATABASE
