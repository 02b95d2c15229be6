"""What the ends of a contig do to its genes: copies in repeats, genes that a cut broke."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from genint.genes.finder import Call, meta_model, search
from genint.genes.shapes import SMALL_CIRCLE_BP, is_tried, terminal_repeat_bp
from genint.model.genome import Contig, Gene, ReadWarning, Topology
from genint.model.interval import Strand

MAY_BE_CIRCLE = "may_be_circle"
"""Code of the warning on a line whose ends would make a gene whole."""
_MIN_BP = 4_000
_MAX_BP = 500_000
_OVERLAP_BP = 300
"""Assemblers leave repeats of the length of their words, up to some 250 bases, on circles."""
"""Of phages and plasmids; every end of a draft bacterium cuts some gene."""
_REACH_BP = 6_000
"""Bases on either side of the join that are searched: genes of up to 6 kb over it are seen."""


def with_ends(contig: Contig) -> Contig:
    """Measure the terminal repeat of a contig and say which of its genes are there twice.

    Both copies stay: the bases are there twice, and a copy that the end of the contig
    cuts may be whole at the other end.

    Args:
        contig: With its genes, by position.

    Cost: O(length).
    """
    repeat_bp = terminal_repeat_bp(contig.bases)
    if not repeat_bp:
        return contig
    genes = _copies_noted(contig.genes, len(contig) - repeat_bp)
    return replace(contig, terminal_repeat_bp=repeat_bp, genes=genes)


def _copies_noted(genes: tuple[Gene, ...], turn_bp: int) -> tuple[Gene, ...]:
    """Genes with the same 3' end, one turn apart, know of each other."""
    by_end = {_three_prime(gene): gene for gene in genes if _has_three_prime(gene)}
    notes: dict[str, str] = {}
    for (end, strand), gene in by_end.items():
        again = by_end.get((end + turn_bp, strand))
        if again is None:
            continue
        for one, other in ((gene, again), (again, gene)):
            cut = " The end of the contig cuts this copy." if _is_cut(one) else ""
            notes[one.id] = (
                f"The same gene as {other.id}: the ends of the contig are the same bases, so"
                f" it is there twice.{cut}"
            )
    return tuple(_noted(gene, notes[gene.id]) if gene.id in notes else gene for gene in genes)


def _noted(gene: Gene, note: str) -> Gene:
    return replace(gene, note=f"{gene.note} {note}" if gene.note else note)


def _three_prime(gene: Gene) -> tuple[int, Strand]:
    forward = gene.strand is Strand.FORWARD
    return (gene.span.end if forward else gene.span.start), gene.strand


def _has_three_prime(gene: Gene) -> bool:
    return not gene.location.partial_3


def _is_cut(gene: Gene) -> bool:
    return gene.location.partial_5 or gene.location.partial_3


def end_warnings(contigs: Iterable[Contig]) -> Iterator[ReadWarning]:
    """A remark on a line whose ends, joined, would make a gene whole.

    Only where the file has one record, of 4 to 500 kb, and the search did not try the
    circle itself. Asked for is a gene of which both ends hold pieces in one frame. Measured:
    82 of 120 turns of whole phages of 38 to 52 kb (cut between genes, nothing is lost), 47 of
    60 with their first 77 bases repeated at the end; but also 37 of 315 random pieces of
    genomes, whose ends meet in one reading frame by chance. Hence a remark, and no circle.

    Args:
        contigs: Of one file, after the search.

    Cost: nothing where no gene is cut by an end; else 30 ms.
    """
    given = tuple(contigs)
    if len(given) != 1:
        return
    [contig] = given
    gene_bp = _joined_gene_bp(contig)
    if gene_bp is None:
        yield from _overlap_of_small_circle(contig)
        return
    overlap_bp = contig.terminal_repeat_bp
    less = f" (without its last {overlap_bp:,} bp, which repeat the first)" if overlap_bp else ""
    taken = "a line, as the file says" if contig.topology_stated else "taken as a line"
    yield ReadWarning(
        MAY_BE_CIRCLE,
        f"{taken}; but joined, its ends{less} would make a gene of {gene_bp:,} bp"
        " whole. If it is a circle, say so (topology=circular in the header of a FASTA file,"
        " circular in the LOCUS line of GenBank); one in eight pieces of a line looks so too",
        contig.id,
    )


def _overlap_of_small_circle(contig: Contig) -> Iterator[ReadWarning]:
    """A remark on a contig of the size of a small circular phage whose ends are the same.

    No tailed phage with terminal repeats is so small: assemblers leave such ends on circles.
    """
    repeat_bp = contig.terminal_repeat_bp
    small = len(contig) - repeat_bp in SMALL_CIRCLE_BP
    if small and 0 < repeat_bp <= _OVERLAP_BP and contig.topology is not Topology.CIRCULAR:
        yield ReadWarning(
            MAY_BE_CIRCLE,
            f"taken as a line; but both of its ends are the same {repeat_bp:,} bp, as assemblers"
            " leave on circles, and phages of this size are circles. If it is one, remove the"
            " last copy and say topology=circular in the header of the FASTA file",
            contig.id,
        )


def _joined_gene_bp(contig: Contig) -> int | None:
    """Length of the longest gene of which both ends hold pieces, in one frame; None: none."""
    calling = contig.calling
    if calling is None or contig.topology is Topology.CIRCULAR or is_tried(calling.topology_reason):
        return None
    if not _MIN_BP <= len(contig) <= _MAX_BP:
        return None
    turn_bp = len(contig) - contig.terminal_repeat_bp
    cut = [(gene.span, gene.strand) for gene in contig.genes if _is_cut(gene)]
    lasts = [(span.start - turn_bp, strand) for span, strand in cut if span.start > turn_bp // 2]
    firsts = [(span.end, strand) for span, strand in cut if span.start <= turn_bp // 2]
    if not lasts or not firsts:
        return None
    reach_bp = min(_REACH_BP, turn_bp // 2)
    text = contig.bases[turn_bp - reach_bp : turn_bp] + contig.bases[:reach_bp]
    found = search(text, meta_model(calling.translation_table)).calls
    whole = [
        len(call.interval)
        for call in found
        if not call.clipped
        and call.interval.start < reach_bp < call.interval.end
        and _goes_on(call, reach_bp, lasts, from_start=True)
        and _goes_on(call, reach_bp, firsts, from_start=False)
    ]
    return max(whole, default=None)


def _goes_on(
    call: Call, join: int, pieces: Iterable[tuple[int, Strand]], *, from_start: bool
) -> bool:
    """A call over the join is in frame with a piece of which one end is given.

    The other end of a piece is that of the contig. Ends are counted from the join.
    """
    own = (call.interval.start if from_start else call.interval.end) - join
    return any(
        strand is call.strand
        and (end - own) % 3 == 0
        and (end >= own - 3 if from_start else end <= own + 3)
        for end, strand in pieces
    )
