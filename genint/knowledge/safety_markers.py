"""Toxins, resistance and virulence factors that names and Pfam families tell.

The table is ``data/safety_markers.toml``. It says what a function means for the use of a phage;
it names no gene.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from genint.knowledge.patterns import Pattern, either
from genint.knowledge.table_files import SAFETY_MARKERS, read_shipped
from genint.model.overview import MarkerMeaning
from genint.model.vocabulary import ConfidenceLevel, GenomeKind


@dataclass(frozen=True, slots=True)
class SafetyMarker:
    """One kind of toxin, resistance or virulence factor.

    Attributes:
        name: As reports call it.
        means: Toxin, resistance or virulence factor.
        does: What it does to people or to a treatment, in a few words.
        source: A paper that shows it.
        patterns: A lower-case name that holds one of them is meant.
        exclude: Unless it holds one of these; None where nothing is excluded.
        pfam: Families that tell it by themselves.
        needs_pfam: Where there are any, a name counts only beside one of these families.
        only: Counts in records that are taken for this kind; None for all.
        least: Level from which a name counts.
        shortest_aa: Residues from which a name counts; shorter proteins go by such names too.
    """

    name: str
    means: MarkerMeaning
    does: str
    source: str
    patterns: Pattern
    exclude: Pattern | None
    pfam: frozenset[str]
    needs_pfam: frozenset[str]
    only: GenomeKind | None
    least: ConfidenceLevel
    shortest_aa: int

    def is_named_by(self, name: str) -> bool:
        """Whether a name is meant, whatever its case."""
        lowered = name.lower()
        if not self.patterns.is_in(lowered):
            return False
        return self.exclude is None or not self.exclude.is_in(lowered)

    def families_of(self, pfam: Collection[str]) -> tuple[str, ...]:
        """Those of the families of a protein that tell it."""
        return tuple(sorted(self.pfam.intersection(pfam)))


@dataclass(frozen=True, slots=True)
class SafetyMarkers:
    """The table.

    Attributes:
        version: Of the file.
        markers: In its order; the first that fits is taken.
        exclude: Names that hold one of these mean none of them.
        toxic: A name that holds one of these speaks of a toxin, whether or not it is in the table.
        not_toxic: Unless it holds one of these: toxins that act inside the cell that makes them,
            on other bacteria, or that are none.
    """

    version: str
    markers: tuple[SafetyMarker, ...]
    exclude: Pattern
    toxic: Pattern
    not_toxic: Pattern

    def named(
        self, name: str, kind: GenomeKind, means: MarkerMeaning | None = None
    ) -> Iterator[SafetyMarker]:
        """Markers that a name means in a record of a kind, in the order of the table.

        Args:
            name: Of a protein, in any case.
            kind: Of the record.
            means: Only markers of this meaning; None: of any.
        """
        if self.exclude.is_in(name.lower()):
            return
        fitting = (
            marker
            for marker in self.markers
            if means in (None, marker.means) and marker.only in (None, kind)
        )
        yield from (marker for marker in fitting if marker.is_named_by(name))

    def sounds_toxic(self, name: str) -> bool:
        """Whether a name speaks of a toxin that may matter, whatever its case."""
        lowered = name.lower()
        if self.exclude.is_in(lowered) or self.not_toxic.is_in(lowered):
            return False
        return self.toxic.is_in(lowered)


@cache
def load_safety_markers() -> SafetyMarkers:
    """Read the table that ships. Cost: 2 ms, once."""
    return parse_safety_markers(read_shipped(SAFETY_MARKERS).decode())


def parse_safety_markers(text: str) -> SafetyMarkers:
    """A table from the text of its file.

    Raises:
        KeyError: a value is missing.
        ValueError: a value is none that is known, or the text is not TOML.
    """
    read = tomllib.loads(text)
    markers = tuple(_marker(row) for row in read["marker"])
    lists = (either(read[name]) for name in ("exclude", "toxic", "not_toxic"))
    return SafetyMarkers(read["version"], markers, *lists)


def _marker(row: Mapping[str, Any]) -> SafetyMarker:
    exclude = row.get("exclude")
    return SafetyMarker(
        row["name"],
        MarkerMeaning(row["means"]),
        row["does"],
        row["source"],
        either(row["patterns"]),
        either(exclude) if exclude else None,
        frozenset(row.get("pfam", ())),
        frozenset(row.get("needs_pfam", ())),
        GenomeKind(row["only"]) if "only" in row else None,
        ConfidenceLevel(row.get("least", ConfidenceLevel.LOW)),
        row.get("shortest_aa", 0),
    )
