"""Proteins that a gene is compared with: entries of Swiss-Prot, or of a user's own file."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

_DIGEST_DIGITS = 10
"""Of the SHA-256: among 100,000 proteins two share them by chance in less than one set in
a hundred."""


class ReferenceEntry(NamedTuple):
    """What is known of a protein that genes are compared with, but for its residues.

    Attributes:
        accession: Identifier in its database or file.
        name: Product name as the source has it; empty where it has none.
        symbol: Gene symbol; empty where there is none.
        organism: Empty where the source does not say.
        ec: EC numbers.
        go: Ids of Gene Ontology terms.
        cog: COG id (COG0001) or letters; empty where the source does not say.
        pfam: Pfam accessions without version.
        existence: UniProt's level of protein existence, 1 (seen as a protein) to 5
            (uncertain); None where the source has no such level.
        length_aa: Residues.
        digest: Of the residues, as :func:`residues_digest` makes it.
    """

    accession: str
    name: str
    symbol: str = ""
    organism: str = ""
    ec: tuple[str, ...] = ()
    go: tuple[str, ...] = ()
    cog: str = ""
    pfam: tuple[str, ...] = ()
    existence: int | None = None
    length_aa: int = 0
    digest: str = ""


class ReferenceProtein(NamedTuple):
    """A protein that genes are compared with.

    Attributes:
        entry: What is known of it; ``length_aa`` and ``digest`` are those of ``residues``.
        residues: Upper-case amino acids, X for unknown ones, no stop.
    """

    entry: ReferenceEntry
    residues: str


def residues_digest(residues: str) -> str:
    """The digits that a protein is known by, whatever the case and a final stop.

    Cost: microseconds.
    """
    sequence = residues.upper().replace("*", "")
    return hashlib.sha256(sequence.encode()).hexdigest()[:_DIGEST_DIGITS]
