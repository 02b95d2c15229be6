"""The result file: its models are the schema, its content the source of all formats.

``schema_version`` is 1.N: a new key raises N, and readers ignore keys that they do not know.
The same input, parameters and databases give the same bytes, on any machine at any time.
"""

from __future__ import annotations

from typing import Final, Literal

from pydantic import Field

from genint.model.genome import CalledBy, Topology
from genint.model.interpretation import NameVerdict
from genint.model.online import AnswerState, OnlineService
from genint.model.vocabulary import (
    Category,
    CogSource,
    ConfidenceLevel,
    GenomeKind,
    NameBasis,
)
from genint.report.result_gene import (
    AuditItem,
    CallItem,
    ContextItem,
    EvidenceItem,
    FeatureItem,
    GoTermItem,
    HypothesisItem,
    NoveltyItem,
    PeptideItem,
    RescueItem,
    Span,
    StartItem,
    StatementItem,
)
from genint.report.result_overview import GenomeStatementItem
from genint.report.result_run import (
    Database,
    InputFile,
    Part,
    Program,
    UsedParameters,
    Warned,
)

SCHEMA_VERSION: Final = "1.10"


class MissedItem(Part):
    """A gene of the file that was not predicted where annotations were ignored."""

    id: str
    """Of the gene in the file."""
    record: str
    """Id of the record that it lies on."""
    start: int
    """1-based first base on the forward strand."""
    end: int
    """1-based last base; smaller than start where the gene runs over the origin."""
    strand: Literal["+", "-"]
    """`+` or `-`."""
    protein_id: str | None
    """Accession of the protein, as the file gives it."""
    product: str | None
    """As the file has it."""


class RnaGeneItem(Part):
    """An RNA gene, of the file or found; not counted among the genes."""

    id: str
    """Unique in the result."""
    record: str
    """Id of the record that it lies on."""
    start: int
    """1-based first base."""
    end: int
    """Last base; smaller than start over the origin of a circle."""
    strand: Literal["+", "-"]
    """`+` or `-`."""
    kind: str
    """tRNA, tmRNA, rRNA or ncRNA."""
    product: str | None
    """Such as tRNA-Leu(CAA)."""
    name: str | None
    """For display."""
    locus_tag: str | None
    """As the file gives it."""
    pseudo: bool
    """Whether it is probably not functional."""
    new_locus_tag: str | None = None
    """Locus tag by the prefix that the run was given."""
    anticodon: str | None = None
    """Of a tRNA, 5' to 3' as DNA: as it was found, or as the file has it (from 1.9 on)."""
    anticodon_start: int | None = None
    """First base of the anticodon on the forward strand. Null where not known, and before 1.9."""
    anticodon_end: int | None = None
    """Its last base; smaller than the first over the origin."""
    method: str | None = None
    """Which search found it; null for those of the file."""
    score: float | None = None
    """Score with which the search found it, in ``score_unit``."""
    score_unit: str | None = None
    """What ``score`` is measured in, such as bits."""
    accession: str | None = None
    """Of the model that recognises it."""
    partial_5: bool = False
    """Its 5' end is cut off by an end of the record, or the file says so."""
    partial_3: bool = False
    """Its 3' end is."""
    note: str | None = None
    """What else is known."""
    insdc_class: str | None = None
    """``/ncRNA_class`` of an ncRNA, of the file or found; of a regulatory stretch its
    ``/regulatory_class``."""


class CrisprArrayItem(Part):
    """Direct repeats with spacers between them."""

    id: str
    """Of the array."""
    record: str
    """Id of the record that it lies on."""
    start: int
    """1-based first base."""
    end: int
    """Last base; smaller than start over the origin of a circle."""
    repeat: str
    """Consensus, forward strand."""
    repeats: int
    """How many repeats it has."""
    spacers: tuple[str, ...]
    """In forward order."""
    method: str
    """Program that found it."""


class SearchItem(Part):
    """What was searched for besides protein-coding genes, or why it was not."""

    what: str
    """tRNA, rRNA, CRISPR and so on."""
    method: str | None
    """Null where nothing was searched."""
    found: int | None
    """How many; null where it was not searched."""
    reason: str
    """Why it was not searched."""


class RejectedItem(Part):
    """A frame, or a call of the gene finder, that came near to being a gene."""

    id: str
    """What the gene would have been called."""
    record: str
    """Id of the record that it lies on."""
    start: int
    """1-based first base."""
    end: int
    """Last base; smaller than start over the origin of a circle."""
    strand: Literal["+", "-"]
    """`+` or `-`."""
    length_aa: int
    """Amino acids of its protein."""
    rescue: RescueItem | None
    """Null for calls that were dropped for an RNA gene."""
    reason: str
    """Why it is no gene."""


class AlternativeStartItem(Part):
    """Another start in the frame of a gene: a shorter product with the same stop."""

    gene: str
    """Id of the gene."""
    record: str
    """Id of the record that it lies on."""
    start: int
    """1-based first base."""
    end: int
    """Last base; smaller than start over the origin of a circle."""
    strand: Literal["+", "-"]
    """`+` or `-`."""
    length_aa: int
    """Amino acids of its protein."""
    codon: str
    """The start codon."""
    rbs_motif: str | None
    """Ribosome binding site before it; empty where there is none."""
    start_score: float
    """Of the gene finder, log-odds in its own units."""
    share: float = Field(ge=0, le=1)
    """Length as a share of the gene's."""
    probability: float = Field(ge=0, le=1)
    """That this product is made too."""
    reason: str
    """Why it may be the true start."""


class AlternativeProductItem(Part):
    """What ribosomes make that slip into another frame; never a gene of its own."""

    id: str
    """Of the product."""
    gene: str
    """In which they slip."""
    joined: str | None
    """Gene in whose frame they go on."""
    record: str
    """Id of the record that it lies on."""
    parts: tuple[Span, ...]
    """In the order of the forward strand."""
    length_aa: int
    """Amino acids of its protein."""
    translation: str
    """Residues of the protein."""
    shift: Literal[-1, 1]
    """Bases that the ribosome slips: -1 or 1."""
    heptamer: str
    """Bases on which it slips."""
    site_start: int
    """1-based first base of the site."""
    site_end: int
    """Last base of the site."""
    probability: float = Field(ge=0, le=1)
    """That the product is made."""
    reason: str
    """Why it is expected."""


class OnlineUseItem(Part):
    """How a service answered in online mode; the same for answers from the cache."""

    service: OnlineService
    """UniProt or InterPro."""
    releases: tuple[str, ...]
    """That answers are of, in order; several where a release came out meanwhile."""
    problem: str
    """What did not work, in words that follow the service's name; empty where all did."""
    proteins: int = Field(ge=0)
    """Distinct proteins of the genome that could be queried."""
    answered: int = Field(ge=0)
    """Those of them that an answer came for."""


class OnlineAnswerItem(Part):
    """The outcome of querying a service about a gene."""

    service: OnlineService
    """UniProt or InterPro."""
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
    """Entries of UniProtKB; of InterPro its entries, and signatures that belong to none."""


class Counts(Part):
    """Genes per level."""

    total_genes: int
    """All protein-coding genes."""
    interpreted_genes: int
    """Genes with a functional hypothesis."""
    high: int
    """Genes at HIGH."""
    moderate: int
    """Genes at MODERATE."""
    low: int
    """Genes at LOW."""
    speculative: int
    """Genes at SPECULATIVE."""
    dark: int
    """Genes without a hypothesis: dark matter."""
    supported_genes: int | None = None
    """Interpreted genes with evidence beyond the file; null before 1.7."""
    file_only_genes: int | None = None
    """Interpreted genes whose hypothesis only repeats the file's name."""


class Record(Part):
    """One record of the file."""

    id: str
    """Of the sequence in the file."""
    length: int
    """Bases."""
    topology: Topology
    """linear or circular."""
    translation_table: int | None
    """NCBI genetic code of its genes; null where it has none."""
    description: str
    """Definition line."""
    organism: str | None
    """As the file names it."""
    gene_calling: str | None
    """How its genes came to be: ``genbank``, or the gene finder and its mode."""
    translation_table_reason: str | None
    """Why this genetic code was taken."""
    topology_reason: str | None
    """Why it is taken for linear or circular."""
    terminal_repeat_bp: int = 0
    """Length of the stretch that is both its start and its end; 0: none."""
    genome_kind: GenomeKind | None = None
    """What it was taken for. Null before 1.7."""
    sequence: str | None = Field(default=None, pattern="^[ACGTRYSWKMBDHVN]*$", repr=False)
    """Bases of the forward strand, upper case, IUPAC codes. Null before 1.9."""


class ComparedItem(Part):
    """The gene of the file with the same stop codon, where annotations were ignored."""

    id: str
    """Of the gene in the file."""
    product: str | None
    """Its product in the file."""
    same_start: bool
    """Whether both begin at the same codon."""
    verdict: NameVerdict
    """Whether the names agree."""


class ComparisonItem(Part):
    """A fresh prediction held against the annotation of the file."""

    genes_in_file: int
    """Protein-coding genes of the annotation that was ignored."""
    same_stop: int
    """Of these, predicted with the same stop codon."""
    same_start: int
    """Of these, with the same start codon too."""
    missed: tuple[str, ...]
    """Genes of the file that were not predicted."""
    extra: tuple[str, ...]
    """Predicted genes that the file has not."""
    missed_genes: tuple[MissedItem, ...] = ()
    """Genes of the file that no predicted gene was compared with."""


class GeneItem(Part):
    """One protein-coding gene with its interpretation."""

    id: str
    """Unique in the result: locus tag, else made of record and number."""
    name: str
    """Symbol or locus tag, for display."""
    locus: str
    """Place as one word: `record:start-end(strand)`."""
    record: str
    """Id of the record that it lies on."""
    start: int
    """1-based first base on the forward strand."""
    end: int
    """1-based last base; smaller than start where the gene runs over the origin."""
    strand: Literal["+", "-"]
    """`+` or `-`."""
    parts: tuple[Span, ...]
    """In the order of the forward strand."""
    part_order: tuple[int, ...] = ()
    """Positions in parts in the order of transcription; empty where the strand gives it."""
    trans_spliced: bool = False
    """The file says that the parts come from separate transcripts."""
    length_aa: int
    """Amino acids of its protein."""
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
    """Whether the file calls it a pseudogene."""
    called_by: CalledBy
    """Who found the gene: the file, the gene finder, the recovery of nested genes."""
    call_note: str | None
    """Why the gene is there, where that needs a word."""
    peptides: tuple[PeptideItem, ...] = ()
    """Of its protein, that mass spectrometry saw and no other place encodes. Empty before 1.9."""
    call: CallItem | None = None
    """What the gene finder measured; null for genes of the file."""
    rescue: RescueItem | None = None
    """Why a gene that the gene finder leaves out is one; null for others."""
    start_choice: StartItem | None = None
    """Null where the 5' end is cut off or the sequence is not there."""
    product: str | None
    """Product of the file, untouched."""
    new_locus_tag: str | None = None
    """Locus tag by the prefix that the run was given; it is the id too (of several products of one
    tag with a number behind it). Null where the run had none, and before 1.9."""
    protein_id: str | None
    """Accession of the protein, as the file gives it."""
    ec_numbers: tuple[str, ...] = ()
    """Enzyme numbers (EC) of the file. Empty before 1.9."""
    experiments: tuple[str, ...] = ()
    """Experiments that the file cites, and what peptides show (``EXISTENCE:mass spectrometry, 2
    peptides``). Empty before 1.9."""
    is_dark: bool
    """Not recognised with the databases that were used."""
    confidence: ConfidenceLevel
    """Level of the leading hypothesis; NONE for dark genes."""
    score: float = Field(ge=0, le=1)
    """Probability that the leading hypothesis holds, 0..1; 0 for dark genes."""
    function: str | None
    """The leading hypothesis as a phrase; null for dark genes."""
    basis: NameBasis | None = None
    """``evidence`` beyond the file supports the function, or only the ``file`` names it."""
    summary: str = ""
    """The interpretation in one sentence. Empty before 1.7."""
    normalized_product: str | None
    """The same in the wording of product names."""
    cog_category: str | None
    """Letter of the COG functional category."""
    cog_name: str | None
    """Name of that category."""
    cog_source: CogSource | None
    """What the letter rests on."""
    go_terms: tuple[str, ...]
    """Terms of the Gene Ontology."""
    go: tuple[GoTermItem, ...]
    """The same terms with their names."""
    pfam_id: str | None
    """Accession of the leading Pfam family."""
    category: Category | None
    """Functional category of genint."""
    reasoning: str
    """The reasoning chain, joined by newlines."""
    reasoning_chain: tuple[str, ...]
    """Steps from the evidence to the hypothesis, in order."""
    evidence: tuple[EvidenceItem, ...]
    """Observations, the strongest first."""
    hypotheses: tuple[HypothesisItem, ...]
    """The leading one, then those that compete."""
    uncertainties: tuple[str, ...]
    """What is not settled."""
    conflicts: tuple[str, ...]
    """Evidence that contradicts other evidence."""
    novelty: NoveltyItem | None
    """Of dark genes: priority, observations, next steps."""
    compared: ComparedItem | None
    """The gene of an ignored annotation with the same stop codon."""
    features: tuple[FeatureItem, ...] = ()
    """What the residues show by themselves."""
    context: ContextItem | None = None
    """What the neighbours say; null where they say nothing."""
    statement: StatementItem | None = None
    """Its name, else a class, else its role, whichever still holds in nine of ten genes; null
    where none does. New in 1.8."""
    audit: AuditItem | None = None
    """The product of the file held against other evidence; null without annotation."""
    online: tuple[OnlineAnswerItem, ...] = ()
    """The outcome of querying each service about it; empty but in online mode."""


class OtherFeatureItem(Part):
    """A gene feature that codes for no protein we interpret."""

    id: str
    """Unique in the result."""
    record: str
    """Id of the record that it lies on."""
    start: int
    """1-based first base."""
    end: int
    """Last base; smaller than start over the origin of a circle."""
    strand: Literal["+", "-"]
    """`+` or `-`."""
    kind: str
    """Key of the feature, such as `repeat_region`."""
    name: str | None
    """For display."""
    reason: str
    """Why it is kept beside the genes."""
    locus_tag: str | None = None
    """Of the file. Null where it has none, and before 1.9."""
    new_locus_tag: str | None = None
    """Locus tag by the prefix that the run was given."""


class GenintResult(Part):
    """Result of one genome file."""

    schema_version: str
    """Version of this layout, `1.N`; keys are only ever added."""
    genint_version: str
    """Of the program that made the result."""
    input: InputFile
    """The file that was read."""
    parameters: UsedParameters
    """Options of the run, and how the confidence was made."""
    databases: tuple[Database, ...]
    """What was searched or used, with releases and licences."""
    programs: tuple[Program, ...] = ()
    """Libraries whose version can change a result."""
    unavailable: tuple[str, ...]
    """What was requested or would help, and is missing."""
    warnings: tuple[Warned, ...]
    """Remarks on the input and the run."""
    summary: Counts
    """Counts of genes."""
    comparison: ComparisonItem | None
    """Present where the annotations of the file were ignored."""
    records: tuple[Record, ...]
    """Sequences of the file, in its order."""
    genes: tuple[GeneItem, ...]
    """Protein-coding genes, by record and place."""
    rna_genes: tuple[RnaGeneItem, ...]
    """tRNA, tmRNA, rRNA and other RNA genes."""
    other_features: tuple[OtherFeatureItem, ...]
    """Features of the file that belong to no gene."""
    crispr_arrays: tuple[CrisprArrayItem, ...] = ()
    """Arrays of repeats and spacers."""
    searches: tuple[SearchItem, ...] = ()
    """What was searched for besides protein-coding genes, and what was not."""
    rejected: tuple[RejectedItem, ...] = ()
    """Frames that came near to being genes, and why they are none here."""
    alternative_starts: tuple[AlternativeStartItem, ...] = ()
    """Start codons that may be the true ones."""
    alternative_products: tuple[AlternativeProductItem, ...] = ()
    """Proteins that a programmed frameshift makes."""
    online: tuple[OnlineUseItem, ...] = ()
    """How each service that was to be queried answered; empty but in online mode."""
    overview: tuple[GenomeStatementItem, ...] = ()
    """What is said of the records as wholes, by record and topic. Empty before 1.10."""
