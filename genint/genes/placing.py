"""Frames as genes and candidates: ids, proteins, what they are called by."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from genint.genes import naming
from genint.genes.calls import Candidate, CandidateStart, ContigCalls
from genint.genes.candidates import Proposal
from genint.genes.internal_starts import InternalStart
from genint.genes.layout import Placed
from genint.genes.models import VIRAL_MODEL_CODES
from genint.genes.rescue import probability
from genint.model.genome import CalledBy, Contig, Gene
from genint.model.interval import Interval, Location, Part, Strand
from genint.model.rescue import AlternativeStart, RescueKind
from genint.model.sequence import translate_cds


@dataclass(frozen=True, slots=True)
class Naming:
    """How the genes of a contig are called and read.

    Attributes:
        stem: What ids begin with.
        code: NCBI genetic code.
        own_genes: Starts inside genes may be genes of their own.
    """

    stem: str
    code: int
    own_genes: bool


def stop_number(span: Interval, strand: Strand, contig_bp: int) -> int:
    """A number for a gene's stop codon: what two calls of one gene share."""
    forward = strand is Strand.FORWARD
    return 2 * ((span.end if forward else span.start) % contig_bp) + forward


def with_candidates(
    contig: Contig,
    proposals: Sequence[Proposal],
    starts: Sequence[InternalStart],
    named: Naming,
) -> ContigCalls:
    """A called contig with its candidates: frames first, then starts inside genes.

    Ids lie in the gaps between those of base calls, at most nine in each; what finds
    no number is left out, the least probable first.
    """
    ranks: dict[int, int] = {}
    candidates = []
    for proposal in proposals:
        ranks[proposal.gap] = ranks.get(proposal.gap, 0) + 1
        candidates.append(_candidate(contig, proposal, named))
    lefts = [gene.span.start for gene in contig.genes]
    told = []
    for start in starts:
        gap = bisect_right(lefts, start.frame.interval.start) - 1
        own = named.own_genes and ranks.get(gap, 0) < naming.STEP - 1 and start.is_strong
        gene_id = None
        if own:
            ranks[gap] = ranks.get(gap, 0) + 1
            gene_id = naming.gap_id(named.stem, gap, ranks[gap])
        candidate = _of_start(contig, start, gene_id or contig.genes[start.host].id, named)
        if gene_id is not None:
            candidates.append(candidate)
        told.append(_told(contig, start, candidate.gene, gene_id))
    return ContigCalls(contig, tuple(candidates), tuple(told))


def _candidate(contig: Contig, proposal: Proposal, named: Naming) -> Candidate:
    host = contig.genes[proposal.host] if proposal.host >= 0 else None
    gene_id = naming.gap_id(named.stem, proposal.gap, proposal.rank)
    gene = gene_of(contig, proposal.frame, gene_id, named.code)
    return Candidate(
        gene=gene,
        kind=proposal.kind,
        terms=proposal.terms,
        threshold=proposal.threshold,
        host_id=host.id if host else None,
        host_overlap=proposal.host_overlap,
        same_strand=host is None or gene.strand is host.strand,
    )


def _of_start(contig: Contig, start: InternalStart, gene_id: str, named: Naming) -> Candidate:
    return Candidate(
        gene=gene_of(contig, start.frame, gene_id, named.code),
        kind=RescueKind.INTERNAL_START,
        terms=start.terms,
        threshold=start.threshold,
        host_id=contig.genes[start.host].id,
        host_overlap=1.0,
        same_strand=True,
    )


def _told(contig: Contig, start: InternalStart, gene: Gene, gene_id: str | None) -> CandidateStart:
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


def gene_of(contig: Contig, call: Placed, gene_id: str, code: int) -> Gene:
    """A frame of a contig as a gene, with its protein."""
    forward = call.strand is Strand.FORWARD
    location = Location(
        (Part(call.interval, call.strand),),
        partial_5=call.clipped_left if forward else call.clipped_right,
        partial_3=call.clipped_right if forward else call.clipped_left,
    )
    gene = Gene(
        id=gene_id,
        contig=contig.id,
        location=location,
        protein="",
        translation_table=code,
        called_by=CalledBy.PYRODIGAL_GV if code in VIRAL_MODEL_CODES else CalledBy.PYRODIGAL,
        scores=call.scores,
    )
    coding = contig.coding_bases(gene)
    protein = translate_cds(coding, code, complete_start=not location.partial_5)
    return replace(gene, protein=protein)
