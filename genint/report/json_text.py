"""JSON rendering: the result file itself."""

from __future__ import annotations

from genint.report.result import GenintResult


def render_json(result: GenintResult) -> str:
    """The result as JSON text: two spaces of indent, ends with a newline.

    Keys are in the order of the models; the same result gives the same bytes.
    """
    return result.model_dump_json(indent=2) + "\n"
