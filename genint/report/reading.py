"""A stored result as values again: the way back from ``render_json``."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from typing import Final

from pydantic import BaseModel, ValidationError

from genint.errors import FormatError
from genint.report.consistency import contradictions
from genint.report.result import GenintResult

_READABLE: Final = re.compile(r"1\.\d+", re.ASCII)
_LINE: Final = re.compile(r"at line (\d+)")
_CURE: Final = "give a file that genint wrote with --format json"


class _Head(BaseModel):
    """All that tells which reader a file needs."""

    schema_version: str


def parse_result(content: bytes, *, source: str = "result") -> GenintResult:
    """The result in a JSON file of any schema 1.x; keys that it does not know are ignored.

    Args:
        content: The file, UTF-8; a byte order mark is passed over.
        source: How the file is called in errors.

    Raises:
        FormatError: it is no JSON, no result, of another schema, or contradicts itself.

    Cost: about 0.4 s for 20 MB (a bacterium).
    """
    content = content.removeprefix(BOM_UTF8)
    try:
        result = GenintResult.model_validate_json(content)
    except ValidationError as problem:
        _refuse_other_schemas(content, source)
        raise _explained(problem, source) from problem
    _refuse_version(result.schema_version, source)
    for fault in contradictions(result):
        reason = f"no result of genint: {fault}"
        raise FormatError(source=source, line=None, reason=reason, cure=_CURE)
    return result


def _refuse_other_schemas(content: bytes, source: str) -> None:
    """Say that the schema is another, where that is why the content does not fit."""
    try:
        head = _Head.model_validate_json(content)
    except ValidationError:
        return
    _refuse_version(head.schema_version, source)


def _refuse_version(version: str, source: str) -> None:
    if not _READABLE.fullmatch(version):
        raise FormatError(
            source=source,
            line=None,
            reason=f"schema {version[:20]!r} of the result is not 1.x",
            cure="read it with the version of genint that wrote it",
        )


def _explained(problem: ValidationError, source: str) -> FormatError:
    """The first fault in words, without the value that it found (it may be huge)."""
    first = problem.errors(include_input=False, include_url=False)[0]
    message = first["msg"]
    if first["type"] == "json_invalid":
        line = _LINE.search(message)
        return FormatError(
            source=source, line=int(line[1]) if line else None, reason="no valid JSON", cure=_CURE
        )
    place = ".".join(str(step) for step in first["loc"]) or "the whole"
    return FormatError(
        source=source, line=None, reason=f"no result of genint: {place}: {message}", cure=_CURE
    )
