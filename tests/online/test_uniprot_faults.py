"""Whatever UniProt does, every protein has an answer, and only complete ones are kept."""

from __future__ import annotations

import pytest

from genint.model.online import AnswerState
from tests.online.asking_uniprot import Asker, made
from tests.online_services import (
    PROTEINS,
    body,
    broken_off,
    content_type,
    cut_json,
    deep_json,
    foreign_next,
    good,
    header,
    huge_numbers,
    nan,
    no_content,
    outage_page,
    redirect,
    repeated_keys,
    rewritten,
    same_next,
    status,
    with_value,
    without,
    world_of,
)
from tests.online_services.samples import EXPERIMENTAL, SIMILAR, TAXON, UNKNOWN

HIT, ERROR, NOT_ASKED = AnswerState.HIT, AnswerState.ERROR, AnswerState.NOT_ASKED


@pytest.fixture
def ask(services, tmp_path):
    return Asker(services, tmp_path)


def states(found):
    return {answer.state for answer in found.answers.values()}


async def test_a_dead_service_gives_no_answer_and_says_why(ask, services):
    await services.die("uniprot")
    found = await ask(PROTEINS, TAXON)
    assert states(found) <= {ERROR, NOT_ASKED}
    assert found.use.problem.startswith("could not be queried: ")
    assert all(answer.reason for answer in found.answers.values())
    assert found.use.answered == 0
    await services.revive("uniprot")
    assert (await ask(PROTEINS, TAXON)).use.problem == ""


async def test_an_outage_is_told_in_words(ask, services):
    services.misbehave("uniprot", outage_page())
    found = await ask(PROTEINS)
    assert found.use.problem == "could not be queried: 503 after 2 attempts"


async def test_a_run_without_time_asks_nothing(ask):
    found = await ask(PROTEINS, TAXON, budget_s=0.0)
    assert states(found) == {NOT_ASKED}
    assert ask.sent == 0


async def test_only_the_proteins_of_a_lost_call_are_without_answer(ask, services):
    proteins = made(120)
    services.world = world_of(proteins)
    services.misbehave("uniprot/uniparc", _outage_about(proteins[60]))
    found = await ask(proteins)
    lost = [one for one in proteins if found.answers[one.md5].state is ERROR]
    assert lost == proteins[50:100]
    assert {found.answers[one.md5].reason for one in lost} == {"503 after 2 attempts"}
    assert found.use.problem == "answered for 70 of 120 proteins only: 503 after 2 attempts"
    services.recover()
    ask.forget()
    again = await ask(proteins)
    assert states(again) == {HIT}
    assert ask.sent == 3  # release, UniParc and entries of those that were lost
    assert again.use.from_cache == 70


def _outage_about(protein):
    """A server that fails over one query."""

    async def answer(request, proceed):
        if protein.md5 in request.query.get("query", ""):
            return await outage_page()(request, proceed)
        return await proceed()

    return answer


async def test_a_sequence_whose_entries_are_lost_is_no_sequence_without_entries(ask, services):
    services.misbehave("uniprot/uniprotkb/accessions", outage_page())
    found = await ask([EXPERIMENTAL, UNKNOWN], ids=False)
    assert found.answers[EXPERIMENTAL.md5].state is ERROR
    assert found.answers[UNKNOWN.md5].state is AnswerState.NOT_IN_DATABASE
    services.recover()
    assert (await ask([EXPERIMENTAL, UNKNOWN], ids=False)).answers[EXPERIMENTAL.md5].state is HIT


async def test_what_ids_might_have_found_is_asked_for_again(ask, services):
    services.misbehave("uniprot/uniprotkb/search", outage_page())
    found = await ask(PROTEINS)
    assert found.use.problem == ""
    services.recover()
    ask.forget()
    again = await ask(PROTEINS)
    assert again.use.from_cache < len(PROTEINS)
    assert ask.sent > 1
    ask.forget()
    await ask(PROTEINS)
    assert ask.sent == 1


async def test_a_lost_count_of_the_taxon_leaves_the_other_routes(ask, services):
    services.misbehave("uniprot/uniprotkb/search", outage_page())
    found = await ask(PROTEINS, TAXON)
    assert found.answers[EXPERIMENTAL.md5].state is HIT


@pytest.mark.parametrize("taxon_id", [None, TAXON])
async def test_a_second_run_asks_for_the_release_alone(ask, taxon_id):
    first = await ask(PROTEINS, taxon_id)
    ask.forget()
    second = await ask(PROTEINS, taxon_id)
    assert ask.sent == 1
    assert second.answers == first.answers
    assert second.use.from_cache == len(PROTEINS)
    assert second.use.releases == first.use.releases


async def test_another_taxon_is_another_question(ask):
    await ask(PROTEINS, TAXON)
    found = await ask(PROTEINS, 10665)
    assert found.use.from_cache == 0


async def test_a_new_release_is_asked_anew(ask, services):
    await ask(PROTEINS)
    services.release(uniprot="2026_04")
    found = await ask(PROTEINS)
    assert found.use.from_cache == 0
    assert found.use.releases == ("2026_04",)


async def test_of_a_dead_service_earlier_answers_are_used_and_marked(ask, services):
    first = await ask(PROTEINS)
    await services.die("uniprot")
    found = await ask(PROTEINS)
    assert all(answer.is_stale for answer in found.answers.values())
    assert [one.entries for one in found.answers.values()] == [
        one.entries for one in first.answers.values()
    ]
    assert found.use.problem.startswith("could not be queried: ")
    assert found.use.problem.endswith("; its cached answers are used")


async def test_earlier_answers_of_some_proteins_are_told_to_be_of_some(ask, services):
    await ask([EXPERIMENTAL, SIMILAR])
    await services.die("uniprot")
    found = await ask(PROTEINS)
    assert found.use.problem.endswith("; cached answers for 2 of 10 proteins are used")
    assert found.answers[EXPERIMENTAL.md5].is_stale
    assert found.answers[UNKNOWN.md5].state in (ERROR, NOT_ASKED)


async def test_an_answer_of_an_older_release_stands_in_for_a_lost_one(ask, services):
    await ask([EXPERIMENTAL], ids=False)
    services.release(uniprot="2026_04")
    services.misbehave("uniprot/uniparc", outage_page())
    found = await ask([EXPERIMENTAL], ids=False)
    answer = found.answers[EXPERIMENTAL.md5]
    assert (answer.state, answer.release, answer.is_stale) == (HIT, "2026_03", True)


async def test_a_release_in_mid_run_is_told_and_mixed_answers_are_not_kept(ask, services):
    proteins = made(120)
    services.world = world_of(proteins)
    services.release(uniprot="2026_04", after=3)  # the entries are of the new one
    found = await ask(proteins)
    assert states(found) == {HIT}
    assert found.use.releases == ("2026_04",)
    again = await ask(proteins)
    assert again.use.from_cache == 0
    assert (await ask(proteins)).use.from_cache == 120


async def test_answers_that_name_no_release_are_used_and_not_kept(ask, services):
    services.misbehave("uniprot", header("X-UniProt-Release", ""))
    found = await ask([EXPERIMENTAL])
    assert found.answers[EXPERIMENTAL.md5].state is HIT
    assert found.answers[EXPERIMENTAL.md5].release is None
    assert (await ask([EXPERIMENTAL])).use.from_cache == 0


def _spoilt(value):
    """The first record of a page is not what it should be."""
    if value.get("results"):
        value["results"][0] = {"primaryAccession": 7, "sequence": []}
    return value


async def test_a_record_that_is_none_costs_its_own_protein_alone(ask, services):
    services.misbehave("uniprot/uniprotkb/accessions", rewritten(_spoilt))
    proteins = made(20)
    services.world = world_of(proteins)
    found = await ask(proteins)
    wrong = [one for one in found.answers.values() if one.state is not HIT]
    assert [(one.state, one.reason) for one in wrong] == [(ERROR, "the answer could not be read")]


async def test_a_record_of_a_taxon_that_is_none_is_asked_for_by_checksum(ask, services):
    services.misbehave("uniprot/uniprotkb/search", good(), rewritten(_spoilt), times=2)
    proteins = made(20)
    services.world = world_of(proteins)
    found = await ask(proteins, TAXON)
    assert states(found) == {HIT}


async def test_a_record_of_uniparc_that_is_none_makes_no_protein_unknown(ask, services):
    services.misbehave("uniprot/uniparc", rewritten(_spoilt))
    found = await ask([EXPERIMENTAL, SIMILAR, UNKNOWN], ids=False)
    assert sorted(one.state for one in found.answers.values()) == ["error", "error", "hit"]


@pytest.mark.parametrize(
    "fault",
    [
        cut_json(),
        deep_json(),
        nan(),
        huge_numbers(),
        repeated_keys(),
        body("[]"),
        body("{}"),
        body('{"results": 7}'),
        body('{"results": [null, 7, "x", [], {}]}'),
        body(b"\xff\xfe"),
        body('{"results": [{"entryType": "\\ud800"}]}'),
        content_type("text/html"),
        no_content(),
        broken_off(),
        status(500),
        status(404),
        status(400),
        status(400, {"messages": ["what?"]}),
        status(400, {"messages": "Too many OR conditions in query."}),
        status(400, {"messages": ["Too many OR conditions in query. Maximum allowed is 50."]}),
        status(400, {"messages": ["Invalid fields parameter value 'accession'"]}),
        outage_page(200),
        same_next(),
        with_value("sequence", "MKV"),
        with_value("uniProtKBAccessions", {"a": 1}),
        with_value("proteinDescription", []),
        with_value("annotationScore", "many"),
        with_value("uniProtKBCrossReferences", [None]),
        without("sequence"),
        without("primaryAccession"),
        without("results"),
    ],
)
@pytest.mark.parametrize("taxon_id", [None, TAXON])
async def test_no_fault_takes_an_answer_from_the_report(ask, services, fault, taxon_id):
    services.misbehave("uniprot", fault)
    found = await ask(PROTEINS, taxon_id)
    assert set(found.answers) == {one.md5 for one in PROTEINS}
    assert all(one.state.is_answer or one.reason for one in found.answers.values())
    services.recover()
    assert (await ask(PROTEINS, taxon_id)).use.problem == ""


@pytest.mark.parametrize(
    "keys",
    [
        ("genes", "organism", "comments", "annotationScore", "proteinExistence"),
        ("uniProtKBCrossReferences", "extraAttributes", "uniProtkbId"),
        ("proteinDescription",),
        ("molWeight", "crc64", "length"),
        ("md5",),
    ],
)
async def test_parts_that_are_missing_are_done_without(ask, services, keys):
    services.misbehave("uniprot", without(*keys))
    found = await ask([EXPERIMENTAL], TAXON)
    (entry,) = found.answers[EXPERIMENTAL.md5].entries
    assert entry.md5 == EXPERIMENTAL.md5
    assert entry.length_aa == len(EXPERIMENTAL.residues)


@pytest.mark.parametrize("path", ["uniprotkb/search", "uniprotkb/accessions", "idmapping"])
async def test_a_page_never_leads_to_another_server(ask, services, path):
    services.misbehave(f"uniprot/{path}", foreign_next(services.canary_url))
    proteins = made(160, refseq=True)
    services.world = world_of(proteins)
    for taxon_id in (None, TAXON):
        found = await ask(proteins, taxon_id)
        assert set(found.answers) == {one.md5 for one in proteins}
    assert services.record.count("canary") == 0


async def test_a_redirect_is_not_followed(ask, services):
    services.misbehave("uniprot", redirect(services.canary_url))
    found = await ask(PROTEINS, TAXON)
    assert states(found) <= {ERROR, NOT_ASKED}
    assert services.record.count("canary") == 0


async def test_a_page_that_leads_to_itself_comes_to_an_end(ask, services):
    services.misbehave("uniprot", same_next())
    proteins = made(160, refseq=True)
    services.world = world_of(proteins[:150])
    found = await ask(proteins, TAXON)
    assert found.use.problem == ""
    assert ask.sent < 30
