"""The library: from a genome file to its interpretation."""

from genint.api.blocking import GenomeInterpreter, interpret_genome
from genint.api.progress import GenomeSourceLike, Progress, ProgressCallback, ProteinSourceLike
from genint.api.running import MODES, interpret_genome_async
from genint.steps import render_report

__all__ = [
    "MODES",
    "GenomeInterpreter",
    "GenomeSourceLike",
    "Progress",
    "ProgressCallback",
    "ProteinSourceLike",
    "interpret_genome",
    "interpret_genome_async",
    "render_report",
]
