"""InterPro asked for the proteins of a run: what comes back, what it costs, what is kept."""

from __future__ import annotations

import pytest

from genint.cache.online import OnlineCache
from genint.model import AnswerState, GoTerm, OnlineService
from genint.online.interpro.query import KIND, SERVICE
from tests.online.interpro_run import asked, many, matched
from tests.online_services import PROTEINS, SAMPLE_WORLD, Services
from tests.online_services.samples import (
    EXPERIMENTAL,
    SPURIOUS,
    UNIPARC_ONLY,
    UNKNOWN,
    WITHOUT_SIGNATURE,
)


@pytest.fixture
def cache(tmp_path):
    return OnlineCache(tmp_path)


def state(findings, protein):
    return findings.answers[protein.md5].state


async def test_each_protein_has_the_state_that_the_service_tells(services):
    findings = await asked(services, PROTEINS)
    assert set(findings.answers) == {one.md5 for one in PROTEINS}
    assert state(findings, EXPERIMENTAL) is AnswerState.HIT
    assert state(findings, UNIPARC_ONLY) is AnswerState.HIT
    assert state(findings, SPURIOUS) is AnswerState.HIT
    assert state(findings, WITHOUT_SIGNATURE) is AnswerState.NO_MATCH
    assert state(findings, UNKNOWN) is AnswerState.NOT_IN_DATABASE
    assert {answer.release for answer in findings.answers.values()} == {"109.0"}


async def test_the_use_of_the_service_is_accounted_for(services):
    use = (await asked(services, PROTEINS)).use
    assert use.service is OnlineService.INTERPRO
    assert (use.releases, use.problem) == (("109.0",), "")
    assert (use.proteins, use.answered) == (len(PROTEINS), len(PROTEINS))
    assert (use.requests, use.retries, use.from_cache) == (3, 0, 0)
    assert services.record.routes() == {
        "GET interpro/info": 1,
        "POST interpro/matches": 1,
        "GET interpro_go/interpro2go": 1,
    }


async def test_a_second_run_asks_for_the_release_only_and_says_the_same(services, cache):
    first = await asked(services, PROTEINS, cache)
    services.forget()
    second = await asked(services, PROTEINS, cache)
    assert services.record.routes() == {"GET interpro/info": 1}
    assert second.answers == first.answers
    assert (second.go, second.go_note) == (first.go, first.go_note)
    assert second.use.from_cache == len(PROTEINS)
    assert second.use._replace(requests=0, from_cache=0, seconds=0) == first.use._replace(
        requests=0, from_cache=0, seconds=0
    )


async def test_only_what_is_not_kept_is_asked_for(services, cache):
    await asked(services, PROTEINS[:4], cache)
    services.forget()
    findings = await asked(services, PROTEINS, cache)
    (visit,) = services.record.of("interpro/matches")
    assert set(visit.json["md5"]) == {one.md5 for one in PROTEINS[4:]}
    assert findings.use.from_cache == 4


async def test_a_new_release_is_asked_anew(services, cache):
    await asked(services, PROTEINS, cache)
    services.release(interpro="110.0")
    services.forget()
    findings = await asked(services, PROTEINS, cache)
    assert services.record.count("interpro/matches") == 1
    assert services.record.count("interpro_go") == 1
    assert findings.use.releases == ("110.0",)


async def test_proteins_are_found_by_the_hundred_and_four_at_once():
    proteins = many(650)
    async with Services(matched(proteins)) as services:
        services.slow("interpro/matches", 0.02)
        findings = await asked(services, proteins)
    sizes = [len(visit.json["md5"]) for visit in services.record.of("interpro/matches")]
    assert sorted(sizes) == [50, *[100] * 6]
    assert services.record.most_in_flight("interpro") <= 4
    assert services.record.most_in_flight("interpro") > 1
    assert {answer.state for answer in findings.answers.values()} == {AnswerState.HIT}


async def test_copies_of_a_sequence_are_asked_once(services):
    findings = await asked(services, [EXPERIMENTAL, EXPERIMENTAL, UNKNOWN])
    (visit,) = services.record.of("interpro/matches")
    assert visit.json == {"md5": [EXPERIMENTAL.md5, UNKNOWN.md5]}
    assert findings.use.proteins == 2


async def test_no_residue_and_no_identifier_leaves_the_machine(services):
    await asked(services, PROTEINS)
    for protein in PROTEINS:
        assert services.record.spoken_of(protein.residues) == []
    for visit in services.record.of("interpro/matches"):
        assert list(visit.json) == ["md5"]
        assert visit.query == ""


async def test_without_proteins_nothing_is_asked(services):
    findings = await asked(services, [])
    assert findings.answers == {}
    assert services.record.count("interpro") == 0


async def test_a_protein_whose_checksum_is_none_is_not_sent(services):
    class Odd:
        md5, crc64, residues = "../info", "", "M"

    findings = await asked(services, [Odd, EXPERIMENTAL])
    (visit,) = services.record.of("interpro/matches")
    assert visit.json == {"md5": [EXPERIMENTAL.md5]}
    assert findings.answers["../info"].state is AnswerState.ERROR
    assert findings.answers["../info"].reason == "its checksum is none"


async def test_predictions_alone_are_no_hit_and_are_told(services):
    services.behave(predictions=True)
    findings = await asked(services, [EXPERIMENTAL, WITHOUT_SIGNATURE])
    told = findings.answers[EXPERIMENTAL.md5].matches
    assert {match.accession for match in told if match.is_prediction} > {"PF99999"}
    assert any(not match.is_prediction for match in told)
    services.world = _only_predictions(services.world)
    findings = await asked(services, [EXPERIMENTAL])
    answer = findings.answers[EXPERIMENTAL.md5]
    assert answer.state is AnswerState.NO_MATCH
    assert answer.matches[0].is_prediction


def _only_predictions(world):
    from dataclasses import replace  # noqa: PLC0415

    matches = {
        md5: tuple({**match, "source": "InterPro-N"} for match in found)
        for md5, found in world.matches.items()
    }
    return replace(world, matches=matches)


async def test_terms_of_entries_come_with_the_matches(services):
    findings = await asked(services, PROTEINS)
    (entry,) = {
        match.entry.accession
        for match in findings.answers[EXPERIMENTAL.md5].matches
        if match.library == "pfam"
    }
    assert {term.id for term in findings.go[entry]} == {"GO:0003677", "GO:0019073"}
    assert findings.go_note == ""


async def test_installed_terms_are_not_fetched(services):
    first = await asked(services, PROTEINS)
    entry = next(iter(first.go))
    services.forget()
    term = GoTerm("GO:0003677", "DNA binding")
    findings = await asked(services, PROTEINS, installed_go={entry: (term,)})
    assert findings.go == {entry: (term,)}
    assert services.record.count("interpro_go") == 0


async def test_terms_are_not_fetched_where_no_entry_was_matched(services):
    findings = await asked(services, [WITHOUT_SIGNATURE, SPURIOUS, UNKNOWN])
    assert findings.go == {}
    assert services.record.count("interpro_go") == 0


async def test_what_is_kept_is_readable_only_under_its_own_version(services, cache):
    await asked(services, [EXPERIMENTAL], cache)
    assert set(cache.find(SERVICE, KIND, [EXPERIMENTAL.md5], "109.0")) == {EXPERIMENTAL.md5}
    assert not cache.find(SERVICE, "md5", [EXPERIMENTAL.md5], "109.0")


async def test_a_kept_answer_of_another_form_is_asked_for_again(services, cache):
    cache.keep(SERVICE, KIND, "109.0", {EXPERIMENTAL.md5: (AnswerState.HIT, '{"not": "ours"}')})
    findings = await asked(services, [EXPERIMENTAL], cache)
    assert services.record.count("interpro/matches") == 1
    assert state(findings, EXPERIMENTAL) is AnswerState.HIT


async def test_the_sample_world_is_what_these_tests_stand_on():
    assert len(SAMPLE_WORLD.matches) == len(PROTEINS) - 1
