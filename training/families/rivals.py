"""Which proteins are something else than a family, so that its threshold lies above them.

Names alone tell few paralogues apart: tagatose- and fructose-bisphosphate aldolase share their
words. Two more witnesses do: enzyme numbers that curators gave, and pairs of names that were read
(``rivals_read.tsv``): a protein of the first name is no member of a family of the second.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Container, Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from genint.knowledge.products import ProductVocabulary
from training.families.attributes import curated_numbers
from training.families.corrections import Corrections
from training.families.inputs import InputError, read_text
from training.families.naming import Label, disagrees
from training.families.values import Naming, Origin, TrainingProtein

READ = Path(__file__).with_name("rivals_read.tsv")

_SEVERAL = re.compile(r"\s*[/;]\s*|\s+and\s+|,\s*(?=[A-Z][a-z])")
"""Between the functions of a protein that has several: protease/major capsid protein."""
_OF_SEVERAL = re.compile(r"\b(?:bi|tri|tetra|penta|multi)functional\b", re.IGNORECASE)
"""Says that a name is of several functions, often without naming them all."""
_SHORTEST_PART = 5
"""Letters; less is a gene symbol, a subunit or a number."""
_OPEN = "-"
"""In an enzyme number: not said."""
_TRANSPORT = "3.6.3."
"""Enzyme numbers of transport ATPases until 2018."""
_MOVED = ("1.6.5.", "1.6.99.", "1.9.3.", "1.10.", "2.7.1.69", "4.1.1.3", "4.1.1.70", "5.99.1.")
"""Beginnings of enzyme numbers that were given up for others, of class 7 most of them: a database
may have the old one still for what another calls by the new one."""

PairsRead = Container[tuple[str, str]]
"""Name of a protein and of a family, as :func:`read_alike` writes them."""


@dataclass(frozen=True, slots=True)
class Rivals:
    """Tells whether a protein is something else than a family.

    A protein of several functions (a fused protease and capsid protein) is no rival of a
    family that has one of them: part of it is what the family says.

    Attributes:
        label: Name of the family.
        vocabulary: Of product names.
        corrections: Of wrong names.
        numbers: Enzyme numbers that curators gave to members with that name.
        read: Pairs of names that were read.
    """

    label: Label
    vocabulary: ProductVocabulary
    corrections: Corrections
    numbers: frozenset[str] = frozenset()
    read: PairsRead = frozenset()

    def __call__(self, protein: TrainingProtein) -> bool:
        """Whether every name of the protein, and every part of one, says another function."""
        if any(_OF_SEVERAL.search(naming.product) for naming in protein.namings):
            return False
        return disagrees(self.label, in_parts(protein), self.vocabulary, self.corrections)

    def differs(self, protein: TrainingProtein) -> bool:
        """Whether it has another function by its enzyme numbers, or for whoever read both names."""
        if any(
            (read_alike(naming.product), read_alike(self.label.name)) in self.read
            for naming in protein.namings
        ):
            return True
        numbers = _whole(
            number
            for naming in protein.namings
            if naming.origin is Origin.SWISSPROT
            for number in naming.ec
        )
        if not (numbers and self.numbers):
            return False
        return all(_are_apart(one, other) for one in numbers for other in self.numbers)


def numbers_of(label: Label, members: Iterable[TrainingProtein]) -> frozenset[str]:
    """Whole enzyme numbers of a family whose name says one function; none where it is a class."""
    if label.vague:
        return frozenset()
    return _whole(
        (*(label.ec or ()), *(one for some in curated_numbers(label, members) for one in some))
    )


def _whole(numbers: Iterable[str]) -> frozenset[str]:
    return frozenset(number for number in numbers if _OPEN not in number)


def _are_apart(one: str, other: str) -> bool:
    """Whether two enzyme numbers stand for different reactions; moved numbers may not."""
    if one == other:
        return False
    if one.startswith(_TRANSPORT) or other.startswith(_TRANSPORT):
        return one.startswith(_TRANSPORT) and other.startswith(_TRANSPORT)
    return not (one.startswith(_MOVED) or other.startswith(_MOVED))


@cache
def load_rivals_read(path: Path = READ) -> frozenset[tuple[str, str]]:
    """Pairs of names that were read.

    Raises:
        InputError: the table cannot be read, or a row has not both names.
    """
    rows = csv.DictReader(read_text(path).splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    pairs = [(row["protein"] or "", row["family"] or "") for row in rows]
    for number, pair in enumerate(pairs, start=2):
        if not all(pair):
            raise InputError(f"{path.name}, line {number}: needs the names of protein and family")
    return frozenset((read_alike(protein), read_alike(family)) for protein, family in pairs)


def read_alike(name: str) -> str:
    """A name without its case, spacing and hedge, as the table of pairs is asked."""
    return " ".join(name.casefold().split()).removeprefix("putative ")


def in_parts(protein: TrainingProtein) -> TrainingProtein:
    """The protein with each function of a compound name as a name of its own, too."""
    parts = [naming._replace(product=part) for naming in protein.namings for part in _parts(naming)]
    return replace(protein, namings=(*protein.namings, *parts)) if parts else protein


def _parts(naming: Naming) -> list[str]:
    parts = _SEVERAL.split(naming.product)
    if len(parts) == 1:
        return []
    return [part.strip() for part in parts if len(part.strip()) >= _SHORTEST_PART]
