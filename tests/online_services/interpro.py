"""The Matches API of InterPro and the file interpro2go."""

from __future__ import annotations

import json
import re

from aiohttp import web

from .made_matches import predictions_of
from .replies import as_json
from .state import State
from .world import Json

API_VERSION = "0.6.0"
PATTERN = "(?i)^[0-9a-f]{32}$"
_MOST = 100
_MD5 = re.compile(PATTERN)


async def respond(state: State, request: web.Request, path: str) -> web.StreamResponse:
    """Answer a request below the base address of the Matches API."""
    if path == "/matches":
        if request.method != "POST":
            return as_json({"detail": "Method Not Allowed"}, 405, _allow("POST"))
        return await _many(state, request)
    if request.method != "GET":
        return as_json({"detail": "Method Not Allowed"}, 405, _allow("GET"))
    fixed = {"/info": _info(state), "/health": {"status": "ok"}}
    if path in fixed:
        return as_json(fixed[path])
    if path.startswith("/matches/"):
        return _one(state, path.removeprefix("/matches/"))
    return as_json({"detail": "Not Found"}, 404)


def _allow(method: str) -> Json:
    return {"Allow": method}


def _info(state: State) -> Json:
    release = state.world.interpro_release
    analyses = [{"name": name, "version": one} for name, one in state.world.libraries.items()]
    return {
        "api": API_VERSION,
        "release": release.version,
        "release_date": release.date,
        "analyses": analyses,
    }


def _matches(state: State, md5: str) -> list[Json] | None:
    known = state.world.matches.get(md5.upper())
    if known is None:
        return None
    if state.behaviour.predictions:
        known = predictions_of(known)
    return [_of_today(state, match) for match in known]


def _of_today(state: State, match: Json) -> Json:
    """With the version that its library has now."""
    signature = match["signature"]
    library = signature["signatureLibraryRelease"]
    version = state.world.libraries.get(library["library"], library["version"])
    today = {**library, "version": version}
    return {**match, "signature": {**signature, "signatureLibraryRelease": today}}


def _one(state: State, md5: str) -> web.Response:
    if not _MD5.match(md5):
        return _unprocessable(_mismatch(["path", "md5"], md5))
    matches = _matches(state, md5)
    if matches is None:
        return as_json({"detail": "Sequence not found"}, 404)
    return as_json({"md5": md5.upper(), "matches": matches})


async def _many(state: State, request: web.Request) -> web.Response:
    try:
        body = json.loads(await request.read())
    except ValueError as problem:
        return _unprocessable(
            {
                "type": "json_invalid",
                "loc": ["body", getattr(problem, "pos", 0)],
                "msg": "JSON decode error",
                "input": {},
                "ctx": {"error": getattr(problem, "msg", "Expecting value")},
            }
        )
    problems = _problems(body)
    if problems:
        return _unprocessable(*problems)
    asked = list(dict.fromkeys(one.upper() for one in body["md5"]))
    results = [
        {"md5": md5, "matches": found or [], "found": found is not None}
        for md5, found in ((md5, _matches(state, md5)) for md5 in asked)
    ]
    results.sort(key=lambda one: not one["found"])  # not the order of the question
    return as_json({"results": results})


def _problems(body: Json) -> list[Json]:
    loc = ["body", "md5"]
    if not isinstance(body, dict):
        message = "Input should be a valid dictionary or object to extract fields from"
        return [{"type": "model_attributes_type", "loc": ["body"], "msg": message, "input": body}]
    if "md5" not in body:
        return [{"type": "missing", "loc": loc, "msg": "Field required", "input": body}]
    asked = body["md5"]
    if not isinstance(asked, list):
        return [_problem("list_type", loc, "Input should be a valid list", asked)]
    if not asked:
        message = "List should have at least 1 item after validation, not 0"
        context = {"field_type": "List", "min_length": 1, "actual_length": 0}
        return [{**_problem("too_short", loc, message, asked), "ctx": context}]
    if len(asked) > _MOST:
        message = f"List should have at most {_MOST} items after validation, not {len(asked)}"
        context = {"field_type": "List", "max_length": _MOST, "actual_length": len(asked)}
        return [{**_problem("too_long", loc, message, asked), "ctx": context}]
    found = []
    for number, one in enumerate(asked):
        if not isinstance(one, str):
            place = [*loc, number]
            found.append(_problem("string_type", place, "Input should be a valid string", one))
        elif not _MD5.match(one):
            found.append(_mismatch([*loc, number], one))
    return found


def _problem(kind: str, loc: list[str | int], message: str, given: Json) -> Json:
    return {"type": kind, "loc": loc, "msg": message, "input": given}


def _mismatch(loc: list[str | int], given: str) -> Json:
    message = f"String should match pattern '{PATTERN}'"
    return {
        **_problem("string_pattern_mismatch", loc, message, given),
        "ctx": {"pattern": PATTERN},
    }


def _unprocessable(*problems: Json) -> web.Response:
    return as_json({"detail": list(problems)}, 422)


async def respond_go(state: State, request: web.Request, path: str) -> web.StreamResponse:
    """Answer a request below the folder in which interpro2go is published."""
    if path != "/interpro2go":
        return web.Response(status=404, text="<html>Not Found</html>", content_type="text/html")
    date = (state.behaviour.go_date or state.world.interpro_release.date).replace("-", "/")
    header = [
        f"!version date: {date} 09:00:00",
        "!description: Mapping of GO terms to InterPro entries.",
        "!external resource: http://www.ebi.ac.uk/interpro",
        "!citation: made up by a test",
        "!contact:nobody@example.org",
        "!",
    ]
    lines = [
        f"InterPro:{one.entry} {one.entry_name} > GO:{one.go_name} ; {one.go_id}"
        for one in state.world.go
    ]
    return web.Response(text="\n".join([*header, *lines, ""]), content_type="text/plain")
