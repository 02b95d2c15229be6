"""Models of the result file for what is said of a gene: evidence, hypotheses, its call."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from genint.model.evidence import FeatureKind
from genint.model.interpretation import AuditVerdict, StatementKind
from genint.model.rescue import RescueKind
from genint.model.vocabulary import (
    Category,
    ConfidenceLevel,
    EvidenceSource,
    EvidenceType,
    GoAspect,
    Specificity,
)
from genint.report.result_run import Part


class Term(Part):
    """One addend of a score."""

    reason: str
    """Evidence, or rule, that adds it."""
    log_odds: float
    """What it adds to the sum."""
    evidence: int | None = None
    """Position in the gene's evidence list of the observation that it is the weight of."""


class GoTermItem(Part):
    """A Gene Ontology term; the name is empty where no source gave one."""

    id: str
    """Such as GO:0003677."""
    name: str
    """Of the term."""
    aspect: GoAspect | None = None
    """Which of the three ontologies; null where no source says."""


class SupportItem(Part):
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
    """Share of the weight of all names that supports this name."""
    informative: float = Field(ge=0, le=1)
    """Share of the members with a name that says something."""
    margin_bits: float
    """Score above the family's threshold."""
    is_member: bool
    """This very protein is one of the agreeing members."""


class SimilarItem(Part):
    """A protein of a reference that the gene's protein is like."""

    name: str
    """As the reference has it."""
    organism: str
    """Empty where the reference does not say."""
    length_aa: int
    """Amino acids of that protein."""
    identity: float | None = Field(ge=0, le=1)
    """Share of identical positions of the alignment."""
    start: int | None
    """First aligned residue of that protein, 1-based."""
    end: int | None
    """Its last one, inclusive."""
    existence: int | None = None
    """UniProt's level of protein existence, 1 (seen) to 5 (uncertain)."""


class EvidenceItem(Part):
    """One observation."""

    label: str
    """The observation as one line."""
    source: EvidenceSource
    """Kind of search or file that it comes from."""
    conf: float = Field(ge=0, le=1)
    """How often a claim of this kind and strength is right without further evidence."""
    type: EvidenceType
    """Independent type that it counts as: the same type counts once."""
    claim: str
    """What it says of the gene."""
    specificity: Specificity
    """Whether it names the whole protein, a domain, a family or a class."""
    strength: str
    """Reliability class."""
    database: str | None
    """With its release."""
    accession: str | None
    """Of the entry or profile."""
    evalue: float | None
    """Expected number of such hits by chance."""
    bits: float | None
    """Score of the hit, bits."""
    threshold_bits: float | None
    """Score that the family asks for, bits."""
    coverage: float | None
    """Share of the protein covered, 0..1."""
    target_coverage: float | None
    """Share of the profile, or of the similar protein, covered, 0..1."""
    protein_start: int | None
    """1-based first residue that matches."""
    protein_end: int | None
    """Last residue that matches."""
    eco: str | None
    """Term of the Evidence and Conclusion Ontology."""
    origin: str
    """Observations of one origin count once."""
    product: str | None = None
    """Term of genint's product vocabulary that the claim is; null where it is none."""
    support: SupportItem | None = None
    """Of a family of genint's own; null for other observations."""
    similar: SimilarItem | None = None
    """Which protein is similar; null for other observations."""


class HypothesisItem(Part):
    """One possible function, ranked."""

    function: str
    """As a phrase."""
    score: float = Field(ge=0, le=1)
    """Probability that it holds, 0..1."""
    level: ConfidenceLevel
    """Of the score."""
    specificity: Specificity
    """Whether it names the whole protein, a domain, a family or a class."""
    verdict: str
    """Why it leads, or why it lost."""
    terms: tuple[Term, ...]
    """Addends of the log-odds behind the score."""
    evidence: tuple[int, ...]
    """Positions in the gene's evidence list."""


class NoveltyItem(Part):
    """What is known of a dark gene."""

    priority: float = Field(ge=0, le=1)
    """Research priority; a ranking aid, not a probability."""
    rank: int
    """1 is the most promising dark gene of the genome."""
    reasons: tuple[str, ...]
    """What the priority rests on."""
    observations: tuple[str, ...]
    """What is known of the protein all the same."""
    neighbours: tuple[str, ...]
    """Genes beside it, with their functions."""
    next_step: str
    """The first of the next steps."""
    next_steps: tuple[str, ...] = ()
    """What to do about it, in this order: further searches, then experiments. Empty before 1.7."""


class PeptideItem(Part):
    """A peptide that mass spectrometry saw."""

    residues: str
    """As mass spectrometry saw them."""
    start: int
    """Its first residue in the protein, 1-based."""
    end: int
    """Its last one, inclusive."""
    spectra: int
    """How often it was seen."""
    shows_start: bool
    """It begins where the protein does, as only its beginning can."""


class CallItem(Part):
    """What the gene finder measured; scores are log-odds in its own units."""

    total: float
    """Sum of coding and start score."""
    coding: float
    """Likeness of the codons to coding sequence."""
    start: float
    """Start codon, ribosome binding site and upstream bases together."""
    start_codon: str
    """Such as ATG; ``Edge`` where the start is cut off."""
    rbs_motif: str | None
    """Ribosome binding site; null where none was seen."""
    rbs_spacer: str | None
    """Bases between it and the start codon, such as 5-10bp; null where none was seen."""
    rbs_score: float | None
    """What that site adds to the start score."""
    confidence: float = Field(ge=0, le=1)
    """The gene finder's own probability that this is a gene."""


class StartItem(Part):
    """The start that was called, and others that the reading frame has."""

    codon: str
    """Such as ATG."""
    upstream: tuple[int, ...]
    """First bases of further ATG, GTG and TTG of the frame behind the stop codon before it,
    nearest first, 1-based on the forward strand; without any it is the longest frame."""


class FeatureItem(Part):
    """A sequence feature of the protein: an observation, no function."""

    kind: FeatureKind
    """Signal peptide, transmembrane helix and the like."""
    start: int
    """First residue, 1-based."""
    end: int
    """Last residue, inclusive."""
    score: float
    """Of the method, in its own unit."""
    method: str
    """By which it was found."""


class ContextItem(Part):
    """What the neighbours of a gene say of it: a category, never a name."""

    category: Category
    """Functional category that the neighbours speak for."""
    probability: float = Field(ge=0, le=1)
    """How often such a prediction was right for held-out genes."""
    neighbours: tuple[str, ...]
    """Neighbouring genes with their categories."""


class StatementItem(Part):
    """The most precise statement on a gene that holds as often as is promised."""

    text: str
    """A name, a class or a functional category, by ``kind``."""
    kind: StatementKind
    """What is stated."""
    right: int = Field(ge=0)
    """Of such statements on genes that were left out of the fit, those that held."""
    judged: int = Field(ge=0)
    """How many there were."""


class AuditItem(Part):
    """The product of the file held against evidence that does not come from the file."""

    verdict: AuditVerdict
    """Whether the evidence agrees with the product name of the file."""
    product: str | None
    """As submitted."""
    found: str | None
    """What the evidence says without the file."""
    score: float | None = Field(ge=0, le=1)
    """Of what was found."""
    level: ConfidenceLevel
    """Level of what was found."""
    reason: str
    """What the verdict rests on."""
    evidence: tuple[int, ...] = ()
    """Positions in the gene's evidence list of what it rests on."""


class RescueTermItem(Part):
    """One addend of the log-odds that a frame is a gene."""

    reason: str
    """What speaks for or against a gene."""
    log_odds: float
    """What it adds."""


class Span(Part):
    """One part of a gene, 1-based, both ends included."""

    start: int
    """1-based first base."""
    end: int
    """Smaller than start where the part runs over the origin."""
    strand: Literal["+", "-"]
    """`+` or `-`."""


class HeldOutItem(Part):
    """How often such probabilities held in genomes that were left out of the fit."""

    low: float
    """Probabilities from here on,"""
    high: float
    """to below here."""
    genes: int = Field(ge=0)
    """Frames of such a probability that are genes of the record."""
    frames: int = Field(ge=1)
    """All frames of such a probability."""

    @model_validator(mode="after")
    def _is_counted(self) -> Self:
        if self.genes > self.frames:
            raise ValueError("more frames were genes than there are")
        return self


class RescueItem(Part):
    """Why a frame that the gene finder leaves out is a gene, or is none."""

    kind: RescueKind
    """nested in another gene, or left out by the gene finder."""
    probability: float = Field(ge=0, le=1)
    """That it is a gene; calibrated on annotated genomes."""
    threshold: float = Field(ge=0, le=1)
    """Probability from which it becomes a gene."""
    terms: tuple[RescueTermItem, ...]
    """Addends of the log-odds of the probability, the prior first."""
    host: str | None
    """Gene that it shares most bases with."""
    host_overlap: float = Field(ge=0, le=1)
    """Share of its bases inside that gene."""
    same_strand: bool
    """Read in the direction of that gene."""
    held_out: HeldOutItem | None = None
    """How often such a probability held; null where that was not measured."""
