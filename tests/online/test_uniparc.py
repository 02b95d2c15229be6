"""UniParc by MD5: which entries have a sequence, and which domains it has."""

from __future__ import annotations

import pytest

from genint.model import AnswerState, InterProEntry, InterProMatch, MatchPlace
from genint.online.client import open_client
from genint.online.uniprot.client import UniProtClient
from genint.online.uniprot.uniparc import query_uniparc, uniparc_domains
from tests.online.asking_uniprot import FAST, made, servers
from tests.online_services import (
    World,
    body,
    foreign_next,
    outage_page,
    rewritten,
    world_of,
)
from tests.online_services.real import real_world
from tests.online_services.samples import (
    EXPERIMENTAL,
    UNIPARC_ONLY,
    UNKNOWN,
    WITHOUT_SIGNATURE,
)

MD5S = [one.md5 for one in (EXPERIMENTAL, UNIPARC_ONLY, WITHOUT_SIGNATURE, UNKNOWN)]


@pytest.fixture
async def caller(services):
    async with open_client(servers(services), "genint/test", policy=FAST) as client:
        yield client.run(60.0)


async def test_each_sequence_has_an_answer_of_its_own(caller):
    found = await uniparc_domains(MD5S, caller)
    assert [found[md5].state for md5 in MD5S] == [
        AnswerState.HIT,
        AnswerState.HIT,
        AnswerState.NO_MATCH,
        AnswerState.NOT_IN_DATABASE,
    ]
    assert all(answer.through_uniparc for answer in found.values())
    (match, *_) = found[UNIPARC_ONLY.md5].matches
    assert match.library == "pfam"
    assert match.entry is not None
    assert match.places
    assert (match.evalue, match.entry.type) == (None, "")


async def test_a_lost_call_is_no_missing_sequence(caller, services):
    services.misbehave("uniprot", outage_page())
    found = await uniparc_domains(MD5S, caller)
    assert {answer.state for answer in found.values()} == {AnswerState.ERROR}
    assert {answer.reason for answer in found.values()} == {"503 after 2 attempts"}


def _page(response, total=None, link=None):
    """A page of no records whose headers say that there are some."""

    async def answer(request, proceed):
        shown = await body(response)(request, proceed)
        shown.headers["X-UniProt-Release"] = "2026_03"
        if total is not None:
            shown.headers["X-Total-Results"] = str(total)
        if link:
            shown.headers["Link"] = f'<{request.url}>; rel="next"'
        return shown

    return answer


@pytest.mark.parametrize(("total", "link"), [(12, False), (12, True), (None, True)])
async def test_an_empty_page_of_several_records_makes_no_sequence_unknown(
    caller, services, total, link
):
    services.misbehave("uniprot/uniparc", _page('{"results": []}', total, link))
    found = await uniparc_domains(MD5S, caller)
    assert {answer.state for answer in found.values()} == {AnswerState.ERROR}
    assert {answer.reason for answer in found.values()} == {
        "its answer has fewer records than it counts"
    }


async def test_a_record_less_than_counted_leaves_open_which_one_it_is(caller, services):
    services.misbehave("uniprot/uniparc", rewritten(_first_alone))
    found = await uniparc_domains(MD5S, caller)
    assert sorted(answer.state for answer in found.values()) == ["error", "error", "error", "hit"]


def _first_alone(value):
    return {"results": value["results"][:1]}


async def test_the_next_page_is_read(caller, services):
    services.misbehave("uniprot/uniparc", _in_two_pages)
    found = await uniparc_domains(MD5S, caller)
    assert [found[md5].state for md5 in MD5S] == [
        AnswerState.HIT,
        AnswerState.HIT,
        AnswerState.NO_MATCH,
        AnswerState.NOT_IN_DATABASE,
    ]
    assert services.record.count("uniprot/uniparc/search") == 2


async def _in_two_pages(request, proceed):
    """One record on the first page, all others on the second one."""
    second = "part" in request.query

    def part(value):
        return {"results": value["results"][1:] if second else value["results"][:1]}

    answer = await rewritten(part)(request, proceed)
    if not second:
        answer.headers["Link"] = f'<{request.url.update_query(part="2")}>; rel="next"'
    return answer


async def test_a_next_page_elsewhere_makes_no_sequence_unknown(caller, services):
    services.misbehave("uniprot/uniparc", foreign_next(services.canary_url))
    found = await uniparc_domains(MD5S, caller)
    assert not found[UNKNOWN.md5].state.is_answer
    assert found[EXPERIMENTAL.md5].state is AnswerState.HIT
    assert services.record.count("canary") == 0


async def test_fifty_are_asked_at_once_and_two_calls_are_under_way(caller, services):
    proteins = made(170)
    services.world = world_of(proteins)
    services.slow("uniprot", 0.05)
    found = await query_uniparc([one.md5 for one in proteins], UniProtClient(caller))
    assert len(found.records) == 170
    assert services.record.count("uniprot/uniparc/search") == 4
    assert services.record.most_in_flight("uniprot") == 2


async def test_obsolete_versions_are_no_entries(caller):
    found = await query_uniparc([EXPERIMENTAL.md5, UNIPARC_ONLY.md5], UniProtClient(caller))
    assert len(found.records[EXPERIMENTAL.md5].accessions) == 1
    assert found.records[UNIPARC_ONLY.md5].accessions == ()


async def test_whole_records_are_asked_for_where_the_parts_hold_no_checksum(caller, services):
    def without_sequence(value):
        for record in value["results"]:
            record.pop("sequence", None)
        return value

    services.misbehave("uniprot/uniparc", rewritten(without_sequence), times=1)
    found = await query_uniparc(MD5S, UniProtClient(caller))
    assert set(found.records) == set(MD5S[:3])
    assert [("fields" in one.params) for one in services.record.of("uniprot")] == [True, False]


async def test_libraries_have_the_names_that_interpro_gives_them(caller, services):
    def feature(database, number):
        place = {"start": 1, "end": 9}
        return {"database": database, "databaseId": number, "locations": [place]}

    features = [
        feature("Gene3D", "G3DSA:3.40.50.300"),
        feature("FUNFAM", "G3DSA:3.40.50.300:FF:000001"),
        feature("SUPFAM", "SSF52540"),
        feature("PROSITE", "PS50011"),
        feature("PROSITE", "PS00107"),
        feature("NCBIfam", "NF000001"),
    ]
    (record,) = world_of([EXPERIMENTAL]).uniparc
    services.world = World(uniparc=({**record, "sequenceFeatures": features},))
    found = await uniparc_domains([EXPERIMENTAL.md5], caller)
    assert [match.library for match in found[EXPERIMENTAL.md5].matches] == [
        "cathgene3d",
        "cathfunfam",
        "superfamily",
        "prositeprofiles",
        "prositepatterns",
        "ncbifam",
    ]


async def test_features_of_residues_are_no_hit(caller, services):
    features = [
        {"database": database, "databaseId": database, "locations": [{"start": 1, "end": 9}]}
        for database in ("MobiDB-lite", "COILS", "Phobius")
    ]
    (record,) = world_of([EXPERIMENTAL]).uniparc
    services.world = World(uniparc=({**record, "sequenceFeatures": features},))
    answer = (await uniparc_domains([EXPERIMENTAL.md5], caller))[EXPERIMENTAL.md5]
    assert answer.state is AnswerState.NO_MATCH
    assert len(answer.matches) == 3


async def test_answers_are_of_the_release_that_uniprot_names(caller):
    found = await uniparc_domains(MD5S, caller)
    assert {answer.release for answer in found.values()} == {"2026_03"}


async def test_a_real_record_is_read(caller, services, shared_data):
    services.world = real_world(shared_data / "api")
    md5 = "EF8A186543FE2E2243B5F2C571E8CE69"
    name = "Virion membrane protein, poxvirus L1-related"
    found = await uniparc_domains([md5], caller)
    assert found[md5].matches == (
        InterProMatch(
            "PF02442",
            "pfam",
            "Pfam",
            entry=InterProEntry("IPR003472", name, name),
            places=(MatchPlace(1, 200),),
        ),
    )
    record = (await query_uniparc([md5], UniProtClient(caller))).records[md5]
    assert record.accessions == tuple(
        sorted(["Q71TT2", "P07612", "Q76QK2", "Q0GNZ6", "A0A2I2MDI1", "Q6RZL4", "G0XTE8"])
    )
    assert record.release == "2026_03"
