"""Parameters of the confidence model: calibrated log-odds, read from ``data/confidence.toml``."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from genint.knowledge.table_files import CONFIDENCE, read_shipped
from genint.model.interpretation import StatementKind
from genint.model.vocabulary import ConfidenceLevel, EvidenceType, GenomeKind, Specificity

_FITTED_MODES = ("offline", "local")
_BORDERS = ("least_for_high", "least_for_moderate")
_SINGLE = (
    *_BORDERS,
    "fits",
    "differing",
    "wider",
    "context",
)
_Key = TypeVar("_Key", Specificity, EvidenceType)


def logit(probability: float) -> float:
    """Natural log-odds of a probability, 0 < probability < 1."""
    return math.log(probability / (1.0 - probability))


def logistic(log_odds: float) -> float:
    """Probability of natural log-odds; inverse of :func:`logit`."""
    return 1.0 / (1.0 + math.exp(-log_odds))


class Setting(NamedTuple):
    """A mode and kind of genome, for which confidence is calibrated.

    Attributes:
        mode: ``offline``, ``local`` or ``online``.
        kind: Of the genome.
    """

    mode: str
    kind: GenomeKind


DEFAULT_SETTING = Setting("offline", GenomeKind.PHAGE)


class Part(StrEnum):
    """The part of a piece of evidence for a hypothesis; decides its weight."""

    LEADS = "leads"
    """It words the hypothesis."""
    AGREES = "agrees"
    """Of another type than those before it, and says as much."""
    SAYS_LESS = "says less"
    """Of another type, and names a wider class or a domain only."""
    AGAIN = "again"
    """Of a type that supports it already."""
    FITS = "fits"
    """Members of the family have it too; does not name the function."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Fitted numbers of one setting; all but the borders are natural log-odds.

    Attributes:
        least_for_high: Probability from which two types that agree make HIGH.
        least_for_moderate: Probability from which MODERATE is given, and from which a name
            of the whole protein leads before what is surer and says less.
        prior: Of a hypothesis before any evidence, by how much it claims.
        leads: By class of evidence, what it adds to the hypothesis that it words.
        agrees: By class, what it adds to one that another type words, >= 0.
        says_less: By type, the same where it says less, >= 0.
        again: By type, what a further observation of a type adds, >= 0.
        fits: What a domain adds that the family's members have too, >= 0.
        differing: Taken for another name of the whole protein, <= 0.
        wider: Added to the wider class of what the evidence names.
        context: Factor on what the neighbours say of the hypothesis's category, >= 0.
    """

    least_for_high: float
    least_for_moderate: float
    prior: Mapping[Specificity, float]
    leads: Mapping[str, float]
    agrees: Mapping[str, float]
    says_less: Mapping[EvidenceType, float]
    again: Mapping[EvidenceType, float]
    fits: float
    differing: float
    wider: float
    context: float

    def weight(self, part: Part, strength: str, type_: EvidenceType) -> float:
        """Log-odds that evidence adds to a hypothesis.

        Raises:
            KeyError: no such class or type.
        """
        match part:
            case Part.LEADS:
                return self.leads[strength]
            case Part.AGREES:
                return self.agrees[strength]
            case Part.SAYS_LESS:
                return self.says_less[type_]
            case Part.AGAIN:
                return self.again[type_]
            case Part.FITS:
                return self.fits


class MeasuredLevel(NamedTuple):
    """How often names of a level were right for genes that were held out.

    Attributes:
        regime: ``novel`` (relatives and what is >= 90 % identical hidden) or ``shipped``.
        setting: Mode and kind of genome.
        level: The level.
        right: Claims that were right at the specificity that they claim.
        full: Of these, claims that say as much as the record.
        judged: Claims of genes whose record names a function.
    """

    regime: str
    setting: Setting
    level: ConfidenceLevel
    right: int
    full: int
    judged: int


class BackOff(NamedTuple):
    """From where on a kind of statement holds as often as is promised, in one setting.

    Attributes:
        least: Of each kind of statement, the least score; above 1 where none may be made.
        held: Of each kind, statements on held-out genes that were right, and how many were
            judged.
        context: Factor on what the neighbours say of a role.
    """

    least: Mapping[StatementKind, float]
    held: Mapping[StatementKind, tuple[int, int]]
    context: float


@dataclass(frozen=True, slots=True)
class ConfidenceParameters:
    """The fitted model; the file says what each number rests on.

    Attributes:
        version: Of the parameters.
        basis: What scores and levels were measured to mean, one or two sentences.
        moderate_ceiling: Highest score of what HIGH is not given to: one type of evidence,
            parts and classes, sums below ``least_for_high``.
        low_ceiling: Highest score of what MODERATE is not given to.
        ceiling: Highest score at all.
        least_reliability_for_agreement: Evidence that is right less often alone leads nothing
            that says less, and makes no type for HIGH where it leads.
        least_weight_for_agreement: Log-odds from which on what agrees counts as a type.
        least_chosen_weight_for_agreement: The same for classes whose log-odds are chosen.
        least_context: Log-odds from which on neighbours count as a type.
        chosen: Classes of evidence whose numbers are chosen, not measured: what the file, online
            services and other programs say.
        reliability: Class of evidence -> how often its claim was right alone, 0..1.
        calibrations: By setting.
        measured: What levels meant for held-out genes.
        promise: Share of the statements of each kind that is to hold, 0..1.
        back_off: By setting, from where on they do.
    """

    version: str
    basis: str
    moderate_ceiling: float
    low_ceiling: float
    ceiling: float
    least_reliability_for_agreement: float
    least_weight_for_agreement: float
    least_chosen_weight_for_agreement: float
    least_context: float
    chosen: frozenset[str]
    reliability: Mapping[str, float]
    calibrations: Mapping[Setting, Calibration]
    measured: tuple[MeasuredLevel, ...]
    promise: float = 1.0
    back_off: Mapping[Setting, BackOff] = field(default_factory=dict)

    def calibration(self, setting: Setting) -> Calibration:
        """Of a setting; of a mode that was not fitted, that of the richest one that was."""
        return self.calibrations[_fitted(setting)]

    def back_off_of(self, setting: Setting) -> BackOff | None:
        """The same for statements; None where nothing was measured."""
        return self.back_off.get(_fitted(setting))

    def measured_of(self, setting: Setting, regime: str = "novel") -> tuple[MeasuredLevel, ...]:
        """What the levels of a setting meant, best first; empty where it was not measured."""
        return tuple(
            one for one in self.measured if one.setting == setting and one.regime == regime
        )


def _fitted(setting: Setting) -> Setting:
    mode = setting.mode if setting.mode in _FITTED_MODES else _FITTED_MODES[-1]
    return Setting(mode, setting.kind)


@cache
def load_confidence() -> ConfidenceParameters:
    """Read the parameters that ship with genint."""
    return parse_confidence(read_shipped(CONFIDENCE).decode())


def parse_confidence(text: str) -> ConfidenceParameters:
    """Parameters of a file's text."""
    table = tomllib.loads(text)
    chosen = frozenset(table.pop("chosen"))
    reliability = MappingProxyType(table.pop("reliability"))
    calibrations = MappingProxyType(dict(_calibrations(table.pop("calibration"))))
    measured = tuple(map(_measured, table.pop("measured", ())))
    statements = MappingProxyType(dict(_back_offs(table.pop("back_off", {}))))
    return ConfidenceParameters(
        chosen=chosen,
        reliability=reliability,
        calibrations=calibrations,
        measured=measured,
        back_off=statements,
        **table,
    )


def _calibrations(table: Mapping[str, Any]) -> Iterable[tuple[Setting, Calibration]]:
    for mode, kinds in table.items():
        for kind, numbers in kinds.items():
            yield Setting(mode, GenomeKind(kind)), _calibration(numbers)


def _calibration(numbers: Mapping[str, Any]) -> Calibration:
    return Calibration(
        prior=_by(Specificity, numbers["prior"]),
        leads=MappingProxyType(numbers["leads"]),
        agrees=MappingProxyType(numbers["agrees"]),
        says_less=_by(EvidenceType, numbers["says_less"]),
        again=_by(EvidenceType, numbers["again"]),
        **{name: numbers[name] for name in _SINGLE},
    )


def _back_offs(table: Mapping[str, Any]) -> Iterable[tuple[Setting, BackOff]]:
    for mode, kinds in table.items():
        for kind, numbers in kinds.items():
            held = {StatementKind(one): tuple(counts) for one, counts in numbers["held"].items()}
            least = {StatementKind(one): least for one, least in numbers["least"].items()}
            yield Setting(mode, GenomeKind(kind)), BackOff(least, held, numbers["context"])


def _by(kind: type[_Key], numbers: Mapping[str, float]) -> Mapping[_Key, float]:
    return MappingProxyType({kind(name): number for name, number in numbers.items()})


def _measured(row: Mapping[str, Any]) -> MeasuredLevel:
    setting = Setting(row["mode"], GenomeKind(row["kind"]))
    level = ConfidenceLevel(row["level"])
    return MeasuredLevel(row["regime"], setting, level, row["right"], row["full"], row["judged"])
