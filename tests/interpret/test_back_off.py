"""The most precise statement on a gene that keeps its promise: name, else class, else role."""

from __future__ import annotations

from dataclasses import replace

import pytest

from genint.interpret import (
    NO_CONTEXT,
    NeighbourContext,
    NeighbourEvidence,
    score_evidence,
    statement,
)
from genint.knowledge import DEFAULT_SETTING, BackOff, load_confidence
from genint.model import Category, GeneContext, GenomeKind, Specificity, StatementKind

NAME, CLASS, ROLE, BY_NEIGHBOURS = StatementKind
NEVER = 2.0


@pytest.fixture
def model(judgement):
    """The judgement with borders of statements; ``least`` overrides those of some kinds."""

    def make(context: float = 1.0, **least: float):
        borders = {NAME: 0.5, CLASS: 0.7, ROLE: 0.7, BY_NEIGHBOURS: 0.9}
        borders.update({StatementKind[kind]: border for kind, border in least.items()})
        held = {kind: (90 + at, 100) for at, kind in enumerate(StatementKind)}
        limits = {DEFAULT_SETTING: BackOff(borders, held, context)}
        return replace(judgement, parameters=replace(judgement.parameters, back_off=limits))

    return make


def of(evidence, model, near=NO_CONTEXT):
    return statement(score_evidence(evidence, model), near, model)


def term(name, family, judgement, **changes):
    """A family hit of a name of the vocabulary."""
    product = judgement.products.find(name)
    return family(name, product.id, **changes)


def test_a_supported_name_is_stated_with_how_often_such_names_held(model, family, judgement):
    found = of([term("portal protein", family, judgement)], model())
    assert (found.text, found.kind) == ("portal protein", NAME)
    assert (found.right, found.judged, found.held) == (90, 100, 0.9)


def test_where_the_name_is_unsure_its_class_is_stated(model, family, judgement):
    doubtful = [
        term("tail fiber protein", family, judgement, strength="family_doubtful"),
        term(
            "tail sheath protein",
            family,
            judgement,
            strength="family_doubtful",
            accession="GF11111111",
            origin="genint_family:GF11111111",
        ),
    ]
    found = of(doubtful, model(CLASS=0.05, NAME=NEVER))
    assert (found.text, found.kind) == ("tail protein", CLASS)


def test_a_narrow_class_is_stated_before_a_wide_one(model, family, judgement):
    evidence = [term("tail tube protein", family, judgement, strength="family_doubtful")]
    found = of(evidence, model(NAME=NEVER, CLASS=0.05))
    assert found.text == "major tail protein"


def test_where_name_and_class_are_unsure_the_role_is_stated(model, family, judgement):
    evidence = [term("tail fiber protein", family, judgement, strength="family_doubtful")]
    found = of(evidence, model(NAME=NEVER, CLASS=NEVER, ROLE=0.05))
    assert (found.text, found.kind) == ("tail", ROLE)


def test_neighbours_that_agree_make_a_role_surer(model, family, domain, judgement):
    evidence = [term("tail fiber protein", family, judgement, strength="family_doubtful")]
    context = NeighbourEvidence(
        domain("PF1", "neighbours", specificity=Specificity.CATEGORY),
        {category: 4.0 if category is Category.TAIL else -4.0 for category in Category},
    )
    strict = model(NAME=NEVER, CLASS=NEVER, ROLE=0.9)
    assert of(evidence, strict) is None
    found = of(evidence, strict, NeighbourContext(context, None))
    assert (found.text, found.kind) == ("tail", ROLE)
    deaf = model(context=0.0, NAME=NEVER, CLASS=NEVER, ROLE=0.9)
    assert of(evidence, deaf, NeighbourContext(context, None)) is None


def test_two_roles_that_are_equally_likely_are_neither_stated(model, family, judgement):
    evidence = [
        term("tail fiber protein", family, judgement, strength="family_agreed"),
        term(
            "holin",
            family,
            judgement,
            strength="family_agreed",
            accession="GF11111111",
            origin="genint_family:GF11111111",
        ),
    ]
    one = of(evidence[:1], model(NAME=NEVER, CLASS=NEVER, ROLE=0.6))
    both = of(evidence, model(NAME=NEVER, CLASS=NEVER, ROLE=0.6))
    assert one is not None
    assert both is None


def test_a_gene_without_evidence_has_the_role_of_its_neighbours_where_that_is_sure(model):
    near = NeighbourContext(None, GeneContext(Category.TAIL, 0.95, ("g2", "g3")))
    found = of([], model(), near)
    assert (found.text, found.kind) == ("tail", BY_NEIGHBOURS)
    assert of([], model(ROLE_BY_NEIGHBOURS=0.96), near) is None
    assert of([], model()) is None


def test_without_borders_nothing_is_stated(judgement, family):
    evidence = [term("portal protein", family, judgement)]
    assert of(evidence, replace(judgement, parameters=replace(judgement.parameters))) is None


def test_what_ships_promises_nine_of_ten_for_every_kind_that_is_stated():
    parameters = load_confidence()
    assert parameters.promise == 0.9
    kinds = {setting.kind for setting in parameters.back_off}
    assert kinds == set(GenomeKind)
    for limits in parameters.back_off.values():
        for kind in StatementKind:
            right, judged = limits.held[kind]
            if limits.least[kind] <= 1:
                assert judged > 0
                assert right / judged >= parameters.promise
