"""Contigs as the searches for RNA see them, their hits, and the best hit of each place."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from genint.model.genome import CrisprArray, RnaGene
from genint.model.interval import Interval, Location, Part, Strand
from genint.model.sequence import open_circle

MARGIN_BP = 10_000
"""Repeated on both sides of an opened circle: three times the longest rRNA, and twice the
longest usual CRISPR array."""
_NOT_A_BASE = re.compile("[^ACGT]")
_SAME_PLACE = 0.5
"""Share of the shorter one's bases from which two genes on one strand are one place."""
_STEP = 10
_RANK = {"rRNA": 0, "tmRNA": 1, "tRNA": 2}
"""Searches that are made for one kind of RNA know it better than a family of Rfam does; a
tRNA inside an rRNA is a fold by chance."""


class RnaHit(NamedTuple):
    """An RNA gene that a search found.

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
        note: A remark, in one sentence.
        clan: Group of Rfam families of which one takes a place; None for others.
        partial_5: The 5' end lies beyond the end of the contig.
        partial_3: The 3' end does.
        anticodon_offset: Bases of the gene in front of the anticodon, from the 5' end.
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
    anticodon_offset: int | None = None


class CrisprHit(NamedTuple):
    """A CRISPR array that the search found.

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


class ResolvedRna(NamedTuple):
    """RNA genes and CRISPR arrays of a contig, by position."""

    rna_genes: tuple[RnaGene, ...] = ()
    crispr_arrays: tuple[CrisprArray, ...] = ()


class IdSeries(NamedTuple):
    """The ids of a contig's features: ``<stem>_RNA00010`` and ``<stem>_CRISPR1``, by position.

    Attributes:
        stem: What they begin with.
        rna_genes: How many of other contigs have ids with this stem already.
        arrays: The same of CRISPR arrays.
    """

    stem: str
    rna_genes: int = 0
    arrays: int = 0

    def behind(self, found: ResolvedRna) -> IdSeries:
        """The series of the next contig with this stem."""
        genes, arrays = len(found.rna_genes), len(found.crispr_arrays)
        return IdSeries(self.stem, self.rna_genes + genes, self.arrays + arrays)


def resolve_overlaps(
    contig_id: str,
    contig_bp: int,
    ids: IdSeries,
    found: Iterable[RnaHit],
    arrays: Sequence[CrisprHit] = (),
) -> ResolvedRna:
    """Take the best of each place, and give ids.

    Args:
        contig_id: Of the contig.
        contig_bp: Its length.
        ids: Of the contig.
        found: Of all searches, in any order.
        arrays: CRISPR arrays.

    Cost: O(n * n) for n genes, a few hundred at most.
    """
    kept: list[RnaHit] = []
    for gene in sorted(by_position(found), key=_rank):
        rival = next((k for k in kept if _is_same_place(k, gene, contig_bp)), None)
        if rival is None:
            kept.append(gene)
        elif rival.kind == gene.kind == "tmRNA" and rival.accession is None:
            kept[kept.index(rival)] = rival._replace(accession=gene.accession)
    genes = (
        _with_id(gene, contig_id, contig_bp, f"{ids.stem}_RNA{number * _STEP:05d}")
        for number, gene in enumerate(by_position(kept), start=ids.rna_genes + 1)
    )
    placed = (
        CrisprArray(
            f"{ids.stem}_CRISPR{number}",
            contig_id,
            Location.simple(array.interval, Strand.FORWARD),
            array.repeat,
            array.repeats,
            array.spacers,
            array.method,
        )
        for number, array in enumerate(sorted(arrays), start=ids.arrays + 1)
    )
    return ResolvedRna(tuple(genes), tuple(placed))


@dataclass(frozen=True)
class SearchedContig:
    """A contig as the searches see it.

    Attributes:
        bases: Upper-case IUPAC DNA.
        is_circle: The ends are joined.
        code: NCBI genetic code: tRNA are named by what they read.
        opening: Where a circle is opened, the same base however the file rotates it.
    """

    bases: str
    is_circle: bool = False
    code: int = 11
    opening: int = 0

    @cached_property
    def text(self) -> str:
        """The line that is searched: A, C, G, T, and N for everything else.

        (Programs differ in what they make of other letters, and ambiguous ones are no
        evidence for anything.)
        """
        bases = _NOT_A_BASE.sub("N", self.bases)
        if not self.is_circle:
            return bases
        return open_circle(bases, self.opening, self.margin_bp)

    @property
    def margin_bp(self) -> int:
        """Bases repeated on either side; 0 for a line."""
        return min(MARGIN_BP, len(self.bases)) if self.is_circle else 0

    def place(self, start: int, end: int) -> Interval | None:
        """Where a stretch of the text lies on the contig; None for another copy of it."""
        if not self.is_circle:
            return Interval(start, end)
        return Interval.on_circle(
            start,
            end,
            contig_bp=len(self.bases),
            opening=self.opening,
            margin_bp=self.margin_bp,
        )

    def at_edge(self, position: int) -> bool:
        """Whether the contig ends here: 0 or its length, and it is a line."""
        return not self.is_circle and position in {0, len(self.bases)}


def by_position(found: Iterable[RnaHit]) -> tuple[RnaHit, ...]:
    """RNA genes, each once, in the order in which they lie on the contig."""
    return tuple(sorted(set(found), key=lambda gene: (*gene[:4], -gene.score)))


def as_text(found: Sequence[RnaHit] | Sequence[CrisprHit]) -> str:
    """What a search found as text, to be kept."""
    rows = [[each.interval.start, each.interval.end, *each[1:]] for each in found]
    return json.dumps(rows, separators=(",", ":"))


def rna_of_text(text: str) -> tuple[RnaHit, ...]:
    """RNA genes of such a text."""
    return tuple(
        RnaHit(Interval(start, end), Strand(strand), *rest)
        for start, end, strand, *rest in json.loads(text)
    )


def arrays_of_text(text: str) -> tuple[CrisprHit, ...]:
    """CRISPR arrays of such a text."""
    return tuple(
        CrisprHit(Interval(start, end), repeat, repeats, tuple(spacers), method)
        for start, end, repeat, repeats, spacers, method in json.loads(text)
    )


def _rank(gene: RnaHit) -> tuple[int, int, float]:
    """Best first; what has no accession was found by its fold (tmRNA)."""
    is_of_rfam = gene.clan is not None or (gene.accession is not None and gene.kind != "rRNA")
    return int(is_of_rfam), _RANK.get(gene.kind, len(_RANK)), -gene.score


def _is_same_place(one: RnaHit, other: RnaHit, contig_bp: int) -> bool:
    if one.strand is not other.strand and "rRNA" not in {one.kind, other.kind}:
        return False  # an antisense RNA and its target are two genes
    shared_bp = one.interval.overlap_on_circle_bp(other.interval, contig_bp)
    return shared_bp >= _SAME_PLACE * min(len(one.interval), len(other.interval))


def _anticodon_place(gene: RnaHit, contig_bp: int) -> Interval | None:
    """Where the anticodon lies, in the coordinates of the forward strand."""
    if gene.anticodon is None or gene.anticodon_offset is None:
        return None
    start = gene.interval.start + gene.anticodon_offset
    if gene.strand is Strand.REVERSE:
        start = gene.interval.end - gene.anticodon_offset - len(gene.anticodon)
    start = start - contig_bp if start >= contig_bp else start
    return Interval(start, start + len(gene.anticodon))


def _with_id(gene: RnaHit, contig_id: str, contig_bp: int, gene_id: str) -> RnaGene:
    return RnaGene(
        id=gene_id,
        contig=contig_id,
        location=Location(
            (Part(gene.interval, gene.strand),),
            partial_5=gene.partial_5,
            partial_3=gene.partial_3,
        ),
        kind=gene.kind,
        product=gene.product,
        anticodon=gene.anticodon,
        anticodon_place=_anticodon_place(gene, contig_bp),
        method=gene.method,
        score=gene.score,
        score_unit=gene.score_unit,
        accession=gene.accession,
        note=gene.note,
        insdc_class=gene.insdc_class,
    )
