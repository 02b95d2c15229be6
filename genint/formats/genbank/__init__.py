"""GenBank flat files: records to genomes, and additions back into records."""
