"""Does the cost of a genome stay the same from ten genomes to many, also on a cluster?

    python -m benchmarks.speed.at_scale [--genomes N ...] [--bacteria N] [--output FILE]

Mutated copies of the phages at hand (see ``many_genomes.py``), with copies of a bacterium as the
last files, are interpreted with empty caches of results: by two processes of this machine, and by
a Dask cluster of two workers with one thread each on the same cores, of which one is killed when
half of the genomes are done and replaced. All results have to be the same, byte for byte. Written:
seconds, seconds of CPU of all processes, and these for each genome.
"""

from __future__ import annotations

import argparse
import gzip
import os
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from benchmarks.speed.many_genomes import GENINT, write_copies
from benchmarks.speed.measured import DATA, apart
from tests.servers.dask_cluster import DaskCluster

BACTERIUM = "S_pyogenes_M1_NC_002737.gb.gz"
OUTPUT = Path(__file__).with_name("at_scale.md")
HEADER = """# Many genomes, on one machine and on a cluster

Written by `python -m benchmarks.speed.at_scale`, whose text says what was run.

| genomes | run | wall s | CPU s | CPU s a genome | results |
| ---: | --- | ---: | ---: | ---: | --- |
"""


class Used(NamedTuple):
    """Seconds from start to end, and of CPU of all processes."""

    wall_s: float
    cpu_s: float


def main() -> None:
    """Run all, print rows as they come, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--genomes", type=int, nargs="+", default=[12, 60])
    parser.add_argument("--bacteria", type=int, default=1)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of real data")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    options = parser.parse_args()
    rows = []
    for count in options.genomes:
        with tempfile.TemporaryDirectory() as scratch:
            files = write_genomes(options.data.resolve(), Path(scratch), count, options.bacteria)
            for row in rows_of(files, Path(scratch)):
                print(row, flush=True)
                rows.append(row)
    options.output.write_text(HEADER + "".join(f"{row}\n" for row in rows), encoding="utf-8")


def write_genomes(data: Path, scratch: Path, phages: int, bacteria: int) -> list[Path]:
    """Phages, then bacteria, whose files differ by a comment alone."""
    folder = scratch / "genomes"
    folder.mkdir()
    apart(write_copies, data / "genomes", folder, phages)
    text = gzip.decompress((data / "genomes" / BACTERIUM).read_bytes())
    for number in range(bacteria):
        (folder / f"z_bacterium_{number}.gb").write_bytes(text + b"\n" * number)
    return sorted(folder.iterdir())


def rows_of(files: Sequence[Path], scratch: Path) -> Iterator[str]:
    """A row of the table for each run."""
    here = scratch / "here"
    with _used() as used:
        _interpret(files, here, scratch / "cache", "--workers", "2")
    expected = _results(here)
    yield _row(files, "two processes", used(), "compared with")
    there = scratch / "there"
    (scratch / "cluster").mkdir()
    with _used() as used:
        environment = {"GENINT_CACHE_DIR": str(scratch / "cache"), "GENINT_CACHE_MB": "0"}
        cluster = DaskCluster(scratch / "cluster", 2, environment)
        try:
            options = ("--dask", cluster.address)
            _interpret(files, there, scratch / "cache", *options, at_half=_replacing(cluster))
        finally:
            cluster.stop()
    told = "the same" if expected == _results(there) else "DIFFERENT"
    yield _row(files, "Dask, one of two workers killed", used(), told)


def _replacing(cluster: DaskCluster) -> Callable[[], None]:
    def replace() -> None:
        cluster.workers[0].kill()
        cluster.add_worker()

    return replace


def _interpret(
    files: Sequence[Path],
    folder: Path,
    cache: Path,
    *options: str,
    at_half: Callable[[], None] = lambda: None,
) -> None:
    """Interpret all; something happens when half of them are done."""
    command = [str(GENINT), "interpret", *map(str, files), "-o", str(folder), "--format", "json"]
    process = subprocess.Popen(
        [*command, *options],
        env=os.environ | {"GENINT_CACHE_DIR": str(cache), "GENINT_CACHE_MB": "0"},
        stdout=subprocess.PIPE,
        text=True,
    )
    done = 0
    for line in process.stdout or ():
        if ": Interpreted " in line:
            done += 1
            if done == len(files) // 2:
                at_half()
    if process.wait():
        raise RuntimeError(f"the run ended with {process.returncode}")


@contextmanager
def _used() -> Iterator[Callable[[], Used]]:
    """What is used until the end of the block."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.monotonic()
    ended: list[Used] = []
    yield lambda: ended[0]
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    ended.append(Used(time.monotonic() - started, cpu_s))


def _results(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.glob("*.json")}


def _row(files: Sequence[Path], run: str, used: Used, told: str) -> str:
    share_s = used.cpu_s / len(files)
    return (
        f"| {len(files)} | {run} | {used.wall_s:.0f} | {used.cpu_s:.0f} | {share_s:.1f} | {told} |"
    )


if __name__ == "__main__":
    main()
