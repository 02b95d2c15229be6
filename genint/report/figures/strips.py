"""A genome, or a piece of one, along a straight line: genes, ruler, GC curves.

Arrows, boxes and links are pyGenomeViz's (Shimoyama, MIT licence), on a sheet in inches.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from matplotlib.transforms import Affine2D
from pygenomeviz.patches import Arrow, Box

from genint.report.figures.canvas import SMALL_PT, Sheet, text_width, tick_text
from genint.report.figures.content import Feature
from genint.report.figures.genomes_aligned import Segment
from genint.report.figures.palette import CRISPR, DARK, LINE, PAPER, RNA, SOFT

LANE_IN: Final = 0.12
"""Height of a lane of genes."""
RULER_IN: Final = 0.15
"""Height of ticks and their numbers."""
_HEAD_IN: Final = 0.05
_HEAD_SHARE: Final = 0.015
"""Of the width of its axes that pyGenomeViz makes the head of an arrow long."""
_NARROW_IN: Final = 0.012
"""Genes that are narrower have no outline, which would cover them."""
_TICK_IN: Final = 0.03
_MINOR: Final = 5


@dataclass(frozen=True, slots=True)
class Strip:
    """A stretch of a row on a sheet.

    Attributes:
        sheet: Where it is drawn.
        left: Of its first base, in inches.
        y: Of its backbone.
        low, high: Places of the row that it shows.
        per_bp: Inches a base.
    """

    sheet: Sheet
    left: float
    y: float
    low: int
    high: int
    per_bp: float

    def x(self, place: float) -> float:
        """Inches from the left of a place of the row."""
        return self.left + (place - self.low) * self.per_bp

    def backbone(self, segment: Segment) -> None:
        """The line of a record, with upright ends where it ends and is not circular."""
        low, high = max(segment.offset, self.low), min(segment.end, self.high)
        if low >= high:
            return
        lines = [[(self.x(low), self.y), (self.x(high), self.y)]]
        if not segment.record.is_circular:
            joined = (segment.drawn(0), segment.drawn(segment.record.length))
            ends = [at for at in {*joined, segment.offset, segment.end} if low <= at <= high]
            lines += [
                [(self.x(at), self.y - 0.04), (self.x(at), self.y + 0.04)] for at in sorted(ends)
            ]
        self.sheet.lines(lines, linewidths=0.6)

    def features(self, segment: Segment) -> None:
        """Genes, RNA genes and arrays of a record, as far as they lie here."""
        for feature in segment.features:
            pieces = list(_pieces(feature, segment))
            tip = len(pieces) - 1 if feature.strand > 0 else 0
            for number, (start, end) in enumerate(pieces):
                low, high = max(start, self.low), min(end, self.high)
                if low < high:
                    is_tip = number == tip and (end if feature.strand > 0 else start) in (low, high)
                    self._shape(feature, low, high, has_head=is_tip)

    def _shape(self, feature: Feature, low: int, high: int, *, has_head: bool) -> None:
        height = LANE_IN * (0.5 if feature.look is RNA else 0.92)
        middle = self.y
        if feature.strand:
            middle += feature.strand * (LANE_IN * feature.lane + 0.005 + height / 2)
        start, end = self.x(low), self.x(high)
        is_narrow = end - start < _NARROW_IN
        style: dict[str, Any] = {
            "fc": feature.look.fill,
            "ec": feature.look.edge if feature.look in {DARK, CRISPR} else PAPER,
            "lw": 0.0 if is_narrow else 0.25,
            "zorder": 3,
            "transform": Affine2D().translate(0, middle) + self.sheet.axes.transData,
        }
        half = (-height / 2, height / 2)
        if feature.look in {RNA, CRISPR} or not has_head:
            shape: Any = Box(start, end, 1, bigstyle=True, ylim=half, **style)
        else:
            shape = Arrow(
                start,
                end,
                feature.strand,
                max_size=_HEAD_IN / _HEAD_SHARE,
                bigstyle=True,
                shaft_ratio=1.0,
                ylim=half,
                **style,
            )
        self.sheet.axes.add_patch(shape)

    def ruler(self, segment: Segment, top: float, step: int) -> None:
        """Ticks with the places of the file; numbers that would touch another are left out."""
        sheet, record = self.sheet, segment.record
        lines: list[list[tuple[float, float]]] = []
        taken: list[tuple[float, float]] = []
        for number, at in enumerate(range(0, record.length + 1, max(step // _MINOR, 1))):
            place = segment.drawn(at)
            if not self.low <= place <= self.high:
                continue
            is_major = number % _MINOR == 0
            x = self.x(place)
            lines.append([(x, top), (x, top - _TICK_IN * (1 if is_major else 0.5))])
            if not is_major:
                continue
            text = tick_text(at, step) if at else "0"
            half = text_width(text, SMALL_PT - 0.5) / 2
            middle = min(max(x, half), sheet.width - half)
            if all(abs(middle - other) > half + width + 0.03 for other, width in taken):
                taken.append((middle, half))
                options = {"ha": "center", "size": SMALL_PT - 0.5, "color": SOFT}
                sheet.text(middle, top - _TICK_IN - 0.045, text, **options)
        ends = [self.x(max(segment.offset, self.low)), self.x(min(segment.end, self.high))]
        sheet.lines([*lines, [(ends[0], top), (ends[1], top)]], linewidths=0.4)

    def curve(
        self,
        points: Sequence[tuple[float, float]],
        middle: float,
        half: float,
        colours: tuple[str, str],
    ) -> None:
        """An area around a line: values of -1..1 at places, scaled to half a height."""
        xs = [self.x(place) for place, _ in points]
        for colour, side in zip(colours, (1, -1), strict=True):
            ys = [middle + half * (value if value * side > 0 else 0.0) for _, value in points]
            self.sheet.axes.fill_between(xs, ys, middle, color=colour, linewidth=0, zorder=1)
        ends = [(self.x(self.low), middle), (self.x(self.high), middle)]
        self.sheet.lines([ends], LINE, linewidths=0.3)


def _pieces(feature: Feature, segment: Segment) -> Iterator[tuple[int, int]]:
    """Parts of a feature within its segment: what runs over the cut goes on at the other end."""
    length = segment.record.length
    for part_start, part_end in feature.parts:
        start, end = part_start, part_end
        if start >= segment.end:
            start, end = start - length, end - length
        yield start, min(end, segment.end)
        if end > segment.end:
            yield segment.offset, end - length


def lane_heights(features: Iterable[Feature]) -> tuple[float, float]:
    """Height of the genes above and below the backbone, in inches, at least half a lane."""
    lanes = {1: 0, -1: 0}
    for feature in features:
        if feature.strand:
            lanes[feature.strand] = max(lanes[feature.strand], feature.lane + 1)
    return max(lanes[1] * LANE_IN, LANE_IN / 2), max(lanes[-1] * LANE_IN, LANE_IN / 2)
