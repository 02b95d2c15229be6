"""Are the names right? Annotated genomes with their annotation hidden, under several programs.

    python -m benchmarks.accuracy [--genomes NAME ...] [--modes offline local]
                                  [--regimes novel shipped] [--skip-peers] [--quick]
                                  [--data FOLDER] [--work FOLDER] [--families-work FOLDER]
                                  [--parameters FOLDER] [--output FOLDER]

For every genome the record is the truth and the programs get its bases alone, as FASTA.

* genint in two regimes (see regimes.py): *novel*, with families and a reference that
  know nothing of the genome and its near relatives, and *shipped*. Scores in the novel regime
  are of parameters that were fitted without the genome's group, where those are there.
* giae and Prokka: see peers.py. Their knowledge of near relatives is left to them.

A gene of the record counts as found where a program calls one with the same stop codon and
strand. A name counts as right where the judge of names (genint/knowledge/name_judge.py) says
that it is the record's, in these words (strict) or others. A record that says nothing of a
gene (hypothetical protein, a symbol alone, a domain alone) is never judged. What counts for
the whole protein and for less is told in training/blind/truth.py, each figure in
tables.py.

S. pyogenes and M. mycoides records were named by pipelines, so their figures are agreement
rather than truth.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.accuracy.bench import MODES, PEERS, Bench, Task, Wanted, make_bench
from benchmarks.accuracy.diagram import write_diagram
from benchmarks.accuracy.genomes import COG_JUDGE, SHOWN, listed_genomes
from benchmarks.accuracy.markdown import as_markdown
from benchmarks.accuracy.regimes import Regime
from benchmarks.accuracy.results import ALL, Contender, Result, pooled
from benchmarks.accuracy.tables import worst_first, write_figures, write_genes, write_wrong
from benchmarks.accuracy.usage import ProgramFailed
from genint.model.vocabulary import GenomeKind
from training.blind.builds import ROOT
from training.confidence.hiding import Folders


def measure(bench: Bench, jobs: int) -> tuple[list[Result], list[str]]:
    """Run everything, the longest genomes first.

    Args:
        bench: Made ready.
        jobs: How many programs run at a time; their seconds of CPU are their own.

    Returns:
        Results in the order of the genomes asked for, and what failed.
    """
    tasks = bench.tasks()
    failed: list[str] = []

    def run(task: Task) -> Result | None:
        what = f"{task.genome}: {task.contender.label}"
        try:
            result = bench.run(task)
        except ProgramFailed as problem:
            failed.append(f"{what} is left out: {problem}")
            print(failed[-1], flush=True)
            return None
        usage = result.usage
        kept = ", in an earlier run" if result.kept else ""
        print(f"{what}: {usage.cpu_s:.1f} s CPU, {usage.peak_mib:.0f} MiB{kept}", flush=True)
        return result

    longest_first = sorted(tasks, key=bench.size_bp, reverse=True)
    with ThreadPoolExecutor(jobs) as executor:
        found = dict(zip(longest_first, executor.map(run, longest_first), strict=True))
    return [result for task in tasks if (result := found[task]) is not None], failed


def report(
    results: Sequence[Result],
    failed: Iterable[str],
    contenders: Sequence[Contender],
    options: argparse.Namespace,
) -> None:
    """Print and write tables, diagrams and lists."""
    output: Path = options.output
    output.mkdir(parents=True, exist_ok=True)
    pools = pooled(results)
    markdown = as_markdown(results, pools, contenders)
    markdown += "".join(f"\n{text}\n" for text in failed)
    (output / "accuracy.md").write_text(markdown, encoding="utf-8")
    write_figures([*results, *pools], output / "accuracy.tsv")
    write_genes(results, output / "genes.tsv")
    write_wrong(results, output / "wrong_names.tsv")
    for regime in Regime:
        write_reliability(pools, regime, output / f"reliability_{regime}.svg")
    print(f"\n{markdown}")
    print_worst(pools, options.wrong)
    print(f"\nwritten to {output}: " + ", ".join(sorted(path.name for path in output.iterdir())))


def write_reliability(pools: Iterable[Result], regime: Regime, path: Path) -> None:
    """The diagram of a regime, where genint was run in it and scored anything."""
    scored = [
        pool
        for pool in pools
        if pool.contender.mode
        and pool.contender.regime == regime
        and pool.genome == ALL
        and pool.names.error is not None
    ]
    if scored:
        write_diagram(scored, f"Scores against what was right, regime {regime}", path)


def print_worst(pools: Iterable[Result], most: int) -> None:
    """The wrong names that genint was surest of."""
    for pool in pools:
        if pool.genome != ALL or not pool.contender.mode:
            continue
        rows = worst_first(pool.rows)
        print(f"\nwrong names of {pool.contender.label}: {len(rows)}; the surest {most}")
        for row in rows[:most]:
            if row.told is not None:
                score = f"{row.told.score or 0:.3f} {row.told.level}"
                told = f"{row.told.name} <- {row.gene.product}"
                print(f"  {score:<18}{row.genome} {row.gene.id}: {told}")


def wanted_of(options: argparse.Namespace) -> Wanted:
    """What the command asks for."""
    names = options.genomes
    if names is None:
        listed = listed_genomes()
        phages = [name for name in SHOWN if listed[name].kind is GenomeKind.PHAGE]
        judging = [name for name, one in listed.items() if one.only_judges]
        names = phages if options.quick else [*SHOWN, *judging, COG_JUDGE]
    return Wanted(
        genomes=tuple(dict.fromkeys(names)),
        modes=tuple(options.modes),
        regimes=tuple(map(Regime, options.regimes)),
        peers=() if options.skip_peers else PEERS,
        folders=Folders(options.data, options.work, options.families_work),
        parameters=options.parameters,
        may_build=not options.no_builds,
    )


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Options of the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    choices = [*listed_genomes(), COG_JUDGE]
    add = parser.add_argument
    add("--genomes", nargs="+", choices=choices, metavar="NAME", help=", ".join(choices))
    add("--quick", action="store_true", help="phages alone")
    add("--modes", nargs="+", choices=MODES, default=list(MODES))
    add("--regimes", nargs="+", choices=list(map(str, Regime)), default=list(map(str, Regime)))
    add("--skip-peers", action="store_true", help="genint alone")
    add("--data", type=Path, default=ROOT.parent / "shared" / "data")
    add("--work", type=Path, default=ROOT / "build" / "confidence", help="of the fit: builds")
    add("--families-work", type=Path, default=ROOT / "build" / "families")
    add(
        "--parameters",
        type=Path,
        help="folder of parameters fitted without each group, for both regimes"
        " (default: those of the work folder, for the novel regime alone)",
    )
    add(
        "--no-builds",
        action="store_true",
        help="build no families: take builds that hide the same, even of older sources",
    )
    add("--output", type=Path, default=ROOT / "build" / "accuracy")
    add("--jobs", type=int, default=os.cpu_count() or 1, help="programs at a time")
    add("--wrong", type=int, default=20, help="how many wrong names to print; all are written")
    return parser.parse_args(arguments)


def main() -> int:
    """Measure; 1 where the data folder is missing or a program failed."""
    options = parse()
    if not (options.data / "genomes").is_dir():
        print(f"no such folder: {options.data}", file=sys.stderr)
        return 1
    for name in ("data", "work", "families_work", "output"):  # children run in another folder
        setattr(options, name, getattr(options, name).resolve())
    started = time.monotonic()
    bench = make_bench(wanted_of(options))
    ready = time.monotonic()
    print(f"made ready in {ready - started:.0f} s", flush=True)
    results, failed = measure(bench, options.jobs)
    report(results, failed, bench.wanted.contenders, options)
    print(f"{time.monotonic() - ready:.0f} s of runs, {time.monotonic() - started:.0f} s in all")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
