"""Genes that a gene finder leaves out, other starts and products of those that it calls."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from genint.model.interval import Interval, Location, Strand

_ALL = 100
_Z_95 = 1.959964
"""Standard normal deviate of a two-sided interval of 95 %."""


def percent(share: float) -> str:
    """A share in 0..1 as whole per cent, such as ``63%``.

    What is not all of it never reads ``100%``: 640 of 641 are ``99%``.
    """
    rounded = round(_ALL * share)
    return f"{rounded if share >= 1 else min(rounded, _ALL - 1)}%"


def wilson(right: int, judged: int) -> tuple[float, float]:
    """Interval of 95 % of the share ``right / judged``; (0, 1) where nothing was judged.

    Source: Wilson 1927, doi:10.1080/01621459.1927.10502953
    """
    if not judged:
        return 0.0, 1.0
    share, square = right / judged, _Z_95**2
    middle = share + square / (2 * judged)
    spread = _Z_95 * math.sqrt(share * (1 - share) / judged + square / (4 * judged**2))
    scale = 1 + square / judged
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


class RescueKind(StrEnum):
    """Position of a frame relative to the genes that the finder calls."""

    NESTED = "nested"
    """Mostly inside another gene, in another reading frame."""
    OVERLAPPING = "overlapping"
    """Its end or beginning shares bases with another gene."""
    INTERGENIC = "intergenic"
    """Between genes, but too short or too unusual for the finder."""
    INTERNAL_START = "internal_start"
    """Same frame and stop as another gene, a start further in."""


class StartPlace(StrEnum):
    """Where a start inside a gene lies in it."""

    DUAL = "dual"
    """Within eight codons of the gene's own start: a ribosome may take either."""
    LATE = "late"
    """The best ATG between a third and six tenths of the gene before its stop."""
    ELSEWHERE = "elsewhere"


class RescueTerm(NamedTuple):
    """One addend of the log-odds that a frame is a gene.

    Attributes:
        reason: What was seen, in plain words.
        log_odds: Natural logarithm of the odds that it multiplies.
    """

    reason: str
    log_odds: float


class HeldOut(NamedTuple):
    """How often such probabilities held in genomes that were left out of the fit.

    Attributes:
        low: Probabilities from here on,
        high: to below here (1 among them).
        genes: Frames of such a probability that are genes of the record.
        frames: All frames of such a probability.
    """

    low: float
    high: float
    genes: int
    frames: int


@dataclass(frozen=True, slots=True)
class Rescue:
    """Why a frame that the gene finder leaves out is a gene, or is none.

    Attributes:
        kind: Its position relative to the genes that the finder calls.
        probability: That it is a gene, 0..1, calibrated on annotated genomes.
        threshold: Probability from which it becomes a gene.
        terms: Addends, the prior first; their sum is the log-odds of ``probability``.
        host_id: The gene that it shares most bases with; None where it shares none.
        host_overlap: Share of its bases inside that gene, 0..1.
        same_strand: Read in the direction of that gene; True where there is none.
        held_out: How often such a probability held; None where that was not measured.
    """

    kind: RescueKind
    probability: float
    threshold: float
    terms: tuple[RescueTerm, ...]
    host_id: str | None = None
    host_overlap: float = 0.0
    same_strand: bool = True
    held_out: HeldOut | None = None


@dataclass(frozen=True, slots=True)
class RejectedFrame:
    """A frame, or a call of the gene finder, that came near to being a gene here.

    Attributes:
        id: What the gene would have been called.
        interval: 0-based half-open, stop codon included.
        length_aa: Residues.
        rescue: What it scored; None for calls that were dropped for an RNA gene.
        reason: Why it is no gene here, in one sentence.
    """

    id: str
    contig: str
    interval: Interval
    strand: Strand
    length_aa: int
    rescue: Rescue | None
    reason: str


@dataclass(frozen=True, slots=True)
class AlternativeStart:
    """Another start in the frame of a gene: a shorter product with the same stop.

    Attributes:
        gene_id: The gene whose stop it shares.
        interval: Of the shorter product, 0-based half-open, stop codon included.
        codon: Such as ATG.
        rbs_motif: Ribosome binding site, None where none was seen.
        start_score: Of the gene finder, log-odds in its own units.
        share: Length as a share of the gene's, 0..1.
        probability: That this product is made too, 0..1.
        reason: In plain words.
    """

    gene_id: str
    contig: str
    interval: Interval
    strand: Strand
    codon: str
    rbs_motif: str | None
    start_score: float
    share: float
    probability: float
    reason: str


@dataclass(frozen=True, slots=True)
class AlternativeProduct:
    """What ribosomes make that slip into another frame: flagged, never a gene of its own.

    Attributes:
        id: Of the product, ``<gene id>_fs``.
        gene_id: The gene in which they slip.
        joined_id: The gene whose frame they go on in; None where it is no called gene.
        location: Both parts, in the order of transcription.
        protein: Translation over the slip, without the final stop.
        shift: Bases by which the frame changes: -1 or +1.
        heptamer: Bases at which they slip, as transcribed.
        site: Where these lie, 0-based half-open.
        probability: That the product is made, 0..1.
        reason: In plain words.
    """

    id: str
    gene_id: str
    joined_id: str | None
    contig: str
    location: Location
    protein: str
    shift: int
    heptamer: str
    site: Interval
    probability: float
    reason: str


def place_words(kind: RescueKind, host: str | None, overlap: float, *, same_strand: bool) -> str:
    """Position of a frame relative to the genes that the gene finder calls.

    Such as ``lies 100% inside X in another reading frame, on the same strand``.

    Args:
        kind: Its relative position.
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
    text = f"probability {probability:.2f} that it is a gene"
    return f"{text} ({held_out_words(held_out)})" if held_out is not None else text


def held_out_words(held_out: HeldOut) -> str:
    """How often such probabilities held."""
    low, high, genes, frames = held_out
    return (
        f"of {frames} frames with a probability of {low:.1f} to {high:.1f} in genomes that were"
        f" held out of the fit, {genes} are genes of the record"
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
