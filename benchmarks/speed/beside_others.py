"""Time and memory beside Prokka and a plain ``hmmsearch``, in one run.

    python -m benchmarks.speed.beside_others [--genomes NAME ...] [--runs N] [--output FILE]

For each genome, from its bases alone, two processes each:

* ``genint interpret``, with the profiles indexed before and an empty cache of results;
* Prokka, with the same proteins to compare with as in ``benchmarks.accuracy``;
* ``hmmsearch --cut_ga`` of all profiles that genint ships, written as HMMER's text, against the
  proteins that genint predicts: what genint's search would cost without its prefilter.

Medians of the runs are written; the programs follow one another on each genome, so that a noisy
machine is noisy for all.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.accuracy.peers import PROKKA, prokka_database
from benchmarks.speed.measured import DATA, Failed, Run, apart, measure
from genint.knowledge import FamilyPack
from genint.model.vocabulary import GenomeKind
from genint.sources.profiles import ProfileDatabase

GENINT = Path(sys.executable).with_name("genint")
GENOMES = ("lambda_NC_001416.gb", "phageK_NC_005880.gbk", "S_pyogenes_M1_NC_002737.gb.gz")
BACTERIA_BP = 1_000_000
OUTPUT = Path(__file__).with_name("beside_others.md")
HEADER = """# Time and memory beside Prokka and a plain hmmsearch

Written by `python -m benchmarks.speed.beside_others`, whose text says what was run. Two processes
each; medians of {runs} runs; memory of the largest process. Times in brackets: of genint's.

| genome | program | wall s | CPU s | memory MiB |
| --- | --- | ---: | ---: | ---: |
"""


def main() -> None:
    """Measure all, print rows as they come, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--genomes", nargs="+", default=GENOMES)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of real data")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    options = parser.parse_args()
    rows: list[str] = []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        apart(write_profiles, folder / "all.hmm")
        for name in options.genomes:
            record = options.data.resolve() / "genomes" / name
            for row in rows_of(record, options.data.resolve(), folder, options.runs):
                print(row, flush=True)
                rows.append(row)
    text = HEADER.format(runs=options.runs) + "".join(f"{row}\n" for row in rows)
    options.output.write_text(text, encoding="utf-8")


def write_profiles(file: Path) -> None:
    """All profiles that ship, as HMMER reads them."""
    packs = [ProfileDatabase.shipped(), *(ProfileDatabase.of(pack.file) for pack in FamilyPack)]
    with file.open("wb") as stream:
        for pack in packs:
            for profile in pack.rebuild():
                profile.write(stream)


def rows_of(record: Path, data: Path, folder: Path, runs: int) -> list[str]:
    """A row of the table for each program."""
    environment: Mapping[str, str | Path] = {"GENINT_CACHE_DIR": folder / "cache"}
    plain = ["--ignore-annotations", "--format"]
    bases, proteins = folder / "genome.fna", folder / "proteins.faa"
    for form, file in (("fna", bases), ("faa", proteins)):  # makes profiles ready too
        measure([GENINT, "interpret", record, *plain, form, "-o", file], environment)
    searched = {**environment, "GENINT_CACHE_MB": "0"}
    is_phage = bases.stat().st_size < BACTERIA_BP
    kind = GenomeKind.PHAGE if is_phage else GenomeKind.BACTERIUM
    commands: dict[str, Sequence[str | Path]] = {
        "genint": [GENINT, "interpret", bases, "-o", folder / "report.md", "--workers", "2"],
        PROKKA: [
            *("prokka", "--kingdom", "Viruses" if is_phage else "Bacteria", "--cpus", "2"),
            *("--dbdir", prokka_database(kind, data, folder), "--quiet", "--force"),
            *("--outdir", folder / "prokka", bases),
        ],
        "hmmsearch of all profiles": [
            *("hmmsearch", "--cut_ga", "--cpu", "2", "--noali", "-o", os.devnull),
            *(folder / "all.hmm", proteins),
        ],
    }
    found = {name: medians(command, searched, runs) for name, command in commands.items()}
    own = found["genint"]
    rows = []
    for name, run in found.items():
        if run is None or own is None:
            rows.append(f"| {record.name} | {name} | not run | | |")
            continue
        wall, cpu = f"{run.wall_s:.1f}", f"{run.cpu_s:.1f}"
        if run is not own:
            wall += f" ({run.wall_s / own.wall_s:.1f})"
            cpu += f" ({run.cpu_s / own.cpu_s:.1f})"
        rows.append(f"| {record.name} | {name} | {wall} | {cpu} | {run.peak_mib:.0f} |")
    return rows


def medians(
    command: Sequence[str | Path], environment: Mapping[str, str | Path], runs: int
) -> Run | None:
    """Of each figure; None where the program is not there or fails."""
    if shutil.which(str(command[0])) is None:
        return None
    try:
        ended = [measure(command, environment) for _ in range(runs)]
    except Failed as problem:
        print(f"{command[0]}: {problem}", file=sys.stderr)
        return None
    return Run(
        statistics.median(run.wall_s for run in ended),
        statistics.median(run.cpu_s for run in ended),
        statistics.median(run.peak_mib for run in ended),
        ended[-1].said,
    )


if __name__ == "__main__":
    main()
