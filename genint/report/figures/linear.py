"""The map of a genome in lines: as many as its length needs, each with a ruler and GC curves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from genint.report.figures.canvas import (
    LINE_IN,
    MARGIN_IN,
    SMALL_PT,
    TITLE_PT,
    WIDTH_IN,
    Entry,
    Sheet,
    entries_of,
    fitted,
    legend_height,
    text_width,
    tick_step,
)
from genint.report.figures.content import Curve, Feature, GenomeMap, line_bp
from genint.report.figures.genomes_aligned import Segment, row_of
from genint.report.figures.labels import Rowed, Wanted, in_rows
from genint.report.figures.palette import GC_CONTENT, SKEW_ABOVE, SKEW_BELOW, SOFT
from genint.report.figures.strips import LANE_IN, RULER_IN, Strip, lane_heights

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_ROWS: Final = 6
_WIDEST_LABEL_IN: Final = 1.8
_CURVE_IN: Final = 0.17
_HEAD_IN: Final = TITLE_PT / 72 * 2
_PAGE_IN: Final = 277 / 25.4
"""Height of A4 without its margins."""
_TICKS: Final = 10
_BLANK_IN: Final = 0.04
_BETWEEN_IN: Final = 0.1
_INNER_IN: Final = WIDTH_IN - 2 * MARGIN_IN


@dataclass(frozen=True, slots=True)
class _Line:
    """One line: what it shows of which record, its labels, and its height below the labels."""

    segment: Segment
    low: int
    high: int
    labels: tuple[Rowed, ...]
    texts: dict[int, tuple[str, Feature]]
    above: float
    below: float
    name: str

    @property
    def label_height(self) -> float:
        rows = max((one.row + 1 for one in self.labels), default=0)
        return rows * LINE_IN + (0.06 if rows else 0.0) + (LINE_IN if self.name else 0.0)

    @property
    def has_curves(self) -> bool:
        return bool(self.segment.record.windows)

    @property
    def height(self) -> float:
        curves = 2 * _CURVE_IN + 0.02 if self.has_curves else 0.0
        return self.label_height + self.above + self.below + RULER_IN + curves + _BETWEEN_IN


def draw_linear(genome: GenomeMap) -> tuple[tuple[Figure, ...], int]:
    """The map of a genome in lines.

    Args:
        genome: With at least one record, made for lines; each record begins a line.

    Returns:
        One figure a page, no higher than A4, and how many labels found a place.

    Cost: 1 s; 5 s for a bacterium.
    """
    row = row_of(genome)
    full = line_bp([record.length for record in genome.records], is_crowded=genome.is_crowded)
    per_bp = _INNER_IN / full
    lines = [
        line
        for segment in row.segments
        for line in _lines(segment, full, per_bp, is_named=len(row.segments) > 1)
    ]
    entries = _legend(genome)
    around = _HEAD_IN + legend_height(entries) + 2.5 * MARGIN_IN
    pages = _pages(lines, _PAGE_IN - around)
    curves = genome.curves
    figures = []
    for number, page in enumerate(pages, start=1):
        sheet = Sheet(around + sum(line.height for line in page))
        top = sheet.height - MARGIN_IN
        _draw_head(sheet, genome, top - _HEAD_IN / 2, (number, len(pages)))
        top -= _HEAD_IN
        for line in page:
            _draw_line(sheet, line, top, per_bp, curves)
            top -= line.height
        sheet.legend(entries, top=legend_height(entries) + MARGIN_IN)
        figures.append(sheet.figure)
    return tuple(figures), sum(len(line.labels) for line in lines)


def _pages(lines: Sequence[_Line], room: float) -> list[list[_Line]]:
    """Lines page by page; one that is higher than a page has it alone."""
    pages: list[list[_Line]] = [[]]
    used = 0.0
    for line in lines:
        if pages[-1] and used + line.height > room:
            pages.append([])
            used = 0.0
        pages[-1].append(line)
        used += line.height
    return pages


def _lines(segment: Segment, line_bp: int, per_bp: float, *, is_named: bool) -> list[_Line]:
    made = []
    for low in range(segment.offset, segment.end, line_bp):
        high = min(low + line_bp, segment.end)
        above, below = lane_heights(
            one for one in segment.features if one.start < high and one.end > low
        )
        inside = [one for one in segment.features if low <= one.anchor < high]
        texts, wanted = _wanted(inside, low, per_bp)
        placed = in_rows(wanted, rows=_ROWS, width=_INNER_IN, blank=_BLANK_IN)
        name = segment.record.id if is_named and low == segment.offset else ""
        made.append(_Line(segment, low, high, placed, texts, above, below, name))
    return made


def _wanted(
    features: Sequence[Feature], low: int, per_bp: float
) -> tuple[dict[int, tuple[str, Feature]], list[Wanted]]:
    texts, wanted = {}, []
    for key, feature in enumerate(features):
        if feature.label is None:
            continue
        text = fitted(feature.label, _WIDEST_LABEL_IN)
        texts[key] = text, feature
        at = (feature.anchor - low) * per_bp
        wanted.append(Wanted(key, at, text_width(text), feature.weight))
    return texts, wanted


def _draw_head(sheet: Sheet, genome: GenomeMap, y: float, page: tuple[int, int]) -> None:
    sheet.text(MARGIN_IN, y, genome.title, size=TITLE_PT, weight="bold")
    known = f"{genome.with_function:,} of {genome.genes:,} genes with a function"
    left = f"; {genome.left_out:,} short records not drawn" if genome.left_out else ""
    of_pages = f"page {page[0]} of {page[1]}; " if page[1] > 1 else ""
    facts = f"{of_pages}{genome.facts}; {known}{left}"
    x = MARGIN_IN + text_width(genome.title, TITLE_PT, bold=True) + 0.12
    room = sheet.width - MARGIN_IN - x
    sheet.text(x, y, fitted(facts, room), color=SOFT)


def _draw_line(
    sheet: Sheet, line: _Line, top: float, per_bp: float, curves: Sequence[Curve]
) -> None:
    y = top - line.label_height - line.above
    strip = Strip(sheet, MARGIN_IN, y, line.low, line.high, per_bp)
    if line.name:
        sheet.text(MARGIN_IN, top - LINE_IN / 2, line.name, weight="bold", size=SMALL_PT)
    strip.backbone(line.segment)
    strip.features(line.segment)
    base = y + line.above + 0.06
    leaders = []
    for label in line.labels:
        x = MARGIN_IN + label.foot
        text, feature = line.texts[label.key]
        foot = y + (LANE_IN * (feature.lane + 1) if feature.strand > 0 else 0.01)
        text_y = base + (label.row + 0.5) * LINE_IN
        leaders.append([(x, foot), (x, text_y - LINE_IN * 0.42)])
        sheet.text(MARGIN_IN + label.left, text_y, text)
    sheet.lines(leaders)
    bottom = y - line.below - 0.02
    strip.ruler(line.segment, bottom, tick_step(_INNER_IN / per_bp, _TICKS))
    if line.has_curves:
        _draw_curves(strip, line.segment, curves, bottom - RULER_IN)


def _draw_curves(strip: Strip, segment: Segment, curves: Sequence[Curve], top: float) -> None:
    windows = segment.record.windows
    half = _CURVE_IN / 2
    colours = ((GC_CONTENT, GC_CONTENT), (SKEW_ABOVE, SKEW_BELOW))
    for number, (curve, pair) in enumerate(zip(curves, colours, strict=False)):
        points = [(segment.offset + window.at, curve.of(window)) for window in windows]
        inside = _cut_out(points, strip.low, strip.high)
        strip.curve(inside, top - half - number * (_CURVE_IN + 0.02), half, pair)


def _cut_out(
    points: Sequence[tuple[float, float]], low: int, high: int
) -> list[tuple[float, float]]:
    """The part of a curve between two places, its values there drawn from the neighbours."""
    found = [point for point in points if low < point[0] < high]
    for at in (low, high):
        before = max((point for point in points if point[0] <= at), default=points[0])
        behind = min((point for point in points if point[0] >= at), default=points[-1])
        share = (at - before[0]) / (behind[0] - before[0]) if behind[0] > before[0] else 0.0
        found.append((float(at), before[1] + share * (behind[1] - before[1])))
    return sorted(found)


def _legend(genome: GenomeMap) -> list[Entry]:
    entries = entries_of([genome])
    return entries + curve_entries() if any(one.windows for one in genome.records) else entries


def curve_entries() -> list[Entry]:
    """What the curves of GC content and skew show."""
    return [
        Entry("GC content around the mean", GC_CONTENT, GC_CONTENT, height=0.03),
        Entry("GC skew above 0", SKEW_ABOVE, SKEW_ABOVE, height=0.03),
        Entry("GC skew below 0", SKEW_BELOW, SKEW_BELOW, height=0.03),
    ]
