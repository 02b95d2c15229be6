"""Levels begin where they held."""

from __future__ import annotations

from genint.knowledge import Setting
from genint.model import EvidenceType, GenomeKind, Hypothesis, Specificity
from training.confidence.borders import borders_of
from training.confidence.examples import Judged
from training.confidence.measuring import Told

SETTING = Setting("offline", GenomeKind.PHAGE)
TWO = frozenset({EvidenceType.FAMILY, EvidenceType.DOMAIN})
ONE = frozenset({EvidenceType.FAMILY})


def told(probability, true, types=TWO, specificity=Specificity.PROTEIN):
    best = Hypothesis("name", "name", specificity, min(probability, 0.79), (), (), types)
    return Told("genome", "group", SETTING, "gene", "name", best, Judged(true, true), probability)


def claims(probability, right, wrong, **kwargs):
    return [
        *(told(probability, true=True, **kwargs) for _ in range(right)),
        *(told(probability, true=False, **kwargs) for _ in range(wrong)),
    ]


def test_high_begins_where_names_of_two_types_hold():
    some = [*claims(0.825, 80, 20), *claims(0.9, 199, 1), *claims(0.6, 90, 10, types=ONE)]
    assert borders_of(some)[SETTING].least_for_high == 0.83


def test_names_of_one_type_have_no_part_in_where_high_begins():
    some = [*claims(0.85, 99, 1), *claims(0.85, 10, 90, types=ONE)]
    assert borders_of(some)[SETTING].least_for_high == 0.80


def test_moderate_begins_where_what_is_not_high_holds():
    some = [
        *claims(0.95, 100, 0),
        *claims(0.55, 30, 70, types=ONE),
        *claims(0.7, 90, 10, types=ONE),
        *claims(0.52, 500, 0, specificity=Specificity.DOMAIN, types=ONE),
    ]
    assert borders_of(some)[SETTING].least_for_moderate == 0.56


def test_few_claims_open_no_level():
    border = borders_of(claims(0.9, 10, 0))[SETTING]
    assert border.least_for_high > 0.96
    assert border.least_for_moderate > 0.77
