"""What gene calling returns: genes, and candidates between and inside them, with their ids."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from genint.genes.orf_candidates import PER_GAP, InternalStart, Proposal, probability
from genint.genes.prodigal import VIRAL_MODEL_CODES
from genint.genes.topology import PlacedFrame
from genint.model.genome import CalledBy, Contig, Gene, Genome
from genint.model.interval import Location, Part, Strand
from genint.model.rescue import AlternativeStart, RescueKind, RescueTerm, StartPlace
from genint.model.sequence import extract, translate_cds


@dataclass(frozen=True, slots=True)
class Candidate:
    """An open reading frame that the base caller drops.

    Attributes:
        gene: The gene that it would be, with its id: the same whether or not it
            is accepted, so that evidence can be collected for it beforehand.
        kind: Its position relative to the base calls.
        terms: Addends of the log-odds that it is a gene, from its bases alone.
        threshold: Probability from which it is one.
        host_id: The base call that it shares most bases with; None where it shares none.
        host_overlap: Share of the candidate's bases that the host covers, 0..1.
        same_strand: It is read in the host's direction; True where there is no host.
        has_peptides: Mass spectrometry saw peptides of it; an addend says how many.
    """

    gene: Gene
    kind: RescueKind
    terms: tuple[RescueTerm, ...]
    threshold: float
    host_id: str | None
    host_overlap: float
    same_strand: bool
    has_peptides: bool = False


@dataclass(frozen=True, slots=True)
class CandidateStart:
    """Another start in the frame of a base call.

    Attributes:
        value: What would be reported; :func:`genint.genes.decide` fills in probability and
            reason.
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
        candidates: Frames that may be genes too, by position: all that justify the
            search of their protein in phage mode, else the likely ones.
        starts: Promising starts inside base calls, by position.
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


_ID_STEP = PER_GAP + 1


@dataclass(frozen=True, slots=True)
class IdSeries:
    """The ids of a contig's genes, base calls and what lies in the gaps between them.

    Attributes:
        stem: What they begin with: the id of the record, or the user's prefix.
        places: Places that records before it took up in the same series.
    """

    stem: str
    places: int = 0

    def base_id(self, place: int) -> str:
        """Id of the base call at ``place`` (0 for the first): ``phage_00010``, ``_00020``."""
        return self.gap_id(place, 0)

    def gap_id(self, place: int, rank: int) -> str:
        """Id in the gap behind base call ``place`` (-1: before the first), ``rank`` 1 to 9."""
        return f"{self.stem}_{(self.places + place + 1) * _ID_STEP + rank:05d}"

    def behind(self, calls: int) -> IdSeries:
        """The series of the next record, behind so many base calls and the gap after them.

        A place stays free: the numbers before the first base call of the next record are not
        those behind the last one of this.
        """
        return IdSeries(self.stem, self.places + calls + 1)


def with_candidates(
    contig: Contig,
    proposals: Sequence[Proposal],
    starts: Sequence[InternalStart],
    ids: IdSeries,
    code: int,
) -> ContigCalls:
    """A called contig with its candidates: frames first, then starts inside genes.

    Ids lie in the gaps between those of base calls, at most nine in each; what finds
    no number is left out, the least probable first.

    Args:
        contig: With its base calls.
        proposals: Frames, by position.
        starts: Inside base calls; strong ones become candidates too.
        ids: Of the contig.
        code: NCBI genetic code.
    """
    ranks: dict[int, int] = {}
    candidates = []
    for proposal in proposals:
        ranks[proposal.gap] = ranks.get(proposal.gap, 0) + 1
        gene_id = ids.gap_id(proposal.gap, proposal.rank)
        candidates.append(_candidate(contig, proposal, gene_id, code))
    lefts = [gene.span.start for gene in contig.genes]
    found = []
    for start in starts:
        gap = bisect_right(lefts, start.frame.interval.start) - 1
        own_id = None
        if start.is_strong and ranks.get(gap, 0) < PER_GAP:
            ranks[gap] = ranks.get(gap, 0) + 1
            own_id = ids.gap_id(gap, ranks[gap])
        candidate = _candidate(contig, start, own_id or contig.genes[start.host].id, code)
        if own_id is not None:
            candidates.append(candidate)
        found.append(_candidate_start(contig, start, candidate.gene, own_id))
    return ContigCalls(contig, tuple(candidates), tuple(found))


def gene_of(contig: Contig, call: PlacedFrame, gene_id: str, code: int) -> Gene:
    """A frame of a contig as a gene, with its protein."""
    forward = call.strand is Strand.FORWARD
    location = Location(
        (Part(call.interval, call.strand),),
        partial_5=call.clipped_left if forward else call.clipped_right,
        partial_3=call.clipped_right if forward else call.clipped_left,
    )
    coding = extract(contig.bases, location)
    return Gene(
        id=gene_id,
        contig=contig.id,
        location=location,
        protein=translate_cds(coding, code, complete_start=not location.partial_5),
        translation_table=code,
        called_by=CalledBy.PYRODIGAL_GV if code in VIRAL_MODEL_CODES else CalledBy.PYRODIGAL,
        scores=call.scores,
    )


def _candidate(
    contig: Contig, found: Proposal | InternalStart, gene_id: str, code: int
) -> Candidate:
    host = contig.genes[found.host] if found.host >= 0 else None
    gene = gene_of(contig, found.frame, gene_id, code)
    return Candidate(
        gene=gene,
        kind=found.kind if isinstance(found, Proposal) else RescueKind.INTERNAL_START,
        terms=found.terms,
        threshold=found.threshold,
        host_id=host.id if host else None,
        host_overlap=found.host_overlap if isinstance(found, Proposal) else 1.0,
        same_strand=host is None or gene.strand is host.strand,
    )


def _candidate_start(
    contig: Contig, start: InternalStart, gene: Gene, gene_id: str | None
) -> CandidateStart:
    scores = start.frame.scores
    value = AlternativeStart(
        gene_id=contig.genes[start.host].id,
        contig=contig.id,
        interval=start.frame.interval,
        strand=start.frame.strand,
        codon=scores.start_codon,
        rbs_motif=scores.rbs_motif,
        start_score=scores.start,
        share=start.share,
        probability=probability(start.terms),
        reason="",
    )
    return CandidateStart(value, gene.protein, start.terms, start.place, gene_id)
