"""Which genes there are in the end: calls, candidates and evidence brought together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from genint.model.evidence import Evidence, SequenceFeature
from genint.model.genome import Genome
from genint.pipeline.gene_calling import Called
from genint.pipeline.resources import Resources
from genint.pipeline.rna import found_by, stems_of, with_rna
from genint.pipeline.searches import Findings

if TYPE_CHECKING:
    from genint.knowledge.rescue import RescueParameters
    from genint.knowledge.tables import Knowledge


def decided(
    called: Called,
    findings: Findings,
    knowledge: Knowledge,
    rescue: RescueParameters | None = None,
) -> Genome:
    """The genome with the genes that are to be interpreted.

    Genes of the user's file stand as they are. Where genes were predicted, candidates
    are accepted or refused by what was found of them.

    RNA genes come to them, and take the place of predicted genes that lie in them.

    Args:
        called: Genes and candidates.
        findings: What their proteins are like.
        knowledge: What families are called.
        rescue: Of the models that judge frames; default: what ships.

    Cost: O(genes + hits).
    """
    if called.calls is None:
        return replace(called.annotated, searches=found_by(findings.rna))
    from genint.genes import decide  # noqa: PLC0415 - lazy
    from genint.genes.frameshift import family_name, with_alternative_products  # noqa: PLC0415 - lazy

    genome = decide(
        called.calls,
        findings.profiles,
        lambda accession: family_name(accession, knowledge),
        rescue,
        similar=findings.similar,
    )
    genome = with_rna(genome, findings.rna, stems_of(called), _evidenced(findings))
    return with_alternative_products(genome, findings.profiles, findings.similar, knowledge)


def _evidenced(findings: Findings) -> frozenset[str]:
    """Genes whose protein a family recognises."""
    return frozenset(hit.gene_id for hit in findings.profiles)


class Observations(NamedTuple):
    """What the file and the local search say of the genes; for the process that made it.

    Attributes:
        annotated: As the file has it.
        genome: With its final genes.
        annotations: What the file says.
        families: What families of genint's own say.
        similar: What similar proteins say.
        domains: What the profile search says.
        unknown_domains: Families of unknown function, never a claim.
        features: By gene id, what the sequence itself shows.
        knowledge: The tables that were read for it.
    """

    annotated: Genome
    genome: Genome
    annotations: Sequence[Evidence]
    families: Sequence[Evidence]
    similar: Sequence[Evidence]
    domains: Sequence[Evidence]
    unknown_domains: Sequence[Evidence]
    features: Mapping[str, tuple[SequenceFeature, ...]]
    knowledge: Knowledge


def observe(called: Called, findings: Findings, equipment: Resources) -> Observations:
    """Fix the gene set and collect the evidence.

    Args:
        called: Genes and candidates.
        findings: What their proteins are like.
        equipment: What was used.

    Raises:
        UnavailableError: an installed database is gone.

    Cost: about 0.3 ms a gene.
    """
    from genint.knowledge.tables import load_knowledge  # noqa: PLC0415 - lazy
    from genint.sources import annotation, families, pfam  # noqa: PLC0415 - lazy
    from genint.sources.sequence.features import observe_features  # noqa: PLC0415

    knowledge = load_knowledge(equipment.folders.families, equipment.installed_tables)
    products = knowledge.products
    genome = decided(called, findings, knowledge)
    seen = pfam.observe(genome.genes, findings.profiles, knowledge.families)
    of_families = families.observe(
        genome.genes, findings.profiles, knowledge.own_families, products
    )
    return Observations(
        called.annotated,
        genome,
        annotations=annotation.observe(genome.genes, products, knowledge.terms),
        families=of_families,
        similar=_similar(genome, findings, knowledge, of_families),
        domains=seen.evidence,
        unknown_domains=seen.unknown_domains,
        features=observe_features(genome.genes),
        knowledge=knowledge,
    )


def _similar(
    genome: Genome, findings: Findings, knowledge: Knowledge, of_families: Sequence[Evidence]
) -> tuple[Evidence, ...]:
    """What similar proteins say; most runs have no reference to search."""
    if not findings.similar:
        return ()
    from genint.sources import homology  # noqa: PLC0415 - lazy

    return homology.observe(
        genome.genes,
        findings.similar,
        knowledge.own_families,
        knowledge.products,
        knowledge.terms,
        families=of_families,
    )
