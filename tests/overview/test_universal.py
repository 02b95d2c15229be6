"""How much of a bacterium is there, by proteins that all bacteria at hand have."""

from __future__ import annotations

from genint.interpret import ScoringModel, interpret
from genint.knowledge import load_confidence, load_own_families, load_products, load_roles
from genint.knowledge.overview_tables import load_overview_knowledge
from genint.knowledge.universal import load_universal_proteins
from genint.model import GenomeKind, Topic
from genint.model.overview import MarkersFound
from genint.model.vocabulary import BACTERIUM_BP
from genint.overview import describe
from genint.sources import annotation
from tests.builders.overviews import GENE_BP, SPACE_BP, genome_of


def statements_of(names, *, padded=True):
    step = GENE_BP + SPACE_BP
    filler = BACTERIUM_BP // step + 1 - len(names) if padded else 0
    genome = genome_of((*names, *[None] * filler), kind=GenomeKind.BACTERIUM)
    model = ScoringModel(load_confidence(), load_roles(), load_products())
    evidence = annotation.observe(genome.genes, load_products())
    knowledge = load_overview_knowledge(load_roles(), load_own_families().families)
    results = interpret(genome, evidence, (), model)
    found = describe(genome, results, knowledge, MarkersFound({}), ("Pfam (35.0)",))
    return [one for one in found if one.topic is Topic.COMPLETENESS]


def test_universal_proteins_are_terms_of_the_vocabulary():
    universal = load_universal_proteins()
    assert len(universal.products) > 100
    assert universal.products <= load_products().products.keys()
    assert 0 < universal.least_reduced < universal.least <= 1


def test_what_is_lacking_is_named_with_how_much_whole_bacteria_have():
    universal, products = load_universal_proteins(), load_products().products
    half = sorted(universal.products)[::2]
    (one,) = statements_of([products[term].name for term in half])
    there = int(one.text.split()[0])
    assert 0 < there <= len(half)
    assert one.missing[-1].endswith("more")
    assert any("left out" in step for step in one.reasoning)


def test_of_files_smaller_than_a_bacterium_nothing_is_said():
    assert statements_of(["DNA ligase"], padded=False) == []
