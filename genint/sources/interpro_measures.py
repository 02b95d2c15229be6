"""How much of a protein and of its model a signature covers, and which signatures compete."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from genint.model.evidence import Measurements
from genint.model.online import InterProMatch, MatchPlace
from genint.sources.domains import DENSE, SAME_PLACE, WHOLE_PROFILE, WHOLE_PROTEIN


class Stretch(NamedTuple):
    """Where a signature lies on its protein, and how much of both it covers.

    Attributes:
        first, last: Residues, 1-based, inclusive, over all places.
        covered_aa: Residues in places.
        protein_share: The same of the protein, 0..1.
        model_share: Of the model's positions, 0..1; None where the library does not tell.
    """

    first: int
    last: int
    covered_aa: int
    protein_share: float
    model_share: float | None

    @property
    def is_complete(self) -> bool:
        """Whether it is no fragment of the model, as far as the library tells."""
        return self.model_share is None or self.model_share >= WHOLE_PROFILE

    @property
    def is_whole(self) -> bool:
        """Whether it is complete and leaves no room for a second domain in the protein."""
        return self.is_complete and self.protein_share >= WHOLE_PROTEIN

    def competes(self, other: Stretch) -> bool:
        """Whether both speak of the same residues; what has large gaps leaves room."""
        if not (self._is_dense and other._is_dense):
            return False
        shared = min(self.last, other.last) - max(self.first, other.first) + 1
        return shared >= SAME_PLACE * min(self._span_aa, other._span_aa)

    @property
    def _span_aa(self) -> int:
        return self.last - self.first + 1

    @property
    def _is_dense(self) -> bool:
        return self.covered_aa >= DENSE * self._span_aa


def stretch_of(match: InterProMatch, length_aa: int) -> Stretch | None:
    """Where a signature lies; None where no place is on the protein."""
    places = [place for place in match.places if place.start <= length_aa]
    if not places:
        return None
    first = min(place.start for place in places)
    last = min(max(place.end for place in places), length_aa)
    if match.library == "prints":
        # Its fingerprints are motifs; what lies between them belongs to the family too.
        covered = last - first + 1
    else:
        covered = _union((place.start, min(place.end, length_aa)) for place in places)
    return Stretch(first, last, covered, covered / max(length_aa, 1), _model_share(places))


def _model_share(places: Iterable[MatchPlace]) -> float | None:
    spans, length = [], 0
    for place in places:
        if place.model_start is None or place.model_end is None or not place.model_length:
            return None
        spans.append((place.model_start, place.model_end))
        length = max(length, place.model_length)
    return min(_union(spans) / length, 1.0) if length else None


def _union(spans: Iterable[tuple[int, int]]) -> int:
    """Positions in at least one of the spans."""
    total, reached = 0, 0
    for first, last in sorted(spans):
        total += max(0, last - max(first, reached + 1) + 1)
        reached = max(reached, last)
    return total


def evalue_of(match: InterProMatch) -> float | None:
    """Of the match; some libraries have it for places only, then the best of these."""
    if match.evalue is not None:
        return match.evalue
    return min((place.evalue for place in match.places if place.evalue is not None), default=None)


def measurements(match: InterProMatch, stretch: Stretch | None) -> Measurements:
    """The figures of a match as evidence has them."""
    if stretch is None:
        return Measurements(evalue=evalue_of(match), score_bits=match.score_bits)
    return Measurements(
        evalue=evalue_of(match),
        score_bits=match.score_bits,
        protein_from=stretch.first,
        protein_to=stretch.last,
        protein_coverage=stretch.protein_share,
        target_coverage=stretch.model_share,
    )
