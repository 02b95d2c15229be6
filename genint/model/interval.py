"""Coordinates: the only place where conventions are turned into one another."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Self


class Strand(IntEnum):
    """Which strand is read, relative to the sequence in the file."""

    FORWARD = 1
    REVERSE = -1

    @property
    def symbol(self) -> str:
        """``+`` or ``-``, as GFF3 writes it."""
        return "+" if self is Strand.FORWARD else "-"


@dataclass(frozen=True, slots=True, order=True)
class Interval:
    """A stretch of a contig: 0-based, end excluded, in bases of the forward strand.

    On a circular contig of length L a stretch over the origin is one interval
    with ``start < L < end <= start + L``: the circle is unrolled once. So a gene
    over the origin keeps a plain length, and only the converters below know of
    the wrap. On linear contigs ``end <= L``, but for features that the user's file
    joins from the last base to the first of a record that it calls linear.
    """

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise ValueError(f"need 0 <= start < end, got {self.start}, {self.end}")

    def __len__(self) -> int:
        return self.end - self.start

    @classmethod
    def from_one_based(cls, first: int, last: int, *, circle_bp: int | None = None) -> Self:
        """From GenBank or GFF3 style, both ends included.

        Args:
            first: 1-based first base.
            last: 1-based last base; smaller than ``first`` only over an origin.
            circle_bp: Length of the circular contig, needed where ``last < first``.

        Raises:
            ValueError: the two do not span a base, or wrap without a circle.
        """
        if last < first and circle_bp is not None:
            return cls(first - 1, last + circle_bp)
        return cls(first - 1, last)

    @classmethod
    def on_circle(
        cls, start: int, end: int, *, contig_bp: int, opening: int, margin_bp: int
    ) -> Self | None:
        """Where a stretch of an opened circle lies; None for another copy of it.

        The copy whose middle lies between the margins counts.

        Args:
            start: 0-based first base on the text of :func:`genint.model.sequence.open_circle`.
            end: Behind the last.
            contig_bp: Length of the circle.
            opening: Where it was opened.
            margin_bp: Bases repeated on either side.
        """
        middle = start + end - 2 * margin_bp
        if not 0 <= middle < 2 * contig_bp or end - start > contig_bp:
            return None
        first = (start - margin_bp + opening) % contig_bp
        return cls(first, first + end - start)

    def wraps(self, contig_bp: int) -> bool:
        """Whether this runs over the origin of a circle of ``contig_bp``."""
        return self.end > contig_bp

    def one_based(self, contig_bp: int) -> tuple[int, int]:
        """First and last base, 1-based inclusive; ``last < first`` over the origin."""
        last = self.end - contig_bp if self.wraps(contig_bp) else self.end
        return self.start % contig_bp + 1, last

    def pieces(self, contig_bp: int) -> tuple[Interval, ...]:
        """Cut at the origin: one piece, or two in forward order."""
        if not self.wraps(contig_bp):
            return (self,)
        if self.start >= contig_bp:
            return (Interval(self.start - contig_bp, self.end - contig_bp),)
        return Interval(self.start, contig_bp), Interval(0, self.end - contig_bp)

    def cut_at(self, base: int) -> tuple[Interval, ...]:
        """What lies before a base and what lies from it on, where both are there."""
        if not self.start < base < self.end:
            return (self,)
        return Interval(self.start, base), Interval(base, self.end)

    def slice(self, bases: str) -> str:
        """The bases covered, forward strand, over the origin where it wraps.

        Cost: O(length) time and memory.
        """
        if self.end <= len(bases):
            return bases[self.start : self.end]
        return "".join(bases[piece.start : piece.end] for piece in self.pieces(len(bases)))

    def shifted(self, offset_bp: int) -> Interval:
        """The same stretch ``offset_bp`` further along."""
        return Interval(self.start + offset_bp, self.end + offset_bp)

    def overlap_bp(self, other: Interval) -> int:
        """Shared bases, taken as on one unrolled line."""
        return max(0, min(self.end, other.end) - max(self.start, other.start))

    def overlap_on_circle_bp(self, other: Interval, contig_bp: int) -> int:
        """Shared bases where both may run over the origin of ``contig_bp``."""
        return sum(
            mine.overlap_bp(theirs)
            for mine in self.pieces(contig_bp)
            for theirs in other.pieces(contig_bp)
        )

    def contains(self, other: Interval) -> bool:
        """Whether ``other`` lies wholly inside, on one unrolled line."""
        return self.start <= other.start and other.end <= self.end


@dataclass(frozen=True, slots=True)
class Part:
    """One exon: a stretch and the strand it is read from."""

    interval: Interval
    strand: Strand


@dataclass(frozen=True, slots=True)
class Location:
    """Where a feature lies: its parts in the order of transcription.

    A stretch over the origin is one part (see :class:`Interval`). Only
    trans-spliced genes mix strands or break the order along the strand.

    Attributes:
        parts: At least one part, 5' to 3' of the feature.
        partial_5: The 5' end lies beyond what was sequenced (``<`` in GenBank).
        partial_3: The 3' end lies beyond what was sequenced.
        trans_spliced: The parts come from separate transcripts.
    """

    parts: tuple[Part, ...]
    partial_5: bool = False
    partial_3: bool = False
    trans_spliced: bool = False

    def __post_init__(self) -> None:
        if not self.parts:
            raise ValueError("a location needs at least one part")

    @classmethod
    def simple(cls, interval: Interval, strand: Strand) -> Self:
        """A location of one unbroken stretch."""
        return cls((Part(interval, strand),))

    def __len__(self) -> int:
        """Bases in all parts together."""
        return sum(len(part.interval) for part in self.parts)

    @property
    def strand(self) -> Strand:
        """Strand of the first part."""
        return self.parts[0].strand

    @property
    def span(self) -> Interval:
        """From the lowest start to the highest end over all parts (unrolled)."""
        return Interval(
            min(part.interval.start for part in self.parts),
            max(part.interval.end for part in self.parts),
        )

    @property
    def forward_parts(self) -> tuple[Part, ...]:
        """Parts in the order of the forward strand (as JSON and GFF3 list them)."""
        return tuple(sorted(self.parts, key=lambda part: part.interval))
