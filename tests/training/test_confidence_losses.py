"""What genes got that were not named in full, counted by hand."""

from __future__ import annotations

import pytest

from genint.knowledge import Setting
from genint.model import GenomeKind, Hypothesis, Specificity
from training.confidence.examples import Judged
from training.confidence.losses import Outcome, losses_table, outcome
from training.confidence.measuring import Told

SETTING = Setting("offline", GenomeKind.PHAGE)
FULL, WIDER, WRONG = Judged(True, True), Judged(True, False), Judged(False, False)


def told(judged, specificity=Specificity.PROTEIN, **more):
    best = Hypothesis("name", "name", specificity, 0.7, (), (), frozenset())
    return Told("genome", "group", SETTING, "gene", "name", best, judged, 0.7, **more)


DARK = Told("genome", "group", SETTING, "gene", "name", None, None, 0.0)


@pytest.mark.parametrize(
    ("one", "expected"),
    [
        (DARK, Outcome.NOTHING),
        (told(None), Outcome.UNJUDGED),
        (told(FULL), Outcome.NAMED),
        (told(FULL, Specificity.CATEGORY), Outcome.CLASS),
        (told(FULL, Specificity.DOMAIN), Outcome.PART),
        (told(WRONG, Specificity.DOMAIN, subject_is_full=True), Outcome.PART),
        (told(WIDER, Specificity.DOMAIN), Outcome.WIDER),
        (told(WIDER), Outcome.WIDER),
        (told(WRONG), Outcome.WRONG),
    ],
)
def test_a_gene_has_the_outcome_that_its_record_tells(one, expected):
    assert outcome(one) is expected


def test_outcomes_are_counted_with_those_whose_evidence_has_the_right_name():
    genes = [
        told(FULL, evidence_is_full=True),
        told(WRONG, evidence_is_full=True),
        told(WRONG),
        DARK,
    ]
    assert list(losses_table(genes))[2:] == [
        "| offline | phage | no hypothesis | 1 | 0.250 | 0 |",
        "| offline | phage | a name as precise as the record | 1 | 0.250 | 1 |",
        "| offline | phage | another function | 2 | 0.500 | 1 |",
    ]
