"""What the interpreter is handed: the knowledge and parameters it judges by."""

from __future__ import annotations

from dataclasses import dataclass

from genint.knowledge.confidence import (
    DEFAULT_SETTING,
    Calibration,
    ConfidenceParameters,
    Setting,
)
from genint.knowledge.products import ProductVocabulary
from genint.knowledge.roles import RoleTable


@dataclass(frozen=True, slots=True)
class Judgement:
    """Everything besides evidence that decides an interpretation."""

    parameters: ConfidenceParameters
    roles: RoleTable
    products: ProductVocabulary
    setting: Setting = DEFAULT_SETTING

    @property
    def calibration(self) -> Calibration:
        """Log-odds of this mode and kind of genome."""
        return self.parameters.calibration(self.setting)
