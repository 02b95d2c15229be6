"""Check the sources of the product vocabulary and write the tables that ship.

``python -m training.vocabulary --help``.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from genint.knowledge.product_terms import ProductKind
from genint.knowledge.products import ProductVocabulary
from genint.knowledge.roles import load_roles
from training.pfam_pack import OUTPUT
from training.vocabulary.sources import FOLDER, build_vocabulary, read_sources
from training.vocabulary.tables import tables_of

_MANY_SYNONYMS = 3


def main() -> None:
    """Read, check, write, count."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sources", type=Path, default=FOLDER, help="folder with products_*.toml")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="folder for the tables")
    options = parser.parse_args()
    roles = frozenset(role.id for role in load_roles().roles)
    vocabulary = build_vocabulary(read_sources(options.sources), roles)
    for name, content in tables_of(vocabulary).items():
        (options.output / name).write_text(content, encoding="utf-8")
        print(f"{name}: {len(content.encode()):,} bytes")
    for kind in ProductKind:
        print(_counts(vocabulary, kind))


def _counts(vocabulary: ProductVocabulary, kind: ProductKind) -> str:
    products = [product for product in vocabulary.products.values() if product.kind is kind]
    many = sum(len(product.synonyms) >= _MANY_SYNONYMS for product in products)
    return (
        f"{kind}: {len(products):,} products, {sum(p.vague for p in products)} of them vague; "
        f"{sum(len(p.synonyms) for p in products):,} synonyms, {_MANY_SYNONYMS} and more for "
        f"{many / max(len(products), 1):.0%}; {sum(len(p.symbols) for p in products):,} symbols"
    )


if __name__ == "__main__":
    main()
