"""How a contig is laid out for programs that know lines only.

A circle is opened at a base that does not depend on where the file starts it, and laid
out with a margin repeated on both sides, so that whatever lies over the origin is seen
whole once, and found or not found the same whatever base the file begins with.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from genint.model.interval import Interval

MARGIN_BP = 10_000
"""Repeated on both sides of an opened circle: three times the longest rRNA, and twice the
longest usual CRISPR array."""
_NOT_A_BASE = re.compile("[^ACGT]")


@dataclass(frozen=True)
class SearchedContig:
    """A contig as the searches see it.

    Attributes:
        bases: Upper-case IUPAC DNA.
        is_circle: The ends are joined.
        code: NCBI genetic code: tRNA are named by what they read.
        opening: Where a circle is opened, the same base however the file rotates it.
    """

    bases: str
    is_circle: bool = False
    code: int = 11
    opening: int = 0

    @cached_property
    def text(self) -> str:
        """The line that is searched: A, C, G, T, and N for everything else.

        (Programs differ in what they make of other letters, and ambiguous ones are no
        evidence for anything.)
        """
        bases = _NOT_A_BASE.sub("N", self.bases)
        if not self.is_circle:
            return bases
        turned = bases[self.opening :] + bases[: self.opening]
        margin_bp = self.margin_bp
        return turned[len(turned) - margin_bp :] + turned + turned[:margin_bp]

    @property
    def margin_bp(self) -> int:
        """Bases repeated on either side; 0 for a line."""
        return min(MARGIN_BP, len(self.bases)) if self.is_circle else 0

    def place(self, start: int, end: int) -> Interval | None:
        """Where a stretch of the text lies on the contig; None for another copy of it.

        Of a circle the copy whose middle lies between the margins counts.

        Args:
            start: 0-based first base on ``text``.
            end: Behind the last.
        """
        if not self.is_circle:
            return Interval(start, end)
        contig_bp, margin_bp = len(self.bases), self.margin_bp
        middle = start + end - 2 * margin_bp
        if not 0 <= middle < 2 * contig_bp or end - start > contig_bp:
            return None
        first = (start - margin_bp + self.opening) % contig_bp
        return Interval(first, first + end - start)

    def at_edge(self, position: int) -> bool:
        """Whether the contig ends here: 0 or its length, and it is a line."""
        return not self.is_circle and position in {0, len(self.bases)}
