"""The round map of a genome: genes on both strands, a ruler, GC content, GC skew, labels.

Rings and shapes are pyCirclize's (Shimoyama, MIT licence); labels are placed by
:mod:`genint.report.figures.labels` on the sheet around them.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from pycirclize import Circos

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
    tick_text,
)
from genint.report.figures.content import Curve, Feature, GenomeMap, RecordMap
from genint.report.figures.labels import Ring, Spoke, Wanted, around_circle
from genint.report.figures.palette import (
    CRISPR,
    DARK,
    GC_CONTENT,
    INK,
    LINE,
    PAPER,
    RNA,
    SKEW_ABOVE,
    SKEW_BELOW,
    SOFT,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.projections.polar import PolarAxes
    from pycirclize.sector import Sector
    from pycirclize.track import Track

_OUTER_R: Final = 100.0
"""pyCirclize counts radii up to 100."""
_AXES_R: Final = 105.0
"""Its axes reach so far."""
_GENES_R: Final = 24.0
"""Thickness of all lanes of genes together,"""
_MOST_LANE_R: Final = 8.0
"""and of one lane at most."""
_GAP_DEGREES: Final = 3.0
"""Between the ends of a linear record, and between records."""
_HEAD_DEGREES: Final = 1.6
_NAMES_R: Final = 5.0
"""Thickness of the ring of names, where there are several records."""
_TICKS: Final = 14
_MINOR: Final = 5
_LARGEST_RADIUS_IN: Final = 2.25
_SMALLEST_RADIUS_IN: Final = 1.45
_LEADER_IN: Final = 0.1
_ELLIPSES: Final = (1.06, 1.12, 1.18, 1.24, 1.32)
"""Height of the place for labels as a share of its width; the lowest that takes them all."""
_CUT_LABEL_IN: Final = 1.5
"""To which long labels may be cut: some 30 characters."""
_OF_NAME: Final = 100.0
"""Weight of names of records: they come before all other labels."""
_CROWDED: Final = 1000
"""Features from which arrows are too narrow for heads."""
_TITLE_CHARS: Final = 18


class _Label(NamedTuple):
    """What a label says, its angle, and where its leader begins as a share of the radius."""

    text: str
    angle: float
    foot: float
    is_name: bool = False


class _Bands(NamedTuple):
    """Radii of what is drawn, from the outside: genes, backbone, ruler, GC content, skew."""

    lane: float
    backbone: float
    ruler: float
    gc: tuple[float, float]
    skew: tuple[float, float]


def draw_circular(genome: GenomeMap) -> tuple[Figure, int]:
    """The round map of a genome.

    Args:
        genome: With at least one record.

    Returns:
        The figure, and how many labels found a place.

    Cost: 1 s; 3 s for a bacterium.
    """
    placed, radius, labels = _placed_labels(genome)
    entries = _legend(genome)
    above = max([radius * _AXES_R / _OUTER_R, *(one.y + LINE_IN for one in placed)])
    below = max([radius * _AXES_R / _OUTER_R, *(LINE_IN - one.y for one in placed)])
    legend = legend_height(entries)
    sheet = Sheet(above + below + legend + 3 * MARGIN_IN)
    centre = WIDTH_IN / 2, legend + 2 * MARGIN_IN + below
    _draw_rings(sheet, genome, centre, radius)
    _draw_labels(sheet, placed, labels, centre, radius)
    _draw_title(sheet, genome, centre, radius)
    sheet.legend(entries, top=legend + MARGIN_IN)
    return sheet.figure, len(placed)


def _circos(genome: GenomeMap) -> Circos:
    sectors = {str(number): one.length for number, one in enumerate(genome.records)}
    if genome.is_circular:
        return Circos(sectors)
    if len(sectors) == 1:
        return Circos(sectors, start=_GAP_DEGREES / 2, end=360 - _GAP_DEGREES / 2)
    space = min(_GAP_DEGREES, 90 / len(sectors))
    return Circos(sectors, start=0, end=360, space=space)


def _placed_labels(genome: GenomeMap) -> tuple[tuple[Spoke, ...], float, dict[int, _Label]]:
    """Labels with places, the radius of the map that leaves them room, and what each says."""
    circos = _circos(genome)
    bands = _bands(genome)
    wanted: list[Wanted] = []
    labels: dict[int, _Label] = {}
    names_outside = not _has_names_inside(genome, circos)
    for record, sector in zip(genome.records, circos.sectors, strict=True):
        if names_outside:
            key = len(labels)
            angle = float(sector.x_to_rad(record.length / 2)) % (2 * math.pi)
            labels[key] = _Label(record.id, angle, 1.0, is_name=True)
            wanted.append(Wanted(key, angle, text_width(record.id, bold=True), _OF_NAME))
        for feature in record.features:
            if feature.label is None:
                continue
            key = len(labels)
            angle = float(sector.x_to_rad(feature.anchor % record.length)) % (2 * math.pi)
            foot = _radii(feature, bands)[1] if feature.strand >= 0 else bands.backbone
            labels[key] = _Label(feature.label, angle, foot / _OUTER_R)
            wanted.append(Wanted(key, angle, text_width(feature.label), feature.weight))
    widest = min(max((one.width for one in wanted), default=0.0), _CUT_LABEL_IN)
    free = WIDTH_IN / 2 - MARGIN_IN - widest - 2 * _LEADER_IN
    radius = min(max(free / 1.04, _SMALLEST_RADIUS_IN), _LARGEST_RADIUS_IN)
    tried = [around_circle(wanted, _ring(radius, ellipse)) for ellipse in _ELLIPSES]
    most = max(map(len, tried))
    return next(placed for placed in tried if len(placed) == most), radius, labels


def _has_names_inside(genome: GenomeMap, circos: Circos) -> bool:
    """Whether all sectors of the smallest map are wide enough for the names of their records."""
    inner = _SMALLEST_RADIUS_IN * _bands(genome).gc[1] / _OUTER_R
    return len(genome.records) == 1 or all(
        text_width(record.id) < sector.rad_size * inner
        for record, sector in zip(genome.records, circos.sectors, strict=True)
    )


def _ring(radius: float, ellipse: float) -> Ring:
    rim = radius + _LEADER_IN
    return Ring(
        rim=rim,
        across=rim + _LEADER_IN,
        down=(rim + _LEADER_IN) * ellipse,
        line=LINE_IN,
        half_width=WIDTH_IN / 2 - MARGIN_IN,
        least_room=_CUT_LABEL_IN,
    )


def _bands(genome: GenomeMap) -> _Bands:
    features = [one for record in genome.records for one in record.features]
    lanes = {side: 0 for side in (1, -1)}
    for one in features:
        if one.strand:
            lanes[one.strand] = max(lanes[one.strand], one.lane + 1)
    count = max(lanes[1] + lanes[-1], 1)
    lane = min(_GENES_R / count, _MOST_LANE_R)
    backbone = _OUTER_R - lane * lanes[1]
    ruler = backbone - lane * lanes[-1] - 1.5
    top = ruler - 10 - (_NAMES_R if len(genome.records) > 1 else 0)
    return _Bands(lane, backbone, ruler, (top - 12, top), (top - 26, top - 14))


def _draw_rings(
    sheet: Sheet, genome: GenomeMap, centre: tuple[float, float], radius: float
) -> None:
    circos = _circos(genome)
    bands = _bands(genome)
    count = sum(len(record.features) for record in genome.records)
    is_named = len(genome.records) > 1 and _has_names_inside(genome, circos)
    for record, sector in zip(genome.records, circos.sectors, strict=True):
        genes = sector.add_track((bands.ruler, _OUTER_R))
        _draw_backbone(sector, record, bands)
        for feature in record.features:
            _draw_feature(genes, feature, record, bands, with_heads=count < _CROWDED)
        _draw_ruler(sector, record, genome.length, bands)
        if is_named:
            middle = bands.gc[1] + _NAMES_R / 2 + 0.5
            sector.text(record.id, r=middle, size=SMALL_PT - 0.5, color=INK)
        _draw_windows(sector, record, genome.curves, bands)
    half = radius * _AXES_R / _OUTER_R
    box = (
        (centre[0] - half) / sheet.width,
        (centre[1] - half) / sheet.height,
        2 * half / sheet.width,
        2 * half / sheet.height,
    )
    axes: PolarAxes = sheet.figure.add_axes(box, projection="polar")  # type: ignore[assignment]
    axes.patch.set_visible(False)
    circos.plotfig(ax=axes)


def _draw_backbone(sector: Sector, record: RecordMap, bands: _Bands) -> None:
    line = {"color": SOFT, "lw": 0.6}
    sector.line(r=bands.backbone, start=0, end=record.length, **line)


def _draw_feature(
    track: Track, feature: Feature, record: RecordMap, bands: _Bands, *, with_heads: bool
) -> None:
    low, high = _radii(feature, bands)
    pieces = [piece for part in feature.parts for piece in _pieces(part, record.length)]
    is_whole = with_heads and len(pieces) == len(feature.parts)
    edge = feature.look.edge if feature.look in {DARK, CRISPR} else PAPER
    style = {"fc": feature.look.fill, "ec": edge, "lw": 0.25 if is_whole else 0.0}
    tip = len(pieces) - 1 if feature.strand > 0 else 0
    for number, (start, end) in enumerate(pieces):
        has_head = with_heads and number == tip and feature.look not in {RNA, CRISPR}
        if has_head:
            ends = (start, end) if feature.strand > 0 else (end, start)
            track.arrow(
                *ends, r_lim=(low, high), head_length=_HEAD_DEGREES, shaft_ratio=1.0, **style
            )
        else:
            track.rect(start, end, r_lim=(low, high), **style)


def _radii(feature: Feature, bands: _Bands) -> tuple[float, float]:
    """RNA genes have half the height of a lane; arrays lie on the backbone."""
    if not feature.strand:
        return bands.backbone - bands.lane / 3, bands.backbone + bands.lane / 3
    inner = bands.lane * feature.lane
    thick = bands.lane * (0.5 if feature.look is RNA else 0.94)
    if feature.strand > 0:
        return bands.backbone + inner, bands.backbone + inner + thick
    return bands.backbone - inner - thick, bands.backbone - inner


def _pieces(part: tuple[int, int], length: int) -> Iterator[tuple[int, int]]:
    """A stretch of the unrolled record as stretches within it."""
    start, end = part
    if start >= length:
        start, end = start - length, end - length
    yield start, min(end, length)
    if end > length:
        yield 0, min(end - length, length)


def _draw_ruler(sector: Sector, record: RecordMap, total: int, bands: _Bands) -> None:
    step = tick_step(total, _TICKS)
    track = sector.add_track((bands.ruler - 0.01, bands.ruler))
    track.axis(fc="none", ec=SOFT, lw=0.4)
    last = record.length - (step * 0.4 if record.is_circular else 0)
    major = [at for at in range(0, record.length + 1, step) if at == 0 or at <= last]
    if len(sector.name) and record.length < step:
        major = [0]
    shared = {"outer": False, "line_kws": {"ec": SOFT, "lw": 0.4}}
    track.xticks(
        major,
        [tick_text(at, step) if at else "0" for at in major],
        tick_length=1.6,
        label_size=SMALL_PT - 0.5,
        label_margin=0.8,
        label_orientation="horizontal",
        text_kws={"color": SOFT},
        **shared,
    )
    minor = [at for at in range(0, record.length + 1, max(step // _MINOR, 1)) if at % step]
    track.xticks(minor, tick_length=0.9, show_bottom_line=False, **shared)


def _draw_windows(
    sector: Sector, record: RecordMap, curves: Sequence[Curve], bands: _Bands
) -> None:
    """Areas on both sides of a middle line: GC content, then skew."""
    looks = ((bands.gc, (GC_CONTENT, GC_CONTENT)), (bands.skew, (SKEW_ABOVE, SKEW_BELOW)))
    if not record.windows:
        return
    for curve, (radii, colours) in zip(curves, looks, strict=False):
        at = [window.at for window in record.windows]
        values = [curve.of(window) for window in record.windows]
        if record.is_circular:
            at, values = [*at, float(record.length)], [*values, values[0]]
        track = sector.add_track(radii)
        above = [max(value, 0.0) for value in values]
        below = [min(value, 0.0) for value in values]
        for part, colour in zip((above, below), colours, strict=True):
            track.fill_between(at, part, 0, vmin=-1, vmax=1, arc=False, color=colour)
        sector.line(r=sum(radii) / 2, color=LINE, lw=0.3)


def _draw_labels(
    sheet: Sheet,
    placed: Sequence[Spoke],
    labels: dict[int, _Label],
    centre: tuple[float, float],
    radius: float,
) -> None:
    x0, y0 = centre
    leaders = []
    for spoke in placed:
        label = labels[spoke.key]
        end = x0 + spoke.x, y0 + spoke.y
        turns = [
            (x0 + r * math.sin(label.angle), y0 + r * math.cos(label.angle))
            for r in (radius * label.foot + 0.01, radius + _LEADER_IN)
        ]
        leaders.append([*turns, end])
        side = "left" if spoke.side > 0 else "right"
        text = fitted(label.text, spoke.room, bold=label.is_name)
        weight = "bold" if label.is_name else "normal"
        sheet.text(end[0] + spoke.side * 0.025, end[1], text, ha=side, weight=weight)
    sheet.lines(leaders)


def _draw_title(
    sheet: Sheet, genome: GenomeMap, centre: tuple[float, float], radius: float
) -> None:
    """Name and figures of the genome, in the middle."""
    title = textwrap.wrap(genome.title, _TITLE_CHARS)
    named = f"{genome.with_function:,} of {genome.genes:,} genes"
    rows = [(line, TITLE_PT, "bold", INK) for line in title]
    facts = [*genome.facts.split(", "), named, "with a function"]
    if genome.left_out:
        facts.append(f"{genome.left_out:,} short records not drawn")
    rows += [(line, SMALL_PT, "normal", SOFT) for line in facts]
    heights = [size / 72 * 1.3 for _, size, _, _ in rows]
    y = centre[1] + sum(heights) / 2
    for (line, size, weight, colour), height in zip(rows, heights, strict=True):
        sheet.text(
            centre[0], y - height / 2, line, ha="center", size=size, weight=weight, color=colour
        )
        y -= height


def _legend(genome: GenomeMap) -> list[Entry]:
    entries = entries_of([genome])
    if any(record.windows for record in genome.records):
        entries += [
            Entry("GC content around the mean", GC_CONTENT, GC_CONTENT, height=0.03),
            Entry("GC skew above 0", SKEW_ABOVE, SKEW_ABOVE, height=0.03),
            Entry("GC skew below 0", SKEW_BELOW, SKEW_BELOW, height=0.03),
        ]
    return entries
