"""What a search found on a contig, before it has an id."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from genint.model.interval import Interval, Strand


class FoundRna(NamedTuple):
    """An RNA gene.

    Attributes:
        interval: 0-based half-open on the contig; over the origin of a circle unrolled.
        kind: INSDC feature key: tRNA, tmRNA, rRNA, ncRNA, regulatory or misc_feature.
        product: Such as ``tRNA-Met``.
        method: Program and version.
        score: Of that program.
        score_unit: What the score is.
        insdc_class: ``/ncRNA_class`` of an ncRNA, ``/regulatory_class`` of a regulatory
            stretch; None for others.
        anticodon: Of a tRNA, 5' to 3' as DNA, upper case.
        accession: Of the model that recognises it.
        note: What else is to be said, in one sentence.
        clan: Group of Rfam families of which one takes a place; None for others.
        partial_5: The 5' end lies beyond the end of the contig.
        partial_3: The 3' end does.
    """

    interval: Interval
    strand: Strand
    kind: str
    product: str
    method: str
    score: float
    score_unit: str
    insdc_class: str | None = None
    anticodon: str | None = None
    accession: str | None = None
    note: str | None = None
    clan: str | None = None
    partial_5: bool = False
    partial_3: bool = False


class FoundArray(NamedTuple):
    """A CRISPR array.

    Attributes:
        interval: From the first base of the first repeat to the last of the last.
        repeat: Consensus of the repeats, forward strand of the contig.
        repeats: How many.
        spacers: Bases between them, in forward order.
        method: Program and version.
    """

    interval: Interval
    repeat: str
    repeats: int
    spacers: tuple[str, ...]
    method: str


def by_position(found: Iterable[FoundRna]) -> tuple[FoundRna, ...]:
    """RNA genes, each once, in the order in which they lie on the contig."""
    return tuple(sorted(set(found), key=lambda gene: (*gene[:4], -gene.score)))


def as_text(found: Sequence[FoundRna] | Sequence[FoundArray]) -> str:
    """What a search found as text, to be kept."""
    rows = [[each.interval.start, each.interval.end, *each[1:]] for each in found]
    return json.dumps(rows, separators=(",", ":"))


def rna_of_text(text: str) -> tuple[FoundRna, ...]:
    """RNA genes of such a text."""
    return tuple(
        FoundRna(Interval(start, end), Strand(strand), *rest)
        for start, end, strand, *rest in json.loads(text)
    )


def arrays_of_text(text: str) -> tuple[FoundArray, ...]:
    """CRISPR arrays of such a text."""
    return tuple(
        FoundArray(Interval(start, end), repeat, repeats, tuple(spacers), method)
        for start, end, repeat, repeats, spacers, method in json.loads(text)
    )
