"""InterPro as a source: what the signatures of a protein say of its function.

A family that covers the protein names it; a domain, a repeat or a site is contained; folds
and families of unknown function are no claim. What the local profile search says too has the
same words and the same origin, so that it counts once. Models of spurious proteins speak
against the gene, and what was only predicted is told in words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from genint.knowledge.families import FamilyTable
from genint.model.evidence import Evidence, GoTerm
from genint.model.genome import Gene
from genint.model.online import InterProAnswer, InterProMatch
from genint.sources.interpro_choice import Chosen, chosen
from genint.sources.interpro_evidence import About
from genint.sources.interpro_findings import Finding, findings_of
from genint.sources.interpro_reading import read
from genint.sources.interpro_remarks import predictions_of, spurious_of

_MOST_LEVELS: Final = 20
"""No tree of entries is deeper; what claims to be is a circle."""


@dataclass(frozen=True, slots=True)
class InterProObservations:
    """What InterPro says of a genome.

    Attributes:
        evidence: Functional claims.
        unknown_domains: Families of unknown function and folds; never a claim.
        spurious: Models of spurious proteins that match: against the gene, never a function.
        predictions: By gene id, what is no evidence, in words; genes with none are left out.
    """

    evidence: tuple[Evidence, ...] = ()
    unknown_domains: tuple[Evidence, ...] = ()
    spurious: tuple[Evidence, ...] = ()
    predictions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def observe(
    genes: Iterable[Gene],
    answers: Mapping[str, InterProAnswer],
    go: Mapping[str, tuple[GoTerm, ...]],
    families: FamilyTable,
    domains: Iterable[Evidence] = (),
) -> InterProObservations:
    """Evidence from the signatures of proteins.

    Args:
        genes: In the order of the result.
        answers: By gene id; genes without one are left out.
        go: Terms of InterPro entries.
        families: What Pfam accessions mean to the local search.
        domains: What the local search says of the same genes.

    Returns:
        Of each gene names first, then parts, then sites; of what lies on the same stretch
        only the best.

    Cost: 1 ms a gene with ten signatures.
    """
    found_here = _found_here(domains, families)
    claims: list[Evidence] = []
    unknown: list[Evidence] = []
    spurious: list[Evidence] = []
    predictions: dict[str, tuple[str, ...]] = {}
    for gene in genes:
        answer = answers.get(gene.id)
        if answer is None or not answer.matches:
            continue
        length_aa = len(gene.protein.removesuffix("*"))
        findings = findings_of(answer.matches, length_aa, are_types_told=not answer.through_uniparc)
        about = About(
            gene_id=gene.id,
            length_aa=length_aa,
            answer=answer,
            go={} if answer.through_uniparc else go,
            families=families,
            found_here=found_here.get(gene.id, {}),
            lineage=_lineages(findings),
        )
        told = chosen([read(finding, about) for finding in findings])
        claims.extend(reading.evidence for reading in told.claims)
        unknown.extend(reading.evidence for reading in told.unknown)
        against, remarks = spurious_of(about)
        spurious.extend(against)
        if words := (*remarks, *predictions_of(about, _stretches(told))):
            predictions[gene.id] = words
    return InterProObservations(tuple(claims), tuple(unknown), tuple(spurious), predictions)


def _found_here(domains: Iterable[Evidence], families: FamilyTable) -> dict[str, dict[str, str]]:
    """By gene, the Pfam families that the local search found, and their entries."""
    found: dict[str, dict[str, str]] = {}
    for item in domains:
        if item.pfam:
            found.setdefault(item.gene_id, {})[item.pfam] = item.pfam
        family = families.families.get(item.pfam or "")
        if family is not None and family.interpro is not None:
            found.setdefault(item.gene_id, {})[family.interpro.accession] = family.accession
    return found


def _lineages(findings: Iterable[Finding]) -> dict[str, tuple[str, ...]]:
    """Entry -> itself and those above it that were matched."""
    entries = {one.entry.accession: one.entry for one in findings if one.entry}
    lineages = {}
    for accession, entry in entries.items():
        line, at = [accession], entry.parent
        while at in entries and at is not None and len(line) < _MOST_LEVELS and at not in line:
            line.append(at)
            at = entries[at].parent
        lineages[accession] = tuple(line)
    return lineages


def _stretches(told: Chosen) -> tuple[InterProMatch, ...]:
    """Signatures that claims rest on."""
    return tuple(one.match for reading in told.claims for one in reading.finding.signatures)
