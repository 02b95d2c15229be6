"""Fitted addends as parameters of the model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from genint.knowledge.confidence import (
    Calibration,
    ConfidenceParameters,
    MeasuredLevel,
    Setting,
)
from genint.model.vocabulary import EvidenceType, Specificity
from training.confidence.fitting import Fitted

TYPES = (
    EvidenceType.ANNOTATION,
    EvidenceType.FAMILY,
    EvidenceType.DOMAIN,
    EvidenceType.HOMOLOGY,
)


@dataclass(frozen=True, slots=True)
class Marks:
    """Borders that are chosen, not fitted; the reasons stand in the file that ships.

    Attributes: as in :class:`genint.knowledge.confidence.ConfidenceParameters`.
    """

    moderate_ceiling: float = 0.79
    least_for_high: float = 0.9
    ceiling: float = 0.98
    least_reliability_for_agreement: float = 0.5
    least_context: float = 0.7
    least_for_name: float = 0.5


def calibration(fitted: Fitted, classes: Iterable[str]) -> Calibration:
    """Addends of one setting; what was never seen weighs nothing."""
    weights = fitted.weights
    listed = sorted(classes)

    def of(part: str, names: Iterable[str]) -> Mapping[str, float]:
        return MappingProxyType({name: weights.get(f"{part}.{name}", 0.0) for name in names})

    return Calibration(
        prior=MappingProxyType(
            {one: weights.get(f"prior.{one.value}", 0.0) for one in Specificity}
        ),
        leads=of("leads", listed),
        agrees=of("agrees", listed),
        says_less=MappingProxyType(
            {one: weights.get(f"says_less.{one.value}", 0.0) for one in TYPES}
        ),
        again=MappingProxyType({one: weights.get(f"again.{one.value}", 0.0) for one in TYPES}),
        fits=weights.get("fits", 0.0),
        contradicted=weights.get("contradicted", 0.0),
        contradicted_weakly=weights.get("contradicted_weakly", 0.0),
        differing=weights.get("differing", 0.0),
        context=weights.get("context", 0.0),
    )


def parameters(
    fits: Mapping[Setting, Fitted],
    reliability: Mapping[str, float],
    marks: Marks,
    *,
    version: str,
    basis: str = "",
    measured: Iterable[MeasuredLevel] = (),
) -> ConfidenceParameters:
    """The model as the interpreter takes it."""
    return ConfidenceParameters(
        version=version,
        basis=basis,
        moderate_ceiling=marks.moderate_ceiling,
        least_for_high=marks.least_for_high,
        ceiling=marks.ceiling,
        least_reliability_for_agreement=marks.least_reliability_for_agreement,
        least_context=marks.least_context,
        least_for_name=marks.least_for_name,
        reliability=MappingProxyType(dict(sorted(reliability.items()))),
        calibrations=MappingProxyType(
            {setting: calibration(fitted, reliability) for setting, fitted in fits.items()}
        ),
        measured=tuple(measured),
    )
