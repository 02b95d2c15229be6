"""Paper, fonts and files of figures: one sheet in inches, saved to the same bytes each time.

Needs matplotlib, so it is imported when a figure is drawn and not before.
"""

from __future__ import annotations

import io
import math
import os
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Final, NamedTuple

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, fontManager, get_font
from matplotlib.patches import Rectangle
from matplotlib.textpath import text_to_path

from genint.report.figures.content import GenomeMap, looks_of
from genint.report.figures.names import shortened
from genint.report.figures.palette import INK, PAPER, RNA, SOFT
from genint.report.formats import FIGURE_DPI

with mpl.rc_context():  # they change settings of matplotlib when they are loaded
    import pycirclize  # noqa: F401
    import pygenomeviz  # noqa: F401

WIDTH_IN: Final = 180 / 25.4
"""Two columns of most journals: 180 mm."""
MARGIN_IN: Final = 0.08
SMALL_PT: Final = 6.0
"""Labels, ticks, legends; few journals print less than 5 pt."""
TITLE_PT: Final = 8.0
LINE_IN: Final = 0.102
"""Height of a line of small text."""
THIN_PT: Final = 0.35
_FONT: Final = "DejaVu Sans"
_NO_TEXT: Final = re.compile("last ?resort|emoji|symbol|math|STIX", re.IGNORECASE)
"""Fonts of boxes, pictures and formulas."""
_SETTINGS: Final[dict[Any, Any]] = {
    "font.family": ["sans-serif"],
    # the font that comes with matplotlib: the same widths, so the same places, on any machine
    "font.sans-serif": [_FONT, "Arial", "Helvetica", "sans-serif"],
    "font.size": SMALL_PT,
    "svg.fonttype": "none",
    "svg.hashsalt": "genint",
    "pdf.fonttype": 42,
    "pdf.compression": 6,
    "path.simplify": False,
    "axes.unicode_minus": False,
}
_CREATOR: Final = "genint"
_OF_PDF: Final[dict[str, Any]] = {"CreationDate": None, "Creator": _CREATOR, "Producer": None}
_POINTS: Final = 72.0
_SWATCH_IN: Final = 0.17
_ENTRY_GAP_IN: Final = 0.16
_KILOBASES_FROM: Final = 100
_MEGABASES_FROM: Final = 50_000
_ROUNDING_IN: Final = 1e-6


class Entry(NamedTuple):
    """A line of the legend: a word and what it explains (a look, or the colours of a curve)."""

    word: str
    fill: str
    edge: str
    height: float = 0.075


def entries_of(genomes: Sequence[GenomeMap]) -> list[Entry]:
    """The legend of what some genomes have; RNA genes are low bars on the map too."""
    entries = [
        Entry(look.word, look.fill, look.edge, 0.04 if look is RNA else 0.075)
        for look in looks_of(genomes)
    ]
    features = (one for genome in genomes for record in genome.records for one in record.features)
    if any((one.label or "").endswith("?") for one in features):
        entries.append(Entry("?: LOW or SPECULATIVE", PAPER, PAPER))
    return entries


class Fonts(NamedTuple):
    """Families that have characters which the usual font lacks, and those that none has."""

    families: tuple[str, ...]
    missing: str


@lru_cache(maxsize=100)
def further_fonts(text: str) -> Fonts:
    """Installed fonts that a text needs besides the usual one, such as for Chinese titles.

    Cost: nothing for what the usual font has; else 1 ms for each installed font.
    """
    missing = _lacking(text, findfont(_FONT))
    families: list[str] = []
    for entry in sorted(fontManager.ttflist, key=lambda one: (one.name, one.fname)):
        if not missing:
            break
        if _NO_TEXT.search(entry.name):
            continue
        try:
            left = _lacking(missing, entry.fname)
        except (OSError, RuntimeError):  # the file is gone or broken
            continue
        if left != missing:
            families.append(entry.name)
            missing = left
    return Fonts(tuple(families), missing)


def _lacking(text: str, file: str | os.PathLike[str]) -> str:
    """The characters of a text that a font has not got, each once."""
    known = get_font(str(file)).get_charmap()
    return "".join(dict.fromkeys(c for c in text if ord(c) not in known and not c.isspace()))


@contextmanager
def settings(families: Sequence[str] = ()) -> Iterator[None]:
    """Settings under which figures are drawn and saved, whatever the user's own are.

    Args:
        families: Further fonts, for characters that the usual one lacks.
    """
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_SETTINGS | {"font.family": ["sans-serif", *families]})
        yield


@lru_cache(maxsize=20_000)
def text_width(text: str, size_pt: float = SMALL_PT, *, bold: bool = False) -> float:
    """Width of a text in inches."""
    font = FontProperties(size=size_pt, weight="bold" if bold else "normal")
    width, _, _ = text_to_path.get_text_width_height_descent(text, font, False)
    return float(width) / _POINTS


def fitted(text: str, room: float, size_pt: float = SMALL_PT, *, bold: bool = False) -> str:
    """A text that takes no more than so many inches, cut where it is longer."""
    most = len(text)
    shown = text
    while most > 1 and text_width(shown, size_pt, bold=bold) > room + _ROUNDING_IN:
        most -= 1
        shown = shortened(text, most)
    return shown


class Sheet:
    """A sheet of paper with its origin at the lower left, measured in inches."""

    def __init__(self, height: float, width: float = WIDTH_IN) -> None:
        self.width = width
        self.height = height
        self.figure = Figure(figsize=(width, height), dpi=FIGURE_DPI)
        FigureCanvasAgg(self.figure)
        self.axes = self.figure.add_axes((0, 0, 1, 1))
        self.axes.set_xlim(0, width)
        self.axes.set_ylim(0, height)
        self.axes.set_axis_off()
        self.axes.set_zorder(2)
        self.axes.patch.set_visible(False)

    def text(self, x: float, y: float, text: str, **options: Any) -> None:
        """A text; options are those of matplotlib's ``Axes.text``."""
        given: dict[str, Any] = {"size": SMALL_PT, "color": INK, "va": "center_baseline"} | options
        self.axes.text(x, y, text, parse_math=False, **given)

    def lines(
        self, lines: Sequence[Sequence[tuple[float, float]]], colour: str = SOFT, **options: Any
    ) -> None:
        """Lines through points."""
        if lines:
            given: dict[str, Any] = {"linewidths": THIN_PT, "zorder": 1} | options
            self.axes.add_collection(LineCollection(lines, colors=colour, **given))

    def legend(self, entries: Sequence[Entry], *, top: float) -> None:
        """The legend in columns from the left margin, below a height."""
        if not entries:  # a record without a gene
            return
        columns, width = _columns(entries, self.width)
        for number, entry in enumerate(entries):
            row, column = divmod(number, columns)
            x = MARGIN_IN + column * width
            y = top - (row + 0.5) * LINE_IN * 1.3
            self._swatch(entry, x, y)
            self.text(x + _SWATCH_IN + 0.05, y, entry.word)

    def _swatch(self, entry: Entry, x: float, y: float) -> None:
        height = entry.height
        style: dict[str, Any] = {"facecolor": entry.fill, "edgecolor": entry.edge, "linewidth": 0.4}
        self.axes.add_patch(Rectangle((x, y - height / 2), _SWATCH_IN, height, **style))


def _columns(entries: Sequence[Entry], width: float) -> tuple[int, float]:
    widest = max(text_width(entry.word) for entry in entries)
    needed = _SWATCH_IN + 0.05 + widest + _ENTRY_GAP_IN
    count = max(int((width - 2 * MARGIN_IN + _ENTRY_GAP_IN) // needed), 1)
    return min(count, len(entries)), needed


def legend_height(entries: Sequence[Entry], width: float = WIDTH_IN) -> float:
    """How much paper a legend takes, in inches."""
    if not entries:
        return 0.0
    return math.ceil(len(entries) / _columns(entries, width)[0]) * LINE_IN * 1.3


def tick_step(length: float, most: int) -> int:
    """Distance of ticks in bases: 1, 2 or 5 times a power of ten, at most so many ticks."""
    least = max(length / most, 1.0)
    power = 10 ** math.floor(math.log10(least))
    return int(next(step * power for step in (1, 2, 5, 10) if step * power >= least))


def tick_text(at: int, step: int) -> str:
    """A place on a ruler in bp, kb or Mb, whichever suits the distance of the ticks."""
    if step >= _MEGABASES_FROM:
        return f"{at / 1e6:g} Mb"
    return f"{at / 1e3:g} kb" if step >= _KILOBASES_FROM else f"{at:,} bp"


def saved(figure: Figure, kind: str, dpi: int = FIGURE_DPI) -> bytes:
    """A figure as the bytes of a file, the same each time: no dates, no random ids.

    Args:
        figure: Drawn under :func:`settings`, which must still hold.
        kind: ``png``, ``svg`` (text stays text) or ``pdf`` (fonts embedded).
        dpi: Of PNG; the others are vectors.
    """
    every: dict[str, dict[str, Any]] = {
        "png": {"Software": _CREATOR},
        "svg": {"Date": None, "Creator": _CREATOR},
        "pdf": _OF_PDF,
    }
    held = io.BytesIO()
    with warnings.catch_warnings():
        # Letters that no font here has stay text in SVG; others are written ? (render).
        warnings.filterwarnings("ignore", "Glyph .* missing", UserWarning)
        figure.savefig(
            held, format=kind, dpi=dpi if kind == "png" else FIGURE_DPI, metadata=every[kind]
        )
    return held.getvalue()


def saved_pages(figures: Sequence[Figure]) -> bytes:
    """Figures as pages of one PDF; otherwise as :func:`saved`."""
    held = io.BytesIO()
    with PdfPages(held, metadata=_OF_PDF) as pdf:
        for figure in figures:
            pdf.savefig(figure)
    return held.getvalue()
