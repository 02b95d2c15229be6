"""The result file: its models are the schema, its content the source of all formats.

``schema_version`` is 1.N: a new key raises N, and readers ignore keys that they
do not know. Nothing in it depends on the clock, the machine or the number of
workers: the same input, parameters and databases give the same bytes.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from genint.model.genome import CalledBy, FileFormat, Topology
from genint.model.interpretation import NameVerdict
from genint.model.vocabulary import (
    Category,
    CogSource,
    ConfidenceLevel,
    EvidenceSource,
    EvidenceType,
    GoAspect,
    Specificity,
)

SCHEMA_VERSION = "1.3"


class _Part(BaseModel):
    """Base of all parts: frozen, and absent values stay as null."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)


class InputFile(_Part):
    """The file that was read."""

    filename: str
    """Name without folder."""
    sha256: str
    """Digest of the bytes as given, compressed or not."""
    format: FileFormat


class UsedParameters(_Part):
    """Everything besides input and databases that can change the result."""

    mode: Literal["offline", "local", "online"]
    phage: bool
    ignore_annotations: bool
    locus_tag_prefix: str | None
    confidence_parameters: str
    """Version of the confidence model."""
    confidence_basis: str = ""
    """What scores and levels were measured to mean, or that they were not."""
    max_identity: float | None = None
    """Share of identical positions from which entries of similarity references were left
    out; null: none were."""


class Database(_Part):
    """A reference that was consulted."""

    name: str
    version: str
    licence: str


class Program(_Part):
    """A program or library that had a part in the result."""

    name: str
    version: str


class Counts(_Part):
    """Genes per level."""

    total_genes: int
    interpreted_genes: int
    high: int
    moderate: int
    low: int
    speculative: int
    dark: int


class Record(_Part):
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


class Warned(_Part):
    """Something in the input that was mended or is doubtful."""

    code: str
    text: str
    record: str | None
    line: int | None


class Span(_Part):
    """One part of a gene, 1-based, both ends included."""

    start: int
    end: int
    """Smaller than start where the part runs over the origin."""
    strand: Literal["+", "-"]


class Term(_Part):
    """One addend of a score."""

    reason: str
    log_odds: float


class GoTermItem(_Part):
    """A Gene Ontology term; the name is empty where no source gave one."""

    id: str
    name: str
    aspect: GoAspect | None = None
    """Which of the three ontologies; null where no source says."""


class SupportItem(_Part):
    """What the name of a family of genint's own rests on."""

    members: int
    """Distinct proteins that the family was made from."""
    named_members: int
    """Those with a name that says something."""
    agreeing: int
    """Those whose name is the family's, or a narrower one."""
    records: int
    """Genomes and database entries that the members come from."""
    consensus: float = Field(ge=0, le=1)
    """Share of the weight of the names that stands behind the name."""
    informative: float = Field(ge=0, le=1)
    """Share of the members with a name that says something."""
    margin_bits: float
    """Score above the family's threshold."""
    is_member: bool
    """This very protein is one of the agreeing members."""


class SimilarItem(_Part):
    """A protein of a reference that the gene's protein is like."""

    name: str
    """As the reference has it."""
    organism: str
    """Empty where the reference does not say."""
    length_aa: int
    identity: float | None = Field(ge=0, le=1)
    """Share of identical positions of the alignment."""
    start: int | None
    """First aligned residue of that protein, 1-based."""
    end: int | None
    """Its last one, inclusive."""
    existence: int | None = None
    """UniProt's level of protein existence, 1 (seen) to 5 (uncertain)."""


class EvidenceItem(_Part):
    """One observation."""

    label: str
    source: EvidenceSource
    conf: float = Field(ge=0, le=1)
    """How often a claim of this kind and strength is right when it stands alone."""
    type: EvidenceType
    claim: str
    specificity: Specificity
    strength: str
    """Reliability class."""
    database: str | None
    accession: str | None
    evalue: float | None
    bits: float | None
    threshold_bits: float | None
    coverage: float | None
    """Share of the protein covered, 0..1."""
    target_coverage: float | None
    """Share of the profile, or of the similar protein, covered, 0..1."""
    protein_start: int | None
    protein_end: int | None
    eco: str | None
    origin: str
    """Observations of one origin count once."""
    product: str | None = None
    """Term of genint's product vocabulary that the claim is; null where it is none."""
    support: SupportItem | None = None
    """Of a family of genint's own; null for other observations."""
    similar: SimilarItem | None = None
    """Which protein is similar; null for other observations."""


class HypothesisItem(_Part):
    """One possible function, ranked."""

    function: str
    score: float = Field(ge=0, le=1)
    level: ConfidenceLevel
    specificity: Specificity
    verdict: str
    """Why it leads, or why it lost."""
    terms: tuple[Term, ...]
    """Addends of the log-odds behind the score."""
    evidence: tuple[int, ...]
    """Positions in the gene's evidence list."""


class NoveltyItem(_Part):
    """What is known of a dark gene."""

    priority: float = Field(ge=0, le=1)
    """Research priority; a ranking aid, not a probability."""
    rank: int
    """1 is the most promising dark gene of the genome."""
    reasons: tuple[str, ...]
    observations: tuple[str, ...]
    neighbours: tuple[str, ...]
    next_step: str


class ComparedItem(_Part):
    """The gene of the file with the same stop codon, where annotations were ignored."""

    id: str
    product: str | None
    same_start: bool
    verdict: NameVerdict


class ComparisonItem(_Part):
    """A fresh prediction held against the annotation of the file."""

    genes_in_file: int
    same_stop: int
    same_start: int
    missed: tuple[str, ...]
    extra: tuple[str, ...]


class GeneItem(_Part):
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


class RnaGeneItem(_Part):
    """An RNA gene of the file; not counted among the genes."""

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


class OtherFeatureItem(_Part):
    """A gene feature that codes for no protein we interpret."""

    id: str
    record: str
    start: int
    end: int
    strand: Literal["+", "-"]
    kind: str
    name: str | None
    reason: str


class GenintResult(_Part):
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
