"""ID mapping of UniProt: a job is posted, asked after, and its pages are read."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from aiohttp import web

from . import fields
from .replies import Refused, as_json, page, size_of, uniprot_headers
from .state import Job, State
from .world import Json

_MOST_IDS = 100_000
TARGETS = {
    "RefSeq_Protein": ("UniProtKB", "UniProtKB-Swiss-Prot", "UniParc"),
    "EMBL-GenBank-DDBJ_CDS": ("UniProtKB", "UniProtKB-Swiss-Prot"),
    "CRC64": ("UniProtKB", "UniProtKB-Swiss-Prot"),
    "UniParc": ("UniProtKB", "UniProtKB-Swiss-Prot", "UniParc"),
    "UniProtKB_AC-ID": ("UniProtKB", "UniProtKB-Swiss-Prot", "UniParc"),
}
_INDEX = {
    "RefSeq_Protein": ("xref", "refseq-"),
    "EMBL-GenBank-DDBJ_CDS": ("xref", "embl-"),
    "CRC64": ("checksum", ""),
    "UniParc": ("uniparc", ""),
    "UniProtKB_AC-ID": ("accession", ""),
}
_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_TOO_MANY = (
    'Id Mapping API is not supported for mapping results with more than 500000 "mapped to" IDs'
)
_UNKNOWN = "Resource not found"


async def respond(state: State, request: web.Request, parts: list[str]) -> web.Response:
    """Answer a request below ``/idmapping``."""
    if parts == ["run"]:
        if request.method != "POST":
            raise Refused(405, f"Request method '{request.method}' is not supported")
        return await _run(state, request)
    if parts[0] == "status" and len(parts) == 2:
        return _status(state, request, parts[1])
    if parts[-2:-1] == ["results"] and parts[0] in ("uniprotkb", "results"):
        return _results(state, request, parts[-1])
    raise Refused(404, _UNKNOWN)


async def _run(state: State, request: web.Request) -> web.Response:
    form = await request.post()
    asked = {name: str(form.get(name, "")) for name in ("from", "to", "ids", "taxId")}
    missing = [f"'{name}' is a required parameter" for name in ("from", "to", "ids")
               if not asked[name]]  # fmt: skip
    if missing:
        raise Refused(400, *missing)
    targets = TARGETS.get(asked["from"])
    if targets is None or (asked["from"] == "CRC64" and state.behaviour.crc64_mapping == "refused"):
        raise Refused(400, f"The parameter 'from' has an invalid value '{asked['from']}'.")
    if asked["to"] not in targets:
        raise Refused(400, f"The parameter 'to' has an invalid value '{asked['to']}'.")
    ids = tuple(dict.fromkeys(one.strip() for one in asked["ids"].split(",") if one.strip()))
    if len(ids) > _MOST_IDS:
        raise Refused(
            400,
            f"'{_MOST_IDS}' is the maximum count limit of comma separated items for 'ids' param. "
            f"You have passed '{len(ids)}' items.",
        )
    job_id = _job_id(asked)
    state.jobs.setdefault(job_id, Job(asked["from"], asked["to"], ids))
    return as_json({"jobId": job_id}, headers=uniprot_headers(state.world.uniprot_release))


def _job_id(asked: dict[str, str]) -> str:
    """The same for the same request."""
    number = int.from_bytes(hashlib.sha256(repr(sorted(asked.items())).encode()).digest())
    digits = []
    for _ in range(10):
        number, digit = divmod(number, len(_BASE62))
        digits.append(_BASE62[digit])
    return "".join(digits)


def _status(state: State, request: web.Request, job_id: str) -> web.Response:
    job = state.jobs.get(job_id)
    end = state.behaviour.job_end
    if job is None or end == "forgotten":
        raise Refused(404, _UNKNOWN)
    headers = uniprot_headers(state.world.uniprot_release)
    job.polls += 1
    if job.polls <= state.behaviour.polls:
        return as_json({"jobStatus": "NEW" if job.polls == 1 else "RUNNING"}, headers=headers)
    if end == "error":
        errors = [{"code": 40, "message": _TOO_MANY}]
        return as_json({"jobStatus": "ERROR", "errors": errors}, 400, headers)
    if end == "failure":
        return as_json({"jobStatus": "ERROR"}, 500, headers)
    job.is_finished = True
    if end == "plain":
        return as_json({"jobStatus": "FINISHED"}, headers=headers)
    headers["Location"] = f"{request.url.origin()}/idmapping/uniprotkb/results/{job_id}"
    return as_json({"jobStatus": "FINISHED"}, 303, headers)


def _results(state: State, request: web.Request, job_id: str) -> web.Response:
    names = fields.uniprot_fields(request.query.get("fields"))
    job = state.jobs.get(job_id)
    if job is None or not job.is_finished:
        raise Refused(404, _UNKNOWN)
    if job.pairs is None:
        job.pairs, job.failed = _mapped(state, job)
    shown, headers = page(request, job.pairs, size_of(request), state.world.uniprot_release)
    results = [{"from": one, "to": fields.entry_with(entry, names)} for one, entry in shown]
    body: Json = {"results": results}
    if job.failed:
        body["failedIds"] = list(job.failed)
    return as_json(body, headers=headers)


def _mapped(state: State, job: Job) -> tuple[list[tuple[str, Json]], tuple[str, ...]]:
    pairs: list[tuple[str, Json]] = []
    failed = []
    for one in job.ids:
        entries = list(_targets(state, job, one))
        pairs += [(one, entry) for entry in entries]
        if not entries:
            failed.append(one)
    return pairs, tuple(failed)


def _targets(state: State, job: Job, identifier: str) -> Iterable[Json]:
    behaviour = state.behaviour
    if job.source == "CRC64":
        if behaviour.crc64_mapping == "finds_nothing":
            return ()
    elif job.source in ("RefSeq_Protein", "EMBL-GenBank-DDBJ_CDS"):
        has_version = "." in identifier
        if behaviour.mapped_ids == ("unversioned" if has_version else "versioned"):
            return ()
    kind, prefix = _INDEX[job.source]
    found = state.world.entries_by.get((kind, f"{prefix}{identifier}".lower()), ())
    if job.source == "UniProtKB_AC-ID" and not found:
        inactive = state.world.entry_of.get(identifier.upper())
        found = () if inactive is None else (inactive,)
    if job.target == "UniProtKB-Swiss-Prot":
        return tuple(one for one in found if "Swiss-Prot" in one["entryType"])
    return found
