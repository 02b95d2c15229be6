"""Tables of the bench of genes, as aligned text or as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Table:
    """Figures with a title.

    Attributes:
        title: One line.
        columns: Their heads; the first ``text_columns`` hold words, the others figures.
        rows: Cells as they are printed.
        notes: What the figures mean.
        text_columns: Columns that are set to the left.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    text_columns: int = 2


def as_text(table: Table) -> str:
    """Aligned columns under the title."""
    cells = (table.columns, *table.rows)
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [_aligned(row, widths, table.text_columns) for row in cells]
    return "\n".join([table.title, *table.notes, *lines])


def _aligned(row: Sequence[str], widths: Sequence[int], text_columns: int) -> str:
    parts = (
        cell.ljust(width) if place < text_columns else cell.rjust(width)
        for place, (cell, width) in enumerate(zip(row, widths, strict=True))
    )
    return "  ".join(parts).rstrip()


def as_markdown(table: Table) -> str:
    """A Markdown table under the title."""
    rules = ("---" if at < table.text_columns else "---:" for at in range(len(table.columns)))
    lines = (table.columns, tuple(rules), *table.rows)
    notes = "".join(f"\n{note}  " for note in table.notes)
    return f"**{table.title}**\n{notes}\n" + "\n".join(f"| {' | '.join(row)} |" for row in lines)


def share(value: float) -> str:
    """A share of 1 as it is printed."""
    return f"{value:.3f}"


def of(part: int, whole: int) -> str:
    """``3 of 5``; a dash where there are none."""
    return f"{part} of {whole}" if whole else "-"


def listed(words: Iterable[str]) -> str:
    """Words in one cell; a dash where there are none."""
    return ", ".join(words) or "-"
