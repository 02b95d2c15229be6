"""The final gene set: candidates become genes by their bases and what their proteins resemble."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from typing import NamedTuple

from genint.genes.calls import Candidate, ContigCalls, GeneCalls
from genint.genes.orf_candidates import LEAST_REPORTED, probability
from genint.genes.overlaps import pattern_term
from genint.knowledge.rescue import RescueParameters, load_rescue
from genint.model.evidence import ProfileHit, SimilarityHit, by_gene
from genint.model.genome import CalledBy, Contig, Gene, Genome
from genint.model.rescue import AlternativeStart, RejectedFrame, Rescue, RescueKind, RescueTerm

_PFAM = "PF"
_WHOLE = 0.5
"""Share of a family's profile from which a hit is one of the whole family."""
_NEAR_EVALUE = 1e-5
_NEAR_COVERAGE = 0.7
"""Of both proteins, from which a similar one is one of the same kind: as for names."""
_NEAR_MISS = 0.1
"""Probability from which a frame that is no gene is reported."""
_SHARED = 0.5
"""Two candidates that share so much of the shorter one are not both taken."""
_CALLED_BY = {
    RescueKind.NESTED: CalledBy.GENINT_NESTED,
    RescueKind.OVERLAPPING: CalledBy.GENINT_OVERLAPPING,
    RescueKind.INTERGENIC: CalledBy.GENINT_OVERLAPPING,
    RescueKind.INTERNAL_START: CalledBy.GENINT_INTERNAL_START,
}


class _Scored(NamedTuple):
    candidate: Candidate
    rescue: Rescue


class _Observations(NamedTuple):
    """What searches of the proteins found, and the parameters of the models.

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
    name_of: Callable[[str], str]
    parameters: RescueParameters

    def names(self, gene_id: str | None) -> tuple[str, ...]:
        """Names of the families and proteins that a gene is like."""
        if gene_id is None:
            return ()
        families = (self.name_of(hit.accession) for hit in self.hits.get(gene_id, ()))
        return (*families, *(near.entry.name for near in self.similar.get(gene_id, ())))


def decide(
    calls: GeneCalls,
    evidence: Sequence[ProfileHit] | None = None,
    name_of: Callable[[str], str] = lambda _: "",
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
            nothing, while a search without hits is evidence against a candidate.
        name_of: Name of a family by its accession, empty where it is not known; for overlaps
            that are known from phages.
        parameters: What is fitted; default: what ships.
        similar: Proteins of references that are like proteins of the genome.

    Returns:
        The genome with its genes by position, each accepted candidate with its
        probability, its addends and a sentence, and the near misses in ``rejected``.

    Cost: O(genes + hits).
    """
    observed = _Observations(
        whole_hits(evidence or ()),
        near_proteins(similar),
        evidence is not None,
        name_of,
        parameters or load_rescue(),
    )
    contigs = tuple(_decide_contig(one, observed) for one in calls.contigs)
    return replace(calls.genome, contigs=contigs)


def _decide_contig(calls: ContigCalls, observed: _Observations) -> Contig:
    scored = [_scored(candidate, observed) for candidate in calls.candidates]
    scored.sort(key=lambda one: (-one.rescue.probability, one.candidate.gene.id))
    accepted: list[_Scored] = []
    rejected: list[RejectedFrame] = []
    for one in scored:
        refused = _refused(one, accepted, len(calls.contig))
        if refused is None:
            accepted.append(one)
        elif one.rescue.probability >= _NEAR_MISS:
            rejected.append(one.candidate.gene.rejected(refused, one.rescue))
    genes = [*calls.contig.genes, *map(_accepted, accepted)]
    genes.sort(key=lambda gene: (gene.span.start, gene.span.end, gene.id))
    rejected.sort(key=lambda frame: (frame.interval, frame.id))
    starts = _alternative_starts(calls, {one.candidate.gene.id for one in accepted}, observed)
    return replace(
        calls.contig,
        genes=tuple(genes),
        rejected=(*calls.contig.rejected, *rejected),
        alternative_starts=starts,
    )


def _refused(one: _Scored, accepted: Iterable[_Scored], contig_bp: int) -> str | None:
    """Why a candidate is no gene; None where it is one."""
    rescue = one.rescue
    if rescue.probability < rescue.threshold:
        weakest = min(rescue.terms[1:], key=lambda term: term.log_odds, default=None)
        against = f"; most against it: {weakest.reason}" if weakest and weakest.log_odds < 0 else ""
        return (
            f"Its probability of being a gene is {rescue.probability:.2f}, below"
            f" {rescue.threshold:.2f}{against}."
        )
    rival = _rival(one, accepted, contig_bp)
    if rival is None:
        return None
    return (
        f"{rival.candidate.gene.id}, which it shares bases with, is likelier"
        f" ({rival.rescue.probability:.2f})."
    )


def _alternative_starts(
    calls: ContigCalls, accepted: Set[str], observed: _Observations
) -> tuple[AlternativeStart, ...]:
    """Starts inside genes that are likely enough to be reported and are no genes of their own."""
    reported = []
    for start in calls.starts:
        if start.candidate_id in accepted:
            continue
        names = observed.names(start.value.gene_id)
        known = pattern_term(
            RescueKind.INTERNAL_START,
            start.protein,
            names,
            observed.parameters.patterns,
            place=start.place,
        )
        terms = (*start.terms, known) if known is not None else start.terms
        likely = probability(terms)
        if likely >= LEAST_REPORTED:
            reasons = "; ".join(term.reason for term in terms[1:])
            reported.append(replace(start.value, probability=likely, reason=f"{reasons}."))
    return tuple(reported)


def _scored(candidate: Candidate, observed: _Observations) -> _Scored:
    """A candidate with what its bases, its protein and its host say together."""
    terms = candidate.terms
    if observed.searched and candidate.kind is not RescueKind.INTERNAL_START:
        # A product of an internal start is recognised by whatever recognises its host.
        gene_id = candidate.gene.id
        hits, similar = observed.hits.get(gene_id, ()), observed.similar.get(gene_id, ())
        terms = (*terms, homology_term(hits, similar, observed.parameters))
    names = observed.names(candidate.host_id) if candidate.same_strand else ()
    known = pattern_term(
        candidate.kind, candidate.gene.protein, names, observed.parameters.patterns
    )
    terms = (*terms, known) if known is not None else terms
    likely = probability(terms)
    # Products of internal starts are too few to say how often they held, and what a known
    # overlap adds was stated, not fitted.
    measured = candidate.kind is not RescueKind.INTERNAL_START and known is None
    measured = measured and not candidate.has_peptides
    return _Scored(
        candidate,
        Rescue(
            kind=candidate.kind,
            probability=likely,
            threshold=candidate.threshold,
            terms=terms,
            host_id=candidate.host_id,
            host_overlap=candidate.host_overlap,
            same_strand=candidate.same_strand,
            held_out=observed.parameters.held_out(likely) if measured else None,
        ),
    )


def _rival(one: _Scored, accepted: Iterable[_Scored], contig_bp: int) -> _Scored | None:
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


def _accepted(one: _Scored) -> Gene:
    return replace(
        one.candidate.gene,
        called_by=_CALLED_BY[one.rescue.kind],
        rescue=one.rescue,
        note=f"The gene finder leaves it out; it is a gene with probability"
        f" {round(one.rescue.probability, 3):.2f} (at least {one.rescue.threshold:.2f} required):"
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


def homology_term(
    hits: Sequence[ProfileHit], near: Sequence[SimilarityHit], parameters: RescueParameters
) -> RescueTerm:
    """The addend of what a frame's protein is like.

    One of them counts, however many there are: what they recognise is the same protein. A
    similar protein counts as a family does; that was not fitted, since no reference without
    the genomes of the fit is at hand.

    Args:
        hits: Of families, the best first.
        near: Similar proteins, the nearest first.
        parameters: What is fitted.
    """
    adds = parameters.homology
    hit = max(hits, key=lambda one: adds[class_of(one)], default=None)
    if near and (hit is None or adds[class_of(hit)] < adds["family"]):
        best = near[0]
        return RescueTerm(
            f"{best.entry.accession} of {best.database} is like it over its whole length (E-value"
            f" {best.evalue:.1e}, {best.identity:.0%} identical)",
            adds["family"],
        )
    if hit is None:
        return RescueTerm("no protein family recognises it", adds["none"])
    what = f"{hit.profile_coverage:.0%} of " if class_of(hit) == "part" else ""
    return RescueTerm(
        f"{what}protein family {hit.accession} recognises it (E-value {hit.evalue:.1e},"
        f" {hit.score_bits:.1f} bits, threshold {hit.threshold_bits:.1f})",
        adds[class_of(hit)],
    )


def class_of(hit: ProfileHit | None) -> str:
    """The class of the best hit.

    Returns:
        ``family`` of genint's own, ``domain`` of Pfam, ``part`` of either (which remnants
        of genes match too), or ``none``.
    """
    if hit is None:
        return "none"
    if hit.profile_coverage < _WHOLE:
        return "part"
    return "domain" if hit.accession.startswith(_PFAM) else "family"


def whole_hits(evidence: Iterable[ProfileHit]) -> dict[str, tuple[ProfileHit, ...]]:
    """By gene, the hits that reach their family's threshold, the best first."""
    hits = (hit for hit in evidence if hit.score_bits >= hit.threshold_bits)
    return by_gene(sorted(hits, key=lambda hit: (hit.evalue, -hit.score_bits, hit.accession)))


def near_proteins(similar: Iterable[SimilarityHit]) -> dict[str, tuple[SimilarityHit, ...]]:
    """By gene, the proteins that are like it over most of both, the nearest first."""
    near = (
        hit
        for hit in similar
        if hit.evalue <= _NEAR_EVALUE
        and min(hit.protein_coverage, hit.target_coverage) >= _NEAR_COVERAGE
    )
    return by_gene(sorted(near, key=lambda hit: (hit.evalue, -hit.score_bits, hit.entry.accession)))
