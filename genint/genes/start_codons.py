"""Start codons of all open reading frames, column by column.

A phage has some thousands of them, a bacterium half a million: too many for values of
their own. Rows become values (:class:`~genint.genes.topology.Placed`) once few are left.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from genint.model.genome import CallScores
from genint.model.interval import Interval, Strand

Integers = NDArray[np.int64]
Reals = NDArray[np.float64]


class StartRow(NamedTuple):
    """One start codon of one open reading frame, with what the finder scores.

    Attributes:
        start: First base of the frame on the forward strand, 0-based.
        end: Behind its last base, stop codon included.
        strand: 1 or -1.
        total: Coding and start score together; all scores are log-odds in the finder's units.
        coding: Likeness of the codons to coding sequence.
        score: Start codon, ribosome binding site and upstream bases together.
        codon: Such as ATG.
        motif: Ribosome binding site, None where none was seen.
        spacer: Bases between that site and the start codon, such as ``5-10bp``.
        site: What the ribosome binding site adds to ``score``.
        upstream: What the bases in front add to it.
        kind: What the codon itself adds to it.
    """

    start: int
    end: int
    strand: int
    total: float
    coding: float
    score: float
    codon: str
    motif: str | None
    spacer: str | None
    site: float
    upstream: float
    kind: float


@dataclass(frozen=True, slots=True, eq=False)
class Starts:
    """Rows as columns; ``start`` and ``end`` unrolled over an origin as in ``Interval``."""

    start: Integers
    end: Integers
    strand: Integers
    total: Reals
    coding: Reals
    score: Reals
    site: Reals
    upstream: Reals
    kind: Reals
    codon: NDArray[np.object_]
    motif: NDArray[np.object_]
    spacer: NDArray[np.object_]

    def __len__(self) -> int:
        return len(self.start)

    @classmethod
    def of(cls, rows: Iterable[StartRow]) -> Starts:
        """Columns of rows."""
        listed = list(rows)
        return cls(
            start=np.array([row.start for row in listed], dtype=np.int64),
            end=np.array([row.end for row in listed], dtype=np.int64),
            strand=np.array([row.strand for row in listed], dtype=np.int64),
            total=np.array([row.total for row in listed], dtype=np.float64),
            coding=np.array([row.coding for row in listed], dtype=np.float64),
            score=np.array([row.score for row in listed], dtype=np.float64),
            site=np.array([row.site for row in listed], dtype=np.float64),
            upstream=np.array([row.upstream for row in listed], dtype=np.float64),
            kind=np.array([row.kind for row in listed], dtype=np.float64),
            codon=_objects([row.codon for row in listed]),
            motif=_objects([row.motif for row in listed]),
            spacer=_objects([row.spacer for row in listed]),
        )

    def take(self, rows: Integers | NDArray[np.bool_]) -> Starts:
        """Some of the rows, by number or by a mask."""
        return Starts(**{one.name: getattr(self, one.name)[rows] for one in fields(self)})

    def moved(self, start: Integers) -> Starts:
        """The same frames elsewhere."""
        return replace(self, start=start, end=start + self.length_bp)

    @property
    def length_bp(self) -> Integers:
        """Bases, stop codon included."""
        return self.end - self.start

    def stops(self, contig_bp: int) -> Integers:
        """A number for the stop codon of each row: what frames of one gene share."""
        forward = self.strand > 0
        at = np.where(forward, self.end, self.start) % contig_bp
        return np.asarray(2 * at + forward, dtype=np.int64)

    def interval(self, row: int) -> Interval:
        """Where a frame lies."""
        return Interval(int(self.start[row]), int(self.end[row]))

    def strand_of(self, row: int) -> Strand:
        """How a frame is read."""
        return Strand(int(self.strand[row]))

    def scores(self, row: int, confidence: float) -> CallScores:
        """Scores of a row as a plain value."""
        return CallScores(
            total=float(self.total[row]),
            coding=float(self.coding[row]),
            start=float(self.score[row]),
            start_codon=self.codon[row],
            rbs_motif=self.motif[row],
            confidence=confidence,
            rbs_spacer=self.spacer[row],
            rbs_score=float(self.site[row]),
        )


def _objects(values: Iterable[object]) -> NDArray[np.object_]:
    listed = list(values)
    column = np.empty(len(listed), dtype=np.object_)
    column[:] = listed
    return column


NO_STARTS = Starts.of(())
