"""``genint diff``: two results, or a result and an annotated file, side by side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from genint.cli.output import (
    STANDARD_STREAM,
    read_input,
    write_atomically,
    write_to_stdout,
)
from genint.cli.report import MAX_RESULT_BYTES
from genint.errors import UsageError

if TYPE_CHECKING:
    from genint.report.difference.sides import Side

_FORMATS: Final = ("text", "tsv", "json", "html")
_JSON_START: Final = b"{"


@click.command()
@click.argument("first", metavar="A", type=click.Path(path_type=Path))
@click.argument("second", metavar="B", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "format_",
    type=click.Choice(_FORMATS),
    default=_FORMATS[0],
    show_default=True,
    help="text for the terminal; tsv: one gene a line; json; html: a page, side by side.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Where to write it [default: standard output].",
)
@click.option(
    "--exit-code",
    is_flag=True,
    help="End with 1 where a gene, name, level or classification differs, else with 0.",
)
def diff(*, first: Path, second: Path, format_: str, output: Path | None, exit_code: bool) -> int:
    """Show what differs between A and B, gene by gene, and which evidence explains it.

    A and B are results (genint interpret --format json), plain or .gz, or annotated genomes
    (GenBank) of any program, whose genes are compared by their products. Genes are the same
    where they end at the same stop codon.
    """
    from genint.knowledge.products import load_products  # noqa: PLC0415 - only here
    from genint.report.difference.compare import compare_sides  # noqa: PLC0415 - pydantic
    from genint.report.difference.render import RENDERERS  # noqa: PLC0415

    if output is not None and output.resolve() in {first.resolve(), second.resolve()}:
        raise UsageError(f"{output} is one of the files that are compared")
    found = compare_sides(_side(first), _side(second), load_products())
    content = RENDERERS[format_](found)
    if output is None or str(output) == STANDARD_STREAM:
        write_to_stdout(content.encode())
    else:
        write_atomically(output, content)
    return 1 if exit_code and (found.changes or found.remarks) else 0


def _side(path: Path) -> Side:
    """A file as a side: a result where it holds JSON, else a genome."""
    from genint.formats import read_genome  # noqa: PLC0415 - loads Biopython
    from genint.formats.compression import decompressed  # noqa: PLC0415
    from genint.report.difference.sides import (  # noqa: PLC0415 - loads pydantic
        side_of_genome,
        side_of_result,
    )
    from genint.report.validation import parse_result  # noqa: PLC0415

    content = decompressed(read_input(path), source=path.name, max_bytes=MAX_RESULT_BYTES)
    if content.lstrip()[:1] == _JSON_START:
        return side_of_result(parse_result(content, source=path.name), path.name)
    genome = read_genome(path)
    if not any(contig.genes for contig in genome.contigs):
        raise UsageError(
            f"{path.name} has no genes to compare; interpret it first (--format json), and "
            "compare the result"
        )
    return side_of_genome(genome, path.name)
