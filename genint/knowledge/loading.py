"""What ships, loaded once and passed around as one value."""

from __future__ import annotations

from dataclasses import dataclass

from genint.knowledge.families import FamilyTable, load_families


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Everything that interpreting needs to know, besides the profiles themselves.

    Attributes:
        families: Names and meaning of the families of the profile pack.
    """

    families: FamilyTable


def load_knowledge() -> Knowledge:
    """Read the tables that ship with genint.

    Cost: 10 ms; the profile pack is not read.
    """
    return Knowledge(families=load_families())
