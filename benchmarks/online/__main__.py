"""Online mode against fake services that answer as slowly as real ones.

    python -m benchmarks.online [--quick | --skip-lambda] [--latency 0.3-3] [--workers N] ...

The services run in a process of their own on this machine, know lambda and E. coli K-12 (a share
of each kind of entry; what they say is made up from the files) and take 0.3 to 3 seconds for each
answer. Asked are annotated records (whose taxon UniProt has, or not) and bare sequences (whose
proteins UniProt maps by checksum, or not). Printed are requests by service, the most in flight
and the pace against the limits, wall seconds cold, again, and with dead services, the same
offline, and what online mode adds to offline beside the slowest chain of calls: the seconds in
which a branch had a request under way or waited for a job, from the services' own record.

What it adds is measured twice: in the first run of a genome, whose searches hide the asking, and
with the searches in the cache of results, where nothing does. Offline the fastest of some runs
counts, online the one with the middle overhead. A busy machine shows in the overhead: mind the
load average. Exit status 1 where a gate is missed. ``--quick``: lambda alone.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.online.measuring import (
    Bench,
    Case,
    measure_case,
    measure_dead,
    measure_first,
    measure_offline,
    press,
)
from benchmarks.online.servers import Ways, servers
from benchmarks.service.figures import Board
from benchmarks.speed.measured import DATA, Failed
from genint.formats import read_genome

LAMBDA = "lambda_NC_001416.gb"
ECOLI = "E_coli_K12_MG1655_NC_000913.gbk.gz"
MOST_REQUESTS = {LAMBDA: 11, ECOLI: 160}
REPEATS = {LAMBDA: 3, ECOLI: 1}
"""Of a bacterium the seconds of asking are more than the noise."""
OTHER_TAXON = 83333
"""UniProt has E. coli K-12 under it, RefSeq does not; nobody has lambda under it."""


def main() -> None:
    """Print all figures; exit status 1 where a gate is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="lambda alone")
    parser.add_argument("--skip-lambda", action="store_true", help="E. coli alone")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of real data")
    parser.add_argument("--latency", default="0.3-3", help="seconds of an answer, S or S-S")
    parser.add_argument("--workers", type=int, default=2, help="processes of genint")
    parser.add_argument("--repeats", type=int, help="of each run; default: 3, of E. coli 1")
    options = parser.parse_args()
    least, _, most = options.latency.partition("-")
    latency_s = float(least), float(most or least)
    board = Board()
    names = [LAMBDA] * (not options.skip_lambda) + [ECOLI] * (not options.quick)
    try:
        with tempfile.TemporaryDirectory(prefix="genint-online-") as folder, servers() as remote:
            press(Path(folder))
            for name in names:
                repeats = options.repeats or REPEATS[name]
                limits = options.workers, repeats, MOST_REQUESTS[name]
                bench = Bench(board, remote, Path(folder), *limits)
                measure_genome(bench, options.data.resolve() / "genomes" / name, latency_s)
    except Failed as problem:
        sys.exit(f"failed: {problem}")
    board.conclude()
    sys.exit(bool(board.missed))


def measure_genome(bench: Bench, record: Path, latency_s: tuple[float, float]) -> None:
    """All cases of one genome: as a record, and as its bare sequence."""
    bare = bench.folder / f"{record.name.split('.')[0]}.fasta"
    contigs = read_genome(record).contigs
    bare.write_text("".join(f">{one.id}\n{one.bases}\n" for one in contigs))
    annotated = measure_offline(bench, record)
    cases = list(_of_record(record, latency_s))
    measure_first(bench, cases[0], annotated)
    for case in cases:
        measure_case(bench, case, annotated)
    measure_dead(bench, record, annotated)
    predicted = measure_offline(bench, bare)
    for case in _of_sequence(record, bare, latency_s):
        measure_case(bench, case, predicted)


def _of_record(record: Path, latency_s: tuple[float, float]) -> Iterator[Case]:
    yield Case("under its taxon", record, record, Ways(latency_s=latency_s))
    elsewhere = Ways(OTHER_TAXON, latency_s=latency_s)
    yield Case("under another taxon", record, record, elsewhere)


def _of_sequence(record: Path, bare: Path, latency_s: tuple[float, float]) -> Iterator[Case]:
    yield Case("checksums mapped", record, bare, Ways(latency_s=latency_s))
    unmapped = Ways(latency_s=latency_s, crc64_mapping="finds_nothing")
    yield Case("checksums not mapped", record, bare, unmapped)


if __name__ == "__main__":
    main()
