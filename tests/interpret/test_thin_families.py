"""Families of phages that ship: which of them make HIGH with the surest of neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from genint.interpret import ScoringModel, score_evidence
from genint.interpret.gene_context import ECO_GENE_ORDER
from genint.interpret.scoring import NeighbourEvidence
from genint.knowledge import load_confidence, load_name_lengths, load_products, load_roles
from genint.knowledge.own_families import FamilyPack, OwnFamily, load_own_families
from genint.model import (
    Category,
    ConfidenceLevel,
    Evidence,
    EvidenceSource,
    EvidenceType,
    ProfileHit,
    Specificity,
)
from genint.sources import families
from genint.sources.family_reliability import is_vague

SURE = 4.0
"""Log-odds of neighbours, the largest that there are."""


class Named(NamedTuple):
    """A family, how many of its members have its name, and the level of a protein like them."""

    family: OwnFamily
    agreeing: int
    level: ConfidenceLevel


@pytest.fixture(scope="module")
def neighbours() -> NeighbourEvidence:
    """As sure as can be, of every category."""
    item = Evidence(
        gene_id="g1",
        source=EvidenceSource.GENE_CONTEXT,
        type=EvidenceType.GENE_CONTEXT,
        specificity=Specificity.CATEGORY,
        claim="lies among genes of tail",
        subject="tail",
        label="neighbours g2, g3",
        strength="gene_context",
        origin="gene_context",
        eco=ECO_GENE_ORDER,
    )
    return NeighbourEvidence(item, dict.fromkeys(Category, SURE))


@pytest.fixture(scope="module")
def model() -> ScoringModel:
    return ScoringModel(
        load_confidence(), load_roles(), load_products(), name_lengths=load_name_lengths()
    )


@pytest.fixture
def named(gene, neighbours, model) -> Sequence[Named]:
    """All families of phages that name a protein, each with a protein of its whole length."""
    products, table = model.products, load_own_families()
    found = []
    for id_ in table.families:
        family = table[id_]
        if family.pack is not FamilyPack.PHAGE or is_vague(family):
            continue
        length, bits = family.length_aa, 2.0 * family.length_aa
        one = gene(protein="M" * length)
        hit = ProfileHit(one.id, id_, 1e-40, bits, family.threshold_bits, 1, length, 1.0, 1.0)
        [item] = families.observe([one], [hit], table, products)
        best = score_evidence([item], model, neighbours, gene=one).hypotheses[0]
        agreeing = len(table.named_members_of(id_))
        found.append(Named(family, agreeing, ConfidenceLevel.of(best.score)))
    return found


def test_no_name_of_one_protein_is_high_by_its_neighbours(named):
    thin = [one for one in named if one.agreeing < 2]
    assert len(thin) > 500
    assert [one.family.id for one in thin if one.level is ConfidenceLevel.HIGH] == []


def test_no_name_by_one_kind_of_source_from_a_minority_is_high_by_its_neighbours(named):
    thin = [
        one
        for one in named
        if len(one.family.origins) == 1
        and one.family.consensus < 0.8
        and 2 * one.agreeing <= one.family.named_members
    ]
    assert len(thin) > 100
    assert [one.family.id for one in thin if one.level is ConfidenceLevel.HIGH] == []


def test_names_on_which_several_annotators_agree_are(named):
    agreed = [
        one
        for one in named
        if one.agreeing > 2
        and len(one.family.origins) > 1
        and one.family.consensus >= 0.8
        and one.family.product is not None
        and one.family.product.category is not Category.OTHER
    ]
    assert len(agreed) > 300
    high = [one for one in agreed if one.level is ConfidenceLevel.HIGH]
    assert len(high) > 0.95 * len(agreed)


def test_a_name_by_part_of_a_protein_is_moderate_whatever_the_neighbours(gene, neighbours, model):
    family = next(
        one
        for one in load_own_families().families.values()
        if one.name == "terminase large subunit" and one.consensus == 1 and one.named_members > 5
    )
    one = gene(protein="M" * family.length_aa)
    ends = 1, family.length_aa // 2
    levels = {}
    for covered in (1.0, 0.5):
        hit = ProfileHit(one.id, family.id, 1e-40, 500.0, 25.0, *ends, covered, covered)
        found = families.observe([one], [hit], load_own_families(), model.products, {one.contig})
        best = score_evidence(found, model, neighbours, gene=one).hypotheses[0]
        levels[covered] = (best.claim, ConfidenceLevel.of(best.score))
    assert levels == {
        1.0: ("terminase large subunit", ConfidenceLevel.HIGH),
        0.5: ("terminase large subunit", ConfidenceLevel.MODERATE),
    }
