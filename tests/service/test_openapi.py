from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from genint.report import FORMATS
from genint.service.openapi import openapi_document
from genint.service.routes import ENDPOINTS

DOCUMENT = json.loads(openapi_document(ENDPOINTS))
OPERATIONS = {
    (method.upper(), path): operation
    for path, operations in DOCUMENT["paths"].items()
    for method, operation in operations.items()
}
SUCCESS = {
    ("GET", "/api/v1/health"): 200,
    ("GET", "/api/v1/ready"): 200,
    ("GET", "/api/v1/worker/status"): 200,
    ("POST", "/api/v1/auth/signup"): 201,
    ("POST", "/api/v1/auth/register"): 201,
    ("POST", "/api/v1/auth/login"): 200,
    ("GET", "/api/v1/auth/me"): 200,
    ("DELETE", "/api/v1/auth/me"): 204,
    ("POST", "/api/v1/auth/password"): 200,
    ("POST", "/api/v1/auth/logout-everywhere"): 204,
    ("POST", "/api/v1/auth/forgot-password"): 202,
    ("POST", "/api/v1/auth/reset-password"): 204,
    ("POST", "/api/v1/auth/guest"): 201,
    ("GET", "/api/v1/auth/session"): 200,
    ("DELETE", "/api/v1/auth/session"): 204,
    ("POST", "/api/v1/keys"): 201,
    ("GET", "/api/v1/keys"): 200,
    ("DELETE", "/api/v1/keys/{key_id}"): 204,
    ("POST", "/api/v1/jobs"): 200,
    ("GET", "/api/v1/jobs"): 200,
    ("GET", "/api/v1/jobs/{job_id}"): 200,
    ("DELETE", "/api/v1/jobs/{job_id}"): 204,
    ("GET", "/api/v1/jobs/{job_id}/events"): 200,
    ("GET", "/api/v1/jobs/{job_id}/result"): 200,
    ("GET", "/api/v1/jobs/{job_id}/difference"): 200,
    ("POST", "/api/v1/jobs/{job_id}/cancel"): 200,
    ("POST", "/api/v1/jobs/{job_id}/rerun"): 200,
    ("GET", "/api/v1/results.zip"): 200,
    ("GET", "/api/v1/dark-genes"): 200,
    ("GET", "/reports/{job_id}.html"): 200,
    ("POST", "/api/v1/jobs/{job_id}/links"): 201,
    ("GET", "/api/v1/jobs/{job_id}/links"): 200,
    ("DELETE", "/api/v1/jobs/{job_id}/links/{link_id}"): 204,
    ("POST", "/api/v1/webhook"): 201,
    ("GET", "/api/v1/webhook"): 200,
    ("DELETE", "/api/v1/webhook"): 204,
    ("POST", "/api/v1/waitlist"): 201,
}
"""The routes of the contract, and those that were added, with their success."""


def test_the_document_is_valid_openapi_3():
    assert re.fullmatch(r"3\.\d+\.\d+", DOCUMENT["openapi"])
    validate(DOCUMENT)


def test_every_route_of_the_contract_is_in_it_with_its_success():
    found = {
        route: [int(status) for status in told["responses"] if status.startswith("2")]
        for route, told in OPERATIONS.items()
    }
    assert found.pop(("POST", "/api/v1/auth/guest")) == [201, 200]  # 200: has a session already
    assert found == {route: [SUCCESS[route]] for route in found}
    assert found.keys() | {("POST", "/api/v1/auth/guest")} == SUCCESS.keys()


@pytest.mark.parametrize("route", SUCCESS, ids=" ".join)
def test_every_operation_says_what_it_does_and_who_may(route):
    told = OPERATIONS[route]
    assert told["summary"]
    assert told["description"]
    assert told["tags"]
    protected = [{"token": []}, {"key": []}] if "401" in told["responses"] else []
    if route[1].startswith("/reports/"):  # public, unless the operator decides otherwise
        protected.insert(0, {})
    if route[1] != "/api/v1/auth/login":
        assert told["security"] == protected


def test_operations_have_names_of_their_own():
    names = [told["operationId"] for told in OPERATIONS.values()]
    assert len(names) == len(set(names))


def test_every_answer_but_the_empty_ones_has_a_schema():
    for route, told in OPERATIONS.items():
        for status, answer in told["responses"].items():
            assert answer["description"]
            assert bool(answer.get("content")) == (status not in {"204", "304"}), (route, status)


def test_every_error_is_documented_in_the_form_it_has():
    for told in OPERATIONS.values():
        for status, answer in told["responses"].items():
            if int(status) >= 400:
                name = "ValidationProblem" if status == "422" else "Problem"
                schema = answer["content"]["application/json"]["schema"]
                assert schema == {"$ref": f"#/components/schemas/{name}"}


def test_bodies_come_with_examples_that_fit_them():
    schemas = DOCUMENT["components"]["schemas"]
    bodies = [name for name in schemas if name.endswith("Body")]
    assert len(bodies) == 10
    for name in bodies:
        Draft202012Validator(schemas[name]).validate(schemas[name]["example"])


@pytest.mark.parametrize(
    ("model", "field", "limits"),
    [
        ("SignupBody", "password", {"minLength": 8, "maxLength": 128}),
        ("SignupBody", "email", {"format": "email", "maxLength": 254}),
        ("NewKeyBody", "name", {"minLength": 1, "maxLength": 100}),
        ("NewKeyBody", "expires_in_days", {"minimum": 1, "maximum": 3650}),
    ],
)
def test_limits_of_values_are_documented(model, field, limits):
    told = DOCUMENT["components"]["schemas"][model]["properties"][field]
    plain = told.get("anyOf", [told])[0]
    assert {name: plain.get(name) for name in limits} == limits


def test_every_mode_is_documented_and_what_online_mode_sends():
    told = DOCUMENT["components"]["schemas"]["SubmitForm"]["properties"]["mode"]
    assert told["enum"] == ["offline", "local", "online"]
    assert told["default"] == "offline"
    assert "only checksums and identifiers" in " ".join(told["description"].split())


def test_every_format_of_a_result_is_documented_with_its_type():
    told = OPERATIONS["GET", "/api/v1/jobs/{job_id}/result"]
    (parameter,) = (one for one in told["parameters"] if one["in"] == "query")
    assert parameter["schema"]["enum"] == list(FORMATS)
    assert parameter["schema"]["default"] == "json"
    types = {item.media_type.partition(";")[0] for item in FORMATS.values()}
    assert set(told["responses"]["200"]["content"]) == types
    assert "409" in told["responses"]


def test_answers_say_which_requests_take_what_they_hold():
    links = OPERATIONS["POST", "/api/v1/jobs"]["responses"]["200"]["links"]
    assert {"job_detail", "cancel", "rerun", "result_file", "report"} == set(links)
    names = {told["operationId"] for told in OPERATIONS.values()}
    assert {link["operationId"] for link in links.values()} <= names


def test_fields_have_the_names_of_the_contract():
    schemas = DOCUMENT["components"]["schemas"]
    assert set(schemas["UserAnswer"]["properties"]) == {"id", "email", "firstName", "lastName"}
    assert {"label", "source", "conf"} <= set(schemas["EvidenceItem"]["properties"])
    gene = set(schemas["GeneItem"]["properties"])
    assert gene >= set(
        """id name locus is_dark confidence score function normalized_product cog_category
        cog_name cog_source go_terms pfam_id category reasoning evidence""".split()
    )


async def test_the_service_serves_it(client):
    answer = await client.get("/openapi.json")
    assert (answer.status, answer.content_type) == (200, "application/json")
    assert await answer.json() == DOCUMENT


def test_the_document_names_no_file_of_the_machine():
    assert str(Path.cwd()) not in json.dumps(DOCUMENT)
