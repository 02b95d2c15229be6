"""Names that only the file gives, in all annotated genomes at hand, are never HIGH."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

import pytest

from genint.formats import read_genome
from genint.interpret import ScoringModel, interpret
from genint.knowledge import (
    load_confidence,
    load_gene_order,
    load_name_lengths,
    load_products,
    load_roles,
)
from genint.knowledge.confidence import Setting
from genint.model import ConfidenceLevel, EvidenceType
from genint.model.interpretation import GeneResult
from genint.model.kinds import with_kinds
from genint.model.vocabulary import NameBasis
from genint.sources import annotation
from tests.report.real_genomes import REGULAR

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def repeated(shared_data) -> Mapping[str, list[GeneResult]]:
    """By genome, the genes whose name rests on the file and the neighbours alone."""
    model = ScoringModel(
        load_confidence(),
        load_roles(),
        load_products(),
        gene_order=load_gene_order(),
        name_lengths=load_name_lengths(),
    )
    found = {}
    for name in REGULAR:
        genome = with_kinds(read_genome(shared_data / "genomes" / name))
        own = annotation.observe(genome.genes, model.products)
        setting = Setting("offline", genome.kind)
        results = interpret(genome, own, (), replace(model, setting=setting))
        found[name] = [one for one in results if one.interpretation]
    return found


def test_names_that_only_the_file_gives_are_never_high(repeated):
    for genome, results in repeated.items():
        levels = Counter(one.confidence_level for one in results)
        assert levels[ConfidenceLevel.HIGH] == 0, genome


def test_neighbours_are_no_second_type_beside_the_files_name(repeated):
    beside = 0
    for genome, results in repeated.items():
        for one in results:
            best = one.interpretation.hypotheses[0]
            assert best.basis is NameBasis.FILE, genome
            assert EvidenceType.GENE_CONTEXT not in best.types, (genome, one.gene_id)
            beside += any(item.type is EvidenceType.GENE_CONTEXT for item in best.evidence)
    assert beside > 500  # they are told, and add to the score, all the same
