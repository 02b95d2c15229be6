"""Check the sources of the product vocabulary and write the tables that ship.

``python -m training.vocabulary --help``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from genint.knowledge.products import ProductKind, ProductVocabulary
from genint.knowledge.roles import load_roles
from training.pfam.pack import OUTPUT
from training.vocabulary.sources import FOLDER, build_vocabulary, parse
from training.vocabulary.tables import tables_of

_MANY_SYNONYMS = 3


_TEXTS = ("id", "name", "category", "role", "cog", "broader")
_LISTS = ("synonyms", "symbols", "go", "ec", "opposite")


def main(arguments: Sequence[str] | None = None) -> None:
    """Read, check, write, count; exit status 2 and one line where that cannot be."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sources", type=Path, default=FOLDER, help="folder with products_*.toml")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="folder for the tables")
    options = parser.parse_args(arguments)
    try:
        vocabulary = _vocabulary(options.sources)
        for name, content in tables_of(vocabulary).items():
            (options.output / name).write_text(content, encoding="utf-8")
            print(f"{name}: {len(content.encode()):,} bytes")
    except (OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        raise SystemExit(2) from error
    for kind in ProductKind:
        print(_counts(vocabulary, kind))


def _vocabulary(folder: Path) -> ProductVocabulary:
    """The vocabulary of a folder of sources.

    Raises:
        OSError: a file cannot be read.
        ValueError: a mistake; the message names the entry, or the file.
    """
    files = []
    for kind in ProductKind:
        path = folder / f"products_{kind}.toml"
        try:
            files.append(parse(path.read_text(encoding="utf-8"), kind))
        except KeyError as cause:
            raise ValueError(f"{path.name}: lacks {cause}") from cause
        except (AttributeError, TypeError, ValueError) as cause:
            raise ValueError(f"{path.name}: {cause}") from cause
    for file in files:
        for row in file.rows:
            _check_shape(row)
    roles = frozenset(role.id for role in load_roles().roles)
    return build_vocabulary(files, roles)


def _check_shape(row: object) -> None:
    """Whether texts are texts and lists hold texts: what an entry means is checked later."""
    if not isinstance(row, Mapping):
        raise ValueError(f"products begin with [[product]]: {row!r}")
    what = f"product {row.get('id', 'without id')}"
    for field in _TEXTS:
        if not isinstance(row.get(field, ""), str):
            raise ValueError(f"{what}: {field} is no text")
    for field in _LISTS:
        value = row.get(field, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise ValueError(f"{what}: {field} is no list of texts")
    if not isinstance(row.get("vague", False), bool):
        raise ValueError(f"{what}: vague is neither true nor false")


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
