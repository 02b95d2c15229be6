"""The tables of the product vocabulary that ship; ``training/vocabulary`` makes them.

They were checked when they were made, so reading them checks nothing again: a run on one
phage genome pays for every millisecond.
"""

from __future__ import annotations

from genint.knowledge.product_terms import Product, ProductKind
from genint.knowledge.shipped import (
    PRODUCT_GO_TERMS,
    PRODUCT_KEYS,
    PRODUCTS,
    read_rows,
    read_shipped,
)
from genint.model.evidence import GoTerm
from genint.model.vocabulary import Category, GoAspect

VERSION_MARK = "# version "
"""Starts the line of the table of products that says its version."""
COLUMNS = (
    "id",
    "kind",
    "name",
    "synonyms",
    "symbols",
    "category",
    "role",
    "cog",
    "go",
    "ec",
    "broader",
    "vague",
    "opposites",
)
NAME_BREAK = "|"
"""Between synonyms; everything else that is several is parted by spaces."""
_CATEGORIES = {str(category): category for category in Category}
_KINDS = {str(kind): kind for kind in ProductKind}


def read_version() -> str:
    """Version of the vocabulary, empty where the table says none."""
    for line in read_shipped(PRODUCTS).decode().splitlines():
        if line.startswith(VERSION_MARK):
            return line.removeprefix(VERSION_MARK)
        if not line.startswith("#"):
            break
    return ""


def read_keys() -> dict[str, str]:
    """Id of the product by the key of each of its names and symbols."""
    return {key: id_ for key, id_ in read_rows(PRODUCT_KEYS)}


def read_products() -> dict[str, Product]:
    """The products by id."""
    terms = {
        id_: GoTerm(id_, name, GoAspect(aspect))
        for id_, aspect, name in read_rows(PRODUCT_GO_TERMS)
    }
    return {row[0]: _product(row, terms) for row in read_rows(PRODUCTS)}


def _product(row: tuple[str, ...], terms: dict[str, GoTerm]) -> Product:
    (
        id_, kind, name, synonyms, symbols, category, role, cog, go, ec, broader, vague, opposites,
    ) = row  # fmt: skip
    return Product(
        id=id_,
        name=name,
        synonyms=tuple(synonyms.split(NAME_BREAK)) if synonyms else (),
        symbols=tuple(symbols.split()),
        category=_CATEGORIES[category],
        role=role or None,
        cog=cog or None,
        go=tuple(terms[term] for term in go.split()),
        ec=tuple(ec.split()),
        broader=broader or None,
        vague=bool(vague),
        opposites=frozenset(opposites.split()),
        kind=_KINDS[kind],
    )
