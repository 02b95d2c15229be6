"""``genint report``: results in, reports out, without interpreting again."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

import click

from genint.cli.files import read_input, standard_input, unreadable
from genint.cli.options import dark_fasta_option, format_option, output_option
from genint.cli.outcomes import Outcome, finish_all
from genint.cli.outputs import Job, Wanted, check_formats, plan, result_stem
from genint.errors import FormatError, UsageError

if TYPE_CHECKING:
    from genint.formats import Original
    from genint.report.result import GenintResult

MAX_RESULT_BYTES: Final = 400_000_000
"""Text of a result. A bacterium has 20 MB; what is read takes several times its text of memory."""
_PIECE_BYTES: Final = 1 << 20
_CURE: Final = "give a file that genint wrote with --format json"


@click.command()
@click.argument("results", nargs=-1, required=True, metavar="RESULT...")
@format_option
@output_option
@dark_fasta_option
@click.option(
    "--genome",
    "genomes",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The file that was interpreted, for gbk; needed where it lies neither beside the "
    "result nor here. May be given several times.",
)
def report(
    *,
    results: tuple[str, ...],
    formats: tuple[str, ...],
    output: str | None,
    dark_fasta: str | None,
    genomes: tuple[Path, ...],
) -> int:
    """Render results (genint interpret --format json) again; plain, .gz, or - for stdin.

    Each RESULT <name>_report.json gives <name>_report.md in the current folder, unless -o
    says otherwise. Nothing is interpreted: the reports are those that interpret would have
    written. Several results end in a table.
    """
    wanted = Wanted(check_formats(formats), output, dark_fasta)
    jobs = plan(results, wanted, stem=result_stem, others=genomes)
    return finish_all(jobs, "Reported", partial(_report_one, genomes=genomes))


def _report_one(job: Job, *, genomes: tuple[Path, ...]) -> Outcome:
    """Read one result and write its reports."""
    started = time.monotonic()
    result = read_result(job.source)
    from genint.cli.rendering import write_reports  # noqa: PLC0415 - lazy

    write_reports(result, job, partial(_original, result, job, genomes))
    return Outcome.done(job, result, time.monotonic() - started)


def _original(result: GenintResult, job: Job, genomes: tuple[Path, ...]) -> Original:
    """The file that was interpreted; refused where a report would overwrite it."""
    from genint.cli.originals import find_original  # noqa: PLC0415 - lazy
    from genint.formats import read_original  # noqa: PLC0415 - loads numpy

    here = Path()
    folders = [here] if job.source is None else list(dict.fromkeys((job.source.parent, here)))
    found = find_original(result, name=job.name, given=genomes, beside=folders)
    places = [output.path.resolve() for output in job.outputs if output.path is not None]
    if found.resolve() in places:
        raise UsageError(f"the report would overwrite {found}, which it is written into")
    return read_original(read_input(found), found.name)


def read_result(source: Path | None, *, max_bytes: int = MAX_RESULT_BYTES) -> GenintResult:
    """The result in a file, plain or compressed; None is standard input.

    Raises:
        InputError: it cannot be read, is too large, damaged or no result; says why.

    Cost: about 0.4 s for 20 MB (a bacterium).
    """
    from genint.formats.compression import decompressed  # noqa: PLC0415 - lazy
    from genint.report.reading import parse_result  # noqa: PLC0415 - loads pydantic

    name = "stdin" if source is None else source.name
    payload = _payload(source, name, max_bytes)
    try:
        content = decompressed(payload, source=name, max_bytes=max_bytes)
    except FormatError as problem:  # its cures are those for genomes
        raise FormatError(source=name, line=None, reason=problem.reason, cure=_CURE) from problem
    return parse_result(content, source=name)


def _payload(source: Path | None, name: str, max_bytes: int) -> bytes:
    """All bytes, but never more than the limit and a piece: a result may be any file."""
    if source is None:
        return _read_at_most(standard_input(), name, max_bytes)
    try:
        with source.open("rb") as file:
            return _read_at_most(file, name, max_bytes)
    except (OSError, ValueError) as cause:
        raise unreadable(source, cause) from cause


def _read_at_most(file: IO[bytes], name: str, max_bytes: int) -> bytes:
    pieces, size = [], 0
    while piece := file.read(_PIECE_BYTES):
        pieces.append(piece)
        size += len(piece)
        if size > max_bytes:
            reason = f"holds more than {max_bytes / 1e6:.0f} MB, which no result does"
            raise FormatError(source=name, line=None, reason=reason, cure=_CURE)
    return b"".join(pieces)
