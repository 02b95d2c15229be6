"""What gene calling returns: calls and candidates."""

from __future__ import annotations

from dataclasses import dataclass

from genint.model.genome import Contig, Gene, Genome
from genint.model.rescue import AlternativeStart, RescueKind, RescueTerm, StartPlace

ID_STEP = 10


def locus_tag_stem(contig: Contig, genome: Genome, prefix: str | None) -> str:
    """What the ids of a contig's genes begin with: the record id, or the user's prefix.

    With a prefix and several records, the record's number follows the prefix, since
    every record counts its own genes.
    """
    if prefix is None:
        return contig.id
    if len(genome.contigs) == 1:
        return prefix
    return f"{prefix}_{genome.contigs.index(contig) + 1}"


def base_id(stem: str, place: int) -> str:
    """Id of the base call at ``place`` (0 for the first): ``phage_00010``, ``_00020``."""
    return _numbered(stem, (place + 1) * ID_STEP)


def gap_id(stem: str, place: int, rank: int) -> str:
    """Id in the gap behind base call ``place`` (-1: before the first), ``rank`` 1 to 9."""
    return _numbered(stem, (place + 1) * ID_STEP + rank)


def _numbered(stem: str, number: int) -> str:
    return f"{stem}_{number:05d}"


@dataclass(frozen=True, slots=True)
class Candidate:
    """An open reading frame that the base caller drops.

    Attributes:
        gene: The gene that it would be, with its id: the same whether or not it
            is accepted, so that evidence can be collected for it beforehand.
        kind: How it lies to the base calls.
        terms: Addends of the log-odds that it is a gene, from its bases alone.
        threshold: Probability from which it is one.
        host_id: The base call that it shares most bases with; None where it shares none.
        host_overlap: Share of the candidate's bases that the host covers, 0..1.
        same_strand: It is read in the host's direction; True where there is no host.
    """

    gene: Gene
    kind: RescueKind
    terms: tuple[RescueTerm, ...]
    threshold: float
    host_id: str | None
    host_overlap: float
    same_strand: bool


@dataclass(frozen=True, slots=True)
class CandidateStart:
    """Another start in the frame of a base call.

    Attributes:
        value: What would be told of it; probability and reason are filled in when it is
            decided on.
        protein: Its product.
        terms: Addends of the log-odds that this product is made, from its bases alone.
        place: Where in the call it lies.
        candidate_id: Of the candidate that it is too, where it may be a gene of its own.
    """

    value: AlternativeStart
    protein: str
    terms: tuple[RescueTerm, ...]
    place: StartPlace
    candidate_id: str | None = None


@dataclass(frozen=True, slots=True)
class ContigCalls:
    """Calls on one contig.

    Attributes:
        contig: The contig with its base calls as ``genes`` and the note on how
            they came to be; its topology is the one that was decided on.
        candidates: Frames that may be genes too, by position: all that are worth the
            search of their protein where that was asked for, else the likely ones.
        starts: Starts inside base calls that are worth a look, by position.
    """

    contig: Contig
    candidates: tuple[Candidate, ...] = ()
    starts: tuple[CandidateStart, ...] = ()


@dataclass(frozen=True, slots=True)
class GeneCalls:
    """Calls on a whole genome, before evidence fixes the gene set.

    Attributes:
        genome: The genome that was searched; its own genes play no part.
        contigs: One entry per contig, in the genome's order.
    """

    genome: Genome
    contigs: tuple[ContigCalls, ...]

    @property
    def proteins(self) -> tuple[tuple[str, str], ...]:
        """Id and residues of every base call and candidate that has a protein."""
        return tuple(
            (gene.id, gene.protein)
            for calls in self.contigs
            for gene in (*calls.contig.genes, *(c.gene for c in calls.candidates))
            if gene.protein
        )
