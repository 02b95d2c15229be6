"""How a contig is laid out for the gene finder: as it is, or as a circle unrolled.

The finder knows lines only. A circle is opened at a base that does not depend on
where the file starts it, and laid out with a margin repeated on both sides, so that
every gene is seen whole once, also those over the origin of the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from genint.genes.finder import Call, Model, Search, search
from genint.genes.openings import canonical_opening
from genint.genes.starts import Starts
from genint.model.genome import CallScores
from genint.model.interval import Interval, Strand

_MARGIN_BP = 3_000
"""Repeated on both sides: genes of up to twice this length over the opening are seen
whole. Where a longer one shows, the margin grows by ``_MARGIN_GROWTH``."""
_MARGIN_GROWTH = 10


@dataclass(frozen=True, slots=True)
class Layout:
    """A text to be searched and the way back to the contig.

    Attributes:
        text: What the finder reads.
        contig_bp: Length of the contig.
        margin_bp: Bases repeated on either side; 0 for a line.
        opening: Position on the contig of the first base after the left margin.
        closed: The contig is a circle.
    """

    text: str
    contig_bp: int
    margin_bp: int = 0
    opening: int = 0
    closed: bool = False

    def place(self, interval: Interval) -> Interval | None:
        """Where a stretch of the text lies on the contig; None for the other copy.

        On a circle the copy whose middle lies between the margins counts.
        """
        if not self.closed:
            return interval
        middle = interval.start + interval.end - 2 * self.margin_bp
        if not 0 <= middle < 2 * self.contig_bp or len(interval) > self.contig_bp:
            return None
        start = (interval.start - self.margin_bp + self.opening) % self.contig_bp
        return Interval(start, start + len(interval))

    def place_starts(self, starts: Starts) -> Starts:
        """The same for starts of frames: those of the other copy are left out."""
        whole = starts.take(starts.end <= len(self.text))
        if not self.closed:
            return whole
        middle = whole.start + whole.end - 2 * self.margin_bp
        kept = (middle >= 0) & (middle < 2 * self.contig_bp) & (whole.length_bp <= self.contig_bp)
        here = whole.take(kept)
        return here.moved((here.start - self.margin_bp + self.opening) % self.contig_bp)


@dataclass(frozen=True, slots=True)
class Placed:
    """A gene or a possible gene in the coordinates of its contig."""

    interval: Interval
    strand: Strand
    scores: CallScores
    clipped_left: bool = False
    clipped_right: bool = False

    def stop(self, contig_bp: int) -> tuple[int, Strand]:
        """3' end and strand: what two calls of one gene share."""
        end = self.interval.end if self.strand is Strand.FORWARD else self.interval.start
        return end % contig_bp, self.strand


@dataclass(frozen=True, slots=True)
class ContigSearch:
    """What the finder saw on one contig.

    Attributes:
        calls: Genes, by position.
        starts: Good start codons of all frames, where asked for.
        found: The finder's own answer, on ``layout.text``.
    """

    layout: Layout
    model: Model
    found: Search
    calls: tuple[Placed, ...]
    starts: Starts


def search_contig(bases: str, model: Model, *, circle: bool, scored: bool = False) -> ContigSearch:
    """Find the genes of a contig, over its origin too where it is a circle."""
    if not circle:
        return _searched(Layout(bases, len(bases)), model, scored=scored)
    opening = canonical_opening(bases)
    margin_bp = min(_MARGIN_BP, len(bases))
    while True:
        layout = _unrolled(bases, opening, margin_bp)
        result = _searched(layout, model, scored=scored)
        if margin_bp == len(bases) or not _cut_short(result.found.calls, layout):
            return result
        margin_bp = min(margin_bp * _MARGIN_GROWTH, len(bases))


def _unrolled(bases: str, opening: int, margin_bp: int) -> Layout:
    turned = bases[opening:] + bases[:opening]
    text = turned[len(turned) - margin_bp :] + turned + turned[:margin_bp]
    return Layout(text, len(bases), margin_bp, opening, closed=True)


def _cut_short(calls: Iterable[Call], layout: Layout) -> bool:
    """A gene clipped by the end of the text reaches in between the margins."""
    return any(
        (call.clipped_left and call.interval.end > layout.margin_bp)
        or (call.clipped_right and call.interval.start < layout.margin_bp + layout.contig_bp)
        for call in calls
    )


def _searched(layout: Layout, model: Model, *, scored: bool) -> ContigSearch:
    found = search(layout.text, model, scored=scored)
    calls = _deduplicated(_placed_calls(found.calls, layout), layout.contig_bp)
    starts = layout.place_starts(found.starts)
    return ContigSearch(layout, model, found, calls, starts)


def _placed_calls(calls: Iterable[Call], layout: Layout) -> Iterator[Placed]:
    for call in calls:
        if layout.closed and call.clipped:
            continue  # the end is of our making; the whole gene is seen elsewhere
        interval = layout.place(call.interval)
        if interval is not None:
            yield Placed(interval, call.strand, call.scores, call.clipped_left, call.clipped_right)


def _deduplicated(calls: Iterable[Placed], contig_bp: int) -> tuple[Placed, ...]:
    """One call per stop codon, the better one, by position."""
    best: dict[tuple[int, Strand], Placed] = {}
    for call in calls:
        key = call.stop(contig_bp)
        if key not in best or best[key].scores.total < call.scores.total:
            best[key] = call
    return tuple(sorted(best.values(), key=lambda call: (call.interval, call.strand)))
