"""The parameters that ship: complete, and what they promise is what was measured."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import genint.sources
from genint.knowledge import ConfidenceParameters, Setting, load_confidence
from genint.model import ConfidenceLevel, EvidenceType, GenomeKind, Specificity, wilson

SETTINGS = [Setting(mode, kind) for mode in ("offline", "local") for kind in GenomeKind]
FITTED_TYPES = {
    EvidenceType.ANNOTATION,
    EvidenceType.FAMILY,
    EvidenceType.DOMAIN,
    EvidenceType.HOMOLOGY,
    EvidenceType.GENE_CONTEXT,
}


@pytest.fixture(scope="module")
def shipped() -> ConfidenceParameters:
    return load_confidence()


def classes_of_sources() -> set[str]:
    """All classes that evidence can be of, as the sources spell them."""
    found: set[str] = set()
    for path in Path(genint.sources.__path__[0]).glob("*.py"):
        found.update(re.findall(r'^STRENGTH_\w+ = "(\w+)"', path.read_text(), re.MULTILINE))
    return found


def test_every_class_of_evidence_has_a_reliability_and_weights_in_every_setting(shipped):
    classes = classes_of_sources()
    assert "family_agreed" in classes
    assert "homology_near" in classes
    for name in classes:
        assert 0 < shipped.reliability[name] < 1, name
    for setting in SETTINGS:
        calibration = shipped.calibration(setting)
        assert set(calibration.prior) == set(Specificity)
        assert set(calibration.leads) == set(calibration.agrees) == set(shipped.reliability)
        assert set(calibration.says_less) == set(calibration.again) == FITTED_TYPES


def test_what_agrees_never_lowers_and_what_differs_never_raises(shipped):
    for setting in SETTINGS:
        calibration = shipped.calibration(setting)
        supporting = (
            *calibration.agrees.values(),
            *calibration.says_less.values(),
            *calibration.again.values(),
            calibration.fits,
            calibration.context,
        )
        assert min(supporting) >= 0
        assert calibration.differing <= 0


def test_a_mode_that_was_not_fitted_takes_the_richest_that_was(shipped):
    for kind in GenomeKind:
        online = shipped.calibration(Setting("online", kind))
        assert online == shipped.calibration(Setting("local", kind))


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda one: f"{one.mode}-{one.kind.value}")
@pytest.mark.parametrize("regime", ["novel", "shipped"])
def test_levels_of_the_shipped_parameters_were_measured_and_hold(shipped, setting, regime):
    rows = {one.level: one for one in shipped.measured_of(setting, regime)}
    high, moderate = rows[ConfidenceLevel.HIGH], rows[ConfidenceLevel.MODERATE]
    # The share itself is printed everywhere; what must not happen is that it is below what
    # its level means by more than chance.
    assert wilson(high.right, high.judged)[1] >= 0.95
    assert high.judged >= 100
    assert moderate.right / moderate.judged >= 0.65
    assert high.right / high.judged > moderate.right / moderate.judged
