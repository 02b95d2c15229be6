"""Where a gene lies, as tables and headers write it."""

from __future__ import annotations

from genint.report.result import GeneItem


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
