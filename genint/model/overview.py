"""What is said of a genome as a whole: statements, each with what it rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from genint.model.interval import Interval
from genint.model.vocabulary import ConfidenceLevel


class Topic(StrEnum):
    """What a statement is about, in the order of reports."""

    KIND = "kind"
    """Phage, plasmid, piece of a bacterium."""
    LIFESTYLE = "lifestyle"
    """Temperate or virulent."""
    COMPLETENESS = "completeness"
    ENDS = "genome ends"
    """How the genome is cut from its concatemer and packed."""
    MODULE = "module"
    """A group of genes of one task: packaging, head, tail, lysis."""
    RECEPTOR_BINDING = "receptor binding"
    HOST = "host"
    RELATIVE = "relative"
    SAFETY = "safety"
    """What matters before a phage is used for therapy."""
    PATHOGENICITY = "pathogenicity"
    """Toxins, resistance and virulence factors of a bacterium."""
    DEFENCE = "defence"
    """Systems against phages, and against those systems."""
    PROPHAGE = "prophage"
    MOBILE_ELEMENT = "mobile element"
    TOXIN_ANTITOXIN = "toxin-antitoxin"
    RECODING = "recoding"
    """Stop codons that are read as an amino acid."""
    PSEUDOGENE = "pseudogene"
    TRNA = "tRNA"
    DARK_GENES = "dark genes"
    """Genes that nothing recognises, where their place tells something."""

    @property
    def heading(self) -> str:
        """Heading in reports."""
        return _HEADINGS[self]


_HEADINGS = {
    Topic.KIND: "Kind",
    Topic.LIFESTYLE: "Lifestyle",
    Topic.COMPLETENESS: "Completeness",
    Topic.ENDS: "Genome ends and packaging",
    Topic.MODULE: "Modules",
    Topic.RECEPTOR_BINDING: "Receptor binding",
    Topic.HOST: "Host",
    Topic.RELATIVE: "Closest relatives",
    Topic.SAFETY: "Safety for phage therapy",
    Topic.PATHOGENICITY: "Toxins, resistance and virulence factors",
    Topic.DEFENCE: "Defence systems",
    Topic.PROPHAGE: "Prophages",
    Topic.MOBILE_ELEMENT: "Insertion sequences",
    Topic.TOXIN_ANTITOXIN: "Toxin-antitoxin systems",
    Topic.RECODING: "Recoded stop codons",
    Topic.PSEUDOGENE: "Pseudogenes",
    Topic.TRNA: "tRNA genes",
    Topic.DARK_GENES: "Dark genes in telling places",
}


class Outcome(StrEnum):
    """What came of looking for something."""

    FOUND = "found"
    NOT_FOUND = "not found"
    """By what was searched; that is never proof of absence."""
    CANNOT_TELL = "cannot tell"
    """The evidence is too little, or contradicts itself."""


class GeneRole(NamedTuple):
    """A gene that a statement rests on.

    Attributes:
        gene_id: The gene.
        role: What it is taken for here, such as ``integrase``.
        level: Of the interpretation that says so; NONE where a search of its own does.
        reason: Where another search says so: which, with its figures. Empty otherwise.
    """

    gene_id: str
    role: str
    level: ConfidenceLevel
    reason: str = ""


@dataclass(frozen=True, slots=True)
class GenomeStatement:
    """One statement on a record of a genome.

    Attributes:
        topic: What it is about.
        record: Id of the record.
        subject: What is judged, such as ``lysis`` of the modules; unique in its topic and
            record but for regions, which are numbered.
        value: The answer in a word or two, for tables and programs: ``temperate``.
        text: The answer as one plain sentence.
        outcome: Whether it was found.
        probability: That the statement is right, 0..1; None where nothing was measured.
        right: Of such statements on genomes that were left out of the fit, those that held.
        judged: How many there were; 0 where nothing was measured.
        interval: The stretch of the record that it is about; None for all of it.
        genes: What it rests on.
        missing: What was expected and not found, in plain words.
        reasoning: Steps from the evidence to the statement, one sentence each.
        searched: With what was searched, such as ``Pfam 35.0``; where nothing was found this
            says what that is worth.
        uncertainties: What speaks against it or was not looked at.
        parts: What is said of the stretch itself, such as the modules of a prophage; these have
            no parts of their own.
    """

    topic: Topic
    record: str
    subject: str
    value: str
    text: str
    outcome: Outcome = Outcome.FOUND
    probability: float | None = None
    right: int = 0
    judged: int = 0
    interval: Interval | None = None
    genes: tuple[GeneRole, ...] = ()
    missing: tuple[str, ...] = ()
    reasoning: tuple[str, ...] = ()
    searched: tuple[str, ...] = ()
    uncertainties: tuple[str, ...] = ()
    parts: tuple[GenomeStatement, ...] = ()

    @property
    def level(self) -> ConfidenceLevel:
        """Level of the probability; NONE where none was measured."""
        return ConfidenceLevel.of(self.probability)


class MarkerMeaning(StrEnum):
    """What a marker means for the use of a phage or the danger of a bacterium."""

    TOXIN = "toxin"
    RESISTANCE = "resistance"
    VIRULENCE = "virulence"


class MarkerReference(NamedTuple):
    """A reference of markers that was searched.

    Attributes:
        name: With its version or size, as its hits and reports name it.
        means: What its entries tell.
    """

    name: str
    means: frozenset[MarkerMeaning]


class MarkerHit(NamedTuple):
    """A protein that an installed or a user's reference of markers recognises.

    Such references (resistance, virulence, defence) tell what a gene means for the genome; they
    take no part in naming it.

    Attributes:
        gene_id: The gene.
        database: Name and version of the reference.
        accession: Entry or profile.
        name: What the entry is called there.
        kind: Class of the entry there, such as a class of antibiotics or a type of system.
        score_bits: Of the hit.
        evalue: Of the hit.
        identity: Share of identical positions, 0..1; None for profiles.
        coverage: Share of the gene's protein that is aligned, 0..1.
        target_coverage: Share of the entry or profile that is aligned, 0..1.
        means: Toxin, resistance or virulence factor; None for other references.
        product: Product name of the entry; empty where it gives none.
    """

    gene_id: str
    database: str
    accession: str
    name: str
    kind: str
    score_bits: float
    evalue: float
    identity: float | None
    coverage: float
    target_coverage: float
    means: MarkerMeaning | None = None
    product: str = ""


class MarkersFound(NamedTuple):
    """What references of markers say of the genes of a genome.

    Attributes:
        hits: By gene id.
        references: Those that were searched.
    """

    hits: Mapping[str, Sequence[MarkerHit]]
    references: tuple[MarkerReference, ...] = ()
