"""Open reading frames that the base caller drops because they overlap a call."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from genint.genes.finder import MIN_CANDIDATE_BP
from genint.genes.layout import Placed
from genint.genes.naming import STEP
from genint.model.interval import Location, Strand
from genint.model.sequence import extract, stop_codons

_PER_GAP = STEP - 1
"""Numbers between two base calls."""
CANDIDATE_MIN_START_SCORE = 4.0
"""Weaker starts are not worth a protein search: some 20 frames a phage genome are left of
several hundred. Genes nested in others that this loses have no start that a rule on
statistics would accept; homology alone might."""
_BARRED_MIN_BP = 75
_BARRED_MIN_START_SCORE = 2.0
_BARRED_MIN_TOTAL_SCORE = 0.0
_NESTED_SHARE = 0.70
# Limits for frames that the finder bars. Measured on 13 annotated phages: 4 are annotated (phiX174
# K and genes of 87 bases in lambda, DE3 and Apostate), 1 is not; frames from 60 bases up add one
# more that is not. Too few to fit more than round figures to. In E. coli and S. pyogenes 1 of 12
# is annotated: there the rule is not used.


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
    bases: str,
    code: int,
    calls: Sequence[Placed],
    starts: Iterable[Placed],
    *,
    min_start_score: float = CANDIDATE_MIN_START_SCORE,
) -> tuple[Proposal, ...]:
    """Frames with a stop codon of their own that overlap a base call.

    Args:
        bases: The contig.
        code: NCBI genetic code.
        calls: Base calls, by position.
        starts: Scored starts of all frames, those of the calls among them.
        min_start_score: Frames with a weaker start are left out.

    Returns:
        At most nine for every gap between the starts of two base calls, by position:
        those with the best start score, one start for each stop codon.

    Cost: O(starts), and for every frame that is kept the calls near it.
    """
    hosts = _Hosts(calls, len(bases))
    gaps: dict[int, list[tuple[Placed, int, float]]] = defaultdict(list)
    good = (start for start in starts if start.scores.start >= min_start_score)
    for frame in _best_starts(bases, code, calls, good):
        host, share = hosts.of(frame)
        if share > 0:
            gaps[hosts.gap(frame)].append((frame, host, share))
    proposals = []
    for gap, entries in gaps.items():
        entries.sort(key=lambda entry: (-entry[0].scores.start, entry[0].interval))
        proposals += [
            Proposal(*entry, gap, rank) for rank, entry in enumerate(entries[:_PER_GAP], 1)
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
        for p in propose(bases, code, calls, starts, min_start_score=_BARRED_MIN_START_SCORE)
        if p.frame.strand is calls[p.host].strand
        and p.host_overlap < _NESTED_SHARE
        and len(p.frame.interval) >= _BARRED_MIN_BP
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
        if key in taken:
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


class _Hosts:
    """Base calls of a contig, ready to be asked which of them covers most of a frame."""

    def __init__(self, calls: Sequence[Placed], contig_bp: int) -> None:
        self._calls = calls
        self._contig_bp = contig_bp
        self._lefts = [call.interval.start for call in calls]
        self._longest_bp = max((len(call.interval) for call in calls), default=0)

    def gap(self, frame: Placed) -> int:
        """Index of the last call that starts at or before a frame; -1 where none does."""
        return bisect_right(self._lefts, frame.interval.start) - 1

    def of(self, frame: Placed) -> tuple[int, float]:
        """Index of the call that covers most of a frame, and the share; (-1, 0.0): none."""
        best, best_bp = -1, 0
        for index in sorted(self._near(frame)):
            other = self._calls[index].interval
            shared_bp = other.overlap_on_circle_bp(frame.interval, self._contig_bp)
            if shared_bp > best_bp:
                best, best_bp = index, shared_bp
        return best, best_bp / len(frame.interval)

    def _near(self, frame: Placed) -> set[int]:
        """Calls that may overlap a frame, seen from it and from one turn on and back."""
        near: set[int] = set()
        for turn_bp in (0, self._contig_bp, -self._contig_bp):
            low = bisect_left(self._lefts, frame.interval.start + turn_bp - self._longest_bp)
            near.update(range(low, bisect_left(self._lefts, frame.interval.end + turn_bp)))
        return near
