"""What the user chose for a run, and the options that several commands have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import click

from genint.cli.outputs import FORMAT_NAMES

if TYPE_CHECKING:
    from genint.steps import Payload


@dataclass(frozen=True, slots=True)
class Options:
    """What the user chose, for every file of the run."""

    mode: str
    phage: bool
    workers: int
    ignore_annotations: bool
    locus_tag_prefix: str | None
    proteins: Payload | None
    max_identity: float | None
    online_timeout_s: float | None


format_option: Final = click.option(
    "--format",
    "formats",
    multiple=True,
    default=("md",),
    show_default=True,
    metavar="|".join(FORMAT_NAMES),
    help="Report format; may be given several times.",
)
output_option: Final = click.option(
    "-o",
    "--output",
    metavar="PATH",
    help="Report file; a folder for several files or formats; - for standard output.",
)
dark_fasta_option: Final = click.option(
    "--dark-fasta",
    metavar="PATH",
    help="Write the proteins of dark genes as FASTA too: a file, - for standard output, "
    "a folder for several files.",
)
