"""Starts inside genes, in their own frame."""

from __future__ import annotations

from dataclasses import replace

from genint.genes import (
    NO_STARTS,
    ContigFrames,
    InternalStart,
    PlacedFrame,
    Starts,
    call_genes,
    internal_starts,
    measure_internal_starts,
)
from genint.knowledge import load_rescue
from genint.model import CallScores, Genome, Interval, StartPlace, Strand

CALL = PlacedFrame(Interval(0, 600), Strand.FORWARD, CallScores(9.0, 9.0, 5.0, "ATG", None, 0.9))


def starts(*rows: tuple[int, int, float]) -> Starts:
    return Starts.of(
        (start, end, 1, score, 0.0, score, "ATG", None, None, 0.0, 0.0, 0.0)
        for start, end, score in rows
    )


def contig(calls: list[PlacedFrame], rows: Starts) -> ContigFrames:
    return ContigFrames("A" * 900, 11, circle=False, bacterium=False, calls=calls, starts=rows)


def told(calls: list[PlacedFrame], rows: Starts) -> tuple[InternalStart, ...]:
    (found,) = internal_starts([contig(calls, rows)], load_rescue())
    return found


def test_only_starts_with_the_stop_of_a_call_and_behind_its_own_are_inside() -> None:
    rows = starts((0, 600, 5.0), (150, 600, 17.0), (150, 597, 17.0), (570, 600, 17.0))
    found = measure_internal_starts([contig([CALL], rows)])
    assert found.starts.start.tolist() == [150]
    assert found.share.tolist() == [0.75]
    assert found.columns["strong"].tolist() == [1.0]


def test_a_weak_start_or_a_short_product_is_not_strong() -> None:
    found = measure_internal_starts([contig([CALL], starts((150, 600, 15.9), (330, 600, 17.0)))])
    assert found.columns["strong"].tolist() == [0.0, 0.0]


def test_without_calls_or_starts_there_is_nothing() -> None:
    assert told([], starts((0, 600, 20.0))) == ()
    assert told([CALL], NO_STARTS) == ()


def test_at_most_two_starts_of_a_gene_are_told() -> None:
    rows = starts(*((at, 600, 18.0) for at in range(30, 300, 30)))
    assert len(told([CALL], rows)) == 2


def test_unlikely_starts_are_told_only_beside_the_own_start_of_a_gene() -> None:
    rows = starts((12, 600, -5.0), (450, 600, -5.0))
    (near,) = told([CALL], rows)
    assert (near.frame.interval.start, near.place, near.is_strong) == (12, StartPlace.DUAL, False)


def test_a_star_of_phix174_is_found_on_the_circle_and_nu3_of_lambda_is_not_claimed(
    phix174: Genome, lambda_phage: Genome
) -> None:
    hidden = replace(phix174, contigs=tuple(replace(c, genes=()) for c in phix174.contigs))
    found = call_genes(hidden, phage=True).contigs[0].candidates
    assert (4497, 136) in {one.gene.span.one_based(5386) for one in found}
    spans = {c.gene.span.one_based(48502) for c in call_genes(lambda_phage).contigs[0].candidates}
    assert (5132, 5737) not in spans


def test_the_best_atg_in_the_middle_of_a_gene_is_looked_at() -> None:
    rows = starts((300, 600, -3.0), (330, 600, -1.0), (360, 600, -5.0))
    (middle,) = told([CALL], rows)
    assert (middle.frame.interval.start, middle.place) == (330, StartPlace.LATE)
