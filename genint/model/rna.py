"""RNA genes, CRISPR arrays, and what was searched for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from genint.model.interval import Location


@dataclass(frozen=True, slots=True)
class RnaGene:
    """An RNA gene: never counted among the protein-coding genes.

    Attributes:
        kind: The INSDC feature key (tRNA, rRNA, tmRNA, ncRNA, ...).
        product: Such as ``tRNA-Met`` or ``16S ribosomal RNA``.
        anticodon: Of a tRNA, 5' to 3' as DNA, such as ``CAT``; None where not known.
        method: Which search found it; None for those of the user's file.
        score: Of that search; None where it gives none.
        score_unit: What the score is, such as ``bits``.
        accession: Of the model that recognises it, such as ``RF00177``.
        note: What else is to be said, in one plain sentence.
        insdc_class: INSDC's ``/ncRNA_class`` of an ncRNA that was found, or its
            ``/regulatory_class`` of a regulatory stretch (kind ``regulatory``).
    """

    id: str
    contig: str
    location: Location
    kind: str
    product: str | None = None
    locus_tag: str | None = None
    symbol: str | None = None
    pseudo: bool = False
    anticodon: str | None = None
    method: str | None = None
    score: float | None = None
    score_unit: str | None = None
    accession: str | None = None
    note: str | None = None
    insdc_class: str | None = None


@dataclass(frozen=True, slots=True)
class CrisprArray:
    """An array of direct repeats with spacers between them.

    Attributes:
        repeat: Consensus of the repeats, forward strand.
        repeats: How many.
        spacers: Their bases, in forward order.
        method: Which search found it.
    """

    id: str
    contig: str
    location: Location
    repeat: str
    repeats: int
    spacers: tuple[str, ...]
    method: str


class FeatureSearch(NamedTuple):
    """What was searched for besides protein-coding genes, or why it was not.

    Attributes:
        what: Such as ``tRNA and tmRNA``, ``rRNA``, ``other RNA``, ``CRISPR arrays``.
        method: Program and version; None where nothing was searched.
        found: How many; None where nothing was searched.
        reason: Why not, and what to do; empty where it was searched.
    """

    what: str
    method: str | None
    found: int | None
    reason: str = ""
