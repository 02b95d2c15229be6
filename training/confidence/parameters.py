"""Fitted addends as parameters of the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from types import MappingProxyType

from genint.knowledge.confidence import (
    BackOff,
    Calibration,
    ConfidenceParameters,
    MeasuredLevel,
    Setting,
)
from genint.model.vocabulary import EvidenceType, Specificity
from training.confidence.back_off import PROMISE
from training.confidence.fitting import Fitted
from training.confidence.marks import Borders, Marks
from training.confidence.stated import DECIMALS, read_stated

TYPES = (
    EvidenceType.ANNOTATION,
    EvidenceType.FAMILY,
    EvidenceType.DOMAIN,
    EvidenceType.HOMOLOGY,
    EvidenceType.GENE_CONTEXT,  # names by the operon: too few to fit
)


def calibration(fitted: Fitted, reliability: Mapping[str, float], borders: Borders) -> Calibration:
    """Addends of one setting; those of the file's own names are chosen, not fitted."""
    stated = read_stated()
    weights = {name: round(weight, DECIMALS) for name, weight in fitted.weights.items()}
    prior = {one: weights.get(f"prior.{one.value}", 0.0) for one in Specificity}
    leads = {name: weights.get(f"leads.{name}", 0.0) for name in reliability}
    leads.update(stated.leads(prior, leads))
    chosen = {name: stated.agreement(share) for name, share in reliability.items()}
    agrees = {
        name: share if name in stated.probabilities else weights.get(f"agrees.{name}", share)
        for name, share in chosen.items()
    }
    says_less = {one: weights.get(f"says_less.{one.value}", 0.0) for one in TYPES}
    says_less[EvidenceType.ANNOTATION] = agrees["annotation_broad"]
    return Calibration(
        least_for_high=borders.least_for_high,
        least_for_moderate=borders.least_for_moderate,
        prior=MappingProxyType(prior),
        leads=MappingProxyType(leads),
        agrees=MappingProxyType(agrees),
        says_less=MappingProxyType(says_less),
        again=MappingProxyType({one: weights.get(f"again.{one.value}", 0.0) for one in TYPES}),
        fits=weights.get("fits", 0.0),
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
        back_off: Where each kind of statement begins, by setting.
    """

    fits: Mapping[Setting, Fitted]
    borders: Mapping[Setting, Borders]
    reliability: Mapping[str, float]
    marks: Marks
    version: str = ""
    basis: str = ""
    measured: tuple[MeasuredLevel, ...] = ()
    back_off: Mapping[Setting, BackOff] = field(default_factory=dict)

    @property
    def parameters(self) -> ConfidenceParameters:
        """As the interpreter takes them."""
        chosen = read_stated().probabilities
        given = {**self.reliability, **chosen}
        reliability = {name: round(share, DECIMALS) for name, share in sorted(given.items())}
        return ConfidenceParameters(
            version=self.version,
            basis=self.basis,
            chosen=frozenset(chosen),
            reliability=MappingProxyType(reliability),
            calibrations=MappingProxyType(
                {
                    setting: calibration(fitted, reliability, self.borders[setting])
                    for setting, fitted in self.fits.items()
                }
            ),
            measured=self.measured,
            promise=PROMISE if self.back_off else 1.0,
            back_off=self.back_off,
            **asdict(self.marks),
        )
