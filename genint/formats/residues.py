"""Letters of a sequence section -> upper-case IUPAC DNA, or an error that points at one."""

from __future__ import annotations

from typing import NamedTuple

from genint.errors import FormatError
from genint.formats.codes import ReadCode, WarningLog
from genint.model.sequence import IUPAC_DNA

_BLANKS = b" \t\n\r\x0b\x0c"
_DIGITS = b"0123456789"
_GAPS = b"-"
_NUCLEOTIDES = (IUPAC_DNA + "UX").encode("ascii")
_TO_DNA = bytes.maketrans(
    (IUPAC_DNA.lower() + "uUxX").encode("ascii"), (IUPAC_DNA + "TTNN").encode("ascii")
)
_READABLE = frozenset(_NUCLEOTIDES + _NUCLEOTIDES.lower() + _BLANKS)
_NO_LETTERS = _BLANKS + _DIGITS + b"*-.~?" + bytes(range(128, 256))
_PLAIN = b"ACGTUNXacgtunx"
_PROTEIN_ONLY = b"EFIJLOPQZefijlopqz"
_PROTEIN_SHARE = 0.5
"""Proteins hold a quarter of A, C, G, T and N, genomes nearly nothing else; a record
of every IUPAC code in turn still has more than a quarter of them but no E, F, I ..."""
_ODD_SHARE = 0.35


class Section(NamedTuple):
    """Sequence lines of one record.

    Attributes:
        text: As in the file.
        first_line: Line of the file that it starts on.
        record: Name of the record, for errors.
        source: Name of the file, for errors.
    """

    text: str
    first_line: int
    record: str
    source: str


def nucleotides(section: Section, *, log: WarningLog, numbered: bool) -> str:
    """The bases of one record.

    Args:
        section: Its sequence lines.
        log: Told where X was read as N and where gaps were taken out.
        numbered: Digits are position numbers (GenBank), not faults (FASTA).

    Returns:
        Upper-case IUPAC DNA: U is T, X is N, blanks and gaps (-) are gone.

    Raises:
        FormatError: a letter that is no nucleotide.

    Cost: O(length), about 500 MB/s.
    """
    raw = section.text.encode("latin-1", "replace")
    ignored = _BLANKS + _GAPS + (_DIGITS if numbered else b"")
    bases = raw.translate(_TO_DNA, ignored)
    if bases.translate(None, IUPAC_DNA.encode("ascii")):
        raise _bad_letter(section, raw, ignored)
    masked = raw.count(b"X") + raw.count(b"x")
    if masked:
        log.add(
            ReadCode.MASKED_BASES,
            f"{masked} bases of {section.record} are X (masked) and were read as N.",
            line=section.first_line,
        )
    gaps = raw.count(_GAPS)
    if gaps:
        log.add(
            ReadCode.GAPS_REMOVED,
            f"{gaps} gaps (-) were taken out of {section.record}; positions count bases only.",
            line=section.first_line,
        )
    return bases.decode("ascii")


def looks_like_protein(section: str) -> bool:
    """Whether the letters of a record, all together, are those of a protein.

    Weakness: a peptide of only A, C, G, T and N residues reads as DNA.

    Cost: O(length).
    """
    raw = section.encode("latin-1", "replace")
    letters = raw.translate(None, _NO_LETTERS)
    if not letters:
        return False
    share = 1 - len(letters.translate(None, _PLAIN)) / len(letters)
    if len(letters.translate(None, _PROTEIN_ONLY)) < len(letters):
        return share < _PROTEIN_SHARE
    return share < _ODD_SHARE


def _bad_letter(section: Section, raw: bytes, ignored: bytes) -> FormatError:
    """The error for the first letter that is no nucleotide."""
    fine = _READABLE | frozenset(ignored)
    at = next(at for at, byte in enumerate(raw) if byte not in fine)
    letter = section.text[at]
    if letter.isdigit():
        what, cure = f"digit {letter!r}", "remove the numbers from the sequence"
    elif letter in ".~":
        what, cure = f"gap {letter!r}", "this is an alignment: give the sequence without gaps"
    elif letter == "*":
        what, cure = "'*' (a stop in a protein)", "give the nucleotide sequence"
    else:
        what = f"character {letter!r}"
        cure = "only IUPAC nucleotide letters can stand in a sequence"
    return FormatError(
        source=section.source,
        line=section.first_line + section.text.count("\n", 0, at),
        reason=f"{what} in the sequence of {section.record[:80]}",
        cure=cure,
    )
