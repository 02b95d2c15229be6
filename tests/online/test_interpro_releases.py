"""Which release of InterPro answers are of: told, not told, kept from earlier, new in mid-run."""

from __future__ import annotations

import pytest

from genint.cache.online import OnlineCache
from genint.model.online import AnswerState
from genint.online.interpro.query import KIND, SERVICE
from tests.online.interpro_run import ONE_AT_A_TIME, asked, many, matched
from tests.online_services import (
    PROTEINS,
    Services,
    cut_json,
    deep_json,
    rewritten,
    status,
    with_value,
    without,
)
from tests.online_services.samples import EXPERIMENTAL


@pytest.fixture
def cache(tmp_path):
    return OnlineCache(tmp_path)


def without_uniparc(services):
    services.misbehave("uniprot", status(404))


@pytest.mark.parametrize(
    "fault",
    [
        status(404, {"detail": "Not Found"}),
        rewritten(lambda info: {**info, "release": None}),
        rewritten(lambda info: {**info, "release": ["109.0"]}),
        rewritten(lambda info: {**info, "release": "../109"}),
        rewritten(lambda _: []),
        without("release"),
        cut_json(),
        deep_json(),
    ],
    ids=["gone", "null", "list", "path", "no_object", "left_out", "cut", "deep"],
)
async def test_a_release_that_is_not_told_changes_no_answer(services, cache, fault):
    services.misbehave("interpro/info", fault)
    first = await asked(services, PROTEINS, cache)
    assert first.use.problem == ""
    assert first.use.releases == ()
    assert first.answers[EXPERIMENTAL.md5].state is AnswerState.HIT
    assert first.answers[EXPERIMENTAL.md5].release is None
    services.forget()
    second = await asked(services, PROTEINS, cache)
    assert services.record.routes() == {"GET interpro/info": 1}
    assert second.answers == first.answers
    assert not any(answer.is_stale for answer in second.answers.values())


async def test_a_release_written_as_a_number_is_one(services):
    services.misbehave("interpro/info", rewritten(lambda info: {**info, "release": 109.5}))
    findings = await asked(services, PROTEINS)
    assert findings.use.releases == ("109.5",)


async def test_where_the_release_is_gone_the_newest_that_is_kept_is_used(services, cache):
    await asked(services, PROTEINS, cache)
    services.misbehave("interpro/info", status(404))
    services.forget()
    findings = await asked(services, PROTEINS, cache)
    assert services.record.count("interpro/matches") == 0
    assert {answer.release for answer in findings.answers.values()} == {"109.0"}
    assert findings.use.releases == ("109.0",)
    assert all(answer.is_stale for answer in findings.answers.values())


async def test_kept_answers_are_stale_where_the_service_is_dead(services, cache):
    await asked(services, PROTEINS, cache)
    await services.die("interpro")
    findings = await asked(services, PROTEINS, cache)
    assert {answer.release for answer in findings.answers.values()} == {"109.0"}
    assert all(answer.is_stale for answer in findings.answers.values())
    assert findings.use.problem.startswith("could not be queried: ")
    assert findings.use.problem.endswith("; its cached answers are used")
    assert findings.use.answered == len(PROTEINS)


async def test_what_the_dead_service_said_earlier_is_told_beside_what_is_missing(services, cache):
    await asked(services, PROTEINS[:3], cache)
    await services.die("interpro")
    without_uniparc(services)
    findings = await asked(services, PROTEINS, cache)
    assert findings.answers[PROTEINS[0].md5].is_stale
    assert "; cached answers for 3 of 10 proteins are used" in findings.use.problem
    assert findings.use.answered == 3


async def test_a_release_in_mid_run_is_noticed_and_both_are_told(cache):
    proteins = many(350)
    async with Services(matched(proteins)) as services:
        services.release(interpro="110.0", after=3)
        findings = await asked(services, proteins, cache, interpro=ONE_AT_A_TIME)
        assert services.record.count("interpro/info") == 2
    assert findings.use.releases == ("109.0", "110.0")
    releases = [answer.release for answer in findings.answers.values()]
    assert (releases.count("109.0"), releases.count("110.0")) == (200, 150)
    for release, number in (("109.0", 200), ("110.0", 150)):
        assert len(cache.find(SERVICE, KIND, [one.md5 for one in proteins], release)) == number


async def test_what_cannot_be_placed_in_a_release_is_used_and_not_kept(cache):
    proteins = many(350)
    async with Services(matched(proteins)) as services:
        services.release(interpro="110.0", after=3)
        services.misbehave("interpro/matches", with_value("version", "0"), after=3)
        findings = await asked(services, proteins, cache, interpro=ONE_AT_A_TIME)
        assert services.record.count("interpro/info") == 2
    unplaced = [one for one in findings.answers.values() if one.release is None]
    assert {answer.state for answer in unplaced} == {AnswerState.HIT}
    assert len(unplaced) == 50
    assert len(cache.find(SERVICE, KIND, [one.md5 for one in proteins], None)) == 300


async def test_without_a_second_word_on_the_release_only_what_agrees_with_the_first_is_of_it(cache):
    proteins = many(350)
    async with Services(matched(proteins)) as services:
        services.release(interpro="110.0", after=3)
        services.misbehave("interpro/info", status(404), after=1)
        findings = await asked(services, proteins, cache, interpro=ONE_AT_A_TIME)
        assert services.record.count("interpro/info") == 2
    releases = [answer.release for answer in findings.answers.values()]
    assert (releases.count("109.0"), releases.count(None)) == (200, 150)
    assert len(cache.find(SERVICE, KIND, [one.md5 for one in proteins], None)) == 200


async def test_versions_that_are_never_those_told_are_of_the_release_before_and_after(
    services, cache
):
    services.misbehave("interpro/matches", with_value("version", "other"))
    findings = await asked(services, PROTEINS, cache)
    assert services.record.count("interpro/info") == 2
    assert findings.use.releases == ("109.0",)
    services.forget()
    await asked(services, PROTEINS, cache)
    assert services.record.routes() == {"GET interpro/info": 1}
