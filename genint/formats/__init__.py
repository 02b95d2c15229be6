"""Text to Genome: GenBank and FASTA, plain or compressed."""

from genint.formats.codes import ReadCode
from genint.formats.reading import FastaParser, GenBankParser, read_genome, read_genome_bytes

__all__ = ["FastaParser", "GenBankParser", "ReadCode", "read_genome", "read_genome_bytes"]
