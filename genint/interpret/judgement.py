"""What the interpreter is handed: the knowledge and parameters it judges by."""

from __future__ import annotations

from dataclasses import dataclass

from genint.knowledge.confidence import (
    DEFAULT_SETTING,
    Calibration,
    ConfidenceParameters,
    Setting,
)
from genint.knowledge.gene_order import GeneOrder
from genint.knowledge.products import ProductVocabulary
from genint.knowledge.roles import RoleTable


@dataclass(frozen=True, slots=True)
class Judgement:
    """Everything besides evidence that decides an interpretation.

    Attributes:
        parameters: The confidence model.
        roles: What product names stand for.
        products: The vocabulary.
        setting: Mode and kind of genome, which confidence is calibrated for.
        gene_order: What neighbours tell; None to do without.
    """

    parameters: ConfidenceParameters
    roles: RoleTable
    products: ProductVocabulary
    setting: Setting = DEFAULT_SETTING
    gene_order: GeneOrder | None = None

    @property
    def calibration(self) -> Calibration:
        """Log-odds of this mode and kind of genome."""
        return self.parameters.calibration(self.setting)
