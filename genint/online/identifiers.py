"""Checksums by which services know a protein; they leave the machine, residues never do."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from typing import Final

_ACCESSION: Final = re.compile(
    "[OPQ][0-9][A-Z0-9]{3}[0-9]|[A-NR-Z][0-9](?:[A-Z][A-Z0-9]{2}[0-9]){1,2}"
)
"""Source: "Accession numbers" in the help of UniProt."""
_JOB: Final = re.compile("[0-9A-Za-z]{6,64}")
"""Ten letters and digits in the server's code, 40 hexadecimal digits in older answers."""
_REFSEQ: Final = re.compile(r"[ANWXYZ]P_[0-9]{6,12}(?:\.[0-9]{1,3})?")
"""Six digits, later nine; three more are left for times to come."""
_CDS: Final = re.compile(r"[A-Z]{3}[0-9]{5}(?:[0-9]{2})?(?:\.[0-9]{1,3})?")
"""Protein ids of GenBank, EMBL and DDBJ: three letters, five or seven digits."""
_RELEASE: Final = re.compile("[0-9A-Za-z][0-9A-Za-z_.-]{0,19}")


def is_accession(text: str) -> bool:
    """Whether a text is an accession of UniProtKB, without a version of its sequence."""
    return _ACCESSION.fullmatch(text) is not None


def is_job(text: str) -> bool:
    """Whether a text may be the id of an ID mapping job."""
    return _JOB.fullmatch(text) is not None


def is_refseq_protein(text: str) -> bool:
    """Whether a text is a protein id of RefSeq, with or without version."""
    return _REFSEQ.fullmatch(text) is not None


def is_cds_protein(text: str) -> bool:
    """Whether a text is a protein id of GenBank, EMBL or DDBJ, with or without version."""
    return _CDS.fullmatch(text) is not None


def is_release(text: str) -> bool:
    """Whether a text may be the name of a release."""
    return _RELEASE.fullmatch(text) is not None


def unversioned(protein_id: str) -> str:
    """A protein id without its version."""
    return protein_id.partition(".")[0]


_POLYNOMIAL: Final = 0xD800000000000000
"""x^64 + x^4 + x^3 + x + 1 (ISO 3309), its bits reflected."""


def _steps() -> Iterator[int]:
    for byte in range(256):
        step = byte
        for _ in range(8):
            step = step >> 1 ^ _POLYNOMIAL if step & 1 else step >> 1
        yield step


_STEPS: Final = tuple(_steps())


def cleaned(residues: str) -> str:
    """Residues as services count them: upper case, no spaces, no stop at the end."""
    return "".join(residues.split()).upper().rstrip("*")


def md5_of(residues: str) -> str:
    """MD5 of a protein as UniParc and InterPro have it: 32 upper-case hexadecimal digits.

    Case, spaces and a stop at the end make no difference. Cost: 2 us.
    """
    return hashlib.md5(cleaned(residues).encode(), usedforsecurity=False).hexdigest().upper()


def crc64_of(residues: str) -> str:
    """CRC-64 of a protein as UniProt has it: 16 upper-case hexadecimal digits.

    Case, spaces and a stop at the end make no difference. Cost: 50 us for 300 residues.

    Source: the SQ line of the UniProtKB user manual (ISO 3309, start 0, no final inversion).
    """
    # As Bio.SeqUtils.CheckSum, in a third of its time: a genome has thousands of proteins.
    steps, crc = _STEPS, 0
    for byte in cleaned(residues).encode():
        crc = steps[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return f"{crc:016X}"
