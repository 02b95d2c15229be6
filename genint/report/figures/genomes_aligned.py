"""How genomes come to lie under one another: turned, and cut open where their genes agree best.

A circular genome may begin anywhere and any genome may be read from the other strand; which of
these the file has says nothing. Places on rulers stay those of the file.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from genint.report.figures.content import Feature, GenomeMap, RecordMap

_MOST_CUTS: Final = 150
"""Places at which a circle is tried to be cut open."""
_MOST_LINKS: Final = 600
"""Links that decide about a cut: those of the longest and most identical proteins."""
_BETWEEN_RECORDS: Final = 0.01
"""Blank between records, as a share of the genome."""


class GeneLink(NamedTuple):
    """Two genes of two genomes whose proteins are alike.

    Attributes:
        first: Id of the gene of the upper genome.
        second: Id of the gene of the lower one.
        identity: Share of identical positions of the alignment, 0..1.
    """

    first: str
    second: str
    identity: float


class Orientation(NamedTuple):
    """How a record is drawn.

    Attributes:
        start: Boundary between bases, from 0, at which the drawing begins.
        is_reversed: It goes on towards lower places.
    """

    start: int
    is_reversed: bool


@dataclass(frozen=True, slots=True)
class Segment:
    """A record in a row.

    Attributes:
        record: What is drawn.
        offset: Where it begins in the row, in bases.
        orientation: How it is drawn.
        features: In places of the row; over the cut they end beyond the segment.
    """

    record: RecordMap
    offset: int
    orientation: Orientation
    features: tuple[Feature, ...]

    @property
    def end(self) -> int:
        """Where it ends in the row."""
        return self.offset + self.record.length

    def drawn(self, place: int) -> int:
        """Where a boundary of the record, 0 to its length, lies in the row."""
        return self.offset + _turned(place, self.orientation, self.record.length)


@dataclass(frozen=True, slots=True)
class Row:
    """A genome of a comparison."""

    genome: GenomeMap
    segments: tuple[Segment, ...]

    @property
    def length(self) -> int:
        """Bases with blanks between records."""
        return self.segments[-1].end

    @property
    def words(self) -> str:
        """How its drawing differs from its file; empty where it does not."""
        (first, *others) = self.segments
        where = first.orientation
        natural = first.record.length if where.is_reversed else 0
        base = where.start if where.is_reversed else where.start + 1
        turned = "reverse complement" if where.is_reversed else ""
        if others or where.start % first.record.length == natural % first.record.length:
            return turned
        return f"{turned}{', ' if turned else ''}from base {base:,}"


def row_of(genome: GenomeMap, orientation: Orientation | None = None) -> Row:
    """A genome in a row; several records are drawn in the order of the file or against it."""
    is_reversed = orientation is not None and orientation.is_reversed
    records = genome.records[::-1] if is_reversed else genome.records
    blank = int(genome.length * _BETWEEN_RECORDS) if len(records) > 1 else 0
    segments, offset = [], 0
    for record in records:
        how = orientation
        if how is None or len(records) > 1:
            how = Orientation(record.length if is_reversed else 0, is_reversed)
        features = tuple(_moved(feature, how, record.length, offset) for feature in record.features)
        segments.append(Segment(record, offset, how, features))
        offset += record.length + blank
    return Row(genome, tuple(segments))


def arranged(
    genomes: Sequence[GenomeMap],
    links: Sequence[Sequence[GeneLink]],
    *,
    rotate_linear: bool = False,
) -> tuple[Row, ...]:
    """Genomes under one another, each turned to fit its neighbour.

    The first linear genome stays as it is in its file, or the first of all where each is
    circular; from there each genome is turned after the neighbour that is settled already. A
    linear genome is only ever reversed, a circular one is cut open too.

    Args:
        genomes: Two or more, from the top.
        links: Between each genome and the next.
        rotate_linear: Cut linear records open too, as if their ends were joined: for phages
            whose genomes are permuted, and prophages.

    Cost: 0.1 s for phages, some seconds for bacteria.
    """
    settled = next((at for at, one in enumerate(genomes) if not one.is_circular), 0)
    rows: dict[int, Row] = {settled: row_of(genomes[settled])}
    for at in range(settled + 1, len(genomes)):
        rows[at] = _fitted(genomes[at], rows[at - 1], links[at - 1], rotate_linear)
    for at in range(settled - 1, -1, -1):
        swapped = [GeneLink(one.second, one.first, one.identity) for one in links[at]]
        rows[at] = _fitted(genomes[at], rows[at + 1], swapped, rotate_linear)
    return tuple(rows[at] for at in range(len(genomes)))


class _Pair(NamedTuple):
    """A link as places: the middle of the settled gene, the ends of the other, the weight."""

    settled: float
    start: int
    end: int
    weight: float


def _fitted(genome: GenomeMap, settled: Row, links: Sequence[GeneLink], rotate_linear: bool) -> Row:
    there = {one.id: one for segment in settled.segments for one in segment.features}
    here = {one.id: one for record in genome.records for one in record.features}
    known = [one for one in links if one.first in there and one.second in here]
    sense = sum(
        there[one.first].strand * here[one.second].strand * _weight(one, here) for one in known
    )
    is_reversed = sense < 0
    may_turn = genome.is_circular or (rotate_linear and len(genome.records) == 1)
    if not may_turn or not known:
        return row_of(genome, Orientation(genome.records[0].length, True) if is_reversed else None)
    heaviest = sorted(known, key=lambda one: (-_weight(one, here), one))[:_MOST_LINKS]
    pairs = [
        _Pair(
            (there[one.first].start + there[one.first].end) / 2,
            here[one.second].start,
            here[one.second].end,
            _weight(one, here),
        )
        for one in heaviest
    ]
    cuts = {(pair.end if is_reversed else pair.start) % genome.length for pair in pairs}
    if any(one.end > settled.length for one in there.values()):  # it is cut within a gene too
        cuts |= {_level(pair, genome.length, is_reversed=is_reversed) for pair in pairs}
    return row_of(genome, _best_cut(pairs, cuts, genome.length, is_reversed=is_reversed))


def _weight(link: GeneLink, genes: Mapping[str, Feature]) -> float:
    gene = genes[link.second]
    return link.identity * (gene.end - gene.start)


def _level(pair: _Pair, length: int, *, is_reversed: bool) -> int:
    """The cut after which two genes lie at the same place."""
    middle = (pair.start + pair.end) / 2
    return round(middle + pair.settled if is_reversed else middle - pair.settled) % length


def _best_cut(
    pairs: Sequence[_Pair], cuts: Collection[int], length: int, *, is_reversed: bool
) -> Orientation:
    """The cut after which most of the genes follow one another as in the other genome."""
    natural = length if is_reversed else 0
    chosen = sorted(cuts)[:: max(len(cuts) // _MOST_CUTS, 1)]
    best, best_worth = Orientation(natural, is_reversed), (-1.0, 0.0)
    for cut in (natural, *chosen):
        how = Orientation(cut, is_reversed)
        places = [_turned_middle(pair, how, length) for pair in pairs]
        chain = _heaviest_chain(
            [(pair.settled, place, pair.weight) for pair, place in zip(pairs, places, strict=True)]
        )
        apart = sum(
            pair.weight * abs(pair.settled - place)
            for pair, place in zip(pairs, places, strict=True)
        )
        if (chain, -apart) > best_worth:
            best, best_worth = how, (chain, -apart)
    return best


def _turned_middle(pair: _Pair, how: Orientation, length: int) -> float:
    start = pair.end if how.is_reversed else pair.start
    return _turned(start, how, length) + (pair.end - pair.start) / 2


def _heaviest_chain(points: Sequence[tuple[float, float, float]]) -> float:
    """The greatest weight of points that rise in both places. Cost: O(n log n) to O(n^2)."""
    ends: list[float] = []
    worths: list[float] = []
    for _, place, weight in sorted(points):
        at = bisect_left(ends, place)
        worth = weight + (worths[at - 1] if at else 0.0)
        last = at
        while last < len(ends) and worths[last] <= worth:
            last += 1
        ends[at:last], worths[at:last] = [place], [worth]
    return worths[-1] if worths else 0.0


def _turned(place: int, how: Orientation, length: int) -> int:
    """Distance of a boundary from where the drawing begins; the end of a line stays its end."""
    along = how.start - place if how.is_reversed else place - how.start
    return along if 0 <= along <= length else along % length


def _moved(feature: Feature, how: Orientation, length: int, offset: int) -> Feature:
    first = feature.end if how.is_reversed else feature.start
    along = how.start - first if how.is_reversed else first - how.start
    start = offset + along % length

    def moved(place: float) -> float:
        return start + ((first - place) if how.is_reversed else (place - first))

    turned = [tuple(sorted((int(moved(a)), int(moved(b))))) for a, b in feature.parts]
    return replace(
        feature,
        start=start,
        end=start + feature.end - feature.start,
        strand=-feature.strand if how.is_reversed else feature.strand,
        parts=tuple(sorted((low, high) for low, high in turned)),
        anchor=offset + (moved(feature.anchor) - offset) % length,
    )
