"""Genomes as somebody submits them: predicted genes with locus tags."""

from __future__ import annotations

import functools
from pathlib import Path

from Bio import SeqIO

from genint import interpret_genome
from genint.formats import Original, read_original
from genint.model.sequence import reverse_complement
from genint.pipeline.gene_calling import Payload
from genint.pipeline.library import as_result
from genint.report import GenintResult

PREFIX = "ABC"
PIECE_BP = 4_000
CONTIGS = 40
NAMES = ("lambda", "phiX174", "virome")
"""A line, a circle, and the contigs of a virome."""


@functools.cache
def submitted_genome(name: str, examples: Path) -> tuple[GenintResult, Original]:
    """The result of a genome, and the file that it is of."""
    payload = Payload(_text(name, examples).encode(), f"{name}.fasta")
    result = as_result(interpret_genome(payload, locus_tag_prefix=PREFIX))
    return result, read_original(payload.content, payload.filename)


def _text(name: str, examples: Path) -> str:
    genome = str(SeqIO.read(examples / "lambda.fasta", "fasta").seq)
    if name == "lambda":
        return f">lambda\n{genome}\n"
    if name == "phiX174":
        record = SeqIO.read(examples / "phiX174.gbk", "genbank")
        return f">phiX174 [topology=circular]\n{record.seq}\n"
    both = genome + reverse_complement(genome)
    step = (len(both) - PIECE_BP) // (CONTIGS - 1)
    return "".join(
        f">contig_{at + 1}\n{both[at * step : at * step + PIECE_BP]}\n" for at in range(CONTIGS)
    )
