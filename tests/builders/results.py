"""Results made quickly, of genomes or of values, for tests that render or read them."""

from __future__ import annotations

from genint.interpret.claims import ScoringModel
from genint.interpret.pipeline import interpret, novel_genes
from genint.knowledge.confidence import load_confidence
from genint.knowledge.products import load_products
from genint.knowledge.roles import load_roles
from genint.model.genome import Genome
from genint.model.interpretation import DatabaseUsed, InterpretationSummary, Parameters
from genint.sources import annotation


def summarise(genome: Genome) -> InterpretationSummary:
    """Interpret on annotations alone: quick, and enough to render."""
    judgement = ScoringModel(load_confidence(), load_roles(), load_products())
    results = interpret(genome, annotation.observe(genome.genes), (), judgement)
    return InterpretationSummary(
        genome=genome,
        results=results,
        novel_gene_report=novel_genes(results),
        parameters=Parameters(),
        databases=(DatabaseUsed("Pfam", "35.0", "CC0"),),
        genint_version="0.0.0",
    )
