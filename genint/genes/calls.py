"""What gene calling returns: calls, candidates and what was decided about them."""

from __future__ import annotations

from dataclasses import dataclass

from genint.model.genome import CallScores, Contig, Gene, Genome


@dataclass(frozen=True, slots=True)
class Candidate:
    """An open reading frame that the base caller drops because of a neighbour.

    Attributes:
        gene: The gene that it would be, with its id: the same whether or not it
            is accepted, so that evidence can be collected for it beforehand.
        scores: What the gene finder measured on it.
        host_id: The base call that it shares most bases with.
        host_overlap: Share of the candidate's bases that the host covers, 0..1.
        same_strand: It is read in the host's direction.
    """

    gene: Gene
    scores: CallScores
    host_id: str
    host_overlap: float
    same_strand: bool


@dataclass(frozen=True, slots=True)
class ContigCalls:
    """Calls on one contig.

    Attributes:
        contig: The contig with its base calls as ``genes`` and the note on how
            they came to be; its topology is the one that was decided on.
        candidates: Scored alternatives, by position; empty unless asked for.
    """

    contig: Contig
    candidates: tuple[Candidate, ...] = ()


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


@dataclass(frozen=True, slots=True)
class Rejected:
    """A candidate that came near, and why it is not a gene here."""

    candidate: Candidate
    reason: str


@dataclass(frozen=True, slots=True)
class Decision:
    """The gene set.

    Attributes:
        genome: The genome with its genes: all base calls and the accepted candidates.
        rejected: Near misses, by contig and position.
    """

    genome: Genome
    rejected: tuple[Rejected, ...] = ()
