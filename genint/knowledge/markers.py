"""The table beside the index of a reference of markers: what its entries mean.

Marker proteins are searched through the same index as other proteins; what they tell of a genome
stands in ``markers.tsv`` beside it, by accession.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from genint.errors import UnavailableError
from genint.knowledge.safety_markers import load_safety_markers
from genint.model.overview import MarkerMeaning
from genint.model.vocabulary import GenomeKind

MARKERS: Final = "markers.tsv"
_COLUMNS: Final = 5
_TOXIN: Final = re.compile(r"(?<!anti)(?<!anti-)toxin|cytolysin|superantigen", re.IGNORECASE)
_RESISTANCE: Final = re.compile(r"resistance|antibiotic", re.IGNORECASE)
_NO_ANTIBIOTIC: Final = re.compile(r"metal|acid|heat|stress|serum|phage|biocide", re.IGNORECASE)


class MarkerEntry(NamedTuple):
    """What an entry of a reference tells.

    Attributes:
        accession: Of the protein in the index, or of the profile.
        name: Symbol of the gene or allele, or its product where it has none.
        kind: Class in the reference, such as ``Exotoxin`` or ``BETA-LACTAM``; may be empty.
        means: None where it is none of these, such as resistance to metals.
        product: Product name; may be empty.
    """

    accession: str
    name: str
    kind: str
    means: MarkerMeaning | None
    product: str


def meaning_of(product: str, kind: str) -> MarkerMeaning:
    """What a marker of a user's file means; a virulence factor where nothing else is told.

    Whoever gives a reference of markers says by that that its proteins matter; VFDB's classes
    other than toxins are kinds of virulence factors.

    Args:
        product: Product name; may be empty.
        kind: Class in the file; may be empty.
    """
    if _TOXIN.search(kind):
        return MarkerMeaning.TOXIN
    if _RESISTANCE.search(kind) and not _NO_ANTIBIOTIC.search(kind):
        return MarkerMeaning.RESISTANCE
    known = load_safety_markers().named(product, GenomeKind.BACTERIUM)
    otherwise = MarkerMeaning.TOXIN if _TOXIN.search(product) else MarkerMeaning.VIRULENCE
    return next((marker.means for marker in known), otherwise)


def write_markers(entries: Iterable[MarkerEntry], folder: Path) -> int:
    """Write the table into the folder of an index; how many entries."""
    rows = [
        "\t".join(" ".join((value or "").split()) for value in entry) + "\n" for entry in entries
    ]
    (folder / MARKERS).write_text("".join(rows), encoding="utf-8")
    return len(rows)


def read_markers_of(folder: Path) -> Mapping[str, MarkerEntry]:
    """The table of a folder, by accession.

    Raises:
        UnavailableError: it is gone or damaged.

    Cost: 2 us an entry.
    """
    try:
        lines = (folder / MARKERS).read_text(encoding="utf-8").splitlines()
        return {entry.accession: entry for entry in map(_entry, lines)}
    except (OSError, ValueError) as cause:
        raise UnavailableError(f"the table of markers {MARKERS} cannot be read") from cause


def _entry(line: str) -> MarkerEntry:
    columns = line.split("\t")
    if len(columns) != _COLUMNS:
        raise ValueError(f"{len(columns)} columns")
    accession, name, kind, means, product = columns
    return MarkerEntry(accession, name, kind, MarkerMeaning(means) if means else None, product)
