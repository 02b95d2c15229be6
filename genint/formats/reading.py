"""One file -> one Genome: limits, detection, decoding and the right reader."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from genint.errors import FormatError
from genint.formats.codes import WarningLog
from genint.formats.compression import MAX_BYTES, decompressed
from genint.formats.decoding import decoded
from genint.formats.detection import detect, refuse_binary
from genint.model.genome import FileFormat, Genome, GenomeSource

MAX_RECORDS = {FileFormat.GENBANK: 20_000, FileFormat.FASTA: 100_000}
"""Records of one file; the most broken draft genomes have a few thousand contigs."""

_FEW_RECORDS = 1000
_CRUMB_CHARACTERS = 60


def read_genome(path: str | os.PathLike[str], *, max_bytes: int = MAX_BYTES) -> Genome:
    """Read a GenBank or FASTA file, plain, gzip, bgzip or bzip2, known by its content.

    Args:
        path: The file.
        max_bytes: Largest size of its text after decompression.

    Raises:
        FormatError: the file cannot be opened, is in another format, or is broken;
            says where, why and what to do.

    Cost: about 10 MB/s for GenBank (every gene is translated), 200 MB/s for FASTA.
    """
    return read_genome_bytes(_payload(Path(path)), Path(path).name, max_bytes=max_bytes)


@dataclass(frozen=True, slots=True)
class Original:
    r"""A file that was read, for what is written into it.

    Attributes:
        genome: As the file has it; genes know the line that they start on.
        text: Decompressed and decoded, with ``\n`` line ends.
    """

    genome: Genome
    text: str


def read_original(payload: bytes, filename: str, *, max_bytes: int = MAX_BYTES) -> Original:
    """The genome of a file together with the text that it stands in.

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


def _read(
    payload: bytes, filename: str, max_bytes: int, expected: FileFormat | None
) -> tuple[Genome, str]:
    # late, so that whoever only catches errors or detects formats starts fast
    from genint.formats.fasta import read_fasta  # noqa: PLC0415 - see above
    from genint.formats.genbank import read_genbank  # noqa: PLC0415 - see above

    source = filename.replace("\\", "/").rsplit("/", 1)[-1] or "input"
    log = WarningLog()
    raw = decompressed(payload, source=source, max_bytes=max_bytes)
    refuse_binary(raw, source=source)
    text = decoded(raw, source=source, log=log)
    found = detect(text, source=source)
    _refuse_heap(text, found, source)
    if expected and found is not expected:
        raise FormatError(
            source=source,
            line=None,
            reason=f"this is {_TITLES[found]}, not {_TITLES[expected]}",
            cure=f"use the {_TITLES[found]} parser, or read_genome for either",
        )
    reader = read_genbank if found is FileFormat.GENBANK else read_fasta
    contigs = reader(text, source=source, log=log)
    digest = hashlib.sha256(payload).hexdigest()
    return Genome(contigs, GenomeSource(source, digest, found), log.warnings()), text


def _refuse_heap(text: str, found: FileFormat, source: str) -> None:
    """Stop at heaps of reads, primers or k-mers, which no genome comes as."""
    records = text.count("\nLOCUS" if found is FileFormat.GENBANK else "\n>")
    crumbs = records > _FEW_RECORDS and len(text) < _CRUMB_CHARACTERS * records
    if crumbs or records > MAX_RECORDS[found]:
        raise FormatError(
            source=source,
            line=None,
            reason=f"holds {records:,} records{' of hardly any sequence' if crumbs else ''}",
            cure="give the contigs of one genome",
        )


_TITLES = {FileFormat.GENBANK: "GenBank", FileFormat.FASTA: "FASTA"}


class GenBankParser:
    """Reads GenBank files and refuses any other."""

    def parse(self, path: str | os.PathLike[str]) -> Genome:
        """The genome of a GenBank file; FormatError where it is none."""
        return _parse(path, FileFormat.GENBANK)


class FastaParser:
    """Reads nucleotide FASTA files and refuses any other."""

    def parse(self, path: str | os.PathLike[str]) -> Genome:
        """The genome of a FASTA file, without genes; FormatError where it is none."""
        return _parse(path, FileFormat.FASTA)


def _parse(path: str | os.PathLike[str], expected: FileFormat) -> Genome:
    return read_genome_bytes(_payload(Path(path)), Path(path).name, expected=expected)


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
