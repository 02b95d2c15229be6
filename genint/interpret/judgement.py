"""What the interpreter is handed: the knowledge and parameters it judges by."""

from __future__ import annotations

from dataclasses import dataclass

from genint.knowledge.confidence import ConfidenceParameters
from genint.knowledge.products import ProductVocabulary
from genint.knowledge.roles import RoleTable


@dataclass(frozen=True, slots=True)
class Judgement:
    """Everything besides evidence that decides an interpretation."""

    parameters: ConfidenceParameters
    roles: RoleTable
    products: ProductVocabulary
