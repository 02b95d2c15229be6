"""The fake services beside real answers: the same shapes, the same error bodies."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest

from tests.online_services import SAMPLE_WORLD, Services, inactive_entry
from tests.online_services.asking import Asking
from tests.online_services.checksums import crc64_of, md5_of
from tests.online_services.fields import UNIPROT_FIELDS
from tests.online_services.idmapping import TARGETS
from tests.online_services.made_entries import accession_of
from tests.online_services.misbehaviours import BUSY, OUTAGE_PAGE
from tests.online_services.real import match_records, real_world, sample
from tests.online_services.samples import EXPERIMENTAL, SPURIOUS, UNIPARC_ONLY
from tests.online_services.world import Json, World


@pytest.fixture(scope="session")
def api(shared_data: Path) -> Path:
    """Folder of real answers."""
    return shared_data / "api"


@pytest.fixture(scope="session")
def all_real(api: Path) -> World:
    """Everything that is real."""
    return real_world(api)


@pytest.fixture
async def real(all_real: World) -> AsyncIterator[Asking]:
    """Asks services that know it."""
    async with Services(all_real) as services, aiohttp.ClientSession() as session:
        yield Asking(services, session)


def shape(value: Json) -> Json:
    """Keys and types of a value; lists by their first element."""
    if isinstance(value, dict):
        return {key: shape(one) for key, one in value.items()}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    return type(value).__name__


def keys(value: Json, above: str = "") -> set[str]:
    """Paths of all keys."""
    if isinstance(value, list):
        return {path for one in value for path in keys(one, above)}
    if isinstance(value, dict):
        here = {f"{above}.{key}" for key in value}
        return here | {path for key, one in value.items() for path in keys(one, f"{above}.{key}")}
    return set()


async def test_the_answer_to_a_batch_is_the_real_one(real: Asking, api: Path):
    expected = sample(api, "matches_api_batch.json")["results"]
    body = {"md5": [one["md5"] for one in expected]}
    found = (await real.post("interpro/matches", json=body)).json["results"]
    assert {one["md5"]: one for one in found} == {one["md5"]: one for one in expected}


async def test_the_answers_about_one_sequence_are_the_real_ones(real: Asking, api: Path):
    for name in ("matches_api_single.json", "matches_api_single_empty.json"):
        expected = sample(api, name)
        assert (await real.get(f"interpro/matches/{expected['md5']}")).json == expected


async def test_info_and_health_are_the_real_ones_but_for_the_version(real: Asking, api: Path):
    info = (await real.get("interpro/info")).json
    assert {**info, "api": "0.5.1"} == sample(api, "matches_api_info.json")
    assert (await real.get("interpro/health")).json == sample(api, "matches_api_health.json")


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("badmd5", {"md5": ["nothex"]}),
        ("empty", {"md5": []}),
        ("toomany", {"md5": [f"{number:032x}" for number in range(101)]}),
    ],
)
async def test_refusals_of_interpro_are_the_real_ones(
    real: Asking, api: Path, name: str, body: Json
):
    heard = await real.post("interpro/matches", json=body)
    assert heard.status == 422
    assert heard.json == sample(api, f"matches_api_error_422_{name}.json")


async def test_404_and_405_of_interpro_are_the_real_ones(real: Asking, api: Path):
    unknown = await real.get(f"interpro/matches/{'0' * 32}")
    assert unknown.json == sample(api, "matches_api_error_404.json")
    wrong = await real.get("interpro/matches")
    assert wrong.json == sample(api, "matches_api_error_405.json")


async def test_all_records_of_the_database_are_served(real: Asking, api: Path):
    records = list(match_records(api))
    for start in range(0, len(records), 100):
        batch = records[start : start + 100]
        heard = await real.post("interpro/matches", json={"md5": [one["md5"] for one in batch]})
        assert all(one["found"] for one in heard.json["results"])


def test_made_up_matches_have_the_keys_of_real_ones_of_their_library(api: Path):
    real_keys: dict[str, set[str]] = {}
    for record in match_records(api):
        for match in record["matches"]:
            real_keys.setdefault(match["source"], set()).update(keys(match))
    for protein in (EXPERIMENTAL, SPURIOUS):
        for match in SAMPLE_WORLD.matches[protein.md5]:
            assert keys(match) <= real_keys[match["source"]], match["source"]


async def test_predictions_have_the_keys_of_the_captured_ones(
    services: Services, ask: Asking, api: Path
):
    services.behave(predictions=True)
    captured = sample(api, "matches_api_batch_interpro_n.json")["results"]
    expected = [
        match for one in captured for match in one["matches"] if match["source"] == "InterPro-N"
    ]
    heard = await ask.get(f"interpro/matches/{EXPERIMENTAL.md5}")
    made = [one for one in heard.json["matches"] if one["source"] == "InterPro-N"]
    assert keys(made) == keys(expected)
    assert shape(made[0]) == shape(expected[0])


async def test_a_search_gives_the_real_entries_whole(real: Asking, api: Path):
    for expected in sample(api, "uniprotkb_search.json")["results"]:
        query = f"checksum:{expected['sequence']['md5']}"
        heard = await real.get("uniprot/uniprotkb/search", query=query)
        assert heard.json == {"results": [expected]}


@pytest.mark.parametrize(
    "number", ["refseq-NP_415522", "refseq-NP_415522.1", "embl-AAC74087", "embl-AAC74087.1"]
)
async def test_a_real_entry_is_found_by_each_form_of_its_identifiers(real: Asking, number: str):
    heard = await real.get("uniprot/uniprotkb/search", query=f"xref:{number}", fields="accession")
    assert [one["primaryAccession"] for one in heard.json["results"]] == ["P19926"]


def test_made_up_entries_have_no_keys_that_real_ones_lack(all_real: World):
    real_keys = keys(list(all_real.entries))
    made = keys(list(SAMPLE_WORLD.entries))
    # counts by kind have the kinds as keys, and no real sample has its version of everything
    assert {path for path in made if "countBy" not in path} <= real_keys


async def test_fields_leave_what_the_real_service_leaves(real: Asking, api: Path):
    expected = sample(api, "uniprotkb_search_fields_subset.json")["results"][0]
    heard = await real.get(
        "uniprot/uniprotkb/search",
        query="accession:P19926",
        fields="accession,id,organism_name,protein_name,sequence",
    )
    found = heard.json["results"][0]
    assert set(found) - {"extraAttributes"} == set(expected)


def test_all_field_names_are_real(api: Path):
    listed = sample(api, "uniprotkb_result_fields.json")
    real_names = {field["name"] for group in listed for field in group["fields"]}
    assert real_names >= UNIPROT_FIELDS


def test_names_of_id_mapping_are_real(api: Path):
    config = sample(api, "idmapping_fields_config.json")
    names = {item["name"] for group in config["groups"] for item in group["items"]}
    assert set(TARGETS) <= names


async def test_inactive_entries_are_the_real_ones(real: Asking, api: Path):
    for kind in ("deleted", "demerged"):
        expected = sample(api, f"uniprotkb_entry_inactive_{kind}.json")
        heard = await real.get(f"uniprot/uniprotkb/{expected['primaryAccession']}.json")
        assert heard.json == expected


def test_made_up_inactive_entries_have_the_shape_of_the_real_ones(api: Path):
    deleted = sample(api, "uniprotkb_entry_inactive_deleted.json")
    demerged = sample(api, "uniprotkb_entry_inactive_demerged.json")
    assert shape(inactive_entry("A0A000AAA1")) == shape(deleted)
    assert shape(inactive_entry("A0A000AAA1", "DEMERGED", "P00001", "P00002")) == shape(demerged)


async def test_a_record_of_uniparc_is_the_real_one(real: Asking, api: Path):
    expected = sample(api, "uniparc_light_entry.json")
    query = f"checksum:{expected['sequence']['md5']}"
    heard = await real.get("uniprot/uniparc/search", query=query)
    assert heard.json == {"results": [expected]}
    made = SAMPLE_WORLD.uniparc_by_checksum[UNIPARC_ONLY.md5.lower()]
    assert keys(made) - {".geneNames", ".proteomes"} <= keys(expected)


CASES = {
    "too_many_or_400": {"query": " OR ".join(f"accession:P{n:05d}" for n in range(51))},
    "page_size_400": {"query": "gene:x", "size": 501},
    "bad_query_field_400": {"query": "foo:x"},
    "bad_return_field_400": {"query": "gene:x", "fields": "xref_cog"},
}


def written(api: Path, case: str) -> Json:
    return next(one for one in sample(api, "uniprot_errors.json") if one["case"] == case)


@pytest.mark.parametrize("case", CASES)
async def test_refusals_of_searches_are_the_real_ones(ask: Asking, api: Path, case: str):
    expected = written(api, case)
    heard = await ask.get("uniprot/uniprotkb/search", **CASES[case])
    assert heard.status == expected["status"]
    assert heard.json["messages"] == expected["body"]["messages"]
    assert set(heard.json) == set(expected["body"])
    assert heard.headers["Cache-Control"] == expected["headers"]["Cache-Control"]


async def test_headers_of_a_page_are_the_real_ones(ask: Asking, api: Path):
    expected = written(api, "search_200_with_next_page")["headers"]
    heard = await ask.get(
        "uniprot/uniprotkb/search", query="organism_id:2681611", fields="accession,sequence", size=2
    )
    left_out = {"Access-Control-Expose-Headers"}
    assert set(expected) - left_out <= set(heard.headers)
    _, _, query = heard.headers["Link"].partition("?")
    _, _, real_query = expected["Link"].partition("?")

    def names(written: str) -> list[str]:
        return [part.split("=")[0] for part in written.split("&")]

    assert names(query) == names(real_query)
    assert query.startswith("query=organism_id%3A2681611&fields=accession%2Csequence&cursor=")


def test_pages_of_outages_and_of_429_are_the_real_ones(api: Path):
    assert written(api, "edge_unavailable_503_html")["body"] == OUTAGE_PAGE
    assert written(api, "too_many_requests_429")["body"]["messages"] == [BUSY]


def test_checksums_are_those_of_the_services(api: Path, all_real: World):
    for _, residues, md5 in sample(api, "uniparc_md5_vectors.json"):
        assert md5_of(residues) == md5
    for entry in all_real.entries:
        if "sequence" in entry:
            assert md5_of(entry["sequence"]["value"]) == entry["sequence"]["md5"]
            assert crc64_of(entry["sequence"]["value"]) == entry["sequence"]["crc64"]


def test_made_up_and_real_worlds_go_together(all_real: World):
    both = SAMPLE_WORLD + all_real
    assert accession_of(EXPERIMENTAL) in both.entry_of
    assert "P19926" in both.entry_of
