"""The OpenAPI document, made from the endpoints and their models."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from http import HTTPStatus
from typing import Final

from apispec import APISpec
from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from genint.service.endpoint import Endpoint
from genint.service.schemas import Problem, ValidationProblem
from genint.version import __version__

_REFERENCE: Final = "#/components/schemas/{model}"
_JSON: Final = "application/json"
_TAGS: Final = {
    "status": "Whether the service and its workers live.",
    "accounts": "Open an account, log in, change or reset the password, delete the account.",
    "keys": "API keys for programs: with all rights of their owner, or to read only.",
    "webhook": "Have the end of jobs announced to an address, in place of polling.",
    "jobs": "Submit genomes, follow the jobs, read the results.",
    "reports": "The report of a job, for people. Public: the id of the job is the key to it. "
    "Where the operator keeps reports to their owners, links open them for others.",
}
_ABOUT: Final = (
    "Interprets every gene of a phage or bacterial genome: a functional hypothesis, a confidence, "
    "the reasoning, the evidence. Submit a file, poll the job until it is COMPLETED, FAILED or "
    "CANCELLED, read its genes or open its report.\n\n"
    "Send `Authorization: Bearer <token>` (from login) or `X-API-Key: <key>`; if both are sent, "
    "the token decides. The pages of the service send a cookie instead, which counts only beside "
    "`X-Requested-With` and where neither of the two is sent."
)
_SECURITY: Final = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "JWT",
        "description": "From signup or login; valid for an hour unless set otherwise.",
    },
    "key": {
        "type": "apiKey",
        "in": "header",
        "name": "X-API-Key",
        "description": "From POST /api/v1/keys.",
    },
}
_HEADERS: Final = {
    "RequestId": {
        "description": "The request's own X-Request-ID where it sent a plain one, else a new one.",
        "schema": {"type": "string"},
    },
    "Challenge": {
        "description": "Which credential is expected (RFC 6750).",
        "schema": {"type": "string"},
    },
    "RetryAfter": {"description": "Seconds.", "schema": {"type": "integer", "minimum": 1}},
}
_COMMON_ERRORS: Final = {
    HTTPStatus.INTERNAL_SERVER_ERROR: "A fault of the service",
    HTTPStatus.SERVICE_UNAVAILABLE: "Busy, or the database is away",
}
_NOTHING_TO_LOSE: Final = frozenset({"/api/v1/health", "/api/v1/worker/status"})
"""Paths that answer whatever is down."""


def openapi_document(endpoints: Iterable[Endpoint]) -> bytes:
    """The document as JSON (OpenAPI 3.1, whose schemas are JSON Schema 2020-12)."""
    documented = [endpoint for endpoint in endpoints if endpoint.tag in _TAGS]
    spec = APISpec(
        title="genint",
        version=__version__,
        openapi_version="3.1.0",
        info={"description": _ABOUT, "license": {"name": "MIT", "identifier": "MIT"}},
        tags=[{"name": name, "description": text} for name, text in _TAGS.items()],
    )
    for name, scheme in _SECURITY.items():
        spec.components.security_scheme(name, scheme)
    for name, header in _HEADERS.items():
        spec.components.header(name, header)
    for name, schema in _schemas(documented).items():
        spec.components.schema(name, schema)
    for endpoint in documented:
        spec.path(endpoint.path, operations={endpoint.method.lower(): _operation(endpoint)})
    return json.dumps(spec.to_dict(), ensure_ascii=False).encode()


def _schemas(endpoints: Iterable[Endpoint]) -> Mapping[str, dict[str, object]]:
    """Schemas of all models, those of requests as they are read, others as written."""
    wanted: dict[type[BaseModel], JsonSchemaMode] = {
        Problem: "serialization",
        ValidationProblem: "serialization",
    }
    for endpoint in endpoints:
        for model in (endpoint.takes("body"), endpoint.form):
            if model is not None:
                wanted[model] = "validation"
        if endpoint.answers is not None:
            wanted[endpoint.answers] = "serialization"
    _, schema = models_json_schema(list(wanted.items()), ref_template=_REFERENCE)
    found: Mapping[str, dict[str, object]] = schema["$defs"]
    return found


def _reference(model: type[BaseModel]) -> dict[str, object]:
    return {"schema": {"$ref": _REFERENCE.format(model=model.__name__)}}


def _operation(endpoint: Endpoint) -> dict[str, object]:
    operation: dict[str, object] = {
        "operationId": _operation_id(endpoint),
        "summary": endpoint.summary,
        "description": (endpoint.handler.__doc__ or "").strip().replace("\n    ", "\n"),
        "tags": [endpoint.tag],
        "parameters": [*_path_parameters(endpoint), *_query(endpoint), *_header(endpoint)],
        "responses": _responses(endpoint),
        "security": _security(endpoint),
    }
    body = endpoint.takes("body")
    if body is not None:
        operation["requestBody"] = {"required": True, "content": {_JSON: _reference(body)}}
    if endpoint.form is not None:
        content = {"multipart/form-data": _reference(endpoint.form)}
        operation["requestBody"] = {"required": True, "content": content}
    return operation


def _security(endpoint: Endpoint) -> list[dict[str, list[str]]]:
    """The credentials of which one is needed; an empty one stands for none at all."""
    credentials: list[dict[str, list[str]]] = [{"token": []}, {"key": []}]
    if endpoint.needs_login:
        return credentials
    return [{}, *credentials] if endpoint.may_login else []


def _operation_id(endpoint: Endpoint) -> str:
    """A name for generated clients; aliases of one handler differ by their path."""
    last = endpoint.path.rsplit("/", 1)[-1]
    name = endpoint.handler.__name__
    return f"{name}_alias" if last == "register" else name


def _path_parameters(endpoint: Endpoint) -> Iterator[dict[str, object]]:
    for name in re.findall(r"{(\w+)}", endpoint.path):
        schema = {"type": "string", "format": "uuid"}
        yield {"name": name, "in": "path", "required": True, "schema": schema}


def _query(endpoint: Endpoint) -> Iterator[dict[str, object]]:
    model = endpoint.takes("query")
    if model is None:
        return
    schema = model.model_json_schema(ref_template=_REFERENCE)
    known = schema.get("$defs", {})
    for name, field in schema["properties"].items():
        options = [option for option in field.get("anyOf", [field]) if option != {"type": "null"}]
        plain = options[0]
        target = plain.get("$ref", "").rsplit("/", 1)[-1]
        yield {
            "name": name,
            "in": "query",
            "required": False,
            "description": field.get("description", ""),
            # By value: in a query there is no null, absence is the absence of the name.
            "schema": known.get(target, plain),
        }


def _header(endpoint: Endpoint) -> Iterator[dict[str, object]]:
    for name, text in endpoint.headers.items():
        schema = {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"}
        yield {"name": name, "in": "header", "description": text, "schema": schema}


def _responses(endpoint: Endpoint) -> dict[str, object]:
    text = {"schema": {"type": "string"}}
    content: dict[str, object] = {kind: text for kind in endpoint.media_types if kind != _JSON}
    if endpoint.answers is not None:
        content[_JSON] = _reference(endpoint.answers)
    elif content and _JSON in endpoint.media_types:
        content[_JSON] = {"schema": {"type": "object"}}
    success = _response(HTTPStatus(endpoint.status).phrase, content)
    if endpoint.links:
        success["links"] = {
            handler: {
                "operationId": handler,
                "parameters": {parameter: f"$response.body#/{field}"},
            }
            for handler, (parameter, field) in endpoint.links.items()
        }
    errors = {
        status: _response(text, _problem_content(status))
        for status, text in sorted(_errors(endpoint).items())
    }
    others = {status: _response(text, content) for status, text in endpoint.other_successes.items()}
    return {
        str(int(status)): response
        for status, response in ({endpoint.status: success} | others | errors).items()
    }


def _errors(endpoint: Endpoint) -> dict[int, str]:
    found: dict[int, str] = {int(status): text for status, text in endpoint.errors.items()}
    if endpoint.needs_login:
        found.setdefault(401, "No credential, or one that is not valid")
        if endpoint.changes_something:
            found[403] = "; ".join(filter(None, (found.get(403), "The API key may only read")))
    if endpoint.takes("body") or endpoint.takes("query") or endpoint.form or endpoint.headers:
        found.setdefault(422, "Values are wrong; says which")
    if endpoint.takes("body"):
        found.setdefault(413, "The body is too large")
        found.setdefault(408, "The body did not arrive in time")
    found.setdefault(415, "Content-Encoding is not supported")
    found.setdefault(500, _COMMON_ERRORS[HTTPStatus.INTERNAL_SERVER_ERROR])
    if endpoint.path not in _NOTHING_TO_LOSE:
        found.setdefault(503, _COMMON_ERRORS[HTTPStatus.SERVICE_UNAVAILABLE])
    return found


def _problem_content(status: int) -> dict[str, object]:
    if status < HTTPStatus.BAD_REQUEST:
        return {}
    model = ValidationProblem if status == HTTPStatus.UNPROCESSABLE_ENTITY else Problem
    return {_JSON: _reference(model)}


def _response(text: str, content: dict[str, object]) -> dict[str, object]:
    headers = {"X-Request-ID": {"$ref": "#/components/headers/RequestId"}}
    response: dict[str, object] = {"description": text, "headers": headers}
    if content:
        response["content"] = content
    return response
