"""JSON rendering and its published schema."""

from __future__ import annotations

import json

from genint.report.result import SCHEMA_VERSION, GenintResult


def render_json(result: GenintResult) -> str:
    """The result as JSON text: two spaces of indent, ends with a newline.

    Keys stand in the order of the models; the same result gives the same bytes.
    """
    return result.model_dump_json(indent=2) + "\n"


def json_schema() -> str:
    """JSON Schema (draft 2020-12) of the result file, as text."""
    schema = GenintResult.model_json_schema(mode="serialization")
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"genint result {SCHEMA_VERSION}",
    }
    schema.pop("title", None)
    return json.dumps(head | schema, indent=2, ensure_ascii=False) + "\n"
