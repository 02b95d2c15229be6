"""Gene finding measured against annotated genomes, beside other gene finders, and on decoys.

    python -m benchmarks.genes [--quick] [--bacteria] [--skip-peers] [--skip-families]
                               [--parameters FOLDER] [--families FOLDER] [--missed]
                               [--markdown] [--seeds N] [--limit-s N]
                               [--genomes FOLDER] [--work FOLDER]

For every genome the annotation is put aside: sequence and shape are all that finders get.
Side by side: pyrodigal in meta mode, pyrodigal-gv, PHANOTATE, the ``giae`` package, genint,
and genint with ``--phage``, by statistics alone and with families.

* stop recall: annotated genes whose stop codon is that of a call; exact: the start is right too;
* precision: calls whose stop codon is that of an annotated gene;
* F1: of calls and genes that cover one another by at least half, one to one.

Pseudogenes count neither way. Then genes that finders lose by design (genes_hidden.py), phiX174
opened at any base (genes_rotation.py), rescued frames in decoys (genes_decoys.py). PHANOTATE and
giae run in environments of their own below ``build/`` (genes_peers.py); their seconds count the
start of the program too, and of giae the names that it gives. What peers found is kept.

``--parameters`` has a file for every group of near relatives (``python -m training.genes --work
FOLDER`` makes them): each genome is measured with parameters that were fitted without its group.
``--families`` is a folder of builds of families that each hide the groups of one fold.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.genes.callers import Caller, pyrodigal_caller, viral_caller
from benchmarks.genes.checks import (
    decoy_counts,
    decoy_table,
    rotation_figures,
    rotation_table,
    target_table,
)
from benchmarks.genes.genint_runs import HeldOut, family_callers, genint_callers
from benchmarks.genes.measured import (
    call_table,
    cost_table,
    hidden_table,
    measure,
    missed_table,
    named_table,
    rescue_table,
)
from benchmarks.genes.panel import BACTERIA, Listed, Subject, chosen, missing, read
from benchmarks.genes.peers import peer_callers, peers
from benchmarks.genes.tables import Table, as_markdown, as_text
from benchmarks.speed.measured import DATA, ROOT

JUDGED = "genint --phage"


def tables(
    subjects: Sequence[Subject], options: argparse.Namespace, cache: Path
) -> Iterator[Table]:
    """All tables, each as soon as it is there."""
    held_out = HeldOut(options.parameters, options.families)
    own = genint_callers(held_out)
    plain = (pyrodigal_caller(), viral_caller())
    wanted = () if options.skip_peers else peers()
    others, left_out = peer_callers(wanted, options.work, limit_s=options.limit_s)
    families = () if options.skip_families else family_callers(held_out, cache)
    callers: tuple[Caller, ...] = (*plain, *others, *own, *families)
    small = min(subjects, key=lambda subject: subject.bare.length_bp)
    for caller in (*plain, *own):
        caller.find(small)  # imports are not what is measured
    results = measure(subjects, callers)
    for line in (*left_out, *results.left_out):
        print(line, file=sys.stderr)
    notes = (held_out.regime, *(f"{c.name}: {c.note}" for c in callers if c.note))
    yield call_table(results, notes)
    yield cost_table(results, plain[0].name)
    yield hidden_table(results)
    yield rescue_table(results)
    yield named_table(results)
    if options.missed:
        yield missed_table(results, JUDGED)
    circle = next(subject for subject in subjects if subject.name == "phiX174")
    turned = rotation_figures(circle, (plain[0], *own), quick=options.quick)
    yield rotation_table(turned)
    counts = decoy_counts(_phages(subjects), own, options.seeds)
    yield decoy_table(counts, options.seeds)
    yield target_table(results, JUDGED, turned, counts)


def _phages(subjects: Sequence[Subject]) -> list[Subject]:
    return [subject for subject in subjects if subject.listed.pool != BACTERIA]


def _lacking(wanted: Sequence[Listed], options: argparse.Namespace) -> str | None:
    """What the bench cannot do without, in one line."""
    absent = missing(wanted, options.genomes)
    if absent:
        return f"genomes are missing in {options.genomes}: {', '.join(absent)}"
    held_out = HeldOut(options.parameters, options.families)
    unmade = {str(path) for one in wanted for path in held_out.missing(one)}
    return f"not made: {', '.join(sorted(unmade))}" if unmade else None


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--quick", action="store_true", help="four phages, ten rotations, one seed")
    add("--bacteria", action="store_true", help="three bacteria too (minutes)")
    add("--skip-peers", action="store_true", help="no PHANOTATE, no giae")
    add("--skip-families", action="store_true", help="statistics alone")
    add("--parameters", type=Path, help="folder of <group>.toml, fitted without the group")
    add("--families", type=Path, help="folder of families built without the groups, by fold")
    add("--missed", action="store_true", help="list lost genes and calls without a gene")
    add("--markdown", action="store_true", help="tables as Markdown")
    add("--seeds", type=int, default=3, help="codon-shuffled genomes of each genome")
    add("--limit-s", type=float, default=600, help="seconds for a peer and a genome")
    add("--genomes", type=Path, default=DATA / "genomes", help="folder of annotated genomes")
    add("--work", type=Path, default=ROOT / "build" / "genes", help="what peers found")
    options = parser.parse_args()
    if options.quick:
        options.seeds, options.skip_families = 1, True
    return options


def main() -> int:
    """Print the tables; 1 where data are missing."""
    options = _options()
    wanted = chosen(bacteria=options.bacteria, quick=options.quick)
    lacking = _lacking(wanted, options)
    if lacking:
        print(lacking, file=sys.stderr)
        return 1
    shown = as_markdown if options.markdown else as_text
    subjects = tuple(read(wanted, options.genomes))
    with tempfile.TemporaryDirectory() as cache:
        for table in tables(subjects, options, Path(cache)):
            print(shown(table), end="\n\n", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
