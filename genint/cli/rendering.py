"""The heavy half of the command line: compute, then render. Imported late."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from genint.api import Progress, interpret_genome_async
from genint.cli.options import Options
from genint.knowledge.confidence import load_confidence
from genint.report.build import build_result
from genint.report.html import render_html
from genint.report.json_format import render_json
from genint.report.markdown import render_markdown
from genint.report.result import GenintResult
from genint.steps import Payload

if TYPE_CHECKING:
    from genint.model.interpretation import InterpretationSummary

_RENDERERS: dict[str, Callable[[GenintResult], str]] = {
    "md": render_markdown,
    "html": render_html,
    "json": render_json,
}


async def interpret_payload(
    payload: bytes,
    filename: str,
    options: Options,
    report: Callable[[Progress], None] | None,
) -> InterpretationSummary:
    """Interpret the bytes of one file with the options of the command line."""
    return await interpret_genome_async(
        Payload(payload, filename),
        mode=options.mode,
        phage=options.phage,
        workers=options.workers,
        progress=report,
        ignore_annotations=options.ignore_annotations,
        locus_tag_prefix=options.locus_tag_prefix,
    )


def render(
    summary: InterpretationSummary, formats: Sequence[str]
) -> tuple[GenintResult, list[str]]:
    """The result and its renderings, in the order asked for."""
    result = build_result(summary, load_confidence())
    return result, [_RENDERERS[name](result) for name in formats]
