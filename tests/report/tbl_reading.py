"""A reader of five-column feature tables, written after their description by the NCBI."""

from __future__ import annotations

from typing import NamedTuple


class TblFeature(NamedTuple):
    """A feature: parts as written, from 5' to 3', and its qualifiers in order."""

    record: str
    key: str
    parts: tuple[tuple[str, str], ...]
    qualifiers: tuple[tuple[str, str], ...]

    def values(self, name: str) -> list[str]:
        return [value for key, value in self.qualifiers if key == name]

    def value(self, name: str) -> str | None:
        return next(iter(self.values(name)), None)

    def bases(self) -> list[tuple[int, int, int]]:
        """Parts as 0-based start, end and strand."""
        found = []
        for first, last in self.parts:
            low, high = (int(text.strip("<>")) for text in (first, last))
            strand = 1 if low <= high else -1
            low, high = sorted((low, high))
            found.append((low - 1, high, strand))
        return found


def read_tbl(text: str) -> list[TblFeature]:
    """All features of a table; asserts that each line is one of its four kinds."""
    features: list[TblFeature] = []
    record = None
    assert text.endswith("\n")
    assert text.isascii()
    for line in text.removesuffix("\n").split("\n"):
        if line.startswith(">Feature "):
            record = line.removeprefix(">Feature ")
            assert record.split() == [record]
            continue
        assert record is not None
        cells = line.split("\t")
        if cells[:3] == ["", "", ""]:
            assert len(cells) in (4, 5), line
            last = features[-1]
            pair = (cells[3], cells[4] if len(cells) > 4 else "")
            features[-1] = last._replace(qualifiers=(*last.qualifiers, pair))
        elif len(cells) == 3:
            features.append(TblFeature(record, cells[2], ((cells[0], cells[1]),), ()))
        else:
            assert len(cells) == 2, line
            last = features[-1]
            assert not last.qualifiers
            features[-1] = last._replace(parts=(*last.parts, (cells[0], cells[1])))
    return features
