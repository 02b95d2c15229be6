"""Where features lie, as the result file has it: 1-based, on the forward strand."""

from __future__ import annotations

from typing import Literal

from genint.model.genome import Contig
from genint.model.interval import Interval, Location, Strand
from genint.report import result as r


def symbol(strand: Strand) -> Literal["+", "-"]:
    """How the result writes a strand."""
    return "+" if strand is Strand.FORWARD else "-"


def ends(contig: Contig, span: Interval) -> tuple[int, int]:
    """First and last base; the last is smaller over the origin."""
    return span.one_based(len(contig))


def spans(contig: Contig, location: Location) -> tuple[r.Span, ...]:
    """Parts in the order of the forward strand."""
    found = []
    for part in location.forward_parts:
        start, end = ends(contig, part.interval)
        found.append(r.Span(start=start, end=end, strand=symbol(part.strand)))
    return tuple(found)


def part_order(location: Location) -> tuple[int, ...]:
    """Where each part, 5' to 3', stands among those in forward order.

    Empty where the strand says it; always there where the parts lie on both.
    """
    parts = location.parts
    strands = {part.strand for part in parts}
    forward = sorted(range(len(parts)), key=lambda at: parts[at].interval)
    ranks = {at: rank for rank, at in enumerate(forward)}
    order = tuple(ranks[at] for at in range(len(parts)))
    usual = tuple(sorted(order, reverse=location.strand is Strand.REVERSE))
    return () if len(strands) == 1 and order == usual else order
