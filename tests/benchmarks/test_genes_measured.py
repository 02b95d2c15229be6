"""What finders found becomes figures, rescued genes and what was left out."""

from __future__ import annotations

from benchmarks.accuracy.usage import ProgramFailed
from benchmarks.genes.callers import Call, Caller, Found
from benchmarks.genes.figures import Span
from benchmarks.genes.measured import call_table, cost_table, measure, missed_table, rescue_table
from benchmarks.genes.panel import Subject
from genint.model import Interval, Strand
from tests.benchmarks.genes_examples import made_contig, made_gene, made_subject

SUBJECT = made_subject(
    made_contig(
        2000, made_gene("A", 100, 700), made_gene("A*", 400, 700), made_gene("b", 900, 1200)
    )
)


def call(start: int, end: int, *, internal: bool = False, probability: float | None = None) -> Call:
    rescued = probability is not None
    return Call(Span(Interval(start, end), Strand.FORWARD), rescued, internal, probability)


def finding(seconds: float, *calls: Call) -> Caller:
    return Caller(f"finder {seconds:g}", lambda _: Found((calls,), ((),), seconds), "")


def test_a_finder_that_fails_is_left_out_with_its_reason() -> None:
    def fail(_: Subject) -> Found:
        raise ProgramFailed("not installed")

    results = measure([SUBJECT], [Caller("gone", fail, ""), finding(1.0, call(100, 700))])
    assert results.left_out == ("made, gone: left out, not installed",)
    assert results.callers == ("finder 1",)


def test_every_genome_and_every_pool_has_its_row() -> None:
    table = call_table(measure([SUBJECT], [finding(1.0, call(100, 700), call(1300, 1600))]), ())
    row, pool = table.rows
    assert row == ("made", "finder 1", "3", "2", "0.667", "0.333", "2", "0.500", "0.400", "1.00")
    assert (pool[0], pool[2:]) == ("12 phages (1)", row[2:])


def test_cost_is_told_as_times_the_base() -> None:
    results = measure([SUBJECT], [finding(0.5), finding(2.0)])
    assert [row[-1] for row in cost_table(results, "finder 0.5").rows] == ["1.0", "4.0"]


def test_rescued_genes_are_right_by_stop_and_internal_starts_by_start() -> None:
    calls = (
        call(100, 700),
        call(960, 1200, probability=0.9),
        call(400, 700, internal=True, probability=0.7),
        call(430, 700, internal=True, probability=0.6),
        call(1500, 1800, probability=0.5),
    )
    (row,) = rescue_table(measure([SUBJECT], [finding(1.0, *calls)])).rows
    assert row == ("12 phages", "finder 1", "4", "2", "2.7 of 4")


def test_lost_genes_and_calls_without_a_gene_are_named() -> None:
    table = missed_table(
        measure([SUBJECT], [finding(1.0, call(100, 700), call(1300, 1600))]), "finder 1"
    )
    assert table.rows == (("made", "b 300", "1301..1600+"),)
