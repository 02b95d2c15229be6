"""What UniProt is asked, what its answers become, and what is never sent to it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from genint.model import AnswerState, NameOrigin, OnlineQuestions, ProteinQuestion
from tests.online.asking_uniprot import Asker, made, names, question, questions
from tests.online_services import (
    PROTEINS,
    SAMPLE_WORLD,
    Ids,
    Known,
    Protein,
    World,
    body,
    world_of,
)
from tests.online_services.samples import (
    BY_RULE,
    ELSEWHERE,
    EXPERIMENTAL,
    OTHER_SEQUENCE,
    SIMILAR,
    SUBMITTED,
    TAXON,
    UNIPARC_ONLY,
    UNKNOWN,
    WITHOUT_SIGNATURE,
    residues_of,
)

HIT, NO_MATCH, NOT_IN = AnswerState.HIT, AnswerState.NO_MATCH, AnswerState.NOT_IN_DATABASE


@pytest.fixture
def ask(services, tmp_path):
    return Asker(services, tmp_path)


@pytest.mark.parametrize("taxon_id", [None, TAXON, 1])
@pytest.mark.parametrize("ids", [True, False])
async def test_every_protein_is_answered_whatever_route_is_open(ask, taxon_id, ids):
    found = await ask(PROTEINS, taxon_id, ids=ids)
    states = {one.md5: found.answers[one.md5].state for one in PROTEINS}
    assert set(states) == {one.md5 for one in PROTEINS}
    for protein in (EXPERIMENTAL, SIMILAR, BY_RULE, SUBMITTED, ELSEWHERE):
        assert states[protein.md5] is HIT
        assert found.answers[protein.md5].entries[0].same_sequence
    assert states[OTHER_SEQUENCE.md5] is (HIT if ids else NO_MATCH)
    assert states[UNIPARC_ONLY.md5] is states[WITHOUT_SIGNATURE.md5] is NO_MATCH
    assert states[UNKNOWN.md5] is NOT_IN
    assert found.use.problem == ""
    assert found.use.answered == found.use.proteins == len(PROTEINS)
    assert {answer.release for answer in found.answers.values()} == {"2026_03"}
    assert found.use.releases == ("2026_03",)


async def test_an_entry_is_read_whole(ask):
    found = await ask([EXPERIMENTAL], TAXON)
    (entry,) = found.answers[EXPERIMENTAL.md5].entries
    assert entry.name == "DNA terminase large subunit"
    assert entry.reviewed
    assert (entry.name_origin, entry.name_eco) == (NameOrigin.RECOMMENDED, ("ECO:0000269",))
    assert entry.md5 == EXPERIMENTAL.md5
    assert entry.crc64 == EXPERIMENTAL.crc64
    assert [claim.number for claim in entry.ec] == ["3.6.4.-"]
    assert entry.locus_tags == ("made_0001",)
    assert (entry.taxon_id, entry.organism, entry.existence) == (TAXON, "Made-up phage", 1)


async def test_the_same_locus_with_another_sequence_is_told_apart(ask):
    for taxon_id in (TAXON, None):
        found = await ask([OTHER_SEQUENCE], taxon_id)
        (entry,) = found.answers[OTHER_SEQUENCE.md5].entries
        assert not entry.same_sequence
        assert entry.length_aa == 118


async def test_no_residue_leaves_the_machine(ask, services):
    await ask(PROTEINS, TAXON)
    for protein in PROTEINS:
        assert services.record.spoken_of(protein.residues[:20]) == []


async def test_a_reviewed_entry_of_another_taxon_comes_before_an_unreviewed_one_of_the_taxon(ask):
    own = replace(BY_RULE, taxon_id=TAXON)
    reviewed = replace(own, taxon_id=10665, known=Known.REVIEWED, product="Tail spike protein")
    ask.services.world = world_of([own, reviewed])
    found = await ask([own], TAXON)
    assert names(found, [own]) == [["Tail spike protein", "Tail fiber protein"]]


async def test_deleted_and_demerged_entries_are_no_hit(ask):
    (entry,) = world_of([EXPERIMENTAL]).entries
    inactive = {
        "entryType": "Inactive",
        "primaryAccession": entry["primaryAccession"],
        "inactiveReason": {"inactiveReasonType": "DEMERGED", "mergeDemergeTo": ["P63151"]},
    }
    world = world_of([EXPERIMENTAL])
    ask.services.world = World((inactive,), world.uniparc)
    found = await ask([EXPERIMENTAL])
    assert found.answers[EXPERIMENTAL.md5].state is NO_MATCH
    assert ask.services.record.count("uniprot/uniprotkb/accessions") == 1


async def test_obsolete_accessions_of_uniparc_are_not_asked_for(ask):
    await ask([UNIPARC_ONLY], ids=False)
    assert ask.services.record.routes() == {"GET uniprot/uniparc/search": 1}


async def test_two_entries_of_one_protein_are_both_found(ask):
    twin = replace(EXPERIMENTAL, taxon_id=10665, ids=Ids())
    ask.services.world = world_of([EXPERIMENTAL, twin])
    for taxon_id, first in ((TAXON, TAXON), (10665, 10665), (None, None)):
        found = await ask([EXPERIMENTAL], taxon_id, ids=False)
        entries = found.answers[EXPERIMENTAL.md5].entries
        assert {one.taxon_id for one in entries} == {TAXON, 10665} or taxon_id
        assert first in (None, entries[0].taxon_id)


async def test_at_most_five_entries_of_a_protein_are_fetched(ask):
    copies = [replace(EXPERIMENTAL, taxon_id=100 + at, ids=Ids()) for at in range(9)]
    ask.services.world = world_of(copies)
    found = await ask([EXPERIMENTAL], ids=False)
    assert len(found.answers[EXPERIMENTAL.md5].entries) == 5
    (visit,) = ask.services.record.of("uniprot/uniprotkb/accessions")
    assert len(visit.params["accessions"].split(",")) == 5


@pytest.mark.parametrize(
    "hostile",
    [
        "NP_1) OR (reviewed:true",
        "../../uniprotkb/P12345",
        "@example.org/NP_000001.1",
        "NP_000001.1%0d%0aHost: example.org",
        "NP_000001.1\r\nHost: example.org",
        "NP_000001.1 AAC74087.1",
        "NP_000001.1,NP_000002.1",
        '"NP_000001.1"',
        "NP_*",
        "NP_\uff10\uff10\uff10\uff10\uff10\uff11.1",
        "AAC74087.1:foo",
        "contig_1_protein_2",
        "",
    ],
)
async def test_what_is_no_protein_id_is_not_sent(ask, services, hostile):
    clean = question(UNKNOWN)
    for asked in (clean._replace(refseq_ids=(hostile,)), clean._replace(cds_ids=(hostile,))):
        found = await ask(asked=OnlineQuestions((asked,), None, {}))
        assert found.answers[UNKNOWN.md5].state is NOT_IN
    assert {visit.path for visit in services.record.of("uniprot")} == {
        "/uniparc/search",
        "/uniprotkb/search",  # for the release
    }
    for visit in services.record.of("uniprot"):
        assert visit.params["query"] in (f"checksum:{UNKNOWN.md5}", "accession:P19926")


@pytest.mark.parametrize(
    "hostile", ["../../other", "@example.org", "a b", "x" * 65, "", "a/b", "a?b", 7, None]
)
async def test_a_job_id_of_another_form_is_not_asked_for(ask, services, hostile):
    proteins = made(151, refseq=True)
    services.misbehave("uniprot/idmapping/run", body(json.dumps({"jobId": hostile})))
    found = await ask(proteins)
    assert services.record.count("uniprot/idmapping/status") == 0
    assert {one.state for one in found.answers.values()} == {NOT_IN}


async def test_accessions_of_another_form_are_not_asked_for(ask, services):
    world = world_of([EXPERIMENTAL])
    record = {**world.uniparc[0], "uniProtKBAccessions": ["P12345&x=1", "../P12345", "P12345-2"]}
    services.world = World((), (record,))
    found = await ask([EXPERIMENTAL], ids=False)
    assert found.answers[EXPERIMENTAL.md5].state is NO_MATCH
    assert services.record.count("uniprot/uniprotkb/accessions") == 0


async def test_nothing_is_asked_about_nothing(ask, services):
    found = await ask([])
    assert found.answers == {}
    assert (found.use.problem, found.use.proteins, ask.sent) == ("", 0, 0)


async def test_the_server_may_take_fewer_alternatives_than_known(ask, services):
    services.behave(most_or_terms=25)
    proteins = made(40, refseq=True)
    services.world = world_of(proteins[:30]) + SAMPLE_WORLD
    found = await ask([*proteins, OTHER_SEQUENCE])
    states = [found.answers[one.md5].state for one in proteins]
    assert states == [HIT] * 30 + [NOT_IN] * 10
    assert found.answers[OTHER_SEQUENCE.md5].state is HIT
    assert found.use.problem == ""


async def test_unknown_names_of_parts_are_left_out(ask, services):
    services.behave(knows_uniparc_names=False)
    found = await ask(PROTEINS)
    assert found.answers[EXPERIMENTAL.md5].state is HIT
    refused, whole = services.record.of("uniprot/uniparc/search")
    assert (refused.status, whole.status) == (400, 200)
    assert "fields" not in whole.params
    assert ask.sent == 4  # with accessions, and ids of those that are open


async def test_a_server_that_pages_accessions_is_followed(ask, services):
    services.behave(accessions_page=25)
    proteins = made(60)
    services.world = world_of(proteins)
    found = await ask(proteins)
    assert {one.state for one in found.answers.values()} == {HIT}


async def test_xref_cog_is_never_asked_for(ask, services):
    await ask(PROTEINS, TAXON)
    assert services.record.spoken_of("xref_cog") == []


@pytest.mark.parametrize("job_end", ["redirect", "plain"])
async def test_a_job_may_end_in_either_way(ask, services, job_end):
    services.behave(job_end=job_end)
    proteins = made(160, refseq=True)
    services.world = world_of(proteins)
    found = await ask(proteins)
    assert {one.state for one in found.answers.values()} == {HIT}
    assert services.record.count("uniprot/uniparc") == 0
    assert ask.waits_s == [1.0, 2.0, 3.0]


@pytest.mark.parametrize("job_end", ["error", "failure", "forgotten"])
async def test_a_job_that_fails_leaves_the_proteins_to_uniparc(ask, services, job_end):
    services.behave(job_end=job_end)
    proteins = made(160, refseq=True)
    services.world = world_of(proteins)
    found = await ask(proteins)
    assert {one.state for one in found.answers.values()} == {HIT}
    assert found.use.problem == ""


async def test_a_job_that_never_ends_is_left_after_a_few_looks(ask, services):
    services.behave(polls=1_000)
    proteins = made(160, refseq=True)
    services.world = world_of(proteins)
    found = await ask(proteins)
    assert {one.state for one in found.answers.values()} == {HIT}
    assert ask.waits_s == [1.0, 2.0, 3.0, 5.0, 5.0, 5.0]


@pytest.mark.parametrize("crc64_mapping", ["works", "refused", "finds_nothing"])
async def test_checksums_may_or_may_not_be_mapped(ask, services, crc64_mapping):
    services.behave(crc64_mapping=crc64_mapping)
    proteins = made(160)
    services.world = world_of(proteins)
    found = await ask(proteins)
    assert {one.state for one in found.answers.values()} == {HIT}
    assert services.record.count("uniprot/uniparc") == (0 if crc64_mapping == "works" else 4)


async def test_ids_that_are_mapped_without_version_alone_are_tried_so(ask, services):
    services.behave(mapped_ids="unversioned", polls=0)
    proteins = made(400, refseq=True)
    services.world = world_of(proteins)
    await ask(proteins)
    first, second = services.record.of("uniprot/idmapping/run")
    assert first.params["ids"].split(",")[0] == "NP_9000001.1"
    assert second.params["ids"].split(",")[0] == "NP_9000001"
    assert services.record.count("uniprot/uniparc") == 0


async def test_an_equal_crc64_with_another_md5_is_no_hit(ask, services):
    proteins = made(160)
    world = world_of(proteins)
    changed = tuple(
        {**one, "sequence": {**one["sequence"], "md5": "0" * 32}} for one in world.entries
    )
    services.world = World(changed)
    found = await ask(proteins)
    assert {one.state for one in found.answers.values()} == {NOT_IN}


async def test_a_mapped_entry_with_another_sequence_is_kept_as_such(ask, services):
    proteins = made(160, refseq=True)
    other = replace(proteins[0], other_residues=residues_of(999, 58))
    services.world = world_of([other, *proteins[1:]])
    found = await ask(proteins)
    (entry,) = found.answers[proteins[0].md5].entries
    assert not entry.same_sequence
    assert found.answers[proteins[1].md5].entries[0].same_sequence


async def test_the_order_of_the_questions_changes_no_answer(services, tmp_path):
    forth = await Asker(services, tmp_path / "a")(PROTEINS, TAXON)
    back = await Asker(services, tmp_path / "b")(PROTEINS[::-1], TAXON)
    assert dict(forth.answers) == dict(back.answers)


async def test_proteins_with_the_same_id_each_have_their_answer(ask, services):
    one, two = made(2, refseq=True)
    two = replace(two, ids=one.ids)
    services.world = world_of([one])
    found = await ask([one, two])
    assert found.answers[one.md5].entries[0].same_sequence
    assert not found.answers[two.md5].entries[0].same_sequence


async def test_an_id_is_matched_without_regard_to_its_version(ask, services):
    (protein,) = made(1, refseq=True)
    services.world = world_of([replace(protein, other_residues=residues_of(999, 58))])
    later = question(protein)._replace(refseq_ids=("NP_9000001.7",))
    for taxon_id in (None, TAXON):
        found = await ask(asked=OnlineQuestions((later,), taxon_id, {}))
        assert found.answers[protein.md5].state is HIT


def test_questions_know_no_residues():
    assert "residues" not in ProteinQuestion._fields
    assert questions([Protein("MKV", "x")]).proteins[0].length_aa == 3
