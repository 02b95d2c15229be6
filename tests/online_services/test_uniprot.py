"""The fake UniProt answers as the real one is known to."""

from __future__ import annotations

import pytest

from tests.online_services import PROTEINS, SAMPLE_WORLD, Services, World, inactive_entry
from tests.online_services.asking import Asking
from tests.online_services.queries import BadQuery, parse
from tests.online_services.samples import (
    ELSEWHERE,
    EXPERIMENTAL,
    OTHER_SEQUENCE,
    TAXON,
    UNIPARC_ONLY,
    UNKNOWN,
)

SEARCH = "uniprot/uniprotkb/search"


def joined(number: int, word: str = " OR ") -> str:
    return word.join(f"checksum:{number:032X}" for number in range(number))


async def test_a_search_finds_by_either_checksum_in_any_case(ask: Asking):
    for checksum in (EXPERIMENTAL.md5, EXPERIMENTAL.md5.lower(), EXPERIMENTAL.crc64):
        heard = await ask.get(SEARCH, query=f"checksum:{checksum}")
        assert [one["sequence"]["md5"] for one in heard.json["results"]] == [EXPERIMENTAL.md5]


async def test_every_answer_names_the_release(ask: Asking):
    for heard in (
        await ask.get(SEARCH, query=f"organism_id:{TAXON}", size=0),
        await ask.get(SEARCH, query="foo:1"),
        await ask.get("uniprot/uniprotkb/P99999"),
    ):
        assert heard.headers["X-UniProt-Release"] == "2026_03"
        assert heard.headers["X-UniProt-Release-Date"] == "02-September-2026"


async def test_size_0_counts(ask: Asking):
    heard = await ask.get(SEARCH, query=f"organism_id:{TAXON}", size=0)
    assert heard.headers["X-Total-Results"] == "5"
    assert heard.json == {"results": []}


async def test_pages_are_followed_to_the_end(ask: Asking):
    heard = await ask.get(SEARCH, query=f"organism_id:{TAXON}", size=2, fields="accession")
    found, pages = list(heard.json["results"]), 1
    while "Link" in heard.headers:
        address, rel = heard.headers["Link"].split("; ")
        assert rel == 'rel="next"'
        heard = await ask.send("GET", address.strip("<>"))
        found += heard.json["results"]
        pages += 1
    assert pages == 3
    assert len({one["primaryAccession"] for one in found}) == 5


async def test_fifty_or_terms_are_answered_and_fifty_one_refused(ask: Asking):
    assert (await ask.get(SEARCH, query=joined(50))).status == 200
    heard = await ask.get(SEARCH, query=joined(51))
    assert heard.status == 400
    assert heard.json["messages"] == ["Too many OR conditions in query. Maximum allowed is 50."]


@pytest.mark.parametrize(
    "query",
    [
        joined(51, " "),  # a blank is an OR
        f"({joined(51)}) AND reviewed:true",
        f"({joined(26)}) AND ({joined(25)})",
    ],
)
def test_or_terms_are_counted_at_every_depth(query: str):
    with pytest.raises(BadQuery, match="Too many OR"):
        parse(query, 50)


def test_fifty_terms_and_a_condition_are_legal():
    assert parse(f"({joined(50)}) AND reviewed:true", 50).or_terms == 50


async def test_reviewed_leaves_out_the_rest(ask: Asking):
    terms = " OR ".join(f"checksum:{one.md5}" for one in PROTEINS)
    both = await ask.get(SEARCH, query=terms)
    reviewed = await ask.get(SEARCH, query=f"({terms}) AND reviewed:true")
    assert len(reviewed.json["results"]) == 3 < len(both.json["results"])
    assert all("Swiss-Prot" in one["entryType"] for one in reviewed.json["results"])


@pytest.mark.parametrize(
    "number", ["refseq-NP_900001", "refseq-NP_900001.1", "embl-AAZ90001", "EMBL-AAZ90001.1"]
)
async def test_cross_references_are_found_with_and_without_version(ask: Asking, number: str):
    heard = await ask.get(SEARCH, query=f"xref:{number}")
    assert len(heard.json["results"]) == 1


async def test_fields_cut_all_but_what_is_always_there(ask: Asking):
    query = f"checksum:{EXPERIMENTAL.md5}"
    heard = await ask.get(SEARCH, query=query, fields="accession,xref_pfam,sequence")
    (entry,) = heard.json["results"]
    assert set(entry) == {
        "entryType",
        "primaryAccession",
        "extraAttributes",
        "uniProtKBCrossReferences",
        "sequence",
    }
    assert {one["database"] for one in entry["uniProtKBCrossReferences"]} == {"Pfam"}


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"query": "foo:1"}, "'foo' is not a valid search field"),
        ({"query": "gene:x", "fields": "go,xref_cog"}, "Invalid fields parameter value 'xref_cog'"),
        ({"query": "gene:x", "size": 501}, "'size' must be less than or equal to 500"),
        ({"query": ""}, "'query' is a required parameter"),
    ],
)
async def test_what_is_wrong_is_refused_in_the_real_words(
    ask: Asking, params: dict[str, str | int], message: str
):
    heard = await ask.get(SEARCH, **params)
    assert heard.status == 400
    assert heard.json["messages"] == [message]
    assert heard.json["url"].endswith("/uniprotkb/search")


async def test_accessions_are_given_and_unknown_ones_left_out(ask: Asking):
    known = list(SAMPLE_WORLD.entry_of)
    listed = ",".join([*known, "P99999"])
    heard = await ask.get("uniprot/uniprotkb/accessions", accessions=listed)
    assert [one["primaryAccession"] for one in heard.json["results"]] == known


async def test_more_than_a_thousand_accessions_are_refused(ask: Asking):
    listed = ",".join(f"A0A{number:03d}AAA0" for number in range(1001))
    heard = await ask.get("uniprot/uniprotkb/accessions", accessions=listed)
    assert heard.json["messages"] == ["Only '1000' accessions are allowed in each request."]


async def test_accessions_may_come_in_pages(services: Services, ask: Asking):
    services.behave(accessions_page=4)
    listed = ",".join(SAMPLE_WORLD.entry_of)
    heard = await ask.get("uniprot/uniprotkb/accessions", accessions=listed)
    assert len(heard.json["results"]) == 4
    assert 'rel="next"' in heard.headers["Link"]


async def test_an_inactive_entry_says_so_and_a_merged_one_leads_on(services: Services, ask: Asking):
    gone = inactive_entry("A0A000AAA1")
    merged = inactive_entry("A0A000AAA2", "MERGED", "P00001")
    services.world += World(entries=(gone, merged))
    assert (await ask.get("uniprot/uniprotkb/A0A000AAA1.json")).json == gone
    led = await ask.get("uniprot/uniprotkb/A0A000AAA2.json")
    assert (led.status, led.headers["Location"]) == (
        303,
        "/uniprotkb/P00001?from=A0A000AAA2",
    )
    assert (await ask.get(SEARCH, query="accession:A0A000AAA1")).json == {"results": []}


async def test_uniparc_knows_what_has_no_entry(ask: Asking):
    terms = f"checksum:{UNIPARC_ONLY.md5} OR checksum:{ELSEWHERE.md5} OR checksum:{UNKNOWN.md5}"
    names = "upi,accession,fullSequence,fullsequencefeatures"
    heard = await ask.get("uniprot/uniparc/search", query=terms, fields=names)
    first, second = heard.json["results"]
    assert set(first) == {"uniParcId", "uniProtKBAccessions", "sequence", "sequenceFeatures"}
    assert first["uniProtKBAccessions"] == ["A0A000AAA0.1"]
    assert second["sequence"]["md5"] == ELSEWHERE.md5
    assert set(second["uniProtKBAccessions"]) & set(SAMPLE_WORLD.entry_of)


async def test_uniparc_may_not_know_its_own_field_names(services: Services, ask: Asking):
    services.behave(knows_uniparc_names=False)
    query = f"checksum:{UNIPARC_ONLY.md5}"
    refused = await ask.get("uniprot/uniparc/search", query=query, fields="upi,fullSequence")
    assert refused.json["messages"] == ["Invalid fields parameter value 'fullSequence'"]
    assert len((await ask.get("uniprot/uniparc/search", query=query)).json["results"]) == 1


async def test_an_entry_of_another_sequence_is_found_by_its_identifier_alone(ask: Asking):
    by_checksum = await ask.get(SEARCH, query=f"checksum:{OTHER_SEQUENCE.md5}")
    by_number = await ask.get(SEARCH, query=f"xref:refseq-{OTHER_SEQUENCE.ids.refseq}")
    assert by_checksum.json["results"] == []
    assert by_number.json["results"][0]["sequence"]["md5"] != OTHER_SEQUENCE.md5
