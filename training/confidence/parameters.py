"""Fitted addends as parameters of the model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from types import MappingProxyType

from genint.knowledge.confidence import (
    Calibration,
    ConfidenceParameters,
    MeasuredLevel,
    Setting,
)
from genint.model.vocabulary import EvidenceType, Specificity
from training.confidence.fitting import Fitted
from training.confidence.marks import Borders, Marks

TYPES = (
    EvidenceType.ANNOTATION,
    EvidenceType.FAMILY,
    EvidenceType.DOMAIN,
    EvidenceType.HOMOLOGY,
)


def calibration(fitted: Fitted, classes: Iterable[str], borders: Borders) -> Calibration:
    """Addends of one setting; what was never seen weighs nothing."""
    weights = fitted.weights
    listed = sorted(classes)

    def of(part: str, names: Iterable[str]) -> Mapping[str, float]:
        return MappingProxyType({name: weights.get(f"{part}.{name}", 0.0) for name in names})

    return Calibration(
        least_for_high=borders.least_for_high,
        least_for_moderate=borders.least_for_moderate,
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
        wider=weights.get("wider", 0.0),
        context=weights.get("context", 0.0),
    )


@dataclass(frozen=True, slots=True)
class Model:
    """All that parameters are made of.

    Attributes:
        fits: Addends by setting.
        borders: Where levels begin, by setting.
        reliability: How often each class of evidence was right alone.
        marks: Chosen borders.
        version, basis: For readers.
        measured: What the levels meant for held-out genes.
    """

    fits: Mapping[Setting, Fitted]
    borders: Mapping[Setting, Borders]
    reliability: Mapping[str, float]
    marks: Marks
    version: str = ""
    basis: str = ""
    measured: tuple[MeasuredLevel, ...] = ()

    @property
    def parameters(self) -> ConfidenceParameters:
        """As the interpreter takes them."""
        return ConfidenceParameters(
            version=self.version,
            basis=self.basis,
            reliability=MappingProxyType(dict(sorted(self.reliability.items()))),
            calibrations=MappingProxyType(
                {
                    setting: calibration(fitted, self.reliability, self.borders[setting])
                    for setting, fitted in self.fits.items()
                }
            ),
            measured=self.measured,
            **asdict(self.marks),
        )
