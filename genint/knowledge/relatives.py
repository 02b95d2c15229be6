"""Named phages with the families of genint's own that their proteins fall in: ``relatives.tsv``.

``relatives.toml`` has the limits from which one of them counts as a relative, and how often the
genus of the host followed from relatives.

A table of representatives, to say which known phages a genome is like. Families that few of them
have say more of kinship than those that many have, so each counts by its rarity, as words do in
texts (Sparck Jones K. J Doc 1972;28:11).
"""

from __future__ import annotations

import math
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final, NamedTuple

from genint.knowledge.table_files import RELATIVE_LIMITS, RELATIVES, read_shipped

_STEM: Final = "GF"
"""Begins the accession of every family; left out of the table."""


class NamedPhage(NamedTuple):
    """A phage of the table.

    Attributes:
        record: Accession, or the name that its collection has for it.
        name: As its record says.
        host: Genus; empty where unknown.
        lifestyle: ``temperate``, ``virulent`` or ``chronic``; empty where unknown.
        group: Of like phages; empty where it was put in none.
        ends: How it cuts and packs its genome; empty where unknown.
        genes: Proteins that were searched.
        families: Accessions of the families of its proteins.
    """

    record: str
    name: str
    host: str
    lifestyle: str
    group: str
    ends: str
    genes: int
    families: frozenset[str]


class Relative(NamedTuple):
    """A phage that a genome is like.

    Attributes:
        phage: It.
        shared: Families that both have.
        likeness: Weight of the shared families in that of all families of both, 0..1.
    """

    phage: NamedPhage
    shared: frozenset[str]
    likeness: float


class Limits(NamedTuple):
    """From where on a phage of the table is a relative, and what relatives tell.

    Attributes:
        least_shared: Families in common at least.
        few_genes: Genes up to which a genome is small.
        least_shared_few: Families in common at least with a small genome.
        least_likeness: 0..1.
        host_likeness: From which likeness relatives are asked for their host, 0..1.
        host_agreement: Share of their likeness that has to speak for one genus, 0..1.
        host_right: Phages whose host was right by relatives, the phage itself left out.
        host_judged: All phages for which a host was predicted so.
        near_likeness: From which likeness relatives are asked for their host alone, 0..1.
        near_right: Phages whose host was right by such ones.
        near_judged: All phages for which a host was predicted so; not counted in `host_judged`.
        ends_agreement: Share of the phages with a like terminase that have to pack alike, 0..1.
        ends_right: Phages whose way to pack was right by those of other groups.
        ends_judged: All phages of which one was told so.
    """

    least_shared: int
    few_genes: int
    least_shared_few: int
    least_likeness: float
    host_likeness: float
    host_agreement: float
    host_right: int
    host_judged: int
    near_likeness: float
    near_right: int
    near_judged: int
    ends_agreement: float
    ends_right: int
    ends_judged: int


@dataclass(frozen=True)
class RelativeTable:
    """The phages of the table.

    Attributes:
        phages: In the order of the file.
        limits: Which of them are relatives.
    """

    phages: tuple[NamedPhage, ...]
    limits: Limits

    @cached_property
    def _weights(self) -> dict[str, float]:
        holders = Counter(family for phage in self.phages for family in phage.families)
        number = len(self.phages)
        return {family: math.log((number + 1) / held) for family, held in holders.items()}

    def weight_of(self, families: Collection[str]) -> float:
        """Sum of the weights of families; one that no phage of the table has weighs most."""
        rarest = math.log(len(self.phages) + 1)
        return sum(self._weights.get(family, rarest) for family in sorted(families))

    def nearest(self, families: Collection[str], genes: int) -> tuple[Relative, ...]:
        """The relatives of a genome, those most like it first.

        Args:
            families: Accessions of the families of its proteins.
            genes: How many it has.

        Cost: some 5 ms.
        """
        own, limits = frozenset(families), self.limits
        few = genes <= limits.few_genes
        least = limits.least_shared_few if few else limits.least_shared
        found = []
        for phage in self.phages:
            shared = own & phage.families
            if len(shared) >= least:
                likeness = self.weight_of(shared) / self.weight_of(own | phage.families)
                if likeness >= limits.least_likeness:
                    found.append(Relative(phage, shared, likeness))
        return tuple(sorted(found, key=lambda one: (-one.likeness, one.phage.record)))

    def without(self, records: Collection[str]) -> RelativeTable:
        """The table without some records, for measurements."""
        left = tuple(one for one in self.phages if one.record not in records)
        return RelativeTable(left, self.limits)


@cache
def load_relatives() -> RelativeTable:
    """Read the table that ships with genint. Cost: 10 ms."""
    limits = parse_limits(read_shipped(RELATIVE_LIMITS).decode())
    return parse_relatives(read_shipped(RELATIVES).decode(), limits)


def parse_limits(text: str) -> Limits:
    """Limits from the text of their file; TypeError where one is missing."""
    return Limits(**tomllib.loads(text)["limits"])


def parse_relatives(text: str, limits: Limits) -> RelativeTable:
    """The table from the text of its file; ValueError where a row is not as it should be."""
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    next(lines)
    return RelativeTable(tuple(_phage(line) for line in lines), limits)


def _phage(line: str) -> NamedPhage:
    record, name, host, lifestyle, group, ends, genes, families = line.split("\t")
    accessions = frozenset(_STEM + one for one in families.split())
    return NamedPhage(record, name, host, lifestyle, group, ends, int(genes), accessions)


def text_of_relatives(phages: Iterable[NamedPhage], head: str) -> str:
    """The file of a table.

    Args:
        phages: In the order that they are to have.
        head: Comment lines before the table, each with a ``#``.
    """
    rows = [head.rstrip("\n"), "\t".join(NamedPhage._fields)]
    for one in phages:
        families = " ".join(sorted(family.removeprefix(_STEM) for family in one.families))
        rows.append("\t".join([*one[:6], str(one.genes), families]))
    return "\n".join(rows) + "\n"
