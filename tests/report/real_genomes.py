"""Results of real genomes, interpreted on annotations alone or on predicted genes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from genint.errors import FormatError
from genint.formats import read_genome
from genint.genes import call_genes, decide
from genint.knowledge.confidence import load_confidence
from genint.model.genome import Genome
from genint.report.build import build_result
from genint.report.result import GenintResult

from .conftest import summarise

_PREDICTED_UP_TO_BP = 300_000


class Interpreted(NamedTuple):
    """A file, its genome and the result."""

    path: Path
    genome: Genome
    result: GenintResult


def interpreted(path: Path) -> Interpreted:
    """The result of a file; genes are predicted where it has none and is small."""
    genome = read_genome(path)
    if not genome.genes and genome.length_bp <= _PREDICTED_UP_TO_BP:
        genome = decide(call_genes(genome))
    return Interpreted(path, genome, build_result(summarise(genome), load_confidence()))


def every_genome(folder: Path) -> Iterator[Interpreted]:
    """All files of the folder that genint reads."""
    for path in sorted(folder.iterdir()):
        try:
            yield interpreted(path)
        except FormatError:
            continue
