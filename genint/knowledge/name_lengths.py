"""How long proteins of a name are: learned from annotated proteins (``training/lengths``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from genint.knowledge.products import Product, name_key
from genint.knowledge.table_files import NAME_LENGTHS, LazyTable, read_lines

_TERM = "="
"""Begins the keys of terms of the vocabulary."""


class NameLength(NamedTuple):
    """Lengths of the proteins of one name.

    Attributes:
        shortest_aa: Residues that nearly all of them have, rounded down to tens.
        proteins: How many there were.
    """

    shortest_aa: int
    proteins: int


NameLengths = Mapping[str, NameLength]
"""By :func:`key_of`."""


def key_of(name: str, product: Product | None) -> str:
    """What the lengths of a name are found by: the term that it means, else its words.

    Numbers are left out: iduronate sulfatase and iduronate 2-sulfatase are one enzyme.

    Args:
        name: Of the protein.
        product: The term of the vocabulary that the name is; None where it is none.

    Returns:
        Empty where the name has no informative word.
    """
    if product is not None:
        return f"{_TERM}{product.id}"
    return " ".join(word for word in name_key(name).split() if not word.isdigit())


def load_name_lengths() -> NameLengths:
    """Read the lengths that ship with genint. Cost: 3 ms; each is read on first use."""
    return LazyTable(read_lines(NAME_LENGTHS), _length)


def _length(row: tuple[str, ...]) -> NameLength:
    _, shortest_aa, proteins = row
    return NameLength(int(shortest_aa), int(proteins))
