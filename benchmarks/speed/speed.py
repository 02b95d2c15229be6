"""Speed and memory of genint, and of the ``giae`` package in the same run.

    python -m benchmarks.speed.speed [--runs N] [--genomes FOLDER] [--skip-peer]

Prints wall and CPU seconds (of the process and all its children) and the peak
memory of the largest single process: medians over the runs, and what profiles take in the cache
folder. "Searched" runs know no results of earlier ones, only the profiles. The peer is installed
from the package registry into an environment of its own below ``build/``.
"""

from __future__ import annotations

import argparse
import gzip
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from genint.cache.info import cache_info

ROOT = Path(__file__).resolve().parents[2]
PEER = "giae==0.2.3"


@dataclass(frozen=True, slots=True)
class Run:
    """Figures of one run: seconds, and mebibytes of the largest process."""

    wall_s: float
    cpu_s: float
    peak_mib: float


class Failed(Exception):
    """A command ended with an error; the text is the last line that it printed."""


def measure(command: Sequence[str | Path], *, cache: Path, is_searched: bool = False) -> Run:
    """Run a command once in an empty folder.

    Args:
        command: Program and arguments.
        cache: The cache folder.
        is_searched: Whatever earlier runs found is searched again.

    Raises:
        Failed: the command ended with an error.
    """
    environment = os.environ | {"GENINT_CACHE_DIR": str(cache)}
    if is_searched:
        environment |= {"GENINT_CACHE_MB": "0"}
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as printed:
        started = time.monotonic()
        process = subprocess.Popen(
            [str(part) for part in command],
            cwd=folder,
            env=environment,
            stdout=printed,
            stderr=subprocess.STDOUT,
        )
        # wait4 gives what this child and its children used, unlike RUSAGE_CHILDREN,
        # whose peak would be that of any earlier run.
        _, status, usage = os.wait4(process.pid, 0)
        wall_s = time.monotonic() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        printed.seek(0)
        lines = printed.read().decode(errors="replace").strip().splitlines()
    if process.returncode:
        raise Failed(lines[-1] if lines else f"exit status {process.returncode}")
    return Run(wall_s, usage.ru_utime + usage.ru_stime, _mebibytes(usage))


def _mebibytes(usage: resource.struct_rusage) -> float:
    per_unit = 1 if sys.platform == "darwin" else 1024
    return usage.ru_maxrss * per_unit / 2**20


def median(runs: Sequence[Run]) -> Run:
    """Median of each figure."""
    return Run(
        statistics.median(run.wall_s for run in runs),
        statistics.median(run.cpu_s for run in runs),
        statistics.median(run.peak_mib for run in runs),
    )


def report(
    name: str,
    command: Sequence[str | Path],
    *,
    runs: int,
    cache: Path,
    is_searched: bool = False,
) -> Run | None:
    """Measure, print a line, return the medians; None where the command failed."""
    try:
        result = median(
            [measure(command, cache=cache, is_searched=is_searched) for _ in range(runs)]
        )
    except Failed as problem:
        print(f"{name:58s} failed: {problem}", flush=True)
        return None
    print(
        f"{name:58s} {result.wall_s:8.2f} s wall {result.cpu_s:8.2f} s CPU "
        f"{result.peak_mib:6.0f} MiB",
        flush=True,
    )
    return result


def install_peer() -> Path | None:
    """The peer's command, installed when it is not yet; None where that fails."""
    folder = ROOT / "build" / "peer"
    command = folder / "bin" / "giae"
    if command.exists():
        return command
    venv.create(folder, with_pip=True)
    installed = subprocess.run(
        [folder / "bin" / "pip", "install", "--quiet", PEER], capture_output=True, check=False
    )
    return command if installed.returncode == 0 and command.exists() else None


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3, help="runs of each short command")
    parser.add_argument("--long-runs", type=int, default=1, help="runs of each long command")
    parser.add_argument("--genomes", type=Path, default=ROOT.parent / "shared" / "data" / "genomes")
    parser.add_argument("--skip-peer", action="store_true")
    options = parser.parse_args()
    genint = Path(sys.executable).with_name("genint")
    fasta = ROOT / "examples" / "lambda.fasta"
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder)
        print(f"medians of {options.runs} runs (long ones: {options.long_runs})")
        interpret = (genint, "interpret")
        report("genint --version", (genint, "--version"), runs=options.runs, cache=cache)
        report("lambda FASTA, very first run", (*interpret, fasta), runs=1, cache=cache)
        print(f"profiles kept: {cache_info(cache).pressed.size_bytes / 1e6:.0f} MB")
        report("lambda FASTA, warm", (*interpret, fasta), runs=options.runs, cache=cache)
        report(
            "lambda FASTA, searched",
            (*interpret, fasta),
            runs=options.runs,
            cache=cache,
            is_searched=True,
        )
        peer = None if options.skip_peer else install_peer()
        if peer:
            offline = (peer, "interpret", "--mode", "offline")
            report(f"lambda FASTA, {PEER}", (*offline, fasta), runs=options.runs, cache=cache)
        real(options, interpret, peer, cache)


def real(
    options: argparse.Namespace, interpret: Sequence[str | Path], peer: Path | None, cache: Path
) -> None:
    """The runs that need real genomes."""
    annotated = options.genomes / "lambda_NC_001416.gb"
    bacterium = options.genomes / "E_coli_K12_MG1655_NC_000913.gbk.gz"
    if not annotated.exists() or not bacterium.exists():
        print(f"skipped: no real genomes in {options.genomes.name}")
        return
    report("lambda GenBank", (*interpret, annotated), runs=options.runs, cache=cache)
    one = report(
        "E. coli K-12 GenBank, searched, --workers 1",
        (*interpret, bacterium, "--workers", "1"),
        runs=options.long_runs,
        cache=cache,
        is_searched=True,
    )
    two = report(
        "E. coli K-12 GenBank, searched, --workers 2",
        (*interpret, bacterium, "--workers", "2"),
        runs=options.long_runs,
        cache=cache,
        is_searched=True,
    )
    if one and two:
        print(f"two workers are {one.wall_s / two.wall_s:.2f} times as fast as one")
    if peer:
        offline = (peer, "interpret", "--mode", "offline")
        report(f"lambda GenBank, {PEER}", (*offline, annotated), runs=options.runs, cache=cache)
        plain = cache / "bacterium.gb"
        plain.write_bytes(gzip.decompress(bacterium.read_bytes()))
        report(
            f"E. coli K-12 GenBank, {PEER}", (*offline, plain), runs=options.long_runs, cache=cache
        )


if __name__ == "__main__":
    main()
