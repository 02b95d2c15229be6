"""The tables of the product vocabulary that ship; ``training/vocabulary`` makes them.

They were checked when they were made, so reading them checks nothing again: a run on one
phage genome pays for every millisecond.
"""

from __future__ import annotations

from collections.abc import Mapping

from genint.knowledge.lazy_table import LazyTable
from genint.knowledge.product_terms import Product, ProductKind
from genint.knowledge.shipped import (
    PRODUCT_GO_TERMS,
    PRODUCT_KEYS,
    PRODUCTS,
    read_lines,
    read_start,
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
_START_BYTES = 1024
"""Of the table of products: its version is on one of the first lines."""
_CATEGORIES = {str(category): category for category in Category}
_KINDS = {str(kind): kind for kind in ProductKind}


def read_version() -> str:
    """Version of the vocabulary, empty where the table says none."""
    start = read_start(None, PRODUCTS, _START_BYTES).decode(errors="ignore")
    for line in start.splitlines():
        if line.startswith(VERSION_MARK):
            return line.removeprefix(VERSION_MARK)
        if not line.startswith("#"):
            break
    return ""


def read_keys() -> dict[str, str]:
    """Id of the product by the key of each of its names and symbols."""
    cells = "\t".join(read_lines(PRODUCT_KEYS)).split("\t")
    return dict(zip(cells[::2], cells[1::2], strict=True))


def read_go_terms() -> Mapping[str, GoTerm]:
    """The terms of the products by id."""
    return LazyTable(read_lines(PRODUCT_GO_TERMS), _go_term)


def read_products() -> Mapping[str, Product]:
    """The products by id."""
    terms = read_go_terms()
    return LazyTable(read_lines(PRODUCTS), lambda row: _product(row, terms))


def _go_term(row: tuple[str, ...]) -> GoTerm:
    id_, aspect, name = row
    return GoTerm(id_, name, GoAspect(aspect))


def _product(row: tuple[str, ...], terms: Mapping[str, GoTerm]) -> Product:
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
