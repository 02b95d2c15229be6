"""Text to Genome: GenBank and FASTA, plain or compressed."""

from genint.formats.codes import ReadCode
from genint.formats.reading import (
    FastaParser,
    GenBankParser,
    Original,
    read_genome,
    read_genome_bytes,
    read_original,
)

__all__ = [
    "FastaParser",
    "GenBankParser",
    "Original",
    "ReadCode",
    "read_genome",
    "read_genome_bytes",
    "read_original",
]
