"""The fake Matches API and interpro2go."""

from __future__ import annotations

import pytest

from tests.online_services import PROTEINS, Services
from tests.online_services.asking import Asking
from tests.online_services.samples import EXPERIMENTAL, SPURIOUS, UNKNOWN, WITHOUT_SIGNATURE

MATCHES = "interpro/matches"


async def test_each_sequence_has_one_result_whatever_its_case_and_order(ask: Asking):
    asked = [UNKNOWN.md5, EXPERIMENTAL.md5.lower(), EXPERIMENTAL.md5, WITHOUT_SIGNATURE.md5]
    results = (await ask.post(MATCHES, json={"md5": asked})).json["results"]
    assert {one["md5"]: (one["found"], bool(one["matches"])) for one in results} == {
        EXPERIMENTAL.md5: (True, True),
        WITHOUT_SIGNATURE.md5: (True, False),
        UNKNOWN.md5: (False, False),
    }
    assert [one["md5"] for one in results] != asked[:1] + asked[2:]


async def test_info_names_release_and_libraries(ask: Asking):
    info = (await ask.get("interpro/info")).json
    assert (info["release"], info["release_date"]) == ("109.0", "2026-09-17")
    assert {"name": "AntiFam", "version": "8.0"} in info["analyses"]


async def test_health_is_ok(ask: Asking):
    assert (await ask.get("interpro/health")).json == {"status": "ok"}


async def test_one_sequence_is_found_or_404(ask: Asking):
    assert (await ask.get(f"{MATCHES}/{EXPERIMENTAL.md5}")).json["matches"]
    unknown = await ask.get(f"{MATCHES}/{UNKNOWN.md5}")
    assert (unknown.status, unknown.json) == (404, {"detail": "Sequence not found"})


async def test_a_get_of_matches_is_405(ask: Asking):
    heard = await ask.get(MATCHES)
    assert (heard.status, heard.json) == (405, {"detail": "Method Not Allowed"})
    assert heard.headers["Allow"] == "POST"


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"md5": []}, "too_short"),
        ({"md5": ["0" * 32] * 101}, "too_long"),
        ({"md5": ["nothex"]}, "string_pattern_mismatch"),
        ({"md5": [7]}, "string_type"),
        ({"md5": "0" * 32}, "list_type"),
        ({}, "missing"),
        ([], "model_attributes_type"),
    ],
)
async def test_what_is_wrong_is_422_with_its_kind(ask: Asking, body: object, kind: str):
    heard = await ask.send("POST", ask.url(MATCHES), json=body)
    assert heard.status == 422
    assert heard.json["detail"][0]["type"] == kind


async def test_a_body_that_is_not_json_is_422(ask: Asking):
    heard = await ask.send("POST", ask.url(MATCHES), data=b"{")
    assert heard.json["detail"][0]["type"] == "json_invalid"


async def test_a_spurious_protein_has_a_model_of_antifam(ask: Asking):
    (match,) = (await ask.get(f"{MATCHES}/{SPURIOUS.md5}")).json["matches"]
    assert match["source"] == "AntiFam"


async def test_predictions_stand_among_the_matches_with_the_library_of_others(
    services: Services, ask: Asking
):
    services.behave(predictions=True)
    matches = (await ask.get(f"{MATCHES}/{EXPERIMENTAL.md5}")).json["matches"]
    predicted = [one for one in matches if one["source"] == "InterPro-N"]
    assert len(predicted) == 2
    for one in predicted:
        assert one["signature"]["signatureLibraryRelease"]["library"] == "Pfam"
        assert (one["model-ac"], one["signature"]["name"]) == (None, None)
        assert 0 < one["locations"][0]["score"] <= 1
    assert (await ask.get(f"{MATCHES}/{WITHOUT_SIGNATURE.md5}")).json["matches"] == []


async def test_a_new_release_shows_in_info_and_in_every_library(services: Services, ask: Asking):
    services.release(interpro="110.0")
    info = (await ask.get("interpro/info")).json
    (match, *_) = (await ask.get(f"{MATCHES}/{EXPERIMENTAL.md5}")).json["matches"]
    assert info["release"] == "110.0"
    library = match["signature"]["signatureLibraryRelease"]
    assert {"name": library["library"], "version": library["version"]} in info["analyses"]
    assert library["version"].endswith("+110.0")


async def test_interpro2go_has_a_header_and_a_line_for_each_term(services: Services, ask: Asking):
    heard = await ask.get("interpro_go/interpro2go")
    lines = heard.text.splitlines()
    assert heard.headers["Content-Type"].startswith("text/plain")
    assert lines[0] == "!version date: 2026/09/17 09:00:00"
    terms = [line for line in lines if not line.startswith("!")]
    assert len(terms) == len(services.world.go) > 0
    assert terms[0].endswith(" > GO:DNA binding ; GO:0003677")
    assert terms[0].startswith("InterPro:IPR9")


async def test_accessions_of_made_up_families_are_of_one_shape(services: Services):
    matches = [match for some in services.world.matches.values() for match in some]
    entries = [one["signature"]["entry"] for one in matches if one["signature"]["entry"]]
    assert entries
    assert all(len(one["accession"]) == len("IPR000000") for one in entries)
    assert len(services.world.matches) == len(PROTEINS) - 1
