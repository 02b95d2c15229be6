"""The file's own annotation beside what genint concludes: audits and comparisons."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from genint.model.evidence import Evidence
from genint.model.genome import Gene
from genint.model.vocabulary import ConfidenceLevel


class AuditVerdict(StrEnum):
    """How the evidence stands to the product that the file names."""

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
        verdict: How they stand to each other.
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
    """How a fresh interpretation stands to the product in the file."""

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
        verdict: How the names stand to each other.
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
