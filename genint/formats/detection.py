"""What a text or a heap of bytes is, by its content alone."""

from __future__ import annotations

import re
from typing import NamedTuple

from genint.errors import FormatError
from genint.model.genome import FileFormat

READ_FORMATS = "genint reads GenBank and nucleotide FASTA"


class _Sign(NamedTuple):
    """A pattern at the first line of text, what it is, and what to do."""

    pattern: re.Pattern[str]
    name: str
    cure: str


_BINARY_SIGNS = (
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a zip archive (or an Office document)"),
    (b"ABIF", "an ABI sequencing trace"),
    (b".scf", "an SCF sequencing trace"),
    (b"\x09\x00\x00\x00\x14SnapGene", "a SnapGene file"),
    (b"BAM\x01", "a BAM alignment"),
    (b"CRAM", "a CRAM alignment"),
    (b"BCF\x02", "a BCF variant file"),
    (b"\x89HDF", "an HDF5 file"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"\xd0\xcf\x11\xe0", "an old Office document"),
    (b"\x1f\x8b", "a gzip file inside another one"),
    (b"BZh", "a bzip2 file inside another one"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"(\xb5/\xfd", "a zstd archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!", "a rar archive"),
    (b"\x7fELF", "a program"),
    (b"SQLite format 3", "an SQLite database"),
    (b"{\\rtf", "a Rich Text document"),
)

_EXPORT = "export it as GenBank or FASTA"
_SIGNS = tuple(
    _Sign(re.compile(pattern, re.IGNORECASE), name, cure)
    for pattern, name, cure in (
        (r"ID   .*\bAA\.", "a UniProt flat file", "give the genome as GenBank or FASTA"),
        (r"ID\s{2,}\S", "an EMBL file", "convert it to GenBank, or take the record as GenBank"),
        (r"##gff-version", "a GFF file", "give the sequence as FASTA or the record as GenBank"),
        (r"@(HD|SQ|RG|PG|CO)\t", "a SAM alignment", "give the assembled sequence as FASTA"),
        (r"@", "a FASTQ file of reads", "assemble the reads and give the contigs as FASTA"),
        (r"##fileformat=VCF", "a VCF variant file", "give the sequence as FASTA"),
        (r"(CLUSTAL|MUSCLE|PROBCONS)\b", "a Clustal alignment", "give one ungapped FASTA sequence"),
        (r"# STOCKHOLM", "a Stockholm alignment", "give one ungapped FASTA sequence"),
        (r"#NEXUS", "a NEXUS file", "give one ungapped FASTA sequence"),
        (r"\s*\d+\s+\d+\s*$", "a PHYLIP alignment", "give one ungapped FASTA sequence"),
        (r"HMMER\d", "a profile (HMM) file", "give the genome as GenBank or FASTA"),
        (r">Feature\s", "an NCBI feature table", "give the record as GenBank"),
        (r"(Seq-entry|Bioseq-set|Seq-submit)\s*::=", "an ASN.1 file", _EXPORT),
        (r"<(!doctype html|html|head|body)", "a web page (HTML)", "download the record itself"),
        (r"<", "an XML file", _EXPORT),
        (r"[{\[]", "a JSON file", _EXPORT),
        (r"(DEFINITION|ACCESSION|FEATURES|ORIGIN)\b", "a GenBank record without its LOCUS line",
         "take the whole record, from LOCUS to //"),
        (r"[^\t]+(\t[^\t]*){8}$", "a GFF or GTF table", "give the sequence as FASTA"),
        (r"[^\t]+\t", "a table", "give the genome as GenBank or FASTA"),
        (r"[acgtun\s\d]+$", "a sequence without a header", "put a line such as >name above it"),
    )
)  # fmt: skip
_FIRST_LOCUS = re.compile(r"^LOCUS\b", re.MULTILINE)
_COMMENTED_TABLE = re.compile(r"[#\"]")
_LOOK_CHARACTERS = 400


def refuse_binary(raw: bytes, *, source: str) -> None:
    """Stop at content that is not text, and at no content.

    Raises:
        FormatError: empty, blank, or a known or unknown binary format.
    """
    if not raw.strip():
        what = "is empty" if not raw else "holds nothing but blanks"
        raise FormatError(source=source, line=None, reason=f"the file {what}", cure=READ_FORMATS)
    for sign, name in _BINARY_SIGNS:
        if raw.startswith(sign):
            raise _unread(source, name, cure="export or unpack it first")
    if raw[257:262] == b"ustar":
        raise _unread(source, "a tar archive", cure="unpack it first")
    if b"\0" in raw and not raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise _unread(source, "a binary file", cure="export it as plain text")


def detect(text: str, *, source: str) -> FileFormat:
    """GenBank or FASTA, by the first line that is not blank.

    GenBank release files and saved mails have words above the first LOCUS line,
    so that line may stand anywhere where no other format is recognised.

    Raises:
        FormatError: another format, named where it is known.

    Cost: O(length) where the first line is not known, else O(1).
    """
    start = len(text) - len(text.lstrip())
    if start == len(text):
        raise FormatError(
            source=source, line=None, reason="the file holds no text", cure=READ_FORMATS
        )
    end = text.find("\n", start)
    first = text[start : len(text) if end < 0 else end][:_LOOK_CHARACTERS]
    line = text.count("\n", 0, start) + 1
    if _FIRST_LOCUS.match(first):
        return FileFormat.GENBANK
    if first.startswith((">", ";")) and not first.lower().startswith(">feature "):
        return FileFormat.FASTA
    for sign in _SIGNS:
        if sign.pattern.match(first):
            raise _unread(source, sign.name, cure=sign.cure, line=line)
    if _FIRST_LOCUS.search(text):
        return FileFormat.GENBANK
    if _COMMENTED_TABLE.match(first):
        raise _unread(source, "a table", cure="give the genome as GenBank or FASTA", line=line)
    raise FormatError(
        source=source,
        line=line,
        reason=f"neither GenBank nor FASTA: starts with {first[:40]!r}",
        cure="GenBank starts with LOCUS, FASTA with >",
    )


def _unread(source: str, name: str, *, cure: str, line: int | None = None) -> FormatError:
    return FormatError(
        source=source,
        line=line,
        reason=f"this is {name}, which genint does not read",
        cure=f"{READ_FORMATS}: {cure}",
    )
