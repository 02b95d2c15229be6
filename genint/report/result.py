"""The result file: its models are the schema, its content the source of all formats.

``schema_version`` is 1.N: a new key raises N, and readers ignore keys that they
do not know. Nothing in it depends on the clock, the machine or the number of
workers: the same input, parameters and databases give the same bytes.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from genint.model.audit import NameVerdict
from genint.model.genome import CalledBy, Topology
from genint.model.vocabulary import Category, CogSource, ConfidenceLevel
from genint.report.result_found import (
    AlternativeProductItem,
    AlternativeStartItem,
    CrisprArrayItem,
    RejectedItem,
    RnaGeneItem,
    SearchItem,
)
from genint.report.result_parts import (
    AuditItem,
    CallItem,
    ContextItem,
    EvidenceItem,
    FeatureItem,
    GoTermItem,
    HeldOutItem,
    HypothesisItem,
    MissedItem,
    NoveltyItem,
    Part,
    RescueItem,
    RescueTermItem,
    SimilarItem,
    Span,
    StartItem,
    SupportItem,
    Term,
)
from genint.report.result_run import (
    Database,
    InputFile,
    LevelItem,
    OnlineAnswerItem,
    OnlineUseItem,
    Program,
    UsedParameters,
    Warned,
)

__all__ = [
    "AlternativeProductItem",
    "AlternativeStartItem",
    "AuditItem",
    "CallItem",
    "ContextItem",
    "CrisprArrayItem",
    "Database",
    "EvidenceItem",
    "FeatureItem",
    "GoTermItem",
    "HeldOutItem",
    "HypothesisItem",
    "InputFile",
    "LevelItem",
    "MissedItem",
    "NoveltyItem",
    "OnlineAnswerItem",
    "OnlineUseItem",
    "Program",
    "RejectedItem",
    "RescueItem",
    "RescueTermItem",
    "RnaGeneItem",
    "SearchItem",
    "SimilarItem",
    "Span",
    "StartItem",
    "SupportItem",
    "Term",
    "UsedParameters",
    "Warned",
]

SCHEMA_VERSION = "1.6"


class Counts(Part):
    """Genes per level."""

    total_genes: int
    interpreted_genes: int
    high: int
    moderate: int
    low: int
    speculative: int
    dark: int


class Record(Part):
    """One record of the file."""

    id: str
    length: int
    """Bases."""
    topology: Topology
    translation_table: int | None
    """NCBI genetic code of its genes; null where it has none."""
    description: str
    organism: str | None
    gene_calling: str | None
    """How its genes came to be: ``genbank``, or the gene finder and its mode."""
    translation_table_reason: str | None
    topology_reason: str | None
    terminal_repeat_bp: int = 0
    """Length of the stretch that is both its start and its end; 0: none."""


class ComparedItem(Part):
    """The gene of the file with the same stop codon, where annotations were ignored."""

    id: str
    product: str | None
    same_start: bool
    verdict: NameVerdict


class ComparisonItem(Part):
    """A fresh prediction held against the annotation of the file."""

    genes_in_file: int
    same_stop: int
    same_start: int
    missed: tuple[str, ...]
    extra: tuple[str, ...]
    missed_genes: tuple[MissedItem, ...] = ()
    """Genes of the file that no predicted gene was compared with, with place and product: the
    missed ones, and all but one of those that share a stop."""


class GeneItem(Part):
    """One protein-coding gene with its interpretation."""

    id: str
    name: str
    locus: str
    record: str
    start: int
    """1-based first base on the forward strand."""
    end: int
    """1-based last base; smaller than start where the gene runs over the origin."""
    strand: Literal["+", "-"]
    parts: tuple[Span, ...]
    """In the order of the forward strand."""
    part_order: tuple[int, ...] = ()
    """Positions in parts in the order of transcription; empty where that is simply the order
    of the strand."""
    trans_spliced: bool = False
    """The file says that the parts come from separate transcripts."""
    length_aa: int
    partial: bool
    """Cut off at an end of the sequence."""
    partial_5: bool = False
    """Its 5' end is cut off."""
    partial_3: bool = False
    """Its 3' end is cut off."""
    codon_start: int = Field(default=1, ge=1, le=3)
    """First base of the first whole codon, counted from the 5' end."""
    translation_table: int | None = None
    """NCBI genetic code."""
    translation: str = ""
    """The protein, without the final stop."""
    pseudo: bool
    called_by: CalledBy
    call_note: str | None
    """Why the gene is there, where that needs a word."""
    call: CallItem | None = None
    """What the gene finder measured; null for genes of the file."""
    rescue: RescueItem | None = None
    """Why a gene that the gene finder leaves out is one; null for others."""
    start_choice: StartItem | None = None
    """Null where the 5' end is cut off or the sequence is not there."""
    product: str | None
    """Product of the file, untouched."""
    protein_id: str | None
    is_dark: bool
    confidence: ConfidenceLevel
    score: float = Field(ge=0, le=1)
    function: str | None
    normalized_product: str | None
    cog_category: str | None
    cog_name: str | None
    cog_source: CogSource | None
    go_terms: tuple[str, ...]
    go: tuple[GoTermItem, ...]
    """The same terms with their names."""
    pfam_id: str | None
    category: Category | None
    reasoning: str
    """The reasoning chain, joined by newlines."""
    reasoning_chain: tuple[str, ...]
    evidence: tuple[EvidenceItem, ...]
    hypotheses: tuple[HypothesisItem, ...]
    uncertainties: tuple[str, ...]
    conflicts: tuple[str, ...]
    novelty: NoveltyItem | None
    compared: ComparedItem | None
    features: tuple[FeatureItem, ...] = ()
    """What the residues show by themselves."""
    context: ContextItem | None = None
    """What the neighbours say; null where they say nothing."""
    audit: AuditItem | None = None
    """The product of the file held against the rest of the evidence; null where the file
    has no annotation."""
    online: tuple[OnlineAnswerItem, ...] = ()
    """What became of asking each service about it; empty but in online mode."""


class OtherFeatureItem(Part):
    """A gene feature that codes for no protein we interpret."""

    id: str
    record: str
    start: int
    end: int
    strand: Literal["+", "-"]
    kind: str
    name: str | None
    reason: str


class GenintResult(Part):
    """Result of one genome file."""

    schema_version: str
    genint_version: str
    input: InputFile
    parameters: UsedParameters
    databases: tuple[Database, ...]
    programs: tuple[Program, ...] = ()
    unavailable: tuple[str, ...]
    """What was asked for or would help, and is not there."""
    warnings: tuple[Warned, ...]
    summary: Counts
    comparison: ComparisonItem | None
    """Present where the annotations of the file were ignored."""
    records: tuple[Record, ...]
    genes: tuple[GeneItem, ...]
    rna_genes: tuple[RnaGeneItem, ...]
    other_features: tuple[OtherFeatureItem, ...]
    crispr_arrays: tuple[CrisprArrayItem, ...] = ()
    searches: tuple[SearchItem, ...] = ()
    """What was searched for besides protein-coding genes, and what was not."""
    rejected: tuple[RejectedItem, ...] = ()
    """Frames that came near to being genes, and why they are none here."""
    alternative_starts: tuple[AlternativeStartItem, ...] = ()
    alternative_products: tuple[AlternativeProductItem, ...] = ()
    online: tuple[OnlineUseItem, ...] = ()
    """How each service that was to be asked answered; empty but in online mode."""
