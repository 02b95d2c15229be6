"""What ships, loaded once and passed around as one value."""

from __future__ import annotations

from dataclasses import dataclass

from genint.knowledge.confidence import ConfidenceParameters, load_confidence
from genint.knowledge.families import FamilyTable, load_families
from genint.knowledge.roles import RoleTable, load_roles


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Everything that interpreting needs to know, besides the profiles themselves.

    Attributes:
        families: Names and meaning of the families of the profile pack.
        roles: What product names stand for.
        confidence: Parameters of the confidence model.
    """

    families: FamilyTable
    roles: RoleTable
    confidence: ConfidenceParameters


def load_knowledge() -> Knowledge:
    """Read the tables that ship with genint.

    Cost: 40 ms; the profile pack is not read.
    """
    return Knowledge(families=load_families(), roles=load_roles(), confidence=load_confidence())
