"""The controlled vocabulary of products: what a product text names, whatever its wording.

The terms are written for genint (``training/vocabulary``); what ships is the tables made of
them. A text finds a product
only as a whole: one telling word more than the product's names have, and it finds
nothing, because an inhibitor, a loader or a domain of something is not that thing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType

from genint.knowledge.name_keys import name_key
from genint.knowledge.product_tables import read_keys, read_products, read_version
from genint.knowledge.product_terms import Product, ProductKind, Relation

__all__ = [
    "Product",
    "ProductKind",
    "ProductVocabulary",
    "Relation",
    "load_products",
    "name_key",
]

_PARTS = re.compile(r"\s*;\s*|\s+@\s+|\s+/\s+|\s*\|\|\s*")
"""What separates the functions of one text; SEED writes ``/`` and ``@``."""
_ASIDE = re.compile(r"\s*[(\[]([\w.'-]{1,12})[)\]]")
"""One word in brackets: most often a symbol."""
_SYMBOL = re.compile(r"\s+(?:protein\s+)?([A-Z][a-z]{2}[A-Z]\d{0,2}|[A-Z][a-z]{2,3})$")
"""A gene symbol at the end, as UniProt and RefSeq write it: TerL, LysK, Hin."""
_MEMBER = re.compile(
    r"\s+(?:protein\s+)?(?:[A-Z]|[Vv]?[Pp]\d{1,3}[a-z]?|\d{1,2})(?:\s+protein)?(?:, putative)?$"
)
"""What tells the proteins of one genome apart within a class: structural protein VP4."""
_SOME_SUBUNIT = re.compile(r"ymerase,? (?:subunit|chain)s?$|^subunit of .*ymerase$", re.I)
_LIKE = re.compile(r"[- ](?:like|homolog(?:ue)?|related)\b")


@dataclass(frozen=True, eq=False)
class ProductVocabulary:
    """All products, found by any wording of their names.

    Attributes:
        version: Of the vocabulary files, for reports.
        products: By id.
        keys: Id by key (:func:`name_key`) of every name, synonym and gene symbol.
    """

    version: str
    products: Mapping[str, Product]
    keys: Mapping[str, str] = field(repr=False)

    def find(self, text: str) -> Product | None:
        """The product that a product text names as a whole; None rather than a guess.

        Cost: microseconds, remembered.
        """
        return _find(self, text)

    def by_key(self, key: str) -> Product | None:
        """The product that has this comparison key, as a name or as a symbol."""
        id_ = self.keys.get(key)
        return None if id_ is None else self.products[id_]

    def lineage(self, id: str) -> tuple[Product, ...]:
        """The product, then ever broader ones.

        Raises:
            KeyError: no product has this id.
        """
        chain = [self.products[id]]
        while chain[-1].broader is not None:
            chain.append(self.products[chain[-1].broader])
        return tuple(chain)

    def related(self, one: str, other: str) -> Relation:
        """How one product (id) stands to another (id).

        Raises:
            KeyError: no product has one of the ids.
        """
        if one == other:
            return Relation.SAME
        above_one = {product.id for product in self.lineage(one)}
        above_other = {product.id for product in self.lineage(other)}
        if any(above_other & self.products[id].opposites for id in above_one):
            return Relation.OPPOSITE
        if other in above_one:
            return Relation.NARROWER
        if one in above_other:
            return Relation.BROADER
        return Relation.SIBLING if above_one & above_other else Relation.UNRELATED


@lru_cache(maxsize=65_536)
def _find(vocabulary: ProductVocabulary, text: str) -> Product | None:
    text = text.partition("#")[0].strip()  # SEED's comments
    whole = _find_one(vocabulary, text)
    if whole is not None:
        return whole
    parts = [part for part in _PARTS.split(text) if name_key(part)]
    found = [_find_one(vocabulary, part) for part in parts] if len(parts) > 1 else []
    return _most_specific(vocabulary, found)


def _find_one(vocabulary: ProductVocabulary, text: str) -> Product | None:
    """The product of a text that speaks of one thing."""
    named = vocabulary.by_key(name_key(text))
    if named is not None and _SOME_SUBUNIT.search(text) and named.name.endswith("polymerase"):
        return None  # one of several proteins that are the polymerase together
    if named is not None and _LIKE.search(text) and not _is_called_like(named, name_key(text)):
        return None  # a DnaJ-like protein may share no more than a domain with DnaJ
    return (
        named
        or _find_beside_symbol(vocabulary, text, _ASIDE)
        or _find_beside_symbol(vocabulary, text, _SYMBOL)
        or _find_class(vocabulary, text)
    )


def _is_called_like(product: Product, key: str) -> bool:
    """Whether -like is doubt about a name, or the product's own way to be called (Rz-like)."""
    if key not in map(name_key, product.symbols):
        return True
    return any(name_key(name) == key and _LIKE.search(name) for name in product.names)


def _find_beside_symbol(
    vocabulary: ProductVocabulary, text: str, pattern: re.Pattern[str]
) -> Product | None:
    """What a text names besides a symbol, where the symbol does not say otherwise."""
    symbol = pattern.search(text)
    if symbol is None:
        return None
    named = vocabulary.by_key(name_key(pattern.sub("", text)))
    meant = vocabulary.by_key(name_key(symbol[1]))
    return named if meant is None else _most_specific(vocabulary, [named, meant])


def _find_class(vocabulary: ProductVocabulary, text: str) -> Product | None:
    """The class that a text names one member of: tail protein E is a tail protein."""
    named = vocabulary.by_key(name_key(_MEMBER.sub("", text)))
    return named if named is not None and named.vague else None


def _most_specific(
    vocabulary: ProductVocabulary, found: Sequence[Product | None]
) -> Product | None:
    """The one of which all others are wider kinds; None if one is not or is missing."""
    products = [product for product in found if product is not None]
    if not products or len(products) < len(found):
        return None
    deepest = max(products, key=lambda product: len(vocabulary.lineage(product.id)))
    lineage = vocabulary.lineage(deepest.id)
    return deepest if all(product in lineage for product in products) else None


def load_products() -> ProductVocabulary:
    """Read the vocabulary that ships with genint. Cost: 30 ms."""
    return ProductVocabulary(
        version=read_version(),
        products=MappingProxyType(read_products()),
        keys=MappingProxyType(read_keys()),
    )
