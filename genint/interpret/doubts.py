"""What a curator should doubt about a gene and its interpretation, in plain words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from genint.interpret.explain import no_second
from genint.interpret.gene_call import call_doubts
from genint.interpret.ranking import excluded_name
from genint.interpret.taxon import taxon_doubts
from genint.interpret.weigh import Weighed
from genint.model.evidence import Evidence
from genint.model.genome import Contig, Gene, Topology
from genint.model.shares import percent
from genint.model.vocabulary import Specificity

_SHORT_PROTEIN_AA = 80
"""Below this a profile match rests on few residues."""
_PARTIAL_PROFILE = 0.7
_PARTIAL_PROTEIN = 0.5


def uncertainties(gene: Gene, weighed: Weighed) -> tuple[str, ...]:
    """What a curator should doubt, each as a short phrase; the gravest first."""
    best = weighed.hypotheses[0]
    found: list[str] = []
    if weighed.conflicts:
        found.append("conflicting evidence")
    other = excluded_name(weighed.hypotheses, weighed.conflicts)
    if other is not None:
        found.append(
            f"two names for the whole protein, “{best.claim}” ({best.score:.2f}) and "
            f"“{other.claim}” ({other.score:.2f}): unless they mean one thing, at most one is right"
        )
    if len(best.types) < 2:  # noqa: PLR2004 - two independent types make HIGH
        only = best.evidence[0].type.value
        weak = {item.type.value for item in best.evidence} - {only}
        aside = f", {no_second(weak)}" if weak else ""
        found.append(f"single source: {only} speaks for it{aside}")
    if best.specificity is Specificity.DOMAIN:
        found.append("domain only: says what the protein contains, not what it does as a whole")
    found.extend(caveat for item in best.evidence for caveat in item.caveats)
    found.extend(taxon_doubts(best.evidence))
    found.extend(_coverage_doubts(best.evidence))
    found.extend(gene_doubts(gene))
    return tuple(dict.fromkeys(found))


def _coverage_doubts(evidence: Sequence[Evidence]) -> list[str]:
    """Fragments of profiles, and how little of the protein all matches explain."""
    found: list[str] = []
    explained: defaultdict[str, float] = defaultdict(float)
    for item in evidence:
        profile, protein = item.measured.target_coverage, item.measured.protein_coverage
        if profile is not None and profile < _PARTIAL_PROFILE:
            found.append(f"partial match: {percent(profile)} of {item.accession} is covered")
        if protein is not None:
            # Families of one source lie side by side, those of two on top of each other.
            explained[item.source] += protein
    most = max(explained.values(), default=1.0)
    if most < _PARTIAL_PROTEIN:
        found.append(f"matches explain {percent(most)} of the protein's length")
    return found


def joint_doubts(contig: Contig, gene: Gene) -> tuple[str, ...]:
    """That a gene runs over ends which were joined although the file says no circle."""
    guessed = contig.topology is Topology.CIRCULAR and not contig.topology_stated
    if not guessed or not gene.span.wraps(len(contig)):
        return ()
    return (
        "it runs over the joined ends of a sequence that the file does not call circular: on a "
        "line it would be two pieces",
    )


def gene_doubts(gene: Gene) -> list[str]:
    """Doubts about the gene itself rather than its function."""
    found = []
    if gene.pseudo:
        found.append("the file marks a pseudogene")
    if "*" in gene.protein:
        found.append("stop codons inside the reading frame")
    if gene.location.partial_5 or gene.location.partial_3:
        found.append("the gene is cut off at the end of the sequence")
    if 0 < len(gene.protein) < _SHORT_PROTEIN_AA:
        found.append(f"short protein ({len(gene.protein)} amino acids)")
    found.extend(call_doubts(gene))
    return found
