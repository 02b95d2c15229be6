"""Local mode with a Pfam-A of full size, beside HMMER's own program on the same profiles.

    python -m benchmarks.search.local_mode [--quick] [--data FOLDER] [--families N] [--work FOLDER]

3,130 real profiles are repeated to 24,000 (``pfam_tiles``), installed from a folder by
``genint db install``, and searched with the proteins of lambda and E. coli K-12. Printed
are wall and CPU seconds (of all processes) and the memory of the largest process, with one
and two workers; nothing is taken from the cache of results. A domain is found once for
each copy of its family, so there is more evidence to weigh than real data give. ``--quick``
takes a tenth of the families, and lambda alone. What was made stays in the work folder.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from benchmarks.search.pfam_tiles import read_profiles, write_mirror
from benchmarks.speed.measured import DATA, ROOT, Failed, Run, apart, report, verdict
from genint.formats import read_genome

PROFILES = "reference/pfam/pfam_merged_3130.h3m.gz"
FAMILIES, QUICK_FAMILIES = 24_000, 2_400
LEAST_SCALING = ">= 1.8"
"""Of a bacterium; most of the wall time of a phage is the start of processes."""
MOST_SELFTEST_S = "<= 10"
BACTERIUM = "E_coli_K12_MG1655_NC_000913"
GENINT = Path(sys.executable).with_name("genint")


class Bench(NamedTuple):
    """What is searched with what.

    Attributes:
        genomes: Name and GenBank file.
        binary: All profiles in HMMER's binary form.
        environment: Where databases and caches of the runs lie.
    """

    genomes: tuple[tuple[str, Path], ...]
    binary: Path
    environment: Mapping[str, str | Path]


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few families, lambda alone")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of real data")
    parser.add_argument("--families", type=int, help="how many to repeat the profiles to")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "local_mode")
    options = parser.parse_args()
    families = options.families or (QUICK_FAMILIES if options.quick else FAMILIES)
    options.data = options.data.resolve()
    genomes = [("lambda", options.data / "genomes" / "lambda_NC_001416.gb")]
    if not options.quick:
        genomes.append(("E. coli K-12", options.data / "genomes" / f"{BACTERIUM}.gbk.gz"))
    work = options.work.resolve() / str(families)  # runs have a current folder of their own
    try:
        bench = prepare(work, options.data / PROFILES, families, genomes)
        for name, file in bench.genomes:
            compare(bench, name, file)
    except Failed as problem:
        sys.exit(f"failed: {problem}")


def prepare(work: Path, profiles: Path, families: int, genomes: list[tuple[str, Path]]) -> Bench:
    """Make the release where it is not yet there, and install it."""
    mirror, binary = work / "mirror", work / "profiles.h3m"
    done = work / "made"
    if not done.exists():
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        apart(_write, profiles, families, mirror, binary)
        done.touch()
    environment: dict[str, str | Path] = {
        "GENINT_DATABASES_DIR": work / "databases",
        "GENINT_CACHE_DIR": work / "cache",
        "GENINT_CACHE_MB": "0",
    }
    install = (GENINT, "db", "install", "pfam", "--mirror", mirror)
    report(f"install {families:,} families (or see that they are there)", install, environment)
    small = ROOT / "examples" / "phiX174.gbk"
    report("phiX174, local (presses what ships)", _interpret(small, 1), environment)
    new = {**environment, "GENINT_CACHE_DIR": work / "new_cache"}
    shutil.rmtree(work / "new_cache", ignore_errors=True)
    for what in ("with an empty cache folder", "again"):
        run = report(f"genint selftest, {what}", (GENINT, "selftest"), new)
        verdict(f"genint selftest, {what}, s wall", run.wall_s, MOST_SELFTEST_S)
    return Bench(tuple(genomes), binary, environment)


def _write(profiles: Path, families: int, mirror: Path, binary: Path) -> None:
    write_mirror(read_profiles(profiles), families, mirror, binary)


def compare(bench: Bench, name: str, file: Path) -> None:
    """One genome with one worker, with two, and with hmmsearch."""
    runs = [
        report(f"{name}, --workers {workers}", _interpret(file, workers), bench.environment)
        for workers in (1, 2)
    ]
    peer = _hmmsearch(bench, name, file)
    gate = LEAST_SCALING if file.name.startswith(BACTERIUM) else ""
    verdict(f"{name}: two workers against one, wall", runs[0].wall_s / runs[1].wall_s, gate)
    if peer is not None:
        share = runs[0].cpu_s / peer.cpu_s
        print(f"{name}: genint takes {share:.2f} of the CPU of hmmsearch for all that it does")


def _interpret(file: Path, workers: int) -> tuple[str | Path, ...]:
    options = ("--mode", "local", "--workers", str(workers), "--format", "json", "-o", "out.json")
    return (GENINT, "interpret", file, *options)


def _hmmsearch(bench: Bench, name: str, file: Path) -> Run | None:
    """The same proteins and profiles; None where the program is not there."""
    program = shutil.which("hmmsearch")
    if program is None:
        print("hmmsearch is not installed")
        return None
    proteins = bench.binary.with_name(f"{file.name}.faa")
    apart(_write_proteins, file, proteins)
    options = ("--cut_ga", "--cpu", "1", "--noali", "-o", "/dev/null", "--tblout", "hits.tsv")
    command = (program, *options, bench.binary, proteins)
    return report(f"{name}, hmmsearch --cut_ga --cpu 1", command, {})


def _write_proteins(genome: Path, file: Path) -> None:
    genes = (gene for gene in read_genome(genome).genes if gene.protein)
    file.write_text("".join(f">{gene.id}\n{gene.protein.replace('*', 'X')}\n" for gene in genes))


if __name__ == "__main__":
    main()
