"""Which candidates are genes: by what their bases say, and by what their proteins are like."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from typing import NamedTuple

from genint.genes.calls import Candidate, ContigCalls, GeneCalls
from genint.genes.homology import homology_term, near_proteins, whole_hits
from genint.genes.internal_starts import LEAST_TOLD
from genint.genes.overlap_patterns import pattern_term
from genint.genes.rescue import probability
from genint.knowledge.rescue import RescueParameters, load_rescue
from genint.model.evidence import ProfileHit, SimilarityHit
from genint.model.genome import CalledBy, Contig, Gene, Genome
from genint.model.interval import Interval
from genint.model.rescue import (
    AlternativeStart,
    RejectedFrame,
    Rescue,
    RescueKind,
    RescueTerm,
)

_NEAR_MISS = 0.1
"""Probability from which a frame that is no gene is worth a word."""
_SHARED = 0.5
"""Two candidates that share so much of the shorter one are not both taken."""
_CALLED_BY = {
    RescueKind.NESTED: CalledBy.GENINT_NESTED,
    RescueKind.OVERLAPPING: CalledBy.GENINT_OVERLAPPING,
    RescueKind.INTERGENIC: CalledBy.GENINT_OVERLAPPING,
    RescueKind.INTERNAL_START: CalledBy.GENINT_INTERNAL_START,
}


NameOf = Callable[[str], str]
"""What a family is called, by its accession; empty where that is not known."""


class _Weighed(NamedTuple):
    candidate: Candidate
    rescue: Rescue


class _Ground(NamedTuple):
    """What candidates are weighed by.

    Attributes:
        hits: By gene, the hits that reach their family's threshold, the best first.
        similar: By gene, the proteins that are like it over most of both, the nearest first.
        searched: There was a search.
        name_of: What families are called.
        parameters: What is fitted.
    """

    hits: Mapping[str, Sequence[ProfileHit]]
    similar: Mapping[str, Sequence[SimilarityHit]]
    searched: bool
    name_of: NameOf
    parameters: RescueParameters

    def names(self, gene_id: str | None) -> tuple[str, ...]:
        """Names of the families and proteins that a gene is like."""
        if gene_id is None:
            return ()
        families = (self.name_of(hit.accession) for hit in self.hits.get(gene_id, ()))
        return (*families, *(near.entry.name for near in self.similar.get(gene_id, ())))

    def recognised(self, gene_id: str) -> RescueTerm:
        """What the search of a candidate's protein adds."""
        return homology_term(
            self.hits.get(gene_id, ()), self.similar.get(gene_id, ()), self.parameters
        )


def _nothing(accession: str) -> str:
    del accession
    return ""


def decide(
    calls: GeneCalls,
    evidence: Sequence[ProfileHit] | None = None,
    name_of: NameOf = _nothing,
    parameters: RescueParameters | None = None,
    *,
    similar: Sequence[SimilarityHit] = (),
) -> Genome:
    """Fix the gene set.

    Base calls always stay as they are. A candidate becomes a gene where its bases and
    what its protein is like make it probable enough, and no likelier candidate takes
    its place.

    Args:
        calls: Base calls and candidates.
        evidence: Profile hits of all proteins; None: they were not searched, which says
            nothing, while a search without hits speaks against a candidate.
        name_of: What families are called, for overlaps that are known from phages.
        parameters: What is fitted; default: what ships.
        similar: Proteins of references that are like proteins of the genome.

    Returns:
        The genome with its genes by position, each accepted candidate with its
        probability, its addends and a sentence, and the near misses in ``rejected``.

    Cost: O(genes + hits).
    """
    ground = _Ground(
        whole_hits(evidence or ()),
        near_proteins(similar),
        evidence is not None,
        name_of,
        parameters or load_rescue(),
    )
    contigs = tuple(_decide_contig(one, ground) for one in calls.contigs)
    return replace(calls.genome, contigs=contigs)


def _decide_contig(calls: ContigCalls, ground: _Ground) -> Contig:
    weighed = [_weighed(candidate, ground) for candidate in calls.candidates]
    weighed.sort(key=lambda one: (-one.rescue.probability, one.candidate.gene.id))
    accepted: list[_Weighed] = []
    rejected: list[RejectedFrame] = []
    for one in weighed:
        refused = _refused(one, accepted, len(calls.contig))
        if refused is None:
            accepted.append(one)
        elif one.rescue.probability >= _NEAR_MISS:
            rejected.append(_rejected(one, refused))
    genes = sorted((*calls.contig.genes, *map(_accepted, accepted)), key=_position)
    starts = _alternative_starts(calls, {one.candidate.gene.id for one in accepted}, ground)
    return replace(
        calls.contig,
        genes=tuple(genes),
        rejected=(*calls.contig.rejected, *sorted(rejected, key=_place)),
        alternative_starts=starts,
    )


def _refused(one: _Weighed, accepted: Iterable[_Weighed], contig_bp: int) -> str | None:
    """Why a candidate is no gene; None where it is one."""
    if one.rescue.probability < one.rescue.threshold:
        return _too_unlikely(one.rescue)
    rival = _rival(one, accepted, contig_bp)
    return None if rival is None else _taken(rival)


def _alternative_starts(
    calls: ContigCalls, accepted: Set[str], ground: _Ground
) -> tuple[AlternativeStart, ...]:
    """Starts inside genes that are likely enough to be told and are no genes of their own."""
    told = []
    for start in calls.starts:
        if start.candidate_id in accepted:
            continue
        names = ground.names(start.value.gene_id)
        known = pattern_term(
            RescueKind.INTERNAL_START,
            start.protein,
            names,
            ground.parameters.patterns,
            place=start.place,
        )
        terms = (*start.terms, known) if known is not None else start.terms
        likely = probability(terms)
        if likely >= LEAST_TOLD:
            reasons = "; ".join(term.reason for term in terms[1:])
            told.append(replace(start.value, probability=likely, reason=f"{reasons}."))
    return tuple(told)


def _position(gene: Gene) -> tuple[int, int, str]:
    return gene.span.start, gene.span.end, gene.id


def _place(frame: RejectedFrame) -> tuple[Interval, str]:
    return frame.interval, frame.id


def _weighed(candidate: Candidate, ground: _Ground) -> _Weighed:
    """A candidate with what its bases, its protein and its host say together."""
    terms = candidate.terms
    if ground.searched and candidate.kind is not RescueKind.INTERNAL_START:
        # A product of an internal start is recognised by whatever recognises its host.
        terms = (*terms, ground.recognised(candidate.gene.id))
    names = ground.names(candidate.host_id) if candidate.same_strand else ()
    known = pattern_term(candidate.kind, candidate.gene.protein, names, ground.parameters.patterns)
    terms = (*terms, known) if known is not None else terms
    likely = probability(terms)
    # Products of internal starts are too few to say how often they held, and what a known
    # overlap adds was stated, not fitted.
    measured = candidate.kind is not RescueKind.INTERNAL_START and known is None
    return _Weighed(
        candidate,
        Rescue(
            kind=candidate.kind,
            probability=likely,
            threshold=candidate.threshold,
            terms=terms,
            host_id=candidate.host_id,
            host_overlap=candidate.host_overlap,
            same_strand=candidate.same_strand,
            held_out=ground.parameters.held_out(likely) if measured else None,
        ),
    )


def _rival(one: _Weighed, accepted: Iterable[_Weighed], contig_bp: int) -> _Weighed | None:
    """An accepted candidate that covers half of this one, or the other way round."""
    mine = one.candidate.gene.span
    if one.candidate.kind is RescueKind.INTERNAL_START:
        return None
    for other in accepted:
        if other.candidate.kind is RescueKind.INTERNAL_START:
            continue
        theirs = other.candidate.gene.span
        shared_bp = mine.overlap_on_circle_bp(theirs, contig_bp)
        if shared_bp > _SHARED * min(len(mine), len(theirs)):
            return other
    return None


def _accepted(one: _Weighed) -> Gene:
    return replace(
        one.candidate.gene,
        called_by=_CALLED_BY[one.rescue.kind],
        rescue=one.rescue,
        note=f"The gene finder leaves it out; it is a gene with probability"
        f" {round(one.rescue.probability, 3):.2f} (at least {one.rescue.threshold:.2f} asked for):"
        f" {_where(one.candidate)}; {_strongest(one.rescue)}.",
    )


def _where(candidate: Candidate) -> str:
    if candidate.host_id is None:
        return "it lies between genes"
    strand = "same" if candidate.same_strand else "opposite"
    return f"it lies {candidate.host_overlap:.0%} inside {candidate.host_id} on the {strand} strand"


def _strongest(rescue: Rescue) -> str:
    """The addends behind the prior that say most for a gene."""
    for_it = [term for term in rescue.terms[1:] if term.log_odds > 0]
    found = sorted(for_it, key=lambda term: -term.log_odds)[:2]
    return "; ".join(term.reason for term in found) or f"it is {rescue.terms[0].reason}"


def _rejected(one: _Weighed, reason: str) -> RejectedFrame:
    gene = one.candidate.gene
    return RejectedFrame(
        id=gene.id,
        contig=gene.contig,
        interval=gene.span,
        strand=gene.strand,
        length_aa=len(gene.protein),
        rescue=one.rescue,
        reason=reason,
    )


def _too_unlikely(rescue: Rescue) -> str:
    weakest = min(rescue.terms[1:], key=lambda term: term.log_odds, default=None)
    against = f"; most against it: {weakest.reason}" if weakest and weakest.log_odds < 0 else ""
    return (
        f"Its probability of being a gene is {rescue.probability:.2f}, below"
        f" {rescue.threshold:.2f}{against}."
    )


def _taken(rival: _Weighed) -> str:
    return (
        f"{rival.candidate.gene.id}, which it shares bases with, is likelier"
        f" ({rival.rescue.probability:.2f})."
    )
