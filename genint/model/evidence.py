"""One observation about one gene, with what it claims and what it rests on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple, Protocol, TypeVar

from genint.model.vocabulary import EvidenceSource, EvidenceType, GoAspect, Specificity

_DIGEST_DIGITS = 10
"""Of the SHA-256: among 100,000 proteins two share them by chance in less than one set in
a hundred."""


class ReferenceEntry(NamedTuple):
    """What is known of a protein that genes are compared with, but for its residues.

    Attributes:
        accession: Identifier in its database or file.
        name: Product name as the source has it; empty where it has none.
        symbol: Gene symbol; empty where there is none.
        organism: Empty where the source does not say.
        ec: EC numbers.
        go: Ids of Gene Ontology terms.
        cog: COG id (COG0001) or letters; empty where the source does not say.
        pfam: Pfam accessions without version.
        existence: UniProt's level of protein existence, 1 (seen as a protein) to 5
            (uncertain); None where the source has no such level.
        length_aa: Residues.
        digest: Of the residues, as :func:`residues_digest` makes it.
    """

    accession: str
    name: str
    symbol: str = ""
    organism: str = ""
    ec: tuple[str, ...] = ()
    go: tuple[str, ...] = ()
    cog: str = ""
    pfam: tuple[str, ...] = ()
    existence: int | None = None
    length_aa: int = 0
    digest: str = ""


class ReferenceProtein(NamedTuple):
    """A protein that genes are compared with.

    Attributes:
        entry: What is known of it; ``length_aa`` and ``digest`` are those of ``residues``.
        residues: Upper-case amino acids, X for unknown ones, no stop.
    """

    entry: ReferenceEntry
    residues: str


def residues_digest(residues: str) -> str:
    """The digits that a protein is known by, whatever the case and a final stop.

    Cost: microseconds.
    """
    sequence = residues.upper().replace("*", "")
    return hashlib.sha256(sequence.encode()).hexdigest()[:_DIGEST_DIGITS]


class FeatureKind(StrEnum):
    """Kinds of sequence features."""

    SIGNAL_PEPTIDE = "signal peptide"
    LIPOPROTEIN_SIGNAL = "lipoprotein signal peptide"
    TRANSMEMBRANE = "transmembrane segment"
    COILED_COIL = "coiled coil"
    LOW_COMPLEXITY = "low complexity"


class SequenceFeature(NamedTuple):
    """A stretch of a protein.

    Attributes:
        kind: What it looks like.
        first: First residue, 1-based.
        last: Last residue, inclusive.
        score: Of the method, in its own unit.
        method: Name of the method, short, such as ``Kyte-Doolittle, 19 residues``.
    """

    kind: FeatureKind
    first: int
    last: int
    score: float
    method: str


_CLEAR_SHARE = 0.1
"""Of the score of a hit, how much is above the threshold where the hit is clear."""


WHOLE_PROFILE = 0.7
"""Share of profile positions from which a domain counts as complete (HMMER reports
local alignments, so even true members lose some positions at the ends)."""
WHOLE_PROTEIN = 0.6
"""Share of the protein from which a family names it: what is left has no room for a
second domain of usual size in a protein of usual length."""
RIVAL_SHARE = 0.5
"""Of the best score: from here on another family's name on the same stretch is reported."""


class ProfileHit(NamedTuple):
    """What a profile search reports for one protein and one family.

    A plain tuple because worker processes return thousands of them.

    Attributes:
        gene_id: Whose protein was hit.
        accession: Family without version, such as PF03237.
        evalue: Expected hits this good in a database of the pack's size.
        score_bits: Score of the whole protein.
        threshold_bits: The family's gathering threshold for it.
        protein_from: First residue of the hit, 1-based, over all its domains.
        protein_to: Last residue of the hit, inclusive.
        protein_coverage: Share of the protein's residues inside hit domains, 0..1.
        profile_coverage: Share of the profile's positions aligned, 0..1.
    """

    gene_id: str
    accession: str
    evalue: float
    score_bits: float
    threshold_bits: float
    protein_from: int
    protein_to: int
    protein_coverage: float
    profile_coverage: float

    @property
    def is_whole(self) -> bool:
        """Whether the protein has all of the profile, and hardly anything besides."""
        return self.profile_coverage >= WHOLE_PROFILE and self.protein_coverage >= WHOLE_PROTEIN

    @property
    def is_clear(self) -> bool:
        """Whether the score is a tenth and more above the threshold.

        Nearer to it a relative's protein may score as much: of 46 such hits of unseen bacteria a
        quarter had another function (GyrB, 0.4 % above the threshold of a family of ParE).
        """
        return self.score_bits - self.threshold_bits >= _CLEAR_SHARE * self.score_bits


class SimilarityHit(NamedTuple):
    """What a similarity search reports for one protein and one protein of a reference.

    Attributes:
        gene_id: Whose protein was searched.
        source: Which reference: Swiss-Prot or the user's proteins.
        database: Its name and release, such as ``Swiss-Prot 2026_03``.
        entry: The protein that was found.
        evalue: Expected chance hits this good in a reference of its size.
        score_bits: Score of the alignment, corrected for composition.
        identity: Share of identical positions of the alignment, 0..1.
        protein_from: First aligned residue of the protein searched, 1-based.
        protein_to: Its last one, inclusive.
        target_from: First aligned residue of the entry, 1-based.
        target_to: Its last one, inclusive.
        protein_coverage: Share of the protein between its ends, 0..1.
        target_coverage: Share of the entry between its ends, 0..1.
    """

    gene_id: str
    source: EvidenceSource
    database: str
    entry: ReferenceEntry
    evalue: float
    score_bits: float
    identity: float
    protein_from: int
    protein_to: int
    target_from: int
    target_to: int
    protein_coverage: float
    target_coverage: float


class GoTerm(NamedTuple):
    """A Gene Ontology term.

    Attributes:
        id: Such as GO:0003677.
        name: Empty where no source gave one.
        aspect: None where no source says which of the three ontologies it is of.
    """

    id: str
    name: str
    aspect: GoAspect | None = None


@dataclass(frozen=True, slots=True)
class Measurements:
    """Figures behind an observation; None where the source has no such figure."""

    evalue: float | None = None
    score_bits: float | None = None
    threshold_bits: float | None = None
    protein_from: int | None = None
    protein_to: int | None = None
    protein_coverage: float | None = None
    target_coverage: float | None = None
    identity: float | None = None
    target_from: int | None = None
    target_to: int | None = None


NO_MEASUREMENTS = Measurements()


@dataclass(frozen=True, slots=True)
class FamilySupport:
    """What the name of a family of genint's own rests on.

    Attributes:
        members: Distinct proteins that the family was made from.
        named_members: Those of them with a name that says something.
        agreeing: Those of them whose name is the family's, or a narrower one.
        records: Genomes and database entries that the members come from.
        consensus: Share of the weight of the names that supports the name, 0..1.
        informative: Share of the members with a name that says something, 0..1.
        margin_bits: Score above the family's threshold, >= 0.
        is_member: This very protein is one of the agreeing members.
    """

    members: int
    named_members: int
    agreeing: int
    records: int
    consensus: float
    informative: float
    margin_bits: float
    is_member: bool

    @property
    def independent(self) -> int:
        """Agreeing members other than the protein itself."""
        return self.agreeing - self.is_member


@dataclass(frozen=True, slots=True)
class Evidence:
    """One observation about one gene.

    Attributes:
        gene_id: The gene.
        source: Where it was read.
        type: What kind of argument it is.
        specificity: How much it claims.
        claim: What it says of the gene's function, ready to print.
        subject: The bare name in the claim (``ABC transporter`` of ``contains an
            ABC transporter domain``): what claims are compared by.
        label: One short line for lists.
        strength: Name of the reliability class that it falls in; the confidence
            parameters say how often a claim of that class is right.
        origin: What it rests on in the end; two observations of one origin count
            once.
        eco: Code of the Evidence and Conclusion Ontology, such as ECO:0000256.
        database: Name and version of the database, None for the user's file.
        accession: Identifier in that database.
        measured: Figures.
        pfam, cog, ec, go: Identifiers that the observation brings.
        product: The term of the vocabulary that the subject is; None where it is none.
        expected_pfam: Pfam families that members of the family, or the similar protein,
            carry; finding one in the protein fits the observation.
        support: What the name of a family rests on; None for other observations.
        similar: The protein that this one is like; None for other observations.
        aliases: Other names of the subject (gene symbol, short family name), for
            comparing it only.
        caveats: Doubts that it brings by itself.
        original_name: Name by the source, where the claim is a wider class of it; else None.
    """

    gene_id: str
    source: EvidenceSource
    type: EvidenceType
    specificity: Specificity
    claim: str
    subject: str
    label: str
    strength: str
    origin: str
    eco: str
    database: str | None = None
    accession: str | None = None
    measured: Measurements = NO_MEASUREMENTS
    pfam: str | None = None
    cog: str | None = None
    ec: tuple[str, ...] = ()
    go: tuple[GoTerm, ...] = ()
    caveats: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    product: str | None = None
    expected_pfam: tuple[str, ...] = ()
    support: FamilySupport | None = None
    similar: ReferenceEntry | None = None
    original_name: str | None = None


SUBMITTED: Final = "uniprot_submitted"
"""Class of names that UniProt copied from the record of the sequence."""


def is_beyond_file(item: Evidence) -> bool:
    """Whether an observation tells more than the file and its gene order do.

    What does not: the file's own product, the same name as UniProt copied it from the record, a
    family that has its name from this very protein and one other at most, and the neighbours,
    whose names are mostly those of the file too.
    """
    if item.type in (EvidenceType.ANNOTATION, EvidenceType.GENE_CONTEXT):
        return False
    if is_of_file(item):
        return False
    if item.support is not None and item.support.independent < 1:
        return False
    return item.strength != SUBMITTED


def is_of_file(item: Evidence) -> bool:
    """Whether a name rests on the file: its own product, or a family that has it from there."""
    return item.origin.startswith("annotation:")


class OfGene(Protocol):
    """A hit, an answer or evidence: something found for one gene."""

    @property
    def gene_id(self) -> str:
        """Id of the gene."""


_Found = TypeVar("_Found", bound=OfGene)


def by_gene(items: Iterable[_Found]) -> dict[str, tuple[_Found, ...]]:
    """What was found for each gene that has any, in the order of the items."""
    grouped: dict[str, list[_Found]] = {}
    for item in items:
        grouped.setdefault(item.gene_id, []).append(item)
    return {gene_id: tuple(found) for gene_id, found in grouped.items()}
