"""Genes that a gene finder leaves out, other starts and products of those that it calls."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from genint.model.interval import Interval, Location, Strand


class RescueKind(StrEnum):
    """How a frame lies to the genes that the finder calls."""

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
        kind: How it lies to the genes that the finder calls.
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
