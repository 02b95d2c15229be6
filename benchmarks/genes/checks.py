"""Rotations and decoys of the bench of genes, and the figures that are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from benchmarks.genes.callers import Caller
from benchmarks.genes.decoys import (
    Decoy,
    FalseCount,
    count_false,
    reversed_genome,
    shuffled_genome,
)
from benchmarks.genes.figures import Figures
from benchmarks.genes.hidden import Kind
from benchmarks.genes.measured import Results, f1_targets, hidden_counts
from benchmarks.genes.panel import PANEL, Subject
from benchmarks.genes.rotation import SHAPES, Rotations, rotations
from benchmarks.genes.tables import Table, of

ROTATION_STEP_BP = 54
QUICK_ROTATION_STEP_BP = 540
SHUFFLED = "codon-shuffled"
REVERSED = "reversed"


def rotation_figures(
    subject: Subject, callers: Sequence[Caller], *, quick: bool
) -> dict[tuple[str, str], Rotations]:
    """Figures of one circle from bases all around, by caller and shape."""
    step_bp = QUICK_ROTATION_STEP_BP if quick else ROTATION_STEP_BP
    starts = range(0, subject.bare.length_bp, step_bp)
    return {
        (caller.name, word): rotations(subject, caller, shape, starts)
        for caller in callers
        for word, shape in SHAPES.items()
    }


def rotation_table(figures: dict[tuple[str, str], Rotations]) -> Table:
    """Genes and false calls of phiX174 from every base."""
    rows = tuple(
        (
            caller,
            shape,
            str(len(one.figures)),
            of(one.least_found, one.genes),
            f"{one.median_found:g}",
            f"{one.median_exact:g}",
            str(one.most_false),
            f"{one.median_false:g}",
        )
        for (caller, shape), one in figures.items()
    )
    columns = ("caller", "input", "rotations", "least found", "median", "exact, median")
    notes = (
        "Genes by stop codon (A and A* share one) and calls that are no gene. A file that says",
        "that a circle is a line is believed: the gene at its ends is then in two halves.",
    )
    title = "phiX174 from any base"
    return Table(title, (*columns, "most false", "false, median"), rows, notes)


def decoy_counts(
    subjects: Iterable[Subject], callers: Sequence[Caller], seeds: int
) -> dict[tuple[str, str], dict[str, FalseCount]]:
    """Rescues of decoys by caller and kind of decoy, then by genome."""
    counts: dict[tuple[str, str], dict[str, FalseCount]] = {}
    for subject in subjects:
        decoys: list[tuple[str, Decoy]] = [
            (SHUFFLED, shuffled_genome(subject, seed)) for seed in range(seeds)
        ]
        decoys.append((REVERSED, reversed_genome(subject)))
        for kind, decoy in decoys:
            for caller in callers:
                own = counts.setdefault((caller.name, kind), {})
                count = count_false(decoy, caller.find(decoy.subject))
                own[subject.name] = own.get(subject.name, FalseCount()) + count
    return counts


def decoy_table(counts: dict[tuple[str, str], dict[str, FalseCount]], seeds: int) -> Table:
    """False rescues of decoys, of all genomes together and of the worst one."""
    rows = []
    for (caller, kind), own in sorted(counts.items(), key=lambda item: item[0][1]):
        total = sum(own.values(), FalseCount())
        worst = max(own, key=lambda name: own[name].per_50_kb)
        rows.append(
            (
                kind,
                caller,
                f"{total.length_bp / 1e6:.2f}",
                str(total.false),
                f"{total.per_50_kb:.2f}",
                f"{worst} {own[worst].per_50_kb:.2f}",
                str(total.true),
                f"{(total.calls - total.false - total.true) * 50_000 / total.length_bp:.1f}",
            )
        )
    columns = (
        *("decoy", "caller", "Mb", "false rescues", "per 50 kb", "worst genome"),
        *("true rescues", "other calls per 50 kb"),
    )
    notes = (
        f"Codons of each gene in another order ({seeds} seeds), or all bases from last to first:",
        "rescued frames are false by construction, but for genes that a shuffled genome keeps.",
    )
    return Table("Decoys", columns, tuple(rows), notes)


def target_table(
    results: Results,
    caller: str,
    turned: dict[tuple[str, str], Rotations],
    counts: dict[tuple[str, str], dict[str, FalseCount]],
) -> Table:
    """What is asked for, and whether it is met."""
    rows = [*_recall_targets(results, caller), *f1_targets(results, caller)]
    for shape in ("circular", "file does not say"):
        one = turned.get((caller, shape))
        if one is not None:
            rows.append((f"phiX174 genes from the worst base, {shape}", one.least_found, ">= 11"))
            rows.append((f"phiX174 false calls, worst base, {shape}", one.most_false, "<= 1"))
    for kind in (SHUFFLED, REVERSED):
        if (caller, kind) in counts:
            total = sum(counts[caller, kind].values(), FalseCount())
            rows.append((f"false rescues per 50 kb, {kind}", total.per_50_kb, "<= 0.5"))
    cells = tuple((what, f"{value:.3f}", gate, _judged(value, gate)) for what, value, gate in rows)
    return Table(f"Asked of {caller}", ("figure", "measured", "asked for", ""), cells)


def _recall_targets(results: Results, caller: str) -> list[tuple[str, float, str]]:
    own = results.of(caller, PANEL)
    figures = sum((one.figures for one in own), Figures())
    nested = hidden_counts(own)[Kind.NESTED]
    seconds = [one.found.cpu_s for one in own if one.subject.name == "lambda"]
    return [
        ("stop recall, phages", figures.stop_recall, ">= 0.955"),
        ("precision, phages", figures.precision, ">= 0.960"),
        ("nested genes of one strand found", nested.called / max(1, nested.genes), ">= 0.400"),
        *(("CPU s, lambda", value, "<= 0.3") for value in seconds),
    ]


def _judged(value: float, gate: str) -> str:
    sign, limit = gate.split()
    met = value <= float(limit) if sign == "<=" else value >= float(limit)
    return "met" if met else "MISSED"
