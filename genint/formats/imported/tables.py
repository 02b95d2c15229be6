"""Tables separated by tabs, with the line of every row, and errors that say what to do."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, TypeVar

from genint.errors import FormatError

_Value = TypeVar("_Value", int, float)
_COMMENTS = ("##", "# ")


class Row(NamedTuple):
    """One row.

    Attributes:
        source: Name of the file.
        line: 1-based.
        fields: By column.
    """

    source: str
    line: int
    fields: Mapping[str, str]

    def text(self, *columns: str) -> str:
        """The first of some columns that is filled; empty where none is."""
        for column in columns:
            value = self.fields.get(column, "").strip()
            if value not in ("", "-", "None", "NA", "nan"):
                return value
        return ""

    def whole(self, *columns: str) -> int:
        """A whole number that must be there."""
        return self._number(int, "a whole number", columns)

    def real(self, *columns: str) -> float | None:
        """A number; None where the column is not filled, or with words."""
        text = self.text(*columns)
        try:
            value = float(text)
        except ValueError:
            return None
        return value if math.isfinite(value) else None

    def _number(self, kind: Callable[[str], _Value], what: str, columns: tuple[str, ...]) -> _Value:
        text = self.text(*columns)
        try:
            return kind(text)
        except ValueError:
            reason = f"column {columns[0]} holds {text[:30]!r}, which is not {what}"
            raise self.fault(reason) from None

    def fault(self, reason: str) -> FormatError:
        """What is wrong with this row."""
        return broken(self.source, self.line, reason)


def broken(source: str, line: int | None, reason: str) -> FormatError:
    """A file that is of a known format and damaged."""
    return FormatError(
        source=source,
        line=line,
        reason=reason,
        cure="give the file as the program wrote it",
    )


def rows_of(text: str, source: str, *, columns: tuple[str, ...] = ()) -> Iterator[Row]:
    r"""The rows of a table.

    Args:
        text: With ``\n`` line ends.
        source: Name of the file, for errors.
        columns: Where it has no header; the last ones may be missing.

    Raises:
        FormatError: a row has more or fewer fields than the header.
    """
    names = list(columns)
    for line, content in enumerate(text.split("\n"), 1):
        if not content.strip() or content.startswith(_COMMENTS):
            continue
        fields = content.split("\t")
        if not names:
            names = [name.strip().lstrip("#") for name in fields]
            continue
        if columns:
            fields += [""] * (len(names) - len(fields))
        if len(fields) != len(names):
            found, due = len(fields), len(names)
            raise broken(source, line, f"has {found} columns where the header has {due}")
        yield Row(source, line, dict(zip(names, fields, strict=True)))
