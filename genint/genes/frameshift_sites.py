"""Bases at which ribosomes slip, and where the frame leads that they slip into.

Plain sequence: which genes slip, and how surely, is decided in :mod:`frameshift`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from genint.model.genome import Contig, Gene, Topology
from genint.model.interval import Interval, Location, Part, Strand
from genint.model.sequence import (
    START_CODONS,
    extract,
    reverse_complement,
    start_codons,
    stop_codons,
)

BEYOND_BP = 3_000
"""Bases behind a gene that the other frame is followed into."""
_HEPTAMER_BP = 7
_MINUS_ONE = re.compile(r"(?=(([ACGT])\2\2([ACGT])\3\3[ACGT]|GGGGGAA|GGTTTTC))")
"""X XXY YYZ, read in frame: both transfer RNAs find the same bases one step back. The other two
let only one of them do so and are known from single places: GGGGGAA of mycobacteriophage L5 and
its relatives (Xu, Hendrix, Duda 2004, doi 10.1016/j.molcel.2004.09.006), GGTTTTC of T7 gene 10
(Condron, Gesteland, Atkins 1991, doi 10.1093/nar/19.20.5607)."""
_PLUS_ONE = re.compile("(?=CTTTGA)")
"""The site of prfB: CTT, then the stop codon TGA that is stepped over by one base (Craigen,
Caskey 1986, doi 10.1038/322273a0)."""
_LEADER_CODONS = range(15, 41)
_USUAL_LEADER_CODONS = 25
"""Codons in front of the slip in prfB: 25 in E. coli, 22 to 30 in others (Persson, Atkins 1998,
J Bacteriol 180:3462). The start that comes next to 25 is taken."""


class Slip(NamedTuple):
    """A change of frame, in bases from the first base of a gene as transcribed.

    Attributes:
        heptamer: The bases at which it happens.
        at: First of them; negative in front of the gene.
        first: First base of the product.
        left: Base behind the last codon that is read before the change.
        entered: First base that is read after it: ``left`` + shift.
        end: Base behind the stop codon of the frame that is entered.
    """

    heptamer: str
    at: int
    first: int
    left: int
    entered: int
    end: int

    @property
    def shift(self) -> int:
        """-1 or +1."""
        return self.entered - self.left


def backward_slips(contig: Contig, gene: Gene) -> Iterator[Slip]:
    """Every -1 slip in a gene from which an open frame leads to a stop codon.

    Args:
        contig: Where the gene lies.
        gene: Of one part, with its own stop codon.

    Cost: O(gene + 3 kb) for a gene, some 30 microseconds per kilobase.
    """
    gene_bp = len(gene.location)
    text = transcribed(contig, gene, beyond_bp=BEYOND_BP)
    stops = stop_codons(gene.translation_table)
    for match in _MINUS_ONE.finditer(text, 0, gene_bp - 3):
        at = match.start()
        left = at + _HEPTAMER_BP
        if left % 3 or left > gene_bp - 3:
            continue
        end = _next_stop(text, left - 1, stops)
        if end is not None:
            yield Slip(match.group(1), at, 0, left, left - 1, end)


def leader_slip(contig: Contig, gene: Gene) -> Slip | None:
    """The +1 slip by which a short leader in front is read into a gene; None without one.

    Args:
        contig: Where the gene lies.
        gene: Whose frame is entered; its called start may lie on either side.

    Cost: some microseconds.
    """
    before_bp = 3 * (_LEADER_CODONS.stop + 40)
    text = transcribed(contig, gene, before_bp=before_bp)
    before_bp = len(text) - len(gene.location)
    stops = stop_codons(gene.translation_table)
    for match in _PLUS_ONE.finditer(text, 0, min(len(text), before_bp + 240)):
        left = match.start() + 3
        entered = left + 1
        if (entered - before_bp) % 3:
            continue
        if _next_stop(text[: before_bp + 3], entered, stops) is not None:
            continue
        first = _leader_start(text, left, gene.translation_table)
        if first is not None:
            places = (match.start(), first, left, entered, len(text))
            return Slip(text[match.start() : entered + 3], *(at - before_bp for at in places))
    return None


def _leader_start(text: str, left: int, table: int) -> int | None:
    """The start codon from which the usual number of codons leads to ``left``."""
    stops, starts = stop_codons(table), start_codons(table) & START_CODONS
    found: list[tuple[int, int]] = []
    for codons in range(1, _LEADER_CODONS.stop):
        at = left - 3 * codons
        codon = text[at : at + 3] if at >= 0 else ""
        if not codon or codon in stops:
            break
        if codons in _LEADER_CODONS and codon in starts:
            found.append((abs(codons - _USUAL_LEADER_CODONS) + 100 * (codon != "ATG"), at))
    return min(found)[1] if found else None


def _next_stop(text: str, start: int, stops: frozenset[str]) -> int | None:
    """Base behind the first stop codon from ``start`` on; None where the text ends before."""
    for at in range(start, len(text) - 2, 3):
        if text[at : at + 3] in stops:
            return at + 3
    return None


def transcribed(contig: Contig, gene: Gene, *, before_bp: int = 0, beyond_bp: int = 0) -> str:
    """A gene and bases around it, as transcribed; fewer where a line ends."""
    span = gene.span
    left_bp, right_bp = (
        (before_bp, beyond_bp) if gene.strand is Strand.FORWARD else (beyond_bp, before_bp)
    )
    bases = contig.bases
    start, end = span.start - left_bp, span.end + right_bp
    if contig.topology is Topology.CIRCULAR:
        spare_bp = len(bases) - len(span)
        start, end = max(start, span.start - spare_bp), min(end, span.end + spare_bp)
        text = "".join(_turns(bases, start, end))
    else:
        text = bases[max(start, 0) : end]
    return text if gene.strand is Strand.FORWARD else reverse_complement(text)


def _turns(bases: str, start: int, end: int) -> Iterator[str]:
    """The bases of a circle between two unrolled places, cut where the file begins."""
    while start < end:
        low = start % len(bases)
        piece = bases[low : low + end - start]
        yield piece
        start += len(piece)


def product_location(contig: Contig, gene: Gene, slip: Slip) -> Location:
    """Both parts of the product of a slip, in the order of transcription."""
    return Location(
        (
            Part(_on_contig(contig, gene, slip.first, slip.left), gene.strand),
            Part(_on_contig(contig, gene, slip.entered, slip.end), gene.strand),
        )
    )


def site_of(contig: Contig, gene: Gene, slip: Slip) -> Interval:
    """Where the bases lie at which a slip happens."""
    return _on_contig(contig, gene, slip.at, slip.at + len(slip.heptamer))


def product_bases(contig: Contig, gene: Gene, slip: Slip) -> str:
    """The codons of the product, its stop codon included."""
    return extract(contig.bases, product_location(contig, gene, slip))


def _on_contig(contig: Contig, gene: Gene, first: int, end: int) -> Interval:
    """A stretch of transcribed bases, counted from a gene's first, on its contig."""
    start = gene.span.start + first if gene.strand is Strand.FORWARD else gene.span.end - end
    if contig.topology is Topology.CIRCULAR:
        start %= len(contig)
    return Interval(start, start + end - first)
