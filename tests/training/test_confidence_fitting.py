"""The fit finds what made-up genes were made with, and keeps its signs."""

from __future__ import annotations

import math
import random

import pytest

from genint.model import GenomeKind
from training.confidence.examples import Example, Judged
from training.confidence.fitting import fit
from training.confidence.leaving_out import fit_kind


def example(terms, *, true, group="g", gene="1", kind=GenomeKind.PHAGE):
    return Example(group, f"genome of {group}", kind, gene, terms, Judged(true, true))


def made_up(weights, number=6_000, group="g", kind=GenomeKind.PHAGE):
    """Genes that are right as often as the logistic of their addends says."""
    chance = random.Random(7)
    for gene in range(number):
        terms = {"prior.protein": 1.0}
        terms.update(
            (name, 1.0) for name in weights if name != "prior.protein" and chance.random() < 0.5
        )
        total = sum(weights[name] for name in terms)
        true = chance.random() < 1 / (1 + math.exp(-total))
        yield example(terms, true=true, group=group, gene=str(gene), kind=kind)


WEIGHTS = {
    "prior.protein": -0.5,
    "leads.family_agreed": 1.5,
    "agrees.pfam_family": 0.8,
    "differing": -1.0,
}


def test_the_addends_that_genes_were_made_with_are_found_again():
    found = fit(list(made_up(WEIGHTS)), ridge=0.01)
    for name, weight in WEIGHTS.items():
        assert found.weights[name] == pytest.approx(weight, abs=0.2), name


def test_what_agrees_never_takes_away_and_what_differs_never_adds():
    turned = {**WEIGHTS, "agrees.pfam_family": -0.8, "differing": 1.0}
    found = fit(list(made_up(turned)), ridge=0.01)
    assert found.weights["agrees.pfam_family"] == 0.0
    assert found.weights["differing"] == 0.0


def test_an_addend_that_was_never_seen_adds_nothing():
    found = fit(list(made_up(WEIGHTS, 200)), ridge=0.5)
    assert found.log_odds({"prior.protein": 1.0, "agrees.rumour": 3.0}) == pytest.approx(
        found.weights["prior.protein"]
    )


def test_a_claim_that_cannot_be_judged_has_no_part_in_the_fit():
    told = list(made_up(WEIGHTS, 500))
    mute = Example("g", "genome", GenomeKind.PHAGE, "x", {"leads.rumour": 1.0}, None)
    assert fit([*told, mute], ridge=0.5) == fit(told, ridge=0.5)


def test_a_strong_ridge_draws_to_the_centre():
    told = list(made_up(WEIGHTS, 300))
    centre = fit(list(made_up({**WEIGHTS, "leads.family_agreed": 3.0})), ridge=0.01)
    near = fit(told, ridge=1e6, centre=centre)
    for name, weight in near.weights.items():
        assert weight == pytest.approx(centre.weights[name], abs=0.01)


def test_one_large_genome_does_not_outvote_a_small_one():
    large = list(made_up({**WEIGHTS, "leads.family_agreed": 3.0}, 20_000, group="large"))
    small = list(made_up({**WEIGHTS, "leads.family_agreed": 0.0}, 1_000, group="small"))
    weight = fit([*large, *small], ridge=0.01).weights["leads.family_agreed"]
    assert 0.8 < weight < 2.2


def test_each_kind_of_genome_has_its_own_addends():
    phages = list(made_up(WEIGHTS, 3_000, group="p"))
    weak = {**WEIGHTS, "leads.family_agreed": 0.2}
    bacteria = list(made_up(weak, 3_000, group="b", kind=GenomeKind.BACTERIUM))
    both = [*phages, *bacteria]
    of_phages = fit_kind(both, GenomeKind.PHAGE).weights["leads.family_agreed"]
    of_bacteria = fit_kind(both, GenomeKind.BACTERIUM).weights["leads.family_agreed"]
    assert of_phages > 1.1
    assert of_bacteria < 0.6
