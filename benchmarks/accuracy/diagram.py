"""Reliability diagrams: predicted scores against the share that was right, with counts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks.accuracy.figures import BINS, Bin, Share
from benchmarks.accuracy.results import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WIDTH_INCHES = 4.2
_HEIGHT_INCHES = 5.0
_BLUE, _GREY = "#2a5d8f", "#8c8c8c"


class Panel(NamedTuple):
    """Scores of one kind, and how they held."""

    title: str
    bins: Sequence[Bin]


def write_diagram(pools: Sequence[Result], title: str, path: Path) -> None:
    """A panel for each result: share right by score, with how many claims each bin has.

    Args:
        pools: Results with scores, all of one regime.
        title: Above the panels.
        path: An SVG, the same bytes for the same figures.

    Cost: 1 s, and matplotlib to load.
    """
    panels = [
        Panel(
            f"{one.contender.label}\n{one.genome}: calibration error {one.names.error:.3f}",
            one.names.bins,
        )
        for one in pools
    ]
    write_panels(panels, title, path)


def write_panels(
    panels: Sequence[Panel], title: str, path: Path, *, width_inches: float = _WIDTH_INCHES
) -> None:
    """The same of any scores.

    Args:
        panels: Side by side.
        title: Above them.
        path: An SVG, the same bytes for the same figures.
        width_inches: Of a panel.
    """
    import matplotlib as mpl  # noqa: PLC0415 - late: takes a second, and only diagrams need it

    mpl.use("svg")
    from matplotlib import pyplot as plt  # noqa: PLC0415 - once the way of drawing is chosen

    # Text stays text, and the same figures give the same bytes.
    fixed: Any = {"svg.fonttype": "none", "svg.hashsalt": "genint", "font.size": 9}
    with mpl.rc_context(fixed):
        figure, axes = plt.subplots(
            2,
            len(panels),
            figsize=(width_inches * len(panels), _HEIGHT_INCHES),
            height_ratios=(3, 1),
            sharex=True,
            squeeze=False,
            layout="constrained",
        )
        for at, panel in enumerate(panels):
            _draw_shares(axes[0][at], panel.bins)
            _draw_counts(axes[1][at], panel.bins)
            axes[0][at].set_title(panel.title)
        axes[0][0].set_ylabel("share that was right")
        axes[1][0].set_ylabel("claims")
        figure.suptitle(title)
        figure.savefig(path, format="svg", metadata={"Date": None})
        plt.close(figure)


def _draw_shares(axes: Axes, bins: Sequence[Bin]) -> None:
    filled = [one for one in bins if one.claims]
    predicted = [one.predicted for one in filled]
    observed = [one.observed for one in filled]
    intervals = [Share(one.right, one.claims).interval for one in filled]
    below = [share - low for share, (low, _) in zip(observed, intervals, strict=True)]
    above = [high - share for share, (_, high) in zip(observed, intervals, strict=True)]
    axes.plot([0, 1], [0, 1], color=_GREY, linewidth=1, linestyle="--")
    axes.errorbar(
        predicted,
        observed,
        yerr=[[max(0.0, one) for one in below], [max(0.0, one) for one in above]],
        color=_BLUE,
        marker="o",
        markersize=4,
        linewidth=1,
        capsize=2,
    )
    axes.set(xlim=(0, 1), ylim=(0, 1.02))


def _draw_counts(axes: Axes, bins: Sequence[Bin]) -> None:
    bars = axes.bar(
        [one.low for one in bins],
        [one.claims for one in bins],
        width=1 / BINS,
        align="edge",
        color=_BLUE,
        edgecolor="white",
    )
    axes.bar_label(bars, [str(one.claims) if one.claims else "" for one in bins], fontsize=7)
    axes.margins(y=0.25)
    axes.set_xlabel("score")
