"""Text to Genome: GenBank and FASTA, plain or compressed."""
