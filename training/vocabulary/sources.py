"""Reading the sources of the product vocabulary, with errors that name the entry."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from genint.knowledge.product_names import EMPTY_WORDS
from genint.knowledge.products import Product, ProductKind, ProductVocabulary, name_key
from genint.model.evidence import GoTerm
from genint.model.vocabulary import COG_NAMES, Category, GoAspect

FOLDER = Path(__file__).parent
_TELLING_CHARACTERS = 2
"""A single letter or digit is a gene of another kind in every genome."""
_TELLS_NOTHING = EMPTY_WORDS | {"component", "factor", "host", "major", "minor", "system"}
"""Where a protein sits, how large it is, that it is one: no function, however many of them."""

_FIELDS = frozenset(
    "id name synonyms symbols category role cog go ec broader vague opposite".split()
)


@dataclass(frozen=True, slots=True)
class ProductFile:
    """One parsed file.

    Attributes:
        kind: Whose products it holds.
        version: Of the file.
        terms: GO terms that its entries may give, by id.
        rows: Its entries as parsed.
    """

    kind: ProductKind
    version: str
    terms: Mapping[str, GoTerm]
    rows: tuple[Mapping[str, Any], ...]


def read_sources(folder: Path = FOLDER) -> tuple[ProductFile, ...]:
    """The vocabulary files of a folder, one of each kind."""
    return tuple(
        parse((folder / f"products_{kind}.toml").read_text(encoding="utf-8"), kind)
        for kind in ProductKind
    )


def parse(text: str, kind: ProductKind) -> ProductFile:
    """A vocabulary file from its TOML text."""
    table = tomllib.loads(text)
    terms = {
        id_: GoTerm(id_, row["name"], GoAspect(row["aspect"]))
        for id_, row in table.get("go", {}).items()
    }
    return ProductFile(kind, table["version"], terms, tuple(table["product"]))


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
        keys=MappingProxyType(index_of(products.values())),
    )


def read_products(files: Sequence[ProductFile], roles: frozenset[str]) -> dict[str, Product]:
    """The products of all files by id, opposites made symmetric.

    Raises:
        ValueError: an entry is wrong; the message names it.
    """
    products: dict[str, Product] = {}
    for file in files:
        for row in file.rows:
            product = _product(row, file, roles)
            if product.id in products:
                raise ValueError(f"product {product.id}: the id stands twice")
            products[product.id] = product
    for product in products.values():
        _check_links(product, products)
    return _symmetric(products)


def _product(row: Mapping[str, Any], file: ProductFile, roles: frozenset[str]) -> Product:
    id_ = row.get("id", "without id")
    _refuse(id_, "has unknown fields", set(row) - _FIELDS)
    _refuse(id_, "lacks", {"id", "name", "category"} - set(row))
    _refuse(id_, "has an unknown category", {row["category"]} - set(Category))
    texts = (row["name"], *row.get("synonyms", ()), *row.get("symbols", ()))
    _refuse(id_, "has a tab or a bar in", {text for text in texts if set(text) & set("\t\n|")})
    _refuse(id_, "has a space in the symbols", {s for s in row.get("symbols", ()) if " " in s})
    if "role" in row:
        _refuse(id_, "has an unknown role", {row["role"]} - roles)
    if "cog" in row:
        _refuse(id_, "has an unknown COG letter", {row["cog"]} - set(COG_NAMES))
    _refuse(
        id_, "has GO terms that the file does not name", set(row.get("go", ())) - set(file.terms)
    )
    return Product(
        id=id_,
        name=row["name"],
        synonyms=tuple(row.get("synonyms", ())),
        symbols=tuple(row.get("symbols", ())),
        category=Category(row["category"]),
        role=row.get("role"),
        cog=row.get("cog"),
        go=tuple(file.terms[term] for term in row.get("go", ())),
        ec=tuple(row.get("ec", ())),
        broader=row.get("broader"),
        vague=row.get("vague", False),
        opposites=frozenset(row.get("opposite", ())),
        kind=file.kind,
    )


def _refuse(id_: str, fault: str, wrong: Iterable[str]) -> None:
    named = ", ".join(sorted(wrong))
    if named:
        raise ValueError(f"product {id_}: {fault}: {named}")


def _check_links(product: Product, products: Mapping[str, Product]) -> None:
    _refuse(product.id, "has unknown opposites", product.opposites - set(products))
    _refuse(product.id, "is its own opposite", product.opposites & {product.id})
    above: list[str] = [product.id]
    while (broader := products[above[-1]].broader) is not None:
        _refuse(product.id, "has an unknown broader product", {broader} - set(products))
        _refuse(product.id, "is broader than itself, through", {broader} & set(above))
        above.append(broader)
    _refuse(product.id, "is a kind of its opposite", product.opposites & set(above))


def _symmetric(products: Mapping[str, Product]) -> dict[str, Product]:
    opposites = {id_: set(product.opposites) for id_, product in products.items()}
    for id_, product in products.items():
        for other in product.opposites:
            opposites[other].add(id_)
    return {
        id_: replace(product, opposites=frozenset(opposites[id_]))
        for id_, product in products.items()
    }


def index_of(products: Iterable[Product]) -> dict[str, str]:
    """Id of the product by the key of each of its names and symbols.

    Raises:
        ValueError: a key is empty or of two products; the message names them.
    """
    index: dict[str, str] = {}
    for product in products:
        for key in map(name_key, (*product.names, *product.symbols)):
            if not _tells(key):
                raise ValueError(f"product {product.id}: has a name that tells nothing")
            if index.setdefault(key, product.id) != product.id:
                raise ValueError(f"product {product.id}: {key!r} is a name of {index[key]} as well")
    return index


def _tells(key: str) -> bool:
    """Whether a word of the key is left when letters, numbers and empty words are taken away."""
    return any(
        len(word) >= _TELLING_CHARACTERS
        and word not in _TELLS_NOTHING
        and not word.replace(".", "").isdigit()
        for word in key.split()
    )
