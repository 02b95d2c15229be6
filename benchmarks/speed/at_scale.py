"""Does the cost of a genome stay the same from ten genomes to a thousand, in all three ways?

    python -m benchmarks.speed.at_scale [--genomes N ...] [--bacteria N] [--output FILE]

Mutated copies of phages at hand: of every ten, nine are of the hundred microviruses (4 to 7 kb,
as most genomes of a virome), one of the twelve others (5 to 168 kb; see ``many_genomes.py``). For
every fifty phages there is a copy of *Mycoplasma mycoides*. All are interpreted, with empty caches
of results,

* by two processes of this machine (``genint interpret --workers 2``);
* by a Dask cluster of two workers with one thread each on the same cores, of which one is killed
  when half of the genomes are done, and replaced;
* by a service with two worker processes, PostgreSQL and Redis, to which all are uploaded at once.

All results have to be the same, byte for byte. Written: seconds, seconds of CPU of all processes
(of the service, without those of PostgreSQL), and these for each genome.
"""

from __future__ import annotations

import argparse
import gzip
import os
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from Bio import SeqIO
from Bio.SeqRecord import SeqRecord

from benchmarks.search.mutated import mutate
from benchmarks.service.__main__ import site as placed
from benchmarks.service.client import Client
from benchmarks.speed.many_genomes import GENINT, PHAGES, SHARE
from benchmarks.speed.measured import DATA, apart
from tests.servers.dask_cluster import DaskCluster

BACTERIUM = "M_mycoides_GM12_NZ_CP001668.gbff.gz"
MICROVIRUSES = "microviruses100_pharokka.gbk"
OUTPUT = Path(__file__).with_name("at_scale.md")
HEADER = """# Many genomes, on one machine, on a cluster and by the service

Written by `python -m benchmarks.speed.at_scale`, whose text says what was run.

| phages | bacteria | run | wall s | CPU s | CPU s a genome | results |
| ---: | ---: | --- | ---: | ---: | ---: | --- |
"""
_TEN = 10
_PHAGES_A_BACTERIUM = 50
_WORKERS = "2"
_LIMIT_S_A_GENOME = 60.0
_POLL_S = 2.0
"""As seldom as a patient user looks: the service's answers count."""


class Used(NamedTuple):
    """Seconds from start to end, and of CPU of all processes."""

    wall_s: float
    cpu_s: float


def main() -> None:
    """Run all, print rows as they come, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--genomes", type=int, nargs="+", default=[10, 50, 1000], help="phages")
    parser.add_argument("--bacteria", type=int, help="instead of one for every fifty phages")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of real data")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    options = parser.parse_args()
    rows: list[str] = []
    for phages in options.genomes:
        bacteria = phages // _PHAGES_A_BACTERIUM if options.bacteria is None else options.bacteria
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch) / "genomes"
            folder.mkdir()
            apart(write_genomes, options.data.resolve() / "genomes", folder, phages, bacteria)
            for figures in _runs(sorted(folder.iterdir()), Path(scratch)):
                rows.append(f"| {phages} | {bacteria} | {figures} |")
                print(rows[-1], flush=True)
                options.output.write_text(HEADER + "\n".join(rows) + "\n", encoding="utf-8")


def write_genomes(data: Path, folder: Path, phages: int, bacteria: int) -> None:
    """Phages, then bacteria, whose files differ by empty lines alone."""
    small = list(SeqIO.parse(data / MICROVIRUSES, "genbank"))
    large = [SeqIO.read(data / name, "genbank") for name in PHAGES]
    for number in range(phages):
        every_tenth, among = number % _TEN == 0, number // _TEN
        record = large[among % len(large)] if every_tenth else small[number % len(small)]
        _write_copy(record, folder, number)
    text = gzip.decompress((data / BACTERIUM).read_bytes())
    for number in range(bacteria):
        (folder / f"z_bacterium_{number:02}.gb").write_bytes(text + b"\n" * number)


def _write_copy(record: SeqRecord, folder: Path, number: int) -> None:
    copy = SeqRecord(record.seq, record.id, features=record.features)
    mutate(copy, SHARE, seed=number)
    name = f"phage_{number:04}"
    SeqIO.write([SeqRecord(copy.seq, name, description="copy")], folder / f"{name}.fasta", "fasta")


def _runs(files: Sequence[Path], scratch: Path) -> Iterator[str]:
    """The rest of a row of the table for each way."""
    cache = scratch / "cache"
    with _used() as used:
        expected = _by_processes(files, scratch / "here", cache)
    yield _figures("two processes", used(), len(files), "compared with")
    with _used() as used:
        found = _by_cluster(files, scratch / "there", cache)
    yield _figures("Dask, one worker killed", used(), len(files), _compared(found, expected))
    with _used() as used:
        found = _by_service(files, cache)
    yield _figures("service", used(), len(files), _compared(found, expected))


def _by_processes(files: Sequence[Path], folder: Path, cache: Path) -> Mapping[str, bytes]:
    _interpret(files, folder, cache, "--workers", _WORKERS)
    return _results(folder)


def _by_cluster(files: Sequence[Path], folder: Path, cache: Path) -> Mapping[str, bytes]:
    own = folder.with_name("cluster")
    own.mkdir()
    cluster = DaskCluster(own, int(_WORKERS), _without_results(cache))

    def replace_a_worker() -> None:
        cluster.workers[0].kill()
        cluster.add_worker()

    try:
        _interpret(files, folder, cache, "--dask", cluster.address, at_half=replace_a_worker)
    finally:
        cluster.stop()
    return _results(folder)


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
        env=os.environ | _without_results(cache),
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


def _results(folder: Path) -> Mapping[str, bytes]:
    ending = "_report.json"
    return {file.name.removesuffix(ending): file.read_bytes() for file in folder.glob(f"*{ending}")}


def _by_service(files: Sequence[Path], cache: Path) -> Mapping[str, bytes]:
    """Uploads all, waits, and reads what the service keeps as results."""
    with placed("postgresql", cache, None) as site:
        if site is None:
            raise RuntimeError("PostgreSQL is not installed")
        site.environment.update(_without_results(cache))
        with site.serve(workers=int(_WORKERS)) as running:
            client = Client.signed_up(running.url)
            jobs = {file: client.submit(file.read_bytes(), file.name) for file in files}
            client.all_ended(limit_s=_LIMIT_S_A_GENOME * len(files), poll_s=_POLL_S)
            paths = {file: f"/api/v1/jobs/{job}/result?format=json" for file, job in jobs.items()}
            return {file.stem: client.content(client.request(path)) for file, path in paths.items()}


def _without_results(cache: Path) -> dict[str, str]:
    """Indexes are kept in a folder; results of searches are not."""
    return {"GENINT_CACHE_DIR": str(cache), "GENINT_CACHE_MB": "0"}


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


def _compared(found: Mapping[str, bytes], expected: Mapping[str, bytes]) -> str:
    others = sum(found.get(name) != content for name, content in expected.items())
    return f"{others} DIFFER" if others or len(found) != len(expected) else "the same"


def _figures(run: str, used: Used, genomes: int, told: str) -> str:
    share_s = used.cpu_s / genomes
    return f"{run} | {used.wall_s:.0f} | {used.cpu_s:.0f} | {share_s:.2f} | {told}"


if __name__ == "__main__":
    main()
