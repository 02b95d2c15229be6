"""The confidence model: measured, fitted and judged on genomes that were held out."""
