"""A user's file of marker proteins: what their headers say of toxins, resistance and virulence.

Any FASTA or GenBank file of proteins (:mod:`genint.formats.proteins`). Three layouts of headers
tell more: VFDB (``>VFG000001(gb|WP_1) (fdxA) ferredoxin [Iron uptake (VF0123) -
Nutritional/Metabolic factor (VFC0272)] [Escherichia coli]``), CARD
(``>gb|ACT97415.1|ARO:3002999|CblA-1 [organism]``) and that of ABRicate
(``>accession ~~~gene~~~product~~~``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from genint.formats.compression import decompressed
from genint.formats.proteins import MAX_BYTES, read_proteins
from genint.model.evidence import ReferenceProtein

_VFDB: Final = re.compile(
    r"\((?P<gene>(?:[^()]|\([^()]*\))+)\)\s+(?P<product>.*?)(?:\s*\[(?P<category>[^\[\]]+)\])?"
)
_VFDB_ID: Final = re.compile(r"(VFG\d+)(?:\(.*\))?")
_VFDB_NUMBER: Final = re.compile(r"\s*\((?:VFC?|CVF|AI)\d+\)")
_CARD: Final = re.compile(rb"^>\S*?\|?([A-Za-z0-9_.]+)\|ARO:\d+\|(\S+)", re.MULTILINE)
_CARD_KIND: Final = "antibiotic resistance"


class MarkerProtein(NamedTuple):
    """A protein of such a file.

    Attributes:
        protein: With its accession and residues.
        gene: Symbol or short name; empty where the header has none.
        product: Empty likewise.
        kind: Class that the file puts it in, such as ``Exotoxin``; empty likewise.
    """

    protein: ReferenceProtein
    gene: str = ""
    product: str = ""
    kind: str = ""


def read_markers(content: bytes, filename: str) -> tuple[MarkerProtein, ...]:
    """The marker proteins of a file.

    Args:
        content: The bytes as given, compressed or not.
        filename: For errors; folders in it are dropped.

    Raises:
        FormatError: see :func:`genint.formats.proteins.read_proteins`.

    Cost: 30 us a protein.
    """
    proteins = read_proteins(content, filename)
    text = decompressed(content, source=filename, max_bytes=MAX_BYTES)
    of_card = {found[1].decode(): found[2].decode() for found in _CARD.finditer(text)}
    return tuple(_marker(protein, of_card) for protein in proteins)


def _marker(protein: ReferenceProtein, of_card: Mapping[str, str]) -> MarkerProtein:
    entry = protein.entry
    name = of_card.get(entry.accession)
    if name is not None:
        return MarkerProtein(protein, name, entry.name, _CARD_KIND)
    of_vfdb = _VFDB_ID.fullmatch(entry.accession)
    stated = _VFDB.fullmatch(entry.name) if of_vfdb else None
    if of_vfdb and stated:
        plain = protein._replace(entry=entry._replace(accession=of_vfdb[1]))
        return MarkerProtein(plain, stated["gene"], stated["product"], _kind(stated["category"]))
    return MarkerProtein(protein, entry.symbol, entry.name)


def _kind(category: str | None) -> str:
    """The wider class of VFDB, without its numbers."""
    plain = _VFDB_NUMBER.sub("", category or "").strip()
    return plain.rpartition(" - ")[2].strip()
