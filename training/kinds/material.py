"""Pieces of bacteria without their prophages, those prophages, and phages whole and cut.

How their genes lie takes a minute to find out and is kept in ``layouts.tsv``, so that a test can
fit anew.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from genint.formats import read_genome
from genint.genes.gene_layout import layout_of
from genint.knowledge.contig_kinds import GeneLayout
from genint.model.genome import Contig

PHAGES = (
    "lambda_NC_001416.gb",
    "DE3_EU078592.gbk",
    "VT2Sakai_NC_000902.gbk",
    "T7_NC_001604.gb",
    "Yersinia201_16_NC_070914.gbk",
    "L5_Z18946.gb",
    "B3_NC_006548.gbk",
    "phageK_NC_005880.gbk",
    "SodalisSO1_NC_013600.gbk",
    "AcinetobacterApostate_NC_049491.gbk",
    "crAss_BK025033.fa",
    "table4_phage_SRR1747055_scaffold7.fa",
)
LAYOUTS = Path(__file__).with_name("layouts.tsv")
_HEAD = """\
# How the genes of pieces of bacteria, prophages and phages lie. Measured, not written by hand:
# python -m training.kinds
"""
_MARK = "is_phage"
_BETWEEN_GENES = 8
"""Genes without a mark that may lie inside a prophage."""
_LEAST_GENES = 6
_LEAST_PROPHAGE_BP = 8_000
_FLANK_BP = 2_000
"""Beside a prophage, left out: borders are seldom certain."""
_PIECE_BP = (20_000, 60_000)
_LEAST_PIECE_BP = 12_000
_CUT_BP = 30_000


class Stretch(NamedTuple):
    """Bases that may lie as a contig in a mixed file.

    Attributes:
        group: Genus of the bacterium, or the phage: what is left out together.
        source: Of whom it is: bacterium, prophage, phage or cut phage.
        place: Record, first and last base (1-based).
        bases: Upper-case IUPAC DNA.
    """

    group: str
    source: str
    place: str
    bases: str


class Piece(NamedTuple):
    """A stretch of which is known how its genes lie.

    Attributes:
        group: As in :class:`Stretch`.
        source: As in :class:`Stretch`.
        place: As in :class:`Stretch`.
        layout: Of its genes.
    """

    group: str
    source: str
    place: str
    layout: GeneLayout

    @property
    def is_phage(self) -> bool:
        """Whether it is none of a bacterium."""
        return self.source != "bacterium"


def read_stretches(data: Path) -> tuple[Stretch, ...]:
    """All of them; the same files give the same ones. Cost: 5 s."""
    return (*_bacteria(data), *_phages(data))


def pieces_of(stretches: Iterable[Stretch]) -> tuple[Piece, ...]:
    """Those that have at least two genes. Cost: 3 s a megabase."""
    found = []
    for one in stretches:
        layout = layout_of(one.bases)
        if layout is not None:
            found.append(Piece(one.group, one.source, one.place, layout))
    return tuple(found)


def table_of(pieces: Sequence[Piece]) -> str:
    """The text of ``layouts.tsv``, to the last digit."""
    rows: list[tuple[str, ...]] = [("group", "source", "place", *GeneLayout._fields)]
    rows += [(*one[:3], *(repr(float(value)) for value in one.layout)) for one in pieces]
    return _HEAD + "".join("\t".join(row) + "\n" for row in rows)


def read_table(text: str) -> tuple[Piece, ...]:
    """The pieces of such a table.

    Raises:
        ValueError: A value is no number.
    """
    rows = csv.reader((line for line in text.splitlines() if line[:1] != "#"), delimiter="\t")
    next(rows)
    return tuple(
        Piece(group, source, place, GeneLayout(*(float(value) for value in values)))
        for group, source, place, *values in rows
    )


def _cut(group: str, source: str, contig: Contig, start: int, end: int) -> Stretch:
    """Of a contig, from 0-based ``start`` up to ``end`` or to its last base."""
    end = min(end, len(contig))
    return Stretch(group, source, f"{contig.id}:{start + 1}-{end}", contig.bases[start:end])


def _bacteria(data: Path) -> Iterator[Stretch]:
    chance = random.Random(7)  # noqa: S311 - lengths of pieces
    for file in sorted((data / "genomes" / "prophages").glob("*.gz")):
        genus = file.name.partition("_")[0]
        for contig in read_genome(file).contigs:
            prophages = _prophages(contig)
            for start, end in prophages:
                if end - start >= _LEAST_PROPHAGE_BP:
                    yield _cut(genus, "prophage", contig, start, end)
            for start, end in _between(contig, prophages, chance):
                yield _cut(genus, "bacterium", contig, start, end)


def _prophages(contig: Contig) -> list[tuple[int, int]]:
    """Runs of genes with the mark, from the first base to the last."""
    order = sorted(contig.genes, key=lambda gene: gene.span)
    marked = [
        at
        for at, gene in enumerate(order)
        if any(value not in ("", "0") for value in gene.values(_MARK))
    ]
    runs: list[list[int]] = []
    for at in marked:
        if runs and at - runs[-1][1] <= _BETWEEN_GENES:
            runs[-1][1] = at
        else:
            runs.append([at, at])
    return [
        (order[first].span.start, order[last].span.end)
        for first, last in runs
        if last - first + 1 >= _LEAST_GENES
    ]


def _between(
    contig: Contig, prophages: list[tuple[int, int]], chance: random.Random
) -> Iterator[tuple[int, int]]:
    starts = [0, *(end + _FLANK_BP for _, end in prophages)]
    ends = [*(start - _FLANK_BP for start, _ in prophages), len(contig)]
    for start, end in zip(starts, ends, strict=True):
        at = start
        while end - at >= _LEAST_PIECE_BP:
            size_bp = min(chance.randint(*_PIECE_BP), end - at)
            yield at, at + size_bp
            at += size_bp


def _phages(data: Path) -> Iterator[Stretch]:
    for name in PHAGES:
        contig = read_genome(data / "genomes" / name).contigs[0]
        length_bp = len(contig)
        yield _cut(name, "phage", contig, 0, length_bp)
        if length_bp > _CUT_BP + _LEAST_PIECE_BP:
            for at in range(0, length_bp - _CUT_BP // 2, _CUT_BP):
                yield _cut(name, "cut phage", contig, at, at + _CUT_BP)
