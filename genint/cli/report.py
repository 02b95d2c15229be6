"""``genint report``: results in, reports out, without interpreting again."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

import click

from genint.cli.output import (
    Job,
    Outcome,
    OutputRequest,
    check_formats,
    dark_fasta_option,
    finish_all,
    format_option,
    output_option,
    plan,
    read_input,
    result_stem,
    standard_input,
    unreadable,
    write_reports,
)
from genint.errors import FormatError, InputError, UsageError
from genint.formats import Original, read_original
from genint.formats.compression import decompressed

if TYPE_CHECKING:
    from genint.report.result import GenintResult


def find_original(
    result: GenintResult, *, name: str, given: Sequence[Path], beside: Iterable[Path]
) -> Path:
    """The file that was interpreted, known by its digest.

    Args:
        result: Of which the file is wanted.
        name: How the result is called in errors.
        given: Files that the user named; where there are none it is looked for.
        beside: Folders to look in, for the file that the result names.

    Raises:
        InputError: it is not among them; says what to do.
    """
    candidates = list(given) or _lying_about(result.input.filename, beside)
    for path in candidates:
        if _digest(path) == result.input.sha256:
            return path
    raise InputError(_not_found(result, name, candidates, was_given=bool(given)))


def _lying_about(filename: str, folders: Iterable[Path]) -> list[Path]:
    """Files of that name; a name that leads elsewhere (``../x``) is none."""
    if filename in {"", ".", ".."} or Path(filename).name != filename or "\0" in filename:
        return []
    return [folder / filename for folder in folders if (folder / filename).is_file()]


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError) as cause:
        raise unreadable(path, cause) from cause


def _not_found(
    result: GenintResult, name: str, candidates: Sequence[Path], *, was_given: bool
) -> str:
    from genint.report.wording import shown_text  # noqa: PLC0415 - loads pydantic

    wanted = shown_text(result.input.filename)
    seen = " and ".join(map(str, candidates))
    if was_given:
        return (
            f"{name}: {seen}: not the file that was interpreted, its sha256 is another; "
            f"give --genome {wanted} as it was then"
        )
    if candidates:
        return (
            f"{name}: {seen} has changed since it was interpreted, its sha256 is another; "
            "give the file as it was with --genome, or interpret it again"
        )
    return (
        f"{name}: GenBank is written into the file that was interpreted, and {wanted} is "
        "neither beside the result nor here; give it with --genome FILE"
    )


MAX_RESULT_BYTES: Final = 400_000_000
"""Text of a result. A bacterium has 20 MB; what is read takes several times its text of memory."""
_PIECE_BYTES: Final = 1 << 20
_CURE: Final = "give a file that genint wrote with --format json"


@click.command()
@click.argument("results", nargs=-1, required=True, type=click.Path(), metavar="RESULT...")
@format_option
@output_option
@dark_fasta_option
@click.option(
    "--genome",
    "genomes",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The file that was interpreted, for gbk; needed where it is neither beside the "
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
    wanted = OutputRequest(check_formats(formats), output, dark_fasta)
    jobs = plan(results, wanted, stem=result_stem, others=genomes)
    return finish_all(jobs, "Reported", partial(_report_one, genomes=genomes))


def _report_one(job: Job, *, genomes: tuple[Path, ...]) -> Outcome:
    """Read one result and write its reports."""
    started = time.monotonic()
    result = read_result(job.source)
    written, unwritten = write_reports(result, job, partial(_original, result, job, genomes))
    return Outcome.done(written, result, time.monotonic() - started, unwritten)


def _original(result: GenintResult, job: Job, genomes: tuple[Path, ...]) -> Original:
    """The file that was interpreted; refused where a report would overwrite it."""
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
    from genint.report.validation import parse_result  # noqa: PLC0415 - loads pydantic

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
