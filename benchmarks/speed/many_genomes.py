"""Many genomes in one run: time and memory, a kill in the middle, the resume, and the summary.

    python -m benchmarks.speed.many_genomes [--genomes N] [--workers N] [--keep FOLDER]

Copies of the phages at hand, each with other mutations (a twentieth of the codons of half of its
genes, so that every copy has proteins of its own), are interpreted as FASTA with an empty cache
of results. The run is killed (``kill -9``, with all its processes) when half of them are done,
started again, and started once more when nothing is left to do. Then ``genint summary`` makes its
tables of all results. Printed: seconds, CPU seconds, genomes a minute, memory of all processes
together at the end of genomes (the most in each quarter of a run: profiles of families are kept
from genome to genome up to a number, so that it grows at first), and how many files the kill
left that are not whole.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from Bio import SeqIO
from Bio.SeqRecord import SeqRecord

from benchmarks.search.mutated import mutate
from benchmarks.speed.measured import DATA, apart

PHAGES = (
    "lambda_NC_001416.gb",
    "T7_NC_001604.gb",
    "phiX174_NC_001422.gb",
    "DE3_EU078592.gbk",
    "VT2Sakai_NC_000902.gbk",
    "L5_Z18946.gb",
    "B3_NC_006548.gbk",
    "SodalisSO1_NC_013600.gbk",
    "Yersinia201_16_NC_070914.gbk",
    "SMA6_HG315669.gbk",
    "phageK_NC_005880.gbk",
    "AcinetobacterApostate_NC_049491.gbk",
)
SHARE = 0.5
"""Of the genes of a copy that are mutated."""
GENINT = Path(sys.executable).with_name("genint")
_QUARTERS = 4
_KIB = 1024


@dataclass(frozen=True, slots=True)
class Run:
    """What a run used until it ended or was killed.

    Attributes:
        wall_s: Seconds.
        cpu_s: Of all its processes that ended by themselves.
        memory_mib: Of all its processes together, at the end of each genome.
        said: Last line that it printed.
    """

    wall_s: float
    cpu_s: float
    memory_mib: tuple[float, ...]
    said: str

    @property
    def line(self) -> str:
        """Its figures."""
        genomes = len(self.memory_mib)
        line = f"{self.wall_s:7.1f} s {self.cpu_s:7.1f} s CPU {genomes:5d} genomes"
        if not genomes:
            return line
        speed = 60 * genomes / self.wall_s
        ends = [genomes * quarter // _QUARTERS for quarter in range(_QUARTERS + 1)]
        parts = [self.memory_mib[start:end] for start, end in pairwise(ends)]
        most = ", ".join(f"{max(part):.0f}" for part in parts if part)
        return f"{line} {speed:6.1f}/min  {most} MiB"


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--genomes", type=int, default=300)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of real data")
    parser.add_argument("--keep", type=Path, help="folder for genomes and results that stay")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or Path(scratch)
        genomes = folder / "genomes"
        genomes.mkdir(parents=True)
        apart(write_copies, options.data.resolve() / "genomes", genomes, options.genomes)
        measure_all(sorted(genomes.iterdir()), folder, options.workers)


def write_copies(data: Path, folder: Path, count: int) -> None:
    """Write mutated copies of the phages as FASTA, in turn."""
    phages = [SeqIO.read(data / name, "genbank") for name in PHAGES]
    for number in range(count):
        copy = deepcopy(phages[number % len(phages)])
        mutate(copy, SHARE, seed=number)
        name = f"{copy.name}_{number:03}"
        bare = SeqRecord(copy.seq, name, description="mutated copy")
        SeqIO.write([bare], folder / f"{name}.fasta", "fasta")


def measure_all(files: Sequence[Path], folder: Path, workers: int) -> None:
    """The runs one after another."""
    bases = sum(file.stat().st_size for file in files)
    print(f"{len(files)} genomes, {bases / 1e6:.1f} Mb, {workers} workers", flush=True)
    results, cache = folder / "results", folder / "cache"
    chosen = ("--format", "json", "--format", "html", "--workers", str(workers))
    command = (str(GENINT), "interpret", *map(str, files), *chosen, "-o", str(results))
    _print("killed when half was done", run(command, cache, kill_after=len(files) // 2))
    _print_unfinished("files that are not whole, behind the kill", results)
    _print("started again", run(command, cache))
    _print_unfinished("files that are not whole, at the end", results)
    _print("again, nothing left to do", run(command, cache))
    summary = (str(GENINT), "summary", str(results), "-o", str(folder / "summary"))
    _print("summary of all", run(summary, cache))


def run(command: Sequence[str], cache: Path, *, kill_after: int | None = None) -> Run:
    """Run a command, and look at its memory whenever it has done a genome."""
    started, cpu_s = time.monotonic(), _cpu_of_children_s()
    process = subprocess.Popen(
        command,
        env=os.environ | {"GENINT_CACHE_DIR": str(cache)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    memory_mib: list[float] = []
    said = ""
    for line in process.stdout or ():
        said = line.strip() or said
        if ": Interpreted " not in line:
            continue
        memory_mib.append(_memory_mib(process.pid))
        if len(memory_mib) == kill_after:
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    used_s = _cpu_of_children_s() - cpu_s
    return Run(time.monotonic() - started, used_s, tuple(memory_mib), said)


def _cpu_of_children_s() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _memory_mib(session: int) -> float:
    """Memory of all processes of a session; what they share counts once."""
    return sum(_shares_kib(session)) / _KIB


def _shares_kib(session: int) -> Iterator[int]:
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if os.getsid(int(folder.name)) == session:
                lines = (folder / "smaps_rollup").read_text().splitlines()
                yield from (int(line.split()[1]) for line in lines if line.startswith("Pss:"))
        except OSError:  # ended meanwhile, or somebody else's
            continue


def _print_unfinished(what: str, results: Path) -> None:
    print(f"{what:44s} {sum(1 for _ in results.glob('.*.part')):7d}", flush=True)


def _print(what: str, measured: Run) -> None:
    print(f"{what:44s} {measured.line}\n    {measured.said}", flush=True)


if __name__ == "__main__":
    main()
