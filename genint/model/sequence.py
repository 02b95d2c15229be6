"""Nucleotides and proteins: complement, genetic codes, translation."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from genint.model.interval import Location, Strand

if TYPE_CHECKING:
    from Bio.Data.CodonTable import NCBICodonTable


IUPAC_DNA = "ACGTRYSWKMBDHVN"
_COMPLEMENT = str.maketrans("ACGTRYSWKMBDHVN", "TGCAYRSWMKVHDBN")


def _tables() -> Mapping[int, NCBICodonTable]:
    """Genetic codes of NCBI by number; imported late because importing costs 0.1 s."""
    from Bio.Data import CodonTable  # noqa: PLC0415

    codes: Mapping[int, NCBICodonTable] = CodonTable.unambiguous_dna_by_id
    return codes


@lru_cache(maxsize=32)
def _codon_map(table: int) -> tuple[dict[str, str], frozenset[str], frozenset[str]]:
    """Codon -> amino acid (stops are ``*``), start codons, stop codons."""
    code = _tables()[table]
    codons = dict(code.forward_table) | {stop: "*" for stop in code.stop_codons}
    return codons, frozenset(code.start_codons), frozenset(code.stop_codons)


def is_genetic_code(table: int) -> bool:
    """Whether NCBI defines a genetic code of that number."""
    return table in _tables()


def start_codons(table: int) -> frozenset[str]:
    """Start codons of NCBI genetic code ``table``; KeyError where there is none."""
    return _codon_map(table)[1]


def stop_codons(table: int) -> frozenset[str]:
    """Stop codons of NCBI genetic code ``table``; KeyError where there is none."""
    return _codon_map(table)[2]


def reverse_complement(bases: str) -> str:
    """The other strand, 5' to 3'. Upper-case IUPAC in, the same out. O(length)."""
    return bases.translate(_COMPLEMENT)[::-1]


def extract(bases: str, location: Location) -> str:
    """The bases of a feature as transcribed: parts joined, reverse strand turned."""
    pieces = []
    for part in location.parts:
        piece = part.interval.slice(bases)
        pieces.append(piece if part.strand is Strand.FORWARD else reverse_complement(piece))
    return "".join(pieces)


def translate(coding: str, table: int) -> str:
    """Translate codon by codon; ``*`` for stops, ``X`` where a codon is ambiguous.

    Bases after the last whole codon are ignored. Nothing is done about start
    codons: see :func:`translate_cds`.

    Raises:
        KeyError: no such genetic code.

    Cost: O(length).
    """
    residue_of = _codon_map(table)[0].get
    # A list, not a generator: this is the costliest line of reading a bacterium.
    return "".join([residue_of(coding[at : at + 3], "X") for at in range(0, len(coding) - 2, 3)])


def translate_cds(coding: str, table: int, *, complete_start: bool = True) -> str:
    """The protein of a coding sequence: first residue M, final stop removed.

    Args:
        coding: Bases from the first base of the first whole codon.
        table: NCBI genetic code.
        complete_start: The 5' end is the true start, so a start codon such as
            GTG or TTG is read as M. False for genes cut off at their 5' end.

    Returns:
        One-letter residues; internal stops stay as ``*``.
    """
    protein = translate(coding, table)
    if complete_start and coding[:3] in start_codons(table):
        protein = "M" + protein[1:]
    return protein.removesuffix("*")


def protein_digest(protein: str) -> str:
    """MD5 of the residues, upper-case hex: the key that UniParc and InterPro use."""
    return hashlib.md5(protein.encode("ascii"), usedforsecurity=False).hexdigest().upper()
