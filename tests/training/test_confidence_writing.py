"""What the fit writes is what the model reads."""

from __future__ import annotations

import pytest

from genint.knowledge import MeasuredLevel, Setting, parse_confidence
from genint.model import ConfidenceLevel, EvidenceType, GenomeKind, Specificity
from training.confidence.fitting import Fitted
from training.confidence.marks import Borders, read_marks, reasons
from training.confidence.parameters import Model
from training.confidence.reliabilities import Reliability
from training.confidence.writing import text_of

SETTING = Setting("local", GenomeKind.BACTERIUM)
FITTED = Fitted(
    {
        "prior.protein": -0.25,
        "leads.family_agreed": 1.5,
        "agrees.family_agreed": 0.75,
        "says_less.domain": 0.5,
        "differing": -1.25,
        "wider": 0.125,
        "context": 0.5,
    }
)
MEASURED = MeasuredLevel("novel", SETTING, ConfidenceLevel.HIGH, 95, 90, 100)


@pytest.fixture
def model() -> Model:
    counted = {"family_agreed": Reliability(8, 8)}
    shares = {name: said.share for name, said in counted.items()}
    return Model(
        {SETTING: FITTED},
        {SETTING: Borders(0.91, 0.66)},
        shares,
        read_marks(),
        "7",
        "Measured.",
        (MEASURED,),
    )


def test_parameters_that_are_written_are_read_as_they_were(model):
    text = text_of(model.parameters, {"family_agreed": Reliability(8, 8)}, ("one line",))
    read = parse_confidence(text)
    assert read == model.parameters
    calibration = read.calibration(SETTING)
    assert calibration.prior[Specificity.PROTEIN] == -0.25
    assert calibration.leads["family_agreed"] == 1.5
    assert calibration.says_less[EvidenceType.DOMAIN] == 0.5
    assert calibration.differing == -1.25
    assert read.measured == (MEASURED,)


def test_every_number_of_the_file_has_its_ground_beside_it(model):
    text = text_of(model.parameters, {"family_agreed": Reliability(8, 8)}, ())
    assert "family_agreed = 0.900  # 8 of 8" in text
    for name, why in reasons().items():
        assert why.splitlines()[0] in text, name


def test_few_cases_give_no_certainty():
    assert Reliability(2, 2).share == pytest.approx(0.75)
    assert Reliability(0, 0).share == pytest.approx(0.5)
