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
_ONE_SUBUNIT = re.compile(
    r"\b(?:subunit|chain),? (?:\d|[IVX]+|[A-Z])\b|\b(?:\d|[IVX]+|[A-Z]) (?:subunit|chain)\b"
)
_SUBUNIT = re.compile(r"subunit|component|polypeptide [\dIVX]|(?<!peptide )chain", re.I)
_HOMOLOG = re.compile(r"[- ]homolog(?:ue)?\b")
_LIKE = re.compile(r"[- ]like\b")
_FAMILY = re.compile(r"^([^,;]+?)[ -](?:super|sub)?family(?: protein| member)?(?:, putative)?$")


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
    parts = [part for part in _PARTS.split(text) if name_key(part)]
    if whole is not None and _is_written_in_parts(whole, name_key(text)):
        return whole
    found = [_find_one(vocabulary, part) for part in parts] if len(parts) > 1 else [None]
    if whole is not None and None in found:
        return whole
    return _most_specific(vocabulary, found)  # a capsid / scaffold is no scaffold of a capsid


def _is_written_in_parts(product: Product, key: str) -> bool:
    """Whether the name of a product that has this key lists several functions itself."""
    return any(_PARTS.search(name) for name in product.names if name_key(name) == key)


def _find_one(vocabulary: ProductVocabulary, text: str) -> Product | None:
    """The product of a text that speaks of one thing."""
    named = vocabulary.by_key(name_key(text))
    if named is not None and _SOME_SUBUNIT.search(text) and named.name.endswith("polymerase"):
        return None  # one of several proteins that are the polymerase together
    if named is not None and _ONE_SUBUNIT.search(text) and not _has_subunits(named, name_key(text)):
        return None  # subunit 1 of an exonuclease is not exonuclease I
    if named is not None and _HOMOLOG.search(text) and _is_symbol(named, name_key(text)):
        return None  # a homologue of DnaJ may share no more than a domain with it
    return (
        named
        or _find_beside_symbol(vocabulary, text, _ASIDE)
        or _find_beside_symbol(vocabulary, text, _SYMBOL)
        or _find_class(vocabulary, text)
        or _find_likeness(vocabulary, text)
        or _find_kin(vocabulary, text)
    )


def _has_subunits(product: Product, key: str) -> bool:
    """Whether the name of a product that has this key is that of a subunit."""
    return any(_SUBUNIT.search(name) for name in product.names if name_key(name) == key)


def _is_symbol(product: Product, key: str) -> bool:
    """Whether a key is that of a gene symbol of the product."""
    return key in map(name_key, product.symbols)


def _find_likeness(vocabulary: ProductVocabulary, text: str) -> Product | None:
    """What a text says that something is like.

    In records of phages -like is doubt about a name (holin-like protein). Of bacterial
    proteins it tells a fold (thioredoxin-like), which many functions share: there it
    says no more than the class.
    """
    if _LIKE.search(text) is None:
        return None
    key = name_key(_LIKE.sub("", text))
    named = vocabulary.by_key(key)
    if named is None or _is_symbol(named, key):
        return None
    return named if named.kind is ProductKind.PHAGE else _class_of(vocabulary, named)


def _find_kin(vocabulary: ProductVocabulary, text: str) -> Product | None:
    """The class of a product of which a text names the family: the function may be another."""
    member = _FAMILY.search(text)
    if member is None:
        return None
    key = name_key(member[1])
    named = vocabulary.by_key(key)
    if named is None or _is_symbol(named, key):
        return None
    return _class_of(vocabulary, named)


def _class_of(vocabulary: ProductVocabulary, product: Product) -> Product | None:
    """The nearest vague product that this one is, or is a kind of."""
    return next((wider for wider in vocabulary.lineage(product.id) if wider.vague), None)


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
    """Read the vocabulary that ships with genint. Cost: 10 ms."""
    return ProductVocabulary(
        version=read_version(),
        products=read_products(),
        keys=MappingProxyType(read_keys()),
    )
