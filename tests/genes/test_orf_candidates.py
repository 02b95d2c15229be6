"""Frames that the finder leaves out, as candidates."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from genint.genes import (
    NO_STARTS,
    ContigFrames,
    FrameClass,
    PlacedFrame,
    Proposal,
    Starts,
    best_starts,
    call_genes,
    measure_frames,
    propose,
    search_genome,
)
from genint.genes.calling import ChosenSearch
from genint.knowledge import RescueParameters, load_rescue
from genint.model import CallScores, Genome, Interval, RescueKind, Strand


def placed(start: int, end: int) -> PlacedFrame:
    return PlacedFrame(
        Interval(start, end), Strand.FORWARD, CallScores(9.0, 9.0, 9.0, "ATG", None, 0.9)
    )


def starts(*spans: tuple[int, int, float]) -> Starts:
    return Starts.of(
        (start, end, 1, score, 0.0, score, "ATG", None, None, score, 0.0, 0.0)
        for start, end, score in spans
    )


def open_frame(length_bp: int) -> str:
    """A stop codon every 60 bases in one frame, none in the others."""
    return ("C" * 57 + "TAA") * (length_bp // 60)


@pytest.fixture
def everything() -> RescueParameters:
    """Parameters by which every frame is worth a search."""
    return replace(load_rescue(), least=1e-12)


def ground(
    bases: str, calls: list[PlacedFrame], rows: Starts, *, circle: bool = False
) -> ContigFrames:
    return ContigFrames(bases, 11, circle=circle, bacterium=False, calls=calls, starts=rows)


def proposed(contig: ContigFrames, parameters: RescueParameters) -> tuple[Proposal, ...]:
    (found,) = propose([contig], parameters, nested=True)
    return found


def test_at_most_nine_candidates_a_gap_and_the_most_probable_first(
    everything: RescueParameters,
) -> None:
    bases = open_frame(1200)
    rows = starts(*((at, at + 60, at / 60 - 5) for at in range(0, 1200, 60)))
    proposals = proposed(ground(bases, [placed(0, 1201)], rows), everything)
    assert sorted(p.rank for p in proposals) == list(range(1, 10))
    (first,) = (p for p in proposals if p.rank == 1)
    assert first.frame.interval == Interval(1140, 1200)


def test_frames_without_a_stop_codon_are_no_candidates(everything: RescueParameters) -> None:
    bases = open_frame(600)
    calls = [placed(0, 200)]
    assert proposed(ground(bases, calls, starts((0, 63, 9.0))), everything) == ()
    assert len(proposed(ground(bases, calls, starts((0, 60, 9.0))), everything)) == 1
    assert proposed(ground(bases, calls, NO_STARTS), everything) == ()


def test_one_start_for_every_stop_and_none_for_stops_of_base_calls(
    everything: RescueParameters,
) -> None:
    bases = open_frame(600)
    calls = [placed(0, 240)]
    rows = starts((90, 180, 2.0), (60, 180, 9.0), (30, 180, 1.0))
    (found,) = proposed(ground(bases, calls, rows), everything)
    assert found.frame.interval == Interval(60, 180)
    assert proposed(ground(bases, calls, starts((60, 240, 9.0))), everything) == ()


def test_a_host_over_the_origin_is_seen_from_both_sides(everything: RescueParameters) -> None:
    bases = open_frame(600)
    host = placed(500, 700)
    (behind,) = proposed(ground(bases, [host], starts((0, 60, 9.0)), circle=True), everything)
    (before,) = proposed(ground(bases, [host], starts((540, 600, 9.0)), circle=True), everything)
    assert (behind.host_overlap, behind.gap, behind.kind) == (1.0, -1, RescueKind.NESTED)
    assert (before.host_overlap, before.gap, before.kind) == (1.0, 0, RescueKind.NESTED)


def frames_of(settled: ChosenSearch) -> ContigFrames:
    result = settled.result
    bases, circle = settled.contig.bases, settled.topology.is_circle
    return ContigFrames(bases, 11, circle, False, result.calls, result.starts)


def test_without_the_option_only_likely_frames_beside_genes_are_proposed(
    lambda_phage: Genome,
) -> None:
    threshold = load_rescue().outside.threshold
    plain = call_genes(lambda_phage).contigs[0].candidates
    wide = call_genes(lambda_phage, phage=True).contigs[0].candidates
    assert 0 < len(plain) < len(wide)
    for one in plain:
        assert one.kind in {RescueKind.OVERLAPPING, RescueKind.INTERGENIC}
        assert 1 / (1 + np.exp(-sum(t.log_odds for t in one.terms))) >= threshold - 1e-3
    assert {one.gene.location for one in plain} <= {one.gene.location for one in wide}


def test_k_of_phix174_is_filtered_between_two_genes(phix174: Genome) -> None:
    (found,) = (
        one
        for one in call_genes(phix174).contigs[0].candidates
        if one.gene.span.one_based(5386) == (51, 221)
    )
    assert "scores like a gene" in found.terms[0].reason


def test_the_most_probable_start_stands_for_a_frame() -> None:
    bases = open_frame(300)
    described = measure_frames([ground(bases, [], starts((0, 60, 1.0), (30, 60, 2.0)))])
    odds = np.array([-3.0, -2.0])
    assert best_starts(described, odds, load_rescue()).tolist() == [1]
    assert best_starts(described, odds[::-1].copy(), load_rescue()).tolist() == [0]
    assert described.model.tolist() == [FrameClass.OUTSIDE, FrameClass.OUTSIDE]


def test_among_likely_starts_of_a_frame_the_one_with_the_finders_best_score_stands() -> None:
    bases = open_frame(300)
    rows = starts((0, 60, 9.0), (30, 60, 2.0), (18, 60, 20.0))
    described = measure_frames([ground(bases, [], rows)])
    assert best_starts(described, np.array([2.0, 3.0, -9.0]), load_rescue()).tolist() == [0]
    assert best_starts(described, np.array([-9.0, 3.0, -9.0]), load_rescue()).tolist() == [1]


def test_frames_measure_the_same_alone_and_in_any_company(
    lambda_phage: Genome, phix174: Genome
) -> None:
    hidden = replace(phix174, contigs=tuple(replace(c, genes=()) for c in phix174.contigs))
    line, circle = (
        frames_of(one)
        for genome in (lambda_phage, hidden)
        for one in search_genome(genome, scored=True)
    )
    bare = ContigFrames("ACGTN" * 30, 11, False, False, (), NO_STARTS)
    company = [bare, circle, line, bare, circle]
    together = measure_frames(company)
    for number, one in enumerate(company):
        alone, rows = measure_frames([one]), np.flatnonzero(together.contig == number)
        there = together.take(rows)
        assert there.frames.start.tolist() == alone.frames.start.tolist()
        assert there.host.tolist() == alone.host.tolist()
        assert there.model.tolist() == alone.model.tolist()
        for name, column in alone.columns.items():
            assert there.columns[name].tolist() == column.tolist(), name
    assert circle.circle
    assert not line.circle
    assert propose(company, load_rescue(), nested=True)[1:3] == [
        found for one in (circle, line) for found in propose([one], load_rescue(), nested=True)
    ]
