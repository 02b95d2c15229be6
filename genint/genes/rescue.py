"""How probable it is that a frame is a gene, addend by addend."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np

from genint.genes.calls import Candidate, ContigCalls, GeneCalls
from genint.genes.internal_starts import LEAST_TOLD
from genint.genes.orf_features import Described, Which
from genint.genes.overlaps import pattern_term
from genint.genes.start_codons import Reals
from genint.knowledge.confidence import logistic
from genint.knowledge.rescue import FrameModel, RescueParameters, load_rescue
from genint.model.evidence import ProfileHit, SimilarityHit
from genint.model.genome import CalledBy, Contig, Gene, Genome
from genint.model.interval import Interval
from genint.model.rescue import AlternativeStart, RejectedFrame, Rescue, RescueKind, RescueTerm

_PFAM = "PF"
_WHOLE = 0.5
"""Share of a family's profile from which a hit is one of the whole family."""
_NEAR_EVALUE = 1e-5
_NEAR_COVERAGE = 0.7
"""Of both proteins, from which a similar one is one of the same kind: as for names."""


def whole_hits(evidence: Iterable[ProfileHit]) -> dict[str, list[ProfileHit]]:
    """By gene, the hits that reach their family's threshold, the best first."""
    hits: dict[str, list[ProfileHit]] = defaultdict(list)
    for hit in evidence:
        if hit.score_bits >= hit.threshold_bits:
            hits[hit.gene_id].append(hit)
    for found in hits.values():
        found.sort(key=lambda hit: (hit.evalue, -hit.score_bits, hit.accession))
    return hits


def near_proteins(similar: Iterable[SimilarityHit]) -> dict[str, list[SimilarityHit]]:
    """By gene, the proteins that are like it over most of both, the nearest first."""
    near: dict[str, list[SimilarityHit]] = defaultdict(list)
    for hit in similar:
        covered = min(hit.protein_coverage, hit.target_coverage)
        if hit.evalue <= _NEAR_EVALUE and covered >= _NEAR_COVERAGE:
            near[hit.gene_id].append(hit)
    for found in near.values():
        found.sort(key=lambda hit: (hit.evalue, -hit.score_bits, hit.entry.accession))
    return near


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


_LIMIT = 0.999
"""No frame is surer than that: the models were fitted on some hundred genes."""
_PLACES = 3
_LEAST_SHOWN = 0.01


def log_odds(described: Described, parameters: RescueParameters, *, bacterium: bool) -> Reals:
    """What the models say of each frame, before its protein was searched.

    Returns:
        Natural log-odds that it is a gene.

    Cost: O(frames) per column.
    """
    summed = np.zeros(len(described.frames))
    for which in Which:
        mine = described.model == which
        summed[mine] = _summed(model_of(which, parameters), described)[mine]
    return summed + (parameters.in_bacteria if bacterium else 0.0)


def model_of(which: Which, parameters: RescueParameters) -> FrameModel:
    """The parameters of one model."""
    return {
        Which.BESIDE: parameters.beside,
        Which.NESTED: parameters.nested,
        Which.SQUEEZED: parameters.squeezed,
    }[which]


def _summed(model: FrameModel, described: Described) -> Reals:
    total = np.full(len(described.frames), model.prior)
    for name, column in model.columns.items():
        total += column.weight * (described.columns[name] - column.mean)
    return total


class Row(NamedTuple):
    """One frame and what was measured of it: what the words of an addend are made of."""

    described: Described
    row: int

    def column(self, name: str) -> float:
        """One measured number."""
        return float(self.described.columns[name][self.row])


def _start(seen: Row) -> str:
    frames, row = seen.described.frames, seen.row
    motif = frames.motif[row]
    site = f" behind the ribosome binding site {motif}" if motif else " without a binding site"
    scores = f"start score {frames.score[row]:.1f}, total {frames.total[row]:.1f}"
    return f"start {frames.codon[row]}{site}, {scores}"


def _coding(seen: Row) -> str:
    coding = seen.described.frames.coding[seen.row]
    usage = 10 * seen.column("usage")
    return (
        f"codons: coding score {coding:.1f}, {usage:+.1f} nats by the usage of this contig's genes"
    )


def _length(seen: Row) -> str:
    length_bp = int(seen.described.frames.length_bp[seen.row])
    chance = float(np.exp(-3 * seen.column("stop_free")))
    share = f"{chance:.0%}" if chance >= _LEAST_SHOWN else "fewer than 1%"
    return f"{length_bp} bp without a stop codon, as {share} of such stretches are by chance"


def _place_in_words(seen: Row) -> str:
    share = float(seen.described.host_share[seen.row])
    fill = seen.column("fill")
    strand = " on the other strand" if seen.column("opposite") > seen.column("same") else ""
    if fill > 0:
        inside = f", {share:.0%} of it inside a gene{strand}" if share else ""
        return f"it fills {fill:.0%} of a gap between genes{inside}"
    return f"{share:.0%} of it lie inside another gene{strand}"


def _coupling(seen: Row) -> str:
    if seen.column("up_coupled"):
        return "its start overlaps the stop codon of the gene before it, as in operons"
    if seen.column("up_near") or seen.column("down_near"):
        return "it lies close to its neighbours on the strand, as in operons"
    return "it lies apart from its neighbours on the strand"


_GROUPS: Final[Mapping[str, tuple[Callable[[Row], str], tuple[str, ...]]]] = MappingProxyType(
    {
        "start": (_start, ("site", "upstream", "codon", "weaker")),
        "codons": (_coding, ("coding", "coding_density", "usage")),
        "length": (_length, ("length", "not_short", "stop_free")),
        "place": (_place_in_words, ("new", "fill", "gap", "same", "opposite", "density")),
        "operon": (
            _coupling,
            ("up_coupled", "up_near", "down_coupled", "down_near", "flanked"),
        ),
    }
)
"""Columns that are told together, because they say one thing in several numbers."""


_PRIORS: Final = MappingProxyType(
    {
        Which.BESIDE: "a frame beside or between genes that is like those which are genes",
        Which.NESTED: "a frame mostly inside a gene that is like those which are genes",
        Which.SQUEEZED: "a frame that scores like a gene and is left out for its overlap or length"
        " alone",
    }
)


def terms(seen: Row, parameters: RescueParameters, *, bacterium: bool) -> tuple[RescueTerm, ...]:
    """The same for one frame as addends with their reasons, the prior first."""
    which = Which(int(seen.described.model[seen.row]))
    model = model_of(which, parameters)
    told = [RescueTerm(_PRIORS[which], round(model.prior, _PLACES))]
    if bacterium and parameters.in_bacteria:
        said = "in a bacterium fewer such frames are genes"
        told.append(RescueTerm(said, round(parameters.in_bacteria, _PLACES)))
    for words, names in _GROUPS.values():
        value = sum(
            model.columns[name].weight * (seen.column(name) - model.columns[name].mean)
            for name in names
            if name in model.columns
        )
        if value:
            told.append(RescueTerm(words(seen), round(value, _PLACES)))
    return tuple(told)


def probability(addends: Iterable[RescueTerm]) -> float:
    """Probability of a sum of addends, at most 0.999."""
    return min(_LIMIT, logistic(sum(one.log_odds for one in addends)))


def threshold_of(seen: Row, parameters: RescueParameters) -> float:
    """Probability from which a frame is a gene."""
    return model_of(Which(int(seen.described.model[seen.row])), parameters).threshold


def kind_of(described: Described, row: int) -> RescueKind:
    """How a frame lies to the calls."""
    if described.model[row] == Which.NESTED:
        return RescueKind.NESTED
    return RescueKind.OVERLAPPING if described.host[row] >= 0 else RescueKind.INTERGENIC


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


class _KnownSpans(NamedTuple):
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
    ground = _KnownSpans(
        whole_hits(evidence or ()),
        near_proteins(similar),
        evidence is not None,
        name_of,
        parameters or load_rescue(),
    )
    contigs = tuple(_decide_contig(one, ground) for one in calls.contigs)
    return replace(calls.genome, contigs=contigs)


def _decide_contig(calls: ContigCalls, ground: _KnownSpans) -> Contig:
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
    calls: ContigCalls, accepted: Set[str], ground: _KnownSpans
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


def _weighed(candidate: Candidate, ground: _KnownSpans) -> _Weighed:
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
