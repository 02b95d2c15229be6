"""GFF3 read as its specification says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote


class Line(NamedTuple):
    """One row; attributes by tag, each with all its values."""

    seqid: str
    source: str
    kind: str
    start: int
    end: int
    score: str
    strand: str
    phase: str
    attributes: dict[str, list[str]]


def rows(text: str) -> Iterator[Line]:
    """Every row of a feature, unescaped."""
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        seqid, source, kind, start, end, score, strand, phase, ninth = line.split("\t")
        pairs = (pair.split("=") for pair in ninth.split(";"))
        attributes = {tag: [unquote(one) for one in value.split(",")] for tag, value in pairs}
        yield Line(
            unquote(seqid), source, kind, int(start), int(end), score, strand, phase, attributes
        )


def parts_of(text: str) -> dict[str, list[Line]]:
    """Rows of coding parts by gene, in the order of the file."""
    found: dict[str, list[Line]] = {}
    for line in rows(text):
        if line.kind in {"CDS", "pseudogenic_CDS"}:
            found.setdefault(line.attributes["ID"][0].removeprefix("cds-"), []).append(line)
    return found
