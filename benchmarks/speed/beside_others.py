"""Time and memory beside Prokka and a plain ``hmmsearch``, in one run.

    python -m benchmarks.speed.beside_others [--genomes NAME ...] [--runs N] [--output FILE]
        [--without-hmmsearch]

For each genome, and for twelve phages together, from their bases alone, two processes each:

* ``genint interpret``, with the profiles indexed before and an empty cache of results; the twelve
  phages in one command;
* Prokka, with the same proteins to compare with as in ``benchmarks.accuracy``; it takes one genome
  at a time;
* ``hmmsearch --cut_ga`` of all profiles that genint ships, written as HMMER's text, against the
  proteins that genint predicts: what genint's search would cost without its prefilter. Not for the
  twelve phages; half a minute for a small phage, minutes for a bacterium.

Medians of the runs are written, of hmmsearch one run; the programs follow one another on each
genome, so that a noisy machine is noisy for all.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.accuracy.peers import PROKKA, prokka_database
from benchmarks.speed.many_genomes import PHAGES
from benchmarks.speed.measured import DATA, Failed, Run, apart, measure
from genint.knowledge import FamilyPack
from genint.model.vocabulary import GenomeKind
from genint.sources.profiles import ProfileDatabase

GENINT = Path(sys.executable).with_name("genint")
GENOMES = ("lambda_NC_001416.gb", "phageK_NC_005880.gbk", "S_pyogenes_M1_NC_002737.gb.gz")
BACTERIA_BP = 1_000_000
ALL_PROFILES = "all.hmm"
HMMSEARCH = "hmmsearch of all profiles"
OUTPUT = Path(__file__).with_name("beside_others.md")
HEADER = """# Time and memory beside Prokka and a plain hmmsearch

Written by `python -m benchmarks.speed.beside_others`, whose text says what was run. Two processes
each; medians of {runs} runs, of hmmsearch one; memory of the largest process. In brackets: how many
times genint's.
{left_out}
| genome | program | wall s | CPU s | memory MiB |
| --- | --- | ---: | ---: | ---: |
"""

Command = Sequence[str | Path]


def main() -> None:
    """Measure all, print rows as they come, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--genomes", nargs="+", default=GENOMES)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--without-hmmsearch", action="store_true")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of real data")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    options = parser.parse_args()
    rows: list[str] = []
    subjects = {name: (name,) for name in options.genomes} | {"12 phages": PHAGES}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        if not options.without_hmmsearch:
            apart(write_profiles, folder / ALL_PROFILES)
        for name, files in subjects.items():
            records = [options.data.resolve() / "genomes" / file for file in files]
            for row in rows_of(name, records, options.data.resolve(), folder, options.runs):
                print(row, flush=True)
                rows.append(row)
    left_out = "hmmsearch was left out.\n" if options.without_hmmsearch else ""
    text = HEADER.format(runs=options.runs, left_out=left_out) + "".join(f"{row}\n" for row in rows)
    options.output.write_text(text, encoding="utf-8")


def write_profiles(file: Path) -> None:
    """All profiles that ship, as HMMER reads them."""
    packs = [ProfileDatabase.shipped(), *(ProfileDatabase.of(pack.file) for pack in FamilyPack)]
    with file.open("wb") as stream:
        for pack in packs:
            for profile in pack.rebuild():
                profile.write(stream)


def rows_of(
    name: str, records: Sequence[Path], data: Path, folder: Path, runs: int
) -> Iterator[str]:
    """A row of the table for each program."""
    environment: Mapping[str, str | Path] = {"GENINT_CACHE_DIR": folder / "cache"}
    inputs = [_inputs(record, folder, environment) for record in records]
    found = {
        program: medians(
            commands, {**environment, "GENINT_CACHE_MB": "0"}, 1 if program == HMMSEARCH else runs
        )
        for program, commands in _commands(inputs, data, folder).items()
    }
    own = found["genint"]
    for program, run in found.items():
        if run is None or own is None:
            yield f"| {name} | {program} | not run | | |"
            continue
        wall, cpu = f"{run.wall_s:.1f}", f"{run.cpu_s:.1f}"
        if run is not own:
            wall += f" ({run.wall_s / own.wall_s:.1f})"
            cpu += f" ({run.cpu_s / own.cpu_s:.1f})"
        yield f"| {name} | {program} | {wall} | {cpu} | {run.peak_mib:.0f} |"


class _Inputs(NamedTuple):
    """What the programs get of a genome: its bases, and the proteins that genint predicts."""

    bases: Path
    proteins: Path


def _inputs(record: Path, folder: Path, environment: Mapping[str, str | Path]) -> _Inputs:
    """Made by genint, which makes its profiles ready too."""
    stem = record.name.partition(".")[0]
    files = _Inputs(folder / f"{stem}.fna", folder / f"{stem}.faa")
    for file in files:
        plain = ["--ignore-annotations", "--format", file.suffix[1:], "--force"]
        measure([GENINT, "interpret", record, *plain, "-o", file], environment)
    return files


def _commands(inputs: Sequence[_Inputs], data: Path, folder: Path) -> dict[str, list[Command]]:
    """What each program is started with, one after the other."""
    bases = [each.bases for each in inputs]
    is_phage = all(file.stat().st_size < BACTERIA_BP for file in bases)
    kind = GenomeKind.PHAGE if is_phage else GenomeKind.BACTERIUM
    output = folder / ("report.md" if len(bases) == 1 else "reports")
    prokka: Command = [
        *("prokka", "--kingdom", "Viruses" if is_phage else "Bacteria", "--cpus", "2"),
        *("--dbdir", prokka_database(kind, data, folder), "--quiet", "--force"),
        *("--outdir", folder / "prokka"),
    ]
    commands: dict[str, list[Command]] = {
        "genint": [[GENINT, "interpret", *bases, "-o", output, "--workers", "2", "--force"]],
        PROKKA: [[*prokka, file] for file in bases],
    }
    profiles = folder / ALL_PROFILES
    if len(inputs) == 1 and profiles.exists():
        search = ("hmmsearch", "--cut_ga", "--cpu", "2", "--noali", "-o", os.devnull)
        commands[HMMSEARCH] = [[*search, profiles, inputs[0].proteins]]
    return commands


def medians(
    commands: Sequence[Command], environment: Mapping[str, str | Path], runs: int
) -> Run | None:
    """Of each figure of all commands together; None where the program is not there or fails."""
    if shutil.which(str(commands[0][0])) is None:
        return None
    try:
        ended = [[measure(command, environment) for command in commands] for _ in range(runs)]
    except Failed as problem:
        print(f"{commands[0][0]}: {problem}", file=sys.stderr)
        return None
    return Run(
        statistics.median(sum(run.wall_s for run in several) for several in ended),
        statistics.median(sum(run.cpu_s for run in several) for several in ended),
        statistics.median(max(run.peak_mib for run in several) for several in ended),
        ended[-1][-1].said,
    )


if __name__ == "__main__":
    main()
