"""What every gene finder found in every genome, and the tables made of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from benchmarks.accuracy.usage import ProgramFailed
from benchmarks.genes.callers import Call, Caller, Found
from benchmarks.genes.figures import Figures, circle_of, compare_genome, true_spans
from benchmarks.genes.hidden import (
    SYMBOLS,
    Count,
    Kind,
    count_hidden,
    lost_genes,
    named_lost,
    wrong_calls,
)
from benchmarks.genes.panel import BACTERIA, MADE_WITH_A_FINDER, OTHERS, PANEL, Subject
from benchmarks.genes.tables import Table, listed, of, share

POOLS = (PANEL, OTHERS, BACTERIA)
_TARGETS = {"phiX174": 0.778, "lambda": 0.926, "T7": 0.920}
"""F1 of the system that genint follows, on the same records."""


@dataclass(frozen=True, slots=True)
class Result:
    """One gene finder on one genome."""

    subject: Subject
    caller: str
    found: Found
    figures: Figures


@dataclass(frozen=True, slots=True)
class Results:
    """All of them, and what was left out and why."""

    results: tuple[Result, ...]
    left_out: tuple[str, ...]

    @property
    def callers(self) -> tuple[str, ...]:
        """Names, in the order in which they ran."""
        return tuple(dict.fromkeys(result.caller for result in self.results))

    def of(self, caller: str, pool: str) -> list[Result]:
        """A caller's results on the genomes of a pool."""
        return [
            one for one in self.results if one.caller == caller and one.subject.listed.pool == pool
        ]


def measure(subjects: Iterable[Subject], callers: Sequence[Caller]) -> Results:
    """Run everything; what fails is left out with its reason."""
    results, left_out = [], []
    for subject in subjects:
        for caller in callers:
            try:
                found = caller.find(subject)
            except ProgramFailed as problem:
                left_out.append(f"{subject.name}, {caller.name}: left out, {problem}")
                continue
            figures = compare_genome(subject.annotated, found.spans)
            results.append(Result(subject, caller.name, found, figures))
    return Results(tuple(results), tuple(left_out))


def call_table(results: Results, notes: Sequence[str]) -> Table:
    """Recall, precision and F1 of every genome, then of the pools."""
    rows = [
        (result.subject.name, result.caller, *_cells(result.figures), f"{result.found.cpu_s:.2f}")
        for result in results.results
    ]
    for pool in POOLS:
        for caller in results.callers:
            some = results.of(caller, pool)
            rows += _pooled(pool, caller, some)
            others = [one for one in some if one.subject.name != MADE_WITH_A_FINDER]
            if len(others) < len(some):
                rows += _pooled(f"without {MADE_WITH_A_FINDER}", caller, others)
    columns = ("genome", "caller", "genes", "stops", "recall", "exact", "calls", "precision")
    title = "Genes found, annotation set aside"
    return Table(title, (*columns, "F1", "CPU s"), tuple(rows), tuple(notes))


def _pooled(title: str, caller: str, results: Sequence[Result]) -> list[tuple[str, ...]]:
    """The row of several genomes together; none where there are none."""
    if not results:
        return []
    figures = sum((one.figures for one in results), Figures())
    seconds = sum(one.found.cpu_s for one in results)
    return [(f"{title} ({len(results)})", caller, *_cells(figures), f"{seconds:.2f}")]


def _cells(figures: Figures) -> tuple[str, ...]:
    return (
        str(figures.genes),
        str(figures.stops),
        share(figures.stop_recall),
        share(figures.exact_recall),
        str(figures.calls),
        share(figures.precision),
        share(figures.f1),
    )


def cost_table(results: Results, base: str) -> Table:
    """Seconds of CPU, and how many times those of ``base``, by the middling genome."""
    rows = []
    for caller in results.callers:
        own = [one for one in results.results if one.caller == caller]
        base_s = {
            one.subject.name: one.found.cpu_s for one in results.results if one.caller == base
        }
        ratios = [
            one.found.cpu_s / base_s[one.subject.name] for one in own if one.subject.name in base_s
        ]
        of_lambda = [one.found.cpu_s for one in own if one.subject.name == "lambda"]
        rows.append(
            (
                caller,
                str(len(own)),
                f"{median(one.found.cpu_s for one in own):.2f}",
                f"{of_lambda[0]:.2f}" if of_lambda else "-",
                f"{median(ratios):.1f}" if ratios else "-",
            )
        )
    columns = ("caller", "genomes", "median CPU s", "lambda CPU s", f"times {base}, median")
    return Table("Cost", columns, tuple(rows), text_columns=1)


def hidden_table(results: Results) -> Table:
    """Genes that finders lose by design, of all genomes but the bacteria."""
    rows = []
    for caller in results.callers:
        own = [
            r for r in results.results if r.caller == caller and r.subject.listed.pool != BACTERIA
        ]
        counts = hidden_counts(own)
        cells = [of(counts[kind].called, counts[kind].genes) for kind in Kind]
        rows.append((caller, str(len(own)), *cells, str(counts[Kind.INTERNAL_START].told)))
    columns = ("caller", "genomes", *(kind.value for kind in Kind), "told as another start")
    notes = (
        "Annotated genes wholly inside another or short and overlapping; an internal start counts",
        "where it is a call of its own, or, beside, where it is told of as another start.",
    )
    return Table("Genes that finders lose", columns, tuple(rows), notes, text_columns=1)


def hidden_counts(results: Iterable[Result]) -> dict[Kind, Count]:
    """Genes of each kind, and how many were found, of several genomes together."""
    total = dict.fromkeys(Kind, Count())
    for one in results:
        found = count_hidden(one.subject.annotated, one.found.spans, one.found.starts)
        for kind, count in found.items():
            total[kind] = Count(*(a + b for a, b in zip(total[kind], count, strict=True)))
    return total


def rescue_table(results: Results) -> Table:
    """Genes that were added to what the finder underneath calls, right and wrong."""
    rows = []
    for caller in results.callers:
        for pool in POOLS:
            rescued = [rescue for one in results.of(caller, pool) for rescue in _rescued(one)]
            if not rescued:
                continue
            right = sum(is_right for _, is_right in rescued)
            told = [call.probability for call, _ in rescued if call.probability is not None]
            expected = f"{sum(told):.1f} of {len(told)}" if told else "-"
            rows.append((pool, caller, str(len(rescued)), str(right), expected))
    columns = ("genomes", "caller", "rescued", "annotated", "sum of their probabilities")
    notes = (
        "An internal start is right where a gene of its own is annotated with that start. What is",
        "not annotated may be a gene all the same: see decoys for what is certainly none.",
    )
    return Table("Rescued genes", columns, tuple(rows), notes)


def _rescued(result: Result) -> Iterator[tuple[Call, bool]]:
    """Rescued genes, and whether they are annotated."""
    for contig, calls in zip(result.subject.annotated.contigs, result.found.calls, strict=True):
        circle_bp = circle_of(contig)
        genes = true_spans(contig)
        stops = {gene.stop(circle_bp) for gene in genes}
        exact = {(gene.stop(circle_bp), len(gene.interval)) for gene in genes}
        for call in calls:
            if call.rescued:
                stop = call.span.stop(circle_bp)
                is_exact = (stop, len(call.span.interval)) in exact
                yield call, is_exact if call.internal else stop in stops


def named_table(results: Results) -> Table:
    """Which of the genes that are told by name are lost."""
    rows = tuple(
        (
            one.subject.name,
            one.caller,
            listed(
                named_lost(
                    one.subject.name, one.subject.annotated, one.found.spans, one.found.starts
                )
            ),
        )
        for one in results.results
        if one.subject.name in _TARGETS and one.subject.name != "T7"
    )
    title = "Lost of lambda's Rz1, xis, nin genes, S', nu3, kil, orf28, orf206b; of A*, B, K, E"
    return Table(title, ("genome", "caller", "lost"), rows, text_columns=3)


def missed_table(results: Results, caller: str) -> Table:
    """Every gene that a caller lost and every call that is no annotated gene."""
    rows = []
    for one in results.results:
        if one.caller != caller or one.subject.listed.pool == BACTERIA:
            continue
        lost = lost_genes(one.subject.annotated, one.found.spans)
        names = (
            f"{SYMBOLS.get(gene.id, gene.symbol or gene.id)} {len(gene.span)}" for gene in lost
        )
        wrong = wrong_calls(one.subject.annotated, one.found.spans)
        places = (f"{w.interval.start + 1}..{w.interval.end}{w.strand.symbol}" for w in wrong)
        rows.append((one.subject.name, listed(names), listed(places)))
    columns = ("genome", "lost genes, bp", "calls without a gene")
    return Table(f"What {caller} loses and adds", columns, tuple(rows), text_columns=3)


def f1_targets(results: Results, caller: str) -> tuple[tuple[str, float, str], ...]:
    """F1 of single genomes beside that of the system that genint follows."""
    return tuple(
        (f"F1, {one.subject.name}", one.figures.f1, f">= {_TARGETS[one.subject.name]:.3f}")
        for one in results.results
        if one.caller == caller and one.subject.name in _TARGETS
    )
