"""What the levels of the shipped parameters were measured to mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from genint.compute import Backend
from genint.knowledge.confidence import ConfidenceParameters, Setting, load_confidence
from genint.model.vocabulary import ConfidenceLevel, GenomeKind
from genint.report.levels import NOVEL, level_sentence
from genint.selftest.check import CURE_INSTALLATION, Finding, Places

FIGURES_SHIP: Final = True
"""Whether the shipped parameters come with figures; if so, their absence is a failure."""

_TOLD: Final = frozenset({ConfidenceLevel.HIGH, ConfidenceLevel.MODERATE})
"""Levels whose names are used; the reports tell of all."""


@dataclass(frozen=True, slots=True)
class MeaningOfLevels:
    """How often the best levels were right for genes that were never seen.

    Attributes:
        setting: Mode and kind of genome.
        demanded: To have no figures is a failure.
        parameters: To be looked at; None for those that ship.
    """

    setting: Setting
    demanded: bool = FIGURES_SHIP
    parameters: ConfidenceParameters | None = None
    cure: str = CURE_INSTALLATION

    @property
    def name(self) -> str:
        """Of the check."""
        return f"meaning of levels, {self.setting.mode} mode, {self.setting.kind}"

    async def run(self, places: Places, near: Backend) -> Finding:
        """See :class:`~genint.selftest.check.Check`."""
        del places
        parameters = self.parameters
        if parameters is None:
            parameters = await near.run(load_confidence)
        measured = parameters.measured_of(self.setting, NOVEL)
        told = [level_sentence(one) for one in measured if one.level in _TOLD and one.judged]
        missing = sorted(_TOLD - {one.level for one in measured if one.judged})
        if missing and self.demanded:
            return Finding.failed(f"no figures of {' and '.join(missing)} in {parameters.version}")
        return Finding.ok(" ".join(told) or "not measured")


def measured_settings() -> tuple[Setting, ...]:
    """The modes and kinds of genome for which parameters are fitted."""
    return tuple(Setting(mode, kind) for mode in ("offline", "local") for kind in GenomeKind)
