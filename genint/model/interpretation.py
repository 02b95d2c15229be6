"""What genint concludes: hypotheses, interpretations, the summary of a genome."""

from __future__ import annotations

import datetime
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from genint.errors import UsageError
from genint.model.evidence import Evidence, GoTerm, SequenceFeature, is_beyond_file
from genint.model.genome import Gene, Genome
from genint.model.locus_tags import checked_prefix
from genint.model.online import OnlineService, ServiceAnswer, ServiceUse
from genint.model.overview import GenomeStatement
from genint.model.vocabulary import (
    Category,
    CogSource,
    ConfidenceLevel,
    EvidenceType,
    NameBasis,
    Specificity,
)


class AuditVerdict(StrEnum):
    """How the evidence agrees with the product that the file names."""

    CONFIRMS = "confirms"
    """The evidence, without the file, names the same function."""
    REFINES = "refines"
    """It names a narrower function of the same line, or one where the file names none."""
    CONTRADICTS = "contradicts"
    """It names a function that excludes the file's."""
    CANNOT_JUDGE = "cannot judge"
    """There is none, it is too weak, or it says too little."""


@dataclass(frozen=True, slots=True)
class Audit:
    """The product of the file held against evidence that does not come from the file.

    Attributes:
        verdict: How they agree.
        product: The product of the file as written; None where it gives none.
        found: What the evidence says without the file; None where there is none.
        score: Of ``found``, 0..1; None where there is none.
        reason: Why this verdict, one plain sentence.
        evidence: What ``found`` rests on, strongest first.
    """

    verdict: AuditVerdict
    product: str | None
    found: str | None
    score: float | None
    reason: str
    evidence: tuple[Evidence, ...] = ()

    @property
    def level(self) -> ConfidenceLevel:
        """Level of what was found."""
        return ConfidenceLevel.of(self.score)


class NameVerdict(StrEnum):
    """How a fresh interpretation agrees with the product in the file."""

    AGREES = "agrees"
    DIFFERS = "differs"
    ONLY_HERE = "only_here"
    """The file names no function, the interpretation does."""
    ONLY_IN_FILE = "only_in_file"
    NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class FileGene:
    """The gene of the file that a predicted gene was compared with.

    Attributes:
        id: Its id in the file.
        product: Its product there.
        same_start: Both ends are equal; otherwise only the stop is.
        verdict: How the names agree.
    """

    id: str
    product: str | None
    same_start: bool
    verdict: NameVerdict


@dataclass(frozen=True, slots=True)
class Comparison:
    """A fresh prediction held against the annotation of the file.

    Attributes:
        genes_in_file: Protein-coding genes of the file.
        same_stop: Of these, predicted with the same stop codon.
        same_start: Of these, with the same start too.
        missed: Ids of genes of the file that were not predicted.
        extra: Ids of predicted genes that the file does not have.
        missed_genes: Genes of the file that no predicted gene was compared with: the missed
            ones, and all but one of those that share a stop.
    """

    genes_in_file: int
    same_stop: int
    same_start: int
    missed: tuple[str, ...]
    extra: tuple[str, ...]
    missed_genes: tuple[Gene, ...] = ()


ONLY_THE_FILE: Final = "only the file names it"
"""How reports begin to say that nothing from beyond the file names a function."""


class Says(StrEnum):
    """How much an observation says of the function that a hypothesis claims."""

    NAME = "names it"
    CLASS = "names only its class"
    OTHER = "has another name, perhaps a relative's"
    IDENTIFIER = "has the file's gene symbol or EC number, but not the words of its name"
    FITS = "fits, but does not name it"


class ScoreTerm(NamedTuple):
    """One addend of a score.

    Attributes:
        reason: What it is for, in plain words.
        log_odds: Natural logarithm of the odds that it multiplies.
        evidence: The observation that it is the weight of; None for other addends.
        says: How much the observation says of the function.
    """

    reason: str
    log_odds: float
    evidence: Evidence | None = None
    says: Says = Says.NAME


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One possible function of a gene.

    Attributes:
        claim: The function, at the specificity that the evidence allows.
        subject: The bare name in it.
        specificity: How much is claimed.
        score: Probability that the claim is right, 0..1.
        terms: Addends of the log-odds behind the score, prior first.
        evidence: What supports it, strongest first.
        types: Independent types of evidence that agree on it.
        verdict: Why it leads, or why it lost.
    """

    claim: str
    subject: str
    specificity: Specificity
    score: float
    terms: tuple[ScoreTerm, ...]
    evidence: tuple[Evidence, ...]
    types: frozenset[EvidenceType]
    verdict: str = ""

    @property
    def basis(self) -> NameBasis:
        """Whether anything from beyond the file names the function too.

        What names only its class, or fits it, leaves the name to the file. A hypothesis without
        a word of the file is supported by evidence, however weakly, and so is one in the words of
        a family that one other protein has its name from, or of a gene beside it.
        """
        stated = any(item.type is EvidenceType.ANNOTATION for item in self.evidence)
        lead = self.evidence[0]
        in_other_words = lead.type is EvidenceType.GENE_CONTEXT or (
            lead.support is not None and lead.support.independent > 0
        )
        named = in_other_words or any(term.says is Says.NAME for term in self.beyond_file)
        return NameBasis.FILE if stated and not named else NameBasis.EVIDENCE

    @property
    def beyond_file(self) -> tuple[ScoreTerm, ...]:
        """Addends of observations that the file and its gene order do not give."""
        return tuple(
            term
            for term in self.terms
            if term.evidence is not None and is_beyond_file(term.evidence)
        )


@dataclass(frozen=True, slots=True)
class Classification:
    """COG, Pfam and GO of a gene, each None or empty without evidence.

    ``category`` is None where nothing at all is known.
    """

    cog_category: str | None = None
    cog_name: str | None = None
    cog_source: CogSource | None = None
    pfam_id: str | None = None
    go_terms: tuple[GoTerm, ...] = ()
    category: Category | None = None


NOT_CLASSIFIED = Classification()


@dataclass(frozen=True, slots=True)
class Interpretation:
    """What a curator signs: function, confidence, reasons, and evidence against it."""

    hypothesis: str
    confidence_score: float
    confidence_level: ConfidenceLevel
    hypotheses: tuple[Hypothesis, ...]
    reasoning: tuple[str, ...]
    uncertainties: tuple[str, ...]
    conflicts: tuple[str, ...]
    classification: Classification = NOT_CLASSIFIED

    @property
    def basis(self) -> NameBasis:
        """Whether the leading hypothesis is supported by evidence, or only the file names it."""
        return self.hypotheses[0].basis

    @property
    def reasoning_chain(self) -> list[str]:
        """The numbered steps, without their numbers."""
        return list(self.reasoning)

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """Evidence of all hypotheses, that of the leading one first."""
        return tuple(item for hypothesis in self.hypotheses for item in hypothesis.evidence)

    @property
    def metadata(self) -> dict[str, object]:
        """COG, Pfam, GO and category by name, for programs."""
        found = self.classification
        return {
            "cog_category": found.cog_category,
            "cog_name": found.cog_name,
            "cog_source": found.cog_source.value if found.cog_source else None,
            "pfam_id": found.pfam_id,
            "go_terms": [term.id for term in found.go_terms],
            "category": found.category.value if found.category else None,
        }


HHPRED: Final = "https://toolkit.tuebingen.mpg.de/tools/hhpred"
FOLDSEEK: Final = "https://search.foldseek.com/search"
"""Pages where the sequence of a dark gene can be searched."""


@dataclass(frozen=True, slots=True)
class Novelty:
    """What is known of a dark gene, and how likely it is unknown to science.

    Attributes:
        priority: Research priority, 0..1; higher first. A ranking aid, not a
            probability.
        reasons: What raised the priority, in plain words.
        observations: Facts that are no functional claim (domains of unknown
            function, sequence features).
        neighbours: The genes next to it.
        next_step: The first of the next steps.
        next_steps: What to do, in this order: searches that were not made, then an experiment.
    """

    priority: float
    reasons: tuple[str, ...]
    observations: tuple[str, ...]
    neighbours: tuple[str, ...]
    next_step: str
    next_steps: tuple[str, ...] = ()


class GeneContext(NamedTuple):
    """What the neighbours of a gene say of it: a category, never a name.

    Attributes:
        category: The likeliest functional category by gene order.
        probability: How often such a category is right for a gene of that category or
            another known one, 0..1; measured on held-out genomes.
        neighbours: The neighbours that it rests on, nearest first, in plain words.
    """

    category: Category
    probability: float
    neighbours: tuple[str, ...]


class StatementKind(StrEnum):
    """How much a statement says of a gene."""

    NAME = "name"
    """What the protein is."""
    CLASS = "class"
    """A wider class that it is of."""
    ROLE = "role"
    """The functional category that it has a part in."""
    ROLE_BY_NEIGHBOURS = "role by neighbours"
    """The same of a gene without evidence of its own."""


@dataclass(frozen=True, slots=True)
class Statement:
    """The most precise statement on a gene that holds as often as is promised.

    Attributes:
        text: The name, class or category.
        kind: Which of these.
        right: Of such statements on genes that were left out of the fit, those that held.
        judged: How many there were.
    """

    text: str
    kind: StatementKind
    right: int
    judged: int

    @property
    def held(self) -> float:
        """Share of such statements that held for genes that were left out, 0..1."""
        return self.right / self.judged if self.judged else 0.0


@dataclass(frozen=True, slots=True)
class GeneResult:
    """One gene with its interpretation, or with its novelty where it is dark."""

    gene: Gene
    locus: str
    normalized_product: str | None
    interpretation: Interpretation | None
    classification: Classification = NOT_CLASSIFIED
    novelty: Novelty | None = None
    compared: FileGene | None = None
    features: tuple[SequenceFeature, ...] = ()
    context: GeneContext | None = None
    audit: Audit | None = None
    online: tuple[ServiceAnswer, ...] = ()
    statement: Statement | None = None

    @property
    def gene_id(self) -> str:
        """Id of the gene."""
        return self.gene.id

    @property
    def is_dark(self) -> bool:
        """No functional claim from any source."""
        return self.interpretation is None

    @property
    def confidence_level(self) -> ConfidenceLevel:
        """Level of the interpretation; NONE for dark genes."""
        if self.interpretation is None:
            return ConfidenceLevel.NONE
        return self.interpretation.confidence_level


@dataclass(frozen=True, slots=True)
class NovelGeneReport:
    """The dark matter of a genome, most promising first."""

    genes: tuple[GeneResult, ...]

    @property
    def dark_matter_count(self) -> int:
        """Genes without any functional claim."""
        return len(self.genes)


class DatabaseUsed(NamedTuple):
    """A reference that was consulted."""

    name: str
    version: str
    licence: str


class ProgramUsed(NamedTuple):
    """A program or library that had a part in the result."""

    name: str
    version: str


MODES: Final = ("offline", "local", "online")
SHORTEST_TIMEOUT_S: Final = 1
LONGEST_TIMEOUT_S: Final = 3600


def chosen_services(
    mode: str, services: Collection[OnlineService | str] | None = None
) -> tuple[OnlineService, ...]:
    """The services that a run queries, in their order; both where nothing is chosen.

    Raises:
        UsageError: one is unknown, none is left, or the mode queries none.
    """
    if mode != "online":
        if services:
            raise UsageError("online services are queried in mode 'online' only")
        return ()
    if services is None:
        return tuple(OnlineService)
    known = {service.value for service in OnlineService}
    is_list = isinstance(services, Collection) and not isinstance(services, str)
    if not is_list or not services or not {str(one) for one in services} <= known:
        raise UsageError(f"online_services must be a list of some of {', '.join(sorted(known))}")
    return tuple(one for one in OnlineService if one.value in {str(name) for name in services})


FIRST_YEAR: Final = 1980
"""No public database of sequences is older, and workbooks begin with 1900."""


def checked_date(date: datetime.date) -> datetime.date:
    """The date of a run, if a record can have it.

    Raises:
        UsageError: it is no date, or before 1980.
    """
    if type(date) is not datetime.date:
        raise UsageError(f"date must be a datetime.date, not {date!r:.40}")
    if date.year < FIRST_YEAR:
        raise UsageError(f"give a date from {FIRST_YEAR} on, not {date}")
    return date


@dataclass(frozen=True, slots=True)
class Parameters:
    """Everything besides the input and the databases that can change a result.

    Attributes:
        mode: ``offline``, ``local`` or ``online``.
        phage: Nested and overlapping genes are recovered.
        ignore_annotations: Genes of the file are predicted and interpreted afresh.
        locus_tag_prefix: Of the locus tags of all features, by the rules of the INSDC (in upper
            case); None for those of the file, and ids of predicted genes by the record's id.
        locus_tags_before: Numbers behind the prefix, in steps of ten, that earlier files of the
            same run took up: the first gene has the next one.
        max_identity: Share of identical positions, 0..1, from which entries of
            similarity references are left out; None to leave none out.
        online_services: Which services online mode queries, see :func:`chosen_services`;
            empty in other modes.
        online_timeout_s: How long querying them may take; None for the default.
        date: Of the run, for formats that carry one; never read from the clock. None for none.

    Raises:
        UsageError: an option is out of range or needs another mode.
    """

    mode: str = "offline"
    phage: bool = False
    ignore_annotations: bool = False
    locus_tag_prefix: str | None = None
    max_identity: float | None = None
    online_services: tuple[OnlineService, ...] = ()
    online_timeout_s: float | None = None
    date: datetime.date | None = None
    locus_tags_before: int = 0

    def __post_init__(self) -> None:
        """Refuse what cannot be meant; callers without a type checker pass anything."""
        if self.mode not in MODES:
            raise UsageError(f"mode must be one of {', '.join(MODES)}, not {self.mode!r}")
        if self.locus_tag_prefix is not None:
            object.__setattr__(self, "locus_tag_prefix", checked_prefix(self.locus_tag_prefix))
        if type(self.locus_tags_before) is not int or self.locus_tags_before < 0:
            raise UsageError(f"locus_tags_before must be 0 or more, not {self.locus_tags_before!r}")
        if self.date is not None:
            checked_date(self.date)
        share, seconds = self.max_identity, self.online_timeout_s
        if share is not None and not (_is_number(share) and 0 < share <= 1):
            raise UsageError(f"max_identity must be above 0 and at most 1, not {share!r}")
        if seconds is None:
            return
        if self.mode != "online":
            raise UsageError("a time limit for online queries needs mode 'online'")
        if not (_is_number(seconds) and SHORTEST_TIMEOUT_S <= seconds <= LONGEST_TIMEOUT_S):
            raise UsageError(
                f"online_timeout_s must be {SHORTEST_TIMEOUT_S:g} to {LONGEST_TIMEOUT_S:g} "
                f"seconds, not {seconds!r}"
            )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


@dataclass(frozen=True, slots=True, repr=False)
class InterpretationSummary:
    """The result for a whole genome.

    ``genome`` holds the genes that were interpreted (called ones where the file
    had none), ``results`` one entry for each of them in the same order; ``overview`` says what
    there is to say of its records as wholes;
    ``confidence_mode`` is the mode whose calibration its scores have; ``online`` says how
    each service that was requested answered.
    """

    genome: Genome
    results: tuple[GeneResult, ...]
    novel_gene_report: NovelGeneReport
    parameters: Parameters
    databases: tuple[DatabaseUsed, ...]
    unavailable: tuple[str, ...] = ()
    genint_version: str = ""
    comparison: Comparison | None = None
    programs: tuple[ProgramUsed, ...] = ()
    confidence_mode: str = ""
    online: tuple[ServiceUse, ...] = ()
    overview: tuple[GenomeStatement, ...] = ()

    def __repr__(self) -> str:
        """One line: a bacterium's fields are some 100 MB of text, which asyncio.run requests."""
        name, shown = self.genome.source.filename, f"{self.interpreted_genes} of {self.total_genes}"
        return f"<InterpretationSummary of {name}: {shown} genes interpreted>"

    @property
    def total_genes(self) -> int:
        """Protein-coding genes."""
        return len(self.results)

    @property
    def interpreted_genes(self) -> int:
        """Genes with a functional claim."""
        return self.total_genes - self.novel_gene_report.dark_matter_count

    @property
    def file_only_genes(self) -> int:
        """Interpreted genes whose hypothesis only repeats the name that the file gives."""
        return sum(
            result.interpretation is not None and result.interpretation.basis is NameBasis.FILE
            for result in self.results
        )

    @property
    def supported_genes(self) -> int:
        """Interpreted genes whose hypothesis is supported by evidence beyond the file."""
        return self.interpreted_genes - self.file_only_genes

    def count(self, level: ConfidenceLevel) -> int:
        """Genes at a level."""
        return sum(result.confidence_level is level for result in self.results)
