"""Where a gene lies, as reports write it."""

from __future__ import annotations

from genint.report.result import GeneItem, Span


def parts_text(gene: GeneItem) -> str:
    """Places of all parts in the order of the forward strand, such as ``12-78,134-202``.

    1-based, both ends included; an end smaller than its start lies behind the origin. Each
    part has its strand in brackets where not all are on the same.
    """
    mixed = on_both_strands(gene)
    return ",".join(
        f"{part.start}-{part.end}" + (f"({part.strand})" if mixed else "") for part in gene.parts
    )


def on_both_strands(gene: GeneItem) -> bool:
    """Whether parts lie on both strands, as those of trans-spliced genes may."""
    return len({part.strand for part in gene.parts}) > 1


def transcribed(gene: GeneItem) -> tuple[Span, ...]:
    """The parts of a gene from 5' to 3'.

    Where a result lists parts on both strands without their order (schema 1.0), or with one
    that leaves parts out or says them twice, those on the strand of its 5' part come first.
    """
    if gene.part_order and sorted(gene.part_order) == list(range(len(gene.parts))):
        return tuple(gene.parts[at] for at in gene.part_order)
    first = [part for part in gene.parts if part.strand == gene.strand]
    rest = [part for part in gene.parts if part.strand != gene.strand]
    return tuple(
        part
        for parts in (first, rest)
        for part in (reversed(parts) if parts and parts[0].strand == "-" else parts)
    )


def first_base(gene: GeneItem) -> str:
    """The base of the 5' end, 1-based on the forward strand, with ``<`` or ``>`` where cut."""
    part = transcribed(gene)[0]
    if part.strand == "+":
        return f"{'<' if gene.partial_5 else ''}{part.start}"
    return f"{'>' if gene.partial_5 else ''}{part.end}"
