"""Frames that the finder drops because they overlap a call."""

from __future__ import annotations

from genint.genes import call_genes
from genint.genes.candidates import propose
from genint.genes.layout import Placed
from genint.model.genome import CallScores, Genome
from genint.model.interval import Interval, Strand


def placed(start: int, end: int, score: float = 10.0) -> Placed:
    scores = CallScores(0.0, 0.0, score, "ATG", None, 0.5)
    return Placed(Interval(start, end), Strand.FORWARD, scores)


def open_frame(host_bp: int) -> str:
    return ("C" * 57 + "TAA") * (host_bp // 60)


def test_k_of_phix174_is_a_base_call_that_names_the_finders_limit(phix174: Genome) -> None:
    genes = call_genes(phix174).contigs[0].contig.genes
    (gene,) = (g for g in genes if g.note)
    assert gene.span.one_based(5386) == (51, 221)
    assert "not for its score" in gene.note


def test_at_most_nine_candidates_a_gap_and_the_strongest_first() -> None:
    bases = open_frame(1200)
    starts = [placed(at, at + 60, score=at / 60 + 5) for at in range(0, 1200, 60)]
    proposals = propose(bases, 11, [placed(0, 1201)], starts)
    assert sorted(p.rank for p in proposals) == list(range(1, 10))
    strongest = max(proposals, key=lambda p: p.frame.scores.start)
    assert (strongest.rank, strongest.frame.interval) == (1, Interval(1140, 1200))


def test_frames_without_a_stop_or_a_neighbour_are_no_candidates() -> None:
    bases = open_frame(600)
    assert propose(bases, 11, [placed(0, 200)], [placed(300, 360)]) == ()
    assert propose(bases, 11, [placed(0, 200)], [placed(0, 63)]) == ()
    assert len(propose(bases, 11, [placed(0, 200)], [placed(0, 60)])) == 1


def test_one_start_for_every_stop_and_none_for_stops_of_base_calls() -> None:
    bases = open_frame(600)
    calls = [placed(0, 240)]
    proposals = propose(bases, 11, calls, [placed(90, 180, 7.0), placed(60, 180, 9.0)])
    assert [p.frame.interval for p in proposals] == [Interval(60, 180)]
    assert propose(bases, 11, calls, [placed(60, 240, 9.0)]) == ()


def test_a_host_over_the_origin_is_seen_from_both_sides() -> None:
    bases = open_frame(600)
    host = placed(500, 700)
    (behind,) = propose(bases, 11, [host], [placed(0, 60)])
    (before,) = propose(bases, 11, [host], [placed(540, 600)])
    assert (behind.host_overlap, behind.gap) == (1.0, -1)
    assert (before.host_overlap, before.gap) == (1.0, 0)
