"""UniProtKB and UniParc of UniProt's REST services."""

from __future__ import annotations

import re

from aiohttp import web

from . import fields, idmapping
from .queries import BadQuery, Group, Term, answer, parse
from .replies import Refused, as_json, page, refusal, size_of
from .state import State
from .world import Json

_ACCESSION = re.compile(
    r"([OPQ][0-9][A-Z0-9]{3}[0-9]|[A-NR-Z][0-9]([A-Z][A-Z0-9]{2}[0-9]){1,2})(-\d+)?", re.IGNORECASE
)
_MOST_ACCESSIONS = 1_000
_INDEXED = {"gene_exact": "gene", "taxonomy_id": "organism_id"}


async def respond(state: State, request: web.Request, path: str) -> web.StreamResponse:
    """Answer a request below the base address."""
    try:
        return await _route(state, request, path)
    except Refused as problem:
        return refusal(request, problem, state.world.uniprot_release)
    except BadQuery as problem:
        return refusal(request, Refused(400, str(problem)), state.world.uniprot_release)
    except fields.BadFields as problem:
        return refusal(request, Refused(400, *problem.messages), state.world.uniprot_release)


async def _route(state: State, request: web.Request, path: str) -> web.StreamResponse:
    parts = path.strip("/").split("/")
    if parts[0] == "idmapping":
        return await idmapping.respond(state, request, parts[1:])
    if request.method != "GET":
        raise Refused(405, f"Request method '{request.method}' is not supported")
    if path == "/uniprotkb/search":
        return _search(state, request)
    if path == "/uniprotkb/accessions":
        return _accessions(state, request)
    if path == "/uniparc/search":
        return _uniparc(state, request)
    if parts[0] == "uniprotkb" and len(parts) == 2:
        return _single(state, request, parts[1])
    raise Refused(404, "Resource not found")


def _query(state: State, request: web.Request) -> Group:
    return parse(request.query.get("query", ""), state.behaviour.most_or_terms)


def _search(state: State, request: web.Request) -> web.Response:
    names = fields.uniprot_fields(request.query.get("fields"))
    size = size_of(request)
    found = answer(_query(state, request), lambda term: _found(state, term))
    shown, headers = page(request, list(found.values()), size, state.world.uniprot_release)
    return as_json({"results": [fields.entry_with(one, names) for one in shown]}, headers=headers)


def _found(state: State, term: Term) -> dict[str, Json]:
    """Active entries that a term finds, by accession."""
    if term.field == "reviewed":
        wanted = term.value == "true"
        entries = tuple(
            one
            for one in state.world.entries
            if one["entryType"] != "Inactive" and ("Swiss-Prot" in one["entryType"]) is wanted
        )
    elif term.field in ("organism_id", "taxonomy_id") and not term.value.isdigit():
        raise Refused(400, f"The '{term.field}' filter value should be a number")
    else:
        field = _INDEXED.get(term.field, term.field)
        entries = state.world.entries_by.get((field, term.value), ())
    return {one["primaryAccession"]: one for one in entries}


def _accessions(state: State, request: web.Request) -> web.Response:
    names = fields.uniprot_fields(request.query.get("fields"))
    written = request.query.get("accessions", "")
    if not written:
        raise Refused(400, "'accessions' is a required parameter")
    wanted = [one.strip().upper() for one in written.split(",")]
    if len(wanted) > _MOST_ACCESSIONS:
        raise Refused(400, f"Only '{_MOST_ACCESSIONS}' accessions are allowed in each request.")
    for one in wanted:
        if not _ACCESSION.fullmatch(one):
            raise Refused(
                400,
                f"Accession '{one}' has invalid format. It should be a valid UniProtKB accession.",
            )
    known = state.world.entry_of
    found = [known[one] for one in dict.fromkeys(wanted) if one in known]
    default = state.behaviour.accessions_page or _MOST_ACCESSIONS
    size = size_of(request, default) if "size" in request.query else default
    shown, headers = page(request, found, size, state.world.uniprot_release)
    return as_json({"results": [fields.entry_with(one, names) for one in shown]}, headers=headers)


def _single(state: State, request: web.Request, name: str) -> web.Response:
    names = fields.uniprot_fields(request.query.get("fields"))
    accession = name.removesuffix(".json").upper()
    if not _ACCESSION.fullmatch(accession):
        raise Refused(
            400,
            "The 'accession' value has invalid format. It should be a valid UniProtKB accession",
        )
    entry = state.world.entry_of.get(accession)
    if entry is None:
        raise Refused(404, "Resource not found")
    merged = entry.get("inactiveReason", {})
    if merged.get("inactiveReasonType") == "MERGED":
        target = merged["mergeDemergeTo"][0]
        return web.Response(
            status=303, headers={"Location": f"/uniprotkb/{target}?from={accession}"}
        )
    _, headers = page(request, [entry], 1, state.world.uniprot_release)
    del headers["X-Total-Results"]
    return as_json(fields.entry_with(entry, names), headers=headers)


def _uniparc(state: State, request: web.Request) -> web.Response:
    all_known = state.behaviour.knows_uniparc_names
    names = fields.uniparc_fields(request.query.get("fields"), all_known=all_known)
    size = size_of(request)
    records = state.world.uniparc_by_checksum

    def find(term: Term) -> dict[str, Json]:
        if term.field != "checksum":
            raise BadQuery(f"'{term.field}' is not a valid search field")
        record = records.get(term.value)
        return {} if record is None else {record["uniParcId"]: record}

    found = answer(_query(state, request), find)
    shown, headers = page(request, list(found.values()), size, state.world.uniprot_release)
    return as_json({"results": [fields.record_with(one, names) for one in shown]}, headers=headers)
