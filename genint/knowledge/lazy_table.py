"""A table of which each row is read once it is asked for.

A run on one phage looks up some hundred rows of tables that have thousands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Generic, TypeVar

_Value = TypeVar("_Value")


class LazyTable(Mapping[str, _Value], Generic[_Value]):
    """Values of the rows of a table by their first column; what was read is kept.

    Args:
        lines: Rows, columns parted by tabs.
        read: Makes the value of the columns of a row.
        key: Makes the key of the first column.

    Cost: one microsecond a row, and ``read`` once for each row that is looked up.
    """

    def __init__(
        self,
        lines: Iterable[str],
        read: Callable[[tuple[str, ...]], _Value],
        key: Callable[[str], str] = str,
    ) -> None:
        self._lines = {key(line.partition("\t")[0]): line for line in lines}
        self._read = read
        self._values: dict[str, _Value] = {}

    def __getitem__(self, id: str) -> _Value:
        value = self._values.get(id)
        if value is None:
            value = self._values[id] = self._read(tuple(self._lines[id].split("\t")))
        return value

    def __contains__(self, id: object) -> bool:
        return id in self._lines

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)
