"""What it says of a frame that families or proteins are like its own, or that none is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from genint.knowledge.rescue import RescueParameters
from genint.model.evidence import ProfileHit, SimilarityHit
from genint.model.rescue import RescueTerm

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
