"""Fifth step: the gene set, and what is known of it without online services.

It needs nothing of what services answer, so it is done while they are still being asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from genint.model.evidence import Evidence
from genint.model.features import SequenceFeature
from genint.model.genome import Genome
from genint.steps.calling import Called
from genint.steps.deciding import decided
from genint.steps.equipment import Equipment
from genint.steps.gathering import Findings

if TYPE_CHECKING:
    from genint.knowledge.loading import Knowledge


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


def observe(called: Called, findings: Findings, equipment: Equipment) -> Observations:
    """Fix the gene set and collect the evidence.

    Args:
        called: Genes and candidates.
        findings: What their proteins are like.
        equipment: What was used.

    Raises:
        UnavailableError: an installed database is gone.

    Cost: about 0.3 ms a gene.
    """
    from genint.knowledge.loading import load_knowledge  # noqa: PLC0415 - lazy
    from genint.sources import annotation, domains, families  # noqa: PLC0415
    from genint.sources.sequence_features import observe_features  # noqa: PLC0415

    knowledge = load_knowledge(equipment.folders.families, equipment.installed_tables)
    products = knowledge.products
    genome = decided(called, findings, knowledge)
    seen = domains.observe(genome.genes, findings.profiles, knowledge.families)
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
