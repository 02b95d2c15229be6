"""Which genes there are in the end: calls, candidates and evidence brought together."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from genint.model.genome import Genome
from genint.steps.calling import Called
from genint.steps.gathering import Findings
from genint.steps.rna_genes import found_by, stems_of, with_rna

if TYPE_CHECKING:
    from genint.knowledge.loading import Knowledge
    from genint.knowledge.rescue import RescueParameters


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
    from genint.genes.slippage import with_alternative_products  # noqa: PLC0415 - lazy
    from genint.genes.slippage_names import family_name  # noqa: PLC0415 - lazy

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
