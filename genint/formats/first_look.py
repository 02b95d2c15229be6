"""The first 64 kB of a text -> its format, or why it cannot be a genome.

For whoever must answer before the whole file can be read. It is never stricter than
the readers are: what it lets pass may still turn out to be broken further down.
"""

from __future__ import annotations

import codecs
import re

from genint.errors import FormatError
from genint.formats.codes import WarningLog
from genint.formats.decoding import decoded
from genint.formats.detection import detect, refuse_binary
from genint.formats.fasta import record_id
from genint.formats.genbank import refuse_other_records
from genint.formats.residues import looks_like_protein
from genint.model.genome import FileFormat

_COMMENT = re.compile(r"^;.*$", re.MULTILINE)
_HEADER = re.compile(r"^>(.*)\n?", re.MULTILINE)
_NO_NUCLEOTIDE = re.compile("[EFIJLOPQZ]", re.IGNORECASE)
_UTF16_BOMS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_UTF8_CONTINUATION = range(0x80, 0xC0)
_MAX_CONTINUATIONS = 3
_SURROGATE_MASK, _HIGH_SURROGATE = 0xFC, 0xD8


def first_look(head: bytes, *, source: str, is_whole: bool) -> FileFormat:
    """Tell GenBank or nucleotide FASTA by the beginning of a text.

    Args:
        head: The text's first bytes, unpacked; 64 kB are plenty.
        source: File name for errors.
        is_whole: That is the whole text.

    Raises:
        FormatError: neither of these formats, a protein or master record of GenBank, or a
            FASTA file of proteins or, if it is whole, without any sequence.

    Cost: O(length); for 64 kB 1 ms, 10 to 50 ms where these are thousands of records.
    Weakness: text of another kind above the first LOCUS line may be as long as the
    head; behind more than that, a record is not found.
    """
    refuse_binary(head, source=source)
    if not is_whole:
        head = _without_half_character(head)
    text = decoded(head, source=source, log=WarningLog())
    found = detect(text, source=source)
    if found is FileFormat.FASTA:
        _refuse_other_fasta(text, source, is_whole=is_whole)
    else:
        refuse_other_records(text, source=source, is_whole=is_whole)
    return found


def _without_half_character(head: bytes) -> bytes:
    """The head without a last character that is cut in two."""
    if head.startswith(_UTF16_BOMS):
        head = head[: len(head) // 2 * 2]
        high_byte = head[-1] if head.startswith(_UTF16_BOMS[0]) else head[-2]
        return head[:-2] if high_byte & _SURROGATE_MASK == _HIGH_SURROGATE else head
    end = len(head)
    for _ in range(_MAX_CONTINUATIONS):
        if head[end - 1] in _UTF8_CONTINUATION:
            end -= 1
    return head if head[end - 1] < _UTF8_CONTINUATION.start else head[: end - 1]


def _refuse_other_fasta(text: str, source: str, *, is_whole: bool) -> None:
    """Stop at proteins, and at a whole file without a sequence."""
    text = _COMMENT.sub("", text)
    headers = list(_HEADER.finditer(text))
    has_letters = False
    for at, header in enumerate(headers, start=1):
        stop = headers[at].start() if at < len(headers) else len(text)
        section = text[header.end() : stop]
        has_letters = has_letters or any(line.strip("- \t\f\v") for line in section.split("\n"))
        # What is seen of a record that goes on may be its odd end; a letter that no
        # nucleotide has is wrong wherever it stands.
        is_all_seen = is_whole or stop < len(text) or _NO_NUCLEOTIDE.search(section)
        if is_all_seen and looks_like_protein(section):
            line = text.count("\n", 0, header.start()) + 1
            name = record_id(header[1]) or f"the record in line {line}"
            raise FormatError(
                source=source,
                line=line,
                reason=f"{name[:80]} is a protein; this is protein FASTA",
                cure="give the nucleotide sequence of the genome",
            )
    if is_whole and not has_letters:
        raise FormatError(
            source=source,
            line=None,
            reason="no record holds a sequence",
            cure="put a line such as >name above the sequence, and the bases below it",
        )
