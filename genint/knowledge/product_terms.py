"""A term of the product vocabulary, and how two of them can stand to each other."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from genint.model.evidence import GoTerm
from genint.model.vocabulary import Category


class ProductKind(StrEnum):
    """Whose vocabulary a product is of."""

    PHAGE = "phage"
    BACTERIA = "bacteria"


class Relation(StrEnum):
    """How one product stands to another."""

    SAME = "same"
    NARROWER = "narrower"
    """The one is a kind of the other."""
    BROADER = "broader"
    """The other is a kind of the one."""
    SIBLING = "sibling"
    """Both are kinds of a third."""
    OPPOSITE = "opposite"
    """Must never be taken for one another: enzyme and inhibitor, large and small subunit."""
    UNRELATED = "unrelated"


@dataclass(frozen=True, slots=True)
class Product:
    """One term of the vocabulary.

    Attributes:
        id: Stable key, such as ``terminase_large_subunit``.
        name: The field's standard name, as reports say it.
        synonyms: Other whole names of it.
        symbols: Gene symbols that mean this product in whatever genome.
        category: Functional category.
        role: Id of the role it plays, None where no role fits.
        cog: COG letter, where practically every such protein has it.
        go: Terms that hold for every such protein.
        ec: Enzyme numbers, where the name means that enzyme.
        broader: Id of the product that this is a kind of.
        vague: It names a class, not a function.
        opposites: Ids of products that must never be taken for this one.
        kind: Vocabulary that it is of.
    """

    id: str
    name: str
    synonyms: tuple[str, ...]
    symbols: tuple[str, ...]
    category: Category
    role: str | None
    cog: str | None
    go: tuple[GoTerm, ...]
    ec: tuple[str, ...]
    broader: str | None
    vague: bool
    opposites: frozenset[str]
    kind: ProductKind

    @property
    def names(self) -> tuple[str, ...]:
        """The name and its synonyms."""
        return (self.name, *self.synonyms)
