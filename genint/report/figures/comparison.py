"""Genomes under one another, with links between genes whose proteins are alike."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from matplotlib.patches import Rectangle
from matplotlib.transforms import Affine2D
from pygenomeviz.patches import Link

from genint.report.figures.canvas import (
    LINE_IN,
    MARGIN_IN,
    SMALL_PT,
    TITLE_PT,
    WIDTH_IN,
    Sheet,
    entries_of,
    fitted,
    legend_height,
    text_width,
    tick_step,
)
from genint.report.figures.content import Feature
from genint.report.figures.genomes_aligned import GeneLink, Row
from genint.report.figures.labels import Slanted, Wanted, slanted
from genint.report.figures.palette import OTHER_STRAND, SAME_STRAND, SOFT, mixed
from genint.report.figures.strips import LANE_IN, RULER_IN, Strip, lane_heights

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_HEAD_IN: Final = 0.2
"""Above everything, for a title."""
_NAMES_IN: Final = 1.2
"""Left of the genomes, for their names."""
_NAME_CHARS: Final = 17
_NAME_PT: Final = 6.5
_NAME_GAP_IN: Final = 0.08
"""Between names and genomes."""
_LINKS_IN: Final = 0.8
"""Height between two genomes with links,"""
_NO_LINKS_IN: Final = 0.15
"""and without."""
_SLANT_DEGREES: Final = 48
_WIDEST_LABEL_IN: Final = 1.55
_MOST_SHIFT_IN: Final = 0.5
_LEADER_IN: Final = 0.12
_BLANK_IN: Final = 0.05
_TICKS: Final = 10
_SCALE_IN: Final = 1.1
_SCALE_STEPS: Final = 40
_ALPHA: Final = 0.85
"""Opacity of links, so that crossing ones are told apart."""
_FINE: Final = 0.05
"""Of identity: the scale begins at a multiple of this."""
_RIGHT_IN: Final = 0.7
"""Right of the genomes, for the last slanted labels."""


@dataclass(frozen=True, slots=True)
class _Track:
    """A row with its labels: above the first genome and below the last one."""

    row: Row
    labels: tuple[Slanted, ...]
    texts: Mapping[int, tuple[str, Feature]]
    above: float
    below: float

    @property
    def genes(self) -> list[Feature]:
        return [one for segment in self.row.segments for one in segment.features]

    @property
    def label_height(self) -> float:
        longest = max((text_width(self.texts[one.key][0]) for one in self.labels), default=0.0)
        return longest * math.sin(math.radians(_SLANT_DEGREES)) + _LEADER_IN + LINE_IN


class _Edge(NamedTuple):
    """A track with the height of its backbone, as an end of links."""

    track: _Track
    y: float
    per_bp: float


def draw_comparison(
    rows: Sequence[Row], links: Sequence[Sequence[GeneLink]], title: str = ""
) -> tuple[Figure, int]:
    """Genomes under one another.

    Args:
        rows: Two or more, from the top.
        links: Between each row and the next.
        title: Above everything; empty for none.

    Returns:
        The figure, and how many labels found a place.

    Cost: 1 s for two phages.
    """
    per_bp = (WIDTH_IN - _NAMES_IN - _RIGHT_IN) / max(row.length for row in rows)
    last = len(rows) - 1
    tracks = [_track(row, per_bp, is_labelled=at in {0, last}) for at, row in enumerate(rows)]
    entries = entries_of([row.genome for row in rows])
    caption = textwrap.wrap(_caption(rows, has_links=any(links)), 150)
    foot = legend_height(entries) + 0.42 + LINE_IN * 1.2 * len(caption)
    gaps = [_LINKS_IN if between else _NO_LINKS_IN for between in links]
    body = sum(track.above + track.below + RULER_IN for track in tracks) + sum(gaps)
    ends = tracks[0].label_height + tracks[-1].label_height
    head = _HEAD_IN if title else 0.0
    sheet = Sheet(body + ends + foot + head + 3 * MARGIN_IN)
    if title:
        y = sheet.height - MARGIN_IN - head / 2
        sheet.text(MARGIN_IN, y, title, size=TITLE_PT, weight="bold")
    levels = _levels(tracks, gaps, sheet.height - MARGIN_IN - head - tracks[0].label_height)
    least = _least_identity(links)
    step = tick_step(max(row.length for row in rows), _TICKS)
    for track, y in zip(tracks, levels, strict=True):
        _draw_track(sheet, track, y, per_bp, step)
    senses: set[bool] = set()
    for at, between in enumerate(links):
        upper, lower = (_Edge(tracks[one], levels[one], per_bp) for one in (at, at + 1))
        senses |= _draw_links(sheet, upper, lower, between, least=least)
    _draw_labels(sheet, tracks[0], levels[0], upwards=True)
    _draw_labels(sheet, tracks[-1], levels[-1], upwards=False)
    sheet.legend(entries, top=foot)
    _draw_scale(sheet, foot - legend_height(entries) - 0.12, least, senses)
    for number, line in enumerate(reversed(caption)):
        sheet.text(MARGIN_IN, MARGIN_IN + (number + 0.5) * LINE_IN * 1.2, line, color=SOFT)
    return sheet.figure, len(tracks[0].labels) + len(tracks[-1].labels)


def _track(row: Row, per_bp: float, *, is_labelled: bool) -> _Track:
    features = [one for segment in row.segments for one in segment.features]
    texts: dict[int, tuple[str, Feature]] = {}
    wanted = []
    for key, feature in enumerate(features if is_labelled else ()):
        if feature.label is not None:
            texts[key] = fitted(feature.label, _WIDEST_LABEL_IN), feature
            wanted.append(Wanted(key, feature.anchor * per_bp, 0.0, feature.weight))
    gap = LINE_IN / math.sin(math.radians(_SLANT_DEGREES))
    width = row.length * per_bp
    placed = slanted(wanted, gap=gap, width=width, most_shift=_MOST_SHIFT_IN)
    return _Track(row, placed, texts, *lane_heights(features))


def _levels(tracks: Sequence[_Track], gaps: Sequence[float], top: float) -> list[float]:
    """Heights of the backbones."""
    levels = []
    for track, gap in zip(tracks, (*gaps, 0.0), strict=True):
        levels.append(top - track.above)
        top -= track.above + track.below + RULER_IN + gap
    return levels


def _least_identity(links: Sequence[Sequence[GeneLink]]) -> float:
    lowest = min((link.identity for between in links for link in between), default=0.0)
    return min(math.floor(lowest / _FINE) * _FINE, 0.95)


def _draw_track(sheet: Sheet, track: _Track, y: float, per_bp: float, step: int) -> None:
    strip = Strip(sheet, _NAMES_IN, y, 0, track.row.length, per_bp)
    for segment in track.row.segments:
        strip.backbone(segment)
        strip.features(segment)
        strip.ruler(segment, y - track.below - 0.02, step)
    names = _wrapped(track.row.genome.title, _NAMES_IN - MARGIN_IN - _NAME_GAP_IN)
    lines = [(line, "bold") for line in names]
    lines += [(f"{track.row.genome.length:,} bp", "normal")]
    lines += [(line, "normal") for line in textwrap.wrap(track.row.words, _NAME_CHARS + 4)]
    top = y + len(lines) * LINE_IN / 2
    for number, (line, weight) in enumerate(lines):
        size = _NAME_PT if weight == "bold" else SMALL_PT - 0.5
        options = {"size": size, "weight": weight}
        sheet.text(MARGIN_IN, top - (number + 0.5) * LINE_IN, line, **options)


def _wrapped(name: str, room: float) -> list[str]:
    """A name in lines of at most so many inches; a word that is longer is cut."""
    lines: list[str] = []
    for word in name.split():
        longer = f"{lines[-1]} {word}" if lines else ""
        if longer and text_width(longer, _NAME_PT, bold=True) <= room:
            lines[-1] = longer
        else:
            lines.append(fitted(word, room, _NAME_PT, bold=True))
    return lines


def _draw_links(
    sheet: Sheet, above: _Edge, below: _Edge, links: Sequence[GeneLink], *, least: float
) -> set[bool]:
    """Links, the most identical ones on top; whether some are of the same direction, or not."""
    senses = set()
    firsts = {one.id: one for one in above.track.genes}
    seconds = {one.id: one for one in below.track.genes}
    top = above.y - above.track.below - RULER_IN - _BLANK_IN / 2
    bottom = below.y + below.track.above + _BLANK_IN / 2
    half = (top - bottom) / 2
    move = Affine2D().translate(0, bottom + half) + sheet.axes.transData
    for link in sorted(links, key=lambda one: (one.identity, one)):
        if link.first not in firsts or link.second not in seconds:
            continue
        upper, lower = firsts[link.first], seconds[link.second]
        is_same = upper.strand == lower.strand
        senses.add(is_same)
        stretches = (*_largest(upper, above.track.row), *_largest(lower, below.track.row))
        ends = [_NAMES_IN + at * above.per_bp for at in stretches]
        if not is_same:
            ends[2], ends[3] = ends[3], ends[2]
        colour = link_colour(link.identity, least, is_same=is_same)
        style = {"fc": colour, "ec": "none", "alpha": _ALPHA, "zorder": 0.5}
        sheet.axes.add_patch(Link(*ends, ylim=(-half, half), transform=move, **style))
    return senses


def _largest(gene: Feature, row: Row) -> tuple[int, int]:
    """A gene in its row; of one that the end of a circle cuts in two, the larger piece."""
    segment = next(one for one in row.segments if one.offset <= gene.start < one.end)
    behind = gene.end - segment.end
    if behind > segment.end - gene.start:
        return segment.offset, segment.offset + behind
    return gene.start, min(gene.end, segment.end)


def link_colour(identity: float, least: float, *, is_same: bool) -> str:
    """The colour of a link: pale at the least identity, dark for identical proteins."""
    share = (identity - least) / (1 - least)
    return mixed(SAME_STRAND if is_same else OTHER_STRAND, share)


def _draw_labels(sheet: Sheet, track: _Track, y: float, *, upwards: bool) -> None:
    leaders = []
    base = y + track.above + _LEADER_IN if upwards else y - track.below - RULER_IN - _LEADER_IN
    for label in track.labels:
        text, feature = track.texts[label.key]
        x, foot = _NAMES_IN + label.x, _NAMES_IN + label.foot
        lane = LANE_IN * (feature.lane + 1)
        if upwards:
            start = y + (lane if feature.strand > 0 else 0.01)
            leaders.append([(foot, start), (foot, y + track.above), (x, base - 0.01)])
        else:
            leaders.append([(foot, base + _LEADER_IN), (x, base + 0.01)])
        turn = _SLANT_DEGREES if upwards else -_SLANT_DEGREES
        options = {"rotation": turn, "rotation_mode": "anchor", "ha": "left"}
        room = (sheet.width - MARGIN_IN - x) / math.cos(math.radians(_SLANT_DEGREES))
        sheet.text(x, base + (0.02 if upwards else -0.02), fitted(text, room), **options)
    sheet.lines(leaders)


def _draw_scale(sheet: Sheet, y: float, least: float, senses: set[bool]) -> None:
    """The shades of identity, for genes read in the same and in opposite directions."""
    if not senses:
        sheet.text(MARGIN_IN, y, "No two genes correspond.", color=SOFT)
        return
    x = MARGIN_IN
    texts = {True: "same direction", False: "opposite directions"}
    for is_same in sorted(senses, reverse=True):
        word = f"identity of proteins, {texts[is_same]}"
        sheet.text(x, y, word)
        x += text_width(word) + 0.08
        left = f"{least:.0%}"
        sheet.text(x, y, left, color=SOFT)
        x += text_width(left) + 0.04
        width = _SCALE_IN / _SCALE_STEPS
        for number in range(_SCALE_STEPS):
            identity = least + (1 - least) * number / (_SCALE_STEPS - 1)
            colour = link_colour(identity, least, is_same=is_same)
            box = Rectangle(
                (x + number * width, y - 0.04), width, 0.08, lw=0, fc=colour, alpha=_ALPHA
            )
            sheet.axes.add_patch(box)
        x += _SCALE_IN + 0.04
        sheet.text(x, y, "100%", color=SOFT)
        x += text_width("100%") + 0.2


def _caption(rows: Sequence[Row], *, has_links: bool) -> str:
    """What links are, and which genomes are drawn otherwise than in their files."""
    text = "Numbers on rulers are places in the files."
    if has_links:
        text = (
            "Links join genes whose proteins are each other's best match (E at most 0.001, over "
            f"at least half of both). {text}"
        )
    turned = [f"{row.genome.title}: {row.words}" for row in rows if row.words]
    return f"{text} Turned to fit: {'; '.join(turned)}." if turned else text
