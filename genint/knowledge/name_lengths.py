"""How long proteins of a name are: learned from annotated proteins (``training/lengths``)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from genint.knowledge.product_names import clean_product
from genint.knowledge.products import Product, ProductVocabulary, name_key
from genint.knowledge.table_files import NAME_LENGTHS, LazyTable, read_lines

_TERM = "="
"""Begins the keys of terms of the vocabulary."""
_CLASS = "~"
"""Begins the keys of classes (kinase), which hold for all names that end in the word."""
_SOME_PART = re.compile(
    r"(?:^|\s)(?!(?:large|small|alpha|beta|gamma|delta|epsilon|catalytic|regulatory|[A-Z]) )"
    r"\S+ (?:subunit|component|chain)s?$"
)
"""Ends of names that leave open which of several subunits it is, each of a length of its own."""
_FUNCTION_ENDS = re.compile(r"\s+[/@#]\s+|;\s")
"""Between the functions of one protein, each of which needs its room, and before comments."""
_PARTNER = re.compile(r"\s(?:of|for|to|by|in|with|from)\s")
"""Before these stands what the protein is, behind them what it works on: an activity modulator for
cysteine desulfurase."""
_HEAD_WORD = re.compile(
    r"""(?:^|[\s/-])[\w,')\]-]*?(?P<word>[A-Za-z]*[a-z]{2}ase|enzyme|porin|transporter|symporter|antiporter
    |usher|channel|receptor|sensor|adhesin)s?
    (?:[ ,]+(?:  # what may stand behind a head
       family|superfamily|protein|homologu?e?|\((?!sub|chain|comp).*\)
      |(?:class|type|group)[ ](?:[IVX]+|\d)|[IVX]{1,4}|\d{1,2}|[A-Z][A-Za-z]{2,4}\d{0,2}[a-z]?
      |\w+[ -](?:type|superfamily|family)))*$""",
    re.VERBOSE,
)
"""The noun that a name is about: an enzyme, not its subunit, regulator or inhibitor."""
_COAT = re.compile(r"\bcoat\b", re.IGNORECASE)
_CAPSID_OF_ANY = "capsid_protein"
"""A coat protein may be that of a filamentous phage, of 50 residues; a head or capsid is larger."""


class NameLength(NamedTuple):
    """Lengths of the proteins of one name.

    Attributes:
        shortest_aa: Residues that nearly all of them have, rounded down to tens.
        proteins: How many there were.
    """

    shortest_aa: int
    proteins: int


class UsualLength(NamedTuple):
    """What is known of the lengths of a name.

    Attributes:
        length: Of the proteins.
        name: Which they have: the whole one, one of several functions, or “… kinase” for a class.
        of_class: It is that of a class.
    """

    length: NameLength
    name: str
    of_class: bool = False


NameLengths = Mapping[str, NameLength]
"""By :func:`key_of`."""


def key_of(name: str, product: Product | None) -> str:
    """What the lengths of a name are found by: the term that it means, else its words.

    Numbers are left out: iduronate sulfatase and iduronate 2-sulfatase are one enzyme.

    Args:
        name: Of the protein.
        product: The term of the vocabulary that the name is; None where it is none.

    Returns:
        Empty where the name has no informative word, or leaves open which of several subunits the
        protein is.
    """
    if product is not None:
        return f"{_TERM}{product.id}"
    if _SOME_PART.search(name):
        return ""
    return " ".join(word for word in name_key(name).split() if not word.isdigit())


@lru_cache(maxsize=32_768)
def class_key_of(name: str) -> str:
    """What the lengths of the class of a name are found by: of HPr kinase those of kinases.

    Args:
        name: One function of the protein.

    Returns:
        Empty where the name is not about an enzyme or a carrier.
    """
    text = _PARTNER.split(clean_product(name), maxsplit=1)[0]
    found = _HEAD_WORD.search(text[:1].lower() + text[1:])
    return "" if found is None else f"{_CLASS}{found['word'].lower()}"


def is_class(key: str) -> bool:
    """Whether a key is of a class."""
    return key.startswith(_CLASS)


def usual_length(
    name: str, product: Product | None, lengths: NameLengths, vocabulary: ProductVocabulary
) -> UsualLength | None:
    """How long proteins of a name are; None where too few are known.

    Where too few have the very name, the class that it is about tells; of several functions in one
    protein, the one that takes most room.

    Args:
        name: Of the protein.
        product: The term of the vocabulary that the name is; None where it is none.
        lengths: What ships.
        vocabulary: Finds the terms of single functions.

    Cost: some microseconds.
    """
    if product is not None and _COAT.search(name):
        lineage = vocabulary.lineage(product.id)
        product = next((one for one in lineage if one.id == _CAPSID_OF_ANY), product)
    whole = _known_length(name, product, lengths)
    if whole is not None or product is not None:
        return whole
    parts = _FUNCTION_ENDS.split(name.partition(" # ")[0])
    each = (_known_length(part, vocabulary.find(part), lengths) for part in parts)
    return max((one for one in each if one is not None), default=None)


def _known_length(name: str, product: Product | None, lengths: NameLengths) -> UsualLength | None:
    own, of_class = key_of(name, product), class_key_of(name)
    if own and own in lengths:
        return UsualLength(lengths[own], name)
    if of_class in lengths:
        return UsualLength(lengths[of_class], f"… {of_class.removeprefix(_CLASS)}", of_class=True)
    return None


@cache
def load_name_lengths() -> NameLengths:
    """Read the lengths that ship with genint. Cost: 3 ms; each is read on first use."""
    return LazyTable(read_lines(NAME_LENGTHS), _length)


def _length(row: tuple[str, ...]) -> NameLength:
    _, shortest_aa, proteins = row
    return NameLength(int(shortest_aa), int(proteins))
