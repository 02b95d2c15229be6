"""A result written in every format that is wanted of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from genint.cli.files import write_atomically, write_to_stdout
from genint.cli.outputs import Job
from genint.report.formats import FORMATS, render

if TYPE_CHECKING:
    from genint.formats import Original
    from genint.report.result import GenintResult


def write_reports(result: GenintResult, job: Job, original: Callable[[], Original]) -> None:
    """Render everything, then write it: what cannot be rendered leaves nothing half done.

    Args:
        result: What was found.
        job: What is to be written where.
        original: Reads the file that was interpreted; called where a format needs it.

    Raises:
        InputError: the original is another file, or the result lacks what a format needs.
        UsageError: a place cannot be written.
    """
    names = [output.format for output in job.outputs]
    read = original() if any(FORMATS[name].needs_original for name in names) else None
    texts = [render(result, name, read) for name in names]
    for output, text in zip(job.outputs, texts, strict=True):
        if output.path is None:
            write_to_stdout(text)
        else:
            write_atomically(output.path, text)
