"""Which candidates are genes: by evidence, by their start, or not at all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from genint.genes.calls import Candidate, ContigCalls, Decision, GeneCalls, Rejected
from genint.model.evidence import ProfileHit
from genint.model.genome import CallScores, Contig, Gene

# The rule for frames nested on the strand of their host. Measured without evidence on the 12
# phages of benchmarks/gene_calls.py: 4 annotated genes are found (phiX174 B and E, lambda Rz1,
# T7 18.7) for 2 calls that are not annotated (DE3 carries the second as an unannotated Rz1), that
# is 0.2 a genome. A start score of 9.0 changes nothing, 8.5 finds one more (Sodalis phage SO-1),
# 10.5 loses E; the total score matters below -3 only (E has -2.4), -4 lets in one more.
_MIN_OVERLAP = 0.70
_MIN_START_SCORE = 9.5
_MIN_TOTAL_SCORE = -3.5
_NEAR_START_SCORE = 7.0


def decide(calls: GeneCalls, evidence: Sequence[ProfileHit] = ()) -> Decision:
    """Fix the gene set.

    Base calls always stay as they are. A candidate becomes a gene where a protein
    family recognises it, or where it lies on the strand of its host, mostly inside
    it, behind a strong start.

    Args:
        calls: Base calls and candidates.
        evidence: Profile hits of their proteins; those of other genes play no part.

    Returns:
        The genome with its genes by position, each accepted candidate with its
        reason as ``note``, and the near misses.

    Cost: O(genes + hits).
    """
    best_hits = _best_hits(evidence)
    contigs, rejected = [], []
    for contig_calls in calls.contigs:
        contig, refused = _decide_contig(contig_calls, best_hits)
        contigs.append(contig)
        rejected += refused
    return Decision(replace(calls.genome, contigs=tuple(contigs)), tuple(rejected))


def _best_hits(evidence: Sequence[ProfileHit]) -> dict[str, ProfileHit]:
    """The best hit of every gene that reaches its family's threshold."""
    hits: dict[str, list[ProfileHit]] = defaultdict(list)
    for hit in evidence:
        if hit.score_bits >= hit.threshold_bits:
            hits[hit.gene_id].append(hit)
    return {
        gene_id: min(found, key=lambda hit: (hit.evalue, -hit.score_bits, hit.accession))
        for gene_id, found in hits.items()
    }


def _decide_contig(
    calls: ContigCalls, best_hits: Mapping[str, ProfileHit]
) -> tuple[Contig, list[Rejected]]:
    genes, rejected = list(calls.contig.genes), []
    for candidate in calls.candidates:
        reason = _reason(candidate, best_hits.get(candidate.gene.id))
        if reason is not None:
            genes.append(replace(candidate.gene, note=reason))
        elif (doubt := _near_miss(candidate)) is not None:
            rejected.append(Rejected(candidate, doubt))
    genes.sort(key=_position)
    return replace(calls.contig, genes=tuple(genes)), rejected


def _position(gene: Gene) -> tuple[int, int, str]:
    return gene.span.start, gene.span.end, gene.id


def _reason(candidate: Candidate, hit: ProfileHit | None) -> str | None:
    """Why a candidate is a gene, in one sentence; None where it is not."""
    inside = _inside(candidate)
    if hit is not None:
        return (
            f"Accepted although it lies {inside}: protein family {hit.accession} recognises it"
            f" (E-value {hit.evalue:.1e}, {hit.score_bits:.1f} bits, threshold"
            f" {hit.threshold_bits:.1f})."
        )
    scores = candidate.scores
    if not _passes_rule(candidate, scores):
        return None
    motif = f" behind the ribosome binding site {scores.rbs_motif}" if scores.rbs_motif else ""
    return (
        f"Accepted although it lies {inside}: it starts with {scores.start_codon}{motif}"
        f" (start score {scores.start:.1f}, at least {_MIN_START_SCORE} asked for)."
    )


def _passes_rule(candidate: Candidate, scores: CallScores) -> bool:
    return (
        candidate.same_strand
        and candidate.host_overlap >= _MIN_OVERLAP
        and scores.start >= _MIN_START_SCORE
        and scores.total >= _MIN_TOTAL_SCORE
    )


def _near_miss(candidate: Candidate) -> str | None:
    """Why a candidate with a good start is no gene; None where it never came near."""
    scores = candidate.scores
    if scores.start < _NEAR_START_SCORE:
        return None
    if not candidate.same_strand:
        return "It lies on the strand opposite to its host: no statistics can tell such genes."
    if candidate.host_overlap < _MIN_OVERLAP:
        return (
            f"Only {candidate.host_overlap:.0%} of it lie inside {candidate.host_id}: the rule"
            f" for nested genes asks for {_MIN_OVERLAP:.0%}."
        )
    if scores.start < _MIN_START_SCORE:
        return f"Its start score is {scores.start:.1f}, below {_MIN_START_SCORE}."
    return f"Its total score is {scores.total:.1f}, below {_MIN_TOTAL_SCORE}."


def _inside(candidate: Candidate) -> str:
    strand = "on the same strand" if candidate.same_strand else "on the opposite strand"
    return f"{candidate.host_overlap:.0%} inside {candidate.host_id} {strand}"
