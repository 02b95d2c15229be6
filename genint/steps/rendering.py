"""Last step: results as files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from genint.errors import UsageError
from genint.model.interpretation import InterpretationSummary
from genint.steps.reading import Payload, as_payload

if TYPE_CHECKING:
    from genint.formats import Original
    from genint.report.result import GenintResult


def as_result(summary: InterpretationSummary) -> GenintResult:
    """The result file of a summary; see :func:`genint.report.build.build_result`."""
    from genint.knowledge.confidence import load_confidence  # noqa: PLC0415 - lazy
    from genint.report.build import build_result  # noqa: PLC0415

    return build_result(summary, load_confidence())


def render_report(
    found: InterpretationSummary | GenintResult,
    format: str = "md",
    original: Original | Payload | str | os.PathLike[str] | None = None,
) -> str:
    """Write what was found in a format, as ``genint report`` does; computes nothing new.

    Args:
        found: What interpreting returned, or a result that was stored
            (:func:`genint.report.reading.parse_result`).
        format: ``md``, ``html``, ``json``, ``tsv``, ``gff3``, ``gbk`` or ``dark-fasta``; see
            :data:`genint.report.formats.FORMATS`.
        original: The file that was interpreted, for ``gbk``, which is written into it: its
            path, its bytes with a name, or what :func:`genint.formats.read_original` made.

    Raises:
        UsageError: there is no such format, or it needs the original.
        InputError: the original cannot be read or is another file than the one that was
            interpreted, or a stored result lacks what the format needs.

    Cost: 1 to 3 s for a bacterium, whatever the format.
    """
    from genint.report.formats import FORMATS, render  # noqa: PLC0415 - lazy

    if format not in FORMATS:
        raise UsageError(f"no format {format!r}; choose from {', '.join(FORMATS)}")
    if FORMATS[format].needs_original and original is None:
        raise UsageError(f"format {format} is written into the file that was interpreted: give it")
    result = as_result(found) if isinstance(found, InterpretationSummary) else found
    return render(result, format, _as_original(original) if original is not None else None)


def _as_original(source: Original | Payload | str | os.PathLike[str]) -> Original:
    from genint.formats import Original, read_original  # noqa: PLC0415 - lazy

    if isinstance(source, Original):
        return source
    payload = as_payload(source if isinstance(source, Payload) else Path(source))
    return read_original(payload.content, payload.filename)
