"""One file -> one Genome: limits, detection, decoding and the right reader."""

from __future__ import annotations

import codecs
import hashlib
import os
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from genint.errors import FormatError
from genint.formats.compression import MAX_BYTES, decompressed
from genint.formats.fasta import read_fasta, refuse_proteins, split_records
from genint.formats.genbank.reader import read_genbank, refuse_other_records
from genint.formats.gff3 import (
    as_genbank,
    beside_bases,
    has_coding_genes,
    refuse_without_bases,
)
from genint.formats.warnings import ReadCode, WarningLog
from genint.model.genome import FileFormat, Genome, GenomeSource

_UTF16_BOMS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
READ_FORMATS = "genint reads GenBank, nucleotide FASTA, and GFF3 with its bases"
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
_FIRST_LOCUS = re.compile(r"^LOCUS\b", re.MULTILINE)
_COMMENTED_TABLE = re.compile(r"[#\"]")
_LOOK_CHARACTERS = 400
_NO_NUCLEOTIDE = re.compile("[EFIJLOPQZ]", re.IGNORECASE)
_GFF3 = re.compile(r"##gff-version\s+3\b", re.IGNORECASE)
MAX_RECORDS = {FileFormat.GENBANK: 20_000, FileFormat.FASTA: 100_000, FileFormat.GFF3: 100_000}
"""Records of one file; the most broken draft genomes have a few thousand contigs."""
_HEADER = re.compile(rb"\n>[^\n]*")
_NO_BASES = b" \t\r\n\v\f0123456789*-.~?"
_STATED_LENGTH = re.compile(rb"\nLOCUS[ \t]+\S+[ \t]+(\d{1,15}) bp\b")
_LONGEST_LOCUS = 2000
_FEW_RECORDS = 1000
_FRAGMENT_CHARACTERS = 60
_TITLES = {FileFormat.GENBANK: "GenBank", FileFormat.FASTA: "FASTA", FileFormat.GFF3: "GFF3"}


class _Sign(NamedTuple):
    """A pattern at the first line of text, what it is, and what to do."""

    pattern: re.Pattern[str]
    name: str
    cure: str


@dataclass(frozen=True, slots=True)
class Original:
    r"""A file that was read, for what is written into it.

    Attributes:
        genome: As the file has it; genes know the line that they start on.
        text: Decompressed and decoded, with ``\n`` line ends.
    """

    genome: Genome
    text: str


_SIGNS = tuple(
    _Sign(re.compile(pattern, re.IGNORECASE), name, cure)
    for pattern, name, cure in (
        (r"ID   .*\bAA\.", "a UniProt flat file", "give the genome as GenBank or FASTA"),
        (r"ID\s{2,}\S", "an EMBL file", "convert it to GenBank, or take the record as GenBank"),
        (r"##gff-version", "a GFF file of an older version", "convert it to GFF3"),
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
        (r"[^\t]+(\t[^\t]*){8}$", "a GFF or GTF table without a first line ##gff-version 3",
         "if it is GFF3, write that line above it"),
        (r"[^\t]+\t", "a table", "give the genome as GenBank or FASTA"),
        (r"[acgtun\s\d]+$", "a sequence without a header", "put a line such as >name above it"),
    )
)  # fmt: skip


def read_genome(path: str | os.PathLike[str], *, max_bytes: int = MAX_BYTES) -> Genome:
    """Read a GenBank, FASTA or GFF3 file, plain, gzip, bgzip or bzip2, known by its content.

    Args:
        path: The file.
        max_bytes: Largest size of its text after decompression.

    Raises:
        FormatError: the file cannot be opened, is in another format, or is broken;
            says where, why and what to do.

    Cost: about 10 MB/s for GenBank (every gene is translated), 200 MB/s for FASTA.
    """
    return _read_path(path, None, max_bytes)


def read_original(payload: bytes, filename: str, *, max_bytes: int = MAX_BYTES) -> Original:
    """The genome of a file together with its text.

    Args: and errors as for :func:`read_genome_bytes`.
    """
    genome, text = _read(payload, filename, max_bytes, None)
    return Original(genome, text)


def read_genome_bytes(
    payload: bytes,
    filename: str,
    *,
    max_bytes: int = MAX_BYTES,
    expected: FileFormat | None = None,
) -> Genome:
    """Read the bytes of a file, such as those of an upload or of standard input.

    Args:
        payload: The bytes as given, compressed or not.
        filename: For errors and the result; folders in it are dropped.
        max_bytes: Largest size of the text after decompression.
        expected: Refuse the other format.

    Raises:
        FormatError: as for :func:`read_genome`.
    """
    return _read(payload, filename, max_bytes, expected)[0]


def with_genes(
    bases: tuple[bytes, str], genes: tuple[bytes, str], *, max_bytes: int = MAX_BYTES
) -> bytes:
    """A FASTA file and a GFF3 file of its genes as one GFF3 file.

    Args:
        bases: Content and name of the FASTA file, compressed or not.
        genes: Likewise of the GFF3 file; bases of its own are left out.
        max_bytes: Largest size of either text after decompression.

    Raises:
        FormatError: a file is of another format, or cannot be read.
    """
    texts = []
    for (content, source), wanted in ((bases, FileFormat.FASTA), (genes, FileFormat.GFF3)):
        raw = decompressed(content, source=source, max_bytes=max_bytes)
        refuse_binary(raw, source=source)
        text = decoded(raw, source=source, log=WarningLog())
        found = detect(text, source=source)
        if found is not wanted:
            raise FormatError(
                source=source,
                line=None,
                reason=f"this is {_TITLES[found]}, not {_TITLES[wanted]}",
                cure="give the bases as FASTA, and their genes as GFF3 with --genes",
            )
        texts.append(text)
    if not has_coding_genes(texts[1]):
        raise FormatError(
            source=genes[1],
            line=None,
            reason="it has no row of kind CDS, so it gives no gene",
            cure="without --genes they are predicted",
        )
    return beside_bases(texts[1], texts[0]).encode()


def in_its_file(problem: FormatError, joined: bytes, bases: str, genes: str) -> FormatError:
    """An error in the text of :func:`with_genes` as one in the file that its line is of.

    Args:
        problem: With the line of the joined text.
        joined: That text.
        bases: Name of the FASTA file.
        genes: Name of the GFF3 file.
    """
    if problem.line is None:
        return problem
    above = joined.partition(b"\n##FASTA\n")[0].count(b"\n") + 2
    source, line = (genes, problem.line) if problem.line < above else (bases, problem.line - above)
    return FormatError(source=source, line=line, reason=problem.reason, cure=problem.cure)


class BaseCounter:
    """Counts the bases of a text that comes in pieces, without reading it.

    Of FASTA what lies between headers is counted but for blanks, digits and gaps; of GenBank the
    lengths that LOCUS lines state are added up, though never more than there is text. A text in
    UTF-16, or one whose lines end in CR alone, counts as empty, and a LOCUS line may state too
    little: who reads the text counts again.

    Args:
        source: File name for errors.
        max_bases: More are refused.

    Cost: about 100 MB/s at least; memory of one line.
    """

    def __init__(self, *, source: str, max_bases: int) -> None:
        self._letters = 0
        self._stated = 0
        self._text_bytes = 0
        self._source = source
        self._max_bases = max_bases
        self._is_fasta: bool | None = None
        self._start = b""
        self._rest = b"\n"
        self._in_header = False

    @property
    def bases(self) -> int:
        """So many have come."""
        return self._letters + min(self._stated, self._text_bytes)

    def feed(self, text: bytes) -> None:
        """Take the next piece.

        Raises:
            FormatError: there are more bases than allowed.
        """
        self._text_bytes += len(text)
        if self._is_fasta is None:
            text = self._start = (self._start + text).removeprefix(codecs.BOM_UTF8).lstrip()
            if len(text) <= len(codecs.BOM_UTF8):
                return
            self._is_fasta = text.startswith((b">", b";"))
            self._start = b""
        if self._is_fasta:
            self._count_letters(self._rest + text)
        else:
            self._add_stated(self._rest + text)
        refuse_too_many(self.bases, source=self._source, max_bases=self._max_bases)

    def _count_letters(self, text: bytes) -> None:
        # A line end that comes last may be followed by a header.
        self._rest = b"\n" if text.endswith(b"\n") else b""
        text = text[: len(text) - len(self._rest)]
        start = 0
        if self._in_header:
            start = text.find(b"\n")
            if start < 0:
                self._in_header = not self._rest
                return
        last = text.rfind(b"\n>", start)
        self._in_header = last >= 0 and text.find(b"\n", last + 1) < 0 and not self._rest
        self._letters += len(_HEADER.sub(b"", text[start:]).translate(None, _NO_BASES))

    def _add_stated(self, text: bytes) -> None:
        end = text.rfind(b"\n")
        self._stated += sum(int(found[1]) for found in _STATED_LENGTH.finditer(text, 0, end))
        self._rest = text[end:][:_LONGEST_LOCUS]


def refuse_too_many(bases: int, *, source: str, max_bases: int) -> None:
    """Stop at a genome that is larger than allowed, with a FormatError."""
    if bases > max_bases:
        raise FormatError(
            source=source,
            line=None,
            reason=f"holds more than {max_bases:,} bases, the most that this service takes",
            cure="give one genome per file",
        )


class GenBankParser:
    """Reads GenBank files and refuses any other."""

    def parse(self, path: str | os.PathLike[str]) -> Genome:
        """The genome of a GenBank file; FormatError where it is none."""
        return _read_path(path, FileFormat.GENBANK)


class FastaParser:
    """Reads nucleotide FASTA files and refuses any other."""

    def parse(self, path: str | os.PathLike[str]) -> Genome:
        """The genome of a FASTA file, without genes; FormatError where it is none."""
        return _read_path(path, FileFormat.FASTA)


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
    text = decoded(head, source=source, log=WarningLog(), is_whole=is_whole)
    found = detect(text, source=source)
    if found is FileFormat.FASTA:
        _refuse_other_fasta(text, source, is_whole=is_whole)
    elif found is FileFormat.GENBANK:
        refuse_other_records(text, source=source, is_whole=is_whole)
    elif is_whole:
        refuse_without_bases(text, source=source)
    return found


def detect(text: str, *, source: str) -> FileFormat:
    """GenBank, FASTA or GFF3, by the first line that is not blank.

    GenBank release files and saved mails have words above the first LOCUS line,
    so that line may be anywhere where no other format is recognised.

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
    if _GFF3.match(first):
        return FileFormat.GFF3
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
        reason=f"neither GenBank, FASTA nor GFF3: starts with {first[:40]!r}",
        cure="GenBank starts with LOCUS, FASTA with >, GFF3 with ##gff-version 3",
    )


def decoded(raw: bytes, *, source: str, log: WarningLog, is_whole: bool = True) -> str:
    r"""Text with ``\n`` line ends from UTF-8, UTF-16 with a mark, or Latin-1.

    Latin-1 is the last resort because it can read any bytes: names with
    accents from old files come out right, and a warning says so. A last character that is
    cut in two is left out where this is not the whole text.

    Raises:
        FormatError: UTF-16 that is damaged.

    Cost: O(length).
    """
    if raw.startswith(_UTF16_BOMS):
        try:
            text = codecs.getincrementaldecoder("utf-16")().decode(raw, final=is_whole)
        except UnicodeDecodeError as cause:
            raise FormatError(
                source=source,
                line=None,
                reason="the text is marked as UTF-16 but is damaged",
                cure="save it as plain text in UTF-8",
            ) from cause
    else:
        try:
            text = codecs.getincrementaldecoder("utf-8-sig")().decode(raw, final=is_whole)
        except UnicodeDecodeError as fault:
            line = raw.count(b"\n", 0, fault.start) + 1
            log.add(ReadCode.NOT_UTF8, "The text is not UTF-8; read as Latin-1.", line=line)
            text = raw.decode("latin-1")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text


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


def _unread(source: str, name: str, *, cure: str, line: int | None = None) -> FormatError:
    return FormatError(
        source=source,
        line=line,
        reason=f"this is {name}, which genint does not read",
        cure=f"{READ_FORMATS}: {cure}",
    )


def _refuse_other_fasta(text: str, source: str, *, is_whole: bool) -> None:
    """Stop at proteins, and at a whole file without a sequence."""
    records = []
    first = f"\n{text}".find("\n>")
    if first >= 0:  # text above the first header is left to the reader
        text = "\n" * text.count("\n", 0, first) + text[first:]
        records = split_records(text, source=source)
        # What is seen of a record that goes on may be its odd end; a letter that no
        # nucleotide has is wrong everywhere.
        is_last_whole = is_whole or _NO_NUCLEOTIDE.search(records[-1].section)
        refuse_proteins(records if is_last_whole else records[:-1], source=source)
    has_letters = any(record.section.strip("- \t\f\v\n") for record in records)
    if is_whole and not has_letters:
        raise FormatError(
            source=source,
            line=None,
            reason="no record holds a sequence",
            cure="put a line such as >name above the sequence, and the bases below it",
        )


def _read(
    payload: bytes, filename: str, max_bytes: int, expected: FileFormat | None
) -> tuple[Genome, str]:
    source = filename.replace("\\", "/").rsplit("/", 1)[-1] or "input"
    log = WarningLog()
    raw = decompressed(payload, source=source, max_bytes=max_bytes)
    refuse_binary(raw, source=source)
    text = decoded(raw, source=source, log=log)
    found = detect(text, source=source)
    _refuse_fragments(text, found, source)
    if expected and found is not expected:
        raise FormatError(
            source=source,
            line=None,
            reason=f"this is {_TITLES[found]}, not {_TITLES[expected]}",
            cure=f"use the {_TITLES[found]} parser, or read_genome for either",
        )
    given = GenomeSource(source, hashlib.sha256(payload).hexdigest(), found)
    if found is FileFormat.GFF3:
        return _read_gff3(text, given, log)
    reader = read_genbank if found is FileFormat.GENBANK else read_fasta
    contigs = reader(text, source=source, log=log)
    return Genome(contigs, given, log.warnings()), text


def _read_gff3(text: str, given: GenomeSource, log: WarningLog) -> tuple[Genome, str]:
    """The genome, and the GenBank text that it was read from: what is written into goes there."""
    written = as_genbank(text, source=given.filename, log=log)
    inner = WarningLog()
    try:
        contigs = read_genbank(written.text, source=given.filename, log=inner)
    except FormatError as problem:
        raise FormatError(
            source=problem.source,
            line=written.line_of(problem.line),
            reason=problem.reason,
            cure=problem.cure,
        ) from problem
    mended = (replace(one, line=written.line_of(one.line)) for one in inner.warnings())
    return Genome(contigs, given, (*log.warnings(), *mended)), written.text


def _refuse_fragments(text: str, found: FileFormat, source: str) -> None:
    """Stop at heaps of reads, primers or k-mers, which no genome comes as."""
    records = text.count("\nLOCUS" if found is FileFormat.GENBANK else "\n>")
    fragments = records > _FEW_RECORDS and len(text) < _FRAGMENT_CHARACTERS * records
    if fragments or records > MAX_RECORDS[found]:
        raise FormatError(
            source=source,
            line=None,
            reason=f"holds {records:,} records{' of hardly any sequence' if fragments else ''}",
            cure="give the contigs of one genome",
        )


def _read_path(
    path: str | os.PathLike[str], expected: FileFormat | None, max_bytes: int = MAX_BYTES
) -> Genome:
    file = Path(path)
    return _read(_payload(file), file.name, max_bytes, expected)[0]


def _payload(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError as cause:
        raise _unopened(path, "there is no such file", "check the path") from cause
    except IsADirectoryError as cause:
        raise _unopened(path, "this is a folder", "name the file in it") from cause
    except (OSError, ValueError) as cause:
        reason = getattr(cause, "strerror", None) or "the path cannot be used"
        raise _unopened(path, f"cannot be read: {reason}", "check its permissions") from cause


def _unopened(path: Path, reason: str, cure: str) -> FormatError:
    return FormatError(source=path.name or str(path), line=None, reason=reason, cure=cure)
