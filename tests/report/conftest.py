"""Results to render: the phiX174 example, and one gene with every odd character."""

from __future__ import annotations

import pytest

from genint.formats import read_genome, read_genome_bytes
from genint.interpret.claims import ScoringModel
from genint.interpret.pipeline import interpret, novel_genes
from genint.knowledge.confidence import load_confidence
from genint.knowledge.products import load_products
from genint.knowledge.roles import load_roles
from genint.model.genome import Genome
from genint.model.interpretation import DatabaseUsed, InterpretationSummary, Parameters
from genint.report.build import build_result
from genint.report.result import GenintResult
from genint.sources import annotation

NASTY = "tail | fiber <script>alert(1)</script> `code` *bold* [link](x) # protein"


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


@pytest.fixture(scope="session")
def phix_summary(examples) -> InterpretationSummary:
    return summarise(read_genome(examples / "phiX174.gbk"))


@pytest.fixture(scope="session")
def phix_result(phix_summary) -> GenintResult:
    return build_result(phix_summary, load_confidence())


@pytest.fixture(scope="session")
def nasty_result(examples) -> GenintResult:
    """phiX174 with a product that Markdown and HTML would trip over."""
    text = (examples / "phiX174.gbk").read_text()
    old = '/product="major coat protein"'
    assert old in text
    changed = text.replace(old, f'/product="{NASTY}"')
    genome = read_genome_bytes(changed.encode(), "nasty|<name>.gbk")
    return build_result(summarise(genome), load_confidence())
