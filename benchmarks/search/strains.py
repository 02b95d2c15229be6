"""What a second strain costs, and the same genome again, when results are kept.

    python -m benchmarks.search.strains [--quick | --genome FILE] [--mode MODE] [--workers N]

E. coli K-12 is interpreted with an empty cache of results, then again, then a second strain
in which a fifth of the genes were mutated, each once. Profiles were pressed before, so that
the first run does not pay for them. ``--quick`` takes lambda in its place: for a look at
whether all works, not for figures.
"""

from __future__ import annotations

import argparse
import gzip
import sys
import tempfile
from pathlib import Path

from Bio import SeqIO

from benchmarks.search.mutated import mutate
from benchmarks.speed.measured import DATA, ROOT, Failed, apart, report, verdict

MUTATED_SHARE = 0.2
MOST_SHARE = "<= 0.30"
"""Of the CPU of the first strain, for the second."""
MOST_AGAIN_S = "<= 10"
"""Wall; both gates are for E. coli."""
GENINT = Path(sys.executable).with_name("genint")


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="lambda in place of E. coli")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of real data")
    parser.add_argument("--genome", type=Path, help="another GenBank file in place of E. coli")
    parser.add_argument("--mode", choices=("offline", "local"), default="offline")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    name = "lambda_NC_001416.gb" if options.quick else "E_coli_K12_MG1655_NC_000913.gbk.gz"
    with tempfile.TemporaryDirectory() as folder:
        try:
            genome = options.genome or options.data.resolve() / "genomes" / name
            compare(genome, Path(folder), options)
        except Failed as problem:
            sys.exit(f"failed: {problem}")


def compare(genome: Path, folder: Path, options: argparse.Namespace) -> None:
    """The three runs."""
    first, second = folder / "first.gbk", folder / "second.gbk"
    apart(write_strains, genome, first, second)
    environment = {"GENINT_CACHE_DIR": str(folder / "cache")}
    chosen = ("--mode", options.mode, "--workers", str(options.workers))
    flags = (*chosen, "--format", "json", "-o", "out.json")

    def run(what: str, file: Path, **more: str) -> tuple[float, float]:
        done = report(what, (GENINT, "interpret", file, *flags), environment | more)
        return done.cpu_s, done.wall_s

    # Both packs of families are pressed by a genome with a dark gene or two; a cache of
    # results of no size keeps none.
    other = ROOT / "examples" / "lambda.fasta"
    run("phage lambda (presses what ships)", other, GENINT_CACHE_MB="0")
    first_cpu_s, _ = run("first strain, nothing known of it", first)
    _, again_s = run("first strain again", first)
    second_cpu_s, _ = run("second strain", second)
    gates = ("", "") if options.quick else (MOST_SHARE, MOST_AGAIN_S)
    verdict("second strain / first strain, CPU", second_cpu_s / first_cpu_s, gates[0])
    verdict("first strain again, s wall", again_s, gates[1])


def write_strains(genome: Path, first: Path, second: Path) -> None:
    """Write the genome as it is, and mutated, and say how much of that is new."""
    content = genome.read_bytes()
    first.write_bytes(gzip.decompress(content) if genome.suffix == ".gz" else content)
    records = list(SeqIO.parse(first, "genbank"))
    done = [mutate(record, MUTATED_SHARE) for record in records]
    SeqIO.write(records, second, "genbank")
    genes, changed = sum(one.genes for one in done), sum(one.changed for one in done)
    print(f"second strain: {changed:,} of {genes:,} proteins differ ({changed / genes:.1%})")


if __name__ == "__main__":
    main()
