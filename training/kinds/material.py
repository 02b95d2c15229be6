"""Pieces of bacteria without their prophages, those prophages, and phages whole and cut."""

from __future__ import annotations

import random
from collections.abc import Iterator
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


class Piece(NamedTuple):
    """A contig as it may lie in a mixed file.

    Attributes:
        group: Genus of the bacterium, or the phage: what is left out together.
        source: Of whom it is: bacterium, prophage, phage or cut phage.
        layout: Of its genes.
        bases: Of the contig.
    """

    group: str
    source: str
    layout: GeneLayout
    bases: str

    @property
    def is_phage(self) -> bool:
        """Whether it is none of a bacterium."""
        return self.source != "bacterium"


def read_pieces(data: Path) -> tuple[Piece, ...]:
    """All pieces; the same files give the same ones. Cost: 1 min on one core."""
    found = []
    for group, source, bases in (*_bacteria(data), *_phages(data)):
        layout = layout_of(bases)
        if layout is not None:
            found.append(Piece(group, source, layout, bases))
    return tuple(found)


def _bacteria(data: Path) -> Iterator[tuple[str, str, str]]:
    chance = random.Random(7)  # noqa: S311 - lengths of pieces
    for file in sorted((data / "genomes" / "prophages").glob("*.gz")):
        genus = file.name.partition("_")[0]
        for contig in read_genome(file).contigs:
            prophages = _prophages(contig)
            for start, end in prophages:
                if end - start >= _LEAST_PROPHAGE_BP:
                    yield genus, "prophage", contig.bases[start:end]
            for bases in _between(contig, prophages, chance):
                yield genus, "bacterium", bases


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
) -> Iterator[str]:
    starts = [0, *(end + _FLANK_BP for _, end in prophages)]
    ends = [*(start - _FLANK_BP for start, _ in prophages), len(contig)]
    for start, end in zip(starts, ends, strict=True):
        at = start
        while end - at >= _LEAST_PIECE_BP:
            size_bp = min(chance.randint(*_PIECE_BP), end - at)
            yield contig.bases[at : at + size_bp]
            at += size_bp


def _phages(data: Path) -> Iterator[tuple[str, str, str]]:
    for name in PHAGES:
        bases = read_genome(data / "genomes" / name).contigs[0].bases
        yield name, "phage", bases
        if len(bases) > _CUT_BP + _LEAST_PIECE_BP:
            for at in range(0, len(bases) - _CUT_BP // 2, _CUT_BP):
                yield name, "cut phage", bases[at : at + _CUT_BP]
