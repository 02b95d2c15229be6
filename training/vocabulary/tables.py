"""Writing the tables of the product vocabulary that ship."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from genint.knowledge.products import COLUMNS, NAME_BREAK, VERSION_MARK, Product, ProductVocabulary
from genint.knowledge.table_files import PRODUCT_GO_TERMS, PRODUCT_KEYS, PRODUCTS
from genint.model.evidence import GoTerm

_MADE_BY = "made by training/vocabulary"


def tables_of(vocabulary: ProductVocabulary) -> Mapping[str, str]:
    """Content of every shipped table by its file name, the same for the same vocabulary."""
    products = vocabulary.products.values()
    terms = {term.id: term for product in products for term in product.go}
    return {
        PRODUCTS: _table(
            (
                f"# controlled vocabulary of products, written for genint; {_MADE_BY}",
                VERSION_MARK + vocabulary.version,
            ),
            COLUMNS,
            map(_product_row, sorted(products, key=lambda product: product.id)),
        ),
        PRODUCT_KEYS: _table(
            (f"# comparison keys of the names and symbols of products; {_MADE_BY}",),
            ("key", "id"),
            sorted(vocabulary.keys.items()),
        ),
        PRODUCT_GO_TERMS: _table(
            (
                "# Gene Ontology terms (CC BY 4.0, doi:10.1093/genetics/iyad031) of products; "
                + _MADE_BY,
            ),
            ("id", "namespace", "name"),
            (_term_row(terms[id_]) for id_ in sorted(terms)),
        ),
    }


def _table(comments: Iterable[str], heading: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [*comments, "\t".join(heading), *("\t".join(row) for row in rows)]
    return "\n".join(lines) + "\n"


def _term_row(term: GoTerm) -> tuple[str, ...]:
    return (term.id, str(term.aspect), term.name)


def _product_row(product: Product) -> tuple[str, ...]:
    return (
        product.id,
        str(product.kind),
        product.name,
        NAME_BREAK.join(product.synonyms),
        " ".join(product.symbols),
        str(product.category),
        product.role or "",
        product.cog or "",
        " ".join(term.id for term in product.go),
        " ".join(product.ec),
        product.broader or "",
        "yes" if product.vague else "",
        " ".join(sorted(product.opposites)),
    )
