"""What a rescued frame scored, in the words that all reports share."""

from __future__ import annotations

from genint.model.rescue import HeldOut, RescueKind
from genint.model.shares import percent


def place_words(kind: RescueKind, host: str | None, overlap: float, *, same_strand: bool) -> str:
    """How a frame lies to the genes that the gene finder calls.

    Such as ``lies 100% inside X in another reading frame, on the same strand``.

    Args:
        kind: How it lies.
        host: Name of the gene that it shares most bases with.
        overlap: Share of its bases inside that gene, 0..1.
        same_strand: Read in the direction of that gene.
    """
    if host is None or (kind is RescueKind.INTERGENIC and not overlap):
        return "lies between the genes that the gene finder calls"
    if kind is RescueKind.INTERNAL_START:
        return f"has the reading frame and the stop of {host}, and a start further in"
    frame = (
        "in another reading frame, on the same strand" if same_strand else ("on the other strand")
    )
    if kind is RescueKind.NESTED:
        return f"lies {percent(overlap)} inside {host}, {frame}"
    return f"shares {percent(overlap)} of its bases with {host}, {frame}"


def probability_words(probability: float, held_out: HeldOut | None) -> str:
    """What the probability of a rescued gene means, and how often such ones held."""
    told = f"probability {probability:.2f} that it is a gene"
    return f"{told} ({held_out_words(held_out)})" if held_out is not None else told


def held_out_words(held_out: HeldOut) -> str:
    """How often such probabilities held."""
    low, high, genes, frames = held_out
    return (
        f"of {frames} frames told {low:.1f} to {high:.1f} in genomes that were held out of the"
        f" fit, {genes} are genes of the record"
    )


def start_words(first: int, length_aa: int, codon: str, motif: str | None, share: float) -> str:
    """An alternative start with what is seen of it.

    Args:
        first: Its base, 1-based on the forward strand.
        length_aa: Residues of the shorter product.
        codon: Such as ATG.
        motif: Ribosome binding site, None where none was seen.
        share: Length as a share of the gene's, 0..1.
    """
    site = f"ribosome binding site {motif}" if motif else "no ribosome binding site seen"
    return f"base {first} ({codon}, {site}): {length_aa} amino acids, {percent(share)} of the gene"


def shift_words(shift: int) -> str:
    """Which way ribosomes slip."""
    return "one base back (-1)" if shift < 0 else "one base on (+1)"
