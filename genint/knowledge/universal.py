"""Proteins that all bacteria at hand have: ``data/universal_proteins.toml``.

Terms of the vocabulary of products that were recognised in every one of some annotated bacteria,
the smallest genome that lives on its own among them (``training/overview/universal.py``).
"""

from __future__ import annotations

import tomllib
from typing import NamedTuple

from genint.knowledge.table_files import UNIVERSAL_PROTEINS, read_shipped


class UniversalProteins(NamedTuple):
    """What nearly every bacterium has.

    Attributes:
        version: Of the file.
        products: Ids of terms of the vocabulary.
        genomes: Bacteria that they were counted in.
        least: Smallest share that was found of them in a bacterium that was left out, 0..1.
        least_reduced: The same of bacteria with reduced genomes (Mollicutes).
    """

    version: str
    products: frozenset[str]
    genomes: int
    least: float
    least_reduced: float


def load_universal_proteins() -> UniversalProteins:
    """Read the table that ships with genint."""
    return parse_universal_proteins(read_shipped(UNIVERSAL_PROTEINS).decode())


def parse_universal_proteins(text: str) -> UniversalProteins:
    """A table from the text of its file; KeyError where a value is missing."""
    read = tomllib.loads(text)
    return UniversalProteins(
        read["version"],
        frozenset(read["products"]),
        read["genomes"],
        read["least"],
        read["least_reduced"],
    )
