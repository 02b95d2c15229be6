"""Which proteins are something else than a family, so that its threshold lies above them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from genint.knowledge.products import ProductVocabulary
from training.families.corrections import Corrections
from training.families.naming import Label, disagrees
from training.families.values import Naming, TrainingProtein

_SEVERAL = re.compile(r"\s*[/;]\s*|\s+and\s+|,\s*(?=[A-Z][a-z])")
"""Between the functions of a protein that has several: protease/major capsid protein."""
_OF_SEVERAL = re.compile(r"\b(?:bi|tri|tetra|penta|multi)functional\b", re.IGNORECASE)
"""Says that a name is of several functions, often without naming them all."""
_SHORTEST_PART = 5
"""Letters; less is a gene symbol, a subunit or a number."""


@dataclass(frozen=True, slots=True)
class Rivals:
    """Tells whether a protein clearly is something else than a family.

    A protein of several functions (a fused protease and capsid protein) is no rival of a
    family that has one of them: part of it is what the family says.
    """

    label: Label
    vocabulary: ProductVocabulary
    corrections: Corrections

    def __call__(self, protein: TrainingProtein) -> bool:
        """Whether every name of the protein, and every part of one, says another function."""
        if any(_OF_SEVERAL.search(naming.product) for naming in protein.namings):
            return False
        return disagrees(self.label, in_parts(protein), self.vocabulary, self.corrections)


def in_parts(protein: TrainingProtein) -> TrainingProtein:
    """The protein with each function of a compound name as a name of its own, too."""
    parts = [naming._replace(product=part) for naming in protein.namings for part in _parts(naming)]
    return replace(protein, namings=(*protein.namings, *parts)) if parts else protein


def _parts(naming: Naming) -> list[str]:
    parts = _SEVERAL.split(naming.product)
    if len(parts) == 1:
        return []
    return [part.strip() for part in parts if len(part.strip()) >= _SHORTEST_PART]
