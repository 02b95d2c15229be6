"""Forms of identifiers: only what has the form of one is put into an address or a query.

Files and answers are written by others. What does not match is not sent, so that nothing in
them can lead a call elsewhere or add to a query.
"""

from __future__ import annotations

import re
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
