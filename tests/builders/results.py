"""Results made quickly, of genomes or of values, for tests that render or read them."""

from __future__ import annotations

from genint.interpret import ScoringModel, interpret, novel_genes
from genint.knowledge import load_confidence, load_dark_ranking, load_products, load_roles
from genint.model import DatabaseUsed, Genome, InterpretationSummary, Parameters
from genint.sources import annotation


def summarise(genome: Genome) -> InterpretationSummary:
    """Interpret on annotations alone: quick, and enough to render."""
    judgement = ScoringModel(
        load_confidence(), load_roles(), load_products(), dark_ranking=load_dark_ranking()
    )
    results = interpret(genome, annotation.observe(genome.genes), (), judgement)
    return InterpretationSummary(
        genome=genome,
        results=results,
        novel_gene_report=novel_genes(results),
        parameters=Parameters(),
        databases=(DatabaseUsed("Pfam", "35.0", "CC0"),),
        genint_version="0.0.0",
    )
