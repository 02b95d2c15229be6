"""The controlled vocabulary of products: what a product text names, whatever its wording.

The terms are written for genint (``data/products_*.toml``). A text finds a product
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
from genint.knowledge.product_files import ProductFile, index_of, read_products, shipped_files
from genint.knowledge.product_terms import Product, ProductKind, Relation
from genint.knowledge.roles import load_roles

__all__ = [
    "Product",
    "ProductKind",
    "ProductVocabulary",
    "Relation",
    "build_vocabulary",
    "load_products",
    "name_key",
]

_PARTS = re.compile(r"\s*;\s*|\s+@\s+|\s+/\s+|\s*\|\|\s*")
"""What separates the functions of one text; SEED writes ``/`` and ``@``."""
_ASIDE = re.compile(r"\s*[(\[]([A-Za-z]{1,5}\d{0,3}|[Gg]p ?\w+(?:\.\d+)?)[)\]]")
"""A symbol in brackets."""


@dataclass(frozen=True, eq=False)
class ProductVocabulary:
    """All products, found by any wording of their names.

    Attributes:
        version: Of the vocabulary files, for reports.
        products: By id.
        keys: Id by key of every name and synonym (:func:`name_key`).
        symbols: Id by gene symbol, lower case.
    """

    version: str
    products: Mapping[str, Product]
    keys: Mapping[str, str] = field(repr=False)
    symbols: Mapping[str, str] = field(repr=False)

    def find(self, text: str) -> Product | None:
        """The product that a product text names as a whole; None rather than a guess.

        Cost: microseconds, remembered.
        """
        return _find(self, text)

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
    whole = _find_key(vocabulary, text)
    if whole is not None:
        return whole
    found = {_find_key(vocabulary, part) for part in _PARTS.split(text) if name_key(part)}
    return found.pop() if len(found) == 1 else None


def _find_key(vocabulary: ProductVocabulary, text: str) -> Product | None:
    for wording in (text, _ASIDE.sub("", text)):
        key = name_key(wording)
        id_ = vocabulary.keys.get(key) or vocabulary.symbols.get(key)
        if id_ is not None:
            return vocabulary.products[id_]
    return None


def load_products() -> ProductVocabulary:
    """Read the vocabulary that ships with genint. Cost: about 100 ms.

    Raises:
        ValueError: a file has a mistake; the message names the entry.
    """
    return build_vocabulary(shipped_files(), frozenset(role.id for role in load_roles().roles))


def build_vocabulary(files: Sequence[ProductFile], roles: frozenset[str]) -> ProductVocabulary:
    """The vocabulary of parsed files.

    Args:
        files: What the vocabulary consists of.
        roles: Ids of roles that a product may play.

    Raises:
        ValueError: a mistake in an entry; the message names it.
    """
    products = read_products(files, roles)
    return ProductVocabulary(
        version=", ".join(f"{file.kind} {file.version}" for file in files),
        products=MappingProxyType(products),
        keys=MappingProxyType(
            index_of(products.values(), lambda product: map(name_key, product.names))
        ),
        symbols=MappingProxyType(
            index_of(products.values(), lambda product: map(str.lower, product.symbols))
        ),
    )
