"""The reliability diagram of ``docs/confidence.md``: ``python -m documentation.reliability``.

Drawn from the table of ``training/confidence/figures.md``, so that the picture says what was
measured. The same table gives the same bytes.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

from benchmarks.accuracy.diagram import Panel, write_panels
from benchmarks.accuracy.figures import BINS, Bin

ROOT = Path(__file__).resolve().parent.parent
FIGURES = ROOT / "training" / "confidence" / "figures.md"
PICTURE = ROOT / "docs" / "images" / "reliability.svg"
_HEADING = "## Reliability (novel): told, and how often true"
_TITLE = "Genomes never seen: mean score, and the share of claims that held"
_CELL = re.compile(r"([\d.]+): ([\d.]+) \((\d+)\)")
"""Mean score, share that was true, claims."""
_WIDTH_INCHES = 2.9


def panels_of(figures: str) -> Iterator[Panel]:
    """A panel for each row of the table: mode and kind of genome.

    Raises:
        ValueError: the text has no such table.
    """
    _, found, rest = figures.partition(_HEADING)
    if not found:
        raise ValueError(f"{FIGURES} has no table of reliability")
    for line in rest.partition("\n## ")[0].splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == BINS + 2 and cells[0] in ("local", "offline"):
            mode, kind, *bins = cells
            yield Panel(f"{mode}, {kind}", [_bin(at, cell) for at, cell in enumerate(bins)])


def _bin(at: int, cell: str) -> Bin:
    found = _CELL.fullmatch(cell)
    if found is None:
        return Bin(at / BINS, (at + 1) / BINS, 0, 0.0, 0)
    mean, share, claims = float(found[1]), float(found[2]), int(found[3])
    return Bin(at / BINS, (at + 1) / BINS, claims, mean * claims, round(share * claims))


def main() -> None:
    """Write the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=PICTURE)
    options = parser.parse_args()
    panels = list(panels_of(FIGURES.read_text(encoding="utf-8")))
    write_panels(panels, _TITLE, options.output, width_inches=_WIDTH_INCHES)


if __name__ == "__main__":
    main()
