"""Text to Genome: GenBank and FASTA, plain or compressed."""

from genint.formats.reader import (
    FastaParser,
    GenBankParser,
    Original,
    read_genome,
    read_genome_bytes,
    read_original,
)
from genint.formats.warnings import ReadCode

__all__ = [
    "FastaParser",
    "GenBankParser",
    "Original",
    "ReadCode",
    "read_genome",
    "read_genome_bytes",
    "read_original",
]
