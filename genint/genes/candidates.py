"""Open reading frames that the base caller drops because they overlap a call."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from genint.genes.finder import MIN_CANDIDATE_BP
from genint.genes.layout import Placed
from genint.genes.naming import STEP
from genint.model.interval import Location, Strand
from genint.model.sequence import extract, stop_codons

_MIN_START_SCORE = 4.0
"""Weaker starts are not worth a protein search: it keeps about 15 candidates a phage genome
of the several hundred frames, and the genes nested in others that it loses have no start
that any rule on statistics would accept."""
_PER_GAP = STEP - 1
"""Numbers between two base calls."""


_BARRED_MIN_BP = 75
_BARRED_MIN_START_SCORE = 4.0
_BARRED_MIN_TOTAL_SCORE = 0.0
_NESTED_SHARE = 0.70
# Measured on 13 annotated phages: 3 true (phiX174 K, a T4-like and a lambdoid gene of 87 bases)
# and 1 not annotated; with frames from 60 bases up one more false one. Positive scores are rare
# among frames that overlap a call, so the exact cuts hardly matter.


class Proposal(NamedTuple):
    """A frame worth a look, with its place among the base calls.

    Attributes:
        frame: Position, strand, scores.
        host: Index of the base call that it shares most bases with.
        host_overlap: Share of the frame's bases inside that call, 0..1.
        gap: Index of the last base call that starts at or before it; -1: none.
        rank: 1 to 9 within the gap, strongest start first.
    """

    frame: Placed
    host: int
    host_overlap: float
    gap: int
    rank: int


def propose(
    bases: str, code: int, calls: Sequence[Placed], starts: Iterable[Placed]
) -> tuple[Proposal, ...]:
    """Frames with a stop codon of their own that overlap a base call.

    Args:
        bases: The contig.
        code: NCBI genetic code.
        calls: Base calls, by position.
        starts: Scored starts of all frames, those of the base calls among them.

    Returns:
        At most nine for every gap between the starts of two base calls, by position:
        those with the best start score, one start for each stop codon.

    Cost: O(starts) and O(calls) for every frame that is kept.
    """
    best = _best_starts(bases, code, calls, starts)
    gaps: dict[int, list[Placed]] = defaultdict(list)
    lefts = [call.interval.start for call in calls]
    for frame in best:
        gaps[bisect_right(lefts, frame.interval.start) - 1].append(frame)
    proposals = []
    for gap, frames in sorted(gaps.items()):
        hosted = [(frame, *_host(frame, calls, len(bases))) for frame in frames]
        overlapping = [entry for entry in hosted if entry[2] > 0]
        overlapping.sort(key=lambda entry: (-entry[0].scores.start, entry[0].interval))
        proposals += [
            Proposal(frame, host, share, gap, rank)
            for rank, (frame, host, share) in enumerate(overlapping[:_PER_GAP], 1)
        ]
    return tuple(sorted(proposals, key=lambda p: (p.frame.interval, p.frame.strand)))


def barred_genes(
    bases: str, code: int, calls: Sequence[Placed], starts: Iterable[Placed]
) -> tuple[Placed, ...]:
    """Frames that score like genes and are missing only for the finder's limits.

    Pyrodigal refuses overlaps above 60 bases on a strand and genes below 90 bases;
    phages break both. Partial overlaps only: nested frames follow another rule.

    Args:
        bases: The contig.
        code: NCBI genetic code.
        calls: What the finder called, by position.
        starts: Scored starts of all frames.

    Returns:
        The frames, each with its reason as ``note``.
    """
    return tuple(
        replace(
            p.frame,
            note="The gene finder leaves it out for its overlap or length, not for its score"
            f" (total {p.frame.scores.total:.1f}, start {p.frame.scores.start:.1f}).",
        )
        for p in propose(bases, code, calls, starts)
        if p.frame.strand is calls[p.host].strand
        and p.host_overlap < _NESTED_SHARE
        and len(p.frame.interval) >= _BARRED_MIN_BP
        and p.frame.scores.start >= _BARRED_MIN_START_SCORE
        and p.frame.scores.total >= _BARRED_MIN_TOTAL_SCORE
    )


def _best_starts(
    bases: str, code: int, calls: Sequence[Placed], starts: Iterable[Placed]
) -> list[Placed]:
    """The start with the best start score for every stop that no base call has."""
    taken = {call.stop(len(bases)) for call in calls}
    best: dict[tuple[int, Strand], Placed] = {}
    for start in starts:
        key = start.stop(len(bases))
        if start.scores.start < _MIN_START_SCORE or key in taken:
            continue
        if len(start.interval) < MIN_CANDIDATE_BP or not _has_stop(bases, start, code):
            continue
        if key not in best or best[key].scores.start < start.scores.start:
            best[key] = start
    return list(best.values())


def _has_stop(bases: str, frame: Placed, code: int) -> bool:
    """The frame ends in a stop codon (at the end of a line it may not)."""
    location = Location.simple(frame.interval, frame.strand)
    return extract(bases, location)[-3:] in stop_codons(code)


def _host(frame: Placed, calls: Sequence[Placed], contig_bp: int) -> tuple[int, float]:
    """Index of the call that covers most of a frame, and the share that it covers."""
    shared = [call.interval.overlap_on_circle_bp(frame.interval, contig_bp) for call in calls]
    if not shared:
        return -1, 0.0
    host = max(range(len(shared)), key=lambda index: shared[index])
    return host, shared[host] / len(frame.interval)
