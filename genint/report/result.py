"""The result file: its models are the schema, its content the source of all formats.

``schema_version`` is 1.N: a new key raises N, and readers ignore keys that they
do not know. Nothing in it depends on the clock, the machine or the number of
workers: the same input, parameters and databases give the same bytes.
"""

from __future__ import annotations

import json
from typing import Literal, Self

from pydantic import Field, model_validator

from genint.model.genome import CalledBy, FileFormat, Topology
from genint.model.interpretation import NameVerdict
from genint.model.online import AnswerState, OnlineService
from genint.model.vocabulary import Category, CogSource, ConfidenceLevel, GenomeKind
from genint.report.result_gene import (
    AlternativeProductItem,
    AlternativeStartItem,
    AuditItem,
    CallItem,
    ContextItem,
    CrisprArrayItem,
    EvidenceItem,
    FeatureItem,
    GoTermItem,
    HeldOutItem,
    HypothesisItem,
    MissedItem,
    NoveltyItem,
    Part,
    RejectedItem,
    RescueItem,
    RescueTermItem,
    RnaGeneItem,
    SearchItem,
    SimilarItem,
    Span,
    StartItem,
    SupportItem,
    Term,
)


class InputFile(Part):
    """The file that was read."""

    filename: str
    """Name without folder."""
    sha256: str
    """Digest of the bytes as given, compressed or not."""
    format: FileFormat


class LevelItem(Part):
    """How often claims of a level were right for genes that were held out of the fit."""

    level: ConfidenceLevel
    regime: Literal["novel", "shipped"]
    """``novel``: relatives of the genome and what is >= 90 % identical were hidden."""
    right: int = Field(ge=0)
    """Claims that were right at the specificity that they claim."""
    full: int = Field(ge=0)
    """Of these, claims that say as much as the record; the others are wider."""
    judged: int = Field(ge=0)
    """Claims of genes whose record says something."""

    @model_validator(mode="after")
    def _is_counted(self) -> Self:
        if not self.full <= self.right <= self.judged:
            raise ValueError("more claims were right than were judged")
        return self


class UsedParameters(Part):
    """Everything besides input and databases that can change the result."""

    mode: Literal["offline", "local", "online"]
    phage: bool
    ignore_annotations: bool
    locus_tag_prefix: str | None
    confidence_parameters: str
    """Version of the confidence model."""
    confidence_basis: str = ""
    """What scores and levels were measured to mean, or that they were not."""
    genome_kind: GenomeKind | None = None
    """What the genome was taken for: confidence is calibrated for each kind. Null before 1.4."""
    confidence_mode: Literal["offline", "local", "online"] | None = None
    """The mode whose calibration the scores have: what was searched decides, not what was
    asked for. Null before 1.4."""
    levels: tuple[LevelItem, ...] = ()
    """What the levels were measured to mean for this mode and kind of genome."""
    max_identity: float | None = None
    """Share of identical positions from which entries of similarity references were left
    out; null: none were."""
    online_services: tuple[OnlineService, ...] = ()
    """Which services online mode was to ask."""
    online_timeout_s: float | None = None
    """How long asking them might take; null for the default."""


class Database(Part):
    """A reference that was consulted."""

    name: str
    version: str
    licence: str


class Program(Part):
    """A program or library that had a part in the result."""

    name: str
    version: str


class Warned(Part):
    """Something in the input that was mended or is doubtful."""

    code: str
    text: str
    record: str | None
    line: int | None


class OnlineUseItem(Part):
    """How a service that online mode was to ask answered.

    What asking cost is not in it: answers from the cache make the same result.
    """

    service: OnlineService
    releases: tuple[str, ...]
    """That answers are of, in order; several where a release came out meanwhile."""
    problem: str
    """What did not work, in words that follow the service's name; empty where all did."""
    proteins: int = Field(ge=0)
    """Distinct proteins of the genome that could be asked about."""
    answered: int = Field(ge=0)
    """Those of them that an answer came for."""


class OnlineAnswerItem(Part):
    """What became of asking a service about a gene."""

    service: OnlineService
    state: AnswerState
    """``hit``: it knows something of the protein; ``no_match``: it knows the sequence and has
    no entry or signature for it; ``not_in_database``: it does not know the sequence, which
    says nothing of the protein; ``not_asked`` and ``error``: there is no answer."""
    release: str | None
    """Of the service; null where unknown."""
    reason: str
    """Why there is no answer; empty where there is one."""
    is_stale: bool
    """From the cache although its release could not be compared with today's."""
    accessions: tuple[str, ...]
    """What was found: entries of UniProtKB; of InterPro its entries, and signatures that
    belong to none."""


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


def render_json(result: GenintResult) -> str:
    """The result as JSON text: two spaces of indent, ends with a newline.

    Keys stand in the order of the models; the same result gives the same bytes.
    """
    return result.model_dump_json(indent=2) + "\n"


def json_schema() -> str:
    """JSON Schema (draft 2020-12) of the result file, as text."""
    schema = GenintResult.model_json_schema(mode="serialization")
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"genint result {SCHEMA_VERSION}",
    }
    schema.pop("title", None)
    return json.dumps(head | schema, indent=2, ensure_ascii=False) + "\n"
