"""Parts of the result file: what is found besides genes, and what is no gene."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from genint.report.result_parts import Part, RescueItem, Span


class RnaGeneItem(Part):
    """An RNA gene, of the file or found; not counted among the genes."""

    id: str
    record: str
    start: int
    end: int
    strand: Literal["+", "-"]
    kind: str
    product: str | None
    name: str | None
    locus_tag: str | None
    pseudo: bool
    anticodon: str | None = None
    """Of a tRNA that was found, 5' to 3' as DNA."""
    method: str | None = None
    """Which search found it; null for those of the file."""
    score: float | None = None
    score_unit: str | None = None
    accession: str | None = None
    """Of the model that recognises it."""
    partial_5: bool = False
    """Its 5' end is cut off by an end of the record, or the file says so."""
    partial_3: bool = False
    """Its 3' end is."""
    note: str | None = None
    insdc_class: str | None = None
    """``/ncRNA_class`` of a found ncRNA, ``/regulatory_class`` of a regulatory stretch."""


class CrisprArrayItem(Part):
    """Direct repeats with spacers between them."""

    id: str
    record: str
    start: int
    end: int
    repeat: str
    """Consensus, forward strand."""
    repeats: int
    spacers: tuple[str, ...]
    """In forward order."""
    method: str


class SearchItem(Part):
    """What was searched for besides protein-coding genes, or why it was not."""

    what: str
    method: str | None
    """Null where nothing was searched."""
    found: int | None
    reason: str


class RejectedItem(Part):
    """A frame, or a call of the gene finder, that came near to being a gene."""

    id: str
    """What the gene would have been called."""
    record: str
    start: int
    end: int
    strand: Literal["+", "-"]
    length_aa: int
    rescue: RescueItem | None
    """Null for calls that were dropped for an RNA gene."""
    reason: str


class AlternativeStartItem(Part):
    """Another start in the frame of a gene: a shorter product with the same stop."""

    gene: str
    record: str
    start: int
    end: int
    strand: Literal["+", "-"]
    length_aa: int
    codon: str
    rbs_motif: str | None
    start_score: float
    share: float = Field(ge=0, le=1)
    """Length as a share of the gene's."""
    probability: float = Field(ge=0, le=1)
    """That this product is made too."""
    reason: str


class AlternativeProductItem(Part):
    """What ribosomes make that slip into another frame; never a gene of its own."""

    id: str
    gene: str
    """In which they slip."""
    joined: str | None
    """Gene in whose frame they go on."""
    record: str
    parts: tuple[Span, ...]
    """In the order of the forward strand."""
    length_aa: int
    translation: str
    shift: Literal[-1, 1]
    heptamer: str
    site_start: int
    site_end: int
    probability: float = Field(ge=0, le=1)
    """That the product is made."""
    reason: str
