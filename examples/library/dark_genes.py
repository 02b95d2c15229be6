"""Interpret several genomes, several at a time, and print the table of their dark genes.

    python examples/library/dark_genes.py examples/lambda.fasta examples/phiX174.gbk > dark.tsv

A dark gene is one to which no source of evidence gives a function. The table has the most
promising ones of each genome first, each with the reasons for its place.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import sys
from collections.abc import Iterator, Sequence
from contextlib import aclosing
from pathlib import Path

from genint import InterpretationSummary, interpret_many_async

COLUMNS = ("genome", "gene", "place", "length_aa", "priority", "reasons")


def dark_genes(file: Path, summary: InterpretationSummary) -> Iterator[tuple[object, ...]]:
    """One row for each dark gene of a genome, the most promising first."""
    for result in summary.novel_gene_report.genes:
        novelty = result.novelty
        if novelty is None:
            continue
        reasons = "; ".join(novelty.reasons)
        length_aa = len(result.gene.protein)
        yield (
            file.name,
            result.gene_id,
            result.locus,
            length_aa,
            f"{novelty.priority:.2f}",
            reasons,
        )


async def write_table(files: Sequence[Path]) -> int:
    """Write the table to standard output; how many files could not be interpreted."""
    table = csv.writer(sys.stdout, delimiter="\t", lineterminator="\n")
    table.writerow(COLUMNS)
    failed = 0
    # Genomes come as they end. Leaving the loop early stops the others: hence aclosing().
    async with aclosing(interpret_many_async(files)) as genomes:
        async for genome in genomes:
            if genome.summary is None:
                failed += 1
                print(genome.problem, file=sys.stderr)  # it names the file
                continue
            table.writerows(dark_genes(files[genome.number], genome.summary))
    return failed


def main() -> int:
    """Exit code: 1 where a file could not be interpreted."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
    return 1 if asyncio.run(write_table(parser.parse_args().files)) else 0


if __name__ == "__main__":  # worker processes import this file, and must not run it
    sys.exit(main())
