"""Results as values."""

from __future__ import annotations

from genint.model import (
    Contig,
    FileFormat,
    Genome,
    GenomeSource,
    InterpretationSummary,
    NovelGeneReport,
    Parameters,
)


def test_a_summary_is_shown_in_one_line_however_large_the_genome_is():
    """``asyncio.run`` asks for it, and for a bacterium it would be seconds of work."""
    source = GenomeSource("large.fasta", "0" * 64, FileFormat.FASTA)
    genome = Genome((Contig("c", "ACGT" * 1_000_000),), source)
    summary = InterpretationSummary(genome, (), NovelGeneReport(()), Parameters(), ())
    assert repr(summary) == "<InterpretationSummary of large.fasta: 0 of 0 genes interpreted>"
